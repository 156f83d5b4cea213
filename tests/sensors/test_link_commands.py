"""The link: what the device is told, and what no device can do to it."""

import random
import struct
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors import frames
from sensors.link import DeviceHello, Link, LinkState
from sensors.samples import Fault, FaultKind, Press, RawSample
from tests.sensors.line import HELLO, VIEW, Line, known
from tests.sensors.pair import MS, SECOND, Pair, of
from tests.sensors.reference_device import ReferenceDevice, build


def clocks(line: Line) -> list[frames.Clock]:
    """Return the CLOCKs sent since the last call."""
    return [frames.unpack_clock(payload) for kind, payload in line.sent() if kind == frames.CLOCK]


def test_the_clock_is_shown_at_once_and_again_when_it_did_not_arrive() -> None:
    """A BEAT with an older revision brings it again, unless it may still be under way."""
    line = known()
    line.link.show_clock(VIEW)
    (clock,) = clocks(line)
    assert clock == frames.Clock(clock.revision, 0, 5, 1, 1, (600_000, 600_000), (0, 0))
    line.now += 499 * MS
    line.beat(revision=clock.revision - 1)
    assert clocks(line) == []
    line.now += 1 * MS
    line.beat(revision=clock.revision - 1)
    assert clocks(line) == [clock]
    line.now += 600 * MS
    line.beat(revision=clock.revision)
    assert clocks(line) == []


def test_a_clock_of_an_earlier_process_is_replaced() -> None:
    """Whatever revision it had, greater or smaller."""
    line = known()
    line.link.show_clock(VIEW)
    (clock,) = clocks(line)
    for shown in (clock.revision + 1, 0xFFFFFFFF, 1, 0):
        line.now += 600 * MS
        line.beat(revision=shown)
        assert clocks(line) == [clock]


def test_each_clock_has_a_new_revision_that_is_never_zero() -> None:
    """Zero means that the device has none yet; a new process begins elsewhere."""
    line = known()
    line.link._revision = 0xFFFFFFFF
    line.link.show_clock(VIEW)
    line.link.show_clock(VIEW)
    assert [clock.revision for clock in clocks(line)] == [1, 2]
    later = Line()
    later.now += 1 * SECOND
    later.link.connected(later.now)
    assert later.link._revision == 5000
    fresh = Link()
    fresh.connected(77 * SECOND)
    assert fresh._revision == 77_000


def test_clock_and_lamps_are_told_after_hello() -> None:
    """What was set before is not lost; without a clock nothing is said of one."""
    line = Line()
    line.link.set_lamps(on=1, blink=4)
    line.link.data_to_send()
    line.hello()
    assert line.sent() == [(frames.LAMPS, struct.pack("<HH", 1, 4))]
    line.link.show_clock(VIEW)
    line.link.disconnected(line.now)
    line.link.set_lamps(on=2)
    line.link.connected(line.now)
    line.link.data_to_send()
    line.seq = 0
    line.hello()
    assert line.kinds() == [frames.LAMPS, frames.CLOCK]


def test_a_clock_of_an_old_boot_is_never_shown_to_a_new_one() -> None:
    """Its times mean nothing there."""
    line = known()
    line.link.show_clock(VIEW)
    line.kinds()
    line.hello(HELLO._replace(boot_id=9))
    line.now += 1 * SECOND
    line.beat()
    assert clocks(line) == []
    line.link.show_clock(VIEW)
    assert len(clocks(line)) == 1


def test_a_clock_computed_from_absurd_times_is_shown_as_far_as_it_fits() -> None:
    """Every number beyond its field becomes the nearest that fits; nothing raises, now or after HELLO."""
    line = known()
    huge = 1 << 70
    line.link.show_clock(replace(VIEW, at_us=-1, events_seen=-1, remaining_ms=(-huge, huge)))
    line.link.show_clock(replace(VIEW, at_us=huge, events_seen=huge, increment_ms=(-1, huge)))
    line.hello(HELLO._replace(firmware="changed"))
    first, second, again = clocks(line)
    assert first[1:3] == (0, 0)
    assert first.remaining_ms == (-(1 << 31), (1 << 31) - 1)
    assert second[1:3] == (0xFFFFFFFF, frames.MAX_TIME_US)
    assert second.increment_ms == (0, 0xFFFFFFFF)
    assert again == second


@pytest.mark.parametrize("running", [-1, 3, 256])
def test_a_clock_of_a_dial_that_is_not_there_is_the_callers_fault(running: int) -> None:
    """No device can make that; it fails where it is made, and the old one stays."""
    line = known()
    with pytest.raises(ValueError, match=f"running {running}: not 0, 1 or 2"):
        line.link.show_clock(replace(VIEW, running=running))
    assert clocks(line) == []


def test_a_sound_is_made_now_or_never() -> None:
    """It is not kept for a device that is not there."""
    line = Line()
    line.link.buzz(1, 250)
    line.link.data_to_send()
    line.hello()
    line.link.data_to_send()
    line.link.buzz(2, 500)
    assert line.sent() == [(frames.BUZZER, struct.pack("<BH", 2, 500))]


def test_what_nobody_fetches_does_not_grow() -> None:
    """Frames beyond the cap are counted; afterwards all goes on."""
    line = known()
    for _ in range(5000):
        line.link.set_lamps(on=1)
    assert line.link.statistics.unsent > 3000
    assert len(line.link.data_to_send()) < 17_000
    line.link.set_lamps(on=1)
    assert line.kinds() == [frames.LAMPS]


def test_statistics_are_a_copy() -> None:
    """A caller that keeps them sees no change."""
    line = known()
    before = line.link.statistics
    line.beat()
    assert (before.frames, line.link.statistics.frames, before.openings) == (1, 2, 1)


