"""Help for the arbiter when no game bears a sheet out."""

import random

import pytest

from rules import (
    Ambiguous,
    Entry,
    Impossible,
    Notation,
    Reason,
    RepairKind,
    Sheet,
    SheetDiagram,
    Shift,
    Sowing,
    Subject,
    Unique,
    format_move,
    restore,
)
from rules.sheets.repairs import slip
from rules.sheets.shifts import shifted
from tests.rules.shared import shared_lines
from tests.rules.sheets.made import (
    DIAGRAMS_2009,
    GAME_2009,
    drawn,
    kazan_after,
    random_sowings,
    sheet,
    written,
)


def wrong(ply: int, text: str) -> list[str]:
    """Return the game of 2009 with one entry changed."""
    return [text if place == ply else said for place, said in enumerate(GAME_2009, 1)]


def impossible(*sheets: Sheet, max_positions: int = 100_000, limit: int = 10) -> Impossible:
    """Return the answer for sheets that no game bears out."""
    found = restore(*sheets, max_positions=max_positions, limit=limit)
    assert isinstance(found, Impossible)
    return found


@pytest.mark.parametrize(
    ("ply", "text", "kind", "right"),
    [
        (25, "13", RepairKind.CHARACTER, "12"),
        (26, "87", RepairKind.SWAPPED, "78"),
        (6, "57", RepairKind.CHARACTER, "57x"),
        (6, "5:7", RepairKind.CHARACTER, "5:7x"),
        (20, "89x", RepairKind.CHARACTER, "89"),
        (20, "g2e2", RepairKind.REWRITTEN, "b2a2"),
    ],
)
def test_one_slip_of_the_pen_is_found(ply: int, text: str, kind: RepairKind, right: str) -> None:
    """In the notation it was written in."""
    found = impossible(sheet(wrong(ply, text)))
    repair = found.repairs[0]
    assert (repair.kind, repair.ply, repair.subject) == (kind, ply, Subject.MOVE)
    assert right in repair.instead
    assert repair.reaches is None
    assert [place.text for place in repair.places] == [text]
    assert found.all_tried
    assert str(repair).startswith(f"{kind.value}: ply {ply}: {text} (sheet 1, line {ply}) -> ")


def test_a_move_in_the_full_form_is_put_right_in_the_full_form() -> None:
    """Only the count of stones was wrong."""
    sowings = random_sowings(4, 12)
    said = written(sowings, Notation.FULL)
    said[7] = said[7][:-1] + str((int(said[7].rstrip("x")[-1]) + 1) % 10)
    found = impossible(sheet(said))
    assert found.contradiction.ply == 8
    assert found.repairs[0].instead == (format_move(sowings[7], Notation.FULL),)


@pytest.mark.parametrize(
    ("said", "kind", "shift"),
    [
        (GAME_2009[:19] + GAME_2009[20:], RepairKind.SKIPPED, Shift(0, 20, 1)),
        (GAME_2009[:18] + GAME_2009[20:], RepairKind.SKIPPED, Shift(0, 19, 2)),
        (GAME_2009[:20] + GAME_2009[19:], RepairKind.DOUBLED, Shift(0, 20, -1)),
    ],
)
def test_numbers_that_slipped_are_seen_on_one_sheet(said: list[str], kind: RepairKind, shift: Shift) -> None:
    """Everything from some ply on belongs a ply or a move later or earlier."""
    found = impossible(sheet(said))
    repairs = [repair for repair in found.repairs if repair.shift == shift]
    assert [repair.kind for repair in repairs] == [kind]
    assert repairs[0].games >= 1
    assert repairs[0].instead == ()
    assert str(repairs[0]).startswith(f"{kind.value}: sheet 1, ply {shift.ply}: ")


