"""What may be trusted of what was measured, and the calibration that follows from it (pure).

A load is what a channel says beyond its empty reading, in raw units; a share of it is a number of stones.
No gain need be known to compare two loads of one channel, and no stone's mass to compare nine with eighteen:
what they say together tells whether the cell is straight, what they say of each other whether both pits hold
the same. What comes through the plate from neighbours is measured where a pit is bare and they are loaded.

The zero of a step lies between the empty board before and after, by the number of steps: cells drift while
a person works.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import sqrt
from statistics import fmean, median
from typing import Final

from firmware_bridge.calibrating.progress import Progress
from firmware_bridge.calibrating.steps import (
    HEAP,
    KAZANS,
    LOADS,
    ORDER,
    Complaint,
    Measured,
    Step,
    bare_step,
    full_step,
    heap_step,
)
from firmware_bridge.layout import PITS, PLACES, is_kazan
from rules.position import STONES

UNLOADED: Final = 0.35
"""Share of what the others say of their stones, below which a place carries none: gains differ by a fifth."""
NOT_EMPTY: Final = 1.0
"""Stones from which an empty pit is none; neighbours give half a stone, a full kazan beside it as much."""
NOT_EMPTY_KAZAN: Final = 4.0
"""The same for a kazan: a full one beside it gives it a hundredth of 162, and a little more."""
UNEVEN: Final = 0.4
"""Stones by which one of two pits may seem to differ from nine; one stone missing in one of them makes it
0.53, stones with a spread of 5 % make 0.11 (standard deviation)."""
UNEVEN_RECOUNTED: Final = 0.8
"""The same where a person has counted again: then it is the stones that differ so."""
BENT: Final = 0.55
"""Stones by which nine and nine may seem to differ from eighteen: play of 0.05 % of 100 g makes 0.1."""
ROWS: Final = 1.25
"""Stones by which the heaps of side `a` may differ from 72: stones bought twice make 0.9, three missing in
one row 1.6. One that is missing is found by its pit's neighbour."""
KAZANS_BENT: Final = 1.5
"""Stones by which the parts in both kazans may differ from 162; play of 0.05 % of 500 g makes 0.2 in each."""
KAZANS_SHORT: Final = 0.3
"""The same where nobody has counted again. One stone missing in a full kazan makes 0.45 or 0.56, one missing
in the parts 1; boards of like stones made at most 0.08 [simulated, seven profiles, eight boards each], only
one of mixed stones whose plate bends 0.3 to 1.2."""
RETURN: Final = 0.5
RETURN_KAZAN: Final = 1.0
"""Stones by which an empty place may differ from what it was at first."""
LEAST_MARK: Final = 0.1
"""Stones from which a mark is felt."""
MARKS_DIFFER: Final = 0.25
LEAST_SIGMAS: Final = 30.0
"""Standard deviations of single samples that a load must reach to be one at all."""


def load(progress: Progress, place: int, step: Step) -> float:
    """Return what a place said beyond its empty reading, in raw units; the empty board was measured."""
    return progress.loads[step].raw[place] - zero(progress, place, step)


def zero(progress: Progress, place: int, step: Step) -> float:
    """Return the empty reading of a place at the time of a step."""
    first = progress.loads[Step.EMPTY].raw[place]
    last = progress.loads.get(Step.EMPTY_AGAIN)
    if last is None:
        return first
    ways = ORDER.index(Step.EMPTY_AGAIN) - ORDER.index(Step.EMPTY)
    gone = min((ORDER.index(step) - ORDER.index(Step.EMPTY)) / ways, 1.0)
    return first + gone * (last.raw[place] - first)


def raw_per_stone(progress: Progress, place: int) -> float | None:
    """Return the raw units of a mean stone as well as they are known; None: not yet."""
    for step in (full_step(place),) if is_kazan(place) else (heap_step(place), Step.NINES):
        if step in progress.loads:
            return load(progress, place, step) / LOADS[step][place]
    return None


def _usual(progress: Progress, places: range | tuple[int, ...]) -> float | None:
    """Return what a stone usually makes at such places, without sign; None: not known yet."""
    found = [abs(each) for place in places if (each := raw_per_stone(progress, place)) is not None]
    return median(found) if found else None


