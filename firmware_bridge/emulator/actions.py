"""What hands can do at a board, what they see there, and where they find things: the hands' vocabulary."""

from dataclasses import dataclass

from rules.position import Sowing


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Where the emulated board's players find things.

    Attributes:
        pits: channel of each pit index 0..17.
        kazans: channel of each side's kazan, bastaushy's first.
        buttons: button (and dial) of each side, bastaushy's first; dial number is button plus 1.
    """

    pits: tuple[int, ...]
    kazans: tuple[int, int]
    buttons: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Signals:
    """What the device shows the players.

    Attributes:
        host_lost: the attention lamp is lit, since the device does not hear its host.
        running: the dial that counts down: 0 none, 1 dial A, 2 dial B.
    """

    host_lost: bool
    running: int


@dataclass(frozen=True, slots=True)
class Touch:
    """Fingers press on a channel with a firmness 0..1; 0 lets go."""

    channel: int
    firmness: float


@dataclass(frozen=True, slots=True)
class Lift:
    """A hand takes stones from a channel."""

    channel: int
    hand: int
    stones: int


@dataclass(frozen=True, slots=True)
class Drop:
    """A hand lets stones fall on a channel."""

    channel: int
    hand: int
    stones: int


@dataclass(frozen=True, slots=True)
class PlaceMark:
    """A tuzdyk mark is laid on a channel."""

    channel: int


@dataclass(frozen=True, slots=True)
class Button:
    """A button goes down or comes up."""

    button: int
    down: bool


@dataclass(frozen=True, slots=True)
class PlyDone:
    """The players have finished a ply, its press included; `ply` counts from 1."""

    ply: int
    sowing: Sowing


@dataclass(frozen=True, slots=True)
class AllDone:
    """The record is played out, and swept where the game ended by atsyrau."""

    plies: int


Action = Touch | Lift | Drop | PlaceMark | Button | PlyDone | AllDone


@dataclass(frozen=True, slots=True)
class Timed:
    """An action and the device microsecond at which it happened."""

    at_us: int
    action: Action
