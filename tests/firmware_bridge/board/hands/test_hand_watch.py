"""What hands do is seen as it happens, whatever they do."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.board.hands.events import (
    Amount,
    Banked,
    Captured,
    Extra,
    Fell,
    HandsEmpty,
    Lifted,
    MarkLaid,
    Missing,
    SowingEvent,
    TakenUp,
    Touched,
    Unseen,
)
from firmware_bridge.board.hands.hand_watch import amount_of
from rules.position import START, Position, Sowing, play, tuzdyk_owner
from tests.firmware_bridge.board.hands.strokes import FIRST, MARK, MS, ONE, Table, of, plies, sown


def kinds(events: list[SowingEvent]) -> list[str]:
    """Return what was said, without when."""
    return [type(event).__name__ for event in events]


def test_a_ply_by_the_book_is_told_from_lift_to_bank() -> None:
    """Lift, nine falls in order, capture and bank, with hands empty at the end."""
    table = Table(START)
    said = table.play(sown(ONE, 200, 400))
    assert kinds(said) == [
        "Lifted", *["Fell"] * 9, "HandsEmpty", "Captured", "Banked", "HandsEmpty",
    ]  # fmt: skip
    lifted, captured, banked = said[0], said[-3], said[-2]
    assert isinstance(lifted, Lifted)
    assert (lifted.side, lifted.place, lifted.amount) == (FIRST, 5, Amount(9, 9, 9))
    assert [event.place for event in table.watching.seen.fell] == list(ONE.path)
    assert isinstance(captured, Captured)
    assert (captured.place, captured.amount.stones) == (13, 10)
    assert isinstance(banked, Banked)
    assert (banked.kazan, banked.source, banked.amount.stones) == (FIRST, 13, 10)
    assert table.watching.follows(ONE).agrees


def test_moments_are_told_within_their_bounds() -> None:
    """Each fall happened between its bounds."""
    table = Table(START)
    begin_us = table.now_us + 200 * MS
    table.play(sown(ONE, 200, 400))
    for nth, fall in enumerate(table.watching.seen.fell, 1):
        assert fall.when.early_us <= begin_us + nth * 400 * MS <= fall.when.late_us
        assert abs(fall.when.at_us - begin_us - nth * 400 * MS) <= 60 * MS


@settings(max_examples=60, deadline=None)
@given(
    game=st.integers(0, 499),
    nth=st.integers(0, 150),
    every_ms=st.integers(10, 900),
    carry_ms=st.integers(250, 900),
    offset=st.lists(st.floats(-4, 4), min_size=20, max_size=20),
)
def test_the_falls_of_every_ply_are_its_path(
    game: int, nth: int, every_ms: int, carry_ms: int, offset: list[float]
) -> None:
    """At any spacing each stone is seen where it fell; what is said to be certain is true."""
    line = plies(game, nth + 1)
    sowing = line[-1]
    table = Table(sowing.before, offset)
    table.play(sown(sowing, 130, every_ms, carry_ms))
    verdict = table.watching.follows(sowing)
    assert verdict.agrees, verdict
    (turn,) = table.watching.seen.turns
    path = [place for place in sowing.path if tuzdyk_owner(place, sowing.before.tuzdyks) is None]
    seen = [fall.place for fall in turn.fell for _ in range(fall.amount.stones)]
    if len(seen) < len(path):
        path = path[1:]  # it was back before it was gone
    assert Counter(seen) == Counter(path)
    if every_ms >= 200:
        assert seen == path
    if every_ms >= 300:
        assert all(one.when.surely_before(two.when) for one, two in pairwise(turn.fell))


@pytest.mark.parametrize("together", [2, 3, 8])
def test_several_stones_per_drop_are_counted(together: int) -> None:
    """Stones that fall together are one fall of several, and do not follow the rule's path."""
    table = Table(START)
    table.play([(200, 5, -9), (700, 6, together), (1200, 7, 9 - together)])
    assert [(item.place, item.amount.stones) for item in table.watching.seen.fell] == [
        (6, together),
        (7, 9 - together),
    ]
    assert table.watching.follows(ONE).wrong == ((6, 7) if together < 8 else (6,))


def test_a_pit_lifted_in_two_handfuls_is_one_turn() -> None:
    """Two lifts of the same pit are one turn of nine stones."""
    table = Table(START)
    strokes = sown(ONE, 900, 400)[1:]
    said = table.play([(200, 5, -5), (700, 5, -4), *strokes])
    assert [event.amount.stones for event in of(said, Lifted) if isinstance(event, Lifted)] == [5, 4]
    assert table.watching.follows(ONE).agrees


def test_a_capture_goes_in_two_handfuls() -> None:
    """Both handfuls are captures, and both are banked."""
    table = Table(START)
    strokes = sown(ONE, 200, 300)[:-2]
    said = table.play([*strokes, (3500, 13, -4), (4000, 18, 4), (4500, 13, -6), (5000, 18, 6)])
    assert [event.amount.stones for event in of(said, Captured) if isinstance(event, Captured)] == [4, 6]
    assert table.watching.follows(ONE).agrees


