"""The five ways to write a move, each with one canonical text."""

import pytest

from rules import START, Notation, Position, Side, format_move, play
from tests.rules.boards import board

WORKED = {
    Notation.SHORT: "7:6 7:6 5-5 9:9 1:2 8:8 2:5 9:1x 9:1",
    Notation.FULL: "79:610 79:610 510-511 910:912 111:212 810:814 213:512 92:13x 92:114",
    Notation.TWO_DIGIT: "76 76 55 99 12 88 25 91x 91",
    Notation.TOTAL: "76(10) 76(10) 55 99(22) 12(22) 88(36) 25(34) 91X 91(48)",
    Notation.PLAYSTRATEGY: "g1d2 c2f1 e1e2 a2i1 a1h2 b2h1 b1e2 a2a1 i1i2",
}
"""The game printed in 1.6.3; its misprint `231:512` put right: pit 2 holds 13."""

LONE_STONES = board("1 0 0 0 0 0 0 0 1", "1 0 0 0 0 0 0 0 0", (80, 79))
"""9 takes with a single stone, 1 walks."""

INTO_A_TUZDYK = board("0 0 0 0 0 0 0 0 26", "1 1 1 1 1 1 0 1 1", (60, 68), (7, 6))
"""The last of 26 stones falls into the mover's own tuzdyk, pit 7 of qostaushy."""


@pytest.mark.parametrize("notation", Notation)
def test_the_game_printed_in_the_regulations_reads_as_printed(notation: Notation) -> None:
    """In the full notation it is printed in, and in the four others."""
    position: Position = START
    texts = []
    for number in (7, 7, 5, 9, 1, 8, 2, 9, 9):
        sowing = play(position, number)
        texts.append(format_move(sowing, notation))
        position = sowing.after
    assert " ".join(texts) == WORKED[notation]


def test_a_single_stone_walks_in_the_full_form_like_any_move() -> None:
    """One stone before, and what the other pit holds with it before anything is taken."""
    assert format_move(play(LONE_STONES, 1), Notation.FULL) == "11-21"
    assert format_move(play(LONE_STONES, 9), Notation.FULL) == "91:12"


def test_a_last_stone_in_a_tuzdyk_leaves_none_there_in_the_full_form() -> None:
    """No stone rests in a tuzdyk, and nothing is taken from it (1.4.2)."""
    assert format_move(play(INTO_A_TUZDYK, 9), Notation.FULL) == "926-70"


def test_the_second_row_of_playstrategy_runs_the_other_way() -> None:
    """It is drawn from bastaushy's side: his own a is under qostaushy's pit 9."""
    texts = {format_move(play(START, number), Notation.PLAYSTRATEGY) for number in range(1, 10)}
    assert texts == {"a1i1", "b1i2", "c1h2", "d1g2", "e1f2", "f1e2", "g1d2", "h1c2", "i1b2"}
    turned = Position(START.pits, (0, 0), (None, None), Side.QOSTAUSHY)
    assert format_move(play(turned, 9), Notation.PLAYSTRATEGY) == "a2h1"


def test_a_sowing_of_a_whole_round_and_more_is_counted_where_it_ends() -> None:
    """Nineteen stones end in the pit they came from, which then holds two."""
    position = board("0 0 0 19 0 0 0 0 0", "0 0 0 0 0 0 0 0 1", (70, 72))
    assert format_move(play(position, 4), Notation.FULL) == "419-42"
    assert format_move(play(position, 4), Notation.SHORT) == "4-4"
