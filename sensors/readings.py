"""What is said of a channel: quiet, moving or fault, with what lies there and what lay there before."""

from dataclasses import dataclass
from enum import Enum

from sensors.samples import Fault

_LEAST_SPREAD, _MOST_SPREAD = 0.30, 0.42
"""Of a stone's mass. Below a half, so that half a stone breaks the stretch whatever the noise."""
_NOISE_SPREAD = 3.0
"""Standard deviations of single samples, so 6 of a block mean of 4: ten of these lie further apart
about once in ten thousand times (range of ten normal values)."""
MAX_PAST = 6
"""Stretches that are over and still known: more than one ply of a hand that stops and thinks."""


class ReadingState(Enum):
    """What can be said of a channel."""

    QUIET = "quiet"
    MOVING = "moving"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of quiet that is over.

    Attributes:
        since_us: device time at which it began.
        until_us: device time of the first sample that had left it.
        load_g: mean of its last half second at most, without the block in which the motion began.
        noise_g: standard deviation of single samples in it.
        samples: how many stand behind `load_g`; at least one.
    """

    since_us: int
    until_us: int
    load_g: float
    noise_g: float
    samples: int


@dataclass(frozen=True, slots=True)
class ChannelReading:
    """One channel, judged.

    Attributes:
        state: quiet, moving or fault.
        load_g: mean load of the newest part of the quiet stretch; None unless quiet, and on a counter.
        since_us: device time at which the quiet stretch began; None unless quiet.
        reason: why it is not quiet: the fault, or in words what moves; empty when quiet.
        noise_g: standard deviation of single samples about their slow course, as measured on this channel
            in this stretch or the last; 0 when not known.
        samples: how many stand behind `load_g`; 0 unless quiet.
        from_us: device time of the first sample behind `load_g`, never before `since_us`; None unless quiet.
        level_g: mean of the latest block of about 50 ms, also while moving; None before the first and on a
            fault.
        past: the last stretches that are over, oldest first, at most `MAX_PAST`.
        pulses: total since the first sample, on a channel that counts; None on one that weighs.
    """

    state: ReadingState
    load_g: float | None
    since_us: int | None
    reason: Fault | str
    noise_g: float = 0.0
    samples: int = 0
    from_us: int | None = None
    level_g: float | None = None
    past: tuple[Stretch, ...] = ()
    pulses: int | None = None


def spread_for(unit_g: float, noise_g: float = 0.0) -> float:
    """Return the spread to tolerate for stones of this mass.

    Args:
        unit_g: mass of a stone in grams.
        noise_g: standard deviation of single samples in grams at 80 a second, 0 if unknown. A slower
            device averages fewer of them: give 1.4 times the value at 40, twice the value at 10.

    Returns:
        Grams: 0.30 of a stone, more on a noisy board, never more than 0.42.
    """
    return min(max(_NOISE_SPREAD * noise_g, _LEAST_SPREAD * unit_g), _MOST_SPREAD * unit_g)
