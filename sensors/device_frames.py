"""What the device says, on its way to the host: cut into frames, and its sequence numbers followed."""

from functools import lru_cache

from sensors.frames import Decoder
from sensors.link_events import LinkStatistics
from sensors.samples import ChannelStatus

MAX_GAP = 1000
"""Lost frames in a row beyond which a restart of the device is more likely."""
MAX_LATE = 64
"""A frame at most this much older than the newest is late; an older one means a restart."""

_STATUS = tuple(ChannelStatus(code) if code <= 4 else ChannelStatus.READ_ERROR for code in range(16))


@lru_cache(maxsize=64)
def statuses_of(codes: tuple[int, ...]) -> tuple[ChannelStatus, ...]:
    """Return what the codes of a DATA mean; the same few combinations come in every frame."""
    return tuple([_STATUS[code] for code in codes])


class DeviceFrames:
    """The incoming stream of a host.

    Args:
        statistics: where to count.
    """

    def __init__(self, statistics: LinkStatistics) -> None:
        self._heard_bytes = 0
        self._heard_frames = 0
        self._statistics = statistics
        self._decoder = Decoder()
        self._expected: int | None = None

    def begin(self) -> None:
        """Start a new stream on a port just opened."""
        self._heard_bytes = 0
        self._heard_frames = 0
        self._decoder = Decoder()
        self._expected = None

    def feed(self, data: bytes) -> list[tuple[int, int, bytes]]:
        """Return the frames completed by these bytes as (type, seq, payload)."""
        decoder, total = self._decoder, self._statistics
        found = decoder.feed(data)
        self._heard_bytes += len(data)
        self._heard_frames += len(found)
        total.bytes_received += len(data)
        total.frames += len(found)
        total.bad_frames += decoder.bad_frames
        total.overlong += decoder.overlong
        total.ignored += decoder.ignored
        decoder.bad_frames = decoder.overlong = decoder.ignored = 0
        return found

    def follows(self, seq: int) -> bool:
        """Count what is missing before this frame; False if the numbers jumped as after a restart."""
        skipped = 0 if self._expected is None else (seq - self._expected) & 0xFFFF
        if skipped >= 0x10000 - MAX_LATE:
            self._statistics.late_frames += 1
            return True
        self._expected = seq + 1
        if skipped > MAX_GAP:
            return False
        self._statistics.lost_frames += skipped
        return True

    def why_unknown(self) -> str:
        """Return what has been heard on this port that is not an acquaintance, for people."""
        if self._heard_frames:
            return "the device sends frames but does not say who it is (no valid HELLO)"
        if self._heard_bytes:
            return (
                f"{self._heard_bytes} bytes came but no frame: is this the right port, is its speed right, "
                "does the device run the firmware of a board?"
            )
        return "the port is open but nothing comes: is this the right port, does the firmware run?"
