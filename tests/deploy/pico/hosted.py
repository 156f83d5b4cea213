"""A firmware on the bench with a host that listens and says that it is there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sensors import frames
from tests.deploy.pico.benched import Benched
from tests.sensors.device.tiny_host import TinyHost

MS = 1_000
SECOND = 1_000_000


class Hosted:
    """Both ends; `bench` is the device, `host` has what came.

    Args:
        settings: of `Benched`.
        step_us: how often the firmware's loop goes round.
        exchange_us: how often host and device exchange words.
    """

    def __init__(
        self,
        settings: Mapping[str, object] | None = None,
        *,
        step_us: int = 2 * MS,
        exchange_us: int = 20 * MS,
    ) -> None:
        self.bench = Benched({"BOARD_ID": "bench", **(settings or {})})
        self.host = TinyHost(plies=1000, keep_data=True)
        self.first_dial_off()
        self._step_us = step_us
        self._exchange_us = exchange_us

    def first_dial_off(self) -> None:
        """Let the host start no dial by itself."""
        self.host.first_dial = frames.RUNNING_NONE

    def run(self, us: int) -> list[frames.Data]:
        """Let time pass; return the samples that came."""
        before = len(self.host.data)
        for _ in range(us // self._exchange_us):
            words = self.host.poll(self.bench.now_us)
            self.host.receive(self.bench.run(self._exchange_us, step_us=self._step_us, hear=words))
        return self.host.data[before:]

    def put(self, kind: int, payload: bytes) -> None:
        """Have the host say something, with time to arrive."""
        self.host.put(kind, payload)
        self.run(2 * self._exchange_us)


@contextmanager
def hosted(
    settings: Mapping[str, object] | None = None, *, step_us: int = 2 * MS, exchange_us: int = 20 * MS
) -> Iterator[Hosted]:
    """Power a firmware and its host."""
    found = Hosted(settings, step_us=step_us, exchange_us=exchange_us)
    with found.bench:
        yield found
