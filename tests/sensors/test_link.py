"""The link: who is there, and who is refused."""

import pytest

from sensors import frames
from sensors.link import DeviceHello, Link, LinkLost, LinkRestored, LinkState
from sensors.samples import Fault, FaultKind
from tests.sensors.line import BOOT, HELLO, Line, known
from tests.sensors.pair import MS, SECOND, of
from tests.sensors.reference_device import build, cut


def test_a_port_just_opened_is_flushed_and_asked() -> None:
    """These bytes, then the same question every half second."""
    line = Line()
    assert line.link.data_to_send() == b"\x00" + build(0x81, 0, b"\x01\x01")
    assert line.link.state is LinkState.ASKING
    line.poll(1 * SECOND)
    assert line.link.data_to_send() == build(0x81, 1, b"\x01\x01") + build(0x81, 2, b"\x01\x01")


@pytest.mark.parametrize(("expected", "same"), [(None, None), (BOOT, True), (0x2222, False)])
def test_hello_introduces_the_device(expected: int | None, same: bool | None) -> None:  # noqa: FBT001 - a row of a table
    """And says whether it is the boot the journal knows."""
    line = Line(Link(expected_boot=expected, last_event=2))
    assert line.hello() == [DeviceHello(HELLO, same)]
    assert line.link.hello == HELLO
    assert line.link.state is LinkState.UP


def test_the_same_hello_again_is_no_event() -> None:
    """Only the first one introduces."""
    line = known()
    assert line.hello() == []


def test_the_sequence_of_the_host_begins_at_zero_with_each_opening() -> None:
    """So that the device can count what it lost."""
    line = known()
    line.poll(1 * SECOND)
    line.link.connected(line.now)
    assert cut(line.link.data_to_send())[0] == [(frames.HELLO_REQUEST, 0, b"\x01\x01")]


def test_nothing_is_acted_on_before_hello() -> None:
    """It is counted, and the device is asked, but not more than every 100 ms."""
    line = Line()
    line.link.data_to_send()
    assert line.data(5, 1, 2, 3) + line.button(1) + line.beat() + line.frame(0x7F, b"") == []
    assert line.sent() == []
    line.now += 100 * MS
    assert line.data(6, 1, 2, 3) == []
    assert line.data(7, 1, 2, 3) == []
    assert line.kinds() == [frames.HELLO_REQUEST]
    assert line.link.statistics.unidentified == 6


def test_while_closed_bytes_are_ignored() -> None:
    """Nobody asked for them."""
    link = Link()
    assert link.receive(build(1, 0, frames.pack_hello(HELLO)), 0) == []
    assert link.poll(10 * SECOND) == []
    assert link.data_to_send() == b""
    assert link.state is LinkState.CLOSED


def test_the_host_beats_twice_a_second() -> None:
    """With the lamps every two seconds and the question who is there every ten."""
    line = known()
    for _ in range(100):
        line.poll(100 * MS)
        line.beat(line.now - 4 * SECOND)
    kinds = line.kinds()
    assert kinds.count(frames.HOST_BEAT) == 20
    assert kinds.count(frames.LAMPS) == 5
    assert kinds.count(frames.HELLO_REQUEST) == 1


def test_silence_of_two_seconds_is_said_once_and_the_device_asked() -> None:
    """Until it says again who it is; other frames do not count."""
    line = known()
    assert line.poll(2 * SECOND) == []
    (lost,) = line.poll(3 * SECOND)
    assert lost == LinkLost("nothing heard from the device for 2 s: is it powered, is it hanging?")
    assert line.link.state is LinkState.ASKING
    assert line.kinds().count(frames.HELLO_REQUEST) >= 6
    assert line.data(1_010_000, 1, 2, 3) == []
    assert line.hello() == [LinkRestored(), DeviceHello(HELLO, same_boot=True)]
    assert len(of(LinkLost, line.poll(3 * SECOND))) == 1


def test_any_valid_frame_is_a_sign_of_life() -> None:
    """Also one of an unknown type or with a wrong content."""
    line = known()
    for kind, payload in [
        (0x7F, b""),
        (frames.DATA, b""),
        (frames.BEAT, frames.pack_beat(frames.Beat(1_000_000, 0, 0, 0))),
    ]:
        line.poll(1900 * MS)
        line.frame(kind, payload)
    assert of(LinkLost, line.poll(1900 * MS)) == []
    assert line.link.statistics.unknown_types == 1


def test_its_own_frames_on_a_line_in_echo_mode_are_no_device() -> None:
    """They neither keep a silent device alive nor stand in the row of its sequence numbers."""
    line = known()
    for number in range(5):
        line.poll(500 * MS)
        assert line.link.receive(build(frames.HOST_BEAT, 40_000 + number, b""), line.now) == []
    assert line.link.state is LinkState.ASKING, "silent for 2 s, whatever comes back of what was sent"
    assert line.link.statistics.lost_frames == 0
    assert line.link.statistics.unknown_types == 5


@pytest.mark.parametrize(
    ("heard", "reason"),
    [
        (b"", "the port is open but nothing comes: is this the right port, does the firmware run?"),
        (
            b"hello\x00",
            "6 bytes came but no frame: is this the right port, is its speed right, does the device run",
        ),
        (build(4, 0, bytes(20)), "the device sends frames but does not say who it is (no valid HELLO)"),
    ],
)
def test_a_port_without_acquaintance_says_what_was_heard(heard: bytes, reason: str) -> None:
    """So that the wrong port, the wrong speed and the wrong firmware can be told apart."""
    line = Line()
    line.link.receive(heard, line.now)
    (lost,) = line.poll(4 * SECOND)
    assert isinstance(lost, LinkLost)
    assert lost.reason.startswith(reason)


