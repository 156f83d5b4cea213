"""The start of a game, and complaints about how the stones lay."""

from __future__ import annotations

from rules.conduct.codes import Code
from rules.conduct.options import Conduct
from rules.conduct.proposal import ClockAction, Proposal
from rules.position import Side


def opened(conduct: Conduct, *, announced: bool, ready: tuple[bool, bool], setup_ok: bool) -> Proposal:
    """Return whether bastaushy's clock is started now, and what is waited for if not.

    Args:
        conduct: The options: on the arbiter's announcement (2.7.5), at once for all and also for who is not
            there yet (2.7.6), or at each board when both are ready (2.9.4).
        announced: Whether the arbiter has announced the round.
        ready: Who has confirmed that he is ready.
        setup_ok: Whether nine stones lie in each pit; the players check it before (2.9.5).
    """
    if not setup_ok:
        return Proposal(code=Code.START_WAITS_FOR_SETUP, articles=("1.1.3", "2.9.5"))
    if conduct.start == "announcement":
        if not announced:
            return Proposal(code=Code.START_WAITS_FOR_ANNOUNCEMENT, articles=("2.7.5",))
        return _started("2.7.5")
    missing = [side for side in Side if not ready[side.index]]
    if missing:
        only = missing[0] if len(missing) == 1 else None
        return Proposal(code=Code.START_WAITS_FOR_PLAYERS, articles=("2.9.4",), side=only)
    return _started("2.9.4")


def _started(article: str) -> Proposal:
    return Proposal(code=Code.START_CLOCK, articles=(article,), clock=ClockAction.RUN, runs=Side.BASTAUSHY)


def setup_complaint(conduct: Conduct, side: Side, *, started: bool) -> Proposal:
    """Return whether a complaint about the set-up is heard: in rapid and blitz not after the start (2.9.5).

    For other games the regulations do not say it.
    """
    if not started:
        return Proposal(code=Code.SETUP_TO_BE_PUT_RIGHT, articles=("1.1.3",), side=side)
    if conduct.setup_complaints:
        return Proposal(
            code=Code.SETUP_COMPLAINT_HEARD,
            articles=("1.1.3", "2.4.5"),
            side=side,
            clock=ClockAction.STOP,
        )
    return Proposal(code=Code.SETUP_COMPLAINT_LATE, articles=("2.9.5",), side=side)
