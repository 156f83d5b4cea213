"""`togyz record check`: every game replayed, every fault with its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Annotated

import typer

from firmware_bridge.commands.common import fail, later, plural, say
from firmware_bridge.commands.record.drawing import printable
from firmware_bridge.commands.record.options import Inputs
from firmware_bridge.commands.record.reading import Faulty, Foreign, Found, Game, foreign_told, read_games
from firmware_bridge.commands.record.shell import at_the_edge, progress_of
from firmware_bridge.commands.record.sources import UnusableError
from firmware_bridge.commands.record.tally import Tally
from firmware_bridge.commands.record.words import error_told, expected_said, fault_told, place_of, word_of


def check(
    inputs: Inputs = None,
    *,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help=later("record.cli.quiet"))] = False,
    as_json: Annotated[bool, typer.Option("--json", help=later("record.cli.json"))] = False,
) -> None:
    """Replay every game and tell what is wrong, and where."""
    names = inputs or []
    tally = Tally()
    with at_the_edge(names), progress_of(names) as (advance, write):
        report = _Json(write) if as_json else _Words(write, quiet=quiet)
        files = 0
        for name, group in groupby(read_games(names, advance), _name_of):
            files += 1
            of_file = Tally()
            for found in group:
                tally.add(found)
                of_file.add(found)
                report.found(found)
            report.file(name, of_file)
        report.total(files, tally)
    raise typer.Exit(tally.code)


def _name_of(found: Found) -> str:
    return found.name if isinstance(found, UnusableError) else found.source.name


class _Words:
    """Tells people."""

    def __init__(self, write: Callable[[str], None], *, quiet: bool) -> None:
        self._write, self._quiet = write, quiet

    def found(self, found: Found) -> None:
        """Tell of a fault; sound games are counted only."""
        if isinstance(found, Faulty):
            self._write(fault_told(found) + "\n")
        elif isinstance(found, UnusableError):
            fail(str(found))
        elif isinstance(found, Foreign) and not self._quiet:
            self._write(foreign_told(found) + "\n")

    def file(self, name: str, tally: Tally) -> None:
        """Tell what one input came to."""
        if not self._quiet and (tally.games or tally.faults):
            verdict = (
                plural("record.check.faults", tally.faults) if tally.faults else say("record.check.sound")
            )
            self._write(f"{printable(name)}: {_counted(tally)}: {verdict}\n")

    def total(self, files: int, tally: Tally) -> None:
        """Tell what all came to."""
        parts = [
            _counted(tally),
            plural("record.check.files", files),
            plural("record.check.faults", tally.faults),
        ]
        if tally.unusable:
            parts.append(plural("record.check.unusable", tally.unusable))
        total = say("record.check.total")
        self._write(f"{total}: {', '.join(parts)}\n")


class _Json:
    """Tells programs, one JSON object a line."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write

    def found(self, found: Found) -> None:
        """Tell of a game or of an input that cannot be used."""
        self._put(dict(_fields(found)))

    def file(self, name: str, tally: Tally) -> None:
        """Tell what one input came to."""
        self._put({"kind": "file", "file": name, **_numbers(tally)})

    def total(self, files: int, tally: Tally) -> None:
        """Tell what all came to."""
        self._put({"kind": "total", "files": files, **_numbers(tally)})

    def _put(self, body: dict[str, object]) -> None:
        self._write(json.dumps(body, ensure_ascii=False) + "\n")


def _fields(found: Found) -> Iterator[tuple[str, object]]:
    if isinstance(found, UnusableError):
        yield from (("kind", "unusable"), ("file", found.name), ("line", found.line), ("why", found.why))
        return
    if isinstance(found, Foreign):
        yield from (("kind", "foreign"), ("file", found.source.name))
        return
    sound = isinstance(found, Game)
    tags = found.record.tags if isinstance(found, Game) else found.tags
    yield from (("kind", "game" if sound else "fault"), ("file", found.source.name), ("game", found.number))
    yield from (("bastaushy", tags.bastaushy), ("qostaushy", tags.qostaushy))
    if isinstance(found, Game):
        record = found.record
        yield from (("plies", len(record.plies)), ("result", record.result), ("reason", record.reason))
        yield "kazans", list(record.final_kazans)
        return
    line, column = place_of(found)
    yield from (("line", line), ("column", column), ("word", word_of(found.error)))
    expected = getattr(found.error, "expected", None)
    yield "expected", None if expected is None else expected_said(expected)
    yield "message", error_told(found.error)


def _numbers(tally: Tally) -> dict[str, object]:
    return {
        "games": tally.games,
        "plies": tally.plies,
        "faults": tally.faults,
        "unusable": tally.unusable,
        "code": tally.code,
    }


def _counted(tally: Tally) -> str:
    games, plies = plural("record.check.games", tally.games), plural("record.check.plies", tally.plies)
    return f"{games}, {plies}"
