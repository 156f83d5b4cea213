"""Gaps that are met from the board drawn after them."""

import pytest

from rules import (
    Ambiguous,
    Impossible,
    Reason,
    SheetDiagram,
    Subject,
    TooOpen,
    Unique,
    restore,
)
from tests.rules.sheets.made import (
    DIAGRAMS_2009,
    GAME_2009,
    sheet,
    texts,
)


@pytest.mark.parametrize("length", [4, 5, 6])
def test_a_whole_diagram_opens_a_gap_from_behind(length: int) -> None:
    """A gap too wide for the moves before it is met from the board drawn some moves after it."""
    diagrams = (DIAGRAMS_2009[1],)
    holes = range(36 - length, 36)
    assert isinstance(restore(sheet(GAME_2009, holes), max_positions=1_300), TooOpen)
    found = restore(sheet(GAME_2009, holes, diagrams=diagrams), max_positions=1_300, limit=1_000)
    whole = restore(sheet(GAME_2009, holes, diagrams=diagrams), limit=1_000)
    assert found == whole
    assert isinstance(found, Unique | Ambiguous)


def test_a_gap_at_the_end_is_met_from_the_final_board() -> None:
    """Nobody wrote the last eight plies, but the stones still lie there."""
    found = restore(sheet(GAME_2009[:32], diagrams=(DIAGRAMS_2009[1],)), limit=10_000)
    assert isinstance(found, Ambiguous)
    assert GAME_2009[:40] in [texts(game) for game in found.solutions] or (found.total or 0) > 10_000
    for text, candidates in zip(GAME_2009[:40], found.candidates, strict=True):
        assert text[0] in {candidate.text[0] for candidate in candidates}


@pytest.mark.parametrize("cells", [{0: "_"}, {0: "1"}, {0: "1_"}])
def test_a_diagram_that_is_not_whole_leaves_the_gap_too_wide(cells: dict[int, str]) -> None:
    """It cannot be read, or cannot exist."""
    right = DIAGRAMS_2009[1]
    changed = tuple(cells.get(place, cell) for place, cell in enumerate(right.cells))
    diagram = SheetDiagram(40, changed, right.kazans)
    found = restore(sheet(GAME_2009, range(28, 36), diagrams=(diagram,)), max_positions=2_000)
    assert isinstance(found, TooOpen)
    assert (found.first_ply, found.last_ply) == (28, 35)


def test_a_gap_can_be_too_wide_from_both_ends() -> None:
    """Twenty plies before a whole diagram are too many."""
    found = restore(sheet(GAME_2009, range(16, 36), diagrams=(DIAGRAMS_2009[1],)), max_positions=2_000)
    assert isinstance(found, TooOpen)


def test_a_board_nothing_leads_to_is_the_contradiction() -> None:
    """The gap before it is too wide to say more; and what is wrong after it is told as ever."""
    right = DIAGRAMS_2009[1]
    cells = list(right.cells)
    cells[0], cells[2] = cells[2], cells[0]
    swapped = SheetDiagram(40, tuple(cells), right.kazans)
    found = restore(sheet(GAME_2009, range(30, 36), diagrams=(swapped,)), max_positions=1_300)
    assert isinstance(found, Impossible)
    told = found.contradiction
    assert (told.ply, told.subject, told.reason) == (40, Subject.DIAGRAM, Reason.DIAGRAM)
    assert 30 <= told.noticed < 40
    assert not found.all_tried
    said = ["11" if ply == 50 else text for ply, text in enumerate(GAME_2009, 1)]
    found = restore(sheet(said, range(30, 36), diagrams=(right,)), max_positions=1_300)
    assert isinstance(found, Impossible)
    assert (found.contradiction.ply, found.contradiction.subject) == (50, Subject.MOVE)