def test_a_sheet_with_its_numbers_put_right_has_the_games_that_are_promised() -> None:
    """Boards drawn behind entries that were too many and the end of the sheet are no less true for it."""
    tried = 0
    for seed in range(20):
        sowings = random_sowings(seed, 8)
        said = written(sowings)
        said.insert(5, said[4])
        last = sowings[-1].after
        kazans = str(last.kazans[0]), str(last.kazans[1])
        slipped = sheet(said, {3}, diagrams=(drawn(last, 9),), kazans=kazans)
        found = restore(slipped)
        for repair in found.repairs if isinstance(found, Impossible) else ():
            if repair.shift is None or repair.reaches is not None:
                continue
            tried += 1
            righted = restore(*shifted((slipped,), repair.shift))
            assert isinstance(righted, Unique | Ambiguous)
            assert repair.games == (1 if isinstance(righted, Unique) else righted.total)
    assert tried


def test_a_doubled_last_entry_takes_no_end_away() -> None:
    """The board and the kazans behind it stand all the same, and they forbid that repair."""
    sowings = random_sowings(5, 6)
    last = sowings[-1].after
    kazans = str(last.kazans[0]), str(last.kazans[1])
    said = [*written(sowings[:-1]), "9:9x"]
    found = impossible(sheet(said, diagrams=(drawn(last, 6),), kazans=kazans))
    assert [repair.shift for repair in found.repairs] == [None]
    assert found.repairs[0].instead == (written(sowings)[-1],)


def test_a_slip_far_before_the_contradiction_is_found() -> None:
    """The first entry was misread as a legal move, and it shows three plies later."""
    found = impossible(sheet(wrong(1, "76")))
    assert found.contradiction.ply > 1
    repair = found.repairs[0]
    assert (repair.ply, repair.kind, repair.instead) == (1, RepairKind.REWRITTEN, ("32",))


def test_slips_in_real_games_are_found() -> None:
    """A digit changed at random somewhere: the true move is among the repairs."""
    chance = random.Random(7)
    games = [game["tokens"] for game in shared_lines("tournament_games.jsonl")]
    for tokens in chance.sample(games, 8):
        ply = chance.randrange(1, len(tokens) - 3)
        right = tokens[ply - 1]
        misread = str(int(right[0]) % 9 + 1) + right[1:]
        said = [misread if place == ply else text for place, text in enumerate(tokens, 1)]
        found = impossible(sheet(said), limit=50)
        repairs = [repair for repair in found.repairs if (repair.ply, repair.subject) == (ply, Subject.MOVE)]
        assert right in {text for repair in repairs for text in repair.instead}


def test_a_kazan_misread_is_put_right() -> None:
    """A digit, and two in the wrong order."""
    sowings = next(found for found in (random_sowings(seed, 30) for seed in range(50)) if total(found) > 12)
    truth = kazan_after(sowings[-1])
    for said, kind in ((truth[0] + "9", RepairKind.CHARACTER), (truth[::-1], RepairKind.SWAPPED)):
        if said == truth:
            continue
        entries = [Entry(ply, text) for ply, text in enumerate(written(sowings), 1)]
        entries[-1] = Entry(30, entries[-1].text, said)
        found = impossible(Sheet(tuple(entries)))
        assert found.contradiction.subject is Subject.KAZAN
        repair = next(repair for repair in found.repairs if repair.subject is Subject.KAZAN)
        assert repair.instead == (truth,)
        assert repair.kind in (kind, RepairKind.CHARACTER)


def total(sowings: list[Sowing]) -> int:
    """Return the last mover's kazan."""
    return int(kazan_after(sowings[-1]))


