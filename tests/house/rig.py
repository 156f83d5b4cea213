"""A whole hall for tests: broker, emulated board, board and hall as real processes on real lines.

What is faked is the world: stones, hands, cables, power. Every program is started as a user would.
"""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from firmware_bridge.commands.processes import Crew, Member
from firmware_bridge.emulator.records import Record, parse_record
from rules.notation.moves import format_short
from tests.house.spy import Spy

PATIENCE_S = 60.0
"""How long anything may take before a test gives up: many times what it takes."""

TEMPLATE = """\
[board]
id = "board-1"
event = "test"
state_dir = "state"
[device]
port = "board-1.tty"
[calibration]
file = "calibration.json"
[game]
bastaushy = "Айдос"
qostaushy = "Әсел"
bastaushy_seat = "{seat}"
control = "{control}"
start = "both_ready"
[broker]
own = "{broker}"
[hall]
port = 0
show_counts = true
[emulator]
record = "record.txt"
seed = {seed}
speed = {speed}
pace = "{pace}"
profile = "{profile}"
{samples}"""


@dataclass
class Rig:
    """One table with everything around it; a context manager.

    Attributes:
        folder: Where everything is kept.
        moves: The game the hands play, as record text.
        spy: Hears all that goes over the broker.
    """

    folder: Path
    moves: str
    broker_kind: str = "auto"
    seed: int = 1
    speed: int = 20
    pace: str = "brisk"
    profile: str = "nominal"
    samples: int | None = None
    seat: str = "a"
    control: str = "2h+5s"
    parts: dict[str, Member] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Write the configuration and the record."""
        self.record: Record = parse_record(self.moves)
        self.config = self.folder / "rig.toml"
        self.config.write_text(
            TEMPLATE.format(
                broker=self.broker_kind,
                seed=self.seed,
                speed=self.speed,
                pace=self.pace,
                profile=self.profile,
                samples="" if self.samples is None else f"samples_per_second = {self.samples}\n",
                seat=self.seat,
                control=self.control,
            ),
            encoding="utf-8",
        )
        (self.folder / "record.txt").write_text(self.moves, encoding="utf-8")
        self._crew = Crew(self.folder)
        self.spy = Spy()

    def __enter__(self) -> Self:
        """Start everything, in an order nobody may rely on."""
        self._crew.__enter__()
        try:
            self.start_broker()
            self.parts["emulate"] = self._crew.start("emulate", self.config, "--commands", obeys=True)
            self.parts["emulate"].wait_for('"ready"', PATIENCE_S)
            self.start_hall()
            self.start_board()
        except BaseException:
            self._crew.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End everything, show the logs of what went wrong; all that was said must be as described."""
        self._crew.__exit__(kind, error, trace)
        self.spy.close()
        if error is not None:
            for name, part in self.parts.items():
                print(f"--- {name}:\n{part.last_words()}")  # noqa: T201 - for whoever reads the failure
        else:
            assert self.spy.faults() == []
            assert self.spy.count("state") > 0, "the spy heard nothing"

    # --- parts ------------------------------------------------------------------------------------

    def start_broker(self) -> None:
        """Start the broker the others share."""
        self.parts["broker"] = self._crew.start("broker", self.config)
        self.broker = self.parts["broker"].wait_for("broker: ", PATIENCE_S).rsplit(" ", 1)[-1]
        host, port = self.broker.rsplit(":", 1)
        self.spy.listen(host, int(port))

    def start_hall(self) -> None:
        """Start the hall and learn its address."""
        self.parts["hall"] = self._crew.start("hall", self.config)
        self.url = (
            self.parts["hall"].wait_for("hall: ", PATIENCE_S).removeprefix("hall: ").strip().rstrip("/")
        )

    def start_board(self) -> None:
        """Start the board's process."""
        self.parts["board"] = self._crew.start("board", self.config)

    def kill(self, name: str) -> None:
        """End a part as `kill -9` does."""
        self.parts[name].process.kill()
        self.parts[name].process.wait()

    def tell_emulator(self, line: str) -> None:
        """Let something happen in the emulated world: `unplug 2`, `power-cycle`."""
        self.parts["emulate"].tell(line)

    # --- what is seen -------------------------------------------------------------------------------

    def get(self, path: str) -> dict[str, Any] | None:
        """Return JSON from the hall; None when it has none."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=5) as answer:  # noqa: S310 - our own hall
                found = json.loads(answer.read())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def state(self) -> dict[str, Any]:
        """Return the board's state as the hall shows it; empty while it shows none."""
        found = self.get("/api/boards/board-1") or {}
        return found.get("state") or {}

    def moves_shown(self) -> list[str]:
        """Return the moves as the hall shows them."""
        return str(self.state().get("moves", "")).split()

    @property
    def moves_due(self) -> list[str]:
        """The moves of the record in the official short notation."""
        return [format_short(sowing) for sowing in self.record.sowings]

    def until(self, what: str, true: Callable[[], bool], timeout_s: float = PATIENCE_S) -> None:
        """Wait until something is so; fail with what was awaited and what is shown instead."""
        deadline = time.monotonic() + timeout_s
        while not true():
            if time.monotonic() > deadline:
                raise AssertionError(f"not within {timeout_s:g} s: {what}; shown: {self.state()}")
            time.sleep(0.05)

    def until_plies(self, count: int, timeout_s: float = PATIENCE_S) -> None:
        """Wait until the hall shows at least so many plies."""
        self.until(f"{count} plies", lambda: len(self.moves_shown()) >= count, timeout_s)

    def journal(self) -> list[dict[str, Any]]:
        """Return the records of the journal as they lie on disk."""
        path = self.folder / "state" / "board-1" / "journal.jsonl"
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    def check_whole_game(self, timeout_s: float = 150.0) -> None:
        """Wait for the end of the record; every ply must have been read, in order, once."""
        due = self.moves_due
        self.until_plies(len(due), timeout_s)
        assert self.moves_shown() == due
        played = [line["event"]["text"] for line in self.journal() if line["event"]["kind"] == "move_played"]
        assert played == due
        position = self.state()["position"]
        if not self.record.finished:
            assert position["pits"] == list(self.record.sowings[-1].after.pits)
            assert position["kazans"] == list(self.record.sowings[-1].after.kazans)


@contextmanager
def rig(folder: Path, moves: str, **settings: Any) -> Iterator[Rig]:
    """Run a rig playing `moves`."""
    with Rig(folder, moves, **settings) as running:
        yield running
