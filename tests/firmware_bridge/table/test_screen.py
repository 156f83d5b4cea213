"""What a page is sent: the newest view with its age, or that the board is gone."""

from __future__ import annotations

import json

from firmware_bridge.table.screen import Screen
from firmware_bridge.wire.table_view import TableLine
from tests.firmware_bridge.table.fake_board import PLAYING

LINE = TableLine(age_ms=30, view=PLAYING)


def told(screen: Screen, now_s: float) -> dict[str, object]:
    """Return what a page is told."""
    found: dict[str, object] = json.loads(screen.message(now_s))
    return found


def test_before_anything_is_heard_the_board_is_gone_and_there_is_no_view() -> None:
    """Since the program was started."""
    assert told(Screen("v", gone_s=10.0), 12.5) == {"assets": "v", "gone_ms": 2500, "age_ms": 0, "view": None}


def test_a_view_grows_older_until_the_next() -> None:
    """What its clocks show was so then: the page counts on from there."""
    screen = Screen("v").heard(LINE, 100.0)
    assert (told(screen, 100.0)["age_ms"], told(screen, 101.5)["age_ms"]) == (30, 1530)
    assert told(screen, 100.0)["gone_ms"] is None
    assert told(screen, 100.0)["view"] == json.loads(PLAYING.model_dump_json())


def test_a_board_that_is_gone_keeps_its_last_view_and_since_when() -> None:
    """However often it is tried again; the first word heard ends it."""
    screen = Screen("v").heard(LINE, 100.0).lost(103.0).lost(104.0)
    assert (told(screen, 105.0)["gone_ms"], told(screen, 105.0)["age_ms"]) == (2000, 5030)
    assert told(screen, 105.0)["view"] is not None
    assert told(screen.heard(LINE, 106.0), 106.0)["gone_ms"] is None
