"""How well a reading of the whole board agrees with one hypothesis, and how surely with no other (pure).

A hypothesis says which stones moved where (`lots.Change`). From what was known before it says what every
place should weigh now, and how far readings may stray from that together: stones drawn from one pit are
exchangeable and add up to a mass that was known, so if one place got a heavy stone the others got lighter
ones. The covariance of the twenty residuals is

    C = diag(R + s * sum c) + g g' + sum over lots of ( v d d' - s/n c c' )

with R what each place strays by itself, g how far all zeros stray together, s the spread of the stones'
masses, c the stones of a lot of n at each place, v the variance of the lot's mass, and d = c/n less one at
the source. It is a diagonal and a few outer products, so its inverse is had by Sherman and Morrison's
formula in some hundred steps, without any matrix library.

Whether the hypothesis is sure is asked in closed form of every board that differs from it by one stone: one
more or less anywhere, or one moved from any place to any other. With w = C^-1 r, the log-likelihood of the
hypothesis exceeds that of the board shifted by d by

    d' C^-1 d / 2 - d' w

nats; the smallest of these is the margin. No list of offences is needed to notice one. When the residuals
are larger than C allows, something is at work that C does not know (a leaning hand, skewed stones, a noise
with heavy tails): the margin is divided by the excess, so that an unknown world makes us ask, not guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_bridge.board.counting.belief import Belief
from firmware_bridge.board.counting.lots import Change
from firmware_bridge.board.counting.passages import SILENT, Votes
from firmware_bridge.board.counting.precision import Precision
from firmware_bridge.layout import PLACES, is_kazan

SURE = 0.5
"""Nats by which a board must be likelier than any board one stone away, from the weights alone: a board that
the weights show is never bent, and that legal boards are a thousand times commoner than illegal ones is
counted only where the weights say nothing. At little noise half a nat is a thousandth of a stone."""

GAIN = 0.004
"""Relative error of a cell's sensitivity: a careful calibration is good to half a per cent."""

CROSSTALK = 0.004
"""Share of the largest change elsewhere that may show at a place: notes say 0.1 to 1 % between neighbours."""

MARK_SPREAD = 0.06
"""Relative uncertainty of a mark's mass."""

STRAINED = 0.3
STRAINED_SIGMAS = 3.0
"""Stones, and standard deviations, from which on a board may be leaned on although it fits: such a one must
have lain still for a while before it is believed."""

LEANED = 0.15
LEANED_SIGMAS = 4.0
"""The same for a place where the board moved no stone: nothing but a hand, a stone on a rim or a shifted zero
can change it, and over thousands of plies of every kind of board hardly one in a thousand strays so far."""

FAR = 1.5
"""A residual beyond this, and beyond `FAR_SHARE` of the stones that moved there, is another board."""
FAR_SHARE = 0.12

BELOW = 1.0
"""Stones less than due, at any place, that no board explains which was thought of: nothing is sure then."""

WORST_PLACES = 5
"""Moved stones are sought among so many places that strain most either way. Where stones of very unequal mass
were sown, others may be likelier, so a board that is sure of these is asked about all."""

Weights = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Doubt:
    """The board that is most nearly as likely: one stone elsewhere.

    Attributes:
        more: The place that would hold one stone more; None: none would.
        less: The place that would hold one stone less; None: none would.
    """

    more: int | None
    less: int | None

    @property
    def places(self) -> tuple[int, ...]:
        """The places in doubt, in order."""
        return tuple(sorted(place for place in (self.more, self.less) if place is not None))


