"""Who has to write the moves down."""

from dataclasses import replace

from rules import Side
from rules.conduct.codes import Code
from rules.conduct.options import BLITZ, CLASSICAL, RAPID
from rules.conduct.writing import who_writes

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
FIVE_US = 300_000_000
MUCH_US = FIVE_US + 1


def test_requirement_1_both_write() -> None:
    """1.6.1, 2.3.5: with a microsecond more than five minutes left, and without a clock."""
    for dials_us in ((MUCH_US, MUCH_US), None):
        found = who_writes(CLASSICAL, dials_us)
        assert (found.code, found.articles) == (Code.BOTH_WRITE, ("1.6.1", "2.3.5"))
        assert (found.must_write, found.arbiter_tracks) == ((True, True), False)


def test_requirement_9_with_five_minutes_left_a_player_may_stop() -> None:
    """2.3.5, 2.7.17: his opponent goes on, the line arbiter follows, he completes his sheet afterwards."""
    found = who_writes(CLASSICAL, (FIVE_US, MUCH_US))
    assert (found.code, found.articles) == (Code.ONE_MAY_STOP_WRITING, ("2.3.5", "2.7.17"))
    assert (found.must_write, found.completes, found.side) == ((False, True), (True, False), B)
    assert (found.arbiter_tracks, found.arbiter_may_write) == (True, False)
    other = who_writes(CLASSICAL, (MUCH_US, 0))
    assert (other.must_write, other.side) == ((True, False), Q)


def test_requirement_9_if_both_are_short_of_time_the_arbiter_may_write() -> None:
    """`000`; an event may leave it out."""
    found = who_writes(CLASSICAL, (FIVE_US, FIVE_US))
    assert (found.code, found.articles) == (Code.NOBODY_HAS_TO_WRITE, ("2.3.5", "2.7.17", "000"))
    assert (found.must_write, found.completes, found.side) == ((False, False), (True, True), None)
    assert found.arbiter_may_write
    without = who_writes(replace(CLASSICAL, arbiter_writes_for_both=False), (FIVE_US, FIVE_US))
    assert not without.arbiter_may_write


def test_requirement_9_an_event_may_free_players_in_their_last_period_only() -> None:
    """The text speaks of the time of the game and of being short of time alike."""
    conduct = replace(CLASSICAL, relief_in_every_period=False)
    assert who_writes(conduct, (0, 0), (False, True)).must_write == (True, False)
    assert who_writes(CLASSICAL, (0, 0), (False, True)).must_write == (False, False)


def test_requirement_38_there_are_no_sheets_in_rapid_and_blitz() -> None:
    """2.9.2."""
    for conduct in (RAPID, BLITZ):
        found = who_writes(conduct, (MUCH_US, MUCH_US))
        assert (found.code, found.articles) == (Code.NO_SHEETS, ("2.9.2",))
        assert (found.must_write, found.completes) == ((False, False), (False, False))
