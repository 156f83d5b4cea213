"""The talk of `togyz calibrate` with a person at a terminal, or with a program, in lines."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from rich.control import Control
from rich.segment import ControlType

from firmware_bridge.commands import calibrate_said as said
from firmware_bridge.commands.common import EXIT_FAILED, complaints, console, fail, plainly, say
from firmware_bridge.config import Config

Ask = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
"""Asks the board `{"step": ...}` and returns its answer."""

LOOK_EVERY_S: Final = 0.4
"""How often the board is looked at while nobody says anything."""
MOST_LETTERS: Final = 200

WHILE_MEASURED: Final = ("q", "x", "r")
"""What may be said while the board is measured."""

CLEAR_LINE: Final = (ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 0))
"""To the beginning of the line, and nothing stands there. As text a console would drop the return."""


class Talk:
    """One talk, to its end.

    Args:
        asked: the way to the board.
        config: of the board.
        anew: what was measured before is dropped.
        as_json: for a program: each change is a line of JSON.
    """

    def __init__(self, asked: Ask, config: Config, *, anew: bool, as_json: bool) -> None:
        self._ask, self._config, self._anew, self._as_json = asked, config, anew, as_json
        self._live = not as_json and sys.stdout.isatty()
        self._person = not as_json and sys.stdin.isatty()
        self._lines: deque[str] = deque()
        self._came = asyncio.Event()
        self._stopped = self._ended = False
        self._shown: dict[str, Any] = {}
        self._standing = ""  # what the line holds that is written over
        self._waits_for_mass = False

    async def run(self) -> None:
        """Guide until it is kept, cancelled or put off.

        Raises:
            typer.Exit: it did not begin, was put off, which keeps what was measured, or was ended elsewhere.
        """
        answer = await self._ask({"step": "begin", "anew": self._anew})
        view = self._of(answer)
        if "counters" in answer:
            plainly(say("calib.counters", file=self._config.calibration.file))
            return
        if view is None:
            raise fail("\n".join(said.refusal_said(answer)), EXIT_FAILED)
        if not self._as_json:
            plainly(say("calib.title", board=self._config.board.id))
            if view["resumed"]:
                plainly(say("calib.goes_on"))
            if view["total_g"] is None:
                self._waits_for_mass = True
                plainly(say("calib.mass", enter=said.ENTER))
        with _stopping(self._stop):
            self._listen()
            await self._guide(view)

    async def _guide(self, view: dict[str, Any] | None) -> None:
        while view is not None:
            self._show(view)
            if self._stopped:
                await self._ask({"step": "pause"})
                self._end_line()
                raise fail(say("calib.paused"), EXIT_FAILED)
            line = await self._line(view)
            if line is None:
                view = self._of(await self._ask({"step": "state"}))
                continue
            view = await self._obey(line, view)
        if not self._ended:
            self._end_line()
            raise fail(say("calib.ended_elsewhere"), EXIT_FAILED)

    async def _obey(self, line: str, view: dict[str, Any]) -> dict[str, Any] | None:
        """Do what a line says; return how it stands then, None at the end."""
        request = self._meant(line)
        if request is None:
            return view
        if request["step"] == "pause":
            self._stopped = True
            return view
        answer = await self._ask(request)
        if not answer.get("ok"):
            self._complain(answer)
            return self._of(await self._ask({"step": "state"}))
        after = self._of(answer)
        if after is None:
            kept = request["step"] == "next"
            self._tell_end(kept=kept)
        return after

    def _meant(self, line: str) -> dict[str, Any] | None:
        """Return what a line asks for; None: nothing, which is told where it is wrong."""
        word, _, rest = line.strip()[:MOST_LETTERS].partition(" ")
        if self._waits_for_mass or word == "mass":
            return self._mass(rest if word == "mass" else line.strip())
        return {"step": said.KEYS.get(word.lower(), word.lower())}

    def _mass(self, text: str) -> dict[str, Any] | None:
        if self._waits_for_mass and text.lower() in said.KEYS and text:
            self._waits_for_mass = False
            return {"step": said.KEYS[text.lower()]}
        try:
            grams = float(text.replace(",", ".")) if text else None
        except ValueError:
            self._complain({"code": "calib_grams", "why": f"{text!r} is no mass"})
            return None
        self._waits_for_mass = False
        self._shown = {}
        return None if grams is None else {"step": "mass", "grams": grams}

    def _of(self, answer: dict[str, Any]) -> dict[str, Any] | None:
        found: dict[str, Any] | None = answer.get("calibration")
        return found

    # --- what is shown ------------------------------------------------------------------------------

    def _show(self, view: dict[str, Any]) -> None:
        before, self._shown = self._shown, view
        if self._as_json:
            if view != before:
                plainly(json.dumps({"calibration": view}, ensure_ascii=False))
            return
        if self._waits_for_mass:
            self._shown = {}
            return
        if said.headline(view) != said.headline(before):
            self._end_line()
            plainly(*said.lines(view))
        live = said.live(view)
        if self._live:
            self._write_over(live)
        elif live and live != said.live(before):
            plainly(live)

    def _write_over(self, live: str) -> None:
        """Let this stand in the last line; what has not changed is left alone, for somebody may be typing."""
        if live != self._standing:
            self._standing = live
            console.control(Control(*CLEAR_LINE))
            console.print(live, end="", markup=False, no_wrap=True, overflow="ellipsis")

    def _end_line(self) -> None:
        if self._standing:
            self._standing = ""
            console.print()

    def _complain(self, answer: dict[str, Any]) -> None:
        if self._as_json:
            plainly(json.dumps({"refused": answer}, ensure_ascii=False))
            return
        self._end_line()
        for line in said.refusal_said(answer):
            complaints.print(line, markup=False, soft_wrap=True)

    def _tell_end(self, *, kept: bool) -> None:
        self._ended = True
        file = self._config.calibration.file
        if self._as_json:
            plainly(json.dumps({"kept": str(file) if kept else None}, ensure_ascii=False))
        else:
            self._end_line()
            plainly(say("calib.kept", file=file) if kept else say("calib.cancelled"))

    # --- what is heard ------------------------------------------------------------------------------

    async def _line(self, view: dict[str, Any]) -> str | None:
        """Return the next line, None if none came for a while; while the board is measured few are taken.

        What a program says meanwhile waits. An impatient person's Enter would answer what he has not read
        yet, in the end whether the calibration is to be kept: it is dropped.
        """
        self._came.clear()
        measured = view["state"] == "waiting"
        if measured and self._person:
            self._lines = deque([line for line in self._lines if line.strip() in WHILE_MEASURED])
        if not self._lines or (measured and self._lines[0].strip() not in WHILE_MEASURED):
            if self._stopped:
                return None
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._came.wait(), LOOK_EVERY_S)
            return None
        if sys.stdin.isatty():
            self._standing = ""  # Enter, as the terminal shows it, has begun a new line
        return self._lines.popleft()

    def _stop(self) -> None:
        self._stopped = True
        self._came.set()

    def _listen(self) -> None:
        """Read lines in a thread of its own, which nothing waits for: it may stand in a read for ever."""
        loop = asyncio.get_running_loop()

        def heard(line: str | None) -> None:
            if line is None:
                self._lines.append("q")  # whoever spoke has gone: what is measured is kept
            else:
                self._lines.append(line)
            self._came.set()

        def read() -> None:
            with contextlib.suppress(RuntimeError, ValueError):  # the loop, or the input, is closed
                for line in sys.stdin:
                    loop.call_soon_threadsafe(heard, line)
                loop.call_soon_threadsafe(heard, None)

        threading.Thread(target=read, name="lines", daemon=True).start()


@contextmanager
def _stopping(stop: Callable[[], None]) -> Iterator[None]:
    """Let SIGINT and SIGTERM put it off instead of ending the program in the middle of a word."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