def test_a_program_that_slept_does_not_blame_the_device() -> None:
    """The pause of the caller is not the device's silence."""
    line = known()
    line.now += 60 * SECOND
    assert line.link.poll(line.now) == []
    assert line.poll(1 * SECOND) == []
    assert len(line.poll(2 * SECOND)) == 1


def test_a_lost_port_is_said_with_its_reason() -> None:
    """Again only when there is something new to say."""
    line = known()
    line.link.disconnected(line.now, "hung up")
    assert line.link.poll(line.now) == [LinkLost("hung up")]
    line.link.disconnected(line.now, "hung up")
    assert line.link.poll(line.now) == []
    line.link.disconnected(line.now, "not there")
    assert line.link.poll(line.now) == [LinkLost("not there")]
    line.link.connected(line.now)
    assert len(line.poll(3 * SECOND)) == 1
    line.seq = 0
    assert line.hello() == [LinkRestored(), DeviceHello(HELLO, same_boot=True)]


def test_silence_is_said_anew_after_each_opening() -> None:
    """The port may be another one now."""
    line = Line()
    assert len(line.poll(4 * SECOND)) == 1
    line.link.connected(line.now)
    assert len(line.poll(4 * SECOND)) == 1


def test_a_port_that_never_opened_is_said_too() -> None:
    """Before anything else happens."""
    link = Link()
    link.disconnected(0, "no permission")
    assert link.poll(0) == [LinkLost("no permission")]
    link.disconnected(0)
    assert link.receive(b"", 0) == [LinkLost("the port is closed")]


def foreign(major: int = 2, minor: int = 5) -> bytes:
    """Return a HELLO of another version, in a layout of its own."""
    return b"TGZ1" + bytes([major, minor]) + b"anything"


def test_another_major_version_is_refused_with_clear_words() -> None:
    """Nothing it says is acted on."""
    line = Line()
    (fault,) = line.frame(frames.HELLO, foreign())
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.INCOMPATIBLE
    assert fault.detail == (
        "the device speaks TOGYZ link 2.5, this program 1.1: install firmware for version 1 on the device, "
        "or a program for version 2"
    )
    assert line.link.state is LinkState.FOREIGN
    assert line.data(5, 1, 2, 3) + line.button(1) + line.beat() == []
    assert line.link.hello is None


def test_a_foreign_device_is_asked_seldom_and_spoken_of_seldom() -> None:
    """A question every 5 s, a fault every 10 s, however often it says HELLO."""
    line = Line()
    found = line.frame(frames.HELLO, foreign())
    line.kinds()
    for _ in range(30):
        found += line.poll(1 * SECOND)
        found += line.frame(frames.HELLO, foreign())
        line.link.set_lamps(on=1)
        line.link.buzz(1, 100)
    assert len(of(Fault, found)) == 4
    assert of(LinkLost, found) == [LinkLost("the device speaks another major version of the protocol")]
    assert line.kinds() == [frames.HELLO_REQUEST] * 6


def test_a_foreign_device_may_be_replaced() -> None:
    """By one that can be understood, and the other way round."""
    line = Line()
    line.frame(frames.HELLO, foreign())
    assert line.hello() == [DeviceHello(HELLO, None)]
    line.link.data_to_send()
    line.frame(frames.HELLO, foreign())
    assert line.link.state is LinkState.FOREIGN
    assert line.button(1) == []


def test_a_higher_minor_version_is_welcome() -> None:
    """Fields appended to HELLO and types never heard of change nothing."""
    line = Line()
    hello = HELLO._replace(minor=9)
    assert line.frame(frames.HELLO, frames.pack_hello(hello) + b"more") == [DeviceHello(hello, None)]
    assert line.frame(0x05, b"new") == []
    assert len(line.data(1_010_000, 1, 2, 3)) == 1


def test_a_wrong_number_of_channels_is_a_fault() -> None:
    """The sample is not handed on; the fault is not repeated with every frame."""
    line = known()
    (fault,) = line.data(1_010_000, 1, 2)
    assert fault == Fault(FaultKind.CHANNEL_COUNT, None, words="DATA has 2 channels, HELLO of 'ref-1' said 3")
    assert line.data(1_020_000, 1, 2) == []
    line.link.connected(line.now)
    line.hello()
    assert len(line.data(1_030_000, 1, 2)) == 1
    for _ in range(10):
        line.poll(1 * SECOND)
        line.beat()
    assert len(of(Fault, line.data(1_040_000, 1, 2))) == 1


def test_a_content_without_meaning_is_a_fault() -> None:
    """Counted each time, said once in ten seconds."""
    line = known()
    (fault,) = line.frame(frames.BUTTON, bytes(14))
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.MALFORMED
    assert fault.detail == "the device's firmware is wrong: BUTTON: number 0, edge 0"
    assert line.frame(frames.BUTTON, b"") == []
    assert line.frame(frames.HELLO, b"TGZ1\x01\x00") == []
    assert line.link.statistics.malformed == 3
