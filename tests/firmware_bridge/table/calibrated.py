"""A board's end of the socket that calibrates a simulated board, for the page; hands do what a test says."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from firmware_bridge.calibrating.procedure import Procedure, State, Word, WordRefusedError
from firmware_bridge.calibrating.telling import told
from firmware_bridge.layout import Wiring
from sensors.simulator.profile import SLOW
from tests.firmware_bridge.calibrating.person import Person


class CalibratedBoard:
    """Answers `calibrate` as a board does; a context manager.

    Attributes:
        person: the hands, and the board under them.
        heard: the steps that were asked for, but `state`.
        latest: the request with the last of them.
        refusing: the phase of the game that lies on it; "" for none.
    """

    def __init__(self, path: Path) -> None:
        """Do not listen yet."""
        self.path = path
        self.person = Person(SLOW, seed=2)
        self.heard: list[str] = []
        self.latest: dict[str, Any] = {}
        self.refusing = ""
        self._under_way = False
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        """Begin to listen."""
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Hang up."""
        self._listener.close()

    def act(self, deed: Callable[[Person], None]) -> None:
        """Let the hands do something while no word is taken."""
        with self._lock:
            deed(self.person)

    def _accept(self) -> None:
        while True:
            try:
                talk, _ = self._listener.accept()
            except OSError:
                return
            with talk, talk.makefile("rwb") as lines:
                line = lines.readline()
                if line and json.loads(line)["do"] == "calibrate":
                    with self._lock:
                        lines.write(json.dumps(self._answer(json.loads(line))).encode() + b"\n")

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        step = request["step"]
        if step != "state":
            self.heard.append(step)
            self.latest = request
        if step == "begin" and self.refusing:
            return {"ok": False, "code": "calib_game", "why": "a game", "phase": self.refusing}
        try:
            self._do(step)
        except WordRefusedError as error:
            return {"ok": False, "code": error.code, "why": str(error)}
        return {"ok": True, "calibration": told(self.person.procedure) if self._under_way else None}

    def _do(self, step: str) -> None:
        person = self.person
        if step == "begin":
            self._under_way = True
            person.procedure = Procedure(Wiring(), person.hello, None, person.kept)
        elif step in set(Word):
            person.say(Word(step))
        if step == "pause" or person.procedure.state in (State.DONE, State.CANCELLED):
            self._under_way = False
        person.wait(4.0 if person.procedure.state is State.WAITING else 0.2)