@dataclass(frozen=True, slots=True)
class Weighed:
    """One hypothesis, weighed.

    Attributes:
        change: The hypothesis.
        residuals: Stones each place weighs beyond what is due; None where unread.
        own: Variance of each place by itself, its noise and wobble.
        moved: Variance that the stones brought to each place.
        margin: Nats by which it is likelier than the likeliest board one stone away.
        likelihood: Its log-likelihood, to compare hypotheses about the same reading.
        doubt: That other board.
        toggled: The tuzdyks at which a mark has been laid or taken away.
    """

    change: Change
    residuals: tuple[float | None, ...]
    own: tuple[float, ...]
    moved: tuple[float, ...]
    margin: float
    likelihood: float
    doubt: Doubt
    toggled: frozenset[int]

    @property
    def sure(self) -> bool:
        """Whether no board one stone away comes near it."""
        return self.margin >= SURE

    @property
    def strained(self) -> tuple[int, ...]:
        """The places that stray so far that a leaning hand, or half a stone, is more than a thought.

        One that was emptied may: it shows at last what all its stones weighed together.
        """
        stones = enumerate(zip(self.change.before, self.change.after, strict=True))
        return tuple(
            place
            for place, (before, after) in stones
            if before <= after and self._strays(place, STRAINED, STRAINED_SIGMAS)
        )

    @property
    def leaned(self) -> tuple[int, ...]:
        """The pits without a moved stone that stray as nothing but a hand, or a stone too many, makes them.

        Kazans are not among them: their larger cells come back later from a load, by a fifth of a stone. Nor
        is a pit that weighs too little: there a hand has let go that leaned when the last ply was confirmed.
        """
        stones = enumerate(zip(self.change.before, self.change.after, strict=True))
        return tuple(
            place
            for place, (before, after) in stones
            if not is_kazan(place)
            and before == after
            and (self.residuals[place] or 0.0) > 0
            and self._strays(place, LEANED, LEANED_SIGMAS)
        )

    def _strays(self, place: int, stones: float, sigmas: float) -> bool:
        value = self.residuals[place]
        if value is None:
            return False
        return abs(value) > stones and value * value > sigmas**2 * (self.own[place] + self.moved[place])

    @property
    def worst(self) -> float:
        """The largest residual, in stones."""
        return max((abs(value) for value in self.residuals if value is not None), default=0.0)

    @property
    def wrong(self) -> tuple[int, ...]:
        """The places nearer to another number of stones."""
        return tuple(
            place for place, value in enumerate(self.residuals) if value is not None and abs(value) > 0.5
        )


def expected(belief: Belief, change: Change) -> list[float]:
    """Return by how many stones of mass each place should weigh more than before."""
    gains = [0.0] * PLACES
    for lot in change.lots:
        mass = float(lot.stones) if lot.source >= PLACES else belief.places[lot.source].mass
        if lot.source < PLACES:
            gains[lot.source] -= mass
        for place, stones in lot.parts:
            gains[place] += mass * stones / lot.stones
    return gains


def far_off(
    belief: Belief,
    weights: Weights,
    before: Sequence[int],
    after: Sequence[int],
    bear: frozenset[int],
    mark: float,
) -> bool:
    """Whether a board is out of the question, by a look at each place alone.

    Args:
        belief: What was known before.
        weights: What each place weighs now, in stones; None where unread.
        before: Stones at each place then.
        after: Stones at each place by the hypothesis.
        bear: The places that may bear a mark then.
        mark: What a mark weighs, in stones.
    """
    for place, (weight, known) in enumerate(zip(weights, belief.places, strict=True)):
        if weight is None:
            continue
        moved = after[place] - before[place]
        off = abs(weight - known.level - moved)
        if off <= FAR:
            continue
        limit = max(FAR, FAR_SHARE * abs(moved) + 1.0)
        if off > limit and not (
            mark and (place in bear or place in belief.marked) and abs(off - mark) <= limit
        ):
            return True
    return False


def weigh(
    belief: Belief,
    weights: Weights,
    noise: Sequence[float],
    change: Change,
    mark: float,
    votes: Votes = SILENT,
) -> Weighed:
    """Weigh one hypothesis.

    Args:
        belief: What was known before.
        weights: What each place weighs now, in stones from the calibration's zero; None where unread.
        noise: Variance of each weight by its noise alone.
        change: The hypothesis.
        mark: What a tuzdyk's mark weighs, in stones.
        votes: What count sensors say of the hypothesis.
    """
    residuals, own, toggled = _residuals(belief, weights, noise, change, mark)
    moved = _brought(belief, change)
    precision = _precision(belief, change, residuals, own, moved)
    strain = precision.times([0.0 if value is None else value for value in residuals])
    excess = sum([a * b for a, b in zip(strain, residuals, strict=True) if b is not None])
    counted = votes.limited()
    margin, doubt = _margin(precision, strain, residuals, change.after, counted)
    margin = _tempered(margin, residuals, excess)
    if len(votes.dark) > 1:
        counted, (unseen, more, less) = votes, votes.between(votes.dark)
        if unseen < margin:
            margin, doubt = unseen, Doubt(more, less)
    return Weighed(
        change,
        tuple(residuals),
        tuple(own),
        tuple(moved),
        margin,
        -0.5 * (excess + precision.log_det) + counted.total,
        doubt,
        frozenset(toggled),
    )


