"""Offers of a draw (2.6.6, 2.6.8, 2.6.9): after the move, before the press, once in a game for each player.

How long an offer lasts the regulations do not say; unless the event chose otherwise, until the opponent moves
or refuses. One who offers again disturbs his opponent (2.3.9), and nothing is on offer by that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from rules.conduct.codes import Code
from rules.conduct.offences import Offence, breach
from rules.conduct.options import Conduct
from rules.conduct.proposal import Proposal
from rules.position import Side


class OfferMoment(Enum):
    """When a player offered."""

    AFTER_MOVE = "after_move"
    """After his move on the board, before he pressed: as it should be (2.6.8)."""
    BEFORE_MOVE = "before_move"
    """On his turn, without having moved."""
    AFTER_PRESS = "after_press"
    """When his opponent's dial ran."""


@dataclass(frozen=True, slots=True)
class DrawOffers:
    """What was offered in a game.

    Attributes:
        offered: Who has used his one offer (2.6.9) [bastaushy, qostaushy].
        standing: Whose offer can be accepted now; None: nobody's.
    """

    offered: tuple[bool, bool] = (False, False)
    standing: Side | None = None


NO_OFFERS = DrawOffers()
"""A game in which nobody has offered a draw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferProposal(Proposal):
    """What follows from an offer or an answer.

    Attributes:
        offers: The offers after it.
        marks: Whether both players mark it on their sheets with `=` (1.6.5, 2.6.8).
    """

    offers: DrawOffers
    marks: bool = False


def offer_draw(
    conduct: Conduct, offers: DrawOffers, side: Side, moment: OfferMoment = OfferMoment.AFTER_MOVE
) -> OfferProposal:
    """Return what follows when `side` offers a draw.

    An offer at the wrong moment is void and not used up, unless the event lets it stand. Where the opponent's
    offer still stands it is the answer to it: both have agreed.
    """
    if moment is OfferMoment.AFTER_MOVE:
        offers = draw_after_move(conduct, offers, side)
    if offers.standing is side.opponent:
        return accept_draw(conduct, offers, side)
    if offers.offered[side.index]:
        disturbed = breach(Offence.REPEATED_DRAW_OFFER, side)
        return OfferProposal(
            code=Code.DRAW_OFFER_REPEATED,
            articles=disturbed.articles,
            side=side,
            warns=disturbed.warns,
            offers=offers,
        )
    if moment is not OfferMoment.AFTER_MOVE and conduct.misplaced_offer == "void":
        return OfferProposal(code=Code.DRAW_OFFER_MISPLACED, articles=("2.6.8",), side=side, offers=offers)
    used = (True, offers.offered[1]) if side is Side.BASTAUSHY else (offers.offered[0], True)
    return OfferProposal(
        code=Code.DRAW_OFFERED,
        articles=("2.6.8", "2.6.9"),
        side=side,
        offers=DrawOffers(used, side),
        marks=conduct.score_sheets,
    )


def accept_draw(conduct: Conduct, offers: DrawOffers, side: Side) -> OfferProposal:
    """Return what follows when `side` accepts: a draw by agreement (2.6.6), if an offer stands."""
    if offers.standing is not side.opponent:
        return _nothing(offers, side)
    return OfferProposal(
        code=Code.DRAW_AGREED,
        articles=("2.6.6",),
        score="1/2-1/2",
        offers=replace(offers, standing=None),
        marks=conduct.score_sheets,
    )


def refuse_draw(offers: DrawOffers, side: Side) -> OfferProposal:
    """Return what follows when `side` refuses: the offer stands no more, and stays used up."""
    if offers.standing is not side.opponent:
        return _nothing(offers, side)
    return OfferProposal(
        code=Code.DRAW_REFUSED,
        articles=("2.6.6", "2.6.9"),
        side=side,
        offers=replace(offers, standing=None),
    )


def draw_after_move(conduct: Conduct, offers: DrawOffers, side: Side) -> DrawOffers:
    """Return the offers after `side` has completed a move: it refuses what his opponent had offered."""
    if conduct.draw_offer_lasts == "until_move" and offers.standing is side.opponent:
        return replace(offers, standing=None)
    return offers


def _nothing(offers: DrawOffers, side: Side) -> OfferProposal:
    return OfferProposal(code=Code.NO_DRAW_OFFER, articles=("2.6.6",), side=side, offers=offers)
