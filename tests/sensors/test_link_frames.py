"""The link: what the device sends, and what it is taken for."""

import struct
from dataclasses import replace

import pytest

from sensors import frames
from sensors.link import DeviceHello, Link
from sensors.samples import ChannelStatus, Fault, FaultKind, Press, RawSample
from tests.sensors.line import BOOT, HELLO, Line, known
from tests.sensors.pair import MS, SECOND, Pair, of
from tests.sensors.reference_device import build


def test_a_sample_has_its_full_time_and_its_statuses() -> None:
    """Codes that are reserved mean: do not trust it."""
    line = known()
    (sample,) = line.data(1_010_000, 1, 0, 3, status=(0, 1, 2))
    statuses = (ChannelStatus.OK, ChannelStatus.NOT_READY, ChannelStatus.SATURATED)
    assert sample == RawSample(1_010_000, (1, 0, 3), statuses)
    (sample,) = line.data(1_020_000, 0, 0, 0, status=(3, 4, 9))
    assert isinstance(sample, RawSample)
    assert sample.status == (ChannelStatus.EXCLUDED, ChannelStatus.READ_ERROR, ChannelStatus.READ_ERROR)


def test_time_goes_on_over_the_wrap() -> None:
    """Also with a sample just before it that comes just after it."""
    wrap = 1 << 32
    line = Line()
    line.hello(HELLO._replace(uptime_us=wrap - 1000))
    found = line.data(wrap + 5000, 1, 2, 3) + line.data(wrap - 500, 1, 2, 3) + line.data(wrap + 9000, 1, 2, 3)
    assert [sample.time_us for sample in of(RawSample, found)] == [wrap + 5000, wrap + 9000]
    assert line.link.statistics.late_samples == 1
    line.beat(wrap + 10_000)
    assert len(line.data(wrap + 11_000, 1, 2, 3)) == 1


def test_a_sample_from_before_the_boot_is_late() -> None:
    """Time just after the boot, a damaged device's sample of a moment earlier."""
    line = Line()
    line.hello(HELLO._replace(uptime_us=10))
    assert line.data(-5, 1, 2, 3) == []
    assert line.link.statistics.late_samples == 1


def test_missing_frames_are_counted() -> None:
    """By the gaps of the sequence numbers, over their wrap too; a late one is counted apart."""
    line = Line()
    line.seq = 65_530
    line.hello()
    line.seq += 3
    line.beat()
    line.seq -= 3
    line.beat()
    line.seq = 2
    line.beat()
    line.seq = 2000
    line.beat()
    statistics = line.link.statistics
    assert (statistics.lost_frames, statistics.late_frames, statistics.doubts) == (3 + 3, 1, 1)
    assert (statistics.device_dropped_data, statistics.device_bad_frames) == (3, 4)


def test_a_jump_of_sequence_numbers_asks_who_is_there() -> None:
    """Until answered, nothing is acted on: it may be a new boot."""
    line = known()
    line.now += 200 * MS
    line.seq = 5000
    assert line.data(1_010_000, 1, 2, 3) == []
    assert line.kinds() == [frames.HELLO_REQUEST]
    assert line.button(1) == []
    assert line.hello(HELLO._replace(boot_id=9)) == [DeviceHello(HELLO._replace(boot_id=9), same_boot=False)]
    assert len(line.button(1)) == 1


@pytest.mark.parametrize("kind", ["data", "beat"])
@pytest.mark.parametrize("time_us", [1_000_000 + 5_000_001, 1_000_000_000, -1])
def test_a_jump_of_device_time_asks_who_is_there(kind: str, time_us: int) -> None:
    """The device may have restarted, with sequence numbers that happen to fit."""
    line = known()
    line.now += 200 * MS
    if kind == "data":
        line.data(2_500_000, 1, 2, 3)
        found = line.data(time_us + 1_500_000, 1, 2, 3)
    else:
        line.beat(2_500_000)
        found = line.beat(max(time_us + 1_500_000, 0)) if time_us > 0 else line.beat(0)
    if time_us < 0 and kind == "data":
        found += line.data(1_000_000, 1, 2, 3)
    assert found == []
    assert line.kinds() == [frames.HELLO_REQUEST]
    assert line.link.statistics.doubts == 1
    hello = HELLO._replace(uptime_us=2_500_000)
    assert line.hello(hello) == [DeviceHello(hello, same_boot=True)]


