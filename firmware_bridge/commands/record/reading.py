"""Games out of inputs: text in any notation, JSON records and the journals of boards, told apart by content.

Games come one after the other and one at a time is kept, but of a journal, whose chain of hashes is checked
as a whole. One that cannot be read is a `Faulty`, an input that cannot be used an `UnusableError`; both are
values here, so that everything else is read all the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from firmware_bridge.board.memory.journal import HEAD, JournalError, records_in
from firmware_bridge.board.memory.telling import OWN_KINDS
from firmware_bridge.commands.common import say
from firmware_bridge.commands.record.drawing import printable
from firmware_bridge.commands.record.sources import Source, UnusableError, lines_of_source, sources_of
from rules.errors import RulesError
from rules.events import GameAssigned, GameEvent
from rules.events_json import event_from_json
from rules.record.json_form import MAX_JSON, parse_record_json
from rules.record.model import GameRecord, Tags
from rules.record.of_game import record_of
from rules.record.text import RecordFault, read_records

MAX_JOURNAL = 256_000_000
"""Longest journal in characters; a board writes a few megabytes on a long day."""

_JSON = re.compile(r'\s*(?:(?:\[\s*)*\{\s*(?:"|$)|(?:\[\s*)+$)')
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}]')
_BETWEEN = re.compile(r"[\s,\[\]]*")


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was read.

    Attributes:
        source: The input.
        number: Which of its games, from 1.
        record: The game.
    """

    source: Source
    number: int
    record: GameRecord


@dataclass(frozen=True, slots=True)
class Faulty:
    """A game that could not be read.

    Attributes:
        source: The input.
        number: Which of its games, from 1.
        line: Where it begins.
        tags: Its tags as far as they were read.
        error: What is wrong with it.
    """

    source: Source
    number: int
    line: int
    tags: Tags
    error: RulesError


@dataclass(frozen=True, slots=True)
class Foreign:
    """A file of a folder that is JSON and plainly holds no games, such as a calibration.

    Attributes:
        source: The input.
    """

    source: Source


Found = Game | Faulty | Foreign | UnusableError
"""What an input holds, one after the other."""


def foreign_told(found: Foreign) -> str:
    """Return that a file is passed over, in the user's language."""
    return printable(found.source.name) + ": " + say("record.input.no_record")


def read_games(inputs: Sequence[str], advance: Callable[[int], None] | None = None) -> Iterator[Found]:
    """Yield everything that stands in the inputs, in order.

    Args:
        inputs: Files, folders and `-`; none at all is standard input.
        advance: Is told how many bytes were read.
    """
    for source in sources_of(inputs):
        if isinstance(source, UnusableError):
            yield source
            continue
        yield from read_source(source, advance)


def read_source(source: Source, advance: Callable[[int], None] | None = None) -> Iterator[Found]:
    """Yield the games of one input; ends with an `UnusableError` if it holds none or cannot be read on."""
    yield from read_lines(lines_of_source(source, advance), source)


def read_lines(lines: Iterator[str], source: Source) -> Iterator[Found]:
    """Yield the games of the lines of an input, ditto."""
    number = 0
    try:
        for number, found in enumerate(_games(lines, source), 1):
            if number == 1 and source.found and isinstance(found, _NoRecord):
                yield Foreign(source)
                return
            if isinstance(found, _NoRecord):
                yield Faulty(source, number, found.line, Tags(), found.error)
            elif isinstance(found, GameRecord):
                yield Game(source, number, found)
            else:
                yield Faulty(source, number, *found)
    except UnusableError as error:
        yield error
        return
    if number == 0:
        yield UnusableError(source.name, say("record.input.empty"))


_Fault = tuple[int, Tags, RulesError]

_OF_A_RECORD = frozenset({"tags", "plies", "moves", "start"})
"""Keys of which a record that somebody has damaged still has one."""


@dataclass(frozen=True, slots=True)
class _NoRecord:
    """A JSON object that is no record, where it begins, and what is wrong with it as one."""

    line: int
    error: RulesError