def test_noise_never_disturbs_a_known_device() -> None:
    """A megabyte of random bytes: no event, nothing grows, the next frame counts."""
    line = known()
    noise = random.Random(3).randbytes(1_000_000)
    for start in range(0, len(noise), 50_000):
        assert line.link.receive(noise[start : start + 50_000], line.now) == []
    line.link.receive(b"\x00", line.now)
    assert len(line.data(1_010_000, 1, 2, 3)) == 1
    statistics = line.link.statistics
    assert statistics.bad_frames + statistics.overlong > 1000
    assert statistics.bytes_received > 1_000_000


payloads = st.one_of(
    st.binary(max_size=60),
    st.builds(
        frames.pack_hello,
        st.builds(HELLO._replace, boot_id=st.integers(0, 3), uptime_us=st.integers(0, 1 << 63)),
    ),
    st.builds(
        lambda low: frames.pack_data(frames.Data(low, (0,) * 3, (1, 2, 3))), st.integers(0, 0xFFFFFFFF)
    ),
    st.builds(
        lambda n: frames.pack_button(frames.Button(n, n, 0, 1)),
        st.integers(1, 0xFFFFFFFF) | st.integers(1, 50),
    ),
    st.builds(lambda t: frames.pack_beat(frames.Beat(t, 0, 0, 0)), st.integers(0, (1 << 64) - 1)),
)


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 65535), payloads, st.integers(0, 3 * SECOND)), max_size=60
    )
)
def test_no_device_can_make_the_link_raise(script: list[tuple[int, int, bytes, int]]) -> None:
    """Valid frames of any type, content, sequence and time, with the caller doing its duties."""
    link = Link(expected_boot=1, last_event=3)
    link.show_clock(VIEW)
    now = 0
    link.connected(now)
    last: dict[int, int] = {}
    for kind, seq, payload, pause in script:
        found = link.receive(build(kind, seq, payload), now)
        now += pause
        found += link.poll(now)
        for press in of(Press, found):
            assert (
                press.number > last.get(press.boot_id, 0)
                or link.state is not LinkState.UP
                or press.boot_id != 1
            )
            last[press.boot_id] = press.number
            link.acknowledge(press)
        times = [sample.time_us for sample in of(RawSample, found)]
        assert all(time >= 0 for time in times)
        link.data_to_send()
    assert len(link._events) == 0


def test_the_reference_device_and_the_link_agree_on_versions() -> None:
    """A foreign reference device answers the question and is left alone."""
    device = ReferenceDevice()
    device.major = 3
    pair = Pair(device=device)
    found = pair.run(12 * SECOND)
    assert {fault.kind for fault in of(Fault, found)} == {FaultKind.INCOMPATIBLE}
    assert of(RawSample, found) + of(DeviceHello, found) == []


OLD_HELLO = bytes.fromhex(
    "02 01 01 06 54 47 5A 31 01 02 1F 01 01 09 4D 3C 2B 1A 01 A0 25 26 01 01 01 01 02 01 06 40 1F 04 03 01 01"
    " 01 1D 08 74 61 62 6C 65 2D 30 37 0E 74 6F 67 79 7A 2D 70 69 63 6F 20 30 2E 31 8A 93 3A 55 00"
)
"""What a device of version 1.0 says of itself, as the page of that version printed it."""


def test_a_device_of_version_1_0_is_told_of_no_lamp_it_does_not_have() -> None:
    """Its features have no arbiter's lamp: that bit is never sent, the others are."""
    line = Line()
    line.link.set_lamps(on=frames.LAMP_ARBITER | frames.LAMP_ATTENTION, blink=frames.LAMP_ARBITER)
    line.link.data_to_send()
    line.link.receive(OLD_HELLO, line.now)
    assert line.link.hello is not None
    assert (line.link.hello.minor, line.link.hello.features) == (0, 31)
    assert line.sent() == [(frames.LAMPS, struct.pack("<HH", 4, 0))]


@pytest.mark.parametrize(
    ("features", "lamps", "sounds"),
    [
        (0, [], 0),
        (frames.FEATURE_LAMPS, [struct.pack("<HH", 7, 7)], 0),
        (frames.FEATURE_ARBITER_LAMP, [], 0),
        (frames.FEATURE_LAMPS | frames.FEATURE_ARBITER_LAMP, [struct.pack("<HH", 15, 15)], 0),
        (frames.FEATURE_BUZZER | 1 << 31, [], 1),
    ],
)
def test_only_what_a_device_declares_is_used(features: int, lamps: list[bytes], sounds: int) -> None:
    """Lamps, the arbiter's lamp, the buzzer; a bit nobody knows changes nothing."""
    line = Line()
    line.link.data_to_send()
    line.hello(HELLO._replace(features=features))
    line.link.data_to_send()
    line.link.set_lamps(on=0xFFFF, blink=0xFFFF)
    line.link.buzz(1, 100)
    sent = line.sent()
    assert [payload for kind, payload in sent if kind == frames.LAMPS] == lamps
    assert len([kind for kind, _ in sent if kind == frames.BUZZER]) == sounds


@pytest.mark.parametrize(("asked_ms", "sent_ms"), [(0, 0), (5000, 5000), (5001, 5000), (-1, 0)])
def test_no_sound_is_asked_for_longer_than_one_may_last(asked_ms: int, sent_ms: int) -> None:
    """Five seconds: a hall is quiet."""
    line = known()
    line.link.buzz(frames.SOUND_BEEPING, asked_ms)
    assert line.sent() == [(frames.BUZZER, struct.pack("<BH", 3, sent_ms))]
