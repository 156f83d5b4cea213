"""What happens to an illegal sowing, as the event has chosen (requirement 94); the arbiter may overrule it.

The regulations say how a move is made (1.3.1) and not what becomes of one made wrongly, so the panel decides
by analogy (2.4.5). Before the press nothing is an offence: stones are put right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from rules.conduct.codes import Code
from rules.conduct.ladder import LADDER, WarningStep
from rules.conduct.offences import Offence, articles_of
from rules.conduct.options import Conduct, SowingPolicy
from rules.conduct.proposal import ClockAction, Proposal, Speaker
from rules.errors import ConductError, shown
from rules.phases import Phase
from rules.position import Side


class Ends(Enum):
    """What becomes of the sowing."""

    CORRECT = "correct"
    """It is put right, with the pit that was played."""
    RESTORE = "restore"
    """The position before it is restored, and its player moves anew."""
    LET_STAND = "let_stand"
    """The stones stay where they lie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SowingOffence:
    """An illegal sowing that somebody points out.

    Attributes:
        offender: Whose sowing it was.
        speaker: Who points it out.
        nth: Which of his illegal sowings it is, 1 or more.
        plies_since: How many plies were completed after it, 0 or more.
        phase: Where in its life the table is.
        committed: Whether the press, or stones at rest in a finished position, has made it a move.
        reply_begun: Whether the opponent has lifted stones for a reply that is not completed.
        signed: Whether the one who speaks has accepted the result already.
        offence: What was wrong with it.

    Raises:
        ConductError: A number is out of its range.
    """

    offender: Side
    speaker: Speaker
    nth: int
    plies_since: int
    phase: Phase = Phase.PLAYING
    committed: bool = True
    reply_begun: bool = False
    signed: bool = False
    offence: Offence = Offence.ILLEGAL_SOWING

    def __post_init__(self) -> None:
        if self.nth < 1:
            raise ConductError(f"offences are counted from 1, not {shown(self.nth)}")
        if self.plies_since < 0:
            raise ConductError(f"{shown(self.plies_since)} plies cannot have been completed since")


@dataclass(frozen=True, slots=True, kw_only=True)
class SowingRuling(Proposal):
    """What is proposed for an illegal sowing.

    Attributes:
        ends: What becomes of it.
        in_time: Whether it was pointed out in time, by somebody who is heard.
        put_right_on: While whose dial it is put right; None: nobody's.
        takes_back: How many plies after it, a reply only begun included, are taken back with it.
        step: Which warning it earns; None: none.
    """

    ends: Ends
    in_time: bool
    put_right_on: Side | None = None
    takes_back: int = 0
    step: WarningStep | None = None


def rule_sowing(conduct: Conduct, told: SowingOffence, step: WarningStep = LADDER[0]) -> SowingRuling:
    """Return what is proposed for an illegal sowing; what else the arbiter may do are its alternatives.

    Args:
        conduct: The options.
        told: What is pointed out.
        step: Which warning would be the next for the offender (`ladder.next_step`).
    """
    if not told.committed:
        return SowingRuling(
            code=Code.SOWING_NOT_COMMITTED,
            articles=("2.7.7",),
            side=told.offender,
            ends=Ends.LET_STAND,
            in_time=False,
        )
    put_right = _put_right(conduct, told, step)
    late = _too_late(conduct.sowing, told)
    if late is None:
        return replace(put_right, alternatives=(_other_remedy(put_right), _stands(put_right)))
    code, articles = late
    put_right = replace(put_right, in_time=False)
    return SowingRuling(
        code=code,
        articles=articles,
        side=told.offender,
        ends=Ends.LET_STAND,
        in_time=False,
        alternatives=() if code is Code.SOWING_NO_GAME else (put_right, _other_remedy(put_right)),
    )


def _too_late(policy: SowingPolicy, told: SowingOffence) -> tuple[Code, tuple[str, ...]] | None:
    """Return why the claim is not heard; None: it is in time."""
    if told.speaker is Speaker.OTHER:
        return Code.SOWING_NOT_HEARD, ("2.3.11", "2.3.12")
    if told.phase not in (Phase.PLAYING, Phase.SUSPENDED, Phase.ENDED):
        return Code.SOWING_NO_GAME, ()
    if told.signed:
        return Code.SOWING_RESULT_SIGNED, ("2.10.2",)
    if policy.window == "whole_game":
        return None
    if told.plies_since or (policy.window == "until_reply_begun" and told.reply_begun):
        return Code.SOWING_CLAIMED_LATE, ()
    return None


def _put_right(conduct: Conduct, told: SowingOffence, step: WarningStep) -> SowingRuling:
    """Return the ruling of the policy for a claim that is heard."""
    policy = conduct.sowing
    warns = policy.first_warns if told.nth == 1 else policy.repeated_warns
    restores = policy.remedy == "restore" or told.plies_since > 0
    clock, runs = _clock(policy, told)
    return SowingRuling(
        code=Code.SOWING_RESTORED if restores else Code.SOWING_CORRECTED,
        articles=(
            *articles_of(told.offence),
            *(() if conduct.touch_move else ("2.9.6", "2.9.7")),
            "2.4.5",
            *(step.articles if warns else ()),
        ),
        side=told.offender,
        warns=(told.offender,) if warns else (),
        clock=clock,
        runs=runs,
        ends=Ends.RESTORE if restores else Ends.CORRECT,
        in_time=True,
        put_right_on=told.offender if policy.on_offenders_time else None,
        takes_back=told.plies_since + told.reply_begun,
        step=step if warns else None,
    )


def _clock(policy: SowingPolicy, told: SowingOffence) -> tuple[ClockAction, Side | None]:
    """Return what the policy does with a clock that may run, and whose dial is to run."""
    if told.phase is not Phase.PLAYING:
        return ClockAction.KEEP, None
    if policy.clock == "stops":
        return ClockAction.STOP, None
    if policy.on_offenders_time:
        return ClockAction.RUN, told.offender
    return ClockAction.KEEP, None


def _other_remedy(ruling: SowingRuling) -> SowingRuling:
    """Return the same ruling with the sowing restored instead of corrected, or the other way about."""
    if ruling.ends is Ends.CORRECT:
        return replace(ruling, code=Code.SOWING_RESTORED, ends=Ends.RESTORE)
    return replace(ruling, code=Code.SOWING_CORRECTED, ends=Ends.CORRECT)


def _stands(ruling: SowingRuling) -> SowingRuling:
    """Return that the arbiter lets a sowing stand that was claimed in time."""
    return SowingRuling(
        code=Code.SOWING_STANDS,
        articles=("2.4.5",),
        side=ruling.side,
        ends=Ends.LET_STAND,
        in_time=True,
    )
