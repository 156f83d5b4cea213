"""How far the time of a device can be believed: its own words held against the host's clock.

Decisions run on device time, so a device whose time jumps would give or take minutes of a clock. The
host cannot tell the right time from the wrong one, but it can tell that time does not pass like this.
`PROTOCOL.md` section 6 has the rule.
"""

from sensors.device_time import EARLIEST_STEP_US, is_plausible_step

AHEAD_US = 10_000_000
"""Device time may be this much further, at time scale 1, than the host's clock says: frames come late
after a stall of either program, and all at once."""
DRIFT = 20
"""A device's clock may be off by one part in this many."""
PRESS_AHEAD_US = 2_000_000
"""A press may be this much later, at time scale 1, than the device time expected when it arrives."""
LONGEST_LAG_STEP_US = 1_000_000
"""The longest pause that counts as seen when a device seems to fall behind: in a longer one the host
may have stalled, and what it missed comes at once."""


class DeviceClock:
    """The time of one boot of a device.

    The difference between device time and the host's clock is followed as fast as a bad oscillator
    drifts and no faster, so that neither one leap nor many small ones are believed.

    Attributes:
        started: whether a time is known.
        newest_us: the latest device time heard.
    """

    def __init__(self) -> None:
        self.started = False
        self.newest_us = 0
        self._scale = 1
        self._newest_at_us = 0
        self._heard_at_us = 0
        self._ahead_us = 0

    def begin(self, time_us: int, time_scale: int, now_us: int) -> None:
        """Forget everything; it is this device time now."""
        self.started = True
        self.newest_us = time_us
        self._scale = time_scale
        self._newest_at_us = self._heard_at_us = now_us
        self._ahead_us = time_us - time_scale * now_us

    def follows(self, time_us: int, now_us: int) -> bool:
        """Take a time of DATA or BEAT; False, and nothing taken, if it is doubtful."""
        if not is_plausible_step(self.newest_us, time_us, self._scale):
            return False
        if self._too_far_ahead(time_us, now_us):
            return False
        self._note(time_us, now_us)
        return True

    def take(self, time_us: int, now_us: int) -> str:
        """Take a time of HELLO; return "", or why it cannot be one of the same boot, for people."""
        back = time_us - self.newest_us < EARLIEST_STEP_US * self._scale
        if not back and not self._too_far_ahead(time_us, now_us):
            self._note(time_us, now_us)
            return ""
        passed_us = self._scale * (now_us - self._newest_at_us)
        return (
            f"device time went from {self.newest_us / 1e6:.3f} s to {time_us / 1e6:.3f} s in the same boot, "
            f"where {passed_us / 1e6:.3f} s should have passed: its time before and after cannot be "
            "compared. Check both clocks, then look for what is wrong with the device."
        )

    def expected_us(self, now_us: int) -> int:
        """Return the device time it should be now."""
        return self.newest_us + self._scale * (now_us - self._newest_at_us)

    def latest_press_us(self, now_us: int) -> int:
        """Return the latest time that a press arriving now can have."""
        return self.expected_us(now_us) + PRESS_AHEAD_US * self._scale

    def _too_far_ahead(self, time_us: int, now_us: int) -> bool:
        allowed_us = AHEAD_US + (now_us - self._heard_at_us) // DRIFT
        return time_us - self._scale * now_us > self._ahead_us + self._scale * allowed_us

    def _note(self, time_us: int, now_us: int) -> None:
        pause_us = now_us - self._heard_at_us
        self._heard_at_us = now_us
        highest = self._ahead_us + self._scale * pause_us // DRIFT
        lowest = self._ahead_us - self._scale * min(pause_us, LONGEST_LAG_STEP_US) // DRIFT
        self._ahead_us = min(max(time_us - self._scale * now_us, lowest), highest)
        if time_us >= self.newest_us:
            self.newest_us = time_us
            self._newest_at_us = now_us
