"""From raw samples to readings: the one door from a device's channels to what can be said of them."""

from sensors.calibration import Calibration
from sensors.plausible import Gate
from sensors.readings import ChannelReading, spread_for
from sensors.samples import RawSample
from sensors.settle import Settler

DEFAULT_RATE_HZ = 80.0
"""Of a device that does not declare its rate; it is measured anyway."""
NOISE_EVERY = 80
"""Samples between two looks at the noise of the channels, which changes slowly."""


class Senses:
    """Gate and settler of one board, since the device was plugged in.

    Deterministic: the same samples give the same readings.

    Args:
        calibration: of the board.
        rate_hz: samples a second as the device declares them; 0 unknown.
    """

    def __init__(self, calibration: Calibration, rate_hz: float) -> None:
        rate_hz = rate_hz if rate_hz > 0 else DEFAULT_RATE_HZ
        unit_g = calibration.unit_g
        self._gate = Gate(calibration, rate_hz)
        self._settler = Settler(spread_g=spread_for(unit_g), rate_hz=rate_hz, unit_g=unit_g)
        self._channels = len(calibration.channels)
        self._until_noise = NOISE_EVERY

    def update(self, at_us: int, sample: RawSample) -> tuple[ChannelReading, ...]:
        """Take one sample and return what can be said of each channel after it.

        Args:
            at_us: time of the sample in the time that the readings are to have.
            sample: as the device sent it; its own time is not looked at.
        """
        readings = self._settler.update(at_us, self._gate.loads(sample))
        self._until_noise -= 1
        if not self._until_noise and len(readings) == self._channels:
            self._gate.expect_noise([reading.noise_g for reading in readings])
        self._until_noise = self._until_noise or NOISE_EVERY
        return readings
