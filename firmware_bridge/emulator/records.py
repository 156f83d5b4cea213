"""What the hands are to play: game records as text, and random games.

A record is a text of moves in official short (`7:6`, `2:7x`) or two-digit notation (`76`, `24x`), mixed at
will. Allowed around them: move numbers (`12.`), the mover's kazan in brackets (`(10)`, then checked), marks
of judgement (`!`, `?`), the offer of a draw (`=`), the result, comments from `#` to the end of the line, and
tag lines such as `[Bastaushy "A. Name"]`. Anything else is an error that names the line and the word.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from random import Random

from rules.errors import IllegalMoveError, NotationError
from rules.notation import parse_short, parse_two_digit
from rules.position import START, Position, Sowing, legal_moves, outcome, play

BUNDLED = ("2009",)
"""Names of the records that come with the program."""

LONGEST_BYTES = 1_000_000
"""A longer file is no game record; the longest games have a few thousand characters."""

_TAG = re.compile(r'\[\s*(\w+)\s+"([^"]*)"\s*\]')
_MOVE_NUMBER = re.compile(r"\d+\.+")
_TOTAL = re.compile(r"\((\d{1,3})\)")
_RESULTS = frozenset({"1-0", "0-1", "1/2-1/2", "½-½", "*"})


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
        text: as described above.
        source: named in messages.

    Raises:
        RecordError: naming source, line, word and what is wrong with it.
    """
    tags: dict[str, str] = {}
    sowings: list[Sowing] = []
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{source}, line {number}"
        tag = _TAG.fullmatch(line.strip())
        if tag is not None:
            tags[tag[1].lower()] = tag[2]
            continue
        for word in line.split("#", 1)[0].split():
            _take(word, sowings, where)
    if not sowings:
        raise RecordError(f"{source}: no moves")
    names = (tags.get("bastaushy", ""), tags.get("qostaushy", ""))
    return Record(names, tuple(sowings), source)


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


def random_sowings(seed: int, position: Position = START) -> Iterator[Sowing]:
    """Yield a game of random legal moves to its end; the same seed gives the same game."""
    rng = Random(seed)
    while moves := legal_moves(position):
        sowing = play(position, rng.choice(moves))
        yield sowing
        position = sowing.after


def _take(word: str, sowings: list[Sowing], where: str) -> None:
    """Take one word of a record: a move is appended, the rest checked and dropped."""
    where = f"{where}, word {word!r}"
    number = _MOVE_NUMBER.match(word)
    rest = word[number.end() :] if number is not None else word
    if not rest or rest in _RESULTS:
        return
    total = _TOTAL.search(rest)
    if total is not None:
        rest = rest[: total.start()] + rest[total.end() :]
    move = rest.rstrip("!?=")
    if move:
        sowings.append(_parse(move, sowings[-1].after if sowings else START, where, len(sowings) + 1))
    if total is not None:
        _check_total(int(total[1]), sowings, where)


def _parse(move: str, position: Position, where: str, ply: int) -> Sowing:
    parse = parse_short if ":" in move or "-" in move else parse_two_digit
    try:
        return parse(move, position)
    except (NotationError, IllegalMoveError) as error:
        raise RecordError(f"{where} (ply {ply}, {position.to_move.value} to move): {error}") from error


def _check_total(total: int, sowings: list[Sowing], where: str) -> None:
    if not sowings:
        raise RecordError(f"{where}: a kazan before the first move")
    last = sowings[-1]
    holds = last.after.kazans[last.side.index]
    if holds != total:
        raise RecordError(f"{where} (ply {len(sowings)}): the kazan holds {holds}, not {total}")
