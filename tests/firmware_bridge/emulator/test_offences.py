"""Offences: each plan ends on the board it says, which is never the one due, and offends as its name says."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.emulator.offences import BEFORE_PRESS_S, Offence, OffendedPly, is_possible, plan
from firmware_bridge.emulator.strokes import Hold
from rules.position import START, Position, Side, Sowing, legal_moves, outcome, play, tuzdyk_owner
from tests.firmware_bridge.emulator.random_games import random_sowings
from tests.rules.endings.games import generated_games

EVERY = 50
"""One in so many generated games is looked through."""


@cache
def plies() -> tuple[Sowing, ...]:
    """Plies of generated games of every category, to their ends."""
    found = []
    for game in generated_games()[::EVERY]:
        position = START
        for number in game.moves:
            found.append(play(position, number))
            position = found[-1].after
    return tuple(found)


def board(position: Position) -> list[int]:
    """The twenty places."""
    return [*position.pits, *position.kazans]


def replayed(offended: OffendedPly) -> tuple[list[int], Counter[Hold]]:
    """The places and hands after the strokes; no stone is lifted that does not lie there."""
    places, hands = board(offended.sowing.before), Counter[Hold]()
    for stroke in offended.strokes:
        assert stroke.change
        places[stroke.place] += stroke.change
        hands[stroke.hold] -= stroke.change
        assert min(places) >= 0
        assert all(hands[hold] >= 0 for hold in (Hold.SOWING, Hold.OTHER))
    return places, hands


def stood_as_due(offended: OffendedPly) -> bool:
    """Whether the due board lay there on the way, with nothing in a hand."""
    strokes = offended.strokes
    due = board(offended.sowing.after)
    begun = (replayed(replace(offended, strokes=strokes[:count])) for count in range(1, len(strokes)))
    return any(places == due and not any(hands.values()) for places, hands in begun)


def some_plans(offence: Offence) -> Iterator[OffendedPly]:
    """Plans of an offence wherever it is possible."""
    for seed, sowing in enumerate(plies()):
        offended = plan(offence, sowing, Random(seed))
        if offended is not None:
            yield offended


@pytest.mark.parametrize("offence", list(Offence))
def test_a_plan_ends_on_the_board_it_says_and_never_on_the_due_one(offence: Offence) -> None:
    """Places, hand and what lies beside the board, at every ply of games of every kind; 162 remain."""
    found = 0
    for offended in some_plans(offence):
        found += 1
        places, hands = replayed(offended)
        assert tuple(places) == offended.stones
        assert hands[Hold.SOWING] + hands[Hold.OTHER] == offended.in_hand
        assert hands[offended.held_by] == offended.in_hand
        assert hands[Hold.BESIDE] == offended.boxed
        assert sum(places) + offended.in_hand + offended.boxed == 162
        assert places != board(offended.sowing.after)
        assert places != board(offended.sowing.before)
    assert found > 20


@pytest.mark.parametrize("offence", list(Offence))
def test_an_offence_is_possible_exactly_where_there_is_a_plan(offence: Offence) -> None:
    """Whatever the dice say."""
    for seed, sowing in enumerate(plies()[::7]):
        assert is_possible(offence, sowing) == (plan(offence, sowing, Random(seed)) is not None)


def ring(place: int, other: int) -> bool:
    """Whether two pits are neighbours on the way round."""
    return max(place, other) < 18 and (place - other) % 18 in (1, 17)


Difference = dict[int, int]
"""Stones too many by place; too few are negative."""


def moved(difference: Difference, stones: int = 1) -> bool:
    """So many stones lie in one place instead of another."""
    return sorted(difference.values()) == [-stones, stones]


Proof = Callable[[OffendedPly, Difference], bool]

LOOKS: dict[Offence, Proof] = {
    Offence.NEIGHBOUR: lambda _, d: moved(d) and any(place < 18 for place, more in d.items() if more > 0),
    Offence.KEPT_IN_HAND: lambda o, d: list(d.values()) == [-1] and o.in_hand == 1 and min(d) < 18,
    Offence.OFF_BOARD: lambda o, d: list(d.values()) == [-1] and o.boxed == 1 and min(d) < 18,
    Offence.EXTRA_FROM_BOX: lambda o, d: list(d.values()) == [1] and o.boxed == -1,
    Offence.EXTRA_FROM_PIT: lambda o, d: o.sowing.captured > 0 or moved(d),
    Offence.CAPTURE_NOT_TAKEN: lambda o, d: d == taken(o, -o.sowing.captured),
    Offence.CAPTURED_ODD: lambda o, d: d == taken(o, odd(o)) and odd(o) % 2 == 1,
    Offence.CAPTURED_OWN: lambda o, d: d == taken(o, odd(o)) and o.sowing.last_index // 9 == mover(o),
    Offence.CAPTURED_ONE_FEWER: lambda o, d: d == taken(o, -1),
    Offence.CAPTURED_ONE_MORE: lambda o, d: (
        moved(d) and d[18 + mover(o)] == 1 and any(ring(place, o.sowing.last_index) for place in d)
    ),
    Offence.CAPTURED_TO_OPPONENT: lambda o, d: (
        d == {18 + mover(o): -o.sowing.captured, 19 - mover(o): o.sowing.captured}
    ),
    Offence.LEFT_IN_TUZDYK: lambda o, d: (
        moved(d) and any(tuzdyk_owner(p, o.sowing.before.tuzdyks) for p, more in d.items() if more > 0)
    ),
    Offence.TUZDYK_TO_WRONG_KAZAN: lambda _, d: moved(d) and min(d) >= 18,
    Offence.KAZAN_ONE: lambda _, d: moved(d) and min(d) >= 18,
    Offence.KAZAN_SEVERAL: lambda _, d: (
        min(d) >= 18 and sum(d.values()) == 0 and max(d.values()) in range(2, 7)
    ),
    Offence.MOVED_AFTERWARDS: lambda _, d: moved(d) and ring(*d),
    Offence.BANKED_AFTERWARDS: lambda o, d: moved(d) and d[18 + mover(o)] == 1 and min(d) < 18,
    Offence.PALMED_AFTERWARDS: lambda o, d: (
        list(d.values()) == [-1] and min(d) >= 18 and o.in_hand + o.boxed == 1
    ),
}


def mover(offended: OffendedPly) -> int:
    """0 or 1."""
    return offended.sowing.side.index


def odd(offended: OffendedPly) -> int:
    """What lies in the last pit as it should."""
    return offended.sowing.after.pits[offended.sowing.last_index]


def taken(offended: OffendedPly, stones: int) -> Difference:
    """So many stones more went from the last pit to the mover's kazan."""
    return {offended.sowing.last_index: -stones, 18 + mover(offended): stones}


