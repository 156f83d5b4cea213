"""The firmware over hours and a week of device time: memory, the turns of its counters, every press."""

from __future__ import annotations

import pytest

from sensors import frames
from tests.deploy.pico.hosted import SECOND, Hosted

pytestmark = pytest.mark.micropython

HOUR = 3600 * SECOND
TICKS_WRAP = 1 << 30
TIME_LOW_WRAP = 1 << 32
PRESS_EVERY_US = 20 * SECOND
SLACK_BYTES = 512
"""By which two collected heaps may differ: what a queue happens to hold."""


class Watched(Hosted):
    """A firmware whose every sample is looked at."""

    def __init__(self, rate_hz: int = 80) -> None:
        self._period_us = 960_000 // rate_hz
        self._look_us = 20 * self._period_us
        # hosts speak twice a second at least
        exchange_us = self._look_us if rate_hz == 80 else 5 * self._period_us
        step_us = self._period_us if rate_hz == 80 else self._period_us // 2
        super().__init__({"RATE_HZ": rate_hz}, step_us=step_us, exchange_us=exchange_us)
        self.bench.show([1000 + channel for channel in range(20)])
        self.samples = 0
        self.pressed_us: list[int] = []
        self._last_us: int | None = None
        self.run(2 * SECOND)  # the chips settle

    def stretch(self, us: int) -> None:
        """Let time pass with a press every so often, and check what has come."""
        end_us = self.bench.now_us + us
        press_us = self.bench.now_us + 5 * SECOND
        while self.bench.now_us < end_us:
            if self.bench.now_us >= press_us:
                press_us += PRESS_EVERY_US
                self.bench.press(len(self.pressed_us) % 3)
                self.pressed_us.append(self.bench.now_us)
                self._watch(self._look_us)
                self.bench.press((len(self.pressed_us) - 1) % 3, closed=False)
            self._watch(2 * self._look_us)
        self.host.data.clear()
        self.host.seqs.clear()
        self.host.kinds.clear()
        del self.host.beats[:-1]

    def leap(self, us: int) -> None:
        """Let time pass without samples, as a device does that nobody listens to, in steps of a minute."""
        end_us = self.bench.now_us + us
        while self.bench.now_us < end_us:
            self.bench.run(min(5 * 60 * SECOND, end_us - self.bench.now_us), step_us=60 * SECOND)
        self.run(2 * SECOND)
        self._last_us = None
        self.host.data.clear()

    def free(self) -> int:
        """Return the free bytes of a collected heap."""
        self.bench.do("gc.collect()")
        found: int = self.bench.ask("gc.mem_free()")
        return found

    def check_presses(self) -> None:
        """Every press came once, with its own number and time."""
        self.run(2 * SECOND)
        came = [(press.number, press.time_us) for press in self.host.presses.values()]
        assert [number for number, _ in came] == list(range(1, len(self.pressed_us) + 1))
        late = [time_us - at_us for (_, time_us), at_us in zip(came, self.pressed_us, strict=True)]
        assert all(0 <= each <= self._period_us for each in late), max(late)
        assert self.bench.ask("firmware.device.unacknowledged") == 0

    def _watch(self, us: int) -> None:
        for data in self.run(us):
            self._check(data)

    def _check(self, data: frames.Data) -> None:
        self.samples += 1
        assert set(data.status) == {0}
        if self._last_us is not None:
            gap_us = (data.time_low - self._last_us) % TIME_LOW_WRAP
            assert gap_us == self._period_us, f"{gap_us} us at {self.bench.now_us}"
        self._last_us = data.time_low


def test_hours_with_every_turn_of_a_counter() -> None:
    """Ticks turn at 2^30, DATA's time at 2^32: no sample out of step, no press lost, no memory gone."""
    table = Watched()
    with table.bench:
        table.stretch(20 * SECOND)
        before = table.free()
        for turn in (*range(TICKS_WRAP, TIME_LOW_WRAP + 1, TICKS_WRAP), 2 * TIME_LOW_WRAP, 12 * HOUR):
            table.leap(turn - 8 * SECOND - table.bench.now_us)
            table.stretch(12 * SECOND)
        table.check_presses()
        assert len(table.pressed_us) == 7
        assert table.free() >= before - SLACK_BYTES
        assert abs(table.host.beats[-1].time_us - table.bench.now_us) < 2 * SECOND


@pytest.mark.bench
@pytest.mark.timeout(3600)
def test_a_week_in_leaps() -> None:
    """At 80 a second: of each of its 168 hours a minute sample by sample, and the rest in leaps."""
    table = Watched()
    with table.bench:
        before = None
        for hour in range(168):
            table.stretch(60 * SECOND)
            table.leap(HOUR - 63 * SECOND)
            if hour == 12:
                before = table.free()  # with the ring of presses full
        assert before is not None
        assert table.free() >= before - SLACK_BYTES
        table.check_presses()
        assert table.bench.now_us > 167 * HOUR
        assert table.samples > 168 * 4_500


@pytest.mark.bench
@pytest.mark.timeout(7200)
def test_a_week_of_samples() -> None:
    """Every one of the six million samples of a board strapped to ten a second, and every press."""
    table = Watched(rate_hz=10)
    with table.bench:
        table.stretch(HOUR)
        before = table.free()
        for _hour in range(167):
            table.stretch(HOUR)
            assert table.free() >= before - SLACK_BYTES
        table.check_presses()
        assert table.bench.now_us >= 168 * HOUR
        assert table.samples > 6_000_000
