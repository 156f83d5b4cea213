"""The device's end of the link against the protocol page, in virtual time."""

import pytest

from sensors import frames
from sensors.device.device import KEPT_EVENTS, QUEUED_DATA, Device, DeviceConfig
from tests.sensors.device.tiny_host import TinyHost

MS = 1_000
SECOND = 1_000_000
RAW = tuple(range(20))
OK = (0,) * 20


class Bench:
    """A device and a host on one line, with a wall clock that is turned by hand."""

    def __init__(self, *, config: DeviceConfig | None = None, **host: object) -> None:
        self.device = Device(config or DeviceConfig(board_id="bench"), boot_id=7)
        self.host = TinyHost(plies=1000, **host)  # type: ignore[arg-type] # the fields of the test at hand
        self.connected = True
        self.speaks = True
        self.wall_us = 0

    def run(self, wall_us: int, step_us: int = 10 * MS) -> None:
        """Let wall time pass; device time is wall time here."""
        end_us = self.wall_us + wall_us
        while self.wall_us < end_us:
            self.wall_us += step_us
            self.device.poll(self.wall_us, self.wall_us)
            self.deliver()
            if self.speaks:
                self.device.receive(self.host.poll(self.wall_us), self.wall_us, self.wall_us)

    def deliver(self) -> None:
        """What waits for the line goes to the host, or nowhere."""
        while (frame := self.device.next_frame()) is not None:
            if self.connected:
                self.host.receive(frame)

    def lit(self) -> bool:
        """Whether the attention lamp is lit: the host is lost, or asks for it."""
        asked = self.device.lamps.on | self.device.lamps.blink
        return self.device.host_lost or bool(asked & frames.LAMP_ATTENTION)

    def count(self, kind: int) -> int:
        """How many frames of a kind the host has got."""
        return self.host.kinds.count(kind)


def test_hello_is_repeated_every_second_until_the_host_answers() -> None:
    """And then no more."""
    bench = Bench()
    bench.speaks = False
    bench.run(3_500 * MS)
    assert bench.host.kinds == [frames.HELLO] * 4
    bench.speaks = True
    bench.run(3 * SECOND)
    assert bench.count(frames.HELLO) == 5  # the host's HELLO_REQUEST had its answer
    assert bench.count(frames.BEAT) >= 2


def test_hello_says_what_the_device_is() -> None:
    """Board, boot, features, rate, channels and the next event's number."""
    config = DeviceConfig(board_id="table-07", time_scale=20, rate_hz=80, channels=20)
    bench = Bench(config=config)
    bench.device.press(0, 5)
    bench.run(20 * MS)
    assert bench.host.hello == frames.Hello(
        1, 1, 0b1011111, 7, 1, 10 * MS, 20, 8000, 20, 3, 2, "table-07", "togyz-emulator 1"
    )


def test_sequence_numbers_have_no_gap_and_wrap() -> None:
    """Each direction counts its frames from 0, modulo 65536."""
    bench = Bench()
    bench.run(SECOND)
    for sample in range(65_600):
        bench.device.sample(sample, RAW, OK)
        bench.deliver()
    assert all(b == (a + 1) & 0xFFFF for a, b in zip(bench.host.seqs, bench.host.seqs[1:], strict=False))
    assert bench.host.seqs[0] == 0
    assert bench.host.seqs.count(0) == 2


def test_data_flows_only_while_a_host_is_heard() -> None:
    """Nothing before the first word, nothing after two seconds of silence, at once after the next."""
    bench = Bench(keep_data=True)
    bench.device.sample(1, RAW, OK)
    bench.run(100 * MS)
    bench.device.sample(2, RAW, OK)
    bench.deliver()
    bench.speaks = False
    bench.run(1_900 * MS)
    bench.device.sample(3, RAW, OK)
    bench.deliver()
    bench.run(200 * MS)
    assert bench.device.host_lost
    bench.device.sample(4, RAW, OK)
    bench.deliver()
    bench.speaks = True
    bench.run(100 * MS)
    bench.device.sample(5, RAW, OK)
    bench.deliver()
    assert [data.time_low for data in bench.host.data] == [2, 3, 5]


def test_a_lost_host_lights_the_lamp_and_hears_only_hello() -> None:
    """No BEAT, no BUTTON; the attention lamp is what LAMPS said when the host is back."""
    bench = Bench()
    bench.run(SECOND)
    assert not bench.lit()
    bench.speaks = False
    bench.run(2_100 * MS)
    assert bench.lit()
    bench.host.kinds.clear()
    bench.device.press(0, 1)
    bench.run(3 * SECOND)
    assert set(bench.host.kinds) == {frames.HELLO}
    assert bench.count(frames.HELLO) == 3
    bench.speaks = True
    bench.run(600 * MS)
    assert not bench.lit()
    bench.host.put(frames.LAMPS, frames.pack_lamps(frames.Lamps(1, frames.LAMP_ATTENTION)))
    bench.run(20 * MS)
    assert bench.lit()


