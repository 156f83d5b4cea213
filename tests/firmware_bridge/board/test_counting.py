"""From loads to stones, counted from the last known position."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board.counting import (
    DRIFT_LIMIT,
    MOVING,
    Anchor,
    PlaceReading,
    Units,
    drifted,
    observe,
    reanchor,
    stones_due,
    tuzdyk_places,
)
from rules.position import START, Position, Side

UNITS = Units(stone_g=1.15, mark_g=3.0)
NONE: frozenset[int] = frozenset()


def readings(loads: Sequence[float | None]) -> tuple[PlaceReading, ...]:
    """Return quiet readings of these loads; None is moving."""
    return tuple(
        PlaceReading(None, None, MOVING) if load is None else PlaceReading(load, 0) for load in loads
    )


def start_loads(zeros: list[float]) -> list[float | None]:
    """Return what the start position weighs on cells with these zeros."""
    return [zero + n * UNITS.stone_g for zero, n in zip(zeros, stones_due(START), strict=True)]


@given(zeros=st.lists(st.floats(-3, 3), min_size=20, max_size=20))
def test_an_anchored_board_weighs_exactly_its_stones(zeros: list[float]) -> None:
    """Whatever the zeros are, the confirmed position fits without any error."""
    due = stones_due(START)
    anchor = reanchor(readings(start_loads(zeros)), Anchor(), UNITS, due, NONE)
    fit = observe(readings(start_loads(zeros)), anchor, UNITS).fit(due, NONE)
    assert fit.ok
    assert fit.worst == pytest.approx(0, abs=1e-9)


def test_stones_of_unequal_mass_are_counted_by_what_changed() -> None:
    """Eighty-one stones three per cent too heavy would round to 83; counted from the anchor they are 81."""
    due = [0] * 18 + [81, 81]
    loads: list[float] = [0.0] * 18 + [81 * UNITS.stone_g * 1.03, 81 * UNITS.stone_g]
    assert observe(readings(loads), Anchor(), UNITS).stones[18] == 83
    anchor = reanchor(readings(loads), Anchor(), UNITS, due, NONE)
    loads[18] = 81 * UNITS.stone_g * 1.03 + 2 * UNITS.stone_g
    assert observe(readings(loads), anchor, UNITS).stones[18] == 83


def test_a_place_without_a_load_is_unknown_and_keeps_its_zero() -> None:
    """Never zero, never a guess."""
    loads = start_loads([0.2] * 20)
    anchor = reanchor(readings(loads), Anchor(), UNITS, stones_due(START), NONE)
    loads[4] = None
    seen = observe(readings(loads), anchor, UNITS)
    assert seen.stones[4] is None
    assert seen.total is None
    assert seen.moving
    assert seen.unread == ((4, MOVING),)
    assert reanchor(readings(loads), anchor, UNITS, stones_due(START), NONE) == anchor


def test_a_zero_that_wanders_too_far_is_not_followed_but_named() -> None:
    """Beyond the limit the channel keeps its zero, so that it will not fit any more."""
    near = [0.0] * 20
    near[3] = (DRIFT_LIMIT - 0.5) * UNITS.stone_g
    anchor = reanchor(readings(start_loads(near)), Anchor(), UNITS, stones_due(START), NONE)
    assert drifted(anchor, UNITS) == (3,)
    far = [0.0] * 20
    far[3] = (DRIFT_LIMIT + 0.5) * UNITS.stone_g
    after = reanchor(readings(start_loads(far)), anchor, UNITS, stones_due(START), NONE)
    assert after.zeros_g[3] == anchor.zeros_g[3]


TUZDYK = Position(
    pits=(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0, 9, 9, 9, 9, 9, 9),
    kazans=(9, 0),
    tuzdyks=(3, None),
    to_move=Side.QOSTAUSHY,
)


def test_the_mark_of_a_tuzdyk_may_lie_there_or_not() -> None:
    """Before it is known to lie there, nothing and one mark are both right; half a mark is neither."""
    due, places = stones_due(TUZDYK), tuzdyk_places(TUZDYK)
    assert places == {11}
    loads: list[float | None] = [n * UNITS.stone_g for n in due]
    for mark, ok in ((0.0, True), (3.0, True), (1.5, False)):
        loads[11] = mark
        assert observe(readings(loads), Anchor(), UNITS).fit(due, places).ok is ok


def test_a_mark_once_seen_belongs_to_the_zero_until_it_is_taken_away() -> None:
    """A stone left in the tuzdyk is seen, with the mark and after it was lifted off."""
    due, places = stones_due(TUZDYK), tuzdyk_places(TUZDYK)
    loads: list[float | None] = [n * UNITS.stone_g for n in due]
    loads[11] = UNITS.mark_g
    anchor = reanchor(readings(loads), Anchor(), UNITS, due, places)
    assert anchor.marked == {11}
    loads[11] = UNITS.mark_g + UNITS.stone_g
    assert observe(readings(loads), anchor, UNITS).fit(due, places).wrong == (11,)
    loads[11] = 0.0
    assert reanchor(readings(loads), anchor, UNITS, due, places).marked == NONE


@given(seed=st.integers(0, 1000))
def test_noise_within_the_tolerance_never_changes_a_count(seed: int) -> None:
    """A third of a stone of error on every place still fits."""
    rng = random.Random(seed)
    due = stones_due(START)
    loads: list[float | None] = [(n + rng.uniform(-0.33, 0.33)) * UNITS.stone_g for n in due]
    assert observe(readings(loads), Anchor(), UNITS).fit(due, NONE).ok
