"""Who has entered: listed by rating, and the system that so many are played in (2.9.1, 2.1.4, 2.1.7)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, log2
from typing import Literal, TypeAlias

from rules.errors import TournamentError, shown
from rules.tournament.options import MOST_SWISS_ROUNDS, Tournament

LEAST_SWISS_ROUNDS = 5
"""A Swiss has 5 to 15 rounds (2.1.4)."""

MOST_RATING = 4000
"""No list of ours has one of more than four digits, nor half of this."""

LONGEST_NAME = 80
"""As long as a name may be in a file of pairings."""

LEAST_ENTRIES = 2
"""One alone plays nobody."""

System: TypeAlias = Literal["round_robin", "swiss"]

_ALPHABET = "аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщъыіьэюя"
"""The Kazakh alphabet, which is not the order of Unicode."""

_PLACES = {letter: f"{place:02}" for place, letter in enumerate(_ALPHABET)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Somebody who has entered (2.2.8). A name stands for one person of the event: see `named`.

    Attributes:
        name: His name as `named` gives it.
        rating: 0..MOST_RATING; None: he has none.
        team: His team; empty: none.
        representative: The representative or coach who answers for him (2.4.6); empty: nobody is named.

    Raises:
        TournamentError: A name is empty, too long or not as `named` gives it, or a rating out of range.
    """

    name: str
    rating: int | None = None
    team: str = ""
    representative: str = ""

    def __post_init__(self) -> None:
        if not 1 <= len(self.name) <= LONGEST_NAME or not self.name.isprintable():
            raise TournamentError(f"{shown(self.name)} is no name: 1 to {LONGEST_NAME} letters")
        for text in (self.name, self.team, self.representative):
            if text != named(text):
                raise TournamentError(f"{shown(text)} is not written as {named(text)!r}")
        if self.rating is not None and not 0 <= self.rating <= MOST_RATING:
            raise TournamentError(f"{shown(self.rating)} is no rating: 0 to {MOST_RATING}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedSystem:
    """What is proposed for so many entries.

    Attributes:
        system: Which.
        rounds: How many rounds it has.
        articles: What it rests on.
    """

    system: System
    rounds: int
    articles: tuple[str, ...]


def named(text: str) -> str:
    """Return a name in the one way it is written: composed letters, single blanks, none around it.

    Warnings, missed rounds and offences are counted by name, so the same name written in two ways would be
    two people.
    """
    return " ".join(unicodedata.normalize("NFC", text).split())


def listed(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the entries by rating, the highest first, then by the Kazakh alphabet; who has none is last."""
    return tuple(sorted(entries, key=lambda entry: (-(entry.rating or -1), alphabetical(entry.name))))


def alphabetical(name: str) -> str:
    """Return what names are sorted by: the Kazakh alphabet, whatever the case; other letters behind it."""
    return "".join(_PLACES.get(letter, f"~{letter}") for letter in named(name).casefold())


def proposed_system(entries: int, options: Tournament) -> ProposedSystem:
    """Return the system for so many entries: everybody against everybody as long as they are few.

    The regulations say that the number of entries decides (2.9.1, 2.5.3); where, only for one kind of event
    (2.1.7), so it is an option. Of a Swiss they say 5 to 15 rounds (2.1.4): unless the event has chosen,
    as many as part the field by halves, and no more than can be paired without meeting twice.

    Raises:
        TournamentError: There are fewer than two.
    """
    if entries < LEAST_ENTRIES:
        raise TournamentError(f"{entries} entries are no event: {LEAST_ENTRIES} or more")
    everybody = entries - 1 + entries % 2
    if entries <= options.round_robin_most:
        return ProposedSystem(system="round_robin", rounds=everybody, articles=("2.9.1", "2.1.4", "2.1.7"))
    halves = max(LEAST_SWISS_ROUNDS, min(MOST_SWISS_ROUNDS, ceil(log2(entries))))
    rounds = halves if options.swiss_rounds is None else options.swiss_rounds
    return ProposedSystem(system="swiss", rounds=min(rounds, everybody), articles=("2.9.1", "2.1.4", "2.5.3"))
