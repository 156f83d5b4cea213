"""The rulebook, packed positions and lines against two programs that have nothing from them."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings

from rules import (
    START,
    Line,
    Outcome,
    Position,
    Side,
    Sowing,
    legal_moves,
    outcome,
    pack,
    play,
    tuzdyk_owner,
    unpack,
)
from rules.packed import PACKED_START, moves, sow
from tests.rules.boards import positions, random_game
from tests.rules.second_opinion import PLAYERS, StoneBoard
from tests.rules.turntable import ME, NOBODY, YOU, Turntable

PITS = [player + str(number) for player in PLAYERS for number in range(1, 10)]
LETTERS = {Side.BASTAUSHY: "b", Side.QOSTAUSHY: "q"}


def stones_of(position: Position) -> StoneBoard:
    """Return the second program's board for a position."""
    places = [pit for pit, stones in zip(PITS, position.pits, strict=True) for _ in range(stones)]
    for player, stones in zip(PLAYERS, position.kazans, strict=True):
        places += ["kazan " + player] * stones
    owners = {
        pit: LETTERS[owner]
        for index, pit in enumerate(PITS)
        if (owner := tuzdyk_owner(index, position.tuzdyks)) is not None
    }
    return StoneBoard(places, owners, LETTERS[position.to_move])


def same_board(stones: StoneBoard, position: Position) -> bool:
    """Return whether both programs see the same position."""
    other = stones_of(position)
    return (
        Counter(stones.places) == Counter(other.places)
        and stones.owners == other.owners
        and stones.mover == other.mover
        and stones.choices() == list(legal_moves(position))
        and stones.verdict() == _letter(outcome(position))
    )


def _letter(end: Outcome | None) -> str | None:
    if end is None:
        return None
    return "draw" if end.winner is None else LETTERS[end.winner]


def assert_same_move(stones: StoneBoard, sowing: Sowing) -> None:
    """Play the move on the second board and compares the way of the stones and what was taken."""
    fallen, taken = stones.move(sowing.number)
    assert [PITS[index] for index in sowing.path] == fallen
    assert sowing.captured == taken


def test_the_second_program_is_laid_out_the_same() -> None:
    """Both begin alike."""
    assert same_board(StoneBoard.laid_out(), START)


def test_three_hundred_random_games_agree_state_by_state() -> None:
    """Every ply of every game, to the very end."""
    plies = 0
    for seed in range(300):
        stones = StoneBoard.laid_out()
        for position, number in random_game(seed):
            sowing = play(position, number)
            assert_same_move(stones, sowing)
            assert same_board(stones, sowing.after), (seed, str(sowing.after))
            plies += 1
        assert stones.verdict() is not None
    assert plies > 300 * 50


def table_of(position: Position) -> Turntable:
    """Return the third program's board for a position."""
    first = position.to_move is Side.BASTAUSHY
    table, purses = list(position.pits), list(position.kazans)
    whose = [NOBODY] * 18
    for index in range(18):
        owner = tuzdyk_owner(index, position.tuzdyks)
        whose[index] = NOBODY if owner is None else ME if owner is position.to_move else YOU
    if not first:
        table, purses, whose = table[9:] + table[:9], purses[::-1], whose[9:] + whose[:9]
    return Turntable(table, whose, {ME: purses[0], YOU: purses[1]}, first=first)


def assert_same_table(table: Turntable, position: Position) -> None:
    """Compare two boards, what may be played there and how the game stands."""
    first = position.to_move is Side.BASTAUSHY
    assert table.seen() == (position.pits, position.kazans, position.tuzdyks, first)
    choices = table.choices()
    assert list(legal_moves(position)) == choices
    if not choices:
        end = outcome(position)
        assert end is not None
        assert end.kazans == table.totals()


@pytest.mark.parametrize("games", [1000, pytest.param(3000, marks=pytest.mark.bench)])
def test_thousands_of_random_games_agree_state_by_state(games: int) -> None:
    """The rulebook, the packed position, the line and the turned table, every ply to the very end."""
    chance = random.Random(games)
    plies = 0
    for _ in range(games):
        position, packed, line, table = START, PACKED_START, Line(), Turntable.laid_out()
        while choices := table.choices():
            assert list(moves(packed)) == choices
            number = chance.choice(choices)
            sowing = play(position, number)
            position = sowing.after
            packed, *said = sow(packed, number)
            place, take = table.move(number)
            assert said == [sowing.last_index, sowing.captured] == [(place + 9 * (plies % 2)) % 18, take]
            assert line.play(number) == take
            assert line.packed == packed
            assert unpack(packed) == position
            assert_same_table(table, position)
            plies += 1
        assert line.legal_moves() == moves(packed) == ()
        plies = 0


@settings(max_examples=60)
@given(positions())
def test_any_board_is_played_alike_on_the_turned_table(position: Position) -> None:
    """And by the packed position, also where games hardly ever get."""
    packed = pack(position)
    assert_same_table(table_of(position), position)
    assert moves(packed) == legal_moves(position)
    for number in legal_moves(position):
        table = table_of(position)
        sowing = play(position, number)
        _, take = table.move(number)
        assert sow(packed, number) == (pack(sowing.after), sowing.last_index, take)
        assert_same_table(table, sowing.after)


@settings(max_examples=60)
@given(positions())
def test_any_board_is_played_alike(position: Position) -> None:
    """Also where games hardly ever get: pits of forty stones, both tuzdyks, full kazans."""
    assert same_board(stones_of(position), position)
    for number in legal_moves(position):
        stones = stones_of(position)
        sowing = play(position, number)
        assert_same_move(stones, sowing)
        assert same_board(stones, sowing.after)
