"""What ends a game besides the stones and the flag: resignation, refusal, phone, lateness (2.6.3)."""

from __future__ import annotations

from dataclasses import replace

from rules.clock import ClockState, Pair, lateness_forfeits, lateness_us
from rules.conduct.codes import Code
from rules.conduct.offences import Offence, articles_of, breach
from rules.conduct.options import Conduct
from rules.conduct.proposal import Decider, Proposal, lost_by
from rules.errors import ConductError
from rules.position import Side

SIGN_WITHIN_US = 30 * 60 * 1_000_000
"""Who has not signed by then, with no protest filed, is warned (2.10.9)."""


def resigned(side: Side) -> Proposal:
    """Return the loss of a player who admits it (2.6.3)."""
    return Proposal(code=Code.RESIGNED, articles=("2.6.3",), side=side, score=lost_by(side))


def refused_to_continue(side: Side, *, justified: bool | None) -> Proposal:
    """Return what follows when `side` will not play on.

    Args:
        side: Who.
        justified: Whether he has a reason; None: nobody has judged that yet.
    """
    loss = Proposal(code=Code.REFUSED_TO_CONTINUE, articles=("2.6.3",), side=side, score=lost_by(side))
    postponed = Proposal(code=Code.REFUSED_WITH_REASON, articles=("2.8.1",), decider=Decider.PANEL, side=side)
    if justified is None:
        return Proposal(
            code=Code.REFUSAL_TO_BE_JUDGED, articles=("2.6.3",), side=side, alternatives=(loss, postponed)
        )
    return postponed if justified else loss


def phone_on(side: Side) -> Proposal:
    """Return the loss of a player whose phone was found switched on (2.3.10, 2.4.9)."""
    return breach(Offence.PHONE, side)


def late(
    conduct: Conduct, late_us: Pair, clock: ClockState, at_us: int, *, ran: tuple[bool, bool] = (False, False)
) -> tuple[Proposal, ...]:
    """Return what follows from coming late; () where nobody was.

    More than thirty minutes lose (2.7.6); what is written then is `+` and `-` (2.6.4). All else is charged to
    the late player's dial, as far as it goes.

    Args:
        conduct: The options.
        late_us: How late both are in microseconds, 0 or more; who has not come at all is as late as now.
        clock: Both dials.
        at_us: The moment of the charge, in table time.
        ran: Whose dial has run while he was missing, so that the lateness is charged already.

    Raises:
        ConductError: A lateness is negative.
    """
    for side in Side:
        if late_us[side.index] < 0:
            raise ConductError(f"{side.value} cannot be {late_us[side.index]} us late: 0 or more")
    forfeits = [side for side in Side if lateness_forfeits(late_us[side.index])]
    if len(forfeits) == 2:
        return (_both_late(conduct),)
    if forfeits:
        return (
            Proposal(
                code=Code.LATE_LOSES,
                articles=("2.7.6", "2.6.3", "2.6.4"),
                side=forfeits[0],
                score="-/+" if forfeits[0] is Side.BASTAUSHY else "+/-",
            ),
        )
    return tuple(
        _charged(
            conduct,
            side,
            (0, 0) if ran[side.index] else lateness_us(clock, side, late_us[side.index], at_us),
        )
        for side in Side
        if late_us[side.index]
    )


def _both_late(conduct: Conduct) -> Proposal:
    """Return what two players give who are both too late: the game is over (2.6.3), its score not said."""
    if conduct.both_late == "both_lose":
        return Proposal(code=Code.BOTH_LATE, articles=("2.6.3", "2.7.6"), score="-/-")
    return Proposal(code=Code.BOTH_LATE, articles=("2.6.3", "2.4.5"), decider=Decider.PANEL)


def _charged(conduct: Conduct, side: Side, adds_us: Pair) -> Proposal:
    """Return the charge for a lateness that does not lose, with the warning it may earn (2.3.3)."""
    charged = Proposal(code=Code.LATE_CHARGED, articles=("2.7.6",), side=side, adds_us=adds_us)
    warned = Proposal(
        code=Code.LATE_CHARGED_AND_WARNED,
        articles=("2.7.6", *articles_of(Offence.LATE)),
        side=side,
        adds_us=adds_us,
        warns=(side,),
    )
    if conduct.late_warning == "always":
        return warned
    return charged if conduct.late_warning == "never" else replace(charged, alternatives=(warned,))


def unsigned(side: Side, since_end_us: int, *, protested: bool) -> Proposal | None:
    """Return the warning of a player who has not signed in time (2.10.9); None: none is due.

    Args:
        side: Who has not signed.
        since_end_us: How long ago the game ended, in microseconds.
        protested: Whether a protest was filed.
    """
    if protested or since_end_us <= SIGN_WITHIN_US:
        return None
    return breach(Offence.SHEET_NOT_SIGNED, side)
