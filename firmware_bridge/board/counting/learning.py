"""What a confirmed position teaches: every place is measured anew, and what no data sheet tells (pure).

A reading differs from what was due by what its zero has moved and by what the stones that came weigh other
than the mean. Each gets its share of the difference, in proportion to how uncertain it was. So the zeros
follow, the masses go with the stones, and nobody has to lift anything.

Three things are learned on the way:

- `spread`: how unequal the stones are. At the set-up eighteen pits of nine stones tell it at once; later
  every stone that falls alone, and every pit that is emptied, tell it better.
- `wobble`: how far each place strays by itself from one ply to the next.
- `sway`: by how much each zero moves when all of them move together, as they do with the temperature of the
  room: each cell by its own amount, up or down. What the quiet places show of it is known of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from firmware_bridge.board.counting.belief import Belief, Known, drift_limit
from firmware_bridge.board.counting.lots import Change
from firmware_bridge.board.counting.weighing import Weighed, Weights, expected
from firmware_bridge.layout import PLACES, is_kazan

FOLLOW_STEP = 0.005
"""Stones a level that is well known may follow per look while the confirmed position lies there. A quiet
board is looked at ten times a second (`look.LOOK_EVERY_US`), which makes 0.05 a second; it follows faster
where looks come oftener, as after a press or with every place that comes to rest. Were it much more, a stone
laid down would be taken for drift before anybody is asked. A level as unsure as `UNSEEN` says follows by
`CONFIRM_STEP`."""

CONFIRM_STEP = 0.5
"""Stones a zero may move with one confirmed position: more is another number of stones."""

SPREAD_BOUNDS = (0.004**2, 0.25**2)
WOBBLE_BOUNDS = (0.01**2, 0.25**2)

LEARN_WOBBLE = 0.05
"""The weight of one measurement against all before it: twenty, two or three plies, make a new estimate."""

PRIOR_STONES = 15.0
"""How many measured stones the first guess of the spread is worth."""
MOST_MEASURED = 300.0
"""How many measured stones are remembered: the spread of a set does not change."""

LEARN_SWAY = 0.1
"""The weight of one ply against all before it."""
MOST_SWAY = 1.0

BLIND_STEP = 0.1**2
"""Variance a level gains with every position confirmed while its place could not be read."""

UNSEEN = 0.1**2
"""Variance a level gains with plies that nobody saw; a level so unsure is taken anew at first sight."""

MOST_UNSEEN = 0.2**2
"""Variance of a level at most, however long it was not seen. With more, no reading could be told from one
stone more or less, not even the very one that is due, and the place would never be believed again. With this
one, a zero that has wandered four tenths of a stone is taken anew, and a whole stone is asked about."""

AVERAGED = 0.95
"""What one more look leaves of a level's variance: looks overlap, so little, and never below a quarter of the
noise of one."""

MOST_RATIO = 9.0
"""One wild residual must not undo fifty tame ones: three standard deviations, squared."""


def confirmed(
    belief: Belief, weights: Weights, noise: Sequence[float], weighed: Weighed, mark: float
) -> Belief:
    """Return what is known once `weighed` is what lies there.

    Args:
        belief: What was known before.
        weights: What each place weighs now; None where unread.
        noise: Variance of each weight by its noise alone.
        weighed: The hypothesis that was confirmed.
        mark: What a tuzdyk's mark weighs, in stones.
    """
    belief = _with_spread(belief, weighed)
    gains = expected(belief, weighed.change)
    brought, kept_share = _masses(belief, weighed.change)
    marked = frozenset((belief.marked ^ weighed.toggled) & weighed.change.tuzdyks)
    moment = _moment(belief, weighed)
    laid_out = any(lot.source >= PLACES for lot in weighed.change.lots)
    places: list[Known] = []
    for place, known in enumerate(belief.places):
        due = (max(0.0, known.mass + gains[place]), known.mass_var * kept_share[place] ** 2)
        residual, weight = weighed.residuals[place], weights[place]
        if weight is None or residual is None:
            level = known.level + gains[place] + _toggle(place, weighed, belief, mark)
            places.append(_unread(known, level, due, brought[place]))
            continue
        strays = weighed.own[place] + brought[place]
        share = brought[place] / strays
        lying = weighed.change.after[place]
        mass, mass_var = _learned_mass(due, brought[place], share, residual) if lying else (0.0, 0.0)
        # A noisy reading is no better known than what was due: the new level lies between both.
        free = known.blind or laid_out
        trust = 1.0 if free else 1 - noise[place] / (strays + known.sway**2)
        seen = weight - (1 - trust) * residual
        level = _held(seen, mass + (mark if place in marked else 0.0), belief.zero(place, mark), place, free)
        still = residual - moment[0] * known.sway
        wobble = _learned(known.wobble, still, strays, LEARN_WOBBLE, WOBBLE_BOUNDS)
        sway = _swayed(known.sway, residual, moment, 1 - share)
        places.append(Known(level, trust * noise[place], mass, mass_var, wobble, sway=sway))
    return replace(belief, places=tuple(places), marked=marked).kept()


def _learned_mass(
    due: tuple[float, float], brought: float, share: float, residual: float
) -> tuple[float, float]:
    """Return the mass of the stones at a place, and its variance, after a `residual`.

    Args:
        due: The mass that was due and the variance of those that stayed.
        brought: The variance that came with the others.
        share: The part of the residual that is theirs, 0..1.
        residual: Stones that the place weighs beyond what was due.
    """
    mass, mass_var = due
    return max(0.0, mass + share * residual), mass_var + brought * (1 - share)


def _unread(known: Known, level: float, due: tuple[float, float], brought: float) -> Known:
    """Return what is known of a place that cannot be read: what is due, and less surely.

    Args:
        known: What was known before.
        level: What it should weigh.
        due: The mass of its stones and the variance of those that stayed.
        brought: The variance that came with the others.
    """
    mass, mass_var = due
    var = max(known.level_var, min(MOST_UNSEEN, known.level_var + BLIND_STEP + brought))
    return replace(known, level=level, level_var=var, mass=mass, mass_var=mass_var + brought, blind=True)


def _moment(belief: Belief, weighed: Weighed) -> tuple[float, float]:
    """Return how far all zeros have moved together, in multiples of their sways, and its variance."""
    along, weight = 0.0, 1.0
    for known, residual, own, moved in zip(
        belief.places, weighed.residuals, weighed.own, weighed.moved, strict=True
    ):
        if residual is not None:
            along += known.sway * residual / (own + moved)
            weight += known.sway**2 / (own + moved)
    return along / weight, 1.0 / weight


def _swayed(sway: float, residual: float, moment: tuple[float, float], share: float) -> float:
    """Return a sway after one more ply; `share` is the part of the residual that is the zero's."""
    mean, var = moment
    step = LEARN_SWAY * share * (mean * residual - (mean * mean + var) * sway)
    return max(-MOST_SWAY, min(MOST_SWAY, sway + step))


