"""Entries and points of the event as plain values, for pages and programs. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from firmware_bridge.hall.ledger.event_values import Book
from rules.tournament.entries import LEAST_ENTRIES, proposed_system
from rules.tournament.options import Tournament
from rules.tournament.rounds import Standing

FOR_PAIRING = ("2.5.6",)
"""By what a postponed game counts as a draw for the next pairing."""


def entries_told(book: Book, options: Tournament) -> dict[str, Any]:
    """Return who has entered by rating, and the system that is proposed; None: there are too few for any."""
    proposal = None
    if len(book.entries) >= LEAST_ENTRIES:
        found = proposed_system(len(book.entries), options)
        proposal = {"system": found.system, "rounds": found.rounds, "articles": list(found.articles)}
    return {"entries": [asdict(each) for each in book.entries], "proposed": proposal}


def standings_told(
    standings: Iterable[Standing], round_number: int, missed: Mapping[str, Sequence[int]]
) -> dict[str, Any]:
    """Return the points that a round is paired by; they are no table of the event, and say so."""
    listed = [{**asdict(each), "missed": list(missed.get(each.name, ()))} for each in standings]
    return {
        "round": round_number,
        "for_pairing_only": True,
        "provisional": any(each["provisional"] for each in listed),
        "articles": list(FOR_PAIRING),
        "points": listed,
    }
