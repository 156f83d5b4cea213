"""Sequence numbers: what is late, what is missing, and what means a restart."""

import pytest

from sensors.device_frames import DeviceFrames
from sensors.link_events import LinkStatistics


@pytest.mark.parametrize(
    ("seq", "follows", "late", "lost"),
    [
        (1000, True, 0, 0),
        (999, True, 1, 0),
        (1000 - 64, True, 1, 0),
        (1000 - 65, False, 0, 0),
        (1000 + 1000, True, 0, 1000),
        (1000 + 1001, False, 0, 0),
    ],
)
def test_a_frame_may_be_sixty_four_late_or_a_thousand_ahead(
    seq: int, late: int, lost: int, *, follows: bool
) -> None:
    """A line that overtakes itself is no restart; what lies further off than that is."""
    statistics = LinkStatistics()
    stream = DeviceFrames(statistics)
    assert stream.follows(999)
    assert stream.follows(seq) is follows
    assert (statistics.late_frames, statistics.lost_frames) == (late, lost)
