"""A settler under test: a clock, noise, and loads in grams where a stone weighs 1 g."""

import random
from collections.abc import Callable, Iterator

from sensors.samples import Fault, FaultKind, Load
from sensors.settle import ChannelReading, ReadingState, Settler, spread_for

MS = 1000
SECOND = 1_000_000
QUIET, MOVING, FAULT = ReadingState.QUIET, ReadingState.MOVING, ReadingState.FAULT
RATES = [5, 10, 11.7, 40, 80, 93]


class Bench:
    """A settler with a clock and any number of channels."""

    def __init__(
        self, rate: float = 80.0, *, noise_g: float = 0.0, seed: int = 0, settler: Settler | None = None
    ) -> None:
        self.period = round(SECOND / rate)
        self.noise_g = noise_g
        self.rng = random.Random(seed)
        self.settler = settler or Settler(spread_g=spread_for(1.0, noise_g), rate_hz=rate)
        self.now = 7 * SECOND

    def put(self, *loads: Load) -> tuple[ChannelReading, ...]:
        """Give one sample, with noise on its loads."""
        self.now += self.period
        noisy = [
            load if isinstance(load, Fault) else load + self.rng.gauss(0, self.noise_g) for load in loads
        ]
        return self.settler.update(self.now, noisy)

    def run(self, duration: int, load: Callable[[float], Load]) -> Iterator[ChannelReading]:
        """Give samples of one channel for this long; `load` gets seconds since the call."""
        begin = self.now
        while self.now < begin + duration:
            yield self.put(load((self.now - begin) / SECOND))[0]

    def hold(self, duration: int, load: Load) -> list[ChannelReading]:
        """Give the same load for this long."""
        return list(self.run(duration, lambda _: load))


def states(readings: list[ChannelReading]) -> set[ReadingState]:
    """Return the states that occur."""
    return {reading.state for reading in readings}


def broken(kind: FaultKind = FaultKind.SATURATED) -> Fault:
    """Return a fault."""
    return Fault(kind, 0)
