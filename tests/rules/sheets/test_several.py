"""Several sheets of one game: what only one has, what they disagree about, numbers that slipped."""

from collections import Counter

import pytest

from rules import (
    START,
    Ambiguous,
    Entry,
    Impossible,
    Sheet,
    SheetDiagram,
    Shift,
    Sowing,
    Subject,
    TooOpen,
    Unique,
    apply,
    format_short,
    restore,
)
from tests.rules.sheets.made import (
    GAME_2009,
    RESTORED_PLIES,
    drawn,
    games_that_fit,
    kazan_after,
    random_sowings,
    sheet,
    texts,
    written,
)


def test_two_sheets_fill_each_other_s_holes() -> None:
    """Where only one has an entry, that is taken (2.3.5)."""
    odd = sheet(GAME_2009, range(2, 61, 2))
    even = sheet(GAME_2009, range(1, 61, 2))
    found = restore(odd, even)
    assert isinstance(found, Unique)
    assert texts(found.sowings) == GAME_2009
    assert found.differences == ()


def test_it_is_told_which_of_two_sheets_was_right() -> None:
    """Only one of the two moves can be followed by the rest of the game."""
    wrong = ["13" if ply == 25 else text for ply, text in enumerate(GAME_2009, 1)]
    found = restore(sheet(wrong), sheet(GAME_2009, {30}))
    assert isinstance(found, Unique)
    (difference,) = found.differences
    assert (difference.ply, difference.subject, difference.right) == (25, Subject.MOVE, 1)
    assert [place.text for version in difference.versions for place in version.places] == ["13", "12"]
    assert str(difference) == (
        "ply 25, move: 13 (sheet 1, line 25) or 12 (sheet 2, line 25): right is 12 (sheet 2, line 25)"
    )


def test_two_sheets_that_are_both_sound_stay_ambiguous() -> None:
    """The last move decides nothing."""
    sowings = random_sowings(1, 10)
    other = next(
        format_short(apply(sowings[-1].before, number))
        for number in range(1, 10)
        if number != sowings[-1].number
    )
    one = sheet(written(sowings))
    two = sheet([*written(sowings[:-1]), other])
    found = restore(one, two)
    assert isinstance(found, Ambiguous)
    assert found.total == 2
    (difference,) = found.differences
    assert difference.right is None
    assert [version.games for version in difference.versions] == [1, 1]
    assert str(found).endswith(f"or {other} (sheet 2, line 10): undecided")


def test_every_version_is_weighed_by_the_games_that_bear_it_out() -> None:
    """Two totals in the middle of a gap share all games between them."""
    shorts = written(random_sowings(0, 12))
    totals = sorted({kazan_after(game[8]) for game in all_games(shorts, {8, 9, 10})}, key=int)
    assert len(totals) > 1
    one, two = (Sheet((*sheet(shorts, {8, 9, 10}).entries, Entry(9, "", said, 1, 1))) for said in totals[:2])
    found = restore(one, two, limit=10_000)
    assert isinstance(found, Ambiguous)
    (difference,) = found.differences
    games = [kazan_after(game[8]) for game in all_games(shorts, {8, 9, 10})]
    assert [version.games for version in difference.versions] == [games.count(said) for said in totals[:2]]


def all_games(shorts: list[str], holes: set[int]) -> list[list[Sowing]]:
    """Return every game that fits a sheet with holes, by trying all moves."""
    said = [None if ply in holes else text for ply, text in enumerate(shorts, 1)]
    found = []
    for game in games_that_fit(said):
        position, sowings = START, list[Sowing]()
        for number in game:
            sowings.append(apply(position, number))
            position = sowings[-1].after
        found.append(sowings)
    return found


def test_every_subject_can_differ() -> None:
    """Kazans, diagrams and results too, each judged by what the game did."""
    sowings = random_sowings(3, 8)
    right = drawn(sowings[3].after, 4)
    wrong = SheetDiagram(4, right.cells, ("99", right.kazans[1]))
    entries = [Entry(ply, text) for ply, text in enumerate(written(sowings), 1)]
    totals = [Entry(entry.ply, entry.text, kazan_after(sowings[entry.ply - 1])) for entry in entries]
    totals[4] = Entry(5, entries[4].text, "77")
    plain = [Entry(entry.ply, entry.text, kazan_after(sowings[entry.ply - 1])) for entry in entries]
    final = drawn(sowings[-1].after, 8).kazans
    found = restore(
        Sheet(tuple(totals), (right,), kazans=final), Sheet(tuple(plain), (wrong,), kazans=("80", "80"))
    )
    assert isinstance(found, Unique)
    judged = [(one.subject, one.ply, one.right) for one in found.differences]
    assert (Subject.DIAGRAM, 4, 0) in judged
    assert (Subject.KAZAN, 5, 1) in judged
    assert (Subject.RESULT, 8, 0) in judged
    assert len(judged) == 3


