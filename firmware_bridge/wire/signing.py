"""Commands to a board and its answers, signed: what is signed, with which key, and how it is read.

Laws of this file:

1. What is signed is a list of texts, never a form of JSON: how a message was written, in which order and
   with which blanks, is nobody's business, and a program in any language makes the same bytes.
2. Nothing that stands in a message is left out of the signature; a field that is not known is refused.
3. Reading never trusts and never repairs. Whatever bytes arrive, the answer is a message or a
   `SigningError` with a code.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, Self, TypeAlias, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from firmware_bridge.wire.parts import MAX_INTEGER, Code, Count, Id, KeyId, Token
from firmware_bridge.wire.topics import is_id

MAX_SIGNED_BYTES: Final = 8192
"""Longest command or answer. A command's own text has at most half of it."""
MAX_BODY_LETTERS: Final = 4000
SECRET_BYTES: Final = 32
"""As long as what SHA-256 gives: more would add nothing (RFC 2104, section 3)."""

RefusalCode: TypeAlias = Literal[
    "retained",
    "too_large",
    "malformed",
    "unsigned",
    "foreign_event",
    "foreign_board",
    "unknown_key",
    "bad_signature",
    "stale_nonce",
    "replayed",
    "wrong_ply",
    "ply_needed",
    "no_command",
    "failed",
]
"""Why a message is no command for this board; the table's own reasons come beside these."""

WITHOUT_PLY: Final = frozenset({"assign", "start", "suspend", "resume", "adjust", "clock", "release"})
"""Commands that hold at any ply. All others, those to come included, must name the one they mean."""

_KEY_ID = re.compile(r"[a-z0-9-]{1,64}")


class SigningError(ValueError):
    """Raised when bytes are no signed message; `code` says why for programs, the text for people."""

    def __init__(self, code: RefusalCode, detail: str) -> None:
        super().__init__(detail)
        self.code: RefusalCode = code


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("holds something that is no letter")
    return text


def _encodable(text: str) -> str:
    text.encode()  # half a character can stand in JSON and in no file; its error is a ValueError
    return text


def _whole(value: object) -> object:
    if type(value) is not int:  # true and 1.0 are equal to 1
        raise ValueError("is no whole number")
    return value


Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Who = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_printable)]
BodyText = Annotated[str, Field(min_length=2, max_length=MAX_BODY_LETTERS), AfterValidator(_encodable)]
Detail = Annotated[str, Field(max_length=400), AfterValidator(_printable)]
Sequence: TypeAlias = Annotated[int, Field(ge=1, le=MAX_INTEGER)]

UNSIGNED: Final = "0" * 64
"""Stands for the signature until `sealed` puts one in its place."""


class Signed(BaseModel):
    """The fields of every signed message.

    Attributes:
        v: Major version of the message.
        event: Id of the event.
        board: Id of the board.
        key: Id of the key it is signed with.
        id: Random, new for each command: 32 hexadecimal digits. The answer repeats it.
        kind: What kind of message this is.
        mac: HMAC-SHA-256 of the signed bytes, 64 hexadecimal digits in small letters.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    v: Annotated[Literal[1], BeforeValidator(_whole)] = 1
    event: Id
    board: Id
    key: KeyId
    id: Token
    kind: str
    mac: Digest

    def signed_bytes(self) -> bytes:
        """Return what the signature is made of: all fields but `v` and `mac`, each with its length."""
        return netstrings(["" if value is None else str(value) for value in self._signed()])

    def _signed(self) -> tuple[str | int | None, ...]:
        raise NotImplementedError

    def sealed(self, key: Key) -> Self:
        """Return the message signed with `key`, whose id must be the message's."""
        if key.id != self.key:
            raise ValueError(f"key {key.id!r} cannot sign for {self.key!r}")
        return self.model_copy(update={"mac": key.mac(self.signed_bytes())})

    def is_of(self, key: Key) -> bool:
        """Tell whether the signature was made with `key`."""
        return hmac.compare_digest(self.mac, key.mac(self.signed_bytes()))

    def written(self) -> bytes:
        """Return the message as it travels."""
        return self.model_dump_json().encode()


class SignedCommand(Signed):
    """A command to a board, signed.

    Attributes:
        who: Who gives it, as the hall says: a name or an office, 1 to 80 letters.
        boot_id: `boot_id` of the board's `meta`: random, new whenever the board's program is started.
        nonce: `nonce` of the board's `meta`, likewise.
        seq: Number of the command, greater than any before with this key and this nonce.
        ply: Plies that must have been played; None where the command holds at any.
        body: The command itself, the text of a JSON object.
    """

    kind: Literal["cmd"] = "cmd"
    who: Who
    boot_id: Token
    nonce: Token
    seq: Sequence
    ply: Count | None
    body: BodyText

    def _signed(self) -> tuple[str | int | None, ...]:
        freshness = (self.boot_id, self.nonce, self.seq, self.ply)
        return ("togyz-cmd-1", self.event, self.board, self.key, self.id, self.who, *freshness, self.body)


