"""What a look at a device makes of what it says, byte by byte and without a port."""

from __future__ import annotations

import pytest

from firmware_bridge.doctor.looking.watch import _Watch
from sensors import frames
from sensors.serial_port import PortState

HELLO = frames.Hello(1, 1, 0b111, 7, 1, 1_000_000, 1, 8000, 20, 3, 1, "board-1", "f")


@pytest.mark.parametrize(
    ("second", "restarts"),
    [
        (HELLO._replace(board_id="board-2", uptime_us=1_500_000), 0),
        (HELLO._replace(boot_id=8, uptime_us=1_000), 1),
    ],
    ids=["another name", "another boot"],
)
def test_only_another_boot_is_a_restart(second: frames.Hello, restarts: int) -> None:
    """A device that corrects its name has not lost its time."""
    watch = _Watch((), 0.0, (4.0, 1.2, 3.0))
    watch.take(PortState.OPEN, 0.0)
    for seq, hello in enumerate((HELLO, second)):
        watch.take(frames.encode_frame(frames.HELLO, seq, frames.pack_hello(hello)), 0.5 + seq / 2)
    facts = watch.facts("p", 1.5)
    assert (facts.hello, facts.restarts) == (second, restarts)
