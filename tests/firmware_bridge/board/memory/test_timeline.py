"""Table time over restarts of either side."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board.memory.rows import DeviceTime
from firmware_bridge.board.memory.timeline import Timeline

times = st.integers(min_value=0, max_value=2**50)


@given(first=times, second=times)
def test_the_first_device_begins_where_the_table_stands(first: int, second: int) -> None:
    """No boot was known before, so nothing restarted; device time then runs through unchanged."""
    line = Timeline(latest_us=first)
    assert line.arrived(1, second) is False
    assert line.table_us(second + 5) == first + 5


def test_a_host_restart_changes_nothing() -> None:
    """The journal's offset puts the same boot on the same timeline."""
    before = Timeline()
    before.arrived(9, 1000)
    before.table_us(5000)
    after = Timeline(before.latest_us, before.device)
    assert after.arrived(9, 8000) is False
    assert after.latest_us == 7000
    assert after.table_us(9000) == before.table_us(9000)


def test_a_device_restart_goes_on_from_the_last_known_moment() -> None:
    """The time the device was away is counted for nobody."""
    line = Timeline(70_000, DeviceTime(9, -30))
    assert line.arrived(10, 2_000_000) is True
    assert line.table_us(2_000_000) == 70_000


@given(at=times, uptime=times, later=times)
def test_the_two_directions_are_inverse(at: int, uptime: int, later: int) -> None:
    """A table time given to the device comes back as itself."""
    line = Timeline(at)
    line.arrived(1, uptime)
    assert line.device_us(line.table_us(uptime + later)) == uptime + later


def test_an_old_time_does_not_turn_the_table_back() -> None:
    """A press told late keeps its own time and leaves the latest one alone."""
    line = Timeline()
    line.arrived(1, 0)
    line.table_us(100)
    assert line.table_us(40) == 40
    assert line.latest_us == 100


def test_a_jump_within_one_boot_goes_on_from_the_last_known_moment() -> None:
    """The device's time is not believed: the timeline stands where it stood, and says so."""
    line = Timeline()
    line.arrived(1, 0)
    line.table_us(5_000)
    assert line.arrived(1, 3_000_000_000, trusted=False) is True
    assert line.table_us(3_000_000_000) == 5_000
    assert line.device_us(6_000) == 3_000_001_000
