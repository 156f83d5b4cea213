"""The gate of a board: who may command it, and which command is fresh. Pure.

A command is asked two questions. `read`, when it arrives: who says so? Whatever is not signed with a key
of this board ends there. `take`, when its turn has come: is it due? It was made for this start of the
program (`boot_id`, `nonce`), was not taken before (`seq`), and finds the table as its giver saw it (`ply`).
No clock is asked: a Raspberry Pi has none that could be trusted.

Laws of this file:

1. Whatever was taken once uses its number up, refused or not: a command refused for its ply must not be
   let in again when the ply has come.
2. The same command once more gets the same answer, and is not done twice.
3. Who has no key learns nothing and changes nothing: no answer is signed for him, no number is used up.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from firmware_bridge.wire.parts import MAX_OFFERED, CommandsPart
from firmware_bridge.wire.signing import (
    ACCEPTED,
    UNSIGNED,
    Ack,
    Key,
    Keyring,
    RefusalCode,
    SignedCommand,
    SigningError,
    read_signed,
    shown,
)

REMEMBERED: Final = 64
"""Answers kept for commands that come again, over all keys: a hall waits for one at a time."""

_NOT_TAKEN: Final = ("stale_nonce", "replayed")


@dataclass(frozen=True, slots=True)
class Accepted:
    """The command is to be carried out, now; then `Gate.answer` says what came of it."""

    command: SignedCommand


@dataclass(frozen=True, slots=True)
class Repeated:
    """The command has come before; `ack` is the answer it got."""

    command: SignedCommand
    ack: Ack


@dataclass(frozen=True, slots=True)
class Refused:
    """No command for this board, or none that is due.

    Attributes:
        code: Why, for programs.
        detail: Why, for people; in English, in one line.
    """

    code: RefusalCode
    detail: str


class Gate:
    """The gate of one start of a board's program.

    Args:
        ring: The keys of this board; others may stand among them.
        event: Id of the event.
        board: Id of the board.
        boot_id: 32 random hexadecimal digits, new for each start.
        nonce: 32 others.
    """

    def __init__(self, ring: Keyring, event: str, board: str, *, boot_id: str, nonce: str) -> None:
        self.event, self.board = event, board
        self._boot_id, self._nonce = boot_id, nonce
        self._keys = {key.id: key for key in ring.keys if (key.event, key.board) == (event, board)}
        self._last: dict[str, int] = {}  # by key: the greatest number taken
        self._answers: OrderedDict[str, Ack] = OrderedDict()  # by the command's signature, oldest first
        self.offer  # noqa: B018 - refuses tokens that no message could carry

    @property
    def offer(self) -> CommandsPart:
        """What the board's `meta` says of it, so that a hall can sign."""
        open_keys = tuple(key.id for key in self._keys.values() if not key.revoked)
        return CommandsPart(boot_id=self._boot_id, nonce=self._nonce, keys=open_keys[-MAX_OFFERED:])

    def read(self, data: bytes, *, retained: bool) -> SignedCommand | Refused:
        """Say whose command this is; asks only, and changes nothing.

        Args:
            data: The bytes as they arrived.
            retained: Whether the broker had kept them: a command is for now, so that is none.

        Returns:
            The command, signed with a key of this board that is not revoked; else the refusal, of which
            nobody may be answered.
        """
        if retained:
            return Refused("retained", "a broker had kept it; commands are never retained")
        try:
            command = read_signed(SignedCommand, data)
        except SigningError as error:
            return Refused(error.code, str(error))
        if command.event != self.event:
            return Refused("foreign_event", f"it is for event {command.event!r}")
        if command.board != self.board:
            return Refused("foreign_board", f"it is for board {command.board!r}")
        key = self._keys.get(command.key)
        if key is None or key.revoked:
            why = "is not known here" if key is None else "was revoked"
            return Refused("unknown_key", f"key {command.key!r} {why}")
        if not command.is_of(key):
            return Refused("bad_signature", f"it is not signed with key {command.key!r}")
        return command

    def take(self, command: SignedCommand, ply: int) -> Accepted | Repeated | Refused:
        """Say whether a command that `read` has let in is due, and use its number up.

        Args:
            command: The command.
            ply: Plies played in the game now.

        Returns:
            What to do; a refusal is to be answered too, with `answer`.
        """
        known = self._answers.get(command.mac)
        if known is not None:
            return Repeated(command, known)
        if (command.boot_id, command.nonce) != (self._boot_id, self._nonce):
            return Refused("stale_nonce", "it was made for another start of this board; read its meta again")
        last = self._last.get(command.key, 0)
        if command.seq <= last:
            return Refused("replayed", f"number {command.seq} is used up; the last was {last}")
        self._last[command.key] = command.seq
        if command.ply not in (None, ply):
            return Refused("wrong_ply", f"it is for ply {command.ply}, and {ply} were played")
        return Accepted(command)

    def answer(self, command: SignedCommand, ply: int, code: str = ACCEPTED, detail: str = "") -> Ack:
        """Return the signed answer to a command that `read` has let in, and remember it.

        Args:
            command: The command.
            ply: Plies played after it.
            code: What came of it.
            detail: Words for people; cut to what a message holds.
        """
        key: Key = self._keys[command.key]
        ack = Ack(
            event=self.event,
            board=self.board,
            key=key.id,
            mac=UNSIGNED,
            id=command.id,
            answers=command.mac,
            seq=command.seq,
            code=code,
            detail=shown(detail),
            ply=ply,
            last=self._last.get(key.id, 0),
        ).sealed(key)
        if code not in _NOT_TAKEN:  # old commands of a stranger's store must not crowd the others out
            self._answers[command.mac] = ack
        while len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)
        return ack
