"""What can go wrong in the rulebook, sorted by whose fault it is.

RulesError
    IllegalMoveError (ValueError)        a well-formed move that the position does not allow
    NotationError (ValueError)           text that is no move notation at all
    AmbiguousMoveError (ValueError)      text that fits several legal moves
    RecordError (ValueError)             a line of a record or sheet that cannot be read; names the place
    PositionFormatError (ValueError)     a position that could not be read
    EventFormatError (ValueError)        an event that could not be read or written
    RecordFormatError (ValueError)       a game record that cannot be, in JSON or in memory
    ClockError (ValueError)              a clock asked for what it cannot do
    TimeControlError (ValueError)        a text that means no time control, or no time
    ConductError (ValueError)            a question of conduct about what cannot be
    ConductFormatError (ValueError)      options, warnings or an adjournment that could not be read
    EventError (RuntimeError)            a sound event at the wrong point of a game

However hostile an input, a message stays short: foreign values are quoted by `shown`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.position import Position

_SHOWN_CHARACTERS = 60
"""Longest quotation of a foreign text; enough for any honest value, too little to flood a log."""


def shown(value: object) -> str:
    """Return a short quotation of any value for an error message; never raises.

    Containers are described instead of printed, and so are integers too long for `repr`.
    """
    if isinstance(value, str):
        cut = value if len(value) <= _SHOWN_CHARACTERS else value[:_SHOWN_CHARACTERS] + "..."
        return ascii(cut) if not cut.isprintable() else repr(cut)
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 128:
        return f"an integer of {value.bit_length()} bits"
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, dict):
        return f"an object of {len(value)} keys"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)} items"
    return f"a value of type {type(value).__name__}"


class Due(str):
    """What should have stood somewhere, in English words, with a code and the values in them.

    It is the text itself to everybody but to who says it in another language.

    Attributes:
        code: Which text, for programs and translations.
        values: What is filled into it, by name.
    """

    __slots__ = ("code", "values")

    code: str
    values: dict[str, str | int]


def due(code: str, text: str, **values: str | int) -> Due:
    """Return what is expected, as words that carry their code and values."""
    found = Due(text)
    found.code, found.values = code, values
    return found


class RulesError(Exception):
    """The root of everything the rulebook raises."""


class IllegalMoveError(RulesError, ValueError):
    """Raised when a well-formed move is not allowed in the position.

    Attributes:
        number: The pit number that was to be played, as given; None: nobody could read it.
        reason: Why not, in words.
        position: The position it was to be played in.
    """

    def __init__(self, number: int | None, reason: str, position: Position) -> None:
        super().__init__(number, reason, position)
        self.number = number
        self.reason = reason
        self.position = position

    def __str__(self) -> str:
        what = "no move fits" if self.number is None else f"pit {shown(self.number)} cannot be played"
        return f"{what}: {self.reason} (position: {self.position})"


class NotationError(RulesError, ValueError):
    """Raised when a text is not a move in the notation that was expected.

    Attributes:
        text: The text as given.
        expected: The form that was expected, in words.
    """

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(text, expected)
        self.text = text
        self.expected = expected

    def __str__(self) -> str:
        return f"{shown(self.text)} is no move: expected {self.expected}"


class AmbiguousMoveError(RulesError, ValueError):
    """Raised when a text fits several legal moves, because part of it is missing or cannot be read.

    Attributes:
        text: The text as given.
        candidates: The moves it fits, in official short notation, by the number of their pit.
        position: The position they could be played in.
    """

    def __init__(self, text: str, candidates: tuple[str, ...], position: Position) -> None:
        super().__init__(text, candidates, position)
        self.text = text
        self.candidates = candidates
        self.position = position

    def __str__(self) -> str:
        fitting = " or ".join(self.candidates)
        return f"{shown(self.text)} can be {fitting}: say which (position: {self.position})"


class RecordError(RulesError, ValueError):
    """Raised when a record, a sheet or a list of moves is bad at one place.

    Attributes:
        line: The line, counted from 1.
        column: The character in the line where the word begins, counted from 1.
        word: The word as it stands there.
        expected: What should stand there, in words; `Due` where it has a code.
        cause: What the word did wrong as a move, for words that are moves; None for all others.
    """

    def __init__(
        self, line: int, column: int, word: str, expected: str, cause: RulesError | None = None
    ) -> None:
        super().__init__(line, column, word, expected, cause)
        self.line = line
        self.column = column
        self.word = word
        self.expected = expected
        self.cause = cause

    def __str__(self) -> str:
        because = "" if self.cause is None else f": {self.cause}"
        place = f"line {self.line}, column {self.column}"
        return f"{place}, {shown(self.word)}: expected {self.expected}{because}"


class _FormatError(RulesError, ValueError):
    """Raised when a value read from outside is not what was agreed.

    Attributes:
        where: The path to the value, such as `position.pits[3]`.
        value: The value as given.
        expected: What should stand there, in words; `Due` where it has a code.
    """

    def __init__(self, where: str, value: object, expected: str) -> None:
        super().__init__(where, value, expected)
        self.where = where
        self.value = value
        self.expected = expected

    def __str__(self) -> str:
        return f"{self.where}: expected {self.expected}, got {shown(self.value)}"


class PositionFormatError(_FormatError):
    """Raised when JSON does not hold a position of this game."""


class EventFormatError(_FormatError):
    """Raised when JSON does not hold an event of this game, or an event does not fit into JSON."""


class RecordFormatError(_FormatError):
    """Raised when a value is no game record, in JSON or in memory, or says two things that cannot both be."""


class ConductFormatError(_FormatError):
    """Raised when JSON does not hold what the rules of conduct keep, or an option is out of its range."""


class ConductError(RulesError, ValueError):
    """Raised when a question of conduct is asked about what cannot be, such as the zeroth offence."""


class TournamentError(RulesError, ValueError):
    """Raised when an entry or an option of an event is out of its range; the text says which."""


class ClockError(RulesError, ValueError):
    """Raised when a clock is asked for what its state does not allow."""


class TimeControlError(RulesError, ValueError):
    """Raised when a text means no time control, or no time.

    Attributes:
        what: What it should have meant: `time control` or `time`.
        text: The text as given.
        column: The character, counted from 1, at which it went wrong.
        expected: What should stand there, in words.
    """

    def __init__(self, what: str, text: str, column: int, expected: str) -> None:
        super().__init__(what, text, column, expected)
        self.what = what
        self.text = text
        self.column = column
        self.expected = expected

    def __str__(self) -> str:
        return f"{shown(self.text)} is no {self.what}: at character {self.column} expected {self.expected}"


class EventError(RulesError, RuntimeError):
    """Raised when an event comes at a point of the game where it has no place.

    Attributes:
        kind: The kind of the event, as in its JSON.
        at_us: Its table time in microseconds.
        where: The game, its phase and the number of plies played.
        reason: Why it has no place there, in words.
    """

    def __init__(self, kind: str, at_us: int, where: str, reason: str) -> None:
        super().__init__(kind, at_us, where, reason)
        self.kind = kind
        self.at_us = at_us
        self.where = where
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.kind} at {self.at_us} us has no place in {self.where}: {self.reason}"
