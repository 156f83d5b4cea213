"""Table time: one monotonic timeline over every boot of the device and of the host (pure).

Decisions run on device time (house law 4). Within one boot of the device, table time is device
time plus an offset, also across restarts of this program: the journal remembers the offset with
every record. When the device itself has restarted, or its time has jumped, nobody knows how long, so the
timeline goes on from the last moment that is known.
"""

from __future__ import annotations

from firmware_bridge.board.memory.rows import DeviceTime


class Timeline:
    """Places device time on the table's timeline.

    Attributes:
        latest_us: The last moment known, in table time; 0 before any.
        device: The present boot and its offset; None before a device was seen.
    """

    def __init__(self, latest_us: int = 0, device: DeviceTime | None = None) -> None:
        """Go on from `latest_us`, where `device` was the boot last seen."""
        self.latest_us = latest_us
        self.device = device

    def arrived(self, boot_id: int, uptime_us: int, time_scale: int = 1, *, trusted: bool = True) -> bool:
        """Take a hello; return whether the timeline goes on from another footing than before.

        Args:
            boot_id: The device's boot.
            uptime_us: Its time now.
            time_scale: Its seconds per wall second.
            trusted: Its time goes on from what it was; False when it has jumped within one boot.
        """
        known = self.device
        if known is not None and known.boot_id == boot_id and trusted:
            self.table_us(uptime_us)
            return False
        self.device = DeviceTime(boot_id, self.latest_us - uptime_us, time_scale)
        return known is not None

    def table_us(self, device_us: int) -> int:
        """Return a device time as table time, and remember it when it is the latest."""
        assert self.device is not None, "no time comes from a device that has not said hello"
        at_us = max(0, device_us + self.device.offset_us)
        self.latest_us = max(self.latest_us, at_us)
        return at_us

    def device_us(self, table_us: int) -> int:
        """Return a table time as time of the present boot; never below 0."""
        assert self.device is not None, "no time goes to a device that has not said hello"
        return max(0, table_us - self.device.offset_us)
