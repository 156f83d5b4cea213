"""Stones without weights: what a board and hands truly hold while actions are carried out."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from firmware_bridge.emulator.actions import (
    Action,
    Drop,
    Lift,
    Perch,
    PlaceMark,
    Reach,
    RemoveMark,
    Unperch,
)
from firmware_bridge.emulator.steps import Pause
from rules.position import Position

WIRING = Reach(pits=tuple(range(17, -1, -1)), kazans=(19, 18), buttons=(1, 0))
"""Everything the other way round, so that nothing is right by chance."""


@dataclass
class TrueBoard:
    """Stones by channel and hand, marks by channel, stones on a rim by the channel they belong in."""

    stones: Counter[int] = field(default_factory=lambda: Counter(dict.fromkeys(WIRING.pits, 9)))
    hands: Counter[int] = field(default_factory=Counter)
    perched: list[int] = field(default_factory=list)
    marks: set[int] = field(default_factory=set)
    total: int = 162

    def apply(self, action: Action) -> None:
        """Carry an action out; stones that are not there, and marks that are, fail the test."""
        match action:
            case Lift(channel, hand, stones):
                assert 0 < stones <= self.stones[channel], action
                self.stones[channel] -= stones
                self.hands[hand] += stones
            case Drop(channel, hand, stones):
                assert 0 < stones <= self.hands[hand], action
                self.hands[hand] -= stones
                self.stones[channel] += stones
            case Perch(channel, hand, other, share):
                assert other != channel
                assert 0 < share < 1
                assert self.hands[hand], action
                self.hands[hand] -= 1
                self.perched.append(channel)
            case Unperch(channel):
                self.perched.remove(channel)
                self.stones[channel] += 1
            case PlaceMark(channel):
                assert channel not in self.marks
                self.marks.add(channel)
            case RemoveMark(channel):
                self.marks.remove(channel)
            case _:
                pass
        total = sum(self.stones.values()) + sum(self.hands.values()) + len(self.perched)
        assert total == self.total

    def carry_out(self, steps: Iterable[Action | Pause]) -> list[Action | Pause]:
        """Carry everything out and return it."""
        done = list(steps)
        for step in done:
            if not isinstance(step, Pause):
                self.apply(step)
        return done

    def set_up(self, position: Position) -> None:
        """Lay a position, without marks."""
        self.stones = Counter(
            {WIRING.channel(place): n for place, n in enumerate(position.pits + position.kazans)}
        )

    @property
    def places(self) -> tuple[int, ...]:
        """The stones of the twenty places."""
        return tuple(self.stones[WIRING.channel(place)] for place in range(20))

    @property
    def at_rest(self) -> bool:
        """True if no stone is in a hand or on a rim."""
        return not self.perched and not +self.hands
