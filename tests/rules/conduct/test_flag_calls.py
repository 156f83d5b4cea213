"""Who may call a flag, and what it gives then."""

from dataclasses import replace

import pytest

from rules import PRESETS, ConductError, Side
from rules.clock import count_moves, new_clock
from rules.conduct.codes import Code
from rules.conduct.flag_calls import FlagCall, at_zero, check_quota, flag_called, may_call
from rules.conduct.options import BLITZ, CLASSICAL
from rules.conduct.proposal import ClockAction, Decider, Speaker
from rules.time_control import NO_CLOCK

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
FIVE_MINUTES_US = 300_000_000
CALL = FlagCall(speaker=Speaker.QOSTAUSHY, flags=(True, False), kazans=(40, 50))
BOTH = replace(CALL, flags=(True, True))


@pytest.mark.parametrize(
    ("speaker", "may"),
    [
        (Speaker.ARBITER, True),
        (Speaker.BASTAUSHY, True),
        (Speaker.QOSTAUSHY, True),
        (Speaker.BOARD, False),
        (Speaker.OTHER, False),
    ],
)
def test_requirement_44_only_the_arbiter_or_a_player_calls_a_flag(speaker: Speaker, *, may: bool) -> None:
    """2.9.9: not the board, and nobody who watches."""
    assert may_call(BLITZ, speaker) is may
    found = flag_called(BLITZ, replace(CALL, speaker=speaker))
    assert (found.code is not Code.FLAG_CALL_NOT_HEARD) is may
    if not may:
        assert (found.articles, found.score, found.clock) == (("2.9.9",), None, ClockAction.KEEP)


def test_requirement_44_an_event_may_leave_it_to_the_arbiter_alone() -> None:
    """Then a player's word is not enough."""
    conduct = replace(CLASSICAL, flag_callers="arbiter")
    assert [may_call(conduct, speaker) for speaker in Speaker] == [False, False, True, False, False]


def test_requirement_44_an_electronic_dial_at_zero_is_announced_and_loses_nothing() -> None:
    """2.9.10."""
    found = at_zero(B)
    assert (found.code, found.articles, found.side) == (Code.FLAG_ANNOUNCED, ("2.9.10",), B)
    assert (found.score, found.clock) == (None, ClockAction.KEEP)


def test_a_flag_that_is_up_cannot_be_called() -> None:
    """Nothing follows."""
    found = flag_called(CLASSICAL, replace(CALL, flags=(False, False)))
    assert (found.code, found.score, found.side) == (Code.NO_FLAG_DOWN, None, Q)


@pytest.mark.parametrize(
    ("kazan", "code", "score", "articles"),
    [
        (80, Code.FLAG_LOSES, "0-1", ("2.7.12", "2.6.3")),
        (81, Code.FLAG_DRAWS, "1/2-1/2", ("000",)),
        (82, Code.FLAG_WINS, "1-0", ("2.6.7", "1.3.5")),
    ],
)
def test_requirement_29_the_kazan_decides(
    kazan: int, code: Code, score: str, articles: tuple[str, ...]
) -> None:
    """Below 81 lost, 81 a draw, 82 won."""
    found = flag_called(CLASSICAL, replace(CALL, kazans=(kazan, 0)))
    assert (found.code, found.score, found.articles) == (code, score, articles)
    assert (found.side, found.clock, found.decider) == (B, ClockAction.STOP, Decider.ARBITER)


def test_requirement_29_exactly_half_is_an_option() -> None:
    """Lost, or left to the arbiter, who then chooses between the two."""
    half = replace(CALL, kazans=(81, 10))
    lost = flag_called(replace(CLASSICAL, even_kazan="loses"), half)
    assert (lost.code, lost.score, lost.articles) == (Code.FLAG_LOSES, "0-1", ())
    left = flag_called(replace(CLASSICAL, even_kazan="discretion"), half)
    assert (left.code, left.score, left.side) == (Code.FLAG_AT_HALF, None, B)
    assert [(each.code, each.score) for each in left.alternatives] == [
        (Code.FLAG_DRAWS, "1/2-1/2"),
        (Code.FLAG_LOSES, "0-1"),
    ]


