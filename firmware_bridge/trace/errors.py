"""What can be wrong with a trace as a whole; damage inside one is a value (`reader.Hole`)."""


class TraceError(ValueError):
    """Raised when a file is no trace, or its header cannot be used; says what it is and what to do."""


class NewerTraceError(TraceError):
    """Raised for a trace that a later program wrote in another form."""
