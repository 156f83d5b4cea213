"""The reference device in virtual time: what it does beyond tests/deploy/test_device_contract.py."""

from sensors import frames
from sensors.device.device import QUEUED_DATA, Device, DeviceConfig
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
        self.wall_us = 0

    def run(self, wall_us: int, step_us: int = 10 * MS) -> None:
        """Let wall time pass; device time is wall time here."""
        end_us = self.wall_us + wall_us
        while self.wall_us < end_us:
            self.wall_us += step_us
            self.device.poll(self.wall_us, self.wall_us)
            self.deliver()
            self.device.receive(self.host.poll(self.wall_us), self.wall_us, self.wall_us)

    def deliver(self) -> None:
        """What waits for the line goes to the host."""
        while (frame := self.device.next_frame()) is not None:
            self.host.receive(frame)


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


def test_what_waits_for_a_host_that_speaks_and_never_reads_does_not_grow() -> None:
    """Five minutes of it with a press a second: BEATs and presses wait once, the rest is in the ring."""
    bench = Bench()
    bench.run(100 * MS)
    waiting = []
    for _ in range(300):
        bench.wall_us += SECOND
        bench.device.receive(bench.host.poll(bench.wall_us), bench.wall_us, bench.wall_us)
        bench.device.press(0, bench.wall_us)
        bench.device.poll(bench.wall_us, bench.wall_us)
        waiting.append(len(bench.device._queue))
    assert not bench.device.host_lost
    assert max(waiting) == waiting[-1] <= 40
    bench.deliver()
    bench.run(SECOND)  # what it reads at once is old; a round brings what the ring holds
    assert bench.device._events[0].button.number == 300 - 31
    assert max(bench.host.presses) == 32, "the host waits for 33 to 268, which the ring has lost"