def predicted(belief: Belief, change: Change, mark: float) -> Belief:
    """Return what is known after a change that nobody has seen: every level is what is due, and less sure.

    Args:
        belief: What was known before.
        change: What has changed, as somebody says.
        mark: What a tuzdyk's mark weighs, in stones.
    """
    gains = expected(belief, change)
    brought, kept_share = _masses(belief, change)
    places: list[Known] = []
    for place, known in enumerate(belief.places):
        level = known.level + gains[place]
        if place in belief.marked and place not in change.tuzdyks:
            level -= mark
        var = max(known.level_var, min(MOST_UNSEEN, known.level_var + brought[place] + UNSEEN))
        mass = max(0.0, known.mass + gains[place])
        mass_var = known.mass_var * kept_share[place] ** 2 + brought[place]
        places.append(replace(known, level=level, level_var=var, mass=mass, mass_var=mass_var))
    return replace(belief, places=tuple(places), marked=belief.marked & change.tuzdyks).kept()


def _toggle(place: int, weighed: Weighed, belief: Belief, mark: float) -> float:
    if place not in weighed.toggled:
        return 0.0
    return -mark if place in belief.marked else mark


def _held(weight: float, stones: float, before: float, place: int, free: bool) -> float:  # noqa: FBT001 - private
    """Return the new level of a place, its zero held to the step and the limit it may follow.

    A place that could not be read, and a board laid out anew, have no zero to be held to, but the limit.
    """
    limit = drift_limit(place)
    step = 2 * limit if free else CONFIRM_STEP
    zero = before + max(-step, min(step, weight - stones - before))
    return max(-limit, min(limit, zero)) + stones


