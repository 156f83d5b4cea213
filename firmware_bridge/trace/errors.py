"""What can be wrong with a trace as a whole; damage inside one is a value (`reader.Hole`)."""

from __future__ import annotations

from enum import StrEnum


class NoTrace(StrEnum):
    """Why a file cannot be used as a trace, for whoever tells it in another language."""

    UNREADABLE = "unreadable"
    NO_FILE = "no_file"
    OTHER = "other"
    NEWER = "newer"
    HEADER = "header"


class TraceError(ValueError):
    """Raised when a file is no trace, or its header cannot be used; says what it is and what to do.

    Attributes:
        why: Which of the usual reasons it is; None for another, which only the message says. Of
            `UNREADABLE` and `HEADER` the cause is the error that says more.
    """

    def __init__(self, words: str, why: NoTrace | None = None) -> None:
        super().__init__(words)
        self.why = why


class NewerTraceError(TraceError):
    """Raised for a trace that a later program wrote in another form."""


def named(path: object) -> str:
    """Return a path, or a message that quotes one, on one line whatever the file is called."""
    return "".join(letter if letter.isprintable() else " " for letter in str(path))
