"""One table of the event: an emulated board whose hands do what a test says, and the board's own program."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_bridge.board.control import ControlError, ask
from firmware_bridge.board.memory.telling import OWN_KINDS
from firmware_bridge.commands.processes import Crew
from firmware_bridge.emulator.offences import Kind
from firmware_bridge.emulator.told import Lay, Press, Take, ToldStep, Wait, format_steps
from firmware_bridge.wire.key_files import save_keys
from firmware_bridge.wire.signing import Key, Keyring
from rules.game import Game, event_from_json, fold
from rules.position import START, Position, Side, Sowing, board_of, play
from rules.record.model import GameRecord
from rules.record.of_game import record_of
from tests.house.disputes import hands

EVENT = "disputes"
PATIENCE_S = 60.0
QUIET_S = 3.0
"""How long hands stay away, device seconds, until the board has surely seen that what they did is done."""

SPEED = 10
"""Device seconds in a second of the wall: the clocks of the game go by the device."""

CONFIG = """\
[board]
id = "{board}"
event = "{event}"
state_dir = "state"
keys = "board.keys"
[device]
port = "device"
[calibration]
file = "calibration.json"
[layout]
button_call_a = 3
button_call_b = 4
button_draw_a = 5
button_draw_b = 6
[broker]
host = "{host}"
port = {port}
[emulator]
hands = "told"
pace = "brisk"
seed = {seed}
speed = {speed}
samples_per_second = 25
[game]
bastaushy = "{names[0]}"
qostaushy = "{names[1]}"
control = "{control}"
start = "{start}"
{more}"""


def key_of(board: str) -> Key:
    """Return the key of a board."""
    return Key(f"{board}-aaaaaa", EVENT, board, board.encode().ljust(32, b"."))


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated:
    """Who plays where, and by which clock.

    Attributes:
        board: Its id.
        names: The players, bastaushy at a.
        control: The time control, as text.
        start: What starts the clock: `both_ready` or `arbiter`.
        speed: Device seconds in a second of the wall.
        more: Further lines of the configuration.
    """

    board: str
    names: tuple[str, str]
    control: str = "2h"
    start: str = "both_ready"
    speed: int = SPEED
    more: str = ""


class Table:
    """A table.

    Attributes:
        seated: Who plays there.
        position: What holds as the players have it.
        stones: What truly lies at the twenty places.
    """

    def __init__(self, folder: Path, crew: Crew, broker: tuple[str, int], seated: Seated) -> None:
        """Write its files and start its programs."""
        folder.mkdir(parents=True)
        self.seated, self.position = seated, START
        self.stones: list[int] = [*board_of(START)]
        self._folder = folder
        self._lines = 0
        save_keys(folder / "board.keys", Keyring((key_of(seated.board),)), replace=False)
        config = folder / "board.toml"
        config.write_text(
            CONFIG.format(
                board=seated.board,
                event=EVENT,
                host=broker[0],
                port=broker[1],
                seed=sum(map(ord, seated.board)),
                speed=seated.speed,
                names=seated.names,
                control=seated.control,
                start=seated.start,
                more=seated.more,
            ),
            encoding="utf-8",
        )
        self._emulator = crew.start("emulate", config, "--commands", obeys=True)
        self._emulator.wait_for('"ready"', PATIENCE_S)
        self._crew, self._config = crew, config
        self._board = crew.start("board", config)

    @property
    def board(self) -> str:
        """Id of the board."""
        return self.seated.board

    # --- what hands do ----------------------------------------------------------------------------

    def do(self, *steps: ToldStep) -> None:
        """Let the hands do steps, and wait until they have."""
        self._lines += 1
        self._emulator.tell(f"hands {format_steps(steps)}")
        self.until("the hands are done", lambda: self._emulator.said('"told"') >= self._lines)
        for step in steps:
            match step:
                case Take(place, stones):
                    self.stones[place] -= stones
                case Lay(place, stones):
                    self.stones[place] += stones
                case _:
                    pass

    def sit_down(self) -> None:
        """Let both say that they are ready, and see the clock start."""
        self.sees("the set-up", lambda state: state["watch"]["sensed"] == "matches")
        self.do(Press(Side.QOSTAUSHY), Press(Side.BASTAUSHY))
        self.sees("a game in play", lambda state: state["phase"] == "playing")

    def play(self, *numbers: int) -> None:
        """Play plies as they are due; each is confirmed before the next."""
        for number in numbers:
            ply = self.state()["ply"]
            self.play_unseen(number)
            self.sees(f"ply {number}", lambda state, due=ply + 1: state["ply"] == due)  # type: ignore[misc] # bound now

    def play_unseen(self, number: int, kind: Kind | None = None, seed: int = 1) -> Sowing:
        """Play a ply as due, or against the rules; nobody waits until the board has understood it.

        Returns the ply as it was due.
        """
        sowing = play(self.position, number)
        self.do(*(hands.due(sowing) if kind is None else hands.against_the_rules(sowing, kind, seed)))
        self.position = sowing.after
        return sowing

    def lay(self, position: Position) -> None:
        """Carry the stones until a position lies there, which holds from now on."""
        self.do(*hands.laid(self.stones, board_of(position)), Wait(QUIET_S))
        self.position = position

    def press_button(self, line: str) -> None:
        """Press a button that is no clock's: `call a`, `draw b`."""
        self._emulator.tell(line)

    # --- what the board sees ----------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return the table as the board has it; empty while it does not answer."""
        try:
            answer = self.control(do="status")
        except ControlError:
            return {}
        state: dict[str, Any] = answer.get("state", {})
        return state

    def control(self, **request: Any) -> dict[str, Any]:
        """Ask the board's program through its socket, as somebody who stands at the board."""
        return ask(self._folder / "state" / self.board / "control.sock", request)

    def sees(self, what: str, true: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Wait until something is so at the board, and return its state."""
        found: list[dict[str, Any]] = []

        def so() -> bool:
            found[:] = [self.state()]
            return bool(found[0]) and bool(true(found[0]))

        self.until(what, so)
        return found[0]

    def until(self, what: str, true: Callable[[], bool]) -> None:
        """Wait until something is so."""
        deadline = time.monotonic() + PATIENCE_S
        while not true():
            self._board.check()
            self._emulator.check()
            assert not self._emulator.has_said('"refused"'), self._emulator.wait_for('"refused"', 1)
            late = time.monotonic() > deadline
            assert not late, f"not in time: {what}; {self.board}: {self.state()}; {self.kinds()}"
            time.sleep(0.02)

    def wait_for(self, kind: str, number: int = 1) -> dict[str, Any]:
        """Wait for the so manieth event of a kind in the journal, and return it."""
        self.until(f"{kind} {number}", lambda: self.kinds().count(kind) >= number)
        return [event for event in self.events() if event["kind"] == kind][number - 1]

    def restart(self) -> None:
        """End the board's program as a power cut does, and start it again."""
        self._board.process.kill()
        self._board.process.wait()
        self._board = self._crew.start("board", self._config)
        self.sees("the board again", lambda state: state["watch"]["sensed"] != "no_device")

    # --- what is written down ---------------------------------------------------------------------

    def events(self) -> list[dict[str, Any]]:
        """Return the events of the journal, without those that are the journal's own."""
        path = self._folder / "state" / self.board / "journal.jsonl"
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        return [row["event"] for row in rows if row["event"]["kind"] not in OWN_KINDS]

    def kinds(self) -> list[str]:
        """Return the kinds of what happened."""
        return [event["kind"] for event in self.events()]

    def folded(self) -> Game:
        """Return the game that the journal folds to."""
        return fold(map(event_from_json, self.events()))

    def record(self) -> GameRecord:
        """Return the record that the journal gives."""
        return record_of(map(event_from_json, self.events()))

    def release(self) -> None:
        """End what is still played there, and give the board back: it needs nobody any more."""
        phase = self.state().get("phase", "unassigned")
        if phase in ("playing", "suspended", "setting_up", "ready"):
            self.control(do="end", score="1/2-1/2", reason="agreement")
        if phase not in ("unassigned", "released"):
            self.control(do="release")
        self._emulator.end()  # twenty seconds of cells in each second would go on for nobody

    def end(self) -> None:
        """End the programs."""
        self._emulator.end()
        self._board.end()
