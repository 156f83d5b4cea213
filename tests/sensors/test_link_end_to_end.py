"""A long game of presses over every kind of line, with restarts of either end and a pulled cable."""

import random
from collections.abc import Callable

import pytest

from sensors.link import ClockView, DeviceHello, Link
from sensors.samples import Press, RawSample
from tests.sensors.pair import MS, SECOND, ByteByByte, Lossy, Pair, Shuffled, Wire, of
from tests.sensors.reference_device import ReferenceDevice

INCREMENT_MS = 3000
INCREMENTS_MS = (INCREMENT_MS, INCREMENT_MS)


class Host:
    """What a board process does with presses: note them, some time later make them durable, answer."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.journal: list[Press] = []
        self.undurable: list[tuple[int, Press]] = []
        self.remaining_us = [600 * SECOND, 600 * SECOND]
        self.running = 0
        self.since = 0

    def begin(self, pair: Pair) -> None:
        """Start dial A at the device's present time."""
        self.running, self.since = 1, pair.device.time
        self.show(pair)

    def take(self, pair: Pair, press: Press) -> None:
        """Receive a press: it becomes durable within 300 ms."""
        self.undurable.append((pair.now + self.rng.randrange(300 * MS), press))

    def work(self, pair: Pair) -> None:
        """Write down what is due; acknowledge; switch the clock; show it."""
        while self.undurable and self.undurable[0][0] <= pair.now:
            _, press = self.undurable.pop(0)
            self.journal.append(press)
            pair.link.acknowledge(press)
            if self.running == press.button + 1:
                self.remaining_us[press.button] += INCREMENT_MS * MS - (press.time_us - self.since)
                self.running, self.since = 2 - press.button, press.time_us
            self.show(pair)

    def show(self, pair: Pair) -> None:
        """Tell the dials."""
        seen = self.journal[-1].number if self.journal else 0
        left = (self.remaining_us[0] // 1000, self.remaining_us[1] // 1000)
        pair.link.show_clock(
            ClockView(
                seen, self.since, self.running, armed=True, remaining_ms=left, increment_ms=INCREMENTS_MS
            )
        )

    def die(self, pair: Pair) -> None:
        """Be killed: what is not durable is forgotten; a new process reads the journal."""
        self.undurable.clear()
        pair.link = Link(expected_boot=pair.device.boot_id, last_event=len(self.journal))
        pair.link.connected(pair.now)
        self.show(pair)


def play(pair: Pair, host: Host, seconds: int, *, press_chance: float) -> None:
    """Let time pass, with presses at random; mostly by the side whose turn it is."""
    for _ in range(seconds * 100):
        if host.rng.random() < press_chance:
            turn = pair.device.dials.running - 1
            pair.device.press(turn if turn >= 0 and host.rng.random() < 0.8 else host.rng.randrange(3))
        for event in pair.step():
            if isinstance(event, Press):
                host.take(pair, event)
        host.work(pair)
        pair.deliver()


@pytest.mark.parametrize("scale", [1, 20])
@pytest.mark.parametrize("wire", [Wire, ByteByByte, Lossy, Shuffled])
def test_presses_come_once_and_dials_agree_over_any_line(wire: Callable[[int], Wire], scale: int) -> None:
    """Every press of the device stands once in the journal, in order; both ends have the same clock."""
    before_wrap = (1 << 32) - 20 * SECOND * scale
    pair = Pair(device=ReferenceDevice(scale=scale, start_us=before_wrap), wire=wire)
    host = Host(seed=scale)
    pair.run(3 * SECOND)
    host.begin(pair)
    play(pair, host, 12, press_chance=0.03)
    host.die(pair)
    play(pair, host, 6, press_chance=0.03)
    pair.unplug()
    play(pair, host, 5, press_chance=0.01)
    pair.plug()
    play(pair, host, 6, press_chance=0.03)
    play(pair, host, 4, press_chance=0.0)

    sent = [(event.number, event.time_us, event.button) for event in pair.device.presses]
    assert [(press.number, press.time_us, press.button) for press in host.journal] == sent
    assert len(sent) > 50
    assert pair.device.acked == len(sent)
    assert pair.device.dials.running == host.running
    shown = pair.device.dials.shown(host.since)
    assert [value // 1000 for value in shown] == [left // 1000 for left in host.remaining_us]
    assert [hello.same_boot for hello in of(DeviceHello, pair.events)][:1] == [None]
    assert all(hello.same_boot for hello in of(DeviceHello, pair.events)[1:])
    check_samples(pair, of(RawSample, pair.events))


def check_samples(pair: Pair, samples: list[RawSample]) -> None:
    """Every sample is one the device took, with its full time; they come in order and most of them come."""
    sent = pair.device.samples
    assert all(sent[sample.time_us] == sample.raw for sample in samples)
    times = [sample.time_us for sample in samples]
    assert times == sorted(set(times))
    assert times[0] < (1 << 32) < times[-1]
    assert len(times) > 0.4 * len(sent)


@pytest.mark.parametrize("wire", [Wire, ByteByByte, Lossy, Shuffled])
def test_a_restart_of_the_device_begins_everything_anew(wire: Callable[[int], Wire]) -> None:
    """A new boot is said, its presses count from one, nothing of the old boot is mixed in."""
    pair = Pair(wire=wire)
    pair.run(3 * SECOND)
    for button in (0, 1, 0):
        pair.device.press(button)
    pair.run(2 * SECOND)
    old = of(Press, pair.events)
    assert [press.number for press in old] == [1, 2, 3]

    pair.device.boot(0x2222)
    pair.device.press(1)
    found = pair.run(13 * SECOND)
    assert False in [hello.same_boot for hello in of(DeviceHello, found)]
    assert [(press.boot_id, press.number) for press in of(Press, found)] == [(0x2222, 1)]
    pair.link.acknowledge(old[-1])
    pair.run(2 * SECOND)
    assert pair.device.acked == 0
    pair.link.acknowledge(of(Press, found)[0])
    pair.run(2 * SECOND)
    assert pair.device.acked == 1