def _games(lines: Iterator[str], source: Source) -> Iterator[GameRecord | _Fault | _NoRecord]:
    """Yield the games of lines, whatever form they have."""
    first: list[str] = []
    for line in lines:
        first.append(line)
        if line.strip():
            break
    lines = chain(first, lines)
    head = first[-1] if first else ""
    if head.startswith(HEAD.decode()):
        yield from _journal(lines, source)
    elif _JSON.match(head):
        yield from _json_games(lines)
    else:
        for found in read_records(lines):
            if isinstance(found, RecordFault):
                yield found.first_line, found.tags, found.error
            else:
                yield found


def _json_games(lines: Iterable[str]) -> Iterator[GameRecord | _Fault | _NoRecord]:
    for line, text in documents(lines):
        try:
            yield parse_record_json(text)
        except RulesError as error:
            yield _NoRecord(line, error) if _is_foreign(text) else (line, Tags(), error)


def _is_foreign(text: str) -> bool:
    """Whether this is a sound JSON object that has nothing of a record: a calibration, or results."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and not _OF_A_RECORD & found.keys()


def documents(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the JSON objects that stand one after the other or in a list, with the line where each begins.

    An object ends with its last brace; what is longer than a record may be is cut off behind that, and what
    is no object comes as it is up to the end of its line: whoever reads it refuses it.
    """
    kept: list[str] = []
    depth = size = begin = 0
    for number, line in enumerate(lines, 1):
        place = 0
        while place < len(line):
            if depth == 0:
                place = _BETWEEN.match(line, place).end()  # type: ignore[union-attr] # matches anything
                if place == len(line):
                    break
                begin, kept, size = number, [], 0
                if line[place] != "{":
                    yield number, line[place:].strip()
                    break
            depth, end = _depth(line, place, depth)
            if size <= MAX_JSON:
                kept.append(line[place:end])
                size += end - place
            place = end
            if depth == 0:
                yield begin, "".join(kept)[: MAX_JSON + 1]
    if depth:
        yield begin, "".join(kept)[: MAX_JSON + 1]


def _depth(line: str, place: int, depth: int) -> tuple[int, int]:
    """Return how many objects are open where the outermost one ends, or the line does, and that place."""
    for token in _TOKEN.finditer(line, place):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return 0, token.end()
    return depth, len(line)


def _journal(lines: Iterable[str], source: Source) -> Iterator[GameRecord | _Fault]:
    """Yield the games of a board's journal.

    Raises:
        UnusableError: Its chain is broken or it is too long.
    """
    kept: list[str] = []
    size = 0
    for line in lines:
        kept.append(line)
        size += len(line)
        if size > MAX_JOURNAL:
            raise UnusableError(source.name, say("record.input.long_journal", most=MAX_JOURNAL))
    try:
        records, _ = records_in("".join(kept).encode(), Path(source.name))
    except JournalError as error:
        raise UnusableError(source.name, say("record.input.journal", why=str(error))) from error
    events: list[tuple[int, GameEvent]] = []
    for number, record in enumerate(records, 1):
        event = _event(record.event)
        if isinstance(event, GameAssigned):
            yield from _game_of(events)
            events = []
        if isinstance(event, RulesError):
            yield number, Tags(), event
        elif event is not None and (events or isinstance(event, GameAssigned)):
            events.append((number, event))
    yield from _game_of(events)


def _event(body: dict[str, Any]) -> GameEvent | RulesError | None:
    """Return the event of a journal's record; None for one that belongs to no game."""
    if body.get("kind") in OWN_KINDS:
        return None
    try:
        return event_from_json(body)
    except RulesError as error:
        return error


def _game_of(events: Sequence[tuple[int, GameEvent]]) -> Iterator[GameRecord | _Fault]:
    if not events:
        return
    try:
        yield record_of(event for _, event in events)
    except RulesError as error:
        yield events[0][0], Tags(), error