def test_a_hand_that_rests_while_it_gathers_is_no_stone() -> None:
    """What weighs more than hands hold is a hand, and nothing is counted for it."""
    table = Table(START)
    strokes = sown(ONE, 900, 400)
    said = table.play([(200, 5, 7.3), (900, 5, -7.3), *strokes])
    assert kinds(said)[:2] == ["HandRests", "Lifted"]
    assert table.watching.follows(ONE).agrees


def test_a_hand_of_whole_stones_is_still_a_hand() -> None:
    """Seven stones too many while no hand holds any are no stones."""
    table = Table(START)
    said = table.play([(200, 5, 7), (900, 5, -7)])
    assert kinds(said) == ["HandRests", "Touched"]
    assert table.watching.seen.touched == {5}
    assert not table.watching.seen.turns


def test_a_hand_that_trembles_holds_nothing_up_for_long() -> None:
    """A place that never comes to rest does not hide what happens elsewhere."""
    table = Table(START)
    trembling = [(100 + 50 * nth, 8, 3.0 if nth % 2 else -3.0) for nth in range(1, 81)]
    strokes = [stroke for stroke in sown(play(START, 5), 400, 300) if stroke[1] != 8]
    said = table.play([(100, 8, 3.0), *trembling, *strokes], rest_ms=0)
    assert len(of(said, Fell)) >= 6
    assert 8 in table.watching.seen.moving


@pytest.mark.parametrize("grips", [(), (-1.4,), (-1.4, 2.2), (0.9, 1.2, -2.6)])
def test_a_stone_that_fell_under_a_resting_hand_is_not_dated_by_how_the_hand_moved(
    grips: tuple[float, ...],
) -> None:
    """A hand that comes down with the last stone, and leans there this way and that, hides when it fell."""
    table = Table(START)
    sowing = play(START, 1)
    *strokes, (last_ms, place, _) = sown(sowing, 200, 400)
    fell_us = table.now_us + last_ms * MS
    hand = [(last_ms, place, 4.5), *((last_ms + 900 * nth, place, grip) for nth, grip in enumerate(grips, 1))]
    left = (last_ms + 900 * (len(grips) + 1), place, -4.5 - sum(grips))
    table.play([*strokes, (last_ms, place, 1.0), *hand, left])
    fall = table.watching.seen.fell[-1]
    assert fall.place == place
    assert fall.when.early_us <= fell_us <= fall.when.late_us


def test_touching_with_a_pen_changes_nothing() -> None:
    """A short press that leaves everything as it was is told as a touch."""
    table = Table(START)
    said = table.play([(200, 12, 0.7), (400, 12, -0.7)])
    assert kinds(said) in (["Touched"], ["HandRests", "Touched"])
    assert isinstance(said[-1], Touched)
    assert table.watching.seen.in_hand == 0


def test_stones_taken_up_again_are_in_hand_again() -> None:
    """A stone laid wrongly, taken up and laid right agrees with the ply at the end."""
    table = Table(START)
    strokes = sown(ONE, 200, 400)
    wrong = [(600, 5, 1), (1000, 7, 1), (1500, 7, -1)]
    later = [(at_ms + 900, place, change) for at_ms, place, change in strokes[2:]]
    said = table.play([strokes[0], *wrong, *later])
    (taken,) = of(said, TakenUp)
    assert isinstance(taken, TakenUp)
    assert (taken.place, taken.amount.stones, taken.tuzdyk) == (7, 1, False)
    assert table.watching.follows(ONE).agrees


def test_stones_in_hand_are_told_with_their_age() -> None:
    """While five are in hand the summary says so, whose and since when."""
    table = Table(START)
    begin_us = table.now_us
    table.play(sown(ONE, 200, 400)[:5], rest_ms=3000)
    (turn,) = table.watching.seen.turns
    assert (turn.side, turn.in_hand, turn.carried) == (FIRST, 5, 0)
    assert turn.since_us is not None
    assert abs(turn.since_us - begin_us - 1800 * MS) <= 60 * MS
    assert not of(table.events, HandsEmpty)


