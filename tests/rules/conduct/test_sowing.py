"""What is proposed for an illegal sowing."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import ConductError, Phase, Side
from rules.conduct.codes import Code
from rules.conduct.ladder import LADDER
from rules.conduct.offences import Offence
from rules.conduct.options import BLITZ, CLASSICAL, RAPID, Conduct, SowingPolicy
from rules.conduct.proposal import ClockAction, Decider, Speaker
from rules.conduct.sowing import Ends, SowingOffence, SowingRuling, rule_sowing
from tests.rules.conduct.test_options import CONDUCTS

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
WRONG = SowingOffence(offender=B, speaker=Speaker.QOSTAUSHY, nth=1, plies_since=0)


def policy(**changes: Any) -> Conduct:
    """Return the classical options with another policy of illegal sowing."""
    return replace(CLASSICAL, sowing=replace(CLASSICAL.sowing, **changes))


def test_requirement_94_classical_stops_the_clock_and_corrects_on_the_offenders_time() -> None:
    """With a warning, resting on how a move is made and on the panel's analogy."""
    ruling = rule_sowing(CLASSICAL, WRONG)
    assert (ruling.code, ruling.ends, ruling.in_time) == (Code.SOWING_CORRECTED, Ends.CORRECT, True)
    assert (ruling.clock, ruling.runs, ruling.put_right_on) == (ClockAction.STOP, None, B)
    assert (ruling.warns, ruling.step) == ((B,), LADDER[0])
    assert ruling.articles == ("1.3.1", "2.4.5", "2.4.6")
    assert (ruling.decider, ruling.score, ruling.takes_back) == (Decider.ARBITER, None, 0)


@pytest.mark.parametrize("fast", [RAPID, BLITZ])
def test_requirement_94_rapid_and_blitz_restore_while_the_offenders_dial_runs(fast: Conduct) -> None:
    """As 42 has it: no touch-move, own time (2.9.6, 2.9.7)."""
    ruling = rule_sowing(fast, WRONG)
    assert (ruling.code, ruling.ends) == (Code.SOWING_RESTORED, Ends.RESTORE)
    assert (ruling.clock, ruling.runs, ruling.put_right_on) == (ClockAction.RUN, B, B)
    assert ruling.articles == ("1.3.1", "2.9.6", "2.9.7", "2.4.5", "2.4.6")


@pytest.mark.parametrize(
    ("window", "plies_since", "reply_begun", "in_time"),
    [
        ("until_reply", 0, False, True),
        ("until_reply", 0, True, True),
        ("until_reply", 1, False, False),
        ("until_reply_begun", 0, False, True),
        ("until_reply_begun", 0, True, False),
        ("until_reply_begun", 1, False, False),
        ("whole_game", 1, True, True),
        ("whole_game", 40, False, True),
    ],
)
def test_requirement_94_the_window_of_a_claim(
    window: str, plies_since: int, *, reply_begun: bool, in_time: bool
) -> None:
    """Until the opponent has completed his reply, unless the event chose another."""
    told = replace(WRONG, plies_since=plies_since, reply_begun=reply_begun)
    ruling = rule_sowing(policy(window=window), told)
    assert ruling.in_time is in_time
    if in_time:
        assert ruling.takes_back == plies_since + reply_begun
        assert ruling.ends is (Ends.RESTORE if plies_since else Ends.CORRECT)
    else:
        assert (ruling.code, ruling.ends, ruling.warns) == (Code.SOWING_CLAIMED_LATE, Ends.LET_STAND, ())
        assert (ruling.clock, ruling.step, ruling.articles) == (ClockAction.KEEP, None, ())


@pytest.mark.parametrize(
    ("first", "repeated", "nth", "warns"),
    [
        (True, True, 1, True),
        (True, True, 2, True),
        (False, True, 1, False),
        (False, True, 2, True),
        (True, False, 1, True),
        (True, False, 2, False),
    ],
)
def test_requirement_94_the_first_offence_and_repeated_ones(
    nth: int, *, first: bool, repeated: bool, warns: bool
) -> None:
    """A repeated one earns what the ladder of 45 says then."""
    ruling = rule_sowing(
        policy(first_warns=first, repeated_warns=repeated), replace(WRONG, nth=nth), LADDER[nth - 1]
    )
    assert (ruling.step, ruling.warns) == ((LADDER[nth - 1], (B,)) if warns else (None, ()))
    assert ("2.4.6" in ruling.articles) is warns


def test_requirement_94_a_fifth_warning_by_it_rests_on_the_panels_article_too() -> None:
    """The sowing stays the arbiter's, the expulsion is the panel's."""
    ruling = rule_sowing(CLASSICAL, replace(WRONG, nth=5), LADDER[4])
    assert ruling.articles == ("1.3.1", "2.4.5", "2.4.6", "2.4.7")
    assert ruling.step is not None
    assert ruling.step.decider is Decider.PANEL


@pytest.mark.parametrize(
    ("changes", "clock", "runs", "put_right_on"),
    [
        ({"clock": "stops", "on_offenders_time": True}, ClockAction.STOP, None, B),
        ({"clock": "stops", "on_offenders_time": False}, ClockAction.STOP, None, None),
        ({"clock": "runs", "on_offenders_time": True}, ClockAction.RUN, B, B),
        ({"clock": "runs", "on_offenders_time": False}, ClockAction.KEEP, None, None),
    ],
)
def test_requirement_94_the_clock_is_an_option(
    changes: dict[str, object], clock: ClockAction, runs: Side | None, put_right_on: Side | None
) -> None:
    """Stopped or running, on whose time."""
    ruling = rule_sowing(policy(**changes), WRONG)
    assert (ruling.clock, ruling.runs, ruling.put_right_on) == (clock, runs, put_right_on)


