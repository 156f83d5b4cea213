"""What people at a board are to be told of, and who is told by what: lamps, sounds, pages (pure).

Every alert has a route (house law 8). Unless the event chooses otherwise all is silent, and what could help
a player goes to the arbiter alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Literal, TypeAlias

from firmware_bridge.board.inputs import Watch
from firmware_bridge.board.refereeing.advice import CALLED, SETUP_COMPLAINT
from firmware_bridge.layout import Seating
from rules.conduct.faults import by_people
from rules.game import Game, Phase
from rules.position import Side
from sensors import frames

Route: TypeAlias = Literal["arbiter", "lamp", "page", "sound"]
"""Who is told: arbiters, by the lamp that only they see; both players and whoever passes, by the lamp on the
table, by the table's page, by the buzzer. What is published to the hall is no route: it always is."""


class Kind(Enum):
    """What there is to be told, the most urgent first."""

    UNSAFE = "unsafe"
    """Nothing can be written down."""
    DEVICE = "device"
    """Nobody sees the board or hears its buttons."""
    UNREADABLE = "unreadable"
    """A place cannot be read."""
    CALL = "call"
    """A player has called the arbiter, who has not come yet."""
    SUSPENDED = "suspended"
    """The game rests."""
    INFRACTION = "infraction"
    """The board saw something against the rules, and nobody has decided it."""
    RESTORE = "restore"
    """An arbiter let a position hold that does not lie there yet."""
    DIFFERS = "differs"
    """The board does not show what it should, for another reason."""
    SETUP = "setup"
    """The start position does not lie there, before the game."""
    FLAG = "flag"
    """A flag is down."""
    DRAW = "draw"
    """An offer of a draw waits for an answer."""
    OFFER_VOID = "offer_void"
    """A draw was offered just now at the wrong moment, and is void (2.6.8)."""


@dataclass(frozen=True, slots=True)
class Alert:
    """One thing to be told.

    Attributes:
        kind: What.
        side: Whom it is about; None: nobody, or both.
        number: Which infraction it is; None: none.
    """

    kind: Kind
    side: Side | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """What is known of a table beside its game and its stones.

    Attributes:
        unsafe: Why nothing can be made durable; empty while all is well.
        ruled: Which record of the journal let a position hold that no move has followed; None: none did.
        misplaced: Who has offered a draw at the wrong moment just now; None: nobody.
    """

    unsafe: str = ""
    ruled: int | None = None
    misplaced: Side | None = None


ROUTES: Mapping[Kind, frozenset[Route]] = MappingProxyType(
    {
        Kind.UNSAFE: frozenset({"arbiter", "lamp", "page"}),
        Kind.DEVICE: frozenset({"arbiter", "page"}),
        Kind.UNREADABLE: frozenset({"arbiter", "lamp", "page"}),
        Kind.CALL: frozenset({"arbiter", "lamp", "page"}),
        Kind.SUSPENDED: frozenset({"lamp", "page"}),
        Kind.INFRACTION: frozenset({"arbiter"}),
        Kind.RESTORE: frozenset({"arbiter", "page"}),
        Kind.DIFFERS: frozenset({"arbiter"}),
        Kind.SETUP: frozenset({"page"}),
        Kind.FLAG: frozenset({"arbiter", "page"}),
        Kind.DRAW: frozenset({"lamp", "page"}),
        Kind.OFFER_VOID: frozenset({"lamp", "page"}),
    }
)
"""Who is told where nothing is configured. A set-up is no secret before the game, and a position that an
arbiter has decided is none after it."""

SOUNDS: Mapping[Kind, tuple[int, int]] = MappingProxyType(
    {
        Kind.UNSAFE: (frames.SOUND_BEEPING, 1500),
        Kind.DEVICE: (frames.SOUND_BEEPING, 1500),
        Kind.CALL: (frames.SOUND_TONE, 300),
        Kind.DRAW: (frames.SOUND_TONE, 150),
    }
)
"""How an alert sounds that may: pattern, milliseconds."""

USUAL_SOUND = (frames.SOUND_TWO_TONES, 400)
"""How all others do."""


