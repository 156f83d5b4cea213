"""What the ledger means for people and rounds: the ladder, who is left out, who has not signed. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, TypeAlias

from firmware_bridge.hall.ledger.event_values import AGAINST_HIM, Book
from firmware_bridge.hall.ledger.pairings import LAST_ROUND
from firmware_bridge.hall.ledger.values import Fixture, Warned
from rules.conduct.endings import unsigned
from rules.conduct.ladder import (
    LAST_LEVEL,
    NO_WARNINGS,
    WarningEntry,
    WarningGiven,
    Warnings,
    WarningStep,
    WarningTakenBack,
    announced,
    fold_warnings,
    next_step,
    watched,
)
from rules.conduct.offences import Offence, articles_of
from rules.conduct.options import Conduct
from rules.errors import ConductError
from rules.position import Side
from rules.tournament.options import Tournament
from rules.tournament.rounds import EventGame, Standing, for_pairing, left_out, missed

_WATCHES: Final = "warn_representative"
_EXPELS: Final = ("expel_player", "expel_representative")

BarCode: TypeAlias = Literal["not_entered", "expelled", "missed_rounds"]
"""Why somebody is not paired, the key of a text."""


def ladder(listed: Sequence[Warned]) -> Warnings:
    """Return the event's list as the ladder reads it; what makes no sense there is left out."""
    warnings = NO_WARNINGS
    for each in listed:
        given = WarningGiven(
            key=each.key,
            person=each.person,
            arbiter=each.given_by,
            round_number=max(1, each.round),
            game=each.game,
            offence=Offence.ILLEGAL_SOWING,
            level=each.level,
            representative=each.against or None,
        )
        entries: list[WarningEntry] = [given]
        if each.taken_back is not None:
            entries.append(WarningTakenBack(key=each.key, arbiter=each.given_by, reason=each.taken_back))
        try:
            warnings = fold_warnings(entries, warnings)
        except ConductError:
            continue
    return warnings


def step_of(
    listed: Sequence[Warned], person: str, conduct: Conduct, *, round_number: int, game: str
) -> WarningStep:
    """Return which warning would be somebody's next (2.4.6), within what the event lets them add up.

    Args:
        listed: The list of the event.
        person: Whom.
        conduct: The options of the event.
        round_number: In which round; below 1: in none, and the first is meant.
        game: In which game; empty: outside one.
    """
    rounds = max(1, round_number)
    return next_step(ladder(listed), person, conduct.warning_scope, round_number=rounds, game=game)


def step_told(step: WarningStep, representative: str) -> dict[str, Any]:
    """Return a step as plain values, with whom it is recorded against; empty: nobody, or nobody is named."""
    return {
        "level": step.level,
        "code": step.code.value,
        "articles": list(step.articles),
        "decider": step.decider.value,
        "to_panel": step.to_panel,
        "against_representative": step.against_representative,
        "against": representative if step.against_representative else "",
    }


def warned_for(book: Book, person: str, game: str, offence: Offence) -> bool:
    """Return whether somebody has a warning that counts for an offence in a game."""
    article = articles_of(offence)[0]
    return any(
        (each.person, each.game, each.article, each.taken_back) == (person, game, article, None)
        for each in book.warnings
    )


def representative_of(book: Book, person: str) -> str:
    """Return who answers for a player; empty: nobody is named."""
    return next((each.representative for each in book.entries if each.name == person), "")


def nth_offence(book: Book, person: str, game: str, number: int) -> int:
    """Return which of his offences in this event an infraction is, from 1.

    Those before it count that were decided against him: what was dismissed, put right before anybody decided
    or left open with the end of its game does not.
    """
    this = next((each for each in book.offences if (each.game, each.number) == (game, number)), None)
    before = book.offences if this is None else book.offences[: book.offences.index(this)]
    return 1 + sum(
        each.person == person and each.settled in AGAINST_HIM and (each.game, each.number) != (game, number)
        for each in before
    )


