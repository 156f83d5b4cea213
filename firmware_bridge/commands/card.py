"""`togyz card`: one card for many boards; the machine finds in a table which board it is."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from firmware_bridge.card.roster import RosterError, Row, parse_roster, plain_serial, rows_for
from firmware_bridge.card.template import filled, port_of
from firmware_bridge.commands.common import (
    EXIT_FAILED,
    code_said,
    fail,
    keys_told,
    later,
    mistakes_said,
    plainly,
    plural,
    reason_said,
    say,
)
from firmware_bridge.commands.enrol import HALL_FILE
from firmware_bridge.config import Config, ConfigError, load_config
from firmware_bridge.wire.key_files import load_keys

ROSTER: Final = "boards.csv"
TEMPLATE: Final = "board.toml"
MADE_HERE: Final = "# Made by `togyz card` at each start from"
"""How a file of ours begins: of those that are there already only such ones are written or removed."""

OWNER: Final = "togyz"
READABLE_BY_GROUP: Final = 0o640  # it may hold the broker's password
OWNER_ONLY: Final = 0o600


@dataclass(frozen=True, slots=True)
class Prepared:
    """What one board is given.

    Attributes:
        row: The board.
        text: Its configuration.
        keys: Its file of keys; None: it has none.
    """

    row: Row
    text: str
    keys: bytes | None


def card(
    folder: Annotated[Path, typer.Argument(help=later("cli.card.folder"), metavar="DIR")],
    *,
    apply: Annotated[bool, typer.Option("--apply", help=later("cli.card.apply"))] = False,
    etc: Annotated[Path, typer.Option(help=later("cli.card.etc"))] = Path("/etc/togyz"),
    machine: Annotated[Path, typer.Option(hidden=True)] = Path("/"),
) -> None:
    """Check the folder of a card for all its boards, or make this machine the boards it is.

    With --apply each board this machine is becomes a line `board NAME`, the same in every language.
    """
    roster = _roster(folder / ROSTER)
    for secret in (folder / HALL_FILE, folder / "keys" / HALL_FILE):
        if secret.exists():
            raise fail(say("card.hall_keys", file=secret), EXIT_FAILED)
    if not apply:
        with keys_told(EXIT_FAILED):
            for row in roster:
                _prepared(folder, row, port_of(row, {}), etc)
        plainly(plural("card.sound", len(roster), folder=folder))
        return
    serial, devices = _identity(machine)
    mine = rows_for(roster, [serial, *devices])
    if not mine:
        found = ", ".join(filter(None, (serial, *devices))) or "-"
        raise fail(say("card.not_listed", file=folder / ROSTER, serials=found), EXIT_FAILED)
    with keys_told(EXIT_FAILED):
        boards = [_prepared(folder, row, port_of(row, devices), etc) for row in mine]
    try:
        _place(boards, folder, etc)
    except OSError as error:
        why = reason_said(error)
        raise fail(say("card.unwritable", folder=etc, why=why), EXIT_FAILED) from error
    for board in boards:
        plainly(f"board {board.row.board}")


def _roster(path: Path) -> tuple[Row, ...]:
    text = _read(path)
    try:
        return parse_roster(text)
    except RosterError as error:
        why = code_said("roster", error.fault)
        told = say("card.line", file=path, line=error.line, value=error.value, why=why)
        raise fail(told, EXIT_FAILED) from error


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise fail(say("card.no_text", file=path, at=error.start), EXIT_FAILED) from error
    except OSError as error:
        raise fail(say("card.unreadable", file=path, why=reason_said(error)), EXIT_FAILED) from error


def _identity(machine: Path) -> tuple[str, dict[str, str]]:
    """Return the serial number of this machine ("": it has none) and the lines of its devices by theirs."""
    try:
        serial = plain_serial((machine / "proc/device-tree/serial-number").read_text(encoding="ascii"))
    except (OSError, UnicodeDecodeError):
        serial = ""
    with contextlib.suppress(OSError):
        names = sorted(path.name for path in (machine / "dev/togyz").iterdir() if path.name != "board")
        return serial, {plain_serial(name): f"/dev/togyz/{name}" for name in names}
    return serial, {}


def _prepared(folder: Path, row: Row, port: str, etc: Path) -> Prepared:
    """Return what a board is given, or leave with what is wrong with it."""
    own = folder / f"{row.board}.toml"
    source = own if own.exists() else folder / TEMPLATE
    text = f"{MADE_HERE} {source}: changes here are lost.\n{filled(_read(source), row, port)}"
    key_file = folder / "keys" / f"{row.board}.keys"
    keys = key_file.read_bytes() if key_file.exists() else None
    config = _tried(text, source, row)
    if config.board.id != row.board:
        told = say("card.other_board", file=source, id=config.board.id, board=row.board)
        raise fail(told, EXIT_FAILED)
    if config.board.keys is None:
        return Prepared(row, text, None)
    if keys is None and not (etc / "keys" / f"{row.board}.keys").exists():
        raise fail(say("card.no_keys", file=key_file, board=row.board), EXIT_FAILED)
    if keys is not None:
        with _draft(keys) as path:
            load_keys(path)
    return Prepared(row, text, keys)


def _tried(text: str, source: Path, row: Row) -> Config:
    with _draft(text.encode()) as path:
        try:
            return load_config(path)
        except ConfigError as error:
            lines = mistakes_said(ConfigError("", source, error.mistakes))
            raise fail("\n".join([say("card.filled_in", board=row.board), *lines]), EXIT_FAILED) from error


@contextlib.contextmanager
def _draft(data: bytes) -> Iterator[Path]:
    """Offer bytes as a file that only we may read: a card's file system knows no owners."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "draft"
        path.touch(mode=OWNER_ONLY)
        path.write_bytes(data)
        yield path


def _place(boards: Sequence[Prepared], folder: Path, etc: Path) -> None:
    """Write what is not there as it should be; configurations of boards that this machine was are removed."""
    wanted: dict[Path, tuple[bytes, int]] = {}
    for board in boards:
        if board.keys is not None:
            wanted[etc / "keys" / f"{board.row.board}.keys"] = (board.keys, OWNER_ONLY)
        wanted[etc / "boards" / f"{board.row.board}.toml"] = (board.text.encode(), READABLE_BY_GROUP)
    for path in _strangers(wanted):
        raise fail(say("card.not_ours", file=path, folder=folder), EXIT_FAILED)
    for path, (data, mode) in wanted.items():
        _write(path, data, mode)
    for path in (etc / "boards").glob("*.toml"):
        if path not in wanted and path.read_bytes().startswith(MADE_HERE.encode()):
            path.unlink()


def _strangers(wanted: Mapping[Path, object]) -> Iterator[Path]:
    """Yield the configurations that a person has written under the name of one of ours."""
    for path in wanted:
        if path.suffix == ".toml" and path.exists() and not path.read_bytes().startswith(MADE_HERE.encode()):
            yield path


def _write(path: Path, data: bytes, mode: int) -> None:
    """Write a file whole or not at all, for the user who runs the boards, where there is one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
    with os.fdopen(fd, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(fd)
    with contextlib.suppress(LookupError, PermissionError):  # tried out by somebody else
        owner = OWNER if mode == OWNER_ONLY else None
        shutil.chown(draft, owner, OWNER)
    draft.replace(path)
