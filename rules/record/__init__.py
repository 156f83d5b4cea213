"""One game as a record: a value, text and JSON; the format is in RECORD.md."""
