"""How likely the pulses of count sensors are, if these stones fell here (pure).

A light beam in the mouth of a pit sees what falls in, never what is taken out. A hypothesis about play says
which stones fell where (`Falls`); how many pulses each place should then have counted is a probability for
each number, since single passages are missed or seen twice, a handful shadows itself, and a hand that
reaches in may look like a stone:

    single stones   each gives 0, 1 or 2 pulses, with the shares `Rates.missed` and `Rates.doubled`;
    poured stones   between one and all of them are seen apart: u of n with a weight of 1/u, for how a handful
                    falls nobody knows; each seen one again gives 0, 1 or 2;
    perhaps         a stone that may have fallen here or not, as one for a tuzdyk may (003 1.4.2: or it goes
                    to the kazan straight from the hand);
    hands           each reaching in gives a pulse with the share `Rates.hands`;
    strays          whatever is not due: a stone laid down wrongly and taken up again, a pen.

Beside cells, places are independent given the hypothesis, so the pulses' say in `weighing`'s question (which
board one stone away is the likeliest?) is a sum over places: what one stone more here would do, and what one
less elsewhere (`Votes`). A stone taken away makes no pulse, so pulses never speak for a stone that is less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log

from firmware_bridge.board.counting.lots import Change
from firmware_bridge.layout import PITS, PLACES
from rules.position import Sowing, pit_index, tuzdyk_owner

STRAY = 0.02
"""Share of places with a pulse that nothing explains, a ply; each further one is as rare again (estimate)."""

RAREST = 1e-4
"""No number of pulses is taken to be rarer at one place: what a beam does that nobody thought of."""

MOST_APART = 40
"""Stones of a heap that are followed one by one; nobody carries more in one handful, or sees them apart."""

HELP = 1.5
"""Nats by which the pulses of one place may raise or lower a margin beside a readable cell: two places move
it by 3, which decides a doubtful board and overrules no clear one."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How well beams see, as shares of 1.

    Attributes:
        missed: Of single stones: no pulse.
        doubled: Of single stones: two pulses.
        hands: Of hands that reach in: a pulse.
    """

    missed: float
    doubled: float
    hands: float


@dataclass(frozen=True, slots=True)
class Falls:
    """What falls into one place by a hypothesis.

    Attributes:
        single: Stones that fall one by one.
        poured: Stones that fall in handfuls, none knows how many at once.
        perhaps: Stones, or a mark, that may fall here on their way, or not.
        hands: How often a hand reaches in to take something out.
    """

    single: int = 0
    poured: int = 0
    perhaps: int = 0
    hands: int = 0

    def and_then(self, other: Falls) -> Falls:
        """Return both, one after the other."""
        return Falls(
            self.single + other.single,
            self.poured + other.poured,
            self.perhaps + other.perhaps,
            self.hands + other.hands,
        )

    def one_more(self) -> Falls:
        """Return the same and one stone more."""
        return replace(self, single=self.single + 1)

    def one_less(self) -> Falls | None:
        """Return the same but for one stone; None where none is sure to fall."""
        if self.single:
            return replace(self, single=self.single - 1)
        return replace(self, poured=self.poured - 1) if self.poured else None


NOTHING = (Falls(),) * PLACES


@lru_cache(maxsize=8192)
def falls_of(ply: Sowing) -> tuple[Falls, ...]:
    """Return what falls into each of the twenty places when a ply is played."""
    single, poured, perhaps, hands = ([0] * PLACES for _ in range(4))
    hands[pit_index(ply.side, ply.number)] += 1
    for index in ply.path:
        owner = tuzdyk_owner(index, ply.before.tuzdyks)
        if owner is None:
            single[index] += 1
        else:
            perhaps[index] += 1
            hands[index] += 1
            poured[PITS + owner.index] += 1
    if ply.captured:
        hands[ply.last_index] += 1
        poured[PITS + ply.side.index] += ply.captured
    if ply.tuzdyk is not None:
        perhaps[ply.last_index] += 1  # its mark, which may also be laid after the press
    return tuple([Falls(*each) for each in zip(single, poured, perhaps, hands, strict=True)])


def together(plies: Sequence[Sowing]) -> tuple[Falls, ...]:
    """Return what falls into each place when plies are played one after the other."""
    falls: tuple[Falls, ...] = NOTHING
    for ply in plies:
        falls = tuple([a.and_then(b) for a, b in zip(falls, falls_of(ply), strict=True)])
    return falls


def begun(ply: Sowing, stones: int) -> tuple[Falls, ...]:
    """Return what has fallen into each place when only the first `stones` of a ply have been let fall."""
    falls = list(NOTHING)
    origin = pit_index(ply.side, ply.number)
    falls[origin] = Falls(hands=1)
    for index in ply.path[:stones]:
        owner = tuzdyk_owner(index, ply.before.tuzdyks)
        place = index if owner is None else PITS + owner.index
        falls[place] = falls[place].one_more()
    return tuple(falls)


def of_change(change: Change) -> tuple[Falls, ...]:
    """Return what falls into each place by a hypothesis of the weighing, a swept atsyrau included."""
    falls = list(together(change.plies))
    if change.plies:
        kept = change.plies[-1].after.kazans
        for index, kazan in enumerate(kept):
            swept = change.after[PITS + index] - kazan
            if swept > 0:
                falls[PITS + index] = falls[PITS + index].and_then(Falls(poured=swept))
    return tuple(falls)


@lru_cache(maxsize=16384)
def chances(falls: Falls, rates: Rates) -> tuple[float, ...]:
    """Return the probability of 0, 1, 2, ... pulses at a place into which this falls."""
    stone = (rates.missed, 1.0 - rates.missed - rates.doubled, rates.doubled)
    found: tuple[float, ...] = (1.0 - STRAY, STRAY * (1 - STRAY), STRAY * STRAY)
    for _ in range(falls.single):
        found = _both(found, stone)
    for _ in range(falls.perhaps):
        found = _both(found, (0.5 + stone[0] / 2, stone[1] / 2, stone[2] / 2))
    for _ in range(falls.hands):
        found = _both(found, (1.0 - rates.hands, rates.hands))
    if falls.poured:
        found = _both(found, _poured(min(falls.poured, MOST_APART), stone))
    return found


def _poured(stones: int, stone: tuple[float, ...]) -> tuple[float, ...]:
    """Return the probability of each number of pulses of stones that fall in handfuls."""
    total = sum(1.0 / apart for apart in range(1, stones + 1))
    mixed = [0.0] * (2 * stones + 1)
    seen: tuple[float, ...] = (1.0,)
    for apart in range(1, stones + 1):
        seen = _both(seen, stone)
        for pulses, chance in enumerate(seen):
            mixed[pulses] += chance / (apart * total)
    return tuple(mixed)


def _both(one: Sequence[float], other: Sequence[float]) -> tuple[float, ...]:
    found = [0.0] * (len(one) + len(other) - 1)
    for a, chance in enumerate(one):
        for b, more in enumerate(other):
            found[a + b] += chance * more
    return tuple(found)


def fit(pulses: int, falls: Falls, rates: Rates) -> float:
    """Return the log-likelihood of so many pulses at a place, in nats."""
    found = chances(falls, rates)
    return log(max(RAREST, found[pulses] if pulses < len(found) else 0.0))


def best_fit(falls: Falls, rates: Rates) -> float:
    """Return the log-likelihood of the likeliest number of pulses, in nats."""
    return log(max(chances(falls, rates)))


@dataclass(frozen=True, slots=True)
class Passed:
    """The pulses of each place since the last confirmed position, and how well its beams see.

    Attributes:
        pulses: For each place; None where there is no beam, or none to be believed.
        rates: Of all beams.
    """

    pulses: tuple[int | None, ...]
    rates: Rates

    def likelihood(self, falls: Sequence[Falls]) -> float:
        """Return the log-likelihood of a hypothesis, in nats."""
        rates = self.rates
        pairs = zip(self.pulses, falls, strict=True)
        return sum([fit(pulses, due, rates) for pulses, due in pairs if pulses is not None])

    def shortfall(self, falls: Sequence[Falls]) -> float:
        """Return how far that is below what the hypothesis makes likeliest, in nats; 0 or less."""
        pairs = zip(self.pulses, falls, strict=True)
        return self.likelihood(falls) - sum(
            [best_fit(due, self.rates) for pulses, due in pairs if pulses is not None]
        )

    def votes(self, falls: Sequence[Falls], dark: tuple[int, ...] = ()) -> Votes:
        """Return what the pulses say of the boards one stone away; `dark` are the places with dead cells."""
        more, less = [0.0] * PLACES, [0.0] * PLACES
        for place, (pulses, due) in enumerate(zip(self.pulses, falls, strict=True)):
            if pulses is None:
                continue
            here = fit(pulses, due, self.rates)
            more[place] = here - fit(pulses, due.one_more(), self.rates)
            fewer = due.one_less()
            if fewer is not None:
                less[place] = min(0.0, here - fit(pulses, fewer, self.rates))
        return Votes(tuple(more), tuple(less), self.shortfall(falls), dark)


@dataclass(frozen=True, slots=True)
class Votes:
    """What pulses say for a hypothesis, against the boards one stone away, in nats.

    Attributes:
        more: For each place, against one stone more there.
        less: For each place, against one stone less there; never above 0.
        total: How far the pulses of all places are below the likeliest; 0 or less.
        dark: Places whose cells are dead; where there are several, only pulses tell them apart.
    """

    more: tuple[float, ...]
    less: tuple[float, ...]
    total: float
    dark: tuple[int, ...] = ()

    def limited(self) -> Votes:
        """Return the same as it counts beside readable cells: no place may say more than `HELP`."""

        def bound(values: Sequence[float]) -> tuple[float, ...]:
            return tuple([max(-HELP, min(HELP, value)) for value in values])

        return Votes(bound(self.more), bound(self.less), max(self.total, -2 * HELP), self.dark)

    def between(self, places: Sequence[int]) -> tuple[float, int, int]:
        """Return what speaks against a stone moved between two of these places, which nothing else sees.

        Returns:
            Nats, and the two places between which it is least: with one more, with one less.
        """
        return min((self.more[to] + self.less[of], to, of) for to in places for of in places if to != of)


SILENT = Votes((0.0,) * PLACES, (0.0,) * PLACES, 0.0)
"""The votes of a board without count sensors."""
