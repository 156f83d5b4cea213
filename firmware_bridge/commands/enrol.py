"""`togyz enrol`: the keys with which a hall commands its boards."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.commands.common import EXIT_FAILED, fail, keys_told, later, plainly, say
from firmware_bridge.wire.key_files import KeyFileError, load_keys, save_keys
from firmware_bridge.wire.signing import SECRET_BYTES, Key, Keyring
from firmware_bridge.wire.topics import is_id

HALL_FILE = "_hall.keys"
"""A name that no board's file can have: no id holds an underscore."""


def enrol(
    folder: Annotated[Path, typer.Argument(help=later("cli.enrol.folder"), metavar="DIR")],
    boards: Annotated[
        list[str] | None,
        typer.Argument(help=later("cli.enrol.boards"), metavar="BOARD", show_default=False),
    ] = None,
    *,
    event: Annotated[str, typer.Option(help=later("cli.enrol.event"))] = "event",
    again: Annotated[bool, typer.Option("--replace", help=later("cli.enrol.replace"))] = False,
    listed: Annotated[bool, typer.Option("--list", help=later("cli.enrol.list"))] = False,
    revoke: Annotated[str, typer.Option(metavar="KEY", help=later("cli.enrol.revoke"))] = "",
) -> None:
    """Make the keys of boards and hall, list them, or revoke one."""
    with keys_told(EXIT_FAILED):
        if listed:
            _list(_ring_in(folder))
        elif revoke:
            _revoke(folder, revoke)
        elif boards:
            _make(folder, boards, event, again=again)
        else:
            raise fail(say("enrol.no_board"))


def _ring_in(folder: Path) -> Keyring:
    """Return the keys of the hall; none before the first board is enrolled."""
    path = folder / HALL_FILE
    return load_keys(path) if path.exists() else Keyring()


def _make(folder: Path, boards: Sequence[str], event: str, *, again: bool) -> None:
    """Make a key for each board; all are checked before the first is made."""
    for word in (event, *boards):
        if not is_id(word):
            raise fail(say("enrol.misnamed", word=word))
    ring = _ring_in(folder)
    others = {key.event for key in ring.keys} - {event}
    if others:
        raise fail(say("enrol.other_event", folder=folder, event=min(others)), EXIT_FAILED)
    for board in boards:
        if not again and (_file_of(folder, board).exists() or ring.of_board(event, board)):
            raise fail(say("enrol.exists", board=board, file=_file_of(folder, board)), EXIT_FAILED)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise KeyFileError(folder, "unwritable", str(error)) from error
    for board in dict.fromkeys(boards):
        ring = _with_new_key(ring, event, board)
        _save(folder, ring, event, board)
        key = ring.keys[-1]
        plainly(say("enrol.made", board=board, key=key.id))
        plainly("  " + say("enrol.copy_board", file=_file_of(folder, board), board=board))
        plainly(f'    keys = "{_file_of(folder, board).name}"')
    plainly(say("enrol.copy_hall", file=folder / HALL_FILE))
    plainly(say("enrol.restart"))


def _with_new_key(ring: Keyring, event: str, board: str) -> Keyring:
    """Return the keys with a new one for a board, whose others are revoked."""
    old = tuple(
        replace(key, revoked=True) if (key.event, key.board) == (event, board) else key for key in ring.keys
    )
    new = Key(
        id=f"{board}-{secrets.token_hex(3)}",
        event=event,
        board=board,
        secret=secrets.token_bytes(SECRET_BYTES),
        made=date.today().isoformat(),  # noqa: DTZ011 - a label, as the people here call the day
    )
    return Keyring((*old, new))


def _revoke(folder: Path, key_id: str) -> None:
    ring = _ring_in(folder)
    key = ring.find(key_id)
    if key is None:
        raise fail(say("enrol.unknown_key", key=key_id), EXIT_FAILED)
    ring = Keyring(tuple(replace(each, revoked=True) if each is key else each for each in ring.keys))
    _save(folder, ring, key.event, key.board)
    plainly(say("enrol.revoked_now", key=key.id, board=key.board, file=_file_of(folder, key.board)))
    plainly(say("enrol.restart"))


def _save(folder: Path, ring: Keyring, event: str, board: str) -> None:
    """Write the file of a board, then that of the hall: a hall never has a key that no board can get."""
    own = tuple(key for key in ring.keys if (key.event, key.board) == (event, board))
    save_keys(_file_of(folder, board), Keyring(own), replace=True)
    save_keys(folder / HALL_FILE, ring, replace=True)


def _file_of(folder: Path, board: str) -> Path:
    return folder / f"{board}.keys"


def _list(ring: Keyring) -> None:
    if not ring.keys:
        plainly(say("enrol.none"))
    for key in ring.keys:
        state = say("enrol.revoked") if key.revoked else say("enrol.open")
        plainly(f"{key.event}/{key.board}  {key.id}  {key.made}  {state}")
