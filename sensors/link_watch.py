"""What a link watches besides the frames: whether samples come, and how often a trouble was said."""

from sensors import frames
from sensors.samples import Fault, FaultKind

REPEAT_FAULT_US = 10_000_000
"""Between two reports of the same kind of trouble."""
NO_SAMPLES_US = 2_000_000
"""Without a usable sample for this long, a device with load channels is in trouble."""
SLOW_SAMPLES = 3
"""A device that samples very seldom is given this many of its own intervals."""


class Troubles:
    """Says each kind of trouble at most once in `REPEAT_FAULT_US`."""

    def __init__(self) -> None:
        self._said_us: dict[FaultKind, int] = {}

    def begin(self) -> None:
        """Say everything anew: the port was opened."""
        self._said_us.clear()

    def say(self, kind: FaultKind, detail: str, now_us: int) -> list[Fault]:
        """Return the fault, or nothing if one of its kind was said a moment ago."""
        last_us = self._said_us.get(kind)
        if last_us is not None and now_us - last_us < REPEAT_FAULT_US:
            return []
        self._said_us[kind] = now_us
        return [Fault(kind, None, words=detail)]


class SampleWatch:
    """Notices that no samples come from a device that is there.

    Attributes:
        last_us: host time of the last usable sample, or since when one is expected.
    """

    def __init__(self) -> None:
        self.last_us = 0

    def missing(self, hello: frames.Hello, now_us: int) -> str:
        """Return what is missing, for people; "" if nothing is, or this device has nothing to weigh with."""
        if not hello.features & frames.FEATURE_LOADS or not hello.channels:
            return ""
        patience_us = NO_SAMPLES_US
        if hello.rate_centihz:
            interval_us = 100_000_000 // (hello.rate_centihz * hello.time_scale)
            patience_us = max(patience_us, SLOW_SAMPLES * interval_us)
        silent_us = now_us - self.last_us
        if silent_us <= patience_us:
            return ""
        return (
            f"the device {hello.board_id!r} is there, but no usable sample of its {hello.channels} load "
            f"channels came for {silent_us / 1e6:.0f} s: nothing on the board can be seen. Do its converters "
            "run, does its firmware send DATA as its HELLO says?"
        )