def judged(progress: Progress, step: Step, measured: Measured) -> list[Complaint]:
    """Return why a step cannot be trusted; empty where it can.

    Args:
        progress: with all steps before it.
        step: which.
        measured: its load at rest.
    """
    if progress.calm is None:
        return []
    seen = replace(progress, loads={**progress.loads, step: measured})
    found = _laid_otherwise(seen, step) or _special(seen, step)
    return list(found)


def _special(seen: Progress, step: Step) -> list[Complaint]:
    check = _CHECKS.get(step)
    return [] if check is None else check(seen)


def _laid_otherwise(seen: Progress, step: Step) -> list[Complaint]:
    """Return places that carry nothing though they should, or something though they should not."""
    due = LOADS[step]
    bare = [place for place in range(PLACES) if due[place] and _is_bare(seen, place, step)]
    laden = [place for place in range(PLACES) if not due[place] and _is_laden(seen, place, step)]
    if step is Step.MARKS:
        return []  # anything may lie in any pit
    if len(bare) == sum(map(bool, due)) > 0 and not laden:
        return [Complaint("nothing_new", back_to=Step.EMPTY)]
    if bare and len(bare) == len(laden):
        return [Complaint("other_place", (*bare, *laden), {"places": len(bare)})]
    found = [Complaint("unloaded", tuple(bare), {"stones": due[bare[0]]})] if bare else []
    found += [
        Complaint("not_empty", (place,), {"stones": about}) for place, about in _about(seen, laden, step)
    ]
    turned = [
        place
        for place in range(PITS)
        if step in (Step.HEAPS, Step.NEXT_HEAPS)
        and due[place]
        and load(seen, place, step) * load(seen, place, Step.NINES) < 0
    ]
    return found + [Complaint("turned", (place,)) for place in turned]


def _is_bare(seen: Progress, place: int, step: Step) -> bool:
    """Whether a place that should carry stones says less than a third of what the others say of theirs."""
    said = abs(load(seen, place, step))
    if said < LEAST_SIGMAS * seen.loads[Step.EMPTY].noise[place]:
        return True
    if is_kazan(place):
        return said < UNLOADED * _due_in_kazan(seen, place, step)
    others = [abs(load(seen, each, step)) for each in range(PITS) if LOADS[step][each]]
    return said < UNLOADED * median(others)


def _due_in_kazan(seen: Progress, place: int, step: Step) -> float:
    """Return what a kazan is to say by what it said of the heaps; of the heaps, by what the other one did."""
    by = sum(KAZANS) - place if step is Step.SPLIT else place
    return abs(load(seen, by, Step.SPLIT)) / LOADS[Step.SPLIT][by] * LOADS[step][place]


def _is_laden(seen: Progress, place: int, step: Step) -> bool:
    one, said = _stone(seen, place), abs(load(seen, place, step))
    if one is None or said < LEAST_SIGMAS * seen.loads[Step.EMPTY].noise[place]:
        return False
    return said > one * (NOT_EMPTY_KAZAN if is_kazan(place) else NOT_EMPTY)


def _stone(seen: Progress, place: int) -> float | None:
    """Return what a stone makes at a place, by its own load or by that of its like; None: not known yet."""
    known = raw_per_stone(seen, place)
    if known:
        return abs(known)
    usual = _usual(seen, KAZANS if is_kazan(place) else range(PITS))
    return usual if usual is not None else _usual(seen, range(PITS))


def _about(seen: Progress, places: list[int], step: Step) -> list[tuple[int, int]]:
    ones = {place: _stone(seen, place) or 1.0 for place in places}
    return [(place, max(1, round(abs(load(seen, place, step)) / one))) for place, one in ones.items()]


def stones_at_nines(progress: Progress, pit: int) -> float:
    """Return how many stones a pit seemed to hold in the set-up, by what it said of its eighteen."""
    # While nine lay in each neighbour, half of that came through the plate that comes when eighteen do.
    through = load(progress, pit, bare_step(pit)) / 2
    return HEAP * (load(progress, pit, Step.NINES) - through) / load(progress, pit, heap_step(pit))


