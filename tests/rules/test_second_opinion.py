"""The rulebook against an independent second program."""

from collections import Counter

from hypothesis import given, settings

from rules import START, Outcome, Position, Side, Sowing, legal_moves, outcome, play, tuzdyk_owner
from tests.rules.boards import positions, random_game
from tests.rules.second_opinion import PLAYERS, StoneBoard

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