@pytest.mark.parametrize(("left_out", "by"), [([20], 1), ([19, 20], 2)])
def test_a_sheet_that_skipped_moves_is_put_right_by_the_other(left_out: list[int], by: int) -> None:
    """All its numbers after the hole are too low, and it is said from where."""
    slipped = [text for ply, text in enumerate(GAME_2009, 1) if ply not in left_out]
    for sheets, index in (
        ([sheet(GAME_2009, RESTORED_PLIES), sheet(slipped)], 1),
        ([sheet(slipped), sheet(GAME_2009, RESTORED_PLIES)], 0),
    ):
        found = restore(*sheets)
        assert isinstance(found, Unique)
        assert texts(found.sowings) == GAME_2009
        assert found.shifts == (Shift(index, left_out[0], by),)
        assert f"sheet {index + 1}, ply {left_out[0]}: {by} left out" in str(found)


def test_a_sheet_that_doubled_a_move_is_put_right_by_the_other() -> None:
    """The entry that was too many is dropped."""
    doubled = [*GAME_2009[:20], *GAME_2009[19:]]
    found = restore(sheet(doubled), sheet(GAME_2009, {3, 4}))
    assert isinstance(found, Unique)
    assert texts(found.sowings) == GAME_2009
    (shift,) = found.shifts
    assert (shift.sheet, shift.by) == (0, -1)
    assert shift.ply in (20, 21)
    assert str(shift) == f"sheet 1, ply {shift.ply}: 1 too many, the numbers after it are shifted"


def test_a_shift_that_can_lie_in_two_places_is_left_open() -> None:
    """Where the other sheet has a hole too, both ways to understand it lead to sound games."""
    open_games = uncounted = 0
    for seed in range(40):
        sowings = random_sowings(seed, 24)
        whole = written(sowings)
        slipped = [text for ply, text in enumerate(whole, 1) if ply != 14]
        found = restore(sheet(whole, {13, 14, 15, 16}), sheet(slipped, {14}), limit=50)
        if not isinstance(found, Ambiguous) or len(found.shifts) < 2:
            assert isinstance(found, Unique | Ambiguous | Impossible)
            continue
        open_games += 1
        assert found.total == len(found.solutions)
        assert tuple(sowings) in found.solutions
        for ply, texts_there in enumerate(found.candidates, 1):
            played = Counter(format_short(game[ply - 1]) for game in found.solutions if len(game) >= ply)
            assert {one.text: one.games for one in texts_there} == played
            assert (ply in found.certain_plies) == ([*played.values()] == [found.total])
        assert sorted(found.certain_plies + found.open_plies) == [*range(1, len(found.candidates) + 1)]
        few = restore(sheet(whole, {13, 14, 15, 16}), sheet(slipped, {14}), limit=1)
        assert isinstance(few, Ambiguous)
        assert few.solutions == found.solutions[:1]
        uncounted += few.total is None
        # Nobody knows then which games are the same, so a move stands in at least so many.
        for some, every in zip(few.candidates, found.candidates, strict=True):
            known = {one.text: one.games for one in every}
            assert {one.text for one in some} == {*known}
            assert all(one.games <= known[one.text] for one in some)
    assert open_games
    assert uncounted


def test_numbers_that_cannot_be_searched_leave_all_too_open() -> None:
    """Whatever other numbers give: those may be the right ones, so neither one game nor none is claimed."""
    too_open = 0
    for seed in range(40):
        whole = written(random_sowings(seed, 24))
        slipped = [text for ply, text in enumerate(whole, 1) if ply != 14]
        sheets = sheet(whole, {13, 14, 15, 16}), sheet(slipped, {12, 13, 14})
        known = restore(*sheets)
        for allowed in (60, 150, 400):
            found = restore(*sheets, max_positions=allowed)
            assert isinstance(found, TooOpen) or found == known
            too_open += isinstance(found, TooOpen)
    assert too_open