def test_a_stone_passes_through_a_tuzdyk() -> None:
    """Laid into the tuzdyk and fetched from it, a stone is banked by its owner; at once or at the end."""
    line = next(
        line for line in (plies(index) for index in range(500)) if any(_crosses(sowing) for sowing in line)
    )
    sowing = next(sowing for sowing in line if _crosses(sowing))
    (crossed,) = _crosses(sowing)
    owner = tuzdyk_owner(crossed, sowing.before.tuzdyks)
    assert owner is not None
    kazan = 18 + owner.index
    strokes = sown(sowing, 200, 400)
    nth = sowing.path.index(crossed) + 1
    at_ms = strokes[nth][0]
    for fetched_ms in (at_ms + 1200, strokes[-1][0] + 800):
        table = Table(sowing.before)
        through = [(at_ms, crossed, 1), (fetched_ms, crossed, -1), (fetched_ms + 600, kazan, 1)]
        said = table.play([*strokes[:nth], *through, *strokes[nth + 1 :]])
        (taken,) = of(said, TakenUp)
        assert isinstance(taken, TakenUp)
        assert taken.tuzdyk
        assert table.watching.follows(sowing).agrees
        assert table.watching.seen.in_hand == 0


def _crosses(sowing: Sowing) -> list[int]:
    owned = [place for place in sowing.path if tuzdyk_owner(place, sowing.before.tuzdyks) is not None]
    return owned if len(owned) == 1 and sowing.stones > 4 and not sowing.captured else []


def test_the_mark_of_a_new_tuzdyk_is_no_stone() -> None:
    """Three stones captured, then something of a mark's mass: a mark, before or after the press."""
    sowing = next(
        sowing for line in (plies(index) for index in range(40)) for sowing in line if sowing.tuzdyk
    )
    strokes = sown(sowing, 200, 300)
    laid = (strokes[-1][0] + 700, sowing.last_index, MARK)
    table = Table(sowing.before)
    (mark,) = of(table.play([*strokes, laid]), MarkLaid)
    assert isinstance(mark, MarkLaid)
    assert mark.place == sowing.last_index
    later = Table(sowing.before)
    later.play(strokes)
    later.watching.confirm(sowing.after, later.now_us)
    assert of(later.play([(300, sowing.last_index, MARK)]), MarkLaid)


def test_stones_missing_after_the_press_are_told() -> None:
    """Two stones kept in hand behind the press are missing, not before."""
    table = Table(START)
    said = table.play(sown(play(START, 5), 200, 300)[:8], rest_ms=4000)
    assert not of(said, Missing)
    table.watching.pressed(FIRST, table.now_us)
    (missing,) = of(table.play([], 1000), Missing)
    assert isinstance(missing, Missing)
    assert (missing.side, missing.amount.stones) == (FIRST, 2)


def test_foreign_stones_are_told_once() -> None:
    """Three stones from elsewhere that nobody takes away are extra stones."""
    table = Table(START)
    said = table.play([(300, 3, 3)], rest_ms=9000)
    assert kinds(said) == ["HandRests", "Extra"]
    extra = said[-1]
    assert isinstance(extra, Extra)
    assert (extra.place, extra.amount.stones) == (3, 3)


def test_a_dead_place_is_named_and_what_changed_there_is_bounded() -> None:
    """A fall while a place cannot be read is told afterwards, at some time within the gap."""
    table = Table(START)
    strokes = sown(play(START, 5), 200, 300)
    table.play(strokes[:3])
    table.broken[6] = "no answer"
    gap_us = table.now_us
    said = table.play([(strokes[3][0] - 800, 6, 1)])
    assert [type(event) for event in said] == [Unseen]
    assert table.watching.seen.unseen == {6}
    del table.broken[6]
    (fell,) = of(table.play([]), Fell)
    assert isinstance(fell, Fell)
    assert fell.place == 6
    assert fell.when.early_us <= gap_us < table.now_us - 1000 * MS <= fell.when.late_us + 600 * MS


def test_a_slow_drift_is_no_event() -> None:
    """A zero that creeps by three stones in a minute is followed."""
    table = Table(START)
    said = table.play([(nth * 1000, place, 0.04) for nth in range(60) for place in range(20)])
    assert said == []
    assert of(table.play(sown(ONE, 200, 400)), Lifted)
    assert table.watching.follows(ONE).agrees


@given(st.integers(0, 60), st.floats(-0.3, 0.3))
def test_an_amount_holds_the_truth(stones: int, error: float) -> None:
    """Bounds hold the number that was weighed, and the nearest number lies within them."""
    amount = amount_of(stones + error, 0.3)
    assert amount.low <= stones <= amount.high
    assert amount.low <= amount.stones <= amount.high


def test_a_whole_game_leaves_nothing_in_hands() -> None:
    """Ply after ply confirmed, hands are empty after each and every ply is followed."""
    line = plies(17, 60)
    table = Table(line[0].before)
    for sowing in line:
        table.play(sown(sowing, 200, 250), rest_ms=700)
        assert table.watching.follows(sowing).agrees, sowing
        assert table.watching.seen.in_hand == 0
        table.watching.confirm(sowing.after, table.now_us)
        assert table.watching.position == sowing.after


def test_nothing_is_said_of_a_board_at_rest() -> None:
    """Ten seconds of nothing are nothing."""
    assert Table(Position((9,) * 18, (0, 0), (None, None), FIRST)).play([], 10_000) == []
