"""Programs of ours started as separate processes, watched, and ended together, none left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware_bridge.commands.common import say, speech
from firmware_bridge.language import VARIABLE
from firmware_bridge.wire import tether

WHY = "togyz: "
"""How the line begins with which a program of ours says why it ends."""

GRACE_S = 8.0
"""How long a process may take to end politely before it is killed."""


class CrewError(RuntimeError):
    """Raised when a process does not get ready or ends too soon; says which, and its last words."""


class Member:
    """One process, with everything it has said on its standard output.

    Attributes:
        name: What it is called in messages.
        log_path: Where its standard error goes.
        process: The process itself.
        arguments: Its command line without the tether, to start it again.
        again: Whether it is started again when it was killed.
    """

    def __init__(self, name: str, command: list[str], log_path: Path, *, obeys: bool = False) -> None:
        """Start `command`; its standard error goes to `log_path`; `obeys` lets `tell` write to it."""
        self.name = name
        self.arguments = command
        self.again = False
        self.log_path = log_path
        self._lines: list[str] = []
        self._changed = threading.Condition()
        with log_path.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603 - our own command line
                command,
                stdin=subprocess.PIPE if obeys else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # Ctrl-C is for the demo, which ends the others in order
                env={
                    **os.environ,
                    VARIABLE: speech.texts.language,
                    "PYTHONUNBUFFERED": "1",
                    "TERM": "dumb",
                },
            )
        self._reader = threading.Thread(target=self._read, name=f"output of {name}", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._changed:
                self._lines.append(line.rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()

    def tell(self, line: str) -> None:
        """Write a line to the process's standard input."""
        assert self.process.stdin is not None, "only a process that obeys is told anything"
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def said(self, words: str) -> int:
        """Return how many lines hold `words` so far."""
        with self._changed:
            return sum(words in line for line in self._lines)

    def has_said(self, words: str) -> bool:
        """Whether a line holds `words`."""
        return self.said(words) > 0

    def wait_for(self, words: str, timeout_s: float) -> str:
        """Return the first line that holds `words`.

        Raises:
            CrewError: The process ended, or said nothing of the kind in time.
        """
        deadline = time.monotonic() + timeout_s
        with self._changed:
            while True:
                for line in self._lines:
                    if words in line:
                        return line
                self.check()
                left = deadline - time.monotonic()
                if left <= 0:
                    raise CrewError(
                        say(
                            "demo.not_ready",
                            name=self.name,
                            seconds=format(timeout_s, "g"),
                            words=self.last_words(),
                        )
                    )
                self._changed.wait(min(left, 0.2))

    def check(self) -> None:
        """Raise CrewError if the process has ended."""
        if self.process.poll() is not None:
            code = self.process.returncode
            raise CrewError(say("demo.ended", name=self.name, code=code, words=self.last_words()))

    def last_words(self) -> str:
        """Return the end of what the process wrote to standard error.

        Where it says itself why it ended, as our programs do (`common.fail`), only that.
        """
        text = self.log_path.read_text(encoding="utf-8", errors="replace").strip()
        _, why, told = f"\n{text}".rpartition(f"\n{WHY}")
        return (told if why else text)[-1500:] or say("demo.said_nothing")

    def end(self) -> None:
        """Ask the process to end, and kill it when it does not."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join(1.0)
        for pipe in (self.process.stdout, self.process.stdin):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()


class Crew:
    """The processes of one demo; leaving the `with` block ends them, the last started first."""

    def __init__(self, folder: Path) -> None:
        """Keep the logs in `folder`."""
        self._folder = folder
        self._members: list[Member] = []

    def __enter__(self) -> Self:
        """Return the crew."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End every process."""
        for member in reversed(self._members):
            member.end()

    def start(
        self, subcommand: str, config: Path, *options: str, obeys: bool = False, again: bool = False
    ) -> Member:
        """Start `togyz SUBCOMMAND CONFIG OPTIONS`; it dies with this process, however that ends.

        Args:
            subcommand: Which program.
            config: Its configuration.
            options: More words of its command line.
            obeys: Let `Member.tell` write to it.
            again: Let `check` start it again when it was killed.
        """
        program = [sys.executable, "-m", "firmware_bridge", subcommand, str(config), *options]
        member = self._launch(subcommand, program, obeys=obeys, again=again)
        self._members.append(member)
        return member

    def _launch(self, name: str, program: list[str], *, obeys: bool = False, again: bool = False) -> Member:
        command = tether.command(program, signal=signal.SIGTERM)
        member = Member(name, command, self._folder / f"{name}.log", obeys=obeys)
        member.arguments, member.again = program, again
        return member

    def check(self) -> list[str]:
        """Start again what was killed, as a service manager does; return what there is to tell.

        Raises:
            CrewError: A process ended by itself; starting it again would end it again.
        """
        told = []
        for number, member in enumerate(self._members):
            code = member.process.poll()
            if code is None or code >= 0 or not member.again:
                member.check()
                continue
            member.end()
            self._members[number] = self._launch(member.name, member.arguments, again=True)
            told.append(say("demo.restarted", name=member.name, signal=-code))
        return told
