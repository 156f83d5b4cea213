"""Run a program that dies with us, however we die.

Used as `python tether.py PARENT SIGNAL COMMAND...`: asks the kernel to send SIGNAL when PARENT is
gone, then becomes COMMAND. It is a program of its own, not a hook between fork and exec, since
such a hook may deadlock in a process with threads. Standard library only, so that it starts
quickly and without our packages.

The kernel watches the thread that started the child: start it from the thread that lives longest.
"""

import ctypes
import os
import sys
from signal import Signals

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def command(program: list[str], signal: Signals, parent: int | None = None) -> list[str]:
    """Return the command line that runs `program` tethered to a process.

    Args:
        program: Command line of the program.
        signal: Sent to it when the parent is gone.
        parent: Process id of the parent; None means this process.
    """
    return [sys.executable, "-I", "-S", __file__, str(parent or os.getpid()), signal.name, *program]


def main(arguments: list[str]) -> None:
    """Tie this process to its parent, then become the command; never returns.

    Raises:
        SystemExit: The parent is already gone, or the kernel refused.
        OSError: The command cannot be run.
    """
    parent, signal, *program = arguments
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, Signals[signal].value, 0, 0, 0) != 0:
        raise SystemExit(f"tether: the kernel refused: {os.strerror(ctypes.get_errno())}")
    if os.getppid() != int(parent):
        raise SystemExit("tether: the parent is already gone")
    os.execvp(program[0], program)  # noqa: S606 - our own command line, no shell wanted


if __name__ == "__main__":
    main(sys.argv[1:])
