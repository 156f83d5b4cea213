"""What can be wrong with a trace as a whole; damage inside one is a value (`reader.Hole`)."""


class TraceError(ValueError):
    """Raised when a file is no trace, or its header cannot be used; says what it is and what to do."""


class NewerTraceError(TraceError):
    """Raised for a trace that a later program wrote in another form."""


def named(path: object) -> str:
    """Return a path, or a message that quotes one, on one line whatever the file is called."""
    return "".join(letter if letter.isprintable() else " " for letter in str(path))