def _pairs(seen: Progress) -> list[Complaint]:
    found = []
    for one in range(0, PITS, 2):
        first, second = stones_at_nines(seen, one), stones_at_nines(seen, one + 1)
        values = {"first": round(first, 1), "second": round(second, 1)}
        if abs(first + second - HEAP) > BENT:
            found.append(Complaint("bent", (one, one + 1), values, Step.NINES))
        elif max(abs(first - 9), abs(second - 9)) > (UNEVEN_RECOUNTED if one in seen.recounted else UNEVEN):
            found.append(Complaint("uneven", (one, one + 1), values, Step.NINES))
    return found


def stones_in_split(progress: Progress, kazan: int) -> float:
    """Return how many stones a kazan seemed to hold of the heaps, by what it said of all stones."""
    other = sum(KAZANS) - kazan
    share = LOADS[Step.SPLIT][other] / STONES
    through = share * load(progress, kazan, full_step(other)) if full_step(other) in progress.loads else 0.0
    return STONES * (load(progress, kazan, Step.SPLIT) - through) / load(progress, kazan, full_step(kazan))


def _rows(seen: Progress) -> list[Complaint]:
    first, second = (stones_in_split(seen, kazan) for kazan in KAZANS)
    values = {"first": round(first, 1), "second": round(second, 1)}
    beyond = first + second - STONES
    if abs(beyond) > KAZANS_BENT:
        return [Complaint("kazans_bent", KAZANS, values, Step.SPLIT)]
    if abs(beyond) > KAZANS_SHORT and not seen.recounted >= set(KAZANS):
        # Parts that seem too many were held against a full kazan that lacked a stone.
        return [Complaint("kazan_short", KAZANS, values, Step.ALL_A if beyond > 0 else Step.SPLIT)]
    if abs(first - LOADS[Step.SPLIT][KAZANS[0]]) > ROWS:
        return [Complaint("rows_uneven", KAZANS, values, Step.NINES)]
    return []


def returned(progress: Progress, place: int) -> float:
    """Return by how many stones a place differs, empty, from what it was at first."""
    one = raw_per_stone(progress, place)
    gone = progress.loads[Step.EMPTY_AGAIN].raw[place] - progress.loads[Step.EMPTY].raw[place]
    return gone / one if one else 0.0


def _return(seen: Progress) -> list[Complaint]:
    found = []
    for place in range(PLACES):
        by = returned(seen, place)
        if abs(by) > (RETURN_KAZAN if is_kazan(place) else RETURN):
            found.append(Complaint("zero_moved", (place,), {"stones": round(by, 1)}))
    return found


def marks(progress: Progress) -> dict[int, float]:
    """Return where marks lie, in stones."""
    found = {}
    for place in range(PITS):
        one = raw_per_stone(progress, place)
        rise = 0.0 if not one else load(progress, place, Step.MARKS) / one
        least = 0.0 if not one else abs(progress.loads[Step.EMPTY].noise[place] / one)
        if rise > max(LEAST_MARK, least):
            found[place] = rise
    return found


def _marks(seen: Progress) -> list[Complaint]:
    found = marks(seen)
    if not found:
        return [Complaint("no_mark")]
    if len(found) > 2:
        return [Complaint("many_marks", tuple(found), {"marks": len(found)})]
    least, most = min(found.values()), max(found.values())
    if most - least > MARKS_DIFFER * most:
        return [Complaint("marks_differ", tuple(found), {"first": round(least, 2), "second": round(most, 2)})]
    return []


_CHECKS: Final[Mapping[Step, Callable[[Progress], list[Complaint]]]] = {
    Step.NEXT_HEAPS: _pairs,
    Step.ALL_B: _rows,
    Step.EMPTY_AGAIN: _return,
    Step.MARKS: _marks,
}


def spread(progress: Progress) -> float:
    """Return the spread of the stones' masses, standard deviation over mean, as nine pairs of pits tell it.

    An upper bound: what cells do wrong adds to it. Nine pairs know it to a quarter.
    """
    differences = [
        (stones_at_nines(progress, one) - stones_at_nines(progress, one + 1)) / HEAP
        for one in range(0, PITS, 2)
    ]
    return sqrt(fmean([each * each for each in differences]) * HEAP)
