"""Device time: from the 32 bits of a DATA frame to the 64 bits since the device's boot."""

HALF_TURN_US = 1 << 31
"""The extension is right while the two times lie less than this apart: 35 min 47 s."""
LATEST_STEP_US = 5_000_000
"""The most device time that passes unseen at time scale 1: the link is lost after 2 s of silence."""
EARLIEST_STEP_US = -1_000_000
"""The most a frame is older than a later one at time scale 1; more means another time line."""


def extend_time(low: int, known_us: int) -> int:
    """Return the time whose low 32 bits are `low` and which lies nearest to `known_us`.

    The result is negative where the nearest such time lies before the boot.
    """
    return known_us + ((low - known_us + HALF_TURN_US) & 0xFFFFFFFF) - HALF_TURN_US


def is_plausible_step(before_us: int, after_us: int, time_scale: int) -> bool:
    """Return whether a frame of `after_us` can follow one of `before_us` without a restart between."""
    return EARLIEST_STEP_US * time_scale <= after_us - before_us <= LATEST_STEP_US * time_scale
