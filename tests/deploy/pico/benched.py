"""The firmware on a bench: MicroPython in lock step with a test, in a time that only the test moves."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from tests.deploy.pico.firmware_process import command


class BenchError(AssertionError):
    """Raised when the firmware has ended; holds its last words."""


class Benched:
    """One power-up of the firmware; a context manager.

    Args:
        settings: names of config.py, `start_us` and what `world.solder` takes (`powered.py`).

    Attributes:
        now_us: device time.
    """

    def __init__(self, settings: Mapping[str, object] | None = None) -> None:
        self.now_us = 0
        self._process = subprocess.Popen(
            command("bench", settings=settings),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._answer()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Take the power away; may be called twice."""
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        self._process.kill()
        self._process.wait()

    def run(self, us: int, *, step_us: int = 2000, hear: bytes = b"") -> bytes:
        """Let time pass; return what the firmware has said."""
        answer = self.tell({"run": us, "step": step_us, "hear": hear.hex()})
        self.now_us = answer["now"]
        assert self._process.stdout is not None
        return self._process.stdout.read(int(answer["said"]))

    def press(self, button: int, *, closed: bool = True) -> None:
        """Close or open a contact."""
        self.tell({"press": button, "closed": closed})

    def show(self, raw: Sequence[int], status: Sequence[int] | None = None) -> None:
        """Say what the chips convert from now on, every 12 ms."""
        self.tell({"show": list(raw), "status": list(status or [0] * len(raw))})

    def line(self, *, free: bool) -> None:
        """Let the host read, or not."""
        self.tell({"line": free})

    def ask(self, expression: str) -> Any:
        """Return what an expression is on the device."""
        return self.tell({"ask": expression})["is"]

    def do(self, statement: str) -> None:
        """Have a statement executed on the device."""
        self.tell({"do": statement})

    def tell(self, line: Mapping[str, object]) -> dict[str, Any]:
        """Send a line and return the answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(line).encode() + b"\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        text = self._process.stdout.readline()
        if not text.startswith(b"{"):
            assert self._process.stderr is not None
            said = text + self._process.stdout.read() + self._process.stderr.read()
            self.close()
            raise BenchError(said.decode(errors="replace"))
        found: dict[str, Any] = json.loads(text)
        return found
