"""What one board's process costs at 80 samples a second of twenty channels.

Method: the whole house runs at real speed - broker, hall, an emulated board with nominal cells on a pseudo
terminal, blitz hands - and the kernel is asked for the board's process alone, in `/proc/PID`. Processor time
is user plus system time between two moments of the game, over the wall time between them; the start is left
out, and so is what the set-up costs. Memory is the largest resident set until then (`VmHWM`).
"""

from __future__ import annotations

import os
import sys
import time
from importlib.resources import files
from pathlib import Path

import pytest

from tests.house.rig import rig

WATCHED_S = 60.0
"""Some twenty plies of blitz: enough that one look more or less makes no difference."""

MOST_CPU = 0.10
"""Of one core."""

MOST_MIB = 80.0


def cpu_s(pid: int) -> float:
    """Return the processor time that a process has used, user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_mib(pid: int) -> float:
    """Return the largest resident set that a process has had."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise AssertionError(f"the kernel tells no memory of process {pid}")


@pytest.mark.bench
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the kernel tells nothing under /proc")
def test_a_board_takes_a_tenth_of_a_core_and_80_mib_at_most(tmp_path: Path) -> None:
    """At real speed; a busy machine makes nothing of it, since processor time is counted."""
    moves = files("firmware_bridge.emulator.games").joinpath("2009.txt").read_text(encoding="utf-8")
    with rig(tmp_path, moves, speed=1, pace="blitz") as table:
        table.until_plies(1)
        pid = table.parts["board"].process.pid
        began_s, used_s, plies = time.monotonic(), cpu_s(pid), len(table.moves_shown())
        while time.monotonic() < began_s + WATCHED_S:
            time.sleep(1.0)
        share = (cpu_s(pid) - used_s) / (time.monotonic() - began_s)
        memory, played = peak_mib(pid), len(table.moves_shown()) - plies
    sys.stdout.write(f"board: {share:.1%} of a core, {memory:.0f} MiB, over {played} plies\n")
    assert played > 5
    assert share <= MOST_CPU
    assert memory <= MOST_MIB
