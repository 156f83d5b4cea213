"""What was found out about sheets, in words: shifts, several games, and what nobody can read."""

from __future__ import annotations

from firmware_bridge.commands.record.drawing import plain
from firmware_bridge.commands.record.restoring import Teller, reference
from firmware_bridge.commands.record.scoresheet import Look
from firmware_bridge.language import texts
from rules.sheets.restore import restore
from rules.sheets.text import read_sheet
from tests.firmware_bridge.commands.record.games import FULL_2009, PRINTED_2009


def told(*sheets: str, limit: int = 25, language: str = "en") -> str:
    """Return what is said of some sheets."""
    read = [read_sheet(sheet) for sheet in sheets]
    names = [f"sheet {number}" for number in range(1, len(read) + 1)]
    chosen = texts("ru" if language == "ru" else "en")
    teller = Teller(read, names, chosen, Look(width=200), limit=limit)
    return plain(tuple(teller.lines(restore(*read, limit=limit))))


def left_out(text: str) -> str:
    """Return the sheet of 2009 as somebody wrote it who forgot move 16, and numbered on."""
    words = text.replace("16. 68 89 ", "").split(" ")
    late = [
        f"{int(word[:-1]) - 1}." if word.endswith(".") and int(word[:-1]) > 16 else word for word in words
    ]
    return " ".join(late)


PLAIN_2009 = " ".join(line for line in PRINTED_2009.splitlines() if not line.startswith("["))


def test_a_sheet_with_wrong_numbers_is_understood_and_its_moves_are_counted_right() -> None:
    """What stands on it under another number is not said to be missing."""
    words = told(left_out(PLAIN_2009), PLAIN_2009)
    assert "sheet 1: 2 plies were left out before 16., the numbers after it are too low" in words
    found = [line.split()[0] for line in words.splitlines() if line.endswith("not written")]
    assert found == ["3.", "3...", "7.", "7...", "11.", "11...", "21.", "21..."]


def test_a_move_written_twice_is_too_many() -> None:
    """And said to be so."""
    twice = PLAIN_2009.replace("16. 68 89 ", "16. 68 89 17. 68 89 ")
    parts = twice.split("17. 68 89 ")
    late = [f"{int(word[:-1]) + 1}." if word.endswith(".") else word for word in parts[1].split(" ")]
    words = told(f"{parts[0]}17. 68 89 {' '.join(late)}", PLAIN_2009)
    assert "sheet 1: 2 plies from" in words
    assert "are too many, the numbers after it are too high" in words


def test_a_move_half_read_is_found_and_shown_as_it_was_written() -> None:
    """With its place."""
    words = told("1. 3_ 98 2. _:_ 44 3. 67 57x")
    assert "There is exactly one such game, of 6 plies." in words
    assert "  1.      3:2    3_ (sheet 1:1:4)\n  2.      7:8    _:_ (sheet 1:1:13)\n" in words


def test_a_sheet_without_holes_has_nothing_to_find() -> None:
    """Its game is all that is said."""
    assert told("1. 32 98 2. 78 44") == "There is exactly one such game, of 4 plies.\n"


def test_open_moves_are_listed_with_their_games() -> None:
    """And more of them are said to be there when they are."""
    words = told(FULL_2009, limit=2)
    assert "  31.      9-1 (6) 2-3 (5) 4-5 (5) 6-7 (5)\n" in words
    assert "    1) 31. 2-3 2-3\n    2) 31. 2-3 3-4\n  There are more" in words


def test_a_kazan_that_is_wrong_is_shown_with_the_right_one() -> None:
    """And a diagram in the words of the language."""
    assert "  1. kazan: 11 (sheet 1:1:4)\n  The kazan holds another number.\n  Possible there: 10\n" in told(
        "1. 32(11) 98"
    )
    row = "9 9 9 9 9 9 9 9 9"
    words = told(f"1. 32 98 2. 78 44\n[Diagram 2]\n12\n{row}\n{row}\n20\n", language="ru")
    assert "Доска другая." in words
    assert "Бастаушы 1=11" in words


def test_what_shows_late_is_said_to() -> None:
    """A tuzdyk drawn later forbids one that was won before."""
    words = told("1. 32 98 2. 78 44 3. 67 57x\n[Diagram 3]\n_\n_ _ _ _ _ _ _ _ 1\n1 _ _ _ _ _ 12 _ _\n_\n")
    assert "No game fits what is written." in words
    assert "One of the" not in words


def test_plies_are_told_as_people_number_them() -> None:
    """Three dots for qostaushy."""
    assert [reference(ply) for ply in (1, 2, 23)] == ["1.", "1...", "12."]
