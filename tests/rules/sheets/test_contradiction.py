"""The first thing written that nothing before it allows."""

import pytest

from rules import Entry, Impossible, Reason, Sheet, SheetContradiction, SheetDiagram, Subject, restore
from tests.rules.sheets.made import (
    DIAGRAMS_2009,
    GAME_2009,
    RESTORED_PLIES,
    drawn,
    kazan_after,
    random_sowings,
    sheet,
    written,
)


def contradiction(*sheets: Sheet) -> SheetContradiction:
    """Return where sheets that no game bears out contradict themselves first."""
    found = restore(*sheets, max_positions=100_000)
    assert isinstance(found, Impossible)
    assert str(found).startswith("no game; ply ")
    return found.contradiction


def test_an_illegal_move_is_told_with_what_was_legal() -> None:
    """Where it stands on which sheet, and the position before it."""
    said = ["13" if ply == 25 else text for ply, text in enumerate(GAME_2009, 1)]
    found = contradiction(sheet(said))
    assert (found.ply, found.noticed) == (25, 24)
    assert (found.subject, found.reason, found.positions) == (Subject.MOVE, Reason.ILLEGAL, 1)
    assert "1-2" in found.allowed
    assert found.position.to_move.value == "bastaushy"
    (place,) = found.places
    assert (place.sheet, place.text, place.line, place.column) == (0, "13", 25, 1)
    assert str(found).startswith("ply 25, move, illegal: 13 (sheet 1, line 25); possible: 1-2 ")


def test_both_versions_of_two_sheets_are_named_when_neither_goes() -> None:
    """Each with its place; and after a gap several positions are possible."""
    one = ["13" if ply == 25 else text for ply, text in enumerate(GAME_2009, 1)]
    two = ["14" if ply == 25 else text for ply, text in enumerate(GAME_2009, 1)]
    found = contradiction(sheet(one, {21, 22}), sheet(two, {21, 22}))
    assert {(place.sheet, place.text) for place in found.places} == {(0, "13"), (1, "14")}
    assert found.ply == 25
    assert found.positions >= 1


def test_a_move_after_the_end_is_told_as_such() -> None:
    """The game was over, whatever is written."""
    sowings = random_sowings(2, 1000)
    found = contradiction(sheet([*written(sowings), "7:6"]))
    assert (found.ply, found.reason, found.allowed) == (len(sowings) + 1, Reason.GAME_OVER, ())
    found = contradiction(Sheet((*sheet(written(sowings)).entries, Entry(len(sowings) + 2, ""))))
    assert (found.ply, found.reason, found.places) == (len(sowings) + 1, Reason.GAME_OVER, ())
    assert "game_over: a move" in str(found)


def test_a_wrong_kazan_is_told_with_the_right_one() -> None:
    """The move before it is the one written."""
    sowings = random_sowings(6, 20)
    entries = [Entry(ply, text) for ply, text in enumerate(written(sowings), 1)]
    entries[19] = Entry(20, entries[19].text, "161")
    found = contradiction(Sheet(tuple(entries)))
    assert (found.ply, found.subject, found.reason) == (20, Subject.KAZAN, Reason.KAZAN)
    assert found.allowed == (kazan_after(sowings[19]),)
    assert found.position == sowings[19].after
    assert found.noticed == 20


def test_a_wrong_diagram_is_told_with_the_board_there_was() -> None:
    """After its ply, before anything that follows."""
    right = DIAGRAMS_2009[0]
    misread = SheetDiagram(20, ("9", *right.cells[1:]), right.kazans, 7)
    found = contradiction(sheet(GAME_2009, RESTORED_PLIES, diagrams=(misread,)))
    assert (found.ply, found.subject, found.reason) == (20, Subject.DIAGRAM, Reason.DIAGRAM)
    (place,) = found.places
    assert place.line == 7
    assert place.text.startswith("9 3 1 1 2 1 x 19 1 / 0 4 13 x ")


def test_a_wrong_end_is_told() -> None:
    """The score, or the kazans, are not those of the board."""
    sowings = random_sowings(11, 1000)
    scores = [
        restore(sheet(written(sowings), result=result, result_line=9)) for result in ("1-0", "0-1", "1/2-1/2")
    ]
    failed = [found.contradiction for found in scores if isinstance(found, Impossible)]
    assert len(failed) == 2
    assert {found.reason for found in failed} == {Reason.RESULT}
    assert failed[0].ply == len(sowings)
    assert failed[0].places[0].line == 9


def test_a_kazan_that_is_full_too_early_is_told_by_what_is_written_later() -> None:
    """A total written at the end leaves less than is banked at the beginning."""
    sowings = random_sowings(8, 30)
    entries = [Entry(ply, text) for ply, text in enumerate(written(sowings), 1)]
    banked = int(kazan_after(sowings[29]))
    assert banked > 0
    entries[29] = Entry(30, entries[29].text, "0")
    found = contradiction(Sheet(tuple(entries)))
    assert (found.ply, found.subject, found.reason) == (30, Subject.KAZAN, Reason.TOO_MANY_STONES)
    assert found.noticed < 30
    assert found.position.kazans[1] > 0


@pytest.mark.parametrize("ply", [8, 60])
def test_a_tuzdyk_that_cannot_have_been_won_yet_is_told(ply: int) -> None:
    """A second x of one player, and a diagram without the tuzdyk he has."""
    if ply == 8:
        said = [f"{text}x" if place == 8 else text for place, text in enumerate(GAME_2009, 1)]
        found = contradiction(sheet(said))
        assert (found.ply, found.subject, found.noticed) == (8, Subject.MOVE, 6)
    else:
        last = DIAGRAMS_2009[2]
        cells = tuple("0" if cell == "x" else cell for cell in last.cells)
        found = contradiction(sheet(GAME_2009, diagrams=(SheetDiagram(60, cells, last.kazans),)))
        assert (found.ply, found.subject, found.noticed) == (60, Subject.DIAGRAM, 6)
    assert found.reason is Reason.WRONG_TUZDYK


def test_the_board_before_the_first_move_counts() -> None:
    """A move that the first position does not allow, and a later fact that it breaks."""
    found = contradiction(sheet(["11"]))
    assert (found.ply, found.noticed, found.positions) == (1, 0, 1)
    sowings = random_sowings(9, 20)
    after = sowings[19].after
    assert max(after.kazans) > 0
    diagram = drawn(after, 6)
    low = SheetDiagram(6, diagram.cells, ("0", "0"))
    answer = restore(Sheet((), (low,)), start=after)
    assert isinstance(answer, Impossible)
    found = answer.contradiction
    assert (found.ply, found.noticed, found.reason) == (6, 0, Reason.TOO_MANY_STONES)
