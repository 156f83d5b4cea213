"""How many samples are due: device time follows the wall at a given speed, lags when it must, never skips.

Pure; wall time in microseconds is an argument.
"""

LARGEST_LAG_US = 500_000
"""Wall time. A lag above this is not caught up: the device's time simply has been slower, as a sprint over
seconds of game would look to the host like nothing that ever happens at a table."""

LINE_FULL = 32
"""DATA frames waiting for the line from which on a fast device stops to wait for its host."""

LONGEST_WAIT_US = 500_000
"""Wall time a fast device waits for a live host that does not read; then the oldest DATA is dropped."""


class Pacer:
    """Counts the samples due.

    Args:
        speed: device seconds per wall second.
        period_us: device time of one sample.
        wall_us: now.
    """

    def __init__(self, speed: int, period_us: float, wall_us: int) -> None:
        self._per_us = speed / period_us
        self._origin_us = float(wall_us)
        self._made = 0

    def due(self, wall_us: int) -> int:
        """How many samples are to be taken now."""
        due = (wall_us - self._origin_us) * self._per_us - self._made
        most = LARGEST_LAG_US * self._per_us
        if due > most:
            self._origin_us += (due - most) / self._per_us
            due = most
        return int(due)

    def made(self, samples: int) -> None:
        """So many samples have been taken."""
        self._made += samples

    def next_us(self, wall_us: int) -> float:
        """Wall time until the next sample is due, microseconds; 0 or less when it is due already."""
        return (self._made + 1) / self._per_us + self._origin_us - wall_us


class LineGate:
    """Whether a fast device may go on while its frames wait for the line.

    At speed 1 always, like metal. Faster, it stops while a living host is behind, at most `LONGEST_WAIT_US`.

    Args:
        speed: device seconds per wall second.
    """

    def __init__(self, speed: int) -> None:
        self._waits = speed > 1
        self._since_us: int | None = None

    def open(self, queued_data: int, *, host_lost: bool, wall_us: int) -> bool:
        """May another sample be taken?"""
        if not self._waits or host_lost or queued_data < LINE_FULL:
            self._since_us = None
            return True
        if self._since_us is None:
            self._since_us = wall_us
        return wall_us - self._since_us >= LONGEST_WAIT_US
