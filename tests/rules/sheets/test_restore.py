"""The game that was written on a sheet, or all games it can have been."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import (
    START,
    Ambiguous,
    Entry,
    Impossible,
    NotationError,
    RulesError,
    Sheet,
    SheetDiagram,
    Sowing,
    TooOpen,
    Unique,
    format_short,
    format_two_digit,
    parse_two_digit,
    restore,
)
from tests.rules.shared import shared_lines
from tests.rules.sheets.made import (
    DIAGRAMS_2009,
    GAME_2009,
    RESTORED_PLIES,
    damaged_sheets,
    drawn,
    games_that_fit,
    kazan_after,
    numbers,
    random_sowings,
    sheet,
    texts,
    unreadable,
    written,
)

TO_THE_END = [*GAME_2009, "", "", "23", "78", "67", "89"]
"""The game of 2009 as far as it was printed; move 31 is not."""


@pytest.mark.parametrize("diagrams", [(), DIAGRAMS_2009])
def test_moves_3_7_11_and_21_of_2009_are_unique(diagrams: tuple[SheetDiagram, ...]) -> None:
    """Without any diagram, from the moves alone; with them as well."""
    found = restore(sheet(GAME_2009, RESTORED_PLIES, diagrams=diagrams))
    assert isinstance(found, Unique)
    assert texts(found.sowings) == GAME_2009


@pytest.mark.parametrize("diagrams", [(), DIAGRAMS_2009])
def test_move_31_of_2009_stays_open_with_21_pairs(diagrams: tuple[SheetDiagram, ...]) -> None:
    """Moves 32 and 33 are known and do not tell; all else is certain."""
    found = restore(sheet(TO_THE_END, RESTORED_PLIES, diagrams=diagrams), limit=100)
    assert isinstance(found, Ambiguous)
    assert found.total == 21
    assert found.open_plies == (61, 62)
    assert found.certain_plies == (*range(1, 61), *range(63, 67))
    pairs = {(game[60].number, game[61].number) for game in found.solutions}
    assert len(pairs) == 21
    assert all(texts(game)[:60] == GAME_2009 for game in found.solutions)
    assert sum(candidate.games for candidate in found.candidates[60]) == 21


def test_a_sheet_may_begin_anywhere() -> None:
    """An endgame that qostaushy goes on with, its second ply not written down."""
    sowings = random_sowings(5, 31)
    said = written(sowings)[21:]
    end = drawn(sowings[-1].after, len(said))
    found = restore(sheet(said, {2}, diagrams=(end,)), start=sowings[20].after)
    assert isinstance(found, Unique)
    assert list(found.sowings) == sowings[21:]


def test_no_more_solutions_are_listed_than_were_asked_for() -> None:
    """The total is exact all the same."""
    found = restore(sheet(TO_THE_END, RESTORED_PLIES), limit=3)
    assert isinstance(found, Ambiguous)
    assert (len(found.solutions), found.total) == (3, 21)
    assert [game[60].number for game in found.solutions] == sorted(
        game[60].number for game in found.solutions
    )


@pytest.mark.parametrize("seed", range(12))
def test_the_count_is_that_of_trying_everything(seed: int) -> None:
    """Two small gaps in a random opening, with and without kazan totals."""
    sowings = random_sowings(seed, 12)
    shorts: list[str | None] = list(written(sowings))
    totals: list[str | None] = [kazan_after(sowing) for sowing in sowings]
    chance = random.Random(seed)
    holes = set(chance.sample(range(3, 12), 3))
    for hole in holes:
        shorts[hole - 1] = None
    counts = []
    for kazans in ([None] * 12, totals):
        entries = [
            Entry(ply, said or "", total or "")
            for ply, (said, total) in enumerate(zip(shorts, kazans, strict=True), 1)
        ]
        found = restore(Sheet(tuple(entries)), limit=10_000)
        expected = games_that_fit(shorts, kazans)
        games = [found.sowings] if isinstance(found, Unique) else []
        games = list(found.solutions) if isinstance(found, Ambiguous) else games
        assert [numbers(game) for game in games] == expected
        counts.append(len(expected))
    assert counts[0] >= counts[1] >= 1


@given(damaged_sheets())
@settings(max_examples=60, deadline=None)
def test_a_sound_sheet_never_loses_its_game(case: tuple[Sheet, list[Sowing]]) -> None:
    """Holes and unreadable characters, kazans and diagrams: the game is among those found."""
    damaged, sowings = case
    found = restore(damaged, max_positions=5_000, limit=100_000)
    if isinstance(found, TooOpen):
        return
    assert not isinstance(found, Impossible)
    games = [found.sowings] if isinstance(found, Unique) else found.solutions
    assert tuple(sowings) in games
    if isinstance(found, Ambiguous):
        assert len(set(games)) == found.total == len(games)
        for ply, candidates in enumerate(found.candidates):
            shorts = {format_short(game[ply]) for game in games}
            assert {candidate.text for candidate in candidates} == shorts
            assert sum(candidate.games for candidate in candidates) == found.total


@given(damaged_sheets(), st.data())
@settings(max_examples=40, deadline=None)
def test_kazans_and_diagrams_only_narrow(case: tuple[Sheet, list[Sowing]], data: st.DataObject) -> None:
    """What is known beyond the moves never brings a game that the moves alone did not."""
    damaged, sowings = case
    bare = Sheet(tuple(Entry(entry.ply, entry.text) for entry in damaged.entries))
    ply = data.draw(st.integers(1, len(sowings)))
    more = Sheet(damaged.entries, (*damaged.diagrams, drawn(sowings[ply - 1].after, ply)))
    totals = []
    for each in (bare, damaged, more):
        found = restore(each, max_positions=5_000)
        if isinstance(found, TooOpen):
            return
        assert isinstance(found, Unique | Ambiguous)
        totals.append(1 if isinstance(found, Unique) else found.total or 0)
    assert totals == sorted(totals, reverse=True)


@given(damaged_sheets(), st.data())
@settings(max_examples=60, deadline=None)
def test_a_wrong_sheet_is_answered_and_never_with_what_contradicts_it(
    case: tuple[Sheet, list[Sowing]], data: st.DataObject
) -> None:
    """Misread digits, skipped and doubled entries: an answer comes, and games keep to what is written."""
    damaged, _ = case
    entries = list(damaged.entries)
    place = data.draw(st.integers(0, len(entries) - 1))
    slip = data.draw(st.sampled_from(["digit", "skip", "double"]))
    if slip == "digit":
        entries[place] = Entry(entries[place].ply, data.draw(st.sampled_from(["76", "3-4", "9:1x", "55"])))
    elif slip == "skip":
        entries = entries[:place] + [
            Entry(entry.ply - 1, entry.text, entry.kazan) for entry in entries[place + 1 :]
        ]
    else:
        entries[place:place] = [entries[place]]
        entries = [Entry(ply, entry.text, entry.kazan) for ply, entry in enumerate(entries, 1)]
    found = restore(Sheet(tuple(entries), damaged.diagrams), max_positions=2_000)
    assert str(found)
    if isinstance(found, Unique):
        for entry in entries:
            if "_" not in entry.text and len(entry.text) == 2:
                assert entry.text == format_two_digit(found.sowings[entry.ply - 1])


@pytest.mark.parametrize("length", range(1, 7))
def test_holes_in_real_games_hold_the_true_game(length: int) -> None:
    """A run of plies missing, and two more elsewhere."""
    chance = random.Random(length)
    games = [game["tokens"] for game in shared_lines("tournament_games.jsonl")]
    long = [tokens for tokens in games if len(tokens) > 40]
    for tokens in chance.sample(long, 5 if length < 5 else 2):
        first = chance.randrange(20, len(tokens) - length)
        holes = {*range(first, first + length), 4, 13}
        found = restore(sheet(tokens, holes), limit=300, max_positions=100_000)
        if isinstance(found, Unique):
            assert texts(found.sowings) == tokens
        elif isinstance(found, Ambiguous):
            position = START
            for token, candidates in zip(tokens, found.candidates, strict=True):
                sowing = parse_two_digit(token, position)
                position = sowing.after
                assert format_short(sowing) in {candidate.text for candidate in candidates}
            assert len(found.solutions) == min(300, found.total or 0)
            if found.total == len(found.solutions):
                assert tokens in [texts(game) for game in found.solutions]
        else:
            assert isinstance(found, TooOpen)
            assert length > 4


def test_a_hopeless_sheet_is_too_open() -> None:
    """Ninety-eight plies before the one that is known."""
    found = restore(Sheet((Entry(99, "7:6"),)))
    assert isinstance(found, TooOpen)
    assert (found.first_ply, found.last_ply) == (1, 98)
    assert found.ply <= 8
    assert found.positions <= found.max_positions
    assert str(found).startswith("plies 1 to 98 leave too much open: at least ")


def test_the_gap_that_is_too_wide_is_named() -> None:
    """Another one before it was narrow enough."""
    found = restore(sheet(GAME_2009, {5, 6, *range(21, 30)}), max_positions=2_000)
    assert isinstance(found, TooOpen)
    assert (found.first_ply, found.last_ply) == (21, 29)


def test_the_widest_gap_is_named_wherever_the_search_has_to_stop() -> None:
    """The positions ran out thirty plies later, at an entry that was read well."""
    found = restore(sheet(GAME_2009, {21, 22, 23, 24}), max_positions=2_430)
    assert isinstance(found, TooOpen)
    assert (found.first_ply, found.last_ply, found.ply) == (21, 24, 24)


def test_half_read_entries_are_no_gap() -> None:
    """However much they leave open; the widest place is named alone."""
    said = [*GAME_2009[:20], *(f"_{text[1]}" for text in GAME_2009[20:40])]
    found = restore(sheet(said), max_positions=60)
    assert isinstance(found, TooOpen)
    assert found.first_ply == found.last_ply == found.ply > 20


def test_an_empty_sheet_is_a_game_without_moves() -> None:
    """Nothing was written, nothing is open."""
    assert restore(Sheet(())) == Unique(())


def test_what_is_no_move_is_refused() -> None:
    """Text that fits no notation is an error of the sheet's reader."""
    with pytest.raises(NotationError, match="'hello' is no move"):
        restore(Sheet((Entry(1, "hello"),)))
    with pytest.raises(NotationError, match="the move alone"):
        restore(Sheet((Entry(1, "7:6(10)"),)))


@given(st.text(alphabet="0123456789:-xX_()=!. {}\n", max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_entry_is_answered_or_refused_by_name(text: str) -> None:
    """Hostile text is nothing but an error of the rules."""
    try:
        found = restore(Sheet((Entry(1, text), Entry(2, "98"))), max_positions=200)
    except RulesError:
        return
    assert isinstance(found, Unique | Ambiguous | Impossible | TooOpen)


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_an_unreadable_character_alone_leaves_the_true_move_possible(data: st.DataObject) -> None:
    """One entry of a whole sheet cannot be read."""
    sowings = random_sowings(data.draw(st.integers(0, 500)), 20)
    said = written(sowings)
    ply = data.draw(st.integers(1, len(said)))
    said[ply - 1] = data.draw(unreadable(said[ply - 1]))
    found = restore(sheet(said))
    games = [found.sowings] if isinstance(found, Unique) else getattr(found, "solutions", ())
    assert tuple(sowings) in games