def test_a_press_is_sent_at_once_and_every_200_ms_until_acknowledged() -> None:
    """Silence of the host's acknowledgement costs repeats, never a second number."""
    bench = Bench(acknowledges=False)
    bench.run(100 * MS)
    bench.device.press(0, 90 * MS)
    bench.run(SECOND)
    assert 5 <= bench.host.presses_received <= 7
    assert list(bench.host.presses) == [1]
    bench.host.acknowledge(1)
    bench.run(20 * MS)
    received = bench.host.presses_received
    bench.run(SECOND)
    assert bench.host.presses_received == received
    assert bench.device.unacknowledged == 0


def test_acknowledgement_is_cumulative_and_only_for_this_boot() -> None:
    """Number 2 settles 1 and 2; another boot's, and one beyond all presses, settle nothing."""
    bench = Bench(acknowledges=False)
    bench.run(100 * MS)
    for button in (0, 1, 0):
        bench.device.press(button, 1)
    for ack, left in ((frames.ButtonAck(8, 3), 3), (frames.ButtonAck(7, 99), 3), (frames.ButtonAck(7, 2), 1)):
        bench.host.put(frames.BUTTON_ACK, frames.pack_button_ack(ack))
        bench.run(20 * MS)
        assert bench.device.unacknowledged == left
    bench.host.put(frames.BUTTON_ACK, frames.pack_button_ack(frames.ButtonAck(7, 1)))
    bench.run(20 * MS)
    assert bench.device.unacknowledged == 1


def test_presses_made_while_the_cable_is_out_arrive_once_in_order() -> None:
    """Numbers, buttons and device times are those of the presses."""
    bench = Bench()
    bench.run(SECOND)
    bench.connected = bench.speaks = False
    bench.run(3 * SECOND)
    for number in range(4):
        bench.device.press(number % 2, 3 * SECOND + number)
    bench.run(SECOND)
    bench.connected = bench.speaks = True
    bench.run(SECOND)
    assert [(p.number, p.button, p.time_us) for p in bench.host.presses.values()] == [
        (number + 1, number % 2, 3 * SECOND + number) for number in range(4)
    ]


def test_of_forty_presses_the_last_32_are_kept() -> None:
    """The ring drops the oldest, and the gap in the numbers shows it."""
    bench = Bench()
    for press in range(40):
        bench.device.press(press % 2, press)
    bench.run(SECOND)
    assert list(bench.host.presses) == list(range(9, 41))
    assert KEPT_EVENTS == 32


def test_a_full_line_drops_the_oldest_data_and_counts_it() -> None:
    """Button events are never dropped for DATA, and BEAT tells how many samples were."""
    bench = Bench(keep_data=True)
    bench.run(100 * MS)
    bench.device.press(0, 1)
    for sample in range(QUEUED_DATA + 10):
        bench.device.sample(sample, RAW, OK)
    assert bench.device.queued_data == QUEUED_DATA
    bench.run(1_100 * MS)
    assert [data.time_low for data in bench.host.data] == list(range(10, QUEUED_DATA + 10))
    assert list(bench.host.presses) == [1]
    assert bench.host.beats[-1].dropped_data == 10


def test_time_low_wraps_while_full_times_go_on() -> None:
    """DATA carries the low 32 bits, BEAT and BUTTON all 64."""
    bench = Bench(keep_data=True)
    bench.run(100 * MS)
    for time_us in (2**32 - 12_500, 2**32):
        bench.device.sample(time_us, RAW, OK)
    bench.device.press(1, 2**32 + 3)
    bench.deliver()
    assert [data.time_low for data in bench.host.data] == [2**32 - 12_500, 0]
    assert bench.host.presses[1].time_us == 2**32 + 3


def test_channel_status_travels_with_the_sample() -> None:
    """As the world gave it."""
    bench = Bench(keep_data=True)
    bench.run(100 * MS)
    bench.device.sample(1, (0, 8388607, *RAW[2:]), (1, 2, *OK[2:]))
    bench.deliver()
    assert bench.host.data[0].status[:3] == (1, 2, 0)


def test_the_dials_switch_on_a_press_while_the_host_is_away() -> None:
    """The clock needs no host between its messages, and a late CLOCK does not turn it back."""
    bench = Bench()
    bench.run(100 * MS)
    bench.host.clock(frames.RUNNING_A, 100 * MS)
    bench.run(20 * MS)
    assert bench.device.dials.running == frames.RUNNING_A
    bench.speaks = False
    bench.run(3 * SECOND)
    bench.device.press(0, 3 * SECOND)
    assert bench.device.dials.running == frames.RUNNING_B
    bench.speaks = True
    bench.host.clock(frames.RUNNING_A, 100 * MS, seen=0)
    bench.run(20 * MS)
    assert bench.device.dials.running == frames.RUNNING_B
    bench.run(SECOND)
    assert bench.host.beats[-1].clock_revision == 2


