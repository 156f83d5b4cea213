"""The link: what a device says that cannot be, and what becomes of it."""

from typing import Any

import pytest

from sensors import frames
from sensors.link import DeviceHello, Link, LinkState
from sensors.samples import Fault, FaultKind, Press, RawSample
from tests.sensors.line import BOOT, HELLO, VIEW, Line, known
from tests.sensors.pair import MS, SECOND, Pair, of

MINUTE = 60 * SECOND


def faults(found: object) -> list[FaultKind]:
    """Return the kinds of the faults among these."""
    assert isinstance(found, list)
    return [fault.kind for fault in of(Fault, found)]


# ---- who it is -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "same"),
    [
        ("channels", 2, True),
        ("buttons", 2, True),
        ("features", 7, True),
        ("rate_centihz", 100, True),
        ("firmware", "another", True),
        ("minor", 3, True),
        ("reset_reason", 2, True),
        ("board_id", "ref-2", False),
        ("time_scale", 20, False),
    ],
)
def test_a_device_that_says_something_else_of_itself_is_introduced_again(
    field: str,
    value: Any,
    same: bool,  # noqa: FBT001 - a row of a table
) -> None:
    """In the same boot, without a word between; its time goes on unless it can be another's."""
    line = known()
    hello = HELLO._replace(**{field: value})
    assert line.hello(hello) == [DeviceHello(hello, same_boot=same)]
    assert line.hello(hello) == []
    assert line.hello() == [DeviceHello(HELLO, same_boot=same)]


def test_samples_have_the_channels_of_the_newest_hello() -> None:
    """Those of the old number never come out after it, in either direction."""
    line = known()
    time_us = HELLO.uptime_us
    for channels in (2, 3, 1):
        (event,) = line.hello(HELLO._replace(channels=channels))
        assert isinstance(event, DeviceHello)
        for count in (1, 2, 3):
            time_us += 10 * MS
            found = line.data(time_us, *range(count))
            assert [len(sample.raw) for sample in of(RawSample, found)] == [channels] * (count == channels)


def test_presses_go_on_when_only_the_name_changes() -> None:
    """They belong to the boot id: none is handed on twice, none is lost."""
    line = known()
    line.button(1)
    line.hello(HELLO._replace(board_id="ref-2", next_event=2))
    assert line.button(1) == []
    assert len(line.button(2)) == 1


# ---- its time ------------------------------------------------------------------------------------


@pytest.mark.parametrize("jump", [50 * MINUTE, -33 * MINUTE])
@pytest.mark.parametrize("kind", ["data", "beat", "hello"])
def test_a_jump_of_time_within_a_boot_begins_it_anew(kind: str, jump: int) -> None:
    """One fault with both times, then the device again, not as the boot whose time goes on."""
    line = Line()
    line.hello(HELLO._replace(uptime_us=60 * MINUTE))
    line.link.show_clock(VIEW)
    line.now += 1 * SECOND
    after = 60 * MINUTE + SECOND + jump
    if kind == "data":
        assert line.data(after, 1, 2, 3) == []
    elif kind == "beat":
        assert line.beat(after) == []
    line.link.data_to_send()
    hello = HELLO._replace(uptime_us=after)
    fault, again = line.hello(hello)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.TIME_JUMPED
    assert "from 3600.000 s to" in fault.detail
    assert f"{after / 1e6:.3f} s" in fault.detail
    assert again == DeviceHello(hello, same_boot=False)
    assert frames.CLOCK not in line.kinds()  # its times mean nothing any more
    assert of(RawSample, line.data(after + 10 * MS, 1, 2, 3))
    assert line.hello(hello._replace(uptime_us=after + 10 * MS)) == []


