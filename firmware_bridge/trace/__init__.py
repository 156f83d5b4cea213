"""Traces: everything a board heard and decided, in one compact file; TRACE.md describes it."""