def watched_people(book: Book) -> tuple[str, ...]:
    """Return the representatives and coaches to be watched specially: warned again (2.4.10)."""
    own = tuple(
        Warned(
            key=f"penalty-{each.key}",
            person=each.person,
            level=1,
            board="",
            game="",
            round=each.round,
            article=each.articles,
            given_by=each.given_by,
            reason=each.reason,
            at_ms=each.at_ms,
            taken_back=each.taken_back,
        )
        for each in book.penalties
        if each.kind == _WATCHES
    )
    warnings = ladder((*book.warnings, *own))
    named = [each.against for each in book.warnings if each.against] + [each.person for each in own]
    named += [entry.representative for entry in book.entries if entry.representative]
    return tuple(name for name in sorted(set(named)) if watched(warnings, name))


def announced_after(book: Book, round_number: int | None) -> tuple[Warned, ...]:
    """Return the warnings that are announced after a round: all up to it that count (2.4.10).

    Args:
        book: The ledger.
        round_number: After which; None: all there are.
    """
    last = LAST_ROUND if round_number is None else round_number
    keys = {given.key for given in announced(ladder(book.warnings), last)}
    return tuple(each for each in book.warnings if each.key in keys)


def event_games(fixtures: Iterable[Fixture]) -> tuple[EventGame, ...]:
    """Return the games of rounds as pairing sees them."""
    return tuple(
        EventGame(
            round_number=each.round,
            players=(each.bastaushy, each.qostaushy),
            score=each.score,
            postponed=each.postponed is not None,
            forfeited=each.reason == "forfeit",
            ruled=each.reason == "arbiter",
        )
        for each in fixtures
        if each.round >= 1
    )


def points(book: Book, round_number: int) -> tuple[Standing, ...]:
    """Return the points that the pairing of a round goes by; a postponed game is half a point (2.5.6)."""
    return for_pairing(event_games(book.fixtures), round_number, (entry.name for entry in book.entries))


def next_round(book: Book) -> int:
    """Return the round that is paired next: the one behind the last that has games."""
    return 1 + max((each.round for each in book.fixtures), default=0)


def missed_rounds(book: Book) -> dict[str, tuple[int, ...]]:
    """Return the rounds each player has missed without a reason."""
    return missed(event_games(book.fixtures), {(each.person, each.round) for each in book.excuses})


def bar_of(book: Book, person: str, round_number: int, options: Tournament) -> tuple[BarCode, str] | None:
    """Return why somebody cannot be paired in a round, with the articles and facts; None: he can.

    Who is not among the entries is not registered (2.4.7); an event without a list of entries asks nobody.
    Who was expelled plays no more (2.4.6, 2.4.7); who missed two rounds is left out (2.3.13).
    """
    if book.entries and all(entry.name != person for entry in book.entries):
        return "not_entered", person
    for warned in book.warnings:
        if warned.person == person and warned.level == LAST_LEVEL and warned.taken_back is None:
            return "expelled", person
    for penalty in book.penalties:
        if penalty.person == person and penalty.kind in _EXPELS and penalty.taken_back is None:
            return "expelled", person
    rounds = missed_rounds(book).get(person, ())
    if left_out(rounds, round_number, options.missed_rounds):
        return "missed_rounds", f"{person}: {', '.join(map(str, rounds))}"
    return None


def unsigned_of(book: Book, fixture: Fixture, now_ms: int) -> list[dict[str, Any]]:
    """Return the warnings due because a result was not signed within thirty minutes (2.10.9).

    None is due where somebody protested, and none twice. The time runs from when the hall heard of the end.
    """
    if fixture.ended_ms is None:
        return []
    protested = any(each.game == fixture.key for each in book.protests)
    due: list[dict[str, Any]] = []
    for side, person in zip(Side, (fixture.bastaushy, fixture.qostaushy), strict=True):
        if (fixture.key, side.value) in book.signatures:
            continue
        found = unsigned(side, (now_ms - fixture.ended_ms) * 1000, protested=protested)
        if found is not None and not warned_for(book, person, fixture.key, Offence.SHEET_NOT_SIGNED):
            due.append(
                {
                    "code": Offence.SHEET_NOT_SIGNED.value,
                    "articles": list(found.articles),
                    "game": fixture.key,
                    "round": fixture.round,
                    "board": fixture.board,
                    "side": side.value,
                    "person": person,
                }
            )
    return due
