"""Game records for the hands: the reader, random games, and the records that come with the program."""

from firmware_bridge.emulator.records.reader import (
    BUNDLED,
    Record,
    RecordError,
    bundled_record,
    find_record,
    load_record,
    parse_record,
    random_sowings,
)

__all__ = [
    "BUNDLED",
    "Record",
    "RecordError",
    "bundled_record",
    "find_record",
    "load_record",
    "parse_record",
    "random_sowings",
]
