"""Offers of a draw (2.6.6, 2.6.8, 2.6.9): after the move, before the press, once in a game for each player.

What was offered, and whose offer still waits, the fold keeps (`rules.state.Game`), as long as the event chose
when the game was given out: until the opponent's move is final or he refuses, or until he refuses. The
regulations do not say it. One who offers again disturbs his opponent (2.3.9), and nothing is on offer by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from rules.conduct.codes import Code
from rules.conduct.offences import Offence, breach
from rules.conduct.options import Conduct
from rules.conduct.proposal import Proposal
from rules.position import Side
from rules.state import Game


class OfferMoment(Enum):
    """When a player offered."""

    AFTER_MOVE = "after_move"
    """After his move on the board, before he pressed: as it should be (2.6.8)."""
    BEFORE_MOVE = "before_move"
    """On his turn, without having moved."""
    AFTER_PRESS = "after_press"
    """When his opponent's dial ran."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferProposal(Proposal):
    """What follows from an offer or an answer.

    Attributes:
        marks: Whether both players mark it on their sheets with `=` (1.6.5, 2.6.8).
    """

    marks: bool = False


def offer_draw(
    conduct: Conduct, game: Game, side: Side, moment: OfferMoment = OfferMoment.AFTER_MOVE
) -> OfferProposal:
    """Return what follows when `side` offers a draw.

    An offer at the wrong moment is void and not used up, unless the event lets it stand. Where the opponent's
    offer still stands it is the answer to it, at any moment: both have agreed.
    """
    if game.draw_open is side.opponent:
        return accept_draw(conduct, game, side)
    if game.draw_offers[side.index]:
        disturbed = breach(Offence.REPEATED_DRAW_OFFER, side)
        return OfferProposal(
            code=Code.DRAW_OFFER_REPEATED, articles=disturbed.articles, side=side, warns=disturbed.warns
        )
    if moment is not OfferMoment.AFTER_MOVE and conduct.misplaced_offer == "void":
        return OfferProposal(code=Code.DRAW_OFFER_MISPLACED, articles=("2.6.8",), side=side)
    return OfferProposal(
        code=Code.DRAW_OFFERED, articles=("2.6.8", "2.6.9"), side=side, marks=conduct.score_sheets
    )


def accept_draw(conduct: Conduct, game: Game, side: Side) -> OfferProposal:
    """Return what follows when `side` accepts: a draw by agreement (2.6.6), if an offer stands."""
    if game.draw_open is not side.opponent:
        return _nothing(side)
    return OfferProposal(
        code=Code.DRAW_AGREED, articles=("2.6.6",), score="1/2-1/2", marks=conduct.score_sheets
    )


def refuse_draw(game: Game, side: Side) -> OfferProposal:
    """Return what follows when `side` refuses: the offer stands no more, and stays used up."""
    if game.draw_open is not side.opponent:
        return _nothing(side)
    return OfferProposal(code=Code.DRAW_REFUSED, articles=("2.6.6", "2.6.9"), side=side)


def _nothing(side: Side) -> OfferProposal:
    return OfferProposal(code=Code.NO_DRAW_OFFER, articles=("2.6.6",), side=side)
