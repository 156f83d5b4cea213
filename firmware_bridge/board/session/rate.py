"""How often a board is read, and whether that is often enough for its game (pure).

A HX711 reads 10 or 80 times a second, as a pin of it is wired. At 10 a step needs half a second to be seen
whole (data sheet: settling time), and a blitz player does not leave a pit alone for so long: moves are then
read late, or only two together. The board cannot mend that; it says so before the game instead.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.board.inputs import DeviceArrived, Input, Looked, Note, Watch
from rules.game import Game, Phase
from rules.time_control import is_blitz
from sensors.period import LONGEST_STEP_US

ENOUGH_HZ = 20.0
"""Samples a second below which blitz is not followed: between the two rates of the chip, twice the slow one,
whose oscillators stray by a fifth. Four samples of settling then take 0.2 s, as long as the shortest pause
between two blitz moves (estimate)."""

AGAIN_HZ = 25.0
"""Samples a second from which a device once measured too slow is fast enough again: no flicker."""

WINDOW_US = 5_000_000
"""Table time over which samples are counted."""

HOLE_US = LONGEST_STEP_US
"""A step of so long between two samples is a hole, not a rate."""

AT_STAKE = frozenset({Phase.ASSIGNED, Phase.SETTING_UP, Phase.READY, Phase.PLAYING, Phase.SUSPENDED})
"""Where a game is to be followed."""


class SampleRate:
    """The rate of one device: what its hello declares, and what truly comes.

    Attributes:
        slow_hz: Samples a second where they are too few for blitz; None: they are enough, or not known yet.
    """

    def __init__(self) -> None:
        """Begin without a device."""
        self.slow_hz: float | None = None
        self._declared_slow = False
        self._begun_us: int | None = None
        self._last_us = 0
        self._samples = 0

    def take(self, event: Input) -> None:
        """Learn from what comes to the table."""
        match event:
            case DeviceArrived(rate_hz=declared_hz):
                self._declared_slow = 0 < declared_hz < ENOUGH_HZ
                self.slow_hz = declared_hz if self._declared_slow else None
                self._begun_us = None
            case Looked(at_us=at_us) if not self._declared_slow:
                self._sampled(at_us)

    def _sampled(self, at_us: int) -> None:
        if self._begun_us is None or not 0 <= at_us - self._last_us < HOLE_US:
            self._begun_us, self._samples = at_us, 0
        else:
            self._samples += 1
        self._last_us = at_us
        if at_us - self._begun_us >= WINDOW_US:
            self._measured(self._samples * 1e6 / (at_us - self._begun_us))
            self._begun_us, self._samples = at_us, 0

    def _measured(self, rate_hz: float) -> None:
        if self.slow_hz is None and rate_hz < ENOUGH_HZ:
            self.slow_hz = rate_hz
        elif rate_hz >= AGAIN_HZ:
            self.slow_hz = None


def with_rate(watch: Watch, game: Game, rate: SampleRate) -> Watch:
    """Return how the board looks, and behind it that its device is too slow for the game, where it is."""
    if rate.slow_hz is None or watch.sensed == "no_device" or game.phase not in AT_STAKE:
        return watch
    control = game.control if game.clock is None else game.clock.control
    if control is None or not is_blitz(control):
        return watch
    rate_hz = round(rate.slow_hz)
    note = Note("too_slow", None, f"{rate_hz} samples a second", {"rate": rate_hz})
    return replace(watch, notes=(*watch.notes, note))
