"""Breaches: each plan ends on the board it says, offends as its name says, and can be put right."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from firmware_bridge.emulator.breaches import AS_DUE, Breach
from firmware_bridge.emulator.offences import Offence, OffendedPly, is_possible, plan
from firmware_bridge.emulator.strokes import Hold
from rules.position import Sowing, board_of, number_of, outcome, side_of
from tests.firmware_bridge.emulator.random_games import random_sowings

GAMES = 40


@cache
def plies() -> tuple[Sowing, ...]:
    """Plies of random games to their ends."""
    return tuple(sowing for game in range(GAMES) for sowing in random_sowings(game))


def some_plans(breach: Breach, most: int = 40) -> Iterator[OffendedPly]:
    """Plans of a breach wherever it is possible."""
    found = 0
    for seed, sowing in enumerate(plies()):
        offended = plan(breach, sowing, Random(seed))
        if offended is not None:
            yield offended
            found += 1
        if found == most:
            return


def test_no_kind_has_the_name_of_another_but_the_one_that_is_the_same_fault() -> None:
    """There are at least forty."""
    names = [each.value for each in (*Offence, *Breach)]
    assert len(names) >= 40
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("breach", list(Breach))
def test_a_plan_ends_on_the_board_it_says(breach: Breach) -> None:
    """No stone is lifted that does not lie there, 162 remain, and only breaches of conduct end as due."""
    found = 0
    for offended in some_plans(breach):
        found += 1
        places = list(board_of(offended.sowing.before))
        for stroke in offended.strokes:
            places[stroke.place] += stroke.change
            assert min(places) >= 0
        assert tuple(places) == offended.stones
        assert sum(places) + offended.in_hand + offended.boxed == 162
        assert offended.as_due == (breach in AS_DUE)
        assert outcome(offended.sowing.before) is None
    assert found > 0


def test_a_breach_is_possible_exactly_where_there_is_a_plan() -> None:
    """Whatever the dice say."""
    for breach in Breach:
        for seed, sowing in enumerate(plies()[::29]):
            assert is_possible(breach, sowing) == (plan(breach, sowing, Random(seed)) is not None)


@pytest.mark.parametrize(
    ("breach", "who"),
    [
        (Breach.PRESSED_OUT_OF_TURN, "o"),
        (Breach.BOTH_PRESSED, "om"),
        (Breach.OUT_OF_TURN, "o"),
        (Breach.PRESSED_WITHOUT_MOVE, "m"),
        (Breach.CAPTURE_AFTER_PRESS, "m"),
        (Breach.MOVED_TWICE, "m"),
    ],
)
def test_who_presses(breach: Breach, who: str) -> None:
    """`m` is the player to move, `o` the other; where nothing is said the mover presses at the end."""
    for offended in some_plans(breach):
        side = offended.sowing.side
        assert offended.presses == tuple(side if each == "m" else side.opponent for each in who)


def test_claims_without_right_are_three_stones_and_a_mark() -> None:
    """On a ninth pit, on the number of the opponent's, and a second one."""
    for breach in (Breach.TUZDYK_ON_NINE, Breach.TUZDYK_SAME_NUMBER, Breach.TUZDYK_SECOND):
        for offended in some_plans(breach):
            last, sowing = offended.sowing.last_index, offended.sowing
            assert offended.stones[last] == 0
            assert side_of(last) is not sowing.side
            assert (number_of(last) == 9) == (breach is Breach.TUZDYK_ON_NINE)
            assert [aside.mark for aside in offended.asides] in ([last], [])


def test_stones_laid_after_the_press_were_in_the_hand_at_it() -> None:
    """All that was won, or the last stone."""
    for breach in (Breach.CAPTURE_AFTER_PRESS, Breach.LAST_AFTER_PRESS):
        for offended in some_plans(breach):
            press = next(aside for aside in offended.asides if aside.press is not None)
            late = offended.strokes[press.after :]
            assert sum(stroke.change for stroke in late) == (offended.sowing.captured or 1)
            assert {stroke.hold for stroke in late} == {Hold.SOWING}
