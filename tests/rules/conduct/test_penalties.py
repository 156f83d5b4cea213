"""Penalties beside the ladder."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import ConductError, Side
from rules.conduct.codes import Code
from rules.conduct.options import CLASSICAL
from rules.conduct.penalties import PanelPenalty, panel_penalty, time_penalty
from rules.conduct.proposal import ClockAction, Decider

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
MINUTE_US = 60_000_000
DIALS = (10 * MINUTE_US, 20 * MINUTE_US)


@pytest.mark.parametrize(
    ("penalty", "code", "score"),
    [
        (PanelPenalty.LOSS, Code.PANEL_LOSS, "1-0"),
        (PanelPenalty.WARN_REPRESENTATIVE, Code.PANEL_WARNS_REPRESENTATIVE, None),
        (PanelPenalty.EXPEL_PLAYER, Code.PANEL_EXPELS_PLAYER, None),
        (PanelPenalty.EXPEL_REPRESENTATIVE, Code.PANEL_EXPELS_REPRESENTATIVE, None),
        (PanelPenalty.TEAM_LOSES, Code.PANEL_TEAM_LOSES, None),
    ],
)
def test_requirement_47_what_the_panel_may_impose(
    penalty: PanelPenalty, code: Code, score: str | None
) -> None:
    """2.4.7: only the panel, and only a loss is a score of this game."""
    found = panel_penalty(penalty, Q)
    assert (found.code, found.score, found.decider, found.penalty) == (code, score, Decider.PANEL, penalty)
    assert (found.articles[0], found.side) == ("2.4.7", Q)


@pytest.mark.parametrize("penalty", list(PanelPenalty))
def test_only_a_team_that_loses_rests_on_the_duties_of_players_too(penalty: PanelPenalty) -> None:
    """2.3 says who may play; all else the panel imposes by 2.4.7 alone."""
    duties = ("2.3",) if penalty is PanelPenalty.TEAM_LOSES else ()
    assert panel_penalty(penalty, Q).articles == ("2.4.7", *duties)


def test_requirement_33_time_is_taken_and_given_after_asking_the_chief() -> None:
    """2.4.8: the opponent's is increased, the offender's reduced."""
    found = time_penalty(CLASSICAL, B, DIALS, takes_ms=60_000, gives_ms=120_000)
    assert (found.code, found.articles) == (Code.TIME_PENALTY, ("2.4.8",))
    assert (found.decider, found.side, found.clock) == (Decider.ARBITER_WITH_CHIEF, B, ClockAction.KEEP)
    assert found.adds_us == (-MINUTE_US, 2 * MINUTE_US)
    assert time_penalty(CLASSICAL, Q, DIALS, takes_ms=60_000, gives_ms=0).adds_us == (0, -MINUTE_US)


def test_requirement_33_no_amount_is_invented() -> None:
    """Unspecified: until the event or the arbiter names one, there is none."""
    found = time_penalty(CLASSICAL, B, DIALS)
    assert (found.takes_us, found.gives_us, found.adds_us, found.cut) == (None, None, (0, 0), False)


def test_requirement_33_the_event_may_name_the_amounts() -> None:
    """And the arbiter others."""
    conduct = replace(CLASSICAL, penalty_takes_ms=60_000, penalty_gives_ms=120_000)
    assert time_penalty(conduct, Q, DIALS).adds_us == (2 * MINUTE_US, -MINUTE_US)
    assert time_penalty(conduct, Q, DIALS, takes_ms=0, gives_ms=60_000).adds_us == (MINUTE_US, 0)


@pytest.mark.parametrize(("takes_ms", "cut"), [(600_000, False), (600_001, True)])
def test_no_dial_is_taken_below_zero(takes_ms: int, *, cut: bool) -> None:
    """What it shows can be taken, and not a millisecond more."""
    found = time_penalty(CLASSICAL, B, DIALS, takes_ms=takes_ms)
    assert (found.adds_us, found.cut) == ((-10 * MINUTE_US, 0), cut)


@given(
    st.sampled_from(Side),
    st.tuples(st.integers(0, 10**10), st.integers(0, 10**10)),
    st.none() | st.integers(0, 10**8),
    st.none() | st.integers(0, 10**8),
)
def test_a_penalty_always_fits_the_dials(
    side: Side, dials_us: tuple[int, int], takes_ms: int | None, gives_ms: int | None
) -> None:
    """And never helps the offender."""
    adds_us = time_penalty(CLASSICAL, side, dials_us, takes_ms=takes_ms, gives_ms=gives_ms).adds_us
    assert adds_us[side.index] <= 0 <= adds_us[side.opponent.index]
    assert dials_us[side.index] + adds_us[side.index] >= 0


def test_a_negative_penalty_is_refused() -> None:
    """Time is given to the opponent, not taken from him with a minus."""
    with pytest.raises(ConductError, match=r"^-1 ms cannot be taken: 0 or more$"):
        time_penalty(CLASSICAL, B, DIALS, takes_ms=-1)
    with pytest.raises(ConductError, match=r"^-5 ms cannot be given: 0 or more$"):
        time_penalty(CLASSICAL, B, DIALS, gives_ms=-5)
