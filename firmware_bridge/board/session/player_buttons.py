"""What the players' other buttons mean: calls of the arbiter, draws offered and agreed to (pure).

A press that means nothing here is acknowledged all the same, and written down as a press: nothing that a
player does is lost, and what it was worth an arbiter can still decide.
"""

from __future__ import annotations

from firmware_bridge.board.incident_inputs import AnswerDraw, Call, OfferDraw
from firmware_bridge.board.inputs import ButtonPressed
from firmware_bridge.layout import Pressed
from rules.conduct.options import Conduct
from rules.game import Game
from rules.position import Side


def command_of(
    game: Game, pressed: Pressed, event: ButtonPressed, conduct: Conduct
) -> Call | OfferDraw | AnswerDraw | None:
    """Return what a player asks for by a button that is no clock's; None: nothing that counts.

    Args:
        game: The game.
        pressed: What the button is for.
        event: The press.
        conduct: What the event has chosen where the regulations are silent.
    """
    # A press made before the clocks were stopped may be told after they run again.
    at_us = max(event.at_us, 0 if game.clock is None else game.clock.since_us or 0)
    if pressed.what == "call":
        return Call(at_us=at_us, side=pressed.side, press=event.press)
    return None if pressed.side is None else _draw(game, pressed.side, at_us, conduct)


def _draw(game: Game, side: Side, at_us: int, conduct: Conduct) -> OfferDraw | AnswerDraw | None:
    """Return what a player's draw button means.

    The opponent's offer is agreed to (2.6.6); one's own that still waits is not made twice by a second press.
    One made while the opponent's dial runs is at the wrong moment (2.6.8), and void unless the event lets it
    stand. One more after the first was used up is an event of its own, a disturbance (2.6.9, 2.3.9).
    """
    if game.draw_open is side.opponent:
        return AnswerDraw(at_us=at_us, side=side, accepted=True)
    if game.draw_open is side:
        return None
    running = game.suspended_running if game.clock is None else game.clock.running or game.suspended_running
    if running is side.opponent and conduct.misplaced_offer == "void":
        return None
    return OfferDraw(at_us=at_us, side=side)
