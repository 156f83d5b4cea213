"""Offers of a draw."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import Side
from rules.conduct.codes import Code
from rules.conduct.draws import (
    NO_OFFERS,
    DrawOffers,
    OfferMoment,
    accept_draw,
    draw_after_move,
    offer_draw,
    refuse_draw,
)
from rules.conduct.options import BLITZ, CLASSICAL

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
OFFERED = DrawOffers((True, False), B)


def test_requirement_15_a_draw_is_offered_after_the_move_and_before_the_press() -> None:
    """2.6.8; both mark it on their sheets (1.6.5)."""
    found = offer_draw(CLASSICAL, NO_OFFERS, B)
    assert (found.code, found.articles, found.offers) == (Code.DRAW_OFFERED, ("2.6.8", "2.6.9"), OFFERED)
    assert found.marks
    assert found.score is None
    assert offer_draw(CLASSICAL, NO_OFFERS, Q).offers == DrawOffers((False, True), Q)


def test_without_sheets_nothing_is_marked() -> None:
    """Rapid and blitz (2.9.2)."""
    assert not offer_draw(BLITZ, NO_OFFERS, B).marks
    assert not accept_draw(BLITZ, OFFERED, Q).marks


@pytest.mark.parametrize("moment", [OfferMoment.BEFORE_MOVE, OfferMoment.AFTER_PRESS])
def test_requirement_15_an_offer_at_the_wrong_moment_is_void_and_not_used_up(moment: OfferMoment) -> None:
    """Unless the event lets it stand."""
    found = offer_draw(CLASSICAL, NO_OFFERS, B, moment)
    assert (found.code, found.articles) == (Code.DRAW_OFFER_MISPLACED, ("2.6.8",))
    assert (found.offers, found.warns) == (NO_OFFERS, ())
    lenient = offer_draw(replace(CLASSICAL, misplaced_offer="stands"), NO_OFFERS, B, moment)
    assert (lenient.code, lenient.offers) == (Code.DRAW_OFFERED, OFFERED)


@pytest.mark.parametrize("moment", OfferMoment)
def test_requirement_16_one_offer_in_a_game_for_each_player(moment: OfferMoment) -> None:
    """A second one disturbs the opponent (2.6.9, 2.3.9) and offers nothing."""
    refused = refuse_draw(OFFERED, Q).offers
    found = offer_draw(CLASSICAL, refused, B, moment)
    assert (found.code, found.articles) == (Code.DRAW_OFFER_REPEATED, ("2.6.9", "2.3.9", "2.4.6"))
    assert (found.warns, found.offers) == ((B,), refused)
    assert offer_draw(CLASSICAL, refused, Q).code is Code.DRAW_OFFERED


def test_an_offer_repeated_while_it_stands_leaves_it_standing() -> None:
    """The opponent can still accept the first."""
    found = offer_draw(CLASSICAL, OFFERED, B)
    assert (found.code, found.offers) == (Code.DRAW_OFFER_REPEATED, OFFERED)


def test_requirement_16_an_offer_lasts_until_the_opponent_moves_or_refuses() -> None:
    """By default; the offerer's own next move does not end it."""
    assert draw_after_move(CLASSICAL, OFFERED, Q) == DrawOffers((True, False), None)
    assert draw_after_move(CLASSICAL, OFFERED, B) == OFFERED
    assert draw_after_move(CLASSICAL, NO_OFFERS, B) == NO_OFFERS
    found = refuse_draw(OFFERED, Q)
    assert (found.code, found.offers, found.side) == (Code.DRAW_REFUSED, DrawOffers((True, False), None), Q)


def test_requirement_16_an_event_may_let_it_last_until_refused() -> None:
    """Then a move does not end it."""
    conduct = replace(CLASSICAL, draw_offer_lasts="until_refused")
    assert draw_after_move(conduct, OFFERED, Q) == OFFERED
    assert accept_draw(conduct, draw_after_move(conduct, OFFERED, Q), Q).score == "1/2-1/2"


def test_requirement_14_a_draw_by_agreement() -> None:
    """2.6.6: the opponent accepts what stands."""
    found = accept_draw(CLASSICAL, OFFERED, Q)
    assert (found.code, found.articles, found.score) == (Code.DRAW_AGREED, ("2.6.6",), "1/2-1/2")
    assert (found.offers, found.marks) == (DrawOffers((True, False), None), True)


@pytest.mark.parametrize("offers", [NO_OFFERS, DrawOffers((True, True), None)])
@pytest.mark.parametrize("side", Side)
def test_what_does_not_stand_can_be_neither_accepted_nor_refused(offers: DrawOffers, side: Side) -> None:
    """Nor can one's own offer."""
    assert accept_draw(CLASSICAL, offers, side).code is Code.NO_DRAW_OFFER
    assert refuse_draw(offers, side).code is Code.NO_DRAW_OFFER
    assert accept_draw(CLASSICAL, OFFERED, B).score is None
    assert refuse_draw(OFFERED, B).offers == OFFERED


def test_an_offer_in_answer_to_one_is_an_agreement() -> None:
    """On his turn before he moves: by moving he has refused, and his own offer is a new one."""
    assert offer_draw(CLASSICAL, OFFERED, Q, OfferMoment.BEFORE_MOVE).code is Code.DRAW_AGREED
    moved = offer_draw(CLASSICAL, OFFERED, Q)
    assert (moved.code, moved.offers) == (Code.DRAW_OFFERED, DrawOffers((True, True), Q))


@given(st.lists(st.tuples(st.sampled_from(["offer", "accept", "refuse", "move"]), st.sampled_from(Side))))
def test_no_draw_without_an_offer_of_the_other(steps: list[tuple[str, Side]]) -> None:
    """And nobody's offer comes back once it is used."""
    offers = NO_OFFERS
    for step, side in steps:
        before = offers
        if step == "move":
            offers = draw_after_move(CLASSICAL, offers, side)
            continue
        found = {
            "offer": offer_draw(CLASSICAL, offers, side),
            "accept": accept_draw(CLASSICAL, offers, side),
            "refuse": refuse_draw(offers, side),
        }[step]
        offers = found.offers
        assert (found.score is None) or before.standing is side.opponent
        assert all(now or not used for now, used in zip(offers.offered, before.offered, strict=True))