def test_a_diagram_with_one_wrong_cell_is_put_right() -> None:
    """The pit is named; two wrong cells are a bigger slip."""
    right = DIAGRAMS_2009[1]
    for cells, kind, instead in (
        ({0: "7"}, RepairKind.CHARACTER, "bastaushy 1=0"),
        ({12: "5"}, RepairKind.CHARACTER, "qostaushy 4=x"),
        ({0: "7", 1: "8"}, RepairKind.REWRITTEN, "bastaushy 1=0, bastaushy 2=0"),
    ):
        misread = tuple(cells.get(place, cell) for place, cell in enumerate(right.cells))
        found = impossible(sheet(GAME_2009, diagrams=(SheetDiagram(40, misread, right.kazans),)))
        repair = next(repair for repair in found.repairs if repair.subject is Subject.DIAGRAM)
        assert (repair.ply, repair.kind, repair.instead) == (40, kind, (instead,))
    kazans = SheetDiagram(40, right.cells, ("54", "85"))
    found = impossible(sheet(GAME_2009, diagrams=(kazans,)))
    assert found.repairs[0].instead == ("kazan qostaushy=58",)


def test_a_diagram_before_the_first_move_can_be_wrong() -> None:
    """The game itself is sound, so the drawing is what is wrong."""
    first = SheetDiagram(0, ("8", *("9",) * 17))
    found = impossible(sheet(GAME_2009, diagrams=(first,)))
    assert (found.contradiction.ply, found.contradiction.reason) == (0, Reason.DIAGRAM)
    assert (found.repairs[0].ply, found.repairs[0].instead) == (0, ("bastaushy 1=9",))


def test_a_result_the_board_denies_is_put_right() -> None:
    """A game that ended on the board has its own score; one that did not may be given up."""
    sowings = random_sowings(11, 1000)
    end = drawn(sowings[-1].after, len(sowings)).kazans
    said = written(sowings)
    assert str(restore(sheet(said, kazans=end))).startswith("one game")
    found = impossible(sheet(said, kazans=("7", "")))
    assert found.contradiction.subject is Subject.RESULT
    repair = next(repair for repair in found.repairs if repair.subject is Subject.RESULT)
    assert repair.kind is RepairKind.REWRITTEN
    assert repair.instead[0][:3] in ("1-0", "0-1", "1/2")
    early = impossible(sheet(said[:20], kazans=("100", "1")))
    assert any(repair.instead[0].count(":") == 1 for repair in early.repairs if repair.instead)


def test_two_slips_are_followed_as_far_as_one_repair_reaches() -> None:
    """No single change makes the sheet sound; the one that goes furthest is told, and how far."""
    said = ["13" if ply == 25 else text for ply, text in enumerate(GAME_2009, 1)]
    said[49] = "98"
    found = impossible(sheet(said))
    assert {repair.reaches for repair in found.repairs} == {48}
    best = found.repairs[0]
    assert (best.ply, best.instead) == (25, ("12",))
    assert str(best).endswith(", but only until ply 48")


def test_what_cannot_be_tried_is_said() -> None:
    """A wide gap behind the slip uses up the positions."""
    said = ["13" if ply == 19 else text for ply, text in enumerate(GAME_2009, 1)]
    found = impossible(sheet(said, range(21, 27)), max_positions=400)
    assert not found.all_tried


def test_of_two_sheets_only_entries_are_doubted() -> None:
    """Whether their numbers slipped was asked before."""
    found = impossible(sheet(GAME_2009, {25}), sheet(wrong(25, "13")))
    assert [(repair.ply, repair.instead) for repair in found.repairs] == [(25, ("12",))]


@pytest.mark.parametrize(
    ("written_text", "meant", "kind"),
    [
        ("76", "75", RepairKind.CHARACTER),
        ("76", "76x", RepairKind.CHARACTER),
        ("76x", "76", RepairKind.CHARACTER),
        ("_6", "76", RepairKind.CHARACTER),
        ("67", "76", RepairKind.SWAPPED),
        ("710:610", "79:610", RepairKind.REWRITTEN),
        ("76", "58", RepairKind.REWRITTEN),
        ("76", "7610", RepairKind.REWRITTEN),
        ("76x", "81", RepairKind.REWRITTEN),
    ],
)
def test_a_slip_is_told_by_its_kind(written_text: str, meant: str, kind: RepairKind) -> None:
    """One character, two digits changed over, or more."""
    assert slip(written_text, meant) is kind
