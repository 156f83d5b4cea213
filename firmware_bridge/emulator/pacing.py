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
        """Return how many samples are to be taken now."""
        due = (wall_us - self._origin_us) * self._per_us - self._made
        most = LARGEST_LAG_US * self._per_us
        if due > most:
            self._origin_us += (due - most) / self._per_us
            due = most
        return int(due)

    def made(self, samples: int) -> None:
        """Note that so many samples have been taken."""
        self._made += samples

    def next_us(self, wall_us: int) -> float:
        """Return the wall time until the next sample is due, microseconds; 0 or less when it is due."""
        return (self._made + 1) / self._per_us + self._origin_us - wall_us


PLAY_ON_US = 2_000_000
"""Device time for which a fast board goes on after its host has closed the port. At real speed the players
see the lamp after 2 s; at speed 20 the same 2 s by the wall would be 40 s of play that nobody watches."""


class LineGate:
    """Whether a fast device may go on, so that scaled time loses no more of a game than real time would.

    At speed 1 always, like metal; also while the host is lost, since then the lamp holds the players. Faster,
    it stops while a living host is behind, at most `LONGEST_WAIT_US`, and `PLAY_ON_US` after the port was
    closed, until somebody opens it or the device notices that the host is lost.

    Args:
        speed: device seconds per wall second.
    """

    def __init__(self, speed: int) -> None:
        self._waits = speed > 1
        self._full_since_us: int | None = None
        self._closed_since_us: int | None = None

    def may_sample(
        self, queued_data: int, *, host_lost: bool, port_open: bool, wall_us: int, world_us: int
    ) -> bool:
        """Return whether another sample may be taken, with so many DATA frames waiting for the line?"""
        if not self._waits or host_lost:
            self._full_since_us = self._closed_since_us = None
            return True
        if not port_open:
            if self._closed_since_us is None:
                self._closed_since_us = world_us
            return world_us - self._closed_since_us < PLAY_ON_US
        self._closed_since_us = None
        if queued_data < LINE_FULL:
            self._full_since_us = None
            return True
        if self._full_since_us is None:
            self._full_since_us = wall_us
        return wall_us - self._full_since_us >= LONGEST_WAIT_US
