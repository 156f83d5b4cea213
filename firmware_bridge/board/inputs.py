"""What comes to a table, and what it wants done: the two vocabularies of `session.py` (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from firmware_bridge.board.incident_inputs import IncidentRuling, Saying
from firmware_bridge.layout import Seat
from firmware_bridge.wire.parts import Sensed
from rules.conduct.proposal import Proposal
from rules.errors import RulesError
from rules.game import GameEvent, PressId, Result
from rules.position import Side
from rules.time_control import TimeControl
from sensors.samples import Fault
from sensors.settle import ChannelReading

# Who gives a command is named in its `by`; empty: nobody said.

# --- inputs -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Looked:
    """The cells were read: what every channel says now.

    Attributes:
        at_us: Table time of the sample.
        channels: One reading for each channel of the device, in the device's order.
    """

    at_us: int
    channels: Sequence[ChannelReading]


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A button went down.

    Attributes:
        at_us: Table time of the press, from the device's own timestamp.
        button: Number of the button.
        press: The press's identity on the link; the device keeps it until it is acknowledged.
    """

    at_us: int
    button: int
    press: PressId


@dataclass(frozen=True, slots=True)
class DeviceArrived:
    """The device said hello.

    Attributes:
        at_us: Table time now.
        restarted: It is another boot than the one the game's clock ran on.
        time_scale: Device seconds per wall second; what the wall measures is longer by it in table time.
        rate_hz: Samples a second as it declares them; 0 not known.
    """

    at_us: int
    restarted: bool
    time_scale: int = 1
    rate_hz: float = 0.0


@dataclass(frozen=True, slots=True)
class DeviceGone:
    """The device cannot be heard any more; `reason` says why, for people."""

    reason: str


@dataclass(frozen=True, slots=True)
class DeviceTrouble:
    """The device is heard, but what it says of the cells cannot be used; `detail` says why, for people."""

    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Assign:
    """Command: this game is to be played here."""

    at_us: int
    game_id: str
    names: tuple[str, str]
    starter_seat: Seat
    control: TimeControl


@dataclass(frozen=True, slots=True)
class Start:
    """Command: bastaushy's clock starts (2.7.5)."""

    at_us: int


@dataclass(frozen=True, slots=True)
class Suspend:
    """Command: the clocks stop and play rests."""

    at_us: int
    reason: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Resume:
    """Command: play goes on from the last confirmed position, which must stand on the board."""

    at_us: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class End:
    """Command: the game is over; `score` is as bastaushy-qostaushy."""

    at_us: int
    score: Result
    reason: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Release:
    """Command: the board is free for another game."""

    at_us: int


@dataclass(frozen=True, slots=True)
class Enter:
    """Command: these plies were played, though nobody saw them; moves in the official short form."""

    at_us: int
    moves: tuple[str, ...]
    by: str = ""


@dataclass(frozen=True, slots=True)
class Adjust:
    """Command: bastaushy and qostaushy are given this time, or it is taken where negative (2.4.8, 2.7.14)."""

    at_us: int
    delta_us: tuple[int, int]
    reason: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Late:
    """Command: what `side`, None: both, came late is taken off the dial, as far as it goes (2.7.6)."""

    at_us: int
    side: Side | None
    late_us: int
    reason: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class SetClock:
    """Command: the dials show this now (2.7.10, 2.7.11), or another clock on the table does.

    Attributes:
        at_us: Table time.
        dials_us: What bastaushy's and qostaushy's dial show, in microseconds; None: as it stands.
        control: The control from now on; None: the same.
        reason: Why, in words.
    """

    at_us: int
    dials_us: tuple[int | None, int | None]
    control: TimeControl | None
    reason: str
    by: str = ""


PlainRuling = Suspend | End | Enter | Adjust | SetClock
Ruling = PlainRuling | IncidentRuling
"""What an arbiter decides about a game that is under way, or a player answers in it."""

Command = Assign | Start | Resume | Release | Late | Ruling | Saying
Input = Looked | ButtonPressed | DeviceArrived | DeviceGone | DeviceTrouble | Command

# --- effects ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """Tell the device that a press is dealt with; done only when what it caused is durable."""

    press: PressId


@dataclass(frozen=True, slots=True)
class ShowClock:
    """Send the dials the game's clock as it stands now."""


Effect = Acknowledge | ShowClock


@dataclass(frozen=True, slots=True)
class Step:
    """What one input led to: events to be made durable first, then effects to be performed.

    Attributes:
        events: Game events, in order.
        effects: What to do once they are durable.
        refusal: Why a command was not carried out; empty when it was, or when there was none.
        refused: The same as a code, for programs and translations: phase, not_set_up, no_device,
            not_matching, sealed, illegal, misplaced_offer, not_heard, seal_broken, complaint_late or forfeit.
        error: What the rulebook said against it; None where it was not asked. It is not compared: the two
            above hold it in words and as a code.
        proposals: What the law of conduct proposes to whoever asked, beside what is done; not compared, for
            nothing follows from it.
    """

    events: tuple[GameEvent, ...] = ()
    effects: tuple[Effect, ...] = ()
    refusal: str = ""
    refused: str = ""
    error: RulesError | None = field(default=None, compare=False)
    proposals: tuple[Proposal, ...] = field(default=(), compare=False)


# --- what is shown of the watching ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Note:
    """One thing worth a person's look.

    Attributes:
        code: Key of the catalogue text.
        place: The place concerned, 0..19; None when it is the whole board.
        detail: The same in English, for the log: `bastaushy 4: 8 stones, due 9`.
        values: What fills the text, by name: `stones`, `due`, `moves`, `rate`; said by `detail` too.
        fault: Why the place cannot be read; None where it is something else, or nobody knows.
    """

    code: str
    place: int | None = None
    detail: str = ""
    values: Mapping[str, int | str] = field(default_factory=dict)
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """How the board looks at this moment: never durable, always the latest.

    Attributes:
        sensed: In one word.
        notes: What is wrong, if anything.
    """

    sensed: Sensed = "idle"
    notes: tuple[Note, ...] = field(default=())