def _brought(belief: Belief, change: Change) -> list[float]:
    """Return the variance of the mass that the stones brought to each place, each as of one drawn alone."""
    moved = [0.0] * PLACES
    for lot in change.lots:
        for place, stones in lot.parts:
            moved[place] += belief.spread * stones
    return moved


def _residuals(
    belief: Belief, weights: Weights, noise: Sequence[float], change: Change, mark: float
) -> tuple[list[float | None], list[float], set[int]]:
    """Return what each place weighs beyond what is due, its own variance, and where a mark came or went."""
    gains = expected(belief, change)
    residuals: list[float | None] = []
    own = [0.0] * PLACES
    toggled: set[int] = set()
    first, second = sorted([abs(gain) for gain in gains])[:-3:-1]
    for place, known in enumerate(belief.places):
        size = abs(gains[place])
        elsewhere = second if size == first else first
        own[place] = (
            known.level_var + noise[place] + known.wobble + (GAIN * size) ** 2 + (CROSSTALK * elsewhere) ** 2
        )
        weight = weights[place]
        if weight is None:
            residuals.append(None)
            continue
        residual = weight - known.level - gains[place]
        if mark and (place in change.tuzdyks or place in belief.marked):
            other = residual + mark if place in belief.marked else residual - mark
            if abs(other) < abs(residual):
                toggled.add(place)
                own[place] += (MARK_SPREAD * mark) ** 2
                residual = other
        residuals.append(residual)
    return residuals, own, toggled


def _precision(
    belief: Belief,
    change: Change,
    residuals: Sequence[float | None],
    own: Sequence[float],
    moved: Sequence[float],
) -> Precision:
    precision = Precision(
        [None if value is None else own[place] + moved[place] for place, value in enumerate(residuals)]
    )
    precision.add(1.0, [(place, known.sway) for place, known in enumerate(belief.places)])
    for lot in change.lots:
        precision.add(-belief.spread / lot.stones, lot.parts)
        if lot.source < PLACES:
            shares = [(place, stones / lot.stones) for place, stones in lot.parts]
            precision.add(belief.places[lot.source].mass_var, [*shares, (lot.source, -1.0)])
    return precision


def _margin(
    precision: Precision,
    strain: Sequence[float],
    residuals: Sequence[float | None],
    due: Sequence[int],
    votes: Votes,
) -> tuple[float, Doubt]:
    """Return the margin over all boards one stone away, and the nearest of them."""
    read = [place for place, value in enumerate(residuals) if value is not None]
    if not read:
        return 0.0, Doubt(None, None)  # one board is as likely as any other
    halves = {place: precision.at(place, place) / 2 for place in read}
    more = sorted([(halves[place] - strain[place] + votes.more[place], place) for place in read])
    less = sorted(
        [(halves[place] + strain[place] + votes.less[place], place) for place in read if due[place]]
    )
    best, doubt = more[0][0], Doubt(more[0][1], None)
    if less and less[0][0] < best:
        best, doubt = less[0][0], Doubt(None, less[0][1])
    best, doubt = _nearer(precision, more[:WORST_PLACES], less[:WORST_PLACES], best, doubt)
    if best > 0 and precision.updates:
        best, doubt = _nearer(precision, more, less, best, doubt)
    return best, doubt


def _tempered(margin: float, residuals: Sequence[float | None], excess: float) -> float:
    """Return a margin with what the covariance does not know taken into account.

    Args:
        margin: As the covariance has it, in nats.
        residuals: Of each place; None where unread.
        excess: Their squared length by that covariance; about one for each place that was read.
    """
    if any(value is not None and not -BELOW < value < FAR for value in residuals):
        margin = min(margin, 0.0)  # nothing that was thought of explains it
    read = sum([value is not None for value in residuals])
    return margin / max(1.0, excess / max(1, read)) if margin > 0 else margin


def _nearer(
    precision: Precision,
    more: Sequence[tuple[float, int]],
    less: Sequence[tuple[float, int]],
    best: float,
    doubt: Doubt,
) -> tuple[float, Doubt]:
    """Return the nearest board with a stone moved between these places, if it is nearer than `doubt`."""
    for gain, target in more:
        for loss, source in less:
            if target != source:
                value = gain + loss - precision.at(target, source)
                if value < best:
                    best, doubt = value, Doubt(target, source)
    return best, doubt
