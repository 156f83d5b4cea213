"""What a hand wrote about one move, with or without characters nobody can read, as a claim about the move.

A claim is read from the text alone; no position is needed. `_` stands for one character that cannot be read.
A text may fit several notations, and then the claim has a reading for each: `7_6` is `7:6` or `7-6`, and with
three unreadable characters more it may be the full form. A move bears a claim out when one reading fits it.

Two claims about the same ply `join` when one move can bear out both. That is how two sheets are compared:
`76` and `7:6` say the same of a move that takes, `7:6` and `7-6` contradict each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from rules.errors import NotationError
from rules.notation.forms import Notation, full_forms
from rules.notation.parts import readings, taken_apart
from rules.position import Mark, Sowing

UNREADABLE = "_"
"""Stands for one character that nobody can read."""

_MARKS: frozenset[Mark] = frozenset((":", "-", "x"))
_WON: frozenset[Mark] = frozenset(("x",))
_NOT_WON: frozenset[Mark] = frozenset((":", "-"))
_SIGNED: dict[str, frozenset[Mark]] = {":": frozenset((":",)), "-": frozenset(("-",))}
_FULL = tuple(
    re.compile(f"([1-9_])[0-9_]{{{lifted}}}([:_-])([1-9_])[0-9_]{{{made}}}(x?)")
    for lifted in (1, 2, 3)
    for made in (1, 2, 3)
)
"""The full form, once for each number of digits: unreadable characters leave open where a number ends."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand a text; what is None is not said.

    Attributes:
        mover: The index of the player who would have to be on move; only squares such as `g1` say it.
        number: The number 1..9 of the pit played.
        last: The number 1..9 of the pit of the last stone.
        row: The index of the player in whose row that pit lies; only squares say it.
        marks: The marks the move may have.
        full: Texts with `_` that the full form of the move must fit; () for none.
    """

    mover: int | None = None
    number: int | None = None
    last: int | None = None
    row: int | None = None
    marks: frozenset[Mark] = _MARKS
    full: tuple[str, ...] = ()

    def fits(self, mover: int, number: int, last_index: int, mark: Mark) -> bool:
        """Return whether a move is what this reading says, the full form left aside."""
        return (
            self.number in (None, number)
            and self.last in (None, last_index % 9 + 1)
            and mark in self.marks
            and self.mover in (None, mover)
            and self.row in (None, last_index // 9)
        )

    def fits_full(self, sowing: Sowing) -> bool:
        """Return whether the full form of the move fits all that was written of it."""
        return all(any(_alike(text, form) for form in full_forms(sowing)) for text in self.full)

    def join(self, other: Reading) -> Reading | None:
        """Return the reading that says both; None if they contradict each other."""
        pairs = (
            (self.mover, other.mover),
            (self.number, other.number),
            (self.last, other.last),
            (self.row, other.row),
        )
        marks = self.marks & other.marks
        if not marks or any(None not in pair and pair[0] != pair[1] for pair in pairs):
            return None
        if any(not _alike(own, their) for own in self.full for their in other.full):
            return None
        mover, number, last, row = (a if b is None else b for a, b in pairs)
        return Reading(mover, number, last, row, marks, tuple(dict.fromkeys(self.full + other.full)))


@dataclass(frozen=True, slots=True)
class Claim:
    """What is said about one move: one of some readings.

    Attributes:
        readings: At least one.
    """

    readings: tuple[Reading, ...]

    def join(self, other: Claim) -> Claim | None:
        """Return the claim that says both; None if no move can bear out both."""
        joined = [own.join(their) for own in self.readings for their in other.readings]
        found = tuple(dict.fromkeys(reading for reading in joined if reading is not None))
        return Claim(found) if found else None

    @property
    def wins_tuzdyk(self) -> bool:
        """Whether every reading says that the move wins a tuzdyk."""
        return self.readings[0].marks == _WON and all(reading.marks == _WON for reading in self.readings)


@lru_cache(maxsize=4096)
def claim_of(text: str) -> Claim | None:
    """Return what a text says about a move; None if it says nothing, being empty or unreadable throughout.

    Raises:
        NotationError: It is a move in no notation, or has a kazan behind it.
    """
    if not text.strip(UNREADABLE):
        return None
    said = taken_apart(text, None)
    if said.kazan is not None:
        raise NotationError(text, "the move alone; the kazan behind it is written by itself")
    found: dict[Reading, None] = {}
    for notation, body in readings(said, None):
        found.update(dict.fromkeys(_READERS[notation](body)))
    return Claim(tuple(found))


@lru_cache(maxsize=4096)
def counts_of(text: str) -> frozenset[int] | None:
    """Return the numbers 0..162 that a written number such as `12` or `1_` can be; None: any.

    A text of nothing but `_` may have had any number of digits. The set is empty if no number fits.
    """
    if not text.strip(UNREADABLE):
        return None
    return frozenset(count for count in range(163) if _alike(text, str(count)))


def _alike(one: str, other: str) -> bool:
    """Return whether two texts can be the same, `_` standing for any character."""
    return len(one) == len(other) and all(
        a == b or UNREADABLE in (a, b) for a, b in zip(one, other, strict=True)
    )


def _short(body: str) -> Iterator[Reading]:
    marks = _marks(body[1], body[3:])
    yield Reading(number=_digit(body[0]), last=_digit(body[2]), marks=marks)


def _full(body: str) -> Iterator[Reading]:
    # The last character may be an x that nobody can read as well as a digit.
    spellings = (body, body[:-1] + "x") if body.endswith(UNREADABLE) else (body,)
    for spelling in spellings:
        for form in _FULL:
            found = form.fullmatch(spelling)
            if found is not None:
                number, sign, last, x = found.groups()
                marks = _marks(sign, x)
                yield Reading(number=_digit(number), last=_digit(last), marks=marks, full=(body,))


def _two_digit(body: str) -> Iterator[Reading]:
    yield Reading(number=_digit(body[0]), last=_digit(body[1]), marks=_marks(UNREADABLE, body[2:]))


def _squares(body: str) -> Iterator[Reading]:
    for mover in _rows(body[1]):
        for row in _rows(body[3]):
            yield Reading(mover, _pit(body[0], mover), _pit(body[2], row), row)


_READERS: dict[Notation, Callable[[str], Iterator[Reading]]] = {
    Notation.SHORT: _short,
    Notation.FULL: _full,
    Notation.TWO_DIGIT: _two_digit,
    Notation.PLAYSTRATEGY: _squares,
}


def _marks(sign: str, x: str) -> frozenset[Mark]:
    """Return the marks that a sign, and an x or nothing behind the move, leave open."""
    if x:
        return _WON
    return _NOT_WON if sign == UNREADABLE else _SIGNED[sign]


def _digit(character: str) -> int | None:
    return None if character == UNREADABLE else int(character)


def _rows(character: str) -> tuple[int, ...]:
    return (0, 1) if character == UNREADABLE else (int(character) - 1,)


def _pit(file: str, row: int) -> int | None:
    """Return the pit number of a file `a`..`i`; the upper row runs the other way."""
    if file == UNREADABLE:
        return None
    place = "abcdefghi".index(file)
    return 9 - place if row else place + 1
