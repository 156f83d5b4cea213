"""Readings made by hand: a table of what changes where and when, turned into what the cells would say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from firmware_bridge.board.counting.belief import Units
from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.hands.events import SowingEvent
from firmware_bridge.board.hands.hand_watch import HandWatch
from rules.position import START, Position, Side, Sowing, pit_index, play, tuzdyk_owner
from sensors.settle import ChannelReading, ReadingState
from tests.rules.endings.games import generated_games

UNITS = Units(stone_g=1.15, mark_g=3.0)
MARK = UNITS.mark_g / UNITS.stone_g
BLOCK_US = 50_000
SAMPLE_US = 12_500
QUIET_US = 300_000
MS = 1000

FIRST, SECOND = Side
ONE = play(START, 6)
"""Nine stones from pit 6; the last falls into qostaushy 5 and captures ten."""


def plies(index: int, most: int = 400) -> list[Sowing]:
    """Return the plies of one generated game."""
    position, line = START, []
    for number in generated_games()[index].moves[:most]:
        line.append(play(position, number))
        position = line[-1].after
    return line


def of(events: list[SowingEvent], kind: type[SowingEvent]) -> list[SowingEvent]:
    """Return the events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def sown(sowing: Sowing, begin_ms: int, every_ms: int, carry_ms: int = 500) -> list[tuple[int, int, float]]:
    """Return the strokes of a ply played by the book, one stone every `every_ms`."""
    origin = pit_index(sowing.side, sowing.number)
    strokes: list[tuple[int, int, float]] = [(begin_ms, origin, -sowing.stones)]
    at_ms = begin_ms
    for place in sowing.path:
        at_ms += every_ms
        owner = tuzdyk_owner(place, sowing.before.tuzdyks)
        strokes.append((at_ms, place if owner is None else 18 + owner.index, 1))
    if sowing.captured:
        strokes.append((at_ms + carry_ms, sowing.last_index, -sowing.captured))
        strokes.append((at_ms + 2 * carry_ms, 18 + sowing.side.index, sowing.captured))
    return strokes


@dataclass
class Table:
    """A watched board on which strokes happen.

    Attributes:
        watching: The eye.
        events: Everything it has said.
    """

    position: Position
    zeros: Sequence[float] = (0.0,) * 20
    now_us: int = 0
    broken: dict[int, str] = field(default_factory=dict)
    events: list[SowingEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Lay the position out and let it come to rest."""
        self.watching = HandWatch(UNITS, self.position, 0)
        self._loads = [
            stones + zero for stones, zero in zip(stones_due(self.position), self.zeros, strict=True)
        ]
        self._since = [0] * 20
        self.play([], 1000)

    def play(self, strokes: Iterable[tuple[int, int, float]], rest_ms: int = 1500) -> list[SowingEvent]:
        """Let strokes happen, then rest; return what was said.

        Args:
            strokes: When, counted in ms from now, at which place, and what comes or goes there, in stones.
            rest_ms: How long to watch after the last.
        """
        base_us = self.now_us
        todo = sorted((base_us + at_ms * MS, place, change) for at_ms, place, change in strokes)
        until_us = (todo[-1][0] if todo else base_us) + rest_ms * MS
        said: list[SowingEvent] = []
        while self.now_us < until_us:
            start_us = self.now_us
            self.now_us += BLOCK_US
            levels = self._loads[:]
            while todo and todo[0][0] < self.now_us:
                at_us, place, change = todo.pop(0)
                levels[place] += change * (self.now_us - max(at_us, start_us)) / BLOCK_US
                self._loads[place] += change
                self._since[place] = self.now_us
            readings = [self._reading(place, levels[place]) for place in range(20)]
            for later_us in range(0, BLOCK_US, SAMPLE_US):
                said += self.watching.update(self.now_us + later_us, readings)
        self.events += said
        return said

    def _reading(self, place: int, level: float) -> ChannelReading:
        if place in self.broken:
            return ChannelReading(ReadingState.FAULT, None, None, self.broken[place])
        level_g = (
            level * UNITS.stone_g + (self.now_us // BLOCK_US % 2) * 1e-6
        )  # no two blocks are quite alike
        if self.now_us - self._since[place] < QUIET_US:
            return ChannelReading(ReadingState.MOVING, None, None, "spread", level_g=level_g)
        return ChannelReading(ReadingState.QUIET, level_g, self._since[place], "", level_g=level_g)