@pytest.mark.parametrize("offence", list(LOOKS))
def test_the_board_differs_from_the_due_one_as_the_name_says(offence: Offence) -> None:
    """Where the difference alone tells the offence."""
    for offended in some_plans(offence):
        pairs = zip(offended.stones, board(offended.sowing.after), strict=True)
        difference = {place: there - due for place, (there, due) in enumerate(pairs) if there != due}
        assert LOOKS[offence](offended, difference), (offended.sowing, difference)


def after_two_moves() -> Sowing:
    """Qostaushy's 9 after bastaushy's 9: ten stones from index 17, the last into index 8, which holds one."""
    return play(play(START, 9).after, 9)


def laid(offended: OffendedPly) -> tuple[int, ...]:
    """Where the sowing hand let its stones fall, one by one; what it carried in handfuls is left out."""
    return tuple(
        stroke.place for stroke in offended.strokes if stroke.change == 1 and stroke.hold is Hold.SOWING
    )


def ways(offence: Offence, sowing: Sowing) -> set[tuple[int, ...]]:
    """The ways of two hundred hands."""
    plans = (plan(offence, sowing, Random(seed)) for seed in range(200))
    return {laid(offended) for offended in plans if offended is not None}


def test_each_wrong_sowing_lays_its_stones_along_its_own_way() -> None:
    """Bastaushy's first move from pit 7: nine stones from index 6 to 14, where ten are taken."""
    sowing = play(START, 7)
    assert sowing.path == (6, 7, 8, 9, 10, 11, 12, 13, 14)
    assert ways(Offence.WRONG_WAY, sowing) == {(6, 5, 4, 3, 2, 1, 0, 17, 16)}
    assert ways(Offence.FIRST_NOT_LEFT, sowing) == {(7, 8, 9, 10, 11, 12, 13, 14, 15)}
    assert ways(Offence.ONE_PAST, sowing) == {(6, 7, 8, 9, 10, 11, 12, 13, 15)}
    assert ways(Offence.ONE_SHORT, sowing) == {(6, 7, 8, 9, 10, 11, 12, 13), (6, 7, 8, 9, 10, 11, 12, 13, 18)}
    assert (6, 7, 9, 10, 11, 12, 13, 14, 15) in ways(Offence.SKIPPED_PIT, sowing)
    assert (6, 7, 7, 8, 9, 10, 11, 12, 13) in ways(Offence.TWO_IN_ONE, sowing)
    assert {(7, 7, 8), (5, 7, 8), (6, 8, 8), (6, 6, 8)} <= {
        way[:3] for way in ways(Offence.NEIGHBOUR, sowing)
    }
    assert len(ways(Offence.SKIPPED_PIT, sowing)) == 7
    assert len(ways(Offence.TWO_IN_ONE, sowing)) == 8
    assert (6, 7, 8, 9, 10, 11, 12, 13, 14, 15) in ways(Offence.EXTRA_FROM_PIT, sowing)


