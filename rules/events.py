"""The one vocabulary of the whole house: everything that can happen in a game, as values.

An event says what was decided, and when in table time (microseconds on the board's own monotonic timeline).
It never says what follows from it: that is the fold's work (`rules.game`). Pairs are always [bastaushy,
qostaushy].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

from rules.position import Result, Side
from rules.time_control import TimeControl

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"
"""Whatever JSON can hold, finite numbers only."""

Seat: TypeAlias = Literal["a", "b"]
"""A side of the physical table."""

DrawLasts: TypeAlias = Literal["", "until_refused"]
"""How long an offer of a draw waits for its answer; empty: until the opponent's move is final."""

Confirmation: TypeAlias = Literal["press", "settled", "arbiter"]
"""What made a move final: a press of the clock, stones at rest in a finished position, an arbiter."""


@dataclass(frozen=True, slots=True)
class PressId:
    """Names one press of a device for ever, so that none counts twice.

    Attributes:
        boot: The device's random boot id, 1..2^32-1.
        number: The number of its button event since that boot, 1..2^32-1.
    """

    boot: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEvent:
    """Anything that happens in a game.

    Attributes:
        at_us: When, in table time, microseconds, 0 or more.
    """

    kind: ClassVar[str]
    at_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAssigned(GameEvent):
    """A game was given to this board; whatever was there before is forgotten.

    Attributes:
        game_id: The game's key in its event.
        names: The players.
        starter_seat: Where bastaushy sits.
        control: The time control of both.
        draw_lasts: How long the event lets an offer of a draw wait (2.6.9): `until_refused`; empty: until the
            opponent's move is final, or he refuses.
    """

    kind: ClassVar[str] = "game_assigned"
    game_id: str
    names: tuple[str, str]
    starter_seat: Seat
    control: TimeControl
    draw_lasts: DrawLasts = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupStarted(GameEvent):
    """The board began to wait for nine stones in each pit."""

    kind: ClassVar[str] = "setup_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupChecked(GameEvent):
    """Nine stones were seen in each pit.

    Attributes:
        evidence: What the decision rested on; not read by the fold.
    """

    kind: ClassVar[str] = "setup_checked"
    evidence: Mapping[str, JSON] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupLost(GameEvent):
    """A board that was set up is so no more; both players have to confirm again."""

    kind: ClassVar[str] = "setup_lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReady(GameEvent):
    """A player confirmed that he is ready (2.9.4).

    Attributes:
        side: Who.
    """

    kind: ClassVar[str] = "player_ready"
    side: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(GameEvent):
    """Bastaushy's clock was started (2.7.5)."""

    kind: ClassVar[str] = "game_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockPressed(GameEvent):
    """A player stopped his dial and started the other (2.7.7); his move may not have been read yet.

    Attributes:
        side: Whose dial was stopped.
        press: The device's name for the press; None: it came from no device.
    """

    kind: ClassVar[str] = "clock_pressed"
    side: Side
    press: PressId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MovePlayed(GameEvent):
    """A move became final.

    Attributes:
        side: Who moved.
        number: The number 1..9 of the pit he played.
        text: The move in official short notation, exactly as `format_short` writes it.
        confirmed_by: What made it final.
        evidence: What the decision rested on, for those who want to take it again; not read by the fold.
        by: Which arbiter decided it; empty: nobody is named.
    """

    kind: ClassVar[str] = "move_played"
    side: Side
    number: int
    text: str
    confirmed_by: Confirmation
    evidence: Mapping[str, JSON] = field(hash=False)
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagFell(GameEvent):
    """A player's flag fell: dial at zero, or a move took too long. It ends no game by itself (2.9.9).

    The move under way is completed (2.9.8), so presses and moves still have their place behind it.

    Attributes:
        side: Whose dial.
    """

    kind: ClassVar[str] = "flag_fell"
    side: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockAdjusted(GameEvent):
    """An arbiter gave or took time (2.4.8, 2.7.14, 2.9.3).

    Attributes:
        delta_us: What he added to both dials in microseconds, negative where he took; not both 0.
        reason: Why, in words.
        by: Which arbiter decided it; empty: nobody is named.
    """

    kind: ClassVar[str] = "clock_adjusted"
    delta_us: tuple[int, int]
    reason: str
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSet(GameEvent):
    """The dials were set: a faulty clock replaced (2.7.10), one set down late (2.7.11), or another one read.

    Attributes:
        control: The time control from now on; the same as before when only the dials were set or read.
        remaining_us: What both dials show now, in microseconds, 0 or more.
        reason: Why, in words.
        by: Which arbiter decided it; empty: nobody is named.
    """

    kind: ClassVar[str] = "clock_set"
    control: TimeControl
    remaining_us: tuple[int, int]
    reason: str
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSuspended(GameEvent):
    """Both dials were stopped.

    Attributes:
        reason: Why, in words.
        by: Which arbiter decided it; empty: nobody is named.
    """

    kind: ClassVar[str] = "game_suspended"
    reason: str
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResumed(GameEvent):
    """A suspended game went on.

    Attributes:
        running: Whose dial was started.
        by: Which arbiter decided it; empty: nobody is named.
    """

    kind: ClassVar[str] = "game_resumed"
    running: Side
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(GameEvent):
    """The game has a result, whatever ended it.

    Attributes:
        result: The score.
        reason: What ended it, such as a value of `EndReason` or an arbiter's words.
        by: Which arbiter decided it; empty: nobody is named.
    """

    kind: ClassVar[str] = "game_ended"
    result: Result
    reason: str
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultConfirmed(GameEvent):
    """A player accepted the result, as by signing the sheet (2.10.2).

    Attributes:
        side: Who.
    """

    kind: ClassVar[str] = "result_confirmed"
    side: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class GameReleased(GameEvent):
    """The board is free for the next game."""

    kind: ClassVar[str] = "game_released"
