"""What a quiet board means, judged from the last position."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board.counting.belief import Belief
from firmware_bridge.board.counting.lots import stones_due, swept_stones
from firmware_bridge.board.counting.observation import LEAST_NOISE, Observation
from firmware_bridge.board.watching.reconciler import (
    Ambiguous,
    Differs,
    InProgress,
    Played,
    Same,
    Unreadable,
    reconcile,
)
from rules.position import START, Position, Side, legal_moves, outcome, play
from tests.firmware_bridge.board.lines import random_position

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


def seen(
    before: Position, stones: Sequence[float | None], unread: tuple[tuple[int, str], ...] = ()
) -> Observation:
    """Return an observation of exactly these stones, where `before` lay when it was confirmed."""
    weights = tuple(None if n is None else float(n) for n in stones)
    return Observation(weights, (LEAST_NOISE,) * 20, 2.6, Belief.exactly(stones_due(before)), unread)


@given(seed=st.integers(0, 10_000), plies=st.integers(0, 120), pick=st.integers(0, 8))
def test_every_legal_ply_is_recognised_as_itself(seed: int, plies: int, pick: int) -> None:
    """From any position of a game, each legal ply's board means that ply and no other."""
    position = random_position(seed, plies)
    moves = legal_moves(position)
    sowing = play(position, moves[pick % len(moves)])
    verdict = reconcile(position, seen(position, stones_due(sowing.after)), (position.to_move,))
    assert isinstance(verdict, Played)
    assert verdict.plies == (sowing,)


@given(seed=st.integers(0, 10_000), plies=st.integers(0, 120))
def test_the_position_itself_is_the_same(seed: int, plies: int) -> None:
    """Nothing was played."""
    position = random_position(seed, plies)
    assert isinstance(reconcile(position, seen(position, stones_due(position))), Same)


@given(
    seed=st.integers(0, 10_000),
    plies=st.integers(0, 100),
    pick=st.integers(0, 8),
    source=st.integers(0, 19),
    target=st.integers(0, 19),
)
def test_a_stone_in_the_wrong_place_is_never_taken_for_that_ply(
    seed: int, plies: int, pick: int, source: int, target: int
) -> None:
    """One stone moved after a legal ply: the ply is not recognised."""
    position = random_position(seed, plies)
    moves = legal_moves(position)
    sowing = play(position, moves[pick % len(moves)])
    stones = list(stones_due(sowing.after))
    if source == target or stones[source] == 0:
        return
    stones[source] -= 1
    stones[target] += 1
    verdict = reconcile(position, seen(position, stones), (position.to_move,))
    assert not (isinstance(verdict, Played) and verdict.plies == (sowing,))


def test_two_plies_need_two_presses() -> None:
    """Without the second press nothing is guessed."""
    first = play(START, 7)
    second = play(first.after, 9)
    board = seen(START, stones_due(second.after))
    assert isinstance(reconcile(START, board, (B,)), Differs)
    verdict = reconcile(START, board, (B, Q))
    assert isinstance(verdict, Played)
    assert verdict.plies == (first, second)


def test_three_plies_with_three_presses() -> None:
    """The limit of what is searched."""
    line = [play(START, 7)]
    line.append(play(line[-1].after, 9))
    line.append(play(line[-1].after, 5))
    verdict = reconcile(START, seen(START, stones_due(line[-1].after)), (B, Q, B))
    assert isinstance(verdict, Played)
    assert verdict.plies == tuple(line)


def test_lines_that_end_on_one_board_are_asked_about_unless_one_was_seen() -> None:
    """After the sweep two last plies look alike: what lay quietly before it decides, nothing is guessed."""
    position = Position(
        pits=(0, 0, 0, 0, 0, 0, 1, 1, 0, *(0,) * 9), kazans=(80, 80), tuzdyks=(None, None), to_move=B
    )
    plies = [play(position, number) for number in legal_moves(position)]
    swept = swept_stones(plies[0].after)
    assert swept is not None
    assert reconcile(position, seen(position, swept)) == Ambiguous(tuple((ply,) for ply in plies))
    for ply in plies:
        verdict = reconcile(position, seen(position, swept), hint=(ply,))
        assert isinstance(verdict, Played)
        assert verdict.plies == (ply,)


def test_a_finished_game_may_lie_one_ply_beyond_the_presses() -> None:
    """Nobody presses after reaching 82, so the last ply is found without a press; another one is not."""
    position = Position(
        pits=(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1),
        kazans=(80, 79),
        tuzdyks=(None, None),
        to_move=Q,
    )
    first = play(position, 9)
    last = play(first.after, 9)
    assert outcome(last.after) is not None
    verdict = reconcile(position, seen(position, stones_due(last.after)), (Q,))
    assert isinstance(verdict, Played)
    assert verdict.plies == (first, last)
    quiet = play(first.after, legal_moves(first.after)[0])
    assert outcome(quiet.after) is None
    assert isinstance(reconcile(position, seen(position, stones_due(quiet.after)), (Q,)), Differs)


def test_stones_in_hand_are_counted() -> None:
    """Fewer than 162 is a hand, more is a foreign object."""
    stones = list(stones_due(START))
    stones[0] = 0
    assert reconcile(START, seen(START, stones)) == InProgress(9)
    stones[0] = 12
    assert reconcile(START, seen(START, stones)) == InProgress(-3)


def test_a_place_that_cannot_be_read_makes_no_verdict() -> None:
    """Unknown is a value; a moving place only means to wait."""
    stones: tuple[float | None, ...] = (None, *(9.0 for _ in range(17)), 0.0, 0.0)
    assert reconcile(START, seen(START, stones, ((0, "moving"),))) == InProgress(None)
    stones = (None, None, *stones[2:])
    dead = ((0, "saturated"), (1, "stuck"))
    assert reconcile(START, seen(START, stones, dead)) == Unreadable(dead)


def test_an_atsyrau_is_recognised_before_and_after_the_sweep() -> None:
    """The opponent may take what is left at once, or leave it lying."""
    position = Position(
        pits=(0, 0, 0, 0, 0, 0, 0, 2, 0, *(0,) * 9), kazans=(80, 80), tuzdyks=(None, None), to_move=B
    )
    sowing = play(position, 8)
    swept = swept_stones(sowing.after)
    assert swept == (*(0,) * 18, 82, 80)
    for stones, is_swept in ((stones_due(sowing.after), False), (swept, True)):
        verdict = reconcile(position, seen(position, stones))
        assert isinstance(verdict, Played)
        assert verdict.plies == (sowing,)
        assert verdict.swept is is_swept


def test_the_nearest_legal_ply_is_named() -> None:
    """What differs is told from the ply that comes nearest, not from the board before it."""
    sowing = play(START, 7)
    stones = list(stones_due(sowing.after))
    stones[9] -= 1
    stones[10] += 1
    assert reconcile(START, seen(START, stones), (B,)) == Differs((9, 10), sowing)
