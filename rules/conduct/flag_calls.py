"""Who may call a flag, and what a called flag gives; quotas of moves.

A flag loses nothing by itself. The arbiter or one of the two players calls it (2.9.9), an electronic clock at
zero is announced by the arbiter (2.9.10); what the kazans make of it, `rules.flags` knows.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.clock import ClockState, Pair
from rules.conduct.codes import Code
from rules.conduct.options import Conduct
from rules.conduct.proposal import ClockAction, Proposal, Speaker, lost_by
from rules.errors import ConductError
from rules.flags import FlagOutcome, flag_verdict
from rules.position import Side

BOTH_FLAGS_ADD_US = 5 * 60 * 1_000_000
"""What the arbiter may give both when nobody knows whose flag fell first (2.7.14)."""

_CODES = {
    FlagOutcome.LOSES: Code.FLAG_LOSES,
    FlagOutcome.WINS: Code.FLAG_WINS,
    FlagOutcome.DRAW: Code.FLAG_DRAWS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagCall:
    """A flag that somebody calls.

    Attributes:
        speaker: Who calls it.
        flags: Whose flag is down.
        kazans: Stones in both kazans; with a move under way, after it was completed (2.9.8).
        kazans_before: Stones in both before the move during which the flag fell; None: no move was under way.
        first: Whose flag fell first; None: nobody knows, or only one is down.
        to_check: Whether a quota of moves is open, so that the moves made have to be checked first (2.7.13).
    """

    speaker: Speaker
    flags: tuple[bool, bool]
    kazans: Pair
    kazans_before: Pair | None = None
    first: Side | None = None
    to_check: bool = False


def may_call(conduct: Conduct, speaker: Speaker) -> bool:
    """Return whether somebody may say that a flag has fallen (2.9.9)."""
    if speaker is Speaker.ARBITER:
        return True
    return speaker.side is not None and conduct.flag_callers == "arbiter_and_players"


def at_zero(side: Side) -> Proposal:
    """Return that the arbiter announces an electronic dial at zero (2.9.10): `side` has not lost by that."""
    return Proposal(code=Code.FLAG_ANNOUNCED, articles=("2.9.10",), side=side)


def flag_called(conduct: Conduct, call: FlagCall) -> Proposal:
    """Return what a called flag gives."""
    if not may_call(conduct, call.speaker):
        return Proposal(code=Code.FLAG_CALL_NOT_HEARD, articles=("2.9.9",))
    if not any(call.flags):
        return Proposal(code=Code.NO_FLAG_DOWN, articles=("2.9.9",), side=call.speaker.side)
    if call.to_check:
        return Proposal(code=Code.FLAG_CHECK_MOVES, articles=("2.7.13",), clock=ClockAction.STOP)
    kazans = call.kazans
    if call.kazans_before is not None and conduct.completed_move == "does_not_count":
        kazans = call.kazans_before
    first = call.first if conduct.both_flags == "by_order" else None
    verdict = flag_verdict(kazans, call.flags, first=first, even=conduct.even_kazan)
    assert verdict is not None, "a flag is down"
    if verdict.outcome is FlagOutcome.DISCRETION:
        return _both_down(conduct) if verdict.side is None else _silent(verdict.side)
    under_way = () if call.kazans_before is None else ("2.9.8",)
    return Proposal(
        code=_CODES[verdict.outcome],
        articles=(*verdict.articles, *under_way),
        side=verdict.side,
        score=verdict.result,
        clock=ClockAction.STOP,
    )


def _silent(side: Side) -> Proposal:
    """Return what exactly 81 give where the event leaves it to the arbiter: the choices he has."""
    draw = Proposal(code=Code.FLAG_DRAWS, articles=("000",), side=side, score="1/2-1/2")
    loss = Proposal(code=Code.FLAG_LOSES, articles=(), side=side, score=lost_by(side))
    return Proposal(
        code=Code.FLAG_AT_HALF,
        articles=("2.4.5",),
        side=side,
        clock=ClockAction.STOP,
        alternatives=(draw, loss),
    )


def _both_down(conduct: Conduct) -> Proposal:
    """Return what two flags give whose order does not decide: five minutes for each, or what is left then."""
    if conduct.both_flags_declined == "draw":
        declined = Proposal(code=Code.BOTH_FLAGS_DRAW, articles=(), score="1/2-1/2")
    else:
        declined = Proposal(code=Code.BOTH_FLAGS_DISCRETION, articles=("2.4.5",))
    return Proposal(
        code=Code.BOTH_FLAGS_ADD_TIME,
        articles=("2.7.14",),
        adds_us=(BOTH_FLAGS_ADD_US, BOTH_FLAGS_ADD_US),
        clock=ClockAction.STOP,
        alternatives=(declined,),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaCheck(Proposal):
    """What the check of the moves made gives (2.7.13).

    Attributes:
        due: How many moves had to be made by then.
        made: How many were.
    """

    due: int
    made: int


def check_quota(clock: ClockState, side: Side, made: int) -> QuotaCheck | None:
    """Return whether `side` has made the moves of his period; None: no quota is open for him.

    Made: the game goes on, and the next period's time is added to what he has left (2.7.16), by
    `rules.clock.count_moves`. Not made: his flag stays down; what that gives, `flag_called` says.

    Args:
        clock: Both dials.
        side: Whose flag fell.
        made: How many moves he has made, 0 or more, as the arbiter counts them.

    Raises:
        ConductError: `made` is negative.
    """
    if made < 0:
        raise ConductError(f"{made} moves cannot have been made: 0 or more")
    periods = clock.control.periods[: clock.period[side.index] + 1]
    if not periods or periods[-1].moves is None:
        return None
    due = sum(period.moves or 0 for period in periods)
    if made >= due:
        return QuotaCheck(
            code=Code.QUOTA_MADE,
            articles=("2.7.13", "2.7.16"),
            side=side,
            due=due,
            made=made,
        )
    return QuotaCheck(
        code=Code.QUOTA_MISSED,
        articles=("2.7.13", "2.6.3"),
        side=side,
        clock=ClockAction.STOP,
        due=due,
        made=made,
    )
