"""Warnings: the five steps of 2.4.6, and the fold over what arbiters gave and took back.

Nothing is ever dropped: a warning that its own arbiter took back stays in the list and counts no more, and no
other arbiter can take it back (2.4.8). The list is one for the whole event (2.4.10); within what warnings add
up is an option, as the regulations do not say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from rules.conduct.codes import Code
from rules.conduct.offences import Offence
from rules.conduct.options import WarningScope
from rules.conduct.proposal import Decider
from rules.errors import ConductError, shown

LAST_LEVEL = 5
"""The fifth warning is the last: the player is expelled (2.4.6)."""

WATCHED_FROM = 2
"""A representative or coach who is warned again is watched until the end of the event (2.4.10)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WarningGiven:
    """An arbiter warned a player, or his representative or coach.

    Attributes:
        key: The warning's own key, so that it never counts twice.
        person: The key of whom it was given to.
        arbiter: The key of who gave it.
        round_number: In which round, 1 or more.
        game: The key of the game; None: outside one.
        offence: For what.
        level: Which step it was, 1..LAST_LEVEL, as the arbiter decided; the ladder only proposes.
        representative: The key of whom the fourth warning is recorded against (2.4.6); None: of nobody.
    """

    key: str
    person: str
    arbiter: str
    round_number: int
    game: str | None
    offence: Offence
    level: int
    representative: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WarningTakenBack:
    """An arbiter took back what he had given.

    Attributes:
        key: The warning's key.
        arbiter: The key of who takes it back.
        reason: Why, in words.
    """

    key: str
    arbiter: str
    reason: str


WarningEntry: TypeAlias = WarningGiven | WarningTakenBack


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of the list.

    Attributes:
        given: The warning as it was given.
        taken_back: Why it counts no more, in words; None: it counts.
    """

    given: WarningGiven
    taken_back: str | None = None


@dataclass(frozen=True, slots=True)
class Warnings:
    """All warnings of an event, in the order in which they were given."""

    listed: tuple[Listed, ...] = ()


NO_WARNINGS = Warnings()
"""An event in which nobody was warned yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WarningStep:
    """Which warning would be the next, for the one who decides to confirm.

    Attributes:
        level: 1..LAST_LEVEL.
        code: What it is called, the key of a text.
        articles: What it rests on.
        decider: Whose decision it is: with the fourth step still the arbiter's, with the fifth the panel's.
        to_panel: Whether the player's case comes before the chief panel.
        against_representative: Whether it is recorded against his representative or coach.
    """

    level: int
    code: Code
    articles: tuple[str, ...] = ("2.4.6",)
    decider: Decider = Decider.ARBITER
    to_panel: bool = False
    against_representative: bool = False


LADDER: tuple[WarningStep, ...] = (
    WarningStep(level=1, code=Code.WARNING_ORAL),
    WarningStep(level=2, code=Code.WARNING_WRITTEN),
    WarningStep(level=3, code=Code.WARNING_STRICT, to_panel=True),
    WarningStep(level=4, code=Code.WARNING_REPRESENTATIVE, against_representative=True),
    WarningStep(
        level=5,
        code=Code.WARNING_EXPULSION,
        articles=("2.4.6", "2.4.7"),
        decider=Decider.PANEL,
        to_panel=True,
    ),
)
"""The steps: oral, written, strict, against the representative, expulsion (2.4.6)."""


def fold_warnings(entries: Iterable[WarningEntry], warnings: Warnings = NO_WARNINGS) -> Warnings:
    """Return the list after the entries, beginning from `warnings`.

    Raises:
        ConductError: See `warned`.
    """
    for entry in entries:
        warnings = warned(warnings, entry)
    return warnings


def warned(warnings: Warnings, entry: WarningEntry) -> Warnings:
    """Return the list after one entry; the list given is never changed.

    Raises:
        ConductError: A key is given twice or not known, a level or round is out of its range, or another
            arbiter would take a warning back (2.4.8).
    """
    if isinstance(entry, WarningTakenBack):
        return _taken_back(warnings, entry)
    if not 1 <= entry.level <= LAST_LEVEL:
        raise ConductError(f"there is no warning of level {shown(entry.level)}: 1 to {LAST_LEVEL} (2.4.6)")
    if entry.round_number < 1:
        raise ConductError(f"there is no round {shown(entry.round_number)}: rounds begin with 1")
    if any(line.given.key == entry.key for line in warnings.listed):
        raise ConductError(f"warning {shown(entry.key)} was given already")
    return Warnings((*warnings.listed, Listed(entry)))


def next_step(
    warnings: Warnings,
    person: str,
    scope: WarningScope = "event",
    *,
    round_number: int | None = None,
    game: str | None = None,
) -> WarningStep:
    """Return which warning would be the next for `person`; after the last it is the last again.

    That is one step above the highest he has, and never below what their number says.

    Args:
        warnings: The list.
        person: His key.
        scope: Within what warnings add up (requirement 45).
        round_number: The round asked about; needed where the scope is the round.
        game: The game asked about; needed where the scope is the game.

    Raises:
        ConductError: The scope needs a round or a game, and none was given.
    """
    if scope == "round" and round_number is None:
        raise ConductError("warnings add up within a round, and no round was given")
    if scope == "game" and game is None:
        raise ConductError("warnings add up within a game, and no game was given")
    levels = [
        given.level
        for given in standing(warnings, person)
        if scope == "event"
        or (scope == "round" and given.round_number == round_number)
        or (scope == "game" and given.game == game)
    ]
    reached = max([len(levels), *levels])
    return LADDER[min(reached, LAST_LEVEL - 1)]


def standing(warnings: Warnings, person: str) -> tuple[WarningGiven, ...]:
    """Return the warnings of `person` that count, oldest first."""
    return tuple(
        line.given for line in warnings.listed if line.taken_back is None and line.given.person == person
    )


def announced(warnings: Warnings, round_number: int) -> tuple[WarningGiven, ...]:
    """Return what is announced after a round: the whole list up to it, as far as it counts (2.4.10)."""
    return tuple(
        line.given
        for line in warnings.listed
        if line.taken_back is None and line.given.round_number <= round_number
    )


def recorded_against(warnings: Warnings, representative: str) -> tuple[WarningGiven, ...]:
    """Return what stands against a representative or coach: his own warnings and his players' fourth."""
    return tuple(
        line.given
        for line in warnings.listed
        if line.taken_back is None and representative in (line.given.person, line.given.representative)
    )


def watched(warnings: Warnings, representative: str) -> bool:
    """Return whether a representative or coach is to be watched specially: warned again (2.4.10)."""
    return len(recorded_against(warnings, representative)) >= WATCHED_FROM


def _taken_back(warnings: Warnings, entry: WarningTakenBack) -> Warnings:
    """Return the list with one warning that counts no more."""
    for place, line in enumerate(warnings.listed):
        if line.given.key != entry.key:
            continue
        if line.given.arbiter != entry.arbiter:
            raise ConductError(
                f"arbiter {shown(entry.arbiter)} cannot alter warning {shown(entry.key)}: "
                f"{shown(line.given.arbiter)} gave it (2.4.8)"
            )
        if line.taken_back is not None:
            raise ConductError(f"warning {shown(entry.key)} was taken back already")
        changed = replace(line, taken_back=entry.reason)
        return Warnings((*warnings.listed[:place], changed, *warnings.listed[place + 1 :]))
    raise ConductError(f"warning {shown(entry.key)} was never given")
