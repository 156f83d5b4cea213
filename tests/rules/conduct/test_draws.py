"""Offers of a draw."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import Side
from rules.conduct.codes import Code
from rules.conduct.draws import OfferMoment, accept_draw, offer_draw, refuse_draw
from rules.conduct.options import BLITZ, CLASSICAL
from rules.state import Game

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
NO_OFFERS = Game()
OFFERED = Game(draw_offers=(1, 0), draw_open=B)
REFUSED = Game(draw_offers=(1, 0))


def test_requirement_15_a_draw_is_offered_after_the_move_and_before_the_press() -> None:
    """2.6.8; both mark it on their sheets (1.6.5)."""
    found = offer_draw(CLASSICAL, NO_OFFERS, B)
    assert (found.code, found.articles) == (Code.DRAW_OFFERED, ("2.6.8", "2.6.9"))
    assert found.marks
    assert found.score is None


def test_without_sheets_nothing_is_marked() -> None:
    """Rapid and blitz (2.9.2)."""
    assert not offer_draw(BLITZ, NO_OFFERS, B).marks
    assert not accept_draw(BLITZ, OFFERED, Q).marks


@pytest.mark.parametrize("moment", [OfferMoment.BEFORE_MOVE, OfferMoment.AFTER_PRESS])
def test_requirement_15_an_offer_at_the_wrong_moment_is_void(moment: OfferMoment) -> None:
    """Unless the event lets it stand."""
    found = offer_draw(CLASSICAL, NO_OFFERS, B, moment)
    assert (found.code, found.articles, found.warns) == (Code.DRAW_OFFER_MISPLACED, ("2.6.8",), ())
    lenient = offer_draw(replace(CLASSICAL, misplaced_offer="stands"), NO_OFFERS, B, moment)
    assert lenient.code is Code.DRAW_OFFERED


@pytest.mark.parametrize("moment", OfferMoment)
def test_requirement_16_one_offer_in_a_game_for_each_player(moment: OfferMoment) -> None:
    """A second one disturbs the opponent (2.6.9, 2.3.9) and offers nothing."""
    found = offer_draw(CLASSICAL, REFUSED, B, moment)
    assert (found.code, found.articles) == (Code.DRAW_OFFER_REPEATED, ("2.6.9", "2.3.9", "2.4.6"))
    assert found.warns == (B,)
    assert offer_draw(CLASSICAL, REFUSED, Q).code is Code.DRAW_OFFERED


def test_an_offer_repeated_while_it_stands_disturbs_as_well() -> None:
    """The opponent can still accept the first."""
    assert offer_draw(CLASSICAL, OFFERED, B).code is Code.DRAW_OFFER_REPEATED
    assert accept_draw(CLASSICAL, OFFERED, Q).code is Code.DRAW_AGREED


def test_requirement_14_a_draw_by_agreement() -> None:
    """2.6.6: the opponent accepts what stands, or refuses it."""
    found = accept_draw(CLASSICAL, OFFERED, Q)
    assert (found.code, found.articles, found.score) == (Code.DRAW_AGREED, ("2.6.6",), "1/2-1/2")
    assert found.marks
    refused = refuse_draw(OFFERED, Q)
    assert (refused.code, refused.side) == (Code.DRAW_REFUSED, Q)


@pytest.mark.parametrize("game", [NO_OFFERS, REFUSED, Game(draw_offers=(1, 1))])
@pytest.mark.parametrize("side", Side)
def test_what_does_not_stand_can_be_neither_accepted_nor_refused(game: Game, side: Side) -> None:
    """Nor can one's own offer."""
    assert accept_draw(CLASSICAL, game, side).code is Code.NO_DRAW_OFFER
    assert refuse_draw(game, side).code is Code.NO_DRAW_OFFER
    assert accept_draw(CLASSICAL, OFFERED, B).score is None


@pytest.mark.parametrize("moment", OfferMoment)
def test_an_offer_in_answer_to_one_is_an_agreement(moment: OfferMoment) -> None:
    """At any moment while it stands: only a final move has refused it."""
    assert offer_draw(CLASSICAL, OFFERED, Q, moment).code is Code.DRAW_AGREED


@given(
    st.builds(
        Game,
        draw_offers=st.tuples(st.integers(0, 3), st.integers(0, 3)),
        draw_open=st.sampled_from([None, *Side]),
    ),
    st.sampled_from(Side),
    st.sampled_from(OfferMoment),
)
def test_no_draw_without_an_offer_of_the_other(game: Game, side: Side, moment: OfferMoment) -> None:
    """Whoever offers or accepts."""
    for found in (offer_draw(CLASSICAL, game, side, moment), accept_draw(CLASSICAL, game, side)):
        assert (found.score is not None) is (game.draw_open is side.opponent)
