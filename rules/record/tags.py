r"""The head of a record's text: lines such as `[City "Павлодар"]`.

In a value `\"` is a quote and `\\` a backslash; any other backslash is one. Names of known tags are read
without regard to case. A tag that is not known here is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules.notation.positions import format_fen
from rules.position import START, Side
from rules.record.model import OWN_TAGS, TAG_ALIASES, TAG_NAMES, GameRecord
from rules.record.notes import format_dials

TAG_LINE = re.compile(r'\s*\[\s*([^\W\d]\w*)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
"""A line that is a tag: its name and its value."""

_CANONICAL = {name.casefold(): name for name in (*TAG_NAMES.values(), *OWN_TAGS)} | {
    alias.casefold(): name for alias, name in TAG_ALIASES.items()
}


def canonical_name(name: str) -> str:
    """Return the name of a known tag as it is written; of any other as it is."""
    return _CANONICAL.get(name.casefold(), name)


def parse_value(text: str) -> str:
    """Return the value that the inside of the quotes says."""
    return re.sub(r'\\(["\\])', r"\1", text)


def format_tags(record: GameRecord) -> Iterator[str]:
    """Yield the lines of the head, in their order."""
    for field, value in record.tags.known():
        yield _line(TAG_NAMES[field], value)
    for name, value in _own(record):
        yield _line(name, value)
    for name, value in record.tags.other:
        yield _line(name, value)


def _own(record: GameRecord) -> Iterator[tuple[str, str]]:
    """Yield the tags that are fields of the record itself."""
    if record.recorder is not None:
        yield "Recorder", record.recorder
    if record.remaining_ms is not None:
        yield "Remaining", format_dials(record.remaining_ms)
    if any(record.signed):
        signed = [side.value for side in Side if record.signed[side.index]]
        yield "Signed", " ".join(signed)
    if record.start != START or record.start_number != 1:
        yield "Position", format_fen(record.start, record.start_number)
    if record.result is not None:
        yield "Result", record.result
    if record.reason is not None:
        yield "Reason", record.reason


def _line(name: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'