def test_a_wrong_sowing_may_take_what_it_seems_to_win() -> None:
    """One past the end there lie ten stones too: some hands take them, some do not."""
    kazans = {
        offended.stones[18]
        for seed in range(50)
        if (offended := plan(Offence.ONE_PAST, play(START, 7), Random(seed)))
    }
    assert kazans == {0, 10}


@pytest.mark.parametrize(
    ("offence", "marked"),
    [
        (Offence.NEIGHBOUR, True),
        (Offence.CAPTURED_TO_OPPONENT, True),
        (Offence.CAPTURED_ONE_FEWER, False),
        (Offence.CAPTURE_NOT_TAKEN, False),
        (Offence.ONE_PAST, False),
        (Offence.WRONG_WAY, False),
    ],
)
def test_a_mark_is_laid_where_the_tuzdyk_seems_won(offence: Offence, *, marked: bool) -> None:
    """Who takes all three lays it; who takes fewer or ends elsewhere does not."""
    won = [sowing for sowing in plies() if sowing.tuzdyk is not None]
    assert len(won) > 5
    plans = [plan(offence, sowing, Random(1)) for sowing in won]
    assert {offended.mark_after is not None for offended in plans if offended is not None} == {marked}


def test_eighteen_stones_hide_where_they_began() -> None:
    """A round of eighteen leaves one stone in every pit, wherever it begins and whichever way it goes."""
    pits = (0, 18, *(9,) * 16)
    sowing = play(Position(pits, (0, 0), (None, None), Side.BASTAUSHY), 2)
    assert not sowing.captured
    assert not is_possible(Offence.FIRST_NOT_LEFT, sowing)
    assert not is_possible(Offence.WRONG_WAY, sowing)


def test_nothing_offends_a_game_that_is_over() -> None:
    """Where the due board has ended the game, no plan lets it lie there on the way."""
    endings = [sowing for sowing in plies() if outcome(sowing.after) is not None]
    assert len(endings) >= 5
    for sowing in endings:
        assert not is_possible(Offence.KAZAN_ONE, sowing)
        for offence in Offence:
            offended = plan(offence, sowing, Random(1))
            assert offended is None or offended.before_press_s is None


@settings(max_examples=50, deadline=None)
@given(game=st.integers(0, 2**32), seed=st.integers(0, 2**32), offence=st.sampled_from(Offence))
def test_a_late_offence_is_timed_before_the_press(game: int, seed: int, offence: Offence) -> None:
    """What comes after the due board stood there says how long before the press; the mark lies by then."""
    for nth, sowing in enumerate(random_sowings(game)):
        offended = plan(offence, sowing, Random(seed + nth))
        if offended is None:
            continue
        late = stood_as_due(offended)
        assert (offended.before_press_s is not None) == late
        if late:
            assert BEFORE_PRESS_S[0] <= (offended.before_press_s or 0) <= BEFORE_PRESS_S[1]
        if sowing.tuzdyk is not None and late:
            assert offended.mark_after is not None
            assert offended.mark_after < len(offended.strokes)
        if sowing.tuzdyk is None:
            assert offended.mark_after is None


def test_boards_that_weights_cannot_tell_from_legal_ones_are_named() -> None:
    """Independently looked for: by another ply from before, or by the due ply and an answer."""
    answers = 0
    for seed, sowing in enumerate(plies()[::4]):
        others = ends(sowing.before)
        replies = ends(sowing.after)
        for offence in Offence:
            offended = plan(offence, sowing, Random(seed))
            if offended is not None:
                assert offended.same_as == others.get(offended.stones)
                assert offended.reply_as == replies.get(offended.stones)
                answers += offended.reply_as is not None
    assert answers > 10


def ends(position: Position) -> dict[tuple[int, ...], Sowing]:
    """Every legal ply by the stones it ends with."""
    plies_there = [play(position, number) for number in legal_moves(position)]
    return {tuple(board(ply.after)): ply for ply in plies_there}


def test_the_same_dice_make_the_same_plan() -> None:
    """And others make others."""
    sowing = after_two_moves()
    first = [plan(offence, sowing, Random(3)) for offence in Offence]
    assert first == [plan(offence, sowing, Random(3)) for offence in Offence]
    assert first != [plan(offence, sowing, Random(4)) for offence in Offence]
