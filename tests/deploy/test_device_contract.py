"""The device's end of the protocol page, kept by every device there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from sensors import frames
from tests.deploy.header_subject import HeaderSubject
from tests.deploy.second.second_subject import SecondSubject
from tests.deploy.subjects import CHANNELS, OK, EmulatedSubject, FirmwareSubject, Subject
from tests.sensors.device.tiny_host import TinyHost

MS = 1_000
SECOND = 1_000_000
STEP_US = 20 * MS


class Bench:
    """A device and a host on one line, in a time that the test moves."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.host = TinyHost(plies=1000, keep_data=True)
        self.connected = True
        self.speaks = True

    def run(self, us: int) -> None:
        """Let time pass, with an exchange of words every 20 ms."""
        for _ in range(us // STEP_US):
            words = self.host.poll(self.subject.now_us) if self.speaks else b""
            self.say(words)

    def say(self, words: bytes) -> None:
        """Send words to the device, and let it answer for 20 ms."""
        said = self.subject.run(STEP_US, words)
        if self.connected:
            self.host.receive(said)

    def count(self, kind: int) -> int:
        """How many frames of a kind the host has got."""
        return self.host.kinds.count(kind)

    def put(self, kind: int, payload: bytes) -> None:
        """Have the host send a message, and time for it to arrive."""
        self.host.put(kind, payload)
        self.run(2 * STEP_US)

    def attention(self) -> bool:
        """Return whether the attention lamp burns or blinks."""
        on, blink = self.subject.lamps()
        return bool((on | blink) & frames.LAMP_ATTENTION)

    @property
    def last(self) -> frames.Data:
        """The last sample the host has got."""
        return self.host.data[-1]


@pytest.fixture(
    params=[
        pytest.param(EmulatedSubject, id="emulated"),
        pytest.param(HeaderSubject, id="header"),
        pytest.param(SecondSubject, id="second"),
        pytest.param(FirmwareSubject, id="firmware", marks=pytest.mark.micropython),
    ]
)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """One device after the other, each new."""
    kind: Callable[[], Subject] = request.param
    found = Bench(kind())
    yield found
    found.subject.close()


def silence(bench: Bench, us: int = 2_100 * MS) -> None:
    """Let the host be silent until it is lost."""
    bench.speaks = False
    bench.run(us)


def test_hello_is_repeated_every_second_until_the_host_answers(bench: Bench) -> None:
    """And then no more."""
    silence(bench, 3_500 * MS)
    assert bench.host.kinds == [frames.HELLO] * 4
    bench.speaks = True
    bench.run(3 * SECOND)
    assert bench.count(frames.HELLO) == 5  # the host's HELLO_REQUEST had its answer
    assert bench.count(frames.BEAT) >= 2


def test_hello_says_what_the_device_is(bench: Bench) -> None:
    """Board, boot, features, rate, channels and the next event's number."""
    bench.run(40 * MS)
    bench.subject.press(0)
    bench.run(200 * MS)
    bench.put(frames.HELLO_REQUEST, frames.pack_hello_request(frames.HelloRequest(1, 0)))
    hello = bench.host.hello
    assert hello is not None
    assert hello.boot_id
    uptime_us = hello.uptime_us
    assert 0 < uptime_us <= bench.subject.now_us
    features, reset_reason, name = bench.subject.features, bench.subject.reset_reason, bench.subject.name
    assert hello == frames.Hello(
        *(1, 1, features, hello.boot_id, reset_reason, uptime_us, 1, 8000, CHANNELS, 3, 2, "bench", name)
    )


def test_sequence_numbers_begin_at_0_and_have_no_gap(bench: Bench) -> None:
    """Whatever is sent, HELLO, BEAT, DATA or BUTTON."""
    bench.run(SECOND)
    bench.subject.press(0)
    bench.run(2 * SECOND)
    assert bench.host.seqs == list(range(len(bench.host.seqs)))
    assert len(bench.host.seqs) > 200


def test_data_flows_only_while_a_host_is_heard(bench: Bench) -> None:
    """Nothing before the first word, nothing after two seconds of silence, at once after the next."""
    silence(bench, 500 * MS)
    assert bench.host.data == []
    bench.speaks = True
    bench.run(500 * MS)
    assert 35 <= len(bench.host.data) <= 43
    silence(bench)
    before = len(bench.host.data)
    bench.run(SECOND)
    assert len(bench.host.data) == before
    bench.speaks = True
    bench.run(600 * MS)
    assert len(bench.host.data) > before


def test_a_lost_host_lights_the_lamp_and_hears_only_hello(bench: Bench) -> None:
    """No BEAT, no BUTTON; the attention lamp is what LAMPS said when the host is back."""
    bench.run(SECOND)
    assert not bench.attention()
    silence(bench, 2_200 * MS)
    assert bench.attention()
    bench.host.kinds.clear()
    bench.subject.press(0)
    bench.run(3 * SECOND)
    assert bench.host.kinds == [frames.HELLO] * 3
    bench.speaks = True
    bench.run(600 * MS)
    assert not bench.attention()
    bench.put(frames.LAMPS, frames.pack_lamps(frames.Lamps(1, frames.LAMP_ATTENTION)))
    assert bench.attention()


def test_a_press_is_sent_at_once_and_every_200_ms_until_acknowledged(bench: Bench) -> None:
    """Silence of the host's acknowledgement costs repeats, never a second number."""
    bench.host.acknowledges = False
    bench.run(100 * MS)
    at_us = bench.subject.press(0)
    bench.run(STEP_US)
    assert bench.host.presses_received == 1
    assert bench.host.presses[1] == frames.Button(1, at_us, 0, frames.EDGE_DOWN)
    bench.run(SECOND)
    assert 5 <= bench.host.presses_received <= 7
    assert list(bench.host.presses) == [1]
    bench.host.acknowledge(1)
    bench.run(40 * MS)
    received = bench.host.presses_received
    bench.run(SECOND)
    assert bench.host.presses_received == received
    assert bench.subject.counts()[1] == 0


def test_acknowledgement_is_cumulative_and_only_for_this_boot(bench: Bench) -> None:
    """Number 2 settles 1 and 2; another boot's, and one beyond all presses, settle nothing."""
    bench.host.acknowledges = False
    bench.run(100 * MS)
    for button in (0, 1, 2):
        bench.subject.press(button)
        bench.run(100 * MS)
    assert bench.host.hello is not None
    boot_id = bench.host.hello.boot_id
    for boot, number, left in ((boot_id ^ 1, 3, 3), (boot_id, 99, 3), (boot_id, 2, 1), (boot_id, 1, 1)):
        bench.put(frames.BUTTON_ACK, frames.pack_button_ack(frames.ButtonAck(boot, number)))
        assert bench.subject.counts()[1] == left


def test_presses_made_while_the_cable_is_out_arrive_once_in_order(bench: Bench) -> None:
    """Numbers, buttons and device times are those of the presses."""
    bench.run(SECOND)
    bench.connected = False
    silence(bench, 3 * SECOND)
    made = []
    for number in range(4):
        made.append((number + 1, number % 2, bench.subject.press(number % 2)))
        bench.run(140 * MS)
    bench.connected = bench.speaks = True
    bench.run(SECOND)
    assert [(each.number, each.button, each.time_us) for each in bench.host.presses.values()] == made


def test_of_forty_presses_the_last_32_are_kept(bench: Bench) -> None:
    """The ring drops the oldest, and the gap in the numbers shows it."""
    bench.speaks = False
    for press in range(40):
        bench.subject.press(press % 2)
        bench.run(80 * MS)
    bench.speaks = True
    bench.run(SECOND)
    assert list(bench.host.presses) == list(range(9, 41))


def test_a_full_line_drops_the_oldest_data_and_counts_it(bench: Bench) -> None:
    """Button events are never dropped for DATA, and BEAT tells how many samples were."""
    bench.run(200 * MS)
    kept = bench.subject.queued_data
    bench.subject.block(blocked=True)
    bench.subject.press(0)
    before = len(bench.host.data)
    bench.run((kept + 20) * 12 * MS // STEP_US * STEP_US)
    assert len(bench.host.data) == before
    bench.subject.block(blocked=False)
    bench.run(1_200 * MS)
    assert list(bench.host.presses) == [1]
    dropped = bench.host.beats[-1].dropped_data
    assert 15 <= dropped <= 20
    times = [data.time_low for data in bench.host.data]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert max(gaps) == (dropped + 1) * 12 * MS, "the oldest are missing, in one piece"
    assert set(gaps) == {12 * MS, (dropped + 1) * 12 * MS}


def test_time_low_wraps_while_full_times_go_on(bench: Bench) -> None:
    """DATA carries the low 32 bits, BEAT and BUTTON all 64, and device time never jumps."""
    jump_past_the_wrap(bench)
    bench.run(2 * SECOND)
    times = [data.time_low for data in bench.host.data]
    at = next(index for index in range(1, len(times)) if times[index] < times[index - 1])
    assert 2**32 + times[at] - times[at - 1] == 12 * MS
    pressed_us = bench.subject.press(1)
    bench.run(1_100 * MS)
    assert pressed_us > 2**32
    assert bench.host.presses[1].time_us == pressed_us
    assert bench.host.beats[-1].time_us > 2**32


def jump_past_the_wrap(bench: Bench) -> None:
    """Let 71 minutes pass, seen by nobody, to a second before the wrap of DATA's time."""
    bench.speaks = False
    bench.subject.sleep_until(2**32 - SECOND)
    bench.host.data.clear()
    bench.speaks = True


@pytest.mark.parametrize(
    ("code", "shown"),
    [(0, 1234), (1, 0), (2, 0x7FFFFF), (4, 0)],
    ids=["ok", "not ready", "saturated", "read error"],
)
def test_channel_status_travels_with_the_sample(bench: Bench, code: int, shown: int) -> None:
    """One channel's trouble is its own: the others come at full rate, with their values."""
    raw = [100 + channel for channel in range(CHANNELS)]
    raw[3] = shown
    bench.run(200 * MS)
    bench.subject.show(raw, [*OK[:3], code, *OK[4:]])
    bench.host.data.clear()
    bench.run(300 * MS)
    assert len(bench.host.data) >= 20
    seen = {data.status[3] for data in bench.host.data[1:]}
    assert seen == {code} or (code == 1 and seen == {1, 3}), "a chip that never comes is given up in the end"
    for data in bench.host.data[1:]:
        assert list(data.raw) == raw
        assert data.status[:3] + data.status[4:] == OK[1:]


def test_the_dials_switch_on_a_press_while_the_host_is_away(bench: Bench) -> None:
    """The clock needs no host between its messages, and a late CLOCK does not turn it back."""
    bench.run(100 * MS)
    assert bench.subject.dials() == (0, None, None)
    began_us = bench.subject.now_us
    bench.host.clock(frames.RUNNING_A, began_us)
    bench.run(40 * MS)
    assert bench.subject.dials()[0] == frames.RUNNING_A
    silence(bench, 3 * SECOND)
    pressed_us = bench.subject.press(0)
    bench.run(100 * MS)
    now_us = bench.subject.now_us
    expected = (
        frames.RUNNING_B,
        300 * SECOND - (pressed_us - began_us),
        300 * SECOND - (now_us - pressed_us),
    )
    assert bench.subject.dials() == expected
    bench.speaks = True
    bench.host.clock(frames.RUNNING_A, began_us, seen=0)
    bench.run(SECOND)
    assert bench.subject.dials()[:2] == expected[:2]
    bench.run(SECOND)
    assert bench.host.beats[-1].clock_revision == 2


def test_an_acknowledged_press_still_counts_against_an_older_clock(bench: Bench) -> None:
    """The ring keeps it: the acknowledgement may come before the CLOCK that knows of it."""
    bench.run(100 * MS)
    bench.host.clock(frames.RUNNING_A, 0)
    bench.run(40 * MS)
    bench.subject.press(0)
    bench.run(300 * MS)
    assert bench.subject.counts()[1] == 0
    bench.host.clock(frames.RUNNING_A, 0, seen=0)
    bench.run(40 * MS)
    assert bench.subject.dials()[0] == frames.RUNNING_B


def test_a_clock_that_has_seen_the_press_is_adopted_whole(bench: Bench) -> None:
    """The host's decision stands: the device never insists."""
    bench.host.first_dial = frames.RUNNING_NONE
    bench.run(100 * MS)
    bench.host.clock(frames.RUNNING_A, 0)
    bench.run(40 * MS)
    bench.subject.press(0)
    bench.run(100 * MS)
    bench.host.clock(frames.RUNNING_NONE, bench.subject.now_us, seen=1)
    bench.run(40 * MS)
    assert bench.subject.dials() == (0, 300 * SECOND, 300 * SECOND)
    bench.subject.press(0)
    bench.run(100 * MS)
    assert bench.subject.dials()[0] == 0


def test_the_arbiters_button_touches_no_dial(bench: Bench) -> None:
    """Only 0 and 1 ever do."""
    bench.run(100 * MS)
    bench.host.clock(frames.RUNNING_A, 0)
    bench.subject.press(2)
    bench.run(200 * MS)
    assert bench.subject.dials()[0] == frames.RUNNING_A
    assert bench.host.presses[1].button == 2


def test_lamps_and_buzzer_do_what_they_are_told(bench: Bench) -> None:
    """The last word counts; no sound lasts longer than five seconds, whatever is asked."""
    bench.run(100 * MS)
    bench.host.put(frames.LAMPS, frames.pack_lamps(frames.Lamps(1, 10)))
    bench.put(frames.BUZZER, frames.pack_buzzer(frames.Buzzer(2, 300)))
    assert bench.subject.lamps() == (1, 10)
    assert bench.subject.sounds_for_ms() == (2, 300)
    bench.put(frames.BUZZER, frames.pack_buzzer(frames.Buzzer(frames.SOUND_BEEPING, 65_000)))
    assert bench.subject.sounds_for_ms() == (3, frames.MAX_SOUND_MS)


def test_a_host_of_a_foreign_version_gets_hello_and_nothing_else(bench: Bench) -> None:
    """Until a HELLO_REQUEST of the own major comes."""
    silence(bench, 40 * MS)
    bench.host.put(frames.HELLO_REQUEST, frames.pack_hello_request(frames.HelloRequest(2, 0)))
    bench.host.clock(frames.RUNNING_A, 0)
    bench.say(bench.host.take())
    bench.run(200 * MS)
    assert bench.host.kinds == [frames.HELLO, frames.HELLO]
    assert bench.subject.dials() == (0, None, None)
    assert bench.attention()
    bench.speaks = True
    bench.run(200 * MS)
    assert not bench.attention()
    assert bench.host.data


def test_a_device_that_hears_itself_takes_itself_for_no_host(bench: Bench) -> None:
    """A line in echo mode gives every frame back to who sent it."""
    bench.speaks = False
    for _ in range(30):
        bench.say(
            frames.encode_frame(frames.HELLO, 0, b"TGZ1") + frames.encode_frame(frames.BEAT, 1, bytes(20))
        )
        bench.run(100 * MS)
    assert bench.attention()
    assert not bench.host.data
    assert bench.count(frames.BEAT) == 0


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        (0xFF, b"new"),
        (0x7F, b"new"),
        (frames.CLOCK, b"\x01"),
        (frames.CLOCK, b"\xff" * 34),
        (frames.BUTTON_ACK, b""),
    ],
    ids=["unknown type", "of a device", "short", "without meaning", "empty"],
)
def test_what_makes_no_sense_is_skipped_and_counted(bench: Bench, kind: int, payload: bytes) -> None:
    """Unknown types, short payloads and values without meaning change nothing."""
    bench.run(100 * MS)
    bench.put(kind, payload)
    assert bench.subject.counts()[0] == 1
    assert bench.subject.dials() == (0, None, None)