def test_many_small_jumps_are_one() -> None:
    """Samples that run away are stopped, and the HELLO that follows tells it."""
    line = known()
    line.now += 200 * MS
    found = [event for step in range(20) for event in line.data(1_000_000 + step * 4 * SECOND, 1, 2, 3)]
    assert 2 <= len(of(RawSample, found)) <= 4
    assert line.link.state is LinkState.ASKING
    hello = HELLO._replace(uptime_us=1_200_000)
    assert faults(line.hello(hello)) == [FaultKind.TIME_JUMPED]
    assert of(RawSample, line.data(1_210_000, 1, 2, 3))


def test_a_device_away_for_long_is_the_same_when_its_clock_says_so() -> None:
    """Half an hour without the cable, then its time has gone on for half an hour; or for an hour."""
    for away, expected in ((30, True), (60, False)):
        line = known()
        line.link.disconnected(line.now)
        line.now += 30 * MINUTE
        line.link.connected(line.now)
        line.seq = 0
        hello = HELLO._replace(uptime_us=HELLO.uptime_us + away * MINUTE)
        assert of(DeviceHello, line.hello(hello)) == [DeviceHello(hello, same_boot=expected)]


def test_a_hello_of_an_impossible_time_is_refused() -> None:
    """Such a device never comes up; it is said why."""
    line = Line()
    assert faults(line.hello(HELLO._replace(uptime_us=(1 << 64) - 2))) == [FaultKind.MALFORMED]
    assert line.link.state is LinkState.ASKING


def test_at_the_end_of_time_nothing_raises_and_nothing_is_believed() -> None:
    """Samples beyond it do not come out; a clock of that moment can be shown."""
    line = Line()
    line.hello(HELLO._replace(uptime_us=frames.MAX_TIME_US))
    assert line.data(frames.MAX_TIME_US + 1000, 1, 2, 3) == []
    assert line.link.state is LinkState.ASKING


@pytest.mark.parametrize("time_us", [1_000_000 + 20 * MINUTE, frames.MAX_TIME_US, 4_600_001])
def test_a_press_from_the_future_is_taken_as_of_its_arrival(time_us: int) -> None:
    """It is never lost and never believed: a fault, then the press; again nothing when it is repeated."""
    line = known()
    line.now += 1600 * MS
    fault, press = line.button(1, time_us=time_us)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.PRESS_TIME
    assert fault.detail.startswith(
        f"press 1 of button 0 is dated {time_us / 1e6:.3f} s, later than it arrived"
    )
    assert press == Press(BOOT, 1, 0, 2_600_000, down=True)
    assert line.button(1, time_us=time_us) == []
    assert line.button(2, time_us=2_610_000) == [Press(BOOT, 2, 0, 2_610_000, down=True)]


def test_a_press_a_little_ahead_of_what_is_known_is_believed() -> None:
    """The device's last word may be a while ago."""
    line = known()
    line.now += 1600 * MS
    assert line.button(1, time_us=4_600_000) == [Press(BOOT, 1, 0, 4_600_000, down=True)]


def test_a_press_from_long_ago_is_believed_only_if_it_can_have_waited() -> None:
    """HELLO says which presses there are; what came after it cannot be older."""
    line = Line()
    line.hello(HELLO._replace(uptime_us=60 * MINUTE, next_event=2))
    assert line.button(1, time_us=27 * MINUTE) == [Press(BOOT, 1, 0, 27 * MINUTE, down=True)]
    fault, press = line.button(2, time_us=28 * MINUTE)
    assert faults([fault]) == [FaultKind.PRESS_TIME]
    assert press == Press(BOOT, 2, 0, 60 * MINUTE, down=True)


# ---- its numbers ---------------------------------------------------------------------------------


def test_a_press_numbered_absurdly_far_ahead_is_refused() -> None:
    """The presses after it are handed on, and nothing is said to be lost."""
    line = known()
    assert faults(line.frame(frames.BUTTON, frames.pack_button(frames.Button(2**32 - 1, 5, 7, 1)))) == [
        FaultKind.MALFORMED
    ]
    found = (
        line.poll(1900 * MS) + line.button(1) + line.button(2) + line.poll(1900 * MS) + line.poll(3 * SECOND)
    )
    assert [press.number for press in of(Press, found)] == [1, 2]
    assert FaultKind.PRESSES_LOST not in faults(found)


