"""When a sign of life is due."""

from __future__ import annotations

from firmware_bridge.watchdog import Watchdog


def test_a_program_that_nobody_watches_owes_no_sign() -> None:
    """However long it is silent."""
    assert not Watchdog().due(1e9)


def test_the_first_sign_is_due_at_once_and_each_other_after_half_of_the_limit() -> None:
    """So one that comes late is still in time."""
    watchdog = Watchdog(limit_s=20.0)
    assert watchdog.due(5.0)
    given = watchdog.given(5.0)
    assert not given.due(14.9)
    assert given.due(15.0)
    assert (watchdog.every_s, watchdog.given_s) == (10.0, None)
