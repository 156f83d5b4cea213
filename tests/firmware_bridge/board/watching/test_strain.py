"""Boards that fit, but not well: they must lie still, and a place that was off must be plain."""

from __future__ import annotations

import pytest

from firmware_bridge.board.counting.belief import Belief
from firmware_bridge.board.counting.lots import change_of, stones_due, unchanged
from firmware_bridge.board.counting.observation import LEAST_NOISE, Observation, PlaceReading
from firmware_bridge.board.watching.reconciler import InProgress, Played, Same
from firmware_bridge.board.watching.strain import STILL_US, Strain
from rules.position import START, play

PLY = play(START, 7)
KAZAN = 18
"""Bastaushy's 7 captures ten stones into it."""


def seen(stones: tuple[int, ...], **off: float) -> Observation:
    """Return a look at these stones from the start; `p18=0.4` weighs so much more at place 18."""
    weights = [float(n) for n in stones]
    for name, by in off.items():
        weights[int(name[1:])] += by
    return Observation(tuple(weights), (LEAST_NOISE,) * 20, 2.6, Belief.exactly(stones_due(START)))


def since(*moved_us: int | None) -> tuple[PlaceReading, ...]:
    """Return what places say that lie there since 0, the kazan (18) since the last of these; None: moving."""
    lying = [PlaceReading(10.0, 0, "")] * 20
    for moved in moved_us:
        lying[KAZAN] = PlaceReading(None if moved is None else 10.0, moved, "")
    return tuple(lying)


def played(**off: float) -> Played:
    """Return the ply as seen, with some places off."""
    return Played((PLY,), seen(stones_due(PLY.after), **off).compare(change_of([PLY])))


def test_a_board_that_fits_well_is_believed_at_once() -> None:
    """A tenth of a stone is nothing."""
    assert Strain().rested(played(p3=0.1), since(0), 0)
    assert Strain().rested(played(p3=0.1), since(None), 0)


@pytest.mark.parametrize("still_us", [0, STILL_US - 1, STILL_US])
def test_a_place_that_fits_badly_must_lie_still(still_us: int) -> None:
    """A leaning hand comes and goes; what the other places do does not matter."""
    strained = played(p18=0.4)
    assert strained.weighed.sure
    assert strained.weighed.strained == (KAZAN,)
    assert Strain().rested(strained, since(0), still_us) is (still_us >= STILL_US)
    assert not Strain().rested(strained, since(None), 10 * STILL_US)


def test_a_pit_that_was_emptied_may_stray() -> None:
    """It shows at last what all its nine stones weighed together."""
    assert played(p6=0.4).weighed.strained == ()


@pytest.mark.parametrize("by", [0.25, 0.45])
def test_nothing_is_believed_while_somebody_leans_on_a_pit(by: float) -> None:
    """Where no stone was moved nothing else strays; what was weighed then is not believed later either."""
    strain = Strain()
    assert played(p3=by).weighed.leaned == (3,)
    assert not strain.rested(played(p3=by), since(0), 100 * STILL_US)
    assert strain.doubtful(played(p3=by).weighed) == ((3, 9, 10),)
    assert strain.rested(played(), since(0), 0)
    assert strain.leaned
    strain.clear()
    assert not strain.leaned


def test_a_hand_that_has_let_go_is_no_strain() -> None:
    """It leaned when the last ply was confirmed, so the pit weighs less now than it did then."""
    assert played(p3=-0.25).weighed.leaned == ()
    assert Strain().rested(played(p3=-0.25), since(0), 0)


def test_a_kazan_may_stray_a_little() -> None:
    """Its larger cell comes back later from what lay on it."""
    assert played(p19=0.2).weighed.leaned == ()
    assert Strain().rested(played(p19=0.2), since(0), 0)


def test_a_place_that_was_off_is_doubted_until_it_is_plain() -> None:
    """Named with what else may lie there; forgotten once the position was seen surely again."""
    strain = Strain()
    strain.look(seen(stones_due(START), p10=0.7), InProgress(-1))
    assert strain.doubtful(played(p10=0.25).weighed) == ((10, 10, 11),)
    assert not strain.rested(played(p10=0.25), since(0), 10 * STILL_US)
    assert strain.rested(played(p10=0.05), since(0), 0)
    strain.look(seen(stones_due(START)), Same(seen(stones_due(START)).compare(unchanged(START))))
    assert strain.doubtful(played(p10=0.25).weighed) == ()


def test_a_place_that_should_have_got_stones_and_has_not_moved_is_doubted() -> None:
    """Pit 9 gets one stone: it was three quarters too heavy before, and has not changed since."""
    strain = Strain()
    strain.look(seen(stones_due(START), p8=0.75), InProgress(-1))
    assert strain.doubtful(played(p8=-0.15).weighed) == ((8, 10, 9),)
    strain.look(seen(stones_due(START), p8=0.32), InProgress(-1))
    assert strain.doubtful(played(p8=-0.15).weighed) == ()


@pytest.mark.parametrize("by", [1.0, -3.0, 9.1, 0.2])
def test_whole_stones_and_small_change_are_not_off(by: float) -> None:
    """Stones that hands have taken or laid are no strain."""
    strain = Strain()
    strain.look(seen(stones_due(START), p10=by), InProgress(None))
    assert strain.doubtful(played(p10=0.25).weighed) == ()