class Alerts:
    """What is to be told at one table; remembers only which ruled position it has seen lie there.

    Args:
        routes: Who is told of what; a kind that is not in it goes by `ROUTES`.
    """

    def __init__(self, routes: Mapping[Kind, frozenset[str]] = ROUTES) -> None:
        self._routes = {**ROUTES, **routes}
        self._laid: int | None = None

    def raised(self, game: Game, watch: Watch, said: Said) -> tuple[Alert, ...]:
        """Return what is to be told now, the most urgent first.

        Args:
            game: The game.
            watch: How the board looks.
            said: What else is known.
        """
        if watch.sensed == "matches":
            self._laid = said.ruled
        owed = said.ruled is not None and said.ruled != self._laid
        found = [
            *_of_board(game, watch, said.unsafe),
            *_of_stones(game, watch, owed=owed),
            *_of_players(game),
        ]
        if said.misplaced is not None:
            found.append(Alert(Kind.OFFER_VOID, said.misplaced))
        order = list(Kind)
        return tuple(sorted(found, key=lambda alert: order.index(alert.kind)))

    def goes(self, kind: Kind, route: Route) -> bool:
        """Whether an alert of this kind takes this route."""
        return route in self._routes[kind]

    def on(self, alerts: Iterable[Alert], route: Route) -> tuple[Alert, ...]:
        """Return the alerts that take a route."""
        return tuple(alert for alert in alerts if self.goes(alert.kind, route))


def _of_board(game: Game, watch: Watch, unsafe: str) -> list[Alert]:
    found = [Alert(Kind.UNSAFE)] if unsafe else []
    if watch.sensed == "no_device":
        found.append(Alert(Kind.DEVICE))
    if watch.sensed == "unreadable":
        found.append(Alert(Kind.UNREADABLE))
    waits = game.called and game.suspended_reason in (CALLED, SETUP_COMPLAINT)
    if game.phase is Phase.SUSPENDED and not waits:  # the call says it already
        found.append(Alert(Kind.SUSPENDED))
    return found


def _of_stones(game: Game, watch: Watch, *, owed: bool) -> list[Alert]:
    if game.phase in (Phase.SETTING_UP, Phase.READY):
        return [Alert(Kind.SETUP)] if watch.sensed == "differs" else []
    if game.phase not in (Phase.PLAYING, Phase.SUSPENDED):
        return []
    found = [Alert(Kind.INFRACTION, each.side, each.number) for each in game.open_incidents]
    if any(not by_people(each.faults) for each in game.open_incidents):
        return found
    if owed:
        return [*found, Alert(Kind.RESTORE)]
    return [*found, Alert(Kind.DIFFERS)] if watch.sensed == "differs" else found


def _of_players(game: Game) -> list[Alert]:
    found = [Alert(Kind.CALL)] if game.called else []
    if game.phase in (Phase.PLAYING, Phase.SUSPENDED):
        found += [Alert(Kind.FLAG, side) for side in Side if game.flags[side.index]]
        if game.draw_open is not None:
            found.append(Alert(Kind.DRAW, game.draw_open))
    return found


def lamps(alerts: Alerts, told: Iterable[Alert], seating: Seating) -> tuple[int, int]:
    """Return which lamps burn and which blink, as `frames.LAMP_x` bits.

    An offer of a draw blinks before the player who is to answer; where it was void the lamp burns before the
    one who made it. A call blinks before the arbiter, a game that rests on the table.
    """
    told = tuple(told)
    on = blink = 0
    for alert in alerts.on(told, "lamp"):
        if alert.kind is Kind.DRAW and alert.side is not None:
            blink |= _lamp_of(alert.side.opponent, seating)
        elif alert.kind is Kind.OFFER_VOID and alert.side is not None:
            on |= _lamp_of(alert.side, seating)
        elif alert.kind is Kind.SUSPENDED:
            blink |= frames.LAMP_ATTENTION
        else:
            on |= frames.LAMP_ATTENTION
    for alert in alerts.on(told, "arbiter"):
        if alert.kind is Kind.CALL:
            blink |= frames.LAMP_ARBITER
        else:
            on |= frames.LAMP_ARBITER
    return on, blink


def _lamp_of(side: Side, seating: Seating) -> int:
    return frames.LAMP_SIDE_A if seating.seat_of(side) == "a" else frames.LAMP_SIDE_B


def sound(alerts: Alerts, before: Iterable[Alert], told: Iterable[Alert]) -> tuple[int, int] | None:
    """Return the sound of the most urgent alert that is new and may sound; None: all is silent."""
    known = set(before)
    fresh = [alert for alert in alerts.on(told, "sound") if alert not in known]
    return SOUNDS.get(fresh[0].kind, USUAL_SOUND) if fresh else None
