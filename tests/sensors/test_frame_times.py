"""Frames: the times in them, and which of them no device can have reached."""

from collections.abc import Callable
from typing import Any

import pytest

from sensors import frames
from tests.sensors.line import HELLO

TIMED = [
    (frames.pack_hello, frames.unpack_hello, HELLO, "uptime_us", "HELLO"),
    (frames.pack_button, frames.unpack_button, frames.Button(1, 0, 0, 1), "time_us", "BUTTON"),
    (frames.pack_beat, frames.unpack_beat, frames.Beat(0, 0, 0, 0), "time_us", "BEAT"),
    (frames.pack_clock, frames.unpack_clock, frames.Clock(1, 0, 0, 0, 0, (0, 0), (0, 0)), "at_us", "CLOCK"),
]


@pytest.mark.parametrize(("pack", "unpack", "message", "field", "name"), TIMED)
def test_a_time_no_device_can_have_reached_is_refused(
    pack: Callable[[Any], bytes],
    unpack: Callable[[bytes], Any],
    message: Any,
    field: str,
    name: str,
) -> None:
    """The last microsecond below 2^60 is a time; from there on it is nonsense, named as such."""
    last = message._replace(**{field: (1 << 60) - 1})
    assert unpack(pack(last)) == last
    for absurd in (1 << 60, 1 << 63, (1 << 64) - 2):
        with pytest.raises(frames.FrameError, match=f"{name}: device time {absurd} us, not below 2\\^60"):
            unpack(pack(message._replace(**{field: absurd})))
