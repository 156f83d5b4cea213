"""What hands can do at a board, what they see there, and where they find things: the hands' vocabulary."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from firmware_bridge.emulator.offences import Kind, OffendedPly
from firmware_bridge.layout import PITS, Seat, Seating, is_kazan
from rules.position import Side, Sowing

BESIDE = 8
"""The hand that stands for the table beside the board: what it lifts lies there, what it drops came from
there. The players' own hands are 0 and 1 (each side's sowing hand) and 2 and 3 (their other hands)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Where the emulated board's players find things.

    Attributes:
        pits: channel of each pit index 0..17.
        kazans: channel of each side's kazan, bastaushy's first.
        buttons: button (and dial) of each side, bastaushy's first; dial number is button plus 1.
        others: the other buttons by what they are for and the seat they are at, None for one that both share.
    """

    pits: tuple[int, ...]
    kazans: tuple[int, int]
    buttons: tuple[int, int]
    others: Mapping[tuple[str, Seat | None], int] = field(default_factory=dict, hash=False)

    @classmethod
    def of(cls, channels: Sequence[int], seating: Seating) -> Self:
        """Return where things are at a seated board whose twenty places lie on these channels."""
        first, second = channels[PITS:]
        return cls(
            pits=tuple(channels[:PITS]),
            kazans=(first, second),
            buttons=(seating.button_of(Side.BASTAUSHY), seating.button_of(Side.QOSTAUSHY)),
        )

    def channel(self, place: int) -> int:
        """Return the channel of a place 0..19; see `firmware_bridge.layout`."""
        return self.kazans[place - PITS] if is_kazan(place) else self.pits[place]


@dataclass(frozen=True, slots=True)
class Signals:
    """What the device shows the players.

    Attributes:
        host_lost: the attention lamp is lit, since the device does not hear its host.
        running: the dial that counts down: 0 none, 1 dial A, 2 dial B.
        told: they were told that something is wrong, and it is not done with.
    """

    host_lost: bool
    running: int
    told: bool = False


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
class Perch:
    """A hand lets a stone fall so that it does not lie free in its pit.

    Attributes:
        channel: where it belongs.
        hand: whose stone it was.
        other: the channel that carries the rest of it; None: the rim does, which weighs nothing.
        share: of its weight lies on `channel`, 0..1.
    """

    channel: int
    hand: int
    other: int | None
    share: float


@dataclass(frozen=True, slots=True)
class Unperch:
    """A finger puts right the stone that a `Perch` left: it now lies free in `channel`."""

    channel: int


@dataclass(frozen=True, slots=True)
class PlaceMark:
    """A tuzdyk mark is laid on a channel."""

    channel: int


@dataclass(frozen=True, slots=True)
class RemoveMark:
    """A tuzdyk mark is taken off a channel."""

    channel: int


@dataclass(frozen=True, slots=True)
class Button:
    """A button goes down or comes up."""

    button: int
    down: bool


@dataclass(frozen=True, slots=True)
class Lapse:
    """A player thinks for so long, and nobody moves; a table waits, or ages its world and goes on at once."""

    seconds: float


@dataclass(frozen=True, slots=True)
class PlyDone:
    """The players have finished a ply, its press included; `ply` counts from 1.

    A player who reaches out too early (`Manners.early`) may hold the stones of his next ply by then.
    """

    ply: int
    sowing: Sowing


@dataclass(frozen=True, slots=True)
class OffenceDone:
    """The players have finished a ply against the rules, its press included; `ply` counts from 1.

    Attributes:
        ply: which.
        offence: what was done.
        board: the stones of the twenty places, pits by index and then both kazans.
        offended: the whole plan, with what is in the hand and beside the board.
    """

    ply: int
    offence: Kind
    board: tuple[int, ...]
    offended: OffendedPly


@dataclass(frozen=True, slots=True)
class PostMortem:
    """The game is over and the players begin something else with the stones: "pour", "lay" or "play on"."""

    scene: str


@dataclass(frozen=True, slots=True)
class AllDone:
    """The record is played out, swept where the game ended by atsyrau, and talked over if they do that."""

    plies: int


@dataclass(frozen=True, slots=True)
class ToldDone:
    """The hands have done all that a line told them; lines are counted from 1."""

    number: int


Action = (
    Touch
    | Lift
    | Drop
    | Perch
    | Unperch
    | PlaceMark
    | RemoveMark
    | Button
    | Lapse
    | PlyDone
    | OffenceDone
    | PostMortem
    | AllDone
    | ToldDone
)


@dataclass(frozen=True, slots=True)
class Timed:
    """An action and the device microsecond at which it happened."""

    at_us: int
    action: Action
