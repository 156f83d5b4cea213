"""What is wrong with a position from elsewhere: a typed diagram, a study, a board that was knocked over.

There are two sorts. Some boards cannot exist: their stones do not add up, or the rules put them elsewhere;
nothing can be reckoned from them. Others can be laid out and played on, but no game reaches them. A study may
be such a board, a score sheet may not.

What is not named may still be out of reach: whether a game leads to a position is known for certain only from
the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from rules.position import START, STONES, WINNING_STONES, Position, Side, pit_index, pit_name
from rules.unplay import unplay

_PAST_PLIES = 3
"""How many last moves are looked for, since what one move leads to may itself be out of reach.

The third step back finds about a tenth of what the first one does, and the ways back multiply by forty."""


class ProblemKind(Enum):
    """What can be wrong with a position."""

    PITS = "pits"
    """There are not 18 pits."""
    NEGATIVE = "negative"
    """A pit or a kazan holds less than nothing."""
    TOTAL = "total"
    """There are not 162 stones (1.1.2)."""
    BOTH_WON = "both_won"
    """Both kazans hold 82 or more: together more stones than there are."""
    TUZDYK_NUMBER = "tuzdyk_number"
    """A tuzdyk has a number other than 1 to 8 (1.4.3)."""
    SAME_TUZDYKS = "same_tuzdyks"
    """Both tuzdyks have the same number (1.4.3)."""
    TUZDYK_HOLDS_STONES = "tuzdyk_holds_stones"
    """Stones lie in a tuzdyk: they belong into its owner's kazan (1.4.2)."""

    TUZDYK_UNPAID = "tuzdyk_unpaid"
    """The owner of a tuzdyk has banked less than the three stones that it brought him (1.4.1)."""
    ODD_KAZAN = "odd_kazan"
    """A kazan without a tuzdyk is odd, though captures are even (1.3.2, 1.4.1)."""
    NO_LAST_MOVE = "no_last_move"
    """There is no last move, or no few last moves, that could have led here."""

    @property
    def fatal(self) -> bool:
        """True: such a board cannot exist. False: it can, but no game reaches it."""
        return self not in _UNREACHED


_UNREACHED = frozenset({ProblemKind.TUZDYK_UNPAID, ProblemKind.ODD_KAZAN, ProblemKind.NO_LAST_MOVE})


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a position.

    Attributes:
        kind: What sort of thing.
        text: What is wrong and where, in English.
        number: The number in it: the pits, all stones, or that of a tuzdyk; None where there are others.
    """

    kind: ProblemKind
    text: str
    number: int | None = None


def problems(position: Position) -> tuple[Problem, ...]:
    """Return all that is wrong with a position, what is fatal first; () for one that a game may reach.

    Takes a fraction of a millisecond for a position of a game, some milliseconds for others.
    """
    found = impossible(position)
    if any(problem.kind is ProblemKind.PITS for problem in found):
        return found
    found += tuple(_banked(position))
    if found:
        return found
    for plies in range(1, _PAST_PLIES + 1):
        if not _has_past(position, plies):
            mover = position.to_move.opponent.value
            text = f"no move of {mover} leads here" if plies == 1 else f"no {plies} moves in a row lead here"
            return (Problem(ProblemKind.NO_LAST_MOVE, text),)
    return ()


def impossible(position: Position) -> tuple[Problem, ...]:
    """Return the problems that are fatal: what no board of this game can be; () for one to play on."""
    if len(position.pits) != 18:
        return (Problem(ProblemKind.PITS, f"{len(position.pits)} pits instead of 18", len(position.pits)),)
    return (*_stones(position), *_tuzdyks(position))


def _stones(position: Position) -> Iterator[Problem]:
    """Yield what is wrong with the numbers of stones."""
    for index, stones in enumerate(position.pits):
        if stones < 0:
            yield Problem(ProblemKind.NEGATIVE, f"pit {pit_name(index)} holds {stones} stones")
    for stones in position.kazans:
        if stones < 0:
            yield Problem(ProblemKind.NEGATIVE, f"a kazan holds {stones} stones")
    total = sum(position.pits) + sum(position.kazans)
    if total != STONES:
        yield Problem(ProblemKind.TOTAL, f"{total} stones instead of {STONES}", total)
    if min(position.kazans) >= WINNING_STONES:
        first, second = position.kazans
        text = f"both kazans hold {WINNING_STONES} or more: {first} and {second}"
        yield Problem(ProblemKind.BOTH_WON, text)


def _tuzdyks(position: Position) -> Iterator[Problem]:
    """Yield what is wrong with the tuzdyks."""
    for side, number in zip(Side, position.tuzdyks, strict=True):
        if number is None:
            continue
        if number not in range(1, 9):
            text = f"{side.value} has a tuzdyk on pit {number} instead of 1 to 8"
            yield Problem(ProblemKind.TUZDYK_NUMBER, text, number)
        elif position.pits[pit_index(side.opponent, number)]:
            text = f"stones lie in the tuzdyk of {side.value}, pit {number}"
            yield Problem(ProblemKind.TUZDYK_HOLDS_STONES, text)
    if position.tuzdyks[0] is not None and position.tuzdyks[0] == position.tuzdyks[1]:
        number = position.tuzdyks[0]
        yield Problem(ProblemKind.SAME_TUZDYKS, f"both tuzdyks have the number {number}", number)


def _banked(position: Position) -> Iterator[Problem]:
    """Yield what a kazan holds that no captures and no tuzdyk can have brought."""
    for side, number, stones in zip(Side, position.tuzdyks, position.kazans, strict=True):
        if number is None and stones % 2:
            text = f"the kazan of {side.value} holds {stones} stones, an odd number without a tuzdyk"
            yield Problem(ProblemKind.ODD_KAZAN, text)
        elif number is not None and 0 <= stones < 3:
            text = f"the kazan of {side.value} holds {stones} stones, less than his tuzdyk's three"
            yield Problem(ProblemKind.TUZDYK_UNPAID, text)


def _has_past(position: Position, plies: int) -> bool:
    """Return whether so many last moves, or all since the start, can have led here."""
    if plies == 0 or position == START:
        return True
    return any(
        not any(_banked(before)) and _has_past(before, plies - 1) for before, _number in unplay(position)
    )
