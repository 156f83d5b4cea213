"""Penalties beside the ladder: what an arbiter may do with time (2.4.8), and the chief panel (2.4.7)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from rules.clock import Pair
from rules.conduct.codes import Code
from rules.conduct.options import Conduct
from rules.conduct.proposal import Decider, Proposal, for_side, lost_by
from rules.errors import ConductError
from rules.position import Side


class PanelPenalty(Enum):
    """What the chief panel may impose (2.4.7)."""

    LOSS = "loss"
    """The player loses his game."""
    WARN_REPRESENTATIVE = "warn_representative"
    """His representative or coach is warned."""
    EXPEL_PLAYER = "expel_player"
    EXPEL_REPRESENTATIVE = "expel_representative"
    TEAM_LOSES = "team_loses"
    """A team that fielded somebody who is not registered loses its match of that round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelProposal(Proposal):
    """What the panel is asked.

    Attributes:
        penalty: Which penalty.
    """

    penalty: PanelPenalty


_CODES = {
    PanelPenalty.LOSS: Code.PANEL_LOSS,
    PanelPenalty.WARN_REPRESENTATIVE: Code.PANEL_WARNS_REPRESENTATIVE,
    PanelPenalty.EXPEL_PLAYER: Code.PANEL_EXPELS_PLAYER,
    PanelPenalty.EXPEL_REPRESENTATIVE: Code.PANEL_EXPELS_REPRESENTATIVE,
    PanelPenalty.TEAM_LOSES: Code.PANEL_TEAM_LOSES,
}


def panel_penalty(penalty: PanelPenalty, side: Side) -> PanelProposal:
    """Return a penalty of the panel for the player `side`, or for those who stand behind him.

    Only a loss is a score of this game: what an expulsion does to it, 2.6.10 says by the system of the event,
    and a team's loss counts whatever was played.
    """
    return PanelProposal(
        code=_CODES[penalty],
        articles=("2.4.7", "2.3") if penalty is PanelPenalty.TEAM_LOSES else ("2.4.7",),
        decider=Decider.PANEL,
        side=side,
        score=lost_by(side) if penalty is PanelPenalty.LOSS else None,
        penalty=penalty,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePenalty(Proposal):
    """What is proposed to be done with time.

    Attributes:
        takes_us: What the offender loses in microseconds; None: the arbiter names it.
        gives_us: What his opponent gains in microseconds; None: the arbiter names it.
        cut: Whether less is taken than was meant, because his dial shows no more.
    """

    takes_us: int | None
    gives_us: int | None
    cut: bool


def time_penalty(
    conduct: Conduct,
    offender: Side,
    dials_us: Pair,
    *,
    takes_ms: int | None = None,
    gives_ms: int | None = None,
) -> TimePenalty:
    """Return what is taken from the offender and given to his opponent (2.4.8); `adds_us` fits the dials.

    Args:
        conduct: The options, whose amounts are proposed where none is given.
        offender: Who is to lose time.
        dials_us: What both dials show in microseconds: no dial is taken below zero.
        takes_ms: What the arbiter takes, in milliseconds, 0 or more; None: as the event has chosen.
        gives_ms: What he gives, likewise.

    Raises:
        ConductError: An amount is negative.
    """
    takes_us = _amount_us("taken", takes_ms, conduct.penalty_takes_ms)
    gives_us = _amount_us("given", gives_ms, conduct.penalty_gives_ms)
    has_us = dials_us[offender.index]
    taken_us = min(takes_us or 0, has_us)
    own, other = for_side(offender, -taken_us), for_side(offender.opponent, gives_us or 0)
    return TimePenalty(
        code=Code.TIME_PENALTY,
        articles=("2.4.8",),
        decider=Decider.ARBITER_WITH_CHIEF,
        side=offender,
        adds_us=(own[0] + other[0], own[1] + other[1]),
        takes_us=takes_us,
        gives_us=gives_us,
        cut=takes_us is not None and takes_us > has_us,
    )


def _amount_us(what: str, said_ms: int | None, chosen_ms: int | None) -> int | None:
    amount_ms = chosen_ms if said_ms is None else said_ms
    if amount_ms is None:
        return None
    if amount_ms < 0:
        raise ConductError(f"{amount_ms} ms cannot be {what}: 0 or more")
    return amount_ms * 1000
