"""What is known of the count sensors of a board: how well they see, and which of them is broken (pure).

It is learned with every confirmed position, from what then fell for certain: how often stones are
missed or seen twice and hands taken for stones, within bounds, and for each beam whether it behaves as a
broken one does. That is asked as a sum of log-likelihood ratios that is never let below 0 (Page's test): a
beam is named when a broken one explains its pulses ten thousand times better, and trusted again when it does
not any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, log
from typing import Any, Self

from firmware_bridge.board.counting.passages import Falls, Passed, Rates, fit
from firmware_bridge.layout import PLACES

FIRST = Rates(missed=0.02, doubled=0.02, hands=0.05)
"""Before anything is learned: one stone in fifty, one hand in twenty (estimate)."""

LEAST = Rates(missed=0.005, doubled=0.005, hands=0.01)
MOST = Rates(missed=0.12, doubled=0.12, hands=0.3)
"""Bounds of what is learned. At 0.005 a single missed stone costs 5.3 nats, which is less than a decision
needs: no ply is ever decided by one pulse. Beams beyond the upper ones are broken, not bad."""

LEARN = 400.0
"""Passages (and hands) that the estimate before weighs as much as: some forty plies are remembered."""

BLIND = Rates(missed=0.97, doubled=0.0, hands=0.01)
DOUBLING = Rates(missed=0.02, doubled=0.95, hands=0.5)
BROKEN = {"beam_blind": BLIND, "beam_doubling": DOUBLING, "beam_restless": None}
"""How beams break, by the code of the note that says so; None: it counts what does not fall."""

RESTLESS_OVER = 2
RESTLESS = (log(0.1), log(0.04))
"""What a restless beam does, in nats: seldom it counts about what is due, mostly `RESTLESS_OVER` or more
beyond it, each number from there on with this probability (estimate: some twenty are as likely)."""

AT_ONCE = 3.0
"""Nats by which one ply may count against a beam: no single muddle makes one broken."""

NAMED = 10.0
"""Nats at which a beam is called broken: four plies that speak against it and none for it. With three, one
sound beam was named in twenty games."""

DEEPEST = 14.0
"""Nats a sum may reach, so that a mended beam is trusted again within some plies."""

KEEP = 4
"""Decimals kept, as for all that is known of a board."""


@dataclass(frozen=True, slots=True)
class BeamBelief:
    """What is known of the beams.

    Attributes:
        rates: How well they see.
        doubts: For each way to be broken, in the order of `BROKEN`, the sum of each place, in nats.
        broken: Places whose beam is not believed, with how it is broken.
    """

    rates: Rates = FIRST
    doubts: tuple[tuple[float, ...], ...] = ((0.0,) * PLACES,) * len(BROKEN)
    broken: tuple[tuple[int, str], ...] = ()

    def learned(self, pulses: Sequence[int | None], falls: Sequence[Falls]) -> Self:
        """Return what is known once these pulses are known to be of these falls."""
        doubts = tuple(
            [
                tuple(
                    [
                        _summed(doubt, count, due, self.rates, BROKEN[name])
                        for doubt, count, due in zip(self.doubts[row], pulses, falls, strict=True)
                    ]
                )
                for row, name in enumerate(BROKEN)
            ]
        )
        broken = []
        before = dict(self.broken)
        for place in range(PLACES):
            worst, name = max((doubts[row][place], name) for row, name in enumerate(BROKEN))
            if worst >= NAMED:
                broken.append((place, name))
            elif place in before and worst > 0:
                broken.append((place, before[place]))
        rates = _rates(self.rates, pulses, falls, frozenset(place for place, _ in broken))
        return replace(self, rates=rates, doubts=doubts, broken=tuple(broken))

    def believed(self, pulses: Sequence[int | None]) -> Passed:
        """Return the pulses without those of broken beams."""
        broken = {place for place, _ in self.broken}
        return Passed(
            tuple([None if place in broken else count for place, count in enumerate(pulses)]), self.rates
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as a journal keeps it; `from_json` gives the same value back."""
        rates = self.rates
        return {
            "rates": [rates.missed, rates.doubled, rates.hands],
            "doubts": [
                [row, place, doubt]
                for row, places in enumerate(self.doubts)
                for place, doubt in enumerate(places)
                if doubt
            ],
            "broken": [list(item) for item in self.broken],
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Self:
        """Return what `to_json` wrote.

        Raises:
            KeyError: something is missing.
            TypeError: something is of another kind than it should be.
            ValueError: something is no finite number, or names no place, or no way to be broken.
        """
        missed, doubled, hands = (finite(value) for value in kept["rates"])
        doubts = [[0.0] * PLACES for _ in BROKEN]
        for row, place, doubt in kept["doubts"]:
            doubts[_row(row)][place_of(place)] = finite(doubt)
        broken = tuple((place_of(place), _way(name)) for place, name in kept["broken"])
        return cls(Rates(missed, doubled, hands), tuple(tuple(row) for row in doubts), broken)


def place_of(value: Any) -> int:
    """Return the place that a number in a journal names.

    Raises:
        TypeError: It is no number.
        ValueError: It names no place.
    """
    return _within(value, PLACES, "place")


def finite(value: Any) -> float:
    """Return the number that stands in a journal.

    Raises:
        TypeError: It is no number.
        ValueError: It is no finite one.
    """
    try:
        number = float(value)
    except OverflowError:
        number = inf
    if not isfinite(number):
        raise ValueError(f"{value!a:.40} is no finite number")
    return number


def _row(value: Any) -> int:
    return _within(value, len(BROKEN), "way to be broken")


def _way(value: Any) -> str:
    if value not in tuple(BROKEN):
        raise ValueError(f"{value!a:.40} is no way to be broken: {', '.join(BROKEN)}")
    return str(value)


def _within(value: Any, end: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!a:.40} is no whole number and names no {what}")
    if not 0 <= value < end:
        raise ValueError(f"{value!a:.40} names no {what}: 0 to {end - 1}")
    return value


def _summed(doubt: float, pulses: int | None, due: Falls, rates: Rates, broken: Rates | None) -> float:
    """Return the sum for one way of being broken after one more ply."""
    if pulses is None or due.perhaps:
        return doubt
    if broken is None:
        over = pulses - due.single - due.poured - due.hands
        unsound = RESTLESS[over >= RESTLESS_OVER]
    else:
        unsound = fit(pulses, due, broken)
    step = max(-AT_ONCE, min(AT_ONCE, unsound - fit(pulses, due, rates)))
    return round(min(DEEPEST, max(0.0, doubt + step)), KEEP)


def _rates(
    rates: Rates, pulses: Sequence[int | None], falls: Sequence[Falls], broken: frozenset[int]
) -> Rates:
    """Return the rates after what stones that fell one by one have shown."""
    passed = missed = doubled = reached = 0
    spurious = 0
    for place, (count, due) in enumerate(zip(pulses, falls, strict=True)):
        if count is None or place in broken or due.poured or due.perhaps:
            continue
        off = count - due.single
        if due.hands:
            reached += due.hands
            spurious += max(0, min(off, due.hands))
        elif due.single:
            passed += due.single
            missed += max(0, -off)
            doubled += max(0, min(off, due.single))
    return Rates(
        _learned(rates.missed, missed, passed, LEAST.missed, MOST.missed),
        _learned(rates.doubled, doubled, passed, LEAST.doubled, MOST.doubled),
        _learned(rates.hands, spurious, reached, LEAST.hands, MOST.hands),
    )


def _learned(share: float, happened: int, tried: int, least: float, most: float) -> float:
    return round(min(most, max(least, (share * LEARN + happened) / (LEARN + tried))), KEEP + 1)


UNLEARNED = BeamBelief()
"""What is known of beams that nothing has been heard of yet."""