def test_rubbish_on_the_line_is_counted_in_beat_and_harms_nothing(bench: Bench) -> None:
    """Overlong pieces, no frames, and 0x03, which is a byte like any other."""
    bench.run(200 * MS)
    bench.say(b"\x05rubbish\x00" * 3 + b"\x11" * 1000 + b"\x00" + b"\x03" * 30 + b"\x00")
    bench.host.clock(frames.RUNNING_A, 0x0303030303)
    bench.run(1_500 * MS)
    assert bench.host.beats[-1].bad_frames == 5
    assert bench.host.beats[-1].clock_revision == 1
    before = bench.count(frames.HELLO)
    bench.put(frames.HELLO_REQUEST, frames.pack_hello_request(frames.HelloRequest(1, 9)))
    assert bench.count(frames.HELLO) == before + 1


def test_a_longer_payload_of_a_later_minor_version_is_understood(bench: Bench) -> None:
    """The described part is used, the rest ignored."""
    bench.run(100 * MS)
    bench.put(frames.LAMPS, frames.pack_lamps(frames.Lamps(2, 0)) + b"\x07\x07")
    assert bench.subject.lamps() == (2, 0)
    assert bench.subject.counts()[0] == 0


def test_a_flood_of_requests_fills_nothing(bench: Bench) -> None:
    """One HELLO waits at a time, and the samples go on."""
    bench.run(200 * MS)
    bench.host.kinds.clear()
    request = frames.encode_frame(0x81, 0, frames.pack_hello_request(frames.HelloRequest(1, 0)))
    bench.say(request * 100)
    bench.run(500 * MS)
    assert 1 <= bench.count(frames.HELLO) <= 26
    assert bench.count(frames.DATA) > 30


def test_each_boot_has_another_id_and_begins_anew(bench: Bench) -> None:
    """Numbers, times and dials start again; nothing of the boot before is known."""
    bench.run(100 * MS)
    bench.host.clock(frames.RUNNING_A, 0)
    bench.subject.press(0)
    bench.run(200 * MS)
    assert bench.host.hello is not None
    before = bench.host.hello.boot_id
    again = bench.subject.again()
    other = Bench(again)
    other.run(200 * MS)
    assert other.host.hello is not None
    assert other.host.hello.boot_id not in (0, before)
    assert other.host.hello.next_event == 1
    assert other.host.seqs[0] == 0
    assert other.subject.dials() == (0, None, None)
    again.close()
