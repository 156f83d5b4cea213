"""What a hall is told."""

from typing import Any

import pytest

from firmware_bridge.hall.settings import HallError
from firmware_bridge.wire.topics import TopicError
from tests.firmware_bridge.hall.serving import settings


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"port": 70_000}, "port 70000"),
        ({"language": "de"}, "language 'de' is none of kk, ru, en"),
        ({"stale_after_s": 0}, "stale_after_s 0"),
        ({"beat_s": 9.0}, "beat_s 9.0"),
        ({"max_viewers": 0}, "max_viewers 0"),
    ],
)
def test_a_value_out_of_range_is_named(wrong: dict[str, Any], named: str) -> None:
    """The message holds the setting and its value."""
    with pytest.raises(HallError, match=named):
        settings(**wrong)


def test_the_event_must_be_an_id() -> None:
    """A wildcard there would show foreign boards."""
    with pytest.raises(TopicError, match="event"):
        settings(event_id="#")


def test_a_board_silent_for_some_of_its_two_seconds_is_marked_soon() -> None:
    """Three signs of life may be lost, then viewers are told."""
    assert settings().stale_after_s == 7.0


def test_counts_are_hidden_and_the_language_is_kazakh_unless_told() -> None:
    """What players can see shows no numbers of stones."""
    assert (settings().show_counts, settings().language) == (False, "kk")
