"""What can be done to a running emulator: mishaps, as values and as lines of text (`FORMS`)."""

from dataclasses import dataclass
from typing import Literal

from firmware_bridge.emulator import told
from firmware_bridge.layout import Seat
from sensors.simulator.world import ChannelFault


@dataclass(frozen=True, slots=True)
class Unplug:
    """The cable is out for so many wall seconds; the device keeps its power."""

    for_s: float


@dataclass(frozen=True, slots=True)
class PowerCycle:
    """The device loses its power for a moment: new boot id, device time from 0."""


@dataclass(frozen=True, slots=True)
class Break:
    """A channel breaks, or is whole again with None."""

    channel: int
    fault: ChannelFault | None


@dataclass(frozen=True, slots=True)
class PlayerButton:
    """A player presses a button that is no clock's.

    Attributes:
        what: `call`, the arbiter; `draw`, offering one or agreeing.
        seat: Where he sits; None: the button that both share.
    """

    what: Literal["call", "draw"]
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Tell:
    """Hands that have nothing left to play do these steps."""

    steps: tuple[told.ToldStep, ...]


@dataclass(frozen=True, slots=True)
class Stop:
    """The emulator ends."""


Command = Unplug | PowerCycle | Break | PlayerButton | Tell | Stop

LONGEST_UNPLUG_S = 3600.0

FORMS = (
    "unplug SECONDS",
    "power-cycle",
    f"break CHANNEL {'|'.join(fault.value for fault in ChannelFault)}",
    "mend CHANNEL",
    "call [a|b]",
    "draw a|b",
    f"hands STEP, STEP ... (a step: {'; '.join(told.FORMS)})",
    "stop",
)
"""The lines that `parse_command` reads."""


class CommandError(ValueError):
    """Raised when a line is no command; the message quotes it."""


def parse_command(line: str) -> Command:
    """Read one line.

    Raises:
        CommandError: it is none of `FORMS`.
    """
    words = line.split()
    if words[:1] == ["hands"]:
        return _told(" ".join(words[1:]))
    try:
        match words:
            case ["unplug", seconds] if 0 <= float(seconds) <= LONGEST_UNPLUG_S:
                return Unplug(float(seconds))
            case ["power-cycle"]:
                return PowerCycle()
            case ["break", channel, fault]:
                return Break(int(channel), ChannelFault(fault))
            case ["mend", channel]:
                return Break(int(channel), None)
            case ["call"]:
                return PlayerButton("call", None)
            case ["call" | "draw" as what, "a" | "b" as seat]:
                return PlayerButton(what, seat)
            case ["stop"]:
                return Stop()
    except ValueError:
        pass
    raise CommandError(f"{line.strip()[:80]!r} is no command of the emulator; known are: {', '.join(FORMS)}")


def _told(steps: str) -> Tell:
    try:
        return Tell(told.parse_steps(steps))
    except told.ToldError as error:
        raise CommandError(str(error)) from error
