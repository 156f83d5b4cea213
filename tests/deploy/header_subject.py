"""The header pins as a device (`togyz pins`), on converters in a time that the test moves."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.pins.header_device import LAMPS, HeaderDevice, HeaderSettings
from sensors import frames
from sensors.device.device import QUEUED_DATA
from sensors.hx711_bus import Bus
from tests.deploy.subjects import CHANNELS, OK, PRESS_LASTS_US, SAMPLE_EVERY_US, Subject
from tests.sensors.converters import Converter, ConverterWorld

STEP_US = 2_000
SETTLES_US = 480_000


class HeaderSubject:
    """`firmware_bridge.pins.header_device`, with its converters settled; it has not been heard yet."""

    queued_data = QUEUED_DATA
    name = "togyz-pins bench"
    reset_reason = frames.RESET_SOFTWARE
    features = (
        frames.FEATURE_LOADS
        | frames.FEATURE_BUTTONS
        | frames.FEATURE_LAMPS
        | frames.FEATURE_ARBITER_LAMP
        | frames.FEATURE_BUZZER
    )
    """No dials: the players see their clocks on the table's screen."""

    def __init__(self, boot_id: int = 7) -> None:
        self._now_us = 0
        period_ns = SAMPLE_EVERY_US * 1000
        self._converters = [
            Converter(raw=1_000, period_ns=period_ns, phase_ns=period_ns) for _ in range(CHANNELS)
        ]
        world = ConverterWorld(self._converters, clock=lambda: self._now_us * 1000)
        bus = Bus(world, CHANNELS, 80.0)
        bus.begin(0)
        settings = HeaderSettings(
            board_id="bench",
            firmware=self.name,
            cells=CHANNELS,
            buttons=3,
            lamps=(True,) * len(LAMPS),
            buzzer=True,
        )
        self.header = HeaderDevice(settings, boot_id, bus)
        self._down = [False] * 3
        self._releases: list[tuple[int, int]] = []
        self._blocked = False
        self._before = self.run(SETTLES_US)

    @property
    def now_us(self) -> int:
        """Device time, which is wall time here."""
        return self._now_us

    def run(self, us: int, hear: bytes = b"") -> bytes:
        """Let it hear bytes, then time pass; return what it has said."""
        said, self._before = getattr(self, "_before", b""), b""
        self.header.device.receive(hear, self.now_us, self.now_us)
        for _ in range(us // STEP_US):
            self._now_us += STEP_US
            while self._releases and self._releases[0][0] <= self.now_us:
                at_us, button = self._releases.pop(0)
                self._down[button] = False
                self.header.edge(button, at_us, down=False)
            self.header.look(self._down, self.now_us)
            self.header.poll(self.now_us)
            said += self._said()
        return said

    def again(self) -> Subject:
        """Return the same device at its next power-up."""
        return HeaderSubject(self.header.device.boot_id + 1)

    def sleep_until(self, us: int) -> None:
        """Let device time pass until then, without a host and without samples."""
        self._now_us = us // SAMPLE_EVERY_US * SAMPLE_EVERY_US
        self.header.device.poll(self.now_us, self.now_us)
        self._said()

    def press(self, button: int) -> int:
        """Press a button now, for 60 ms; return the time of the edge."""
        self._down[button] = True
        self.header.edge(button, self.now_us, down=True)
        self._releases.append((self.now_us + PRESS_LASTS_US, button))
        return self.now_us

    def show(self, raw: Sequence[int], status: Sequence[int] = OK) -> None:
        """Say what its channels have from now on; what is no number is a fault of the converter."""
        for converter, value, code in zip(self._converters, raw, status, strict=True):
            converter.raw = value
            converter.gone = code == frames.STATUS_NOT_READY
            converter.shorted = code == frames.STATUS_READ_ERROR

    def block(self, *, blocked: bool) -> None:
        """Have the host read nothing, or read again."""
        self._blocked = blocked

    def dials(self) -> tuple[int, int | None, int | None]:
        """Return which dial runs, and what both show in microseconds."""
        dials = self.header.device.dials
        return dials.running, dials.shown_us(0, self.now_us), dials.shown_us(1, self.now_us)

    def lamps(self) -> tuple[int, int]:
        """Return which lamps burn and which blink."""
        lit = self.header.device.lit
        return lit.on, lit.blink

    def sounds_for_ms(self) -> tuple[int, int]:
        """Return pattern and length of the last sound asked for."""
        sound = self.header._sounder._sound
        return sound.pattern, sound.duration_ms

    def counts(self) -> tuple[int, int]:
        """Return how many frames were skipped, and how many presses are not acknowledged."""
        return self.header.device.skipped, self.header.device.unacknowledged

    def close(self) -> None:
        """Take its power away."""

    def _said(self) -> bytes:
        said = b""
        while not self._blocked and (frame := self.header.device.next_frame()) is not None:
            said += frame
        return said
