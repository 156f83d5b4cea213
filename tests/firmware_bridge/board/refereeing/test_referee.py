"""What a referee is told of the options of an event."""

from __future__ import annotations

import pytest

from firmware_bridge.board.refereeing.referee import watched
from rules.conduct.options import BLITZ, CLASSICAL, RAPID, Conduct
from rules.infractions.evidence import Watched


@pytest.mark.parametrize(
    ("conduct", "told"),
    [
        (CLASSICAL, Watched(touch_move=True, adjusting=True, grace_us=0)),
        (RAPID, Watched(touch_move=False, adjusting=False, grace_us=2_000_000)),
        (BLITZ, Watched(touch_move=False, adjusting=False, grace_us=3_000_000)),
        (Conduct(adjusting_by_hand=True), Watched(touch_move=True, adjusting=False, grace_us=0)),
    ],
)
def test_requirements_10_and_42_what_the_event_chose_is_what_is_told(conduct: Conduct, told: Watched) -> None:
    """Touch-move, adjusting by hand, and how long after the press stones may be in hand (2.7.7)."""
    assert watched(conduct) == told