def test_doubt_does_not_flood_the_device() -> None:
    """Questions stay 100 ms apart however often the numbers jump."""
    line = known()
    line.now += 200 * MS
    for turn in range(50):
        line.seq = 5000 * turn % 65_536
        line.beat()
        line.hello()
    assert line.kinds().count(frames.HELLO_REQUEST) == 1


def test_a_new_boot_may_be_of_about_the_same_age() -> None:
    """Its samples are measured against nothing of the old one."""
    line = known()
    line.data(1_500_000, 1, 2, 3)
    line.hello(HELLO._replace(boot_id=9, uptime_us=1_400_000))
    assert len(line.data(1_450_000, 1, 2, 3)) == 1


def test_a_hello_a_little_late_does_not_reopen_the_past() -> None:
    """Samples stay in order."""
    line = known()
    line.data(1_500_000, 1, 2, 3)
    line.hello(HELLO._replace(uptime_us=1_400_000))
    assert line.data(1_450_000, 1, 2, 3) == []


def test_a_press_is_handed_on_and_acknowledged_only_when_told() -> None:
    """In between the device may repeat as it likes."""
    line = known()
    (press,) = line.button(1, button=1)
    assert press == Press(BOOT, 1, 1, 1_000_001, down=True)
    assert line.button(1) == []
    assert line.sent() == []
    line.link.acknowledge(press)
    assert line.sent() == [(frames.BUTTON_ACK, struct.pack("<II", BOOT, 1))]
    assert line.button(1) == []
    assert line.sent() == [(frames.BUTTON_ACK, struct.pack("<II", BOOT, 1))]
    assert line.link.statistics.repeated_presses == 2


def test_a_round_of_repetitions_is_answered_once() -> None:
    """One cumulative acknowledgement, not thirty."""
    link = Link(expected_boot=BOOT, last_event=30)
    line = known(link)
    stream = b"".join(build(3, 1 + n, frames.pack_button(frames.Button(n + 1, 5, 0, 1))) for n in range(30))
    assert line.link.receive(stream, line.now) == []
    assert line.sent() == [(frames.BUTTON_ACK, struct.pack("<II", BOOT, 30))]


def test_a_successor_acknowledges_what_its_journal_holds() -> None:
    """At once after HELLO; the presses themselves are not handed on again."""
    line = Line(Link(expected_boot=BOOT, last_event=2))
    line.link.data_to_send()
    line.hello(HELLO._replace(next_event=4))
    assert (frames.BUTTON_ACK, struct.pack("<II", BOOT, 2)) in line.sent()
    found = line.button(1) + line.button(2) + line.button(3)
    assert [press.number for press in of(Press, found)] == [3]


def test_releases_are_handed_on_too() -> None:
    """They take numbers from the same row."""
    line = known()
    found = of(Press, line.button(1) + line.button(2, edge=0))
    assert [(press.number, press.down) for press in found] == [(1, True), (2, False)]


def test_an_acknowledgement_of_another_boot_is_ignored() -> None:
    """The device has forgotten that press; before any device is known there is none to tell."""
    line = known()
    (press,) = of(Press, line.button(1))
    line.link.acknowledge(replace(press, boot_id=5))
    Link().acknowledge(press)
    assert line.sent() == []


def test_presses_that_hello_speaks_of_and_that_never_come_are_lost() -> None:
    """Nothing else shows that they happened."""
    line = Line(Link(expected_boot=BOOT, last_event=2))
    line.hello(HELLO._replace(next_event=5))
    for _ in range(3):
        line.beat()
        found = line.poll(900 * MS)
    (fault,) = [fault for fault in of(Fault, found) if fault.kind is FaultKind.PRESSES_LOST]
    assert fault.detail.startswith("presses 3 to 4 were never received")


def test_forty_presses_without_a_host_leave_thirty_two() -> None:
    """The ring kept 9 to 40; the fault names the others."""
    pair = Pair()
    pair.run(1 * SECOND)
    pair.unplug()
    pair.run(3 * SECOND)
    for _ in range(40):
        pair.device.press(0)
        pair.run(10 * MS)
    pair.plug()
    found = pair.run(4 * SECOND)
    assert [press.number for press in of(Press, found)] == list(range(9, 41))
    (fault,) = of(Fault, found)
    assert fault.kind is FaultKind.PRESSES_LOST
    assert fault.detail.startswith("presses 1 to 8 were never received")
    assert found.index(fault) < found.index(of(Press, found)[0])
    assert pair.link.statistics.lost_presses == 8
