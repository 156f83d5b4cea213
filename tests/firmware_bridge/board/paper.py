"""A board on paper: stones at places, as readings, with hands that play. No noise unless asked for."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from firmware_bridge.board.counting.belief import Belief, Units
from firmware_bridge.board.counting.lots import stones_due, swept_stones
from firmware_bridge.board.inputs import (
    Assign,
    ButtonPressed,
    DeviceArrived,
    Looked,
    Step,
)
from firmware_bridge.board.session.session import Session
from firmware_bridge.layout import Seat, Wiring
from rules.conduct.options import CLASSICAL, Conduct, Conducts
from rules.game import GameEvent, MovePlayed, Phase, PressId
from rules.position import START, Position, Side, Sowing, legal_moves, outcome, play
from rules.time_control import TimeControl
from sensors.readings import Stretch
from sensors.samples import Fault
from sensors.settle import ChannelReading, ReadingState

UNITS = Units(stone_g=1.15, mark_g=3.0)
AT_ONCE = replace(CLASSICAL, start="both_ready")
"""As in a club without an arbiter: the players' presses start the clock."""

CONTROL = TimeControl.simple(base_ms=600_000, increment_ms=5_000)
SECOND = 1_000_000


@dataclass
class PaperBoard:
    """The world: what lies where, and a table that watches it."""

    session: Session
    seat: Seat = "a"
    stones: list[float] = field(default_factory=lambda: [float(n) for n in stones_due(START)])
    extra_g: list[float] = field(default_factory=lambda: [0.0] * 20)
    moving: set[int] = field(default_factory=set)
    broken: dict[int, Fault | str] = field(default_factory=dict)
    past: dict[int, Stretch] = field(default_factory=dict)
    now_us: int = 0
    since: list[int] = field(default_factory=lambda: [0] * 20)
    events: list[GameEvent] = field(default_factory=list)
    presses: int = 0

    def put(self, stones: Sequence[float]) -> None:
        """Let exactly these stones lie there, quiet from now on."""
        for place, number in enumerate(stones):
            if self.stones[place] != number:
                self.since[place] = self.now_us
            self.stones[place] = number

    def stand(self, position: Position) -> None:
        """Let the game stand at a position that nobody has played to, as if confirmed there."""
        self.session.game = replace(self.session.game, position=position)
        self.session._watcher.belief = Belief.exactly(stones_due(position))

    def add(self, place: int, grams: float) -> None:
        """Lay something else down, such as a mark."""
        self.extra_g[place] += grams
        self.since[place] = self.now_us

    def fail(self, place: int, reason: str = "no conversion in time") -> None:
        """Let a cell that has worked fail; what it weighed stays known."""
        load_g = self.stones[place] * UNITS.stone_g + self.extra_g[place]
        self.past[place] = Stretch(self.since[place], self.now_us, load_g, 0.0, 40)
        self.broken[place] = reason

    def heal(self, place: int) -> None:
        """Let a failing cell work again."""
        del self.broken[place], self.past[place]
        self.since[place] = self.now_us

    def _reading(self, place: int) -> ChannelReading:
        if place in self.broken:
            past = (self.past[place],) if place in self.past else ()
            return ChannelReading(ReadingState.FAULT, None, None, self.broken[place], past=past)
        if place in self.moving:
            return ChannelReading(ReadingState.MOVING, None, None, "spread")
        load = self.stones[place] * UNITS.stone_g + self.extra_g[place]
        return ChannelReading(ReadingState.QUIET, load, self.since[place], "")

    def wait(self, seconds: float = 1.0) -> None:
        """Let time pass, sampled ten times a second."""
        for _ in range(round(seconds * 10)):
            self.now_us += SECOND // 10
            places = [self._reading(place) for place in range(20)]
            channels = [*places] if self.seat == "a" else [*places[9:18], *places[:9], places[19], places[18]]
            self.take(Looked(self.now_us, tuple(channels)))

    def take(self, event: object) -> Step:
        """Give the table an input and keep what it decided."""
        step = self.session.handle(event)  # type: ignore[arg-type] # tests hand in anything
        self.events.extend(step.events)
        return step

    def press(self, side: Side, at_us: int | None = None) -> Step:
        """Press a player's button."""
        self.presses += 1
        button = self.session.seating.button_of(side)
        return self.take(
            ButtonPressed(self.now_us if at_us is None else at_us, button, PressId(1, self.presses))
        )

    def show(self, position: Position) -> None:
        """Put the stones of a position on the board."""
        self.put(stones_due(position))

    def play(self, number: int, *, press: bool = True) -> Sowing:
        """Play a pit from the confirmed position, and press."""
        sowing = play(self.session.game.position, number)
        self.wait(0.5)
        self.show(sowing.after)
        self.wait(0.5)
        if press:
            self.press(sowing.side)
            self.wait(0.5)
        return sowing

    def play_at_random(self, seed: int) -> list[int]:
        """Play a random game to its end, marks and sweeps included; return the pits played."""
        rng = random.Random(seed)
        numbers: list[int] = []
        while self.session.game.phase is Phase.PLAYING and len(numbers) < 400:
            number = rng.choice(legal_moves(self.session.game.position))
            sowing = play(self.session.game.position, number)
            over = outcome(sowing.after)
            if sowing.tuzdyk is not None:
                self.add(sowing.last_index, UNITS.mark_g)
            self.play(number, press=over is None)
            if over is not None:
                if rng.random() < 0.5:
                    self.put(swept_stones(sowing.after) or stones_due(sowing.after))
                self.wait(3)
            numbers.append(number)
        return numbers


def new_session(
    *, start_when_ready: bool = True, wiring: Wiring | None = None, conduct: Conduct = CLASSICAL
) -> Session:
    """Return a table without a game."""
    conducts = Conducts.alike(conduct)
    return Session(
        wiring=wiring or Wiring(), units=UNITS, start_when_ready=start_when_ready, conducts=conducts
    )


def assigned(
    seat: Seat = "a",
    *,
    start_when_ready: bool = True,
    wiring: Wiring | None = None,
    conduct: Conduct = CLASSICAL,
    control: TimeControl = CONTROL,
) -> PaperBoard:
    """Return a board with a game assigned and its stones set up."""
    session = new_session(start_when_ready=start_when_ready, wiring=wiring, conduct=conduct)
    board = PaperBoard(session, seat)
    board.take(DeviceArrived(0, restarted=False))
    board.take(Assign(at_us=0, game_id="g", names=("Айдос", "Әсел"), starter_seat=seat, control=control))
    return board


def playing(
    seat: Seat = "a",
    wiring: Wiring | None = None,
    conduct: Conduct = CLASSICAL,
    control: TimeControl = CONTROL,
) -> PaperBoard:
    """Return a board whose game has just started."""
    board = assigned(seat, wiring=wiring, conduct=conduct, control=control)
    board.wait(0.5)
    board.press(Side.BASTAUSHY)
    board.press(Side.QOSTAUSHY)
    return board


def moves(board: PaperBoard) -> list[str]:
    """Return the plies committed since the board was made, in short notation."""
    return [event.text for event in board.events if isinstance(event, MovePlayed)]


def phase(board: PaperBoard) -> Phase:
    """Return the table's phase."""
    return board.session.game.phase


def sensed(board: PaperBoard) -> str:
    """Return how the board looks now, in a word."""
    return board.session.watch.sensed


def notes(board: PaperBoard) -> list[tuple[str, int | None]]:
    """Return what a person is told at this moment: each code with its place."""
    return [(note.code, note.place) for note in board.session.watch.notes]
