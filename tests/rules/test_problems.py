"""What is wrong with a position."""

import pytest
from hypothesis import given

from rules import START, Position, ProblemKind, Side, legal_moves, play, problems
from tests.rules.boards import board, played_positions, positions, random_game

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
NINES = (9,) * 9


def texts(position: Position) -> list[tuple[str, str]]:
    """Return the kinds and texts of all problems."""
    return [(problem.kind.value, problem.text) for problem in problems(position)]


@pytest.mark.parametrize(
    ("position", "found"),
    [
        (Position((9,) * 17, (0, 0), (None, None), B), [("pits", "17 pits instead of 18")]),
        (
            Position((-1, 19) + (9,) * 16, (0, 0), (None, None), B),
            [("negative", "pit bastaushy 1 holds -1 stones")],
        ),
        (
            Position((9,) * 18, (-2, 2), (None, None), Q),
            [("negative", "a kazan holds -2 stones")],
        ),
        (Position((9,) * 18, (0, 2), (None, None), Q), [("total", "164 stones instead of 162")]),
        (
            Position((8,) + (9,) * 17, (0, 0), (None, None), Q),
            [("total", "161 stones instead of 162")],
        ),
        (
            Position((-2,) + (0,) * 17, (82, 82), (None, None), Q),
            [
                ("negative", "pit bastaushy 1 holds -2 stones"),
                ("both_won", "both kazans hold 82 or more: 82 and 82"),
            ],
        ),
        (
            Position((8,) * 18, (9, 9), (9, 0), Q),
            [
                ("tuzdyk_number", "bastaushy has a tuzdyk on pit 9 instead of 1 to 8"),
                ("tuzdyk_number", "qostaushy has a tuzdyk on pit 0 instead of 1 to 8"),
            ],
        ),
        (
            Position((0,) + (9,) * 17, (9, 0), (1, None), Q),
            [("tuzdyk_holds_stones", "stones lie in the tuzdyk of bastaushy, pit 1")],
        ),
        (
            Position((0, *NINES[1:], 0, *NINES[1:]), (9, 9), (1, 1), Q),
            [("same_tuzdyks", "both tuzdyks have the number 1")],
        ),
        (
            Position((0,) + (9,) * 17, (7, 2), (None, 1), Q),
            [
                ("odd_kazan", "the kazan of bastaushy holds 7 stones, an odd number without a tuzdyk"),
                ("tuzdyk_unpaid", "the kazan of qostaushy holds 2 stones, less than his tuzdyk's three"),
            ],
        ),
        (
            Position((0,) + (9,) * 17, (9, 0), (None, None), Q),
            [
                (
                    "odd_kazan",
                    "the kazan of bastaushy holds 9 stones, an odd number without a tuzdyk",
                )
            ],
        ),
        (
            Position((9, 8) + (9,) * 16, (1, 1), (None, None), B),
            [
                ("total", "163 stones instead of 162"),
                ("odd_kazan", "the kazan of bastaushy holds 1 stones, an odd number without a tuzdyk"),
                ("odd_kazan", "the kazan of qostaushy holds 1 stones, an odd number without a tuzdyk"),
            ],
        ),
    ],
)
def test_each_problem_is_named_with_its_place(position: Position, found: list[tuple[str, str]]) -> None:
    """All of them at once, so that a sheet can be put right in one go."""
    assert texts(position) == found


@pytest.mark.parametrize(
    ("position", "text"),
    [
        # An even pit in qostaushy's row that the last stone reached would have been taken.
        (
            board("0 0 0 0 0 0 0 0 0", "4 2 2 2 2 2 2 2 2", (70, 72), to_move=Q),
            "no move of bastaushy leads here",
        ),
        # The game was over before: the last move took nothing from this row.
        (
            board("1 1 1 1 1 1 1 1 1", "1 1 1 1 1 1 1 1 1", (90, 54), to_move=B),
            "no move of qostaushy leads here",
        ),
        # The last move was a single stone into qostaushy's tuzdyk; but then that had brought him two only.
        (
            board("0 0 0 0 0 0 0 0 0", "0 159 0 0 0 0 0 0 0", (0, 3), (None, 5), to_move=Q),
            "no move of bastaushy leads here",
        ),
        # Qostaushy's single stone came from an even pit of his, into which nobody can have sown last.
        (
            board("3 0 0 0 0 0 0 0 0", "3 0 0 1 0 0 7 2 0", (70, 76), to_move=B),
            "no 2 moves in a row lead here",
        ),
        (
            board("2 1 0 1 0 0 1 0 0", "2 1 3 4 5 8 2 0 0", (70, 62), to_move=B),
            "no 3 moves in a row lead here",
        ),
    ],
)
def test_a_board_without_a_past_is_told(position: Position, text: str) -> None:
    """It can be laid out and played on; but no game has been there."""
    (found,) = problems(position)
    assert (found.kind, found.text, found.kind.fatal) == (ProblemKind.NO_LAST_MOVE, text, False)


def test_the_kinds_are_of_two_sorts() -> None:
    """Boards that cannot exist, and boards that no game reaches."""
    assert [kind.value for kind in ProblemKind if not kind.fatal] == [
        "tuzdyk_unpaid",
        "odd_kazan",
        "no_last_move",
    ]
    assert sum(kind.fatal for kind in ProblemKind) == 7


def test_the_start_needs_no_last_move() -> None:
    """It is where all games come from."""
    assert problems(START) == ()


@pytest.mark.parametrize("seed", range(15))
def test_no_position_of_a_game_has_a_problem(seed: int) -> None:
    """From the first to the finished one."""
    for position, number in random_game(seed):
        assert problems(position) == ()
        last = play(position, number).after
    assert legal_moves(last) == ()
    assert problems(last) == ()


@given(played_positions())
def test_no_position_that_was_played_has_a_problem(position: Position) -> None:
    """Whatever the players chose."""
    assert problems(position) == ()


@given(played_positions())
def test_a_stone_from_one_kazan_in_the_other_is_seen(position: Position) -> None:
    """Unless both have a tuzdyk."""
    first, second = position.kazans
    moved = Position(position.pits, (first - 1, second + 1), position.tuzdyks, position.to_move)
    kinds = {problem.kind for problem in problems(moved)}
    if first == 0:
        assert ProblemKind.NEGATIVE in kinds
    elif None in position.tuzdyks:
        assert ProblemKind.ODD_KAZAN in kinds


@given(positions())
def test_a_board_that_can_be_laid_out_has_no_fatal_problem(position: Position) -> None:
    """Whether or not a game leads there."""
    assert not any(problem.kind.fatal for problem in problems(position))
