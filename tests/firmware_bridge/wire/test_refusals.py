"""Refusals are counted all, and written seldom."""

from __future__ import annotations

import logging

import pytest

from firmware_bridge.wire.refusals import LOG_EVERY_S, TELL_EVERY_S, Refusals


class Clock:
    """Stands still until it is told."""

    now_s = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


def test_the_first_of_a_kind_is_written_at_once_and_the_others_are_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """One line for each kind in ten seconds, however many come."""
    clock = Clock()
    refusals = Refusals(clock)
    with caplog.at_level(logging.WARNING):
        for _ in range(1000):
            refusals.add("unsigned", "no mac")
        refusals.add("malformed", "no JSON")
        assert [record.getMessage() for record in caplog.records] == [
            "command refused: unsigned: no mac",
            "command refused: malformed: no JSON",
        ]
        clock.now_s += LOG_EVERY_S
        refusals.add("unsigned", "no mac")
    assert caplog.records[-1].getMessage() == (
        "command refused: unsigned: no mac (999 more like this since the last)"
    )
    assert refusals.counts == {"unsigned": 1001, "malformed": 1}


def test_the_counts_are_told_when_there_are_new_ones_and_not_too_often() -> None:
    """All of them each time: a message may be lost."""
    clock = Clock()
    refusals = Refusals(clock)
    assert refusals.news() is None
    refusals.add("unsigned", "")
    assert refusals.news() == {"commands_unsigned": 1}
    refusals.add("dropped", "")
    assert refusals.news() is None
    clock.now_s += TELL_EVERY_S
    assert refusals.news() == {"commands_dropped": 1, "commands_unsigned": 1}
    clock.now_s += TELL_EVERY_S
    assert refusals.news() is None