def test_requirement_43_a_move_under_way_is_completed_and_counts() -> None:
    """2.9.8, and then 29 is applied; an event may leave the move out."""
    call = replace(CALL, kazans=(82, 50), kazans_before=(70, 50))
    found = flag_called(BLITZ, call)
    assert (found.code, found.score) == (Code.FLAG_WINS, "1-0")
    assert found.articles == ("2.6.7", "1.3.5", "2.9.8")
    strict = flag_called(replace(BLITZ, completed_move="does_not_count"), call)
    assert (strict.code, strict.score) == (Code.FLAG_LOSES, "0-1")
    assert flag_called(replace(BLITZ, completed_move="does_not_count"), CALL).score == "0-1"


@pytest.mark.parametrize(("first", "score"), [(B, "0-1"), (Q, "1-0")])
def test_requirement_30_an_electronic_clock_knows_the_order(first: Side, score: str) -> None:
    """Whose fell first has lost."""
    found = flag_called(CLASSICAL, replace(BOTH, first=first))
    assert (found.code, found.score, found.side) == (Code.FLAG_LOSES, score, first)


def test_requirement_30_without_an_order_five_minutes_each() -> None:
    """2.7.14, and if the arbiter declines, the decision is his."""
    found = flag_called(CLASSICAL, BOTH)
    assert (found.code, found.articles, found.score) == (Code.BOTH_FLAGS_ADD_TIME, ("2.7.14",), None)
    assert (found.adds_us, found.side) == ((FIVE_MINUTES_US, FIVE_MINUTES_US), None)
    assert [each.code for each in found.alternatives] == [Code.BOTH_FLAGS_DISCRETION]


def test_requirement_30_the_order_can_be_left_aside_and_the_outcome_chosen() -> None:
    """Both by option."""
    conduct = replace(CLASSICAL, both_flags="discretion", both_flags_declined="draw")
    found = flag_called(conduct, replace(BOTH, first=B))
    assert found.code is Code.BOTH_FLAGS_ADD_TIME
    assert [(each.code, each.score) for each in found.alternatives] == [(Code.BOTH_FLAGS_DRAW, "1/2-1/2")]


def test_requirement_28_at_a_quota_the_moves_are_checked_first() -> None:
    """2.7.13: the arbiter stops the clocks; nobody has lost yet."""
    found = flag_called(CLASSICAL, replace(CALL, to_check=True))
    assert (found.code, found.articles) == (Code.FLAG_CHECK_MOVES, ("2.7.13",))
    assert (found.clock, found.score) == (ClockAction.STOP, None)


@pytest.mark.parametrize(("preset", "due"), [("classical-90m-30m", 30), ("classical-60m-30m", 20)])
def test_requirement_28_a_quota_is_made_or_missed(preset: str, due: int) -> None:
    """30 moves in 90 minutes, 20 in 60 (2.7.4); what is left goes into the next period (2.7.16)."""
    clock = new_clock(PRESETS[preset])
    made = check_quota(clock, B, due)
    assert made is not None
    assert (made.code, made.articles) == (Code.QUOTA_MADE, ("2.7.13", "2.7.16"))
    missed = check_quota(clock, Q, due - 1)
    assert missed is not None
    assert (missed.code, missed.articles, missed.clock) == (
        Code.QUOTA_MISSED,
        ("2.7.13", "2.6.3"),
        ClockAction.STOP,
    )
    assert (missed.due, missed.made, missed.score) == (due, due - 1, None)


@pytest.mark.parametrize("control", [PRESETS["classical-2h"], NO_CLOCK])
def test_without_a_quota_nothing_is_checked(control: object) -> None:
    """One period, or no clock at all."""
    assert check_quota(new_clock(control), B, 12) is None  # type: ignore[arg-type] # two controls


def test_after_the_quota_there_is_none() -> None:
    """The last period is for the rest of the game."""
    clock = count_moves(new_clock(PRESETS["classical-90m-30m"]), B, 30, 0)
    assert check_quota(clock, B, 35) is None
    assert check_quota(clock, Q, 29) is not None


def test_moves_are_not_unmade() -> None:
    """None made is a count; a negative one is a mistake of the caller."""
    none = check_quota(new_clock(PRESETS["classical-90m-30m"]), B, 0)
    assert none is not None
    assert none.code is Code.QUOTA_MISSED
    with pytest.raises(ConductError, match=r"^-1 moves cannot have been made: 0 or more$"):
        check_quota(new_clock(PRESETS["classical-2h"]), B, -1)
