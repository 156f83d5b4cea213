"""What the players' other buttons mean: calls of the arbiter, draws offered and agreed to (pure).

A press that means nothing here is acknowledged all the same, and written down as a press: nothing that a
player does is lost, and what it was worth an arbiter can still decide.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_bridge.board.hands.events import Seen
from firmware_bridge.board.incident_inputs import Call, OfferDraw
from firmware_bridge.board.inputs import ButtonPressed
from firmware_bridge.layout import Pressed
from rules.conduct.draws import OfferMoment
from rules.conduct.offences import Offence, articles_of
from rules.events import JSON
from rules.game import DrawAnswered, Game, GameEnded, GameEvent, InfractionSeen
from rules.position import Side


def command_of(game: Game, pressed: Pressed, event: ButtonPressed) -> Call | OfferDraw | None:
    """Return what a player asks for by a button that is no clock's; None: nothing that counts.

    The draw button agrees to the opponent's offer (2.6.6), or offers; one's own offer that still waits is not
    made twice by a second press.

    Args:
        game: The game.
        pressed: What the button is for.
        event: The press.
    """
    # A press made before the clocks were stopped may be told after they run again.
    at_us = max(event.at_us, 0 if game.clock is None else game.clock.since_us or 0)
    if pressed.what == "call":
        return Call(at_us=at_us, side=pressed.side, press=event.press)
    if pressed.side is None or game.draw_open is pressed.side:
        return None
    return OfferDraw(at_us=at_us, side=pressed.side)


def moment_of(game: Game, side: Side, sensed: str, seen: Seen | None) -> OfferMoment:
    """Return when a player offers a draw, in doubt at the right moment (house law 6).

    That he has not moved is sure only where the board lies there as before his move, and nobody has seen him
    lift anything: hands that have just laid the last stone, or a place that cannot be read, are no fault.

    Args:
        game: The game.
        side: Who offers.
        sensed: How the board looks, as in a state.
        seen: What hands have done since the last confirmed position; None: nobody watched them.
    """
    running = game.suspended_running if game.clock is None else game.clock.running or game.suspended_running
    if running is side.opponent:
        return OfferMoment.AFTER_PRESS
    lifted = seen is not None and any(turn.side is side and turn.lifted for turn in seen.turns)
    return OfferMoment.BEFORE_MOVE if sensed == "matches" and not lifted else OfferMoment.AFTER_MOVE


def agreed(at_us: int, side: Side) -> tuple[GameEvent, ...]:
    """Return the end of a game by the agreement of `side` to his opponent's offer (2.6.6)."""
    return (
        DrawAnswered(at_us=at_us, side=side, accepted=True),
        GameEnded(at_us=at_us, result="1/2-1/2", reason="agreement"),
    )


def named(
    game: Game, offence: Offence, side: Side, at_us: int, evidence: Mapping[str, JSON] | None = None
) -> InfractionSeen:
    """Return an infraction that no stones tell: it waits for the arbiter as every other does.

    Args:
        game: The game it is seen in.
        offence: What it is.
        side: Who did it.
        at_us: Table time.
        evidence: What is known besides; the keys are those of `refereeing.telling.told`.
    """
    fault: JSON = {
        "fault": offence.value,
        "offender": side.value,
        "articles": list(articles_of(offence)),
        "pit": None,
        "stones": None,
        "places": [],
    }
    return InfractionSeen(
        at_us=at_us,
        infraction=len(game.incidents) + 1,
        side=side,
        faults=(offence.value,),
        evidence={**(evidence or {}), "faults": [fault]},
    )