def _masses(belief: Belief, change: Change) -> tuple[list[float], list[float]]:
    """Return the variance of the mass each place was brought, and the share of its old stones it kept."""
    brought = [0.0] * PLACES
    kept = [1.0] * PLACES
    for lot in change.lots:
        outside = lot.source >= PLACES
        lot_var = 0.0 if outside else belief.places[lot.source].mass_var
        if not outside:
            kept[lot.source] = 0.0
        for place, stones in lot.parts:
            share = stones / lot.stones
            brought[place] += belief.spread * stones * (1 - share) + lot_var * share * share
    return brought, kept


def _learned(
    estimate: float, residual: float, total: float, rate: float, bounds: tuple[float, float]
) -> float:
    """Return an estimate of a variance after one more residual, of which it was a part."""
    part = estimate / total
    ratio = min(MOST_RATIO, residual * residual / total)
    low, high = bounds
    return min(high, max(low, estimate * (1 + rate * part * (ratio - 1))))


def _with_spread(belief: Belief, weighed: Weighed) -> Belief:
    """Return the same with what the stones have shown of how unequal they are."""
    spread, measured = _spread(belief, weighed)
    return replace(belief, spread=spread, measured=measured)


def _spread(belief: Belief, weighed: Weighed) -> tuple[float, float]:
    """Return the spread of the masses after what the stones have shown, and on how many stones it rests."""
    if any(lot.source >= PLACES for lot in weighed.change.lots):
        return _spread_laid_out(belief, weighed)
    estimate, measured = belief.spread, belief.measured
    lots = _lot_variances(belief, weighed.change)
    for place, residual in enumerate(weighed.residuals):
        of_stones = weighed.moved[place] + lots[place]
        if residual is None or not of_stones or is_kazan(place):
            continue
        total = weighed.own[place] + of_stones
        part = of_stones / total
        ratio = min(MOST_RATIO, residual * residual / total)
        estimate *= 1 + part * (ratio - 1) / (PRIOR_STONES + measured)
        measured = min(MOST_MEASURED, measured + part)
    low, high = SPREAD_BOUNDS
    return min(high, max(low, estimate)), measured


def _spread_laid_out(belief: Belief, weighed: Weighed) -> tuple[float, float]:
    """Return the same from pits of many stones: what they stray beyond their zeros, for each stone."""
    strays, owns, stones = 0.0, 0.0, 0
    for place, residual in enumerate(weighed.residuals):
        if residual is not None and weighed.change.after[place]:
            strays += residual * residual
            owns += weighed.own[place]
            stones += weighed.change.after[place]
    if not stones:
        return belief.spread, belief.measured
    found = max(0.0, strays - owns) / stones
    part = found * stones / max(owns + found * stones, 1e-9)
    pits = sum(1 for stones in weighed.change.after if stones)
    info = pits * part * part
    return (PRIOR_STONES * belief.spread + info * found) / (PRIOR_STONES + info), info


def _lot_variances(belief: Belief, change: Change) -> list[float]:
    """Return how far each place may stray since the masses of whole lots were not known better."""
    variances = [0.0] * PLACES
    for lot in change.lots:
        if lot.source < PLACES:
            var = belief.places[lot.source].mass_var
            left = 1.0
            for place, stones in lot.parts:
                share = stones / lot.stones
                if place == lot.source:
                    left -= share
                else:
                    variances[place] += var * share * share
            variances[lot.source] += var * left * left
    return variances


def followed(belief: Belief, weights: Weights, noise: Sequence[float], same: Weighed, mark: float) -> Belief:
    """Return what is known after one more look at the confirmed position: levels follow a slow drift.

    Args:
        belief: What is known.
        weights: What each place weighs now; None where unread.
        noise: Variance of each weight by its noise alone.
        same: The weighing that says that the confirmed position still lies there.
        mark: What a tuzdyk's mark weighs, in stones.
    """
    places: list[Known] = []
    for place, (known, weight) in enumerate(zip(belief.places, weights, strict=True)):
        if weight is None:
            places.append(known)
        elif place in same.toggled:
            places.append(replace(known, level=weight))
        else:
            limit = FOLLOW_STEP if known.level_var < UNSEEN else CONFIRM_STEP
            step = max(-limit, min(limit, weight - known.level))
            if abs(belief.zero(place, mark) + step) > drift_limit(place):
                step = 0.0
            var = max(noise[place] / 4, known.level_var * AVERAGED)
            places.append(replace(known, level=known.level + step, level_var=var))
    return replace(belief, places=tuple(places), marked=belief.marked ^ same.toggled)