@pytest.mark.parametrize("expected", [None, BOOT])
def test_a_hello_with_absurdly_many_presses_is_refused(expected: int | None) -> None:
    """Before or after the device is known: more than ten a second, beyond a thousand, cannot have been."""
    line = Line(Link(expected_boot=expected))
    assert faults(line.hello(HELLO._replace(next_event=1012))) == [FaultKind.MALFORMED]
    assert line.link.hello is None
    assert of(DeviceHello, line.hello(HELLO._replace(next_event=1)))
    line.link.connected(line.now)
    assert faults(line.hello(HELLO._replace(next_event=2**32 - 1))) == [FaultKind.MALFORMED]
    assert line.link.hello == HELLO


def test_a_device_that_was_busy_alone_for_long_is_believed() -> None:
    """An hour of device time makes room for more than the thousand."""
    line = Line(Link(expected_boot=BOOT, last_event=7))
    hello = HELLO._replace(uptime_us=60 * MINUTE, next_event=5000)
    assert line.hello(hello) == [DeviceHello(hello, same_boot=True)]


# ---- its samples ---------------------------------------------------------------------------------


def test_a_device_without_samples_is_said() -> None:
    """After two seconds, then every ten; not any more when a sample comes."""
    line = known()
    found = []
    for second in range(1, 14):
        found += line.poll(SECOND)
        line.beat(HELLO.uptime_us + second * SECOND)
        if second == 2:
            assert found == []
    assert faults(found) == [FaultKind.NO_SAMPLES] * 2
    assert of(Fault, found)[0].detail.startswith(
        "the device 'ref-1' is there, but no usable sample of its 3 load channels came for 2 s"
    )
    line.data(HELLO.uptime_us + 13 * SECOND + 10 * MS, 1, 2, 3)
    assert line.poll(1900 * MS) == []


@pytest.mark.parametrize("payload", [b"", frames.pack_data(frames.Data(1_000_000, (0,), (5,)))])
def test_samples_that_cannot_be_used_are_none(payload: bytes) -> None:
    """Malformed, or of another number of channels."""
    line = known()
    found = []
    for _ in range(4):
        line.frame(frames.DATA, payload)
        found += line.poll(SECOND)
    assert faults(found) == [FaultKind.NO_SAMPLES]


@pytest.mark.parametrize(
    "quiet",
    [{"features": frames.FEATURE_BUTTONS}, {"channels": 0}, {"rate_centihz": 20}],
)
def test_a_device_that_owes_no_samples_is_not_blamed(quiet: dict[str, Any]) -> None:
    """It has no load channels, or takes a sample every five seconds only."""
    line = Line()
    line.hello(HELLO._replace(**quiet))
    found = []
    for second in range(1, 14):
        found += line.poll(SECOND)
        line.beat(HELLO.uptime_us + second * SECOND)
    assert found == []


def test_a_silent_device_is_lost_and_nothing_more() -> None:
    """One word for one trouble; when it is back its samples have their two seconds again."""
    line = known()
    assert faults(line.poll(20 * SECOND)) == []
    line.hello(HELLO._replace(uptime_us=HELLO.uptime_us + 20 * SECOND))
    assert line.poll(1900 * MS) == []


def test_an_honest_device_is_never_doubted() -> None:
    """Presses, a cable pulled and put back, a minute of it: no fault of any kind."""
    pair = Pair()
    for turn in range(4):
        pair.run(10 * SECOND)
        pair.device.press(turn % 2)
        pair.run(1 * SECOND)
        pair.unplug()
        pair.run(3 * SECOND)
        pair.plug()
    pair.run(3 * SECOND)
    assert of(Fault, pair.events) == []
    assert [press.number for press in of(Press, pair.events)] == [1, 2, 3, 4]
