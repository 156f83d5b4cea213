"""Entries: one way to write a name, the list by rating, the system for so many (2.9.1, 2.1.4, 2.1.7)."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import TournamentError
from rules.tournament.entries import Entry, alphabetical, listed, named, proposed_system
from rules.tournament.options import DEFAULTS, Tournament


def test_requirement_38_players_are_listed_by_rating() -> None:
    """The highest first, then by the Kazakh alphabet; who has none stands last (2.9.1)."""
    entries = [
        Entry(name="Яна"),
        Entry(name="Бауыржан", rating=1900),
        Entry(name="Әсел", rating=1900),
        Entry(name="Айдос", rating=2100),
        Entry(name="Нөл", rating=0),
    ]
    assert [entry.name for entry in listed(entries)] == ["Айдос", "Әсел", "Бауыржан", "Нөл", "Яна"]


def test_the_kazakh_alphabet_is_not_the_order_of_unicode() -> None:
    """Ә follows а, қ follows к, і follows ы."""
    names = ["Қанат", "Канат", "Лаура", "Әли", "Али", "Баян", "Ілия", "Ырыс"]
    assert sorted(names, key=alphabetical) == [
        "Али", "Әли", "Баян", "Канат", "Қанат", "Лаура", "Ырыс", "Ілия",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("entries", "system", "rounds"),
    [
        (2, "round_robin", 1),
        (7, "round_robin", 7),
        (10, "round_robin", 9),
        (11, "swiss", 5),
        (32, "swiss", 5),
        (33, "swiss", 6),
        (200, "swiss", 8),
        (2000, "swiss", 11),
    ],
)
def test_requirement_38_the_number_of_entries_proposes_the_system(
    entries: int, system: str, rounds: int
) -> None:
    """Everybody meets everybody at ten, a Swiss of 5 to 15 rounds above (2.1.4, 2.1.7)."""
    found = proposed_system(entries, DEFAULTS)
    assert (found.system, found.rounds) == (system, rounds)
    assert found.articles[:2] == ("2.9.1", "2.1.4")


def test_requirement_38_where_the_limit_lies_and_how_many_rounds_is_an_option() -> None:
    """The regulations give no formula."""
    chosen = Tournament(round_robin_most=4, swiss_rounds=9)
    assert proposed_system(4, chosen).system == "round_robin"
    assert (proposed_system(12, chosen).system, proposed_system(12, chosen).rounds) == ("swiss", 9)
    assert proposed_system(6, chosen).rounds == 5  # nobody can meet more than five others


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"round_robin_most": -1}, "round_robin_most is -1"),
        ({"swiss_rounds": 16}, "swiss_rounds is 16"),
        ({"swiss_rounds": 0}, "swiss_rounds is 0"),
    ],
)
def test_an_option_out_of_range_is_told(wrong: dict[str, int], told: str) -> None:
    """With its value."""
    with pytest.raises(TournamentError, match=told):
        Tournament(**wrong)  # type: ignore[arg-type] # numbers all


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"name": ""}, "is no name"),
        ({"name": "x" * 81}, "is no name"),
        ({"name": "Айдос  Сейітов"}, "is not written as 'Айдос Сейітов'"),
        ({"name": "Айдос", "representative": " Марат"}, "is not written as 'Марат'"),
        ({"name": "Айдос", "rating": 4001}, "4001 is no rating"),
    ],
)
def test_an_entry_that_is_none_is_told(wrong: dict[str, object], told: str) -> None:
    """With what is wrong with it."""
    with pytest.raises(TournamentError, match=told):
        Entry(**wrong)  # type: ignore[arg-type] # wrong on purpose


def test_no_system_for_one() -> None:
    """Nobody is there to be played."""
    with pytest.raises(TournamentError, match="1 entries are no event"):
        proposed_system(1, DEFAULTS)


@given(st.text(max_size=40))
def test_a_name_has_one_form(text: str) -> None:
    """However its letters are composed and its blanks are set."""
    once = named(text)
    assert named(once) == once
    assert named(f"  {unicodedata.normalize('NFD', text)}\t") == once
