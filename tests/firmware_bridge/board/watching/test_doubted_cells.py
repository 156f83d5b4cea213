"""A cell that failed under fast hands: it felt nothing of what was sown, and is named for it."""

from __future__ import annotations

import pytest

from firmware_bridge.board.counting.belief import Belief, Units
from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.counting.observation import Observation, PlaceReading, observe
from firmware_bridge.board.watching.doubted_cells import STOOD_PLIES, SUSPECT_AFTER_US, DoubtedCells
from firmware_bridge.board.watching.reconciler import Played, Verdict, reconcile
from firmware_bridge.board.watching.strain import STILL_US
from rules.position import START, Sowing, play
from sensors.samples import Fault, FaultKind

UNITS = Units(stone_g=1.15, mark_g=3.0)
CUT_OFF = Units(stone_g=1.15, mark_g=3.0, cut_off_g=(-0.75 * 1.15,) * 20)
"""Converters that read three quarters of a stone below nothing when their bridge is cut off."""

DEAD = 12
"""Qostaushy's 4: the first two plies drop a stone there, the third lifts them all."""


def line(*numbers: int) -> tuple[Sowing, ...]:
    """Return plies from the start."""
    plies: list[Sowing] = []
    for number in numbers:
        plies.append(play(plies[-1].after if plies else START, number))
    return tuple(plies)


def read(stones: tuple[int, ...], since_us: int, **stood: float) -> tuple[PlaceReading, ...]:
    """Return readings of stones that came to lie at `since_us`; `p12=9` has read 9 stones ever since 0."""
    readings = [PlaceReading(number * UNITS.stone_g, since_us, "") for number in stones]
    for name, number in stood.items():
        readings[int(name[1:])] = PlaceReading(number * UNITS.stone_g, 0, "")
    return tuple(readings)


def doubted(
    cells: DoubtedCells, plies: tuple[Sowing, ...], still_us: int = 0, **stood: float
) -> Verdict | None:
    """Judge the board after plies, pressed a second apart."""
    readings = read(stones_due(plies[-1].after), 900_000 * len(plies), **stood)
    seen = observe(readings, Belief.exactly(stones_due(START)), CUT_OFF)
    presses = tuple(ply.side for ply in plies)

    def judge(_place: int, trial: Observation) -> Verdict:
        return reconcile(START, trial, presses, plies)

    pressed_us = [1_000_000 * (index + 1) for index in range(len(plies))]
    found = cells.doubt(readings, seen, judge, pressed_us, pressed_us[-1] + STILL_US, still_us)
    return None if found is None else found[0]


def test_a_cell_that_felt_nothing_of_several_plies_is_named_at_once() -> None:
    """Its place is not read any more, and the line that all other places tell is believed."""
    plies = line(7, 1, 8)
    cells = DoubtedCells(UNITS)
    verdict = doubted(cells, plies, p12=9)
    assert isinstance(verdict, Played)
    assert verdict.plies == plies
    (fault,) = [r.reason for r in cells.without(read(stones_due(START), 0)) if r.load_g is None]
    assert fault == Fault(FaultKind.FELT_NOTHING, None)


@pytest.mark.parametrize("numbers", [(7,), (7, 1)])
def test_one_stone_that_was_not_felt_is_no_broken_cell(numbers: tuple[int, ...]) -> None:
    """Somebody may have dropped it beside the pit: that is asked about."""
    assert len(numbers) <= STOOD_PLIES
    assert doubted(DoubtedCells(UNITS), line(*numbers), p12=9) is None


def test_a_pit_that_one_ply_only_should_have_changed_is_not_doubted() -> None:
    """Bastaushy's 2 gets a stone from the second ply alone."""
    plies = line(7, 9, 6)
    at = [index for index in range(18) if sum(_changed(ply, index) for ply in plies) == 1]
    assert at
    for place in at:
        before = stones_due(START)[place]
        assert doubted(DoubtedCells(UNITS), plies, **{f"p{place}": before}) is None


def test_a_cell_that_feels_again_is_believed_again() -> None:
    """By another weight than the one at which it stood."""
    cells = DoubtedCells(UNITS)
    doubted(cells, line(7, 1, 8), p12=9)
    moved = read(stones_due(START), 0, p12=11)
    cells.revive(read(stones_due(START), 0), Belief.exactly(stones_due(START)), 0)
    assert cells.without(moved)[DEAD].load_g is None
    cells.revive(moved, Belief.exactly(stones_due(START)), 0)
    assert cells.without(moved)[DEAD].load_g is not None


def test_on_a_still_board_a_cell_must_read_as_a_broken_one() -> None:
    """Nine stones that ought to be eleven are stones, whatever else is right."""
    assert doubted(DoubtedCells(UNITS), line(7, 1, 8), SUSPECT_AFTER_US, p12=9) is None


@pytest.mark.parametrize("weighs", [4.625, 9.5])
def test_a_cell_at_half_its_gain_is_named_once_both_have_pressed(weighs: float) -> None:
    """By what it reads of its due, or by what it changed by where half was taken for whole before."""
    cells = DoubtedCells(CUT_OFF)
    plies = line(7, 3)
    assert stones_due(plies[-1].after)[9] == 10
    verdict = doubted(cells, plies, p9=weighs)
    assert isinstance(verdict, Played)
    assert verdict.plies == plies
    (fault,) = [r.reason for r in cells.without(read(stones_due(START), 0)) if r.load_g is None]
    assert isinstance(fault, Fault)
    assert fault.kind in (FaultKind.WRONG_SHARE, FaultKind.WRONG_CHANGE)
    belief = Belief.exactly(stones_due(plies[-1].after))
    cells.revive(read(stones_due(plies[-1].after), 0, p9=5.1), belief, 0)
    assert cells.without(read(stones_due(START), 0))[9].load_g is None
    cells.revive(read(stones_due(plies[-1].after), 0), belief, 0)
    assert cells.without(read(stones_due(START), 0))[9].load_g is not None


@pytest.mark.parametrize(("numbers", "weighs"), [((7,), 4.625), ((7, 3), 9.65), ((7, 3), 5.0)])
def test_a_place_that_reads_no_share_of_its_due_is_no_broken_cell(
    numbers: tuple[int, ...], weighs: float
) -> None:
    """Nor one that only one player has pressed on, or that weighs whole stones."""
    assert doubted(DoubtedCells(CUT_OFF), line(*numbers), p9=weighs) is None


def _changed(ply: Sowing, place: int) -> bool:
    return stones_due(ply.before)[place] != stones_due(ply.after)[place]
