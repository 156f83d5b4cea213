"""What ends a game besides the stones and the flag."""

from dataclasses import replace

import pytest

from rules import ConductError, Side, TimeControl
from rules.clock import new_clock
from rules.conduct.codes import Code
from rules.conduct.endings import late, phone_on, refused_to_continue, resigned, unsigned
from rules.conduct.options import CLASSICAL
from rules.conduct.proposal import Decider

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
MINUTE_US = 60_000_000
HALF_HOUR_US = 30 * MINUTE_US
CLOCK = new_clock(TimeControl.simple(60 * 60_000))
BLITZ_CLOCK = new_clock(TimeControl.simple(7 * 60_000))


def test_requirement_13_who_resigns_has_lost() -> None:
    """2.6.3."""
    assert [(each.code, each.score, each.articles) for each in map(resigned, Side)] == [
        (Code.RESIGNED, "0-1", ("2.6.3",)),
        (Code.RESIGNED, "1-0", ("2.6.3",)),
    ]


def test_requirement_13_an_unjustified_refusal_loses() -> None:
    """2.6.3; a justified one is for the panel (2.8.1), and whether it is, the arbiter judges."""
    found = refused_to_continue(B, justified=False)
    assert (found.code, found.score, found.articles) == (Code.REFUSED_TO_CONTINUE, "0-1", ("2.6.3",))
    good = refused_to_continue(B, justified=True)
    assert (good.code, good.score, good.decider) == (Code.REFUSED_WITH_REASON, None, Decider.PANEL)
    assert good.articles == ("2.8.1",)
    open_ = refused_to_continue(B, justified=None)
    assert (open_.code, open_.score, open_.alternatives) == (Code.REFUSAL_TO_BE_JUDGED, None, (found, good))


def test_requirement_20_a_switched_on_phone_loses() -> None:
    """2.3.10, 2.4.9."""
    found = phone_on(Q)
    assert (found.code, found.score, found.articles) == (Code.BREACH_LOSES, "1-0", ("2.3.10", "2.4.9"))
    assert found.warns == ()


@pytest.mark.parametrize("late_us", [1, MINUTE_US, HALF_HOUR_US])
def test_requirement_24_lateness_is_charged_up_to_thirty_minutes(late_us: int) -> None:
    """2.7.6: on his own dial; thirty minutes sharp do not lose."""
    (found,) = late(CLASSICAL, (0, late_us), CLOCK, 0)
    assert (found.code, found.articles, found.side) == (Code.LATE_CHARGED, ("2.7.6",), Q)
    assert (found.adds_us, found.score) == ((0, -late_us), None)


def test_requirement_24_more_than_thirty_minutes_lose() -> None:
    """With + and - in the protocol (2.6.4)."""
    (found,) = late(CLASSICAL, (HALF_HOUR_US + 1, 0), CLOCK, 0)
    assert (found.code, found.score, found.side) == (Code.LATE_LOSES, "-/+", B)
    assert found.articles == ("2.7.6", "2.6.3", "2.6.4")
    (mirrored,) = late(CLASSICAL, (HALF_HOUR_US, HALF_HOUR_US + 1), CLOCK, 0)
    assert (mirrored.score, mirrored.side) == ("+/-", Q)


def test_requirement_24_both_late_are_both_charged() -> None:
    """Each his own lateness."""
    found = late(CLASSICAL, (MINUTE_US, 2 * MINUTE_US), CLOCK, 0)
    assert [each.adds_us for each in found] == [(-MINUTE_US, 0), (0, -2 * MINUTE_US)]


def test_requirements_13_and_74_both_too_late() -> None:
    """The game is over (2.6.3); both lose, unless the event leaves it to the panel."""
    too_late = (HALF_HOUR_US + 1, HALF_HOUR_US + 1)
    (found,) = late(CLASSICAL, too_late, CLOCK, 0)
    assert (found.code, found.score, found.articles) == (Code.BOTH_LATE, "-/-", ("2.6.3", "2.7.6"))
    (asked,) = late(replace(CLASSICAL, both_late="panel"), too_late, CLOCK, 0)
    assert (asked.code, asked.score, asked.decider) == (Code.BOTH_LATE, None, Decider.PANEL)


def test_requirement_24_lateness_may_earn_a_warning() -> None:
    """2.3.3: the arbiter may; an event can make it a rule, or leave it out."""
    (may,) = late(CLASSICAL, (MINUTE_US, 0), CLOCK, 0)
    (always,) = late(replace(CLASSICAL, late_warning="always"), (MINUTE_US, 0), CLOCK, 0)
    (never,) = late(replace(CLASSICAL, late_warning="never"), (MINUTE_US, 0), CLOCK, 0)
    assert (may.warns, may.alternatives) == ((), (always,))
    assert (always.code, always.warns) == (Code.LATE_CHARGED_AND_WARNED, (B,))
    assert (always.articles, always.adds_us) == (("2.7.6", "2.3.3"), (-MINUTE_US, 0))
    assert (never.warns, never.alternatives, never.adds_us) == ((), (), (-MINUTE_US, 0))


def test_a_dial_that_has_run_is_not_charged_twice() -> None:
    """Bastaushy's runs from the announcement on (2.7.5)."""
    found = late(CLASSICAL, (MINUTE_US, MINUTE_US), CLOCK, 0, ran=(True, False))
    assert [each.adds_us for each in found] == [(0, 0), (0, -MINUTE_US)]


def test_no_more_is_charged_than_the_dial_shows() -> None:
    """Ten minutes late for seven of blitz."""
    (found,) = late(CLASSICAL, (0, 10 * MINUTE_US), BLITZ_CLOCK, 0)
    assert found.adds_us == (0, -7 * MINUTE_US)


def test_who_is_in_time_is_told_nothing() -> None:
    """And nobody comes before he is due."""
    assert late(CLASSICAL, (0, 0), CLOCK, 0) == ()
    with pytest.raises(ConductError, match=r"^qostaushy cannot be -1 us late: 0 or more$"):
        late(CLASSICAL, (0, -1), CLOCK, 0)


def test_requirement_19_an_unsigned_sheet_earns_a_warning_after_thirty_minutes() -> None:
    """2.10.9: not at thirty minutes sharp, and not if a protest was filed."""
    assert unsigned(B, HALF_HOUR_US, protested=False) is None
    assert unsigned(B, HALF_HOUR_US + 1, protested=True) is None
    found = unsigned(B, HALF_HOUR_US + 1, protested=False)
    assert found is not None
    assert (found.code, found.warns, found.articles) == (Code.BREACH_WARNS, (B,), ("2.10.9", "2.4.6"))