def test_an_acknowledged_press_still_counts_against_an_older_clock() -> None:
    """The ring keeps it: the acknowledgement may come before the CLOCK that knows of it."""
    bench = Bench()
    bench.run(100 * MS)
    bench.host.clock(frames.RUNNING_A, 0)
    bench.run(20 * MS)
    bench.device.press(0, 110 * MS)
    bench.run(300 * MS)
    assert bench.device.unacknowledged == 0
    bench.host.clock(frames.RUNNING_A, 0, seen=0)
    bench.run(20 * MS)
    assert bench.device.dials.running == frames.RUNNING_B


def test_lamps_and_buzzer_do_what_they_are_told() -> None:
    """The last word counts."""
    bench = Bench()
    bench.run(100 * MS)
    bench.host.put(frames.LAMPS, frames.pack_lamps(frames.Lamps(1, 2)))
    bench.host.put(frames.BUZZER, frames.pack_buzzer(frames.Buzzer(2, 300)))
    bench.run(20 * MS)
    assert bench.device.lamps == frames.Lamps(1, 2)
    assert list(bench.device.sounds) == [frames.Buzzer(2, 300)]


def test_no_sound_lasts_longer_than_five_seconds() -> None:
    """Whatever an older host, or a broken one, asks for."""
    bench = Bench()
    bench.host.put(frames.BUZZER, frames.pack_buzzer(frames.Buzzer(frames.SOUND_BEEPING, 65_000)))
    bench.run(1)
    assert list(bench.device.sounds) == [frames.Buzzer(3, frames.MAX_SOUND_MS)]


def test_a_power_cycle_forgets_everything() -> None:
    """Another boot id, numbers from 1, sequence from 0, blank dials, host lost."""
    bench = Bench()
    bench.run(100 * MS)
    bench.host.clock(frames.RUNNING_A, 0)
    bench.device.press(0, 1)
    bench.run(100 * MS)
    bench.device.power_cycle(8)
    assert bench.device.host_lost
    assert bench.device.dials.shown_us(0, 0) is None
    bench.host.seqs.clear()
    bench.device.press(1, 2)
    bench.run(100 * MS)
    assert bench.host.hello is not None
    assert bench.host.hello.boot_id == 8
    assert bench.host.hello.next_event == 2
    assert bench.host.seqs[0] == 0


def test_a_host_of_a_foreign_version_gets_hello_and_nothing_else() -> None:
    """Until a HELLO_REQUEST of the own major comes."""
    bench = Bench()
    bench.speaks = False
    bench.run(20 * MS)
    request = frames.pack_hello_request(frames.HelloRequest(2, 0))
    bench.host.put(frames.HELLO_REQUEST, request)
    bench.host.clock(frames.RUNNING_A, 0)
    bench.device.receive(bench.host.take(), bench.wall_us, bench.wall_us)
    bench.device.sample(1, RAW, OK)
    bench.deliver()
    assert bench.host.kinds == [frames.HELLO, frames.HELLO]
    assert bench.device.host_lost
    assert bench.device.dials.revision == 0
    bench.speaks = True
    bench.run(100 * MS)
    assert not bench.device.host_lost


def test_a_flood_of_requests_gets_one_answer_at_a_time() -> None:
    """What waits for the line stays small, whatever the host does."""
    bench = Bench()
    bench.run(100 * MS)
    bench.host.kinds.clear()
    for _ in range(500):
        bench.host.put(frames.HELLO_REQUEST, frames.pack_hello_request(frames.HelloRequest(1, 0)))
    bench.device.receive(bench.host.take(), bench.wall_us, bench.wall_us)
    bench.deliver()
    assert bench.host.kinds == [frames.HELLO]


@pytest.mark.parametrize(
    ("kind", "payload"),
    [(0x7F, b"new"), (frames.CLOCK, b"\x01"), (frames.CLOCK, b"\xff" * 34), (frames.BUTTON_ACK, b"")],
)
def test_what_makes_no_sense_is_skipped_and_counted(kind: int, payload: bytes) -> None:
    """Unknown types, short payloads and values without meaning change nothing."""
    bench = Bench()
    bench.run(100 * MS)
    bench.host.put(kind, payload)
    bench.run(20 * MS)
    assert bench.device.skipped == 1
    assert bench.device.dials.revision == 0


def test_rubbish_on_the_line_is_counted_in_beat() -> None:
    """And the device goes on answering."""
    bench = Bench()
    bench.run(100 * MS)
    bench.device.receive(b"\x05rubbish\x00" * 3 + b"\x11" * 1000 + b"\x00", bench.wall_us, bench.wall_us)
    bench.run(1_100 * MS)
    assert bench.host.beats[-1].bad_frames == 4
