"""A sealed move: a commitment that hides it until it is opened, and the record beside it (2.8.3).

There are nine moves at most, so the commitment hides nothing without its salt: that is as secret as the move,
stays with whoever sealed it, and is drawn by the caller, at random and anew for each game.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from rules.clock import MAX_DIAL_US, Pair
from rules.errors import ConductError, ConductFormatError
from rules.events import JSON
from rules.events_json import SEAL
from rules.position import Position, Side
from rules.position_json import position_from_json, position_to_json
from rules.strict import Strict

LEAST_SALT_BYTES = 16
"""128 bits: nobody tries them all."""

MAX_MOVE_NUMBER = 2000
"""More than any game has."""

_PURPOSE = b"togyz sealed move 1\n"
"""So that a commitment means nothing else anywhere else; the number is that of this form."""

_STRICT = Strict(ConductFormatError)
_SIDES = tuple(side.value for side in Side)
_FIELDS = ("names", "sealer", "position", "move_number", "used_us", "dials_us", "keeper", "commitment")


def seal(move_text: str, salt: bytes) -> str:
    """Return the commitment to a move as it is written, 64 hexadecimal digits.

    Args:
        move_text: What the player wrote, exactly; also what nobody can read can be sealed.
        salt: LEAST_SALT_BYTES random bytes or more.

    Raises:
        ConductError: The salt is too short, or the text cannot be written as UTF-8.
    """
    if len(salt) < LEAST_SALT_BYTES:
        raise ConductError(f"a salt of {len(salt)} bytes hides no move: {LEAST_SALT_BYTES} or more")
    try:
        written = move_text.encode()
    except UnicodeEncodeError as error:
        raise ConductError("a sealed move holds a character that is none") from error
    length = len(salt).to_bytes(8, "big")
    return hashlib.sha256(_PURPOSE + length + salt + written).hexdigest()


def opens(commitment: str, move_text: str, salt: bytes) -> bool:
    """Return whether a commitment was made to this move with this salt.

    Raises:
        ConductError: As `seal` does.
    """
    return seal(move_text, salt) == commitment


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedGame:
    """What is written down when a game is sealed (2.8.3).

    Attributes:
        names: Both players.
        sealer: Who sealed his move: who was to move.
        position: The position before the sealed move.
        move_number: The number of the sealed move, 1..MAX_MOVE_NUMBER.
        used_us: What both had used, in microseconds, 0..MAX_DIAL_US.
        dials_us: What both dials showed, likewise: with increments it does not follow from `used_us`.
        keeper: The line arbiter who keeps the envelope.
        commitment: The commitment to the move, as `seal` gives it.

    Raises:
        ConductFormatError: A number is out of its range, the sealer is not to move, or that is no commitment.
    """

    names: tuple[str, str]
    sealer: Side
    position: Position
    move_number: int
    used_us: Pair
    dials_us: Pair
    keeper: str
    commitment: str

    def __post_init__(self) -> None:
        _STRICT.integer(self.move_number, "sealed.move_number", 1, MAX_MOVE_NUMBER)
        for name, pair in (("used_us", self.used_us), ("dials_us", self.dials_us)):
            for side in Side:
                _STRICT.integer(pair[side.index], f"sealed.{name}[{side.index}]", 0, MAX_DIAL_US)
        if self.sealer is not self.position.to_move:
            raise ConductFormatError("sealed.sealer", self.sealer.value, "the player to move (2.8.2)")
        if not SEAL.fullmatch(self.commitment):
            raise ConductFormatError(
                "sealed.commitment", self.commitment, "64 hexadecimal digits in lower case"
            )


def sealed_to_json(sealed: SealedGame) -> dict[str, JSON]:
    """Return the record as a JSON object."""
    return {
        "names": list(sealed.names),
        "sealer": sealed.sealer.value,
        "position": position_to_json(sealed.position),
        "move_number": sealed.move_number,
        "used_us": list(sealed.used_us),
        "dials_us": list(sealed.dials_us),
        "keeper": sealed.keeper,
        "commitment": sealed.commitment,
    }


def sealed_from_json(data: object) -> SealedGame:
    """Return the record that a JSON object holds.

    Raises:
        ConductFormatError: It holds none; names the key and what was expected there.
        PositionFormatError: Its position is none.
    """
    found = _STRICT.exactly(data, "sealed", _FIELDS)
    first, second = (
        _STRICT.text(value, where) for value, where in _STRICT.items(found["names"], "sealed.names", 2, 2)
    )
    return SealedGame(
        names=(first, second),
        sealer=Side(_STRICT.choice(found["sealer"], "sealed.sealer", _SIDES)),
        position=position_from_json(found["position"]),
        move_number=_STRICT.integer(found["move_number"], "sealed.move_number", 1, MAX_MOVE_NUMBER),
        used_us=_pair(found["used_us"], "sealed.used_us"),
        dials_us=_pair(found["dials_us"], "sealed.dials_us"),
        keeper=_STRICT.text(found["keeper"], "sealed.keeper"),
        commitment=_STRICT.text(found["commitment"], "sealed.commitment"),
    )


def _pair(value: object, where: str) -> Pair:
    first, second = (
        _STRICT.integer(each, place, 0, MAX_DIAL_US) for each, place in _STRICT.items(value, where, 2, 2)
    )
    return first, second
