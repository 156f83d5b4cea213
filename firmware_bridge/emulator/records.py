"""What the hands are to play: game records from files.

A record is what `rules.record.text` reads: moves in any notation with what stands around them on a sheet. The
hands play its moves; for the rest they have no use.
"""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from rules.errors import RulesError
from rules.position import START, Sowing, outcome
from rules.record import text as record_text

BUNDLED = ("2009",)
"""Names of the records that come with the program."""

LONGEST_BYTES = 1_000_000
"""A longer file is no game record; the longest games have a few thousand characters."""


class RecordError(ValueError):
    """Raised when a text is no playable record; the message names the place."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game to be played.

    Attributes:
        names: of bastaushy and qostaushy; empty where the record has none.
        sowings: the plies.
        source: where it came from, for messages.
    """

    names: tuple[str, str]
    sowings: tuple[Sowing, ...]
    source: str

    @property
    def finished(self) -> bool:
        """True when the stones themselves ended the game."""
        return bool(self.sowings) and outcome(self.sowings[-1].after) is not None


def parse_record(text: str, source: str = "record") -> Record:
    """Read a record.

    Args:
        text: one game.
        source: named in messages.

    Raises:
        RecordError: naming source, line, word and what is wrong with it.
    """
    try:
        record = record_text.parse_record(text)
    except RulesError as error:
        raise RecordError(f"{source}, {error}") from error
    if record.start != START:
        raise RecordError(f"{source}: begins with a position of its own; the hands set up nine in each pit")
    if not record.follows_from_moves:
        raise RecordError(f"{source}: an arbiter placed stones in it; the hands play legal moves only")
    if not record.plies:
        raise RecordError(f"{source}: no moves")
    names = (record.tags.bastaushy or "", record.tags.qostaushy or "")
    return Record(names, record.sowings, source)


def load_record(path: Path) -> Record:
    """Read a record from a file.

    Raises:
        RecordError: it cannot be read, is no UTF-8 text or no record.
    """
    if path.is_fifo():
        # Opening a pipe would wait for a writer that never comes.
        raise RecordError(f"{path}: is a pipe; name a file")
    try:
        if path.stat().st_size > LONGEST_BYTES:
            raise RecordError(f"{path}: longer than {LONGEST_BYTES} bytes, so no game record")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: no UTF-8 text at byte {error.start}") from error
    return parse_record(text, path.name)


def bundled_record(name: str) -> Record:
    """Read a record that comes with the program.

    Raises:
        RecordError: there is none of that name.
    """
    if name not in BUNDLED:
        raise RecordError(f"no bundled record {name!r}; there are: {', '.join(BUNDLED)}")
    text = files("firmware_bridge.emulator.games").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return parse_record(text, f"{name}.txt")