class Ack(Signed):
    """A board's answer to a command, signed with the same key.

    Attributes:
        answers: The `mac` of the command.
        seq: The `seq` of the command.
        code: `accepted`: it was carried out, and is in the journal; else why not, and nothing was changed.
        detail: Words for people; empty when it was accepted.
        ply: Plies played after it.
        last: The greatest `seq` the board has seen of this key since it was started.
    """

    kind: Literal["ack"] = "ack"
    answers: Digest
    seq: Sequence
    code: Code
    detail: Detail
    ply: Count
    last: Count

    def _signed(self) -> tuple[str | int | None, ...]:
        told = (self.answers, self.seq, self.code, self.detail, self.ply, self.last)
        return ("togyz-ack-1", self.event, self.board, self.key, self.id, *told)


ACCEPTED: Final = "accepted"


def netstrings(texts: Iterable[str]) -> bytes:
    """Return texts one after another, each as `LENGTH:BYTES,` with the length of its UTF-8 in bytes.

    No two lists give the same bytes.
    """
    return b"".join(b"%d:%b," % (len(data), data) for data in (text.encode() for text in texts))


# --- keys ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Key:
    """A secret that a board shares with whoever may command it.

    Attributes:
        id: Its name, `[a-z0-9-]{1,64}`; no secret.
        event: Id of the event it is good for.
        board: Id of the board it is good for.
        secret: 32 bytes; never shown by `repr`.
        made: Day it was made, a label for people.
        revoked: It opens nothing any more.
    """

    id: str
    event: str
    board: str
    secret: bytes = field(repr=False)
    made: str = ""
    revoked: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no key.

        Raises:
            ValueError: An id cannot stand in a message, or the secret has not 32 bytes.
        """
        if not (_KEY_ID.fullmatch(self.id) and is_id(self.event) and is_id(self.board)):
            raise ValueError(f"key {self.id[:80]!r} of {self.event[:40]!r}/{self.board[:40]!r} is misnamed")
        if len(self.secret) != SECRET_BYTES:
            raise ValueError(f"key {self.id!r} has {len(self.secret)} bytes instead of {SECRET_BYTES}")

    def mac(self, data: bytes) -> str:
        """Return the HMAC-SHA-256 of `data`, 64 hexadecimal digits."""
        return hmac.new(self.secret, data, hashlib.sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class Keyring:
    """The keys a program has."""

    keys: tuple[Key, ...] = ()

    def find(self, key_id: str) -> Key | None:
        """Return the key of this id, revoked or not; None when it is not here."""
        return next((key for key in self.keys if key.id == key_id), None)

    def of_board(self, event: str, board: str) -> Key | None:
        """Return the newest key that opens this board; None when there is none."""
        fitting = [key for key in self.keys if (key.event, key.board, key.revoked) == (event, board, False)]
        return fitting[-1] if fitting else None


# --- reading ------------------------------------------------------------------------------------------

_S = TypeVar("_S", bound=Signed)


def read_signed(model: type[_S], data: bytes) -> _S:
    """Read a signed message; its signature is not looked at.

    Raises:
        SigningError: It is too long, no JSON object with exactly the fields of `model`, or unsigned.
    """
    if len(data) > MAX_SIGNED_BYTES:
        raise SigningError("too_large", f"{len(data)} bytes, more than {MAX_SIGNED_BYTES}")
    fields = read_object(data)
    if "mac" not in fields:
        raise SigningError("unsigned", "there is no `mac`")
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        raise SigningError("malformed", shown(f"{where}: {first['msg']}")) from None


def read_object(data: bytes | str) -> dict[str, Any]:
    """Read a JSON object strictly: UTF-8, each name once, no NaN, no half characters.

    Raises:
        SigningError: It is none.
    """
    try:
        text = data.decode() if isinstance(data, bytes) else data
        value = json.loads(text, object_pairs_hook=_each_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise SigningError("malformed", shown(f"no JSON: {error}")) from None
    if not isinstance(value, dict):
        raise SigningError("malformed", "no JSON object")
    return value


def shown(text: str) -> str:
    """Return words as a `detail` may hold them: in one line, at most 200 letters."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:200])


def _each_once(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands there twice")
    return found


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number")
