"""A bus of HX711 converters on one clock, read together when all are ready. Pure; time is an argument.

The converters run on oscillators of their own, so the bus is read when the slowest is ready, and all at once:
reading one after the other loses all but the first (bogde/HX711#28). One that does not come must not hold up
the others (bogde/HX711#24): it is waited for only so long, and not at all once it has been missed a few times
in a row; when it is there again it is taken back. Whatever happens, a sample of all channels comes in time,
each with its status (PROTOCOL.md, DATA).

A clock that was high for too long may have powered some converters down, so all of them are: the clock is
held high for 10 ms, and when it falls they begin anew, in step.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from sensors.frames import STATUS_EXCLUDED, STATUS_NOT_READY, STATUS_READ_ERROR
from sensors.hx711 import Lines, shift
from sensors.hx711_trust import Trust

RESET_US = 10_000
"""The clock is held high for so long to begin anew: a shorter pulse makes the first conversion unstable (the
HX711 driver of the Linux kernel)."""

FIRST_US, FIRST_PERIODS = 1_000_000, 6.0
"""How long a converter is waited for that has just begun anew: as long as the Linux kernel does, or in
periods of the bus where they are known. The first conversion takes 400 ms at 10 a second (datasheet)."""

PATIENCE_US, PATIENCE_PERIODS = 300_000, 2.5
"""How long it is waited for afterwards, likewise. A conversion that takes longer has begun anew by itself
(bogde/HX711#216); the oscillators of two converters are a fifth off at most."""

EMPTY_US = 130_000
"""Between two samples while no converter is waited for: one that comes back has converted by then, at 10 or
80 a second."""

EXCLUDED_AFTER = 3
"""Times in a row that a converter is missed before it is no longer waited for."""

DESYNCED_AFTER = 3
"""Readings in a row after which a converter had lost count before the bus begins anew for its sake."""

RESET_EVERY_US = 10_000_000
"""Least time between two such beginnings: they cost all the other channels some samples."""

MOST_SHARE_OF_PERIOD = 0.5
"""A reading that takes longer may hold two conversions: every converter goes on converting meanwhile, and
brings the next into its register when it is done (olkal/HX711_ADC#81, bogde/HX711#62)."""

SILENT_US = 1_500_000
"""So long no sample need come behind a reading that was discarded: the converters settle for 400 ms at 10 a
second, and three readings take 300. A host misses samples after 2 s (PROTOCOL.md, section 8)."""

RECENT = 1_000
"""Readings over which the share of discarded ones is told."""

FEW_DISCARDED = 0.01
"""Share of them that hurts nobody (`plausible.py`); what is more is worth a word."""

TIMED = 32
"""Intervals between samples from which the rate is measured."""

REST = 0.75
"""Share of a period after a reading in which the lines are left alone."""

LOOK_EVERY_US = 1_000
"""How often the data lines are looked at while a conversion is due; before that they are left alone."""


@dataclass(frozen=True, slots=True)
class Sample:
    """All channels at one moment.

    Attributes:
        time_us: device time.
        raw: converter units, 0 where there are none.
        status: `frames.STATUS_x` per channel.
    """

    time_us: int
    raw: tuple[int, ...]
    status: tuple[int, ...]


@dataclass(slots=True)
class Counters:
    """What a bus has met since it began.

    Attributes:
        reads: readings of the bus.
        overlong: readings given up because the clock was high for too long.
        slow: readings that took so long that they may hold two conversions.
        resets: times the converters were powered down to begin anew.
        longest_high_ns: longest time the clock was high.
        longest_read_ns: longest time a reading took that was not given up.
    """

    reads: int = 0
    overlong: int = 0
    slow: int = 0
    resets: int = 0
    longest_high_ns: int = 0
    longest_read_ns: int = 0


class _Converter:
    """What is known of one converter.

    Attributes:
        excluded: whether it is not waited for.
        works: whether its numbers were handed on since all began anew.
        missed: times it was missed; `missed_in_row` since it was last read.
        desynced: readings after which it had lost count; `desynced_in_row` since it last had not.
    """

    __slots__ = ("desynced", "desynced_in_row", "excluded", "missed", "missed_in_row", "trust", "works")

    def __init__(self) -> None:
        self.trust = Trust()
        self.missed = self.missed_in_row = 0
        self.desynced = self.desynced_in_row = 0
        self.excluded = self.works = False

    def begin(self) -> None:
        """Note that it is powered down."""
        self.works = False
        self.trust.doubt()

    def miss(self) -> int:
        """Note that it was not ready; return its status.

        One that is not waited for may be slower than the others, and is sometimes not ready for that.
        """
        self.missed += 1
        self.missed_in_row += 1
        if not self.excluded or self.missed_in_row >= EXCLUDED_AFTER:
            self.trust.doubt()
        self.excluded = self.excluded or self.missed_in_row >= EXCLUDED_AFTER
        return STATUS_EXCLUDED if self.excluded else STATUS_NOT_READY

    def take(self, raw: int, *, kept_count: bool) -> tuple[int, int]:
        """Take what it brought; return what is handed on, raw and status."""
        self.missed_in_row = 0
        if not kept_count:
            self.desynced += 1
            self.desynced_in_row += 1
            self.trust.doubt()
            found = 0, STATUS_READ_ERROR
        else:
            self.desynced_in_row = 0
            found = self.trust.take(raw)
            self.works = self.works or self.trust.restored
            self.excluded = self.excluded and not self.trust.restored
        return (0, STATUS_EXCLUDED) if self.excluded else found


class Bus:
    """The converters of one board.

    Args:
        lines: their pins.
        channels: how many there are; channel c is bit c of the lines.
        rate_hz: conversions a second as their RATE pins are wired, 10 or 80.
        gain: 128 or 64 (input A) or 32 (input B).

    Attributes:
        counters: what it has met.
        next_us: device time at which it wants to be polled again.
    """

    def __init__(self, lines: Lines, channels: int, rate_hz: float, gain: int = 128) -> None:
        self.counters = Counters()
        self.next_us = 0
        self._lines = lines
        self._gain = gain
        self._period_us = 1e6 / rate_hz
        self._converters = [_Converter() for _ in range(channels)]
        self._all = (1 << channels) - 1
        self._spoilt: deque[bool] = deque(maxlen=RECENT)
        self._times: deque[int] = deque(maxlen=TIMED + 1)
        self._rate_hz: float | None = None
        self._told_us = 0
        self._fresh = True
        self._since_us = 0
        self._held_since_us: int | None = None
        self._reset_us = -RESET_EVERY_US

    @property
    def rate_hz(self) -> float | None:
        """Samples a second as measured last; None before enough have come without a gap."""
        return self._rate_hz

    @property
    def discarded(self) -> float:
        """Share of the last readings that were discarded as a whole, 0..1."""
        return sum(self._spoilt) / len(self._spoilt) if self._spoilt else 0.0

    def faults(self) -> Iterator[dict[str, int | bool]]:
        """Yield what is known of each channel: how often it was missed, had lost count, was not believed."""
        for each in self._converters:
            yield {
                "excluded": each.excluded,
                "missed": each.missed,
                "desynced": each.desynced,
                "rejected": each.trust.rejected,
            }

    def begin(self, now_us: int) -> None:
        """Power all converters down, so that they begin anew and in step when `poll` lets them."""
        self._lines.set_clock(high=True)
        self._held_since_us = self._reset_us = now_us
        self.counters.resets += 1
        self._times.clear()
        self._fresh = True
        self.next_us = now_us + RESET_US
        for each in self._converters:
            each.begin()

    def poll(self, now_us: int) -> Sample | None:
        """Read the bus if it is ready, or has been waited for in vain; return the sample, else None."""
        if self._held_since_us is not None:
            if now_us - self._held_since_us < RESET_US:
                return None
            self._lines.set_clock(high=False)
            self._held_since_us = None
            self._since_us = now_us
        wanted = sum(1 << c for c, each in enumerate(self._converters) if not each.excluded)
        ready = ~self._lines.read_data() & self._all
        whole = bool(wanted) and not wanted & ~ready
        if not whole and now_us - self._since_us < (self._patience_us() if wanted else EMPTY_US):
            self.next_us = now_us + LOOK_EVERY_US
            return None
        self._since_us = now_us
        self._fresh = False
        self._measure(now_us, whole=whole)
        self.next_us = now_us + (round(REST * 1e6 / self._rate_hz) if self._rate_hz else LOOK_EVERY_US)
        return self._read(ready, now_us) if ready else self._sample(now_us, {})

    def _patience_us(self) -> float:
        if self._rate_hz is None:
            return FIRST_US if self._fresh else PATIENCE_US
        return (FIRST_PERIODS if self._fresh else PATIENCE_PERIODS) * 1e6 / self._rate_hz

    def _measure(self, now_us: int, *, whole: bool) -> None:
        """Measure the rate from a row of samples in which nothing was waited for in vain."""
        asleep = bool(self._times) and now_us - self._times[-1] > PATIENCE_US  # nobody polled meanwhile
        if asleep or not whole:
            self._times.clear()
        if not whole:
            return
        self._times.append(now_us)
        if len(self._times) > TIMED // 2 and now_us > self._times[0]:
            self._rate_hz = (len(self._times) - 1) * 1e6 / (now_us - self._times[0])

    def _read(self, ready: int, now_us: int) -> Sample | None:
        found, counters = shift(self._lines, self._gain), self.counters
        counters.reads += 1
        counters.longest_high_ns = max(counters.longest_high_ns, found.longest_high_ns)
        slow = not found.overlong and found.took_ns > self._most_ns()
        if not found.overlong:
            counters.longest_read_ns = max(counters.longest_read_ns, found.took_ns)
        counters.overlong += found.overlong
        counters.slow += slow
        self._spoilt.append(found.overlong or slow)
        if found.overlong or slow:
            self._told_us = now_us
            for each in self._converters:
                each.trust.doubt()
            if found.overlong:
                self.begin(now_us)
            return self._sample(now_us, dict.fromkeys(self._channels(ready), (0, STATUS_READ_ERROR)))
        before = self._faults()
        taken = {
            c: self._converters[c].take(found.raw(c), kept_count=bool(found.rested >> c & 1))
            for c in self._channels(ready)
        }
        if now_us - self._reset_us >= RESET_EVERY_US and any(
            each.desynced_in_row >= DESYNCED_AFTER and each.works for each in self._converters
        ):
            self.begin(now_us)
        sample = self._sample(now_us, taken)
        return None if self._is_silent(sample, before) else sample

    def _faults(self) -> int:
        return sum(each.desynced + each.trust.rejected for each in self._converters)

    def _is_silent(self, sample: Sample, faults: int) -> bool:
        """Whether a sample tells nothing: good numbers, none handed on yet behind a discarded reading.

        The host has been told of that one. It counts read errors, and calls a channel restless that has many:
        told four times of each, it would do so when one reading in twenty-five is discarded now and then.
        """
        told = {STATUS_READ_ERROR, STATUS_EXCLUDED}
        if not told.issuperset(sample.status) or self._faults() != faults:
            return False
        return sample.time_us - self._told_us < SILENT_US

    def _most_ns(self) -> float:
        """Return how long a reading may take; what is measured may be this machine's pace, not theirs."""
        measured_us = 1e6 / self._rate_hz if self._rate_hz else self._period_us
        period_us = min(self._period_us, measured_us)
        return MOST_SHARE_OF_PERIOD * period_us * 1000

    def _channels(self, mask: int) -> list[int]:
        return [c for c in range(len(self._converters)) if mask >> c & 1]

    def _sample(self, now_us: int, taken: dict[int, tuple[int, int]]) -> Sample:
        """Return the sample of what was taken; who brought nothing was missed."""
        pairs = [taken[c] if c in taken else (0, each.miss()) for c, each in enumerate(self._converters)]
        raw, status = zip(*pairs, strict=True)
        return Sample(now_us, raw, status)