@pytest.mark.parametrize("phase", [Phase.SUSPENDED, Phase.ENDED])
def test_a_clock_that_stands_is_left_alone(phase: Phase) -> None:
    """Also the last move of a game can be claimed: no reply to it will ever come."""
    ruling = rule_sowing(CLASSICAL, replace(WRONG, phase=phase))
    assert (ruling.in_time, ruling.clock, ruling.ends) == (True, ClockAction.KEEP, Ends.CORRECT)


def test_who_has_signed_claims_nothing_any_more() -> None:
    """Signing accepts the result (2.10.2), whatever the window."""
    ruling = rule_sowing(policy(window="whole_game"), replace(WRONG, phase=Phase.ENDED, signed=True))
    assert (ruling.code, ruling.articles, ruling.in_time) == (Code.SOWING_RESULT_SIGNED, ("2.10.2",), False)


@pytest.mark.parametrize(
    "phase", [Phase.UNASSIGNED, Phase.ASSIGNED, Phase.SETTING_UP, Phase.READY, Phase.RELEASED]
)
def test_without_a_game_there_is_no_sowing(phase: Phase) -> None:
    """Stones are set up, analysed and poured then."""
    ruling = rule_sowing(CLASSICAL, replace(WRONG, phase=phase))
    assert (ruling.code, ruling.in_time, ruling.ends) == (Code.SOWING_NO_GAME, False, Ends.LET_STAND)


def test_before_the_press_nothing_is_an_offence() -> None:
    """House law 5: stones are put right."""
    ruling = rule_sowing(CLASSICAL, replace(WRONG, committed=False))
    assert (ruling.code, ruling.ends, ruling.in_time) == (Code.SOWING_NOT_COMMITTED, Ends.LET_STAND, False)
    assert (ruling.warns, ruling.alternatives) == ((), ())


@pytest.mark.parametrize("speaker", [Speaker.BASTAUSHY, Speaker.QOSTAUSHY, Speaker.ARBITER, Speaker.BOARD])
def test_players_arbiter_and_board_are_heard(speaker: Speaker) -> None:
    """The offender himself as well."""
    assert rule_sowing(CLASSICAL, replace(WRONG, speaker=speaker)).in_time


def test_spectators_and_coaches_are_not_heard() -> None:
    """They may not speak of the course of a game (2.3.11, 2.3.12)."""
    ruling = rule_sowing(CLASSICAL, replace(WRONG, speaker=Speaker.OTHER))
    assert (ruling.code, ruling.articles) == (Code.SOWING_NOT_HEARD, ("2.3.11", "2.3.12"))
    assert not ruling.in_time


@pytest.mark.parametrize(
    ("offence", "articles"),
    [
        (Offence.ILLEGAL_CAPTURE, ("1.3.2",)),
        (Offence.ILLEGAL_TUZDYK, ("1.4.1", "1.4.3")),
        (Offence.STONES_IN_TUZDYK, ("1.4.2", "1.4.4")),
    ],
)
def test_a_ruling_rests_on_what_was_wrong(offence: Offence, articles: tuple[str, ...]) -> None:
    """A capture, a tuzdyk, stones kept in one."""
    ruling = rule_sowing(CLASSICAL, replace(WRONG, offence=offence))
    assert ruling.articles == (*articles, "2.4.5", "2.4.6")


@given(
    CONDUCTS,
    st.builds(
        SowingOffence,
        offender=st.sampled_from(Side),
        speaker=st.sampled_from(Speaker),
        nth=st.integers(1, 6),
        plies_since=st.integers(0, 3),
        phase=st.sampled_from(Phase),
        reply_begun=st.booleans(),
        signed=st.booleans(),
    ),
)
def test_the_arbiter_can_always_do_all_three(conduct: Conduct, told: SowingOffence) -> None:
    """Whatever is proposed, the other two ends are its alternatives; they are as much in time as it is."""
    ruling = rule_sowing(conduct, told)
    if ruling.code is Code.SOWING_NO_GAME:
        assert ruling.alternatives == ()
        return
    rulings = [each for each in ruling.alternatives if isinstance(each, SowingRuling)]
    ends = [ruling.ends, *(other.ends for other in rulings)]
    assert sorted(each.value for each in ends) == ["correct", "let_stand", "restore"]
    assert ruling.in_time is (ruling.ends is not Ends.LET_STAND)
    assert [other.in_time for other in rulings] == [ruling.in_time, ruling.in_time]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"nth": 0}, "offences are counted from 1, not 0"),
        ({"plies_since": -1}, "-1 plies cannot have been completed since"),
    ],
)
def test_what_cannot_have_happened_is_refused(change: dict[str, int], text: str) -> None:
    """There is no zeroth offence."""
    with pytest.raises(ConductError) as caught:
        replace(WRONG, **change)  # type: ignore[arg-type] # the cases hold integers
    assert str(caught.value) == text


def test_the_policy_by_itself_is_the_classical_one() -> None:
    """So that an event that names another window keeps all else."""
    assert SowingPolicy() == CLASSICAL.sowing
