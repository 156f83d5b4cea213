"""`togyz event`: what the hall's ledger holds of people and rounds; entries and reasons written down."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer

from firmware_bridge.commands.common import (
    EXIT_FAILED,
    ConfigFile,
    config_of,
    errors_told,
    fail,
    later,
    plainly,
    reason_said,
    say,
    speech,
)
from firmware_bridge.commands.hall import ledger_path
from firmware_bridge.commands.spoken import SpokenCommand, SpokenGroup
from firmware_bridge.config import Config
from firmware_bridge.hall.console.event import missed_rounds, next_round, points
from firmware_bridge.hall.console.notices import notice_text, round_notice, warnings_notice
from firmware_bridge.hall.ledger.book import read_book
from firmware_bridge.hall.ledger.entry_file import EntryError, read_entries
from firmware_bridge.hall.ledger.event_values import Book, Excuse
from firmware_bridge.hall.ledger.pairings import LAST_ROUND, PairingFault
from firmware_bridge.hall.ledger.people import enter, excuse
from firmware_bridge.hall.ledger.store import Ledger, LedgerError, Work
from rules.tournament.entries import LEAST_ENTRIES, Entry, named, proposed_system

T = TypeVar("T")

MOST_FAULTS: Final = 20
"""Mistakes of a file that are told at once."""

app = typer.Typer(
    cls=SpokenGroup, no_args_is_help=True, rich_markup_mode="rich", help=later("cli.event.help")
)

Round = Annotated[
    int | None,
    typer.Option("--round", help=later("cli.event.round"), min=0, max=LAST_ROUND, show_default=False),
]


def warnings(config: ConfigFile, after: Round = None) -> None:
    """Print the warnings that are announced after a round (2.4.10)."""
    plainly(*notice_text(warnings_notice(_book(config_of(config)), after, speech.texts)))


def penalties(config: ConfigFile) -> None:
    """Print what the chief panel has imposed (2.4.7)."""
    found = _book(config_of(config)).penalties
    if not found:
        plainly(say("tournament.no_penalties"))
    for each in found:
        what, articles = speech.texts.of("penalty", each.kind), each.articles.replace(" ", ", ")
        told = f"{each.person}: {what} ({articles}); {each.reason}; {each.given_by}"
        back = say("tournament.taken_back", what=told, by=each.taken_back_by)
        plainly(told if each.taken_back is None else back)


def entries(
    config: ConfigFile,
    file: Annotated[
        Path | None, typer.Argument(help=later("cli.event.entries_file"), metavar="FILE", show_default=False)
    ] = None,
) -> None:
    """Print who has entered by rating and the system proposed for so many; a file adds entries (2.9.1)."""
    loaded = config_of(config)
    if file is not None:
        read = _read(file)
        _apply(loaded, lambda db: enter(db, read, _now_ms()))
    found = _book(loaded).entries
    for number, each in enumerate(found, start=1):
        rating = "—" if each.rating is None else str(each.rating)
        plainly("  ".join(part for part in (f"{number}.", rating, each.name, each.team) if part))
    if len(found) < LEAST_ENTRIES:
        plainly(say("tournament.too_few", n=len(found)))
        return
    proposal = proposed_system(len(found), loaded.tournament.options())
    words = {"n": len(found), "rounds": proposal.rounds, "articles": ", ".join(proposal.articles)}
    plainly(
        say("tournament.round_robin", **words)
        if proposal.system == "round_robin"
        else say("tournament.swiss", **words)
    )


def points_for_pairing(config: ConfigFile, paired: Round = None) -> None:
    """Print the points that a round is paired by: a postponed game is half a point, provisionally (2.5.6)."""
    book = _book(config_of(config))
    number = next_round(book) if paired is None else paired
    missed = missed_rounds(book)
    plainly(say("tournament.points", n=number))
    for each in points(book, number):
        notes = []
        if each.provisional:
            notes.append(say("tournament.provisional", points=f"{each.provisional:g}"))
        if each.open:
            notes.append(say("tournament.open", n=each.open))
        if each.name in missed:
            notes.append(say("tournament.missed", rounds=", ".join(map(str, missed[each.name]))))
        plainly("  ".join([f"{each.points:g}", each.name, *notes]))


def round_paper(
    config: ConfigFile,
    number: Annotated[int, typer.Argument(help=later("cli.event.round"), min=1, max=LAST_ROUND)],
) -> None:
    """Print the boards of a round, and whether score sheets are written (2.9.2)."""
    loaded = config_of(config)
    plainly(*notice_text(round_notice(_book(loaded), number, loaded.hall_conduct(), speech.texts)))


def excused(
    config: ConfigFile,
    person: Annotated[str, typer.Argument(help=later("cli.event.person"), metavar="NAME")],
    number: Annotated[int, typer.Argument(help=later("cli.event.round"), min=1, max=LAST_ROUND)],
    reason: Annotated[str, typer.Argument(help=later("cli.event.reason"), metavar="REASON")],
) -> None:
    """Write down why somebody missed a round, so that he is paired again (2.3.13)."""
    given = Excuse(person=named(person), round=number, reason=named(reason), given_by="", at_ms=_now_ms())
    loaded = config_of(config)
    if not given.person or not given.reason:
        raise fail(say("tournament.no_reason"), EXIT_FAILED)
    _apply(loaded, lambda db: excuse(db, given))
    plainly(say("tournament.excused", name=given.person, n=number))


def _read(file: Path) -> tuple[Entry, ...]:
    """Return the entries of a file; every mistake in it is told with its line."""
    try:
        return read_entries(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise fail(say("tournament.unread", file=file, why=reason_said(error))) from error
    except UnicodeDecodeError as error:
        raise fail(say("tournament.no_text", file=file)) from error
    except EntryError as error:
        told = [_fault_said(file, fault) for fault in error.faults[:MOST_FAULTS]]
        raise fail("\n".join(told), EXIT_FAILED) from error


def _fault_said(file: Path, fault: PairingFault) -> str:
    where = say("pairing.where", line=fault.line, column=fault.column or "—")
    return f"{file}: {where} {speech.texts.text(f'pairing.{fault.code}', value=fault.value)}"


def _apply(config: Config, work: Work[T]) -> T:
    """Do a piece of work in the ledger of the hall."""
    with errors_told(LedgerError), Ledger(ledger_path(config), config.board.event) as ledger:
        return ledger.apply(work)


def _book(config: Config) -> Book:
    return _apply(config, read_book)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


for _name, _verb, _key in (
    ("warnings", warnings, later("cli.event.warnings")),
    ("penalties", penalties, later("cli.event.penalties")),
    ("entries", entries, later("cli.event.entries")),
    ("points", points_for_pairing, later("cli.event.points")),
    ("round", round_paper, later("cli.event.round_paper")),
    ("excuse", excused, later("cli.event.excuse")),
):
    app.command(_name, cls=SpokenCommand, help=_key)(_verb)
