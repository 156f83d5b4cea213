"""What happens in a game besides its moves and its clock, as events: infractions, rulings, offers, calls.

An infraction is what a board has seen; what follows from it an arbiter decides. Whoever decides is named in
`by`, in the words of the event: an arbiter, a player's side, or nothing where the board itself did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

from rules.events import JSON, GameEvent, PressId
from rules.position import Position, Side

Decision: TypeAlias = Literal["stands", "restored", "corrected", "set", "taken_back"]
"""What an arbiter lets hold: the sowing as it lies, the position before it, the position that was due, any
position, or the position before the last plies."""

Closing: TypeAlias = Literal["put_right", "dismissed", "warned"]
"""How an infraction ends without another position: the board shows again what is due, it was none, or a
warning was all."""

ADJOURNED = "adjourned"
"""Why an adjourned game rests, whatever it had been stopped for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InfractionSeen(GameEvent):
    """The board, or an arbiter, saw something against the rules; it waits to be decided.

    Attributes:
        infraction: Its number in this game, from 1.
        side: Who did it.
        faults: What it is, as codes (`rules.infractions`), the gravest first; at least one.
        evidence: What it rests on: before, seen, due, and the ways back; not read by the fold.
    """

    kind: ClassVar[str] = "infraction_seen"
    infraction: int
    side: Side
    faults: tuple[str, ...]
    evidence: Mapping[str, JSON] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class InfractionClosed(GameEvent):
    """An infraction is decided and the position is the same as before.

    Attributes:
        infraction: Which.
        closing: How it ends.
        by: Who decided; empty: the board saw that it was put right.
        reason: Why, in words.
    """

    kind: ClassVar[str] = "infraction_closed"
    infraction: int
    closing: Closing
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionRuled(GameEvent):
    """An arbiter decided which position holds, and what the dials show with it: both in one step.

    Attributes:
        decision: What he decided.
        infraction: The infraction that it decides; None: none.
        kept: How many of the final plies stay, 0 or more.
        number: The pit 1..9 of the ply that now follows the kept ones: an illegal one that stands or the
            corrected one. None: no ply does, or nobody knows the pit of one that stands.
        position: What holds from now on.
        remaining_us: What both dials show, in microseconds.
        running: Whose dial runs from now on, or will when a suspended game is resumed.
        by: Who decided.
        reason: Why, in words.
        evidence: What it rests on; not read by the fold.
    """

    kind: ClassVar[str] = "position_ruled"
    decision: Decision
    infraction: int | None
    kept: int
    number: int | None
    position: Position
    remaining_us: tuple[int, int]
    running: Side
    by: str
    reason: str
    evidence: Mapping[str, JSON] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerWarned(GameEvent):
    """An arbiter warned a player (2.4.6).

    Attributes:
        side: Whom.
        level: The step of the ladder, 1..5; other games of the event count for it.
        article: The article he offended against, as `1.3.4`; empty: not said.
        by: Who warned; another arbiter cannot alter it (2.4.8).
        reason: Why, in words.
    """

    kind: ClassVar[str] = "player_warned"
    side: Side
    level: int
    article: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawOffered(GameEvent):
    """A player offered a draw (2.6.8). Only his first offer asks the opponent anything (2.6.9).

    Attributes:
        side: Who.
    """

    kind: ClassVar[str] = "draw_offered"
    side: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawAnswered(GameEvent):
    """A player answered an offer; to move on without an answer declines it as well.

    Attributes:
        side: Who answered.
        accepted: Whether he agrees; then the end of the game follows (2.6.6).
    """

    kind: ClassVar[str] = "draw_answered"
    side: Side
    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ArbiterCalled(GameEvent):
    """A player called the arbiter (2.7.15).

    Attributes:
        side: Who called; None: nobody knows.
        press: The device's name for the press of his button; None: it came from no device.
    """

    kind: ClassVar[str] = "arbiter_called"
    side: Side | None
    press: PressId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAnswered(GameEvent):
    """An arbiter has come.

    Attributes:
        by: Who.
        groundless: He found no reason for the call (2.7.15).
    """

    kind: ClassVar[str] = "call_answered"
    by: str
    groundless: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagCalled(GameEvent):
    """A fallen flag was called, by the arbiter or one of the players (2.9.9, 2.9.10).

    Attributes:
        side: Whose flag.
        by: Who called.
    """

    kind: ClassVar[str] = "flag_called"
    side: Side
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAdjourned(GameEvent):
    """A suspended game was adjourned; the player to move has sealed his move (2.8.2).

    Attributes:
        seal: The commitment to the sealed move, 64 hexadecimal digits; nothing can be read from it.
        by: Who sealed the envelope (2.8.3).
        reason: Why, in words.
    """

    kind: ClassVar[str] = "game_adjourned"
    seal: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SealOpened(GameEvent):
    """The sealed move was read; it has to be played (2.8.4).

    Attributes:
        number: The pit 1..9; None: the move is illegal or cannot be read, and the chief panel decides.
        text: What stood in the envelope.
        by: Who opened it.
        salt: What the commitment was made with beside the text, in hexadecimal digits: with both anybody can
            make it again. Empty: it was not told, as by the first versions.
        reason: Why a move was let hold that was not the one committed to; empty: it was.
    """

    kind: ClassVar[str] = "seal_opened"
    number: int | None
    text: str
    by: str
    salt: str = ""
    reason: str = ""
