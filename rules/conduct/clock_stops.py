"""A clock that was stopped, and one that is set down late."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.clock import LEAST_LATE_CLOCK_US, Pair, late_clock
from rules.conduct.codes import Code
from rules.conduct.offences import Offence, articles_of
from rules.conduct.options import Conduct
from rules.conduct.penalties import time_penalty
from rules.conduct.proposal import ClockAction, Proposal
from rules.errors import ConductError
from rules.position import Side


def stopped_for_arbiter(side: Side) -> Proposal:
    """Return that a player stops the clock to address the arbiter: he may (2.7.15), and the arbiter comes."""
    return Proposal(code=Code.ARBITER_CALLED, articles=("2.7.15",), side=side, clock=ClockAction.STOP)


def stop_judged(conduct: Conduct, side: Side, running: Side, dials_us: Pair, *, groundless: bool) -> Proposal:
    """Return what follows when the arbiter has heard why `side` stopped the clock; the game goes on.

    Args:
        conduct: The options: the penalty for stopping it groundlessly is not said (2.7.15).
        side: Who stopped it.
        running: Whose dial had run.
        dials_us: What both dials show, in microseconds.
        groundless: Whether the arbiter found no ground.
    """
    if not groundless:
        return _goes_on(Code.STOP_GROUNDED, ("2.7.15",), running, side)
    groundless_articles = articles_of(Offence.STOPPED_CLOCK_GROUNDLESSLY)
    if conduct.groundless_stop == "none":
        return _goes_on(Code.STOP_GROUNDLESS, groundless_articles, running, side)
    if conduct.groundless_stop == "time":
        penalty = time_penalty(conduct, side, dials_us)
        return replace(
            penalty,
            code=Code.STOP_GROUNDLESS,
            articles=(*groundless_articles, *penalty.articles),
            clock=ClockAction.RUN,
            runs=running,
        )
    return Proposal(
        code=Code.STOP_GROUNDLESS,
        articles=(*groundless_articles, "2.4.6"),
        side=side,
        warns=(side,),
        clock=ClockAction.RUN,
        runs=running,
    )


def stopped_by_mistake(running: Side) -> Proposal:
    """Return that a game goes on whose clock an arbiter stopped by mistake (2.7.18)."""
    return _goes_on(Code.STOPPED_BY_MISTAKE, ("2.7.18",), running, None)


def _goes_on(code: Code, articles: tuple[str, ...], running: Side, side: Side | None) -> Proposal:
    return Proposal(code=code, articles=articles, side=side, clock=ClockAction.RUN, runs=running)


@dataclass(frozen=True, slots=True, kw_only=True)
class DialsProposal(Proposal):
    """Dials that are to be set.

    Attributes:
        dials_us: What both are to show, in microseconds.
    """

    dials_us: Pair


def set_down_late(session_left_us: int) -> DialsProposal:
    """Return the dials of a clock that is set down after the start (2.7.11).

    The time left of the session in two equal halves; near its end no less than fifteen minutes for each.

    Raises:
        ConductError: The time left is negative.
    """
    if session_left_us < 0:
        raise ConductError(f"{session_left_us} us cannot be left of a session: 0 or more")
    least = session_left_us // 2 < LEAST_LATE_CLOCK_US
    return DialsProposal(
        code=Code.LATE_CLOCK_LEAST if least else Code.LATE_CLOCK_HALVES,
        articles=("2.7.11",),
        dials_us=late_clock(session_left_us),
    )
