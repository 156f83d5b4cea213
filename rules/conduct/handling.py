"""What hands do to stones and clock: touching, adjusting, spilling, pressing.

Most of it no board can see with certainty; where it cannot, the arbiter tells, and asks what follows.
"""

from __future__ import annotations

from dataclasses import replace

from rules.conduct.codes import Code
from rules.conduct.offences import Breach, Offence, breach, no_breach
from rules.conduct.options import Conduct
from rules.conduct.proposal import ClockAction, Proposal
from rules.position import Side


def lifted(conduct: Conduct, side: Side, number: int, played: int | None) -> Proposal:
    """Return what follows when `side` has lifted the stones of pit `number` on his turn.

    Args:
        conduct: The options: touch-move holds (1.3.4), or is off (2.9.6).
        side: Who.
        number: The pit 1..9 whose stones he lifted first.
        played: The pit he played in the end; None: he has not yet.
    """
    if not conduct.touch_move:
        return Proposal(code=Code.TOUCH_MOVE_OFF, articles=("2.9.6",), side=side)
    if played is None or played == number:
        return Proposal(code=Code.TOUCH_MOVE_BINDS, articles=("1.3.4",), side=side)
    return breach(Offence.TOUCH_MOVE, side)


def adjusted(conduct: Conduct, side: Side, *, own_turn: bool, announced: bool, with_pen: bool) -> Breach:
    """Return what follows when `side` has put stones in order.

    On his own turn only; with a pen and after saying so (1.3.4). In rapid and blitz on his own time (2.9.6).

    Args:
        conduct: The options.
        side: Who.
        own_turn: Whether his own dial ran.
        announced: Whether he said «түзеймін» before.
        with_pen: Whether he did it with a pen, not with his hand.
    """
    if not own_turn:
        return breach(Offence.ADJUSTED_OUT_OF_TURN, side)
    if conduct.adjusting_by_hand:
        return no_breach(Offence.ADJUSTED_BY_HAND, side, ("2.9.6",))
    if not with_pen:
        return breach(Offence.ADJUSTED_BY_HAND, side)
    if not announced:
        return breach(Offence.ADJUSTED_UNANNOUNCED, side)
    return no_breach(Offence.ADJUSTED_BY_HAND, side, ("1.3.4",))


def spilled(conduct: Conduct, side: Side) -> Proposal:
    """Return what follows when `side` has spilled stones: he restores them on his own time.

    That is said for rapid and blitz (2.9.7); for other games it is taken over by analogy (2.4.5).
    """
    articles = ("2.9.7", "2.4.5") if conduct.touch_move else ("2.9.7",)
    return Proposal(
        code=Code.SPILLED_RESTORES, articles=articles, side=side, clock=ClockAction.RUN, runs=side
    )


def pressed(conduct: Conduct, side: Side, *, moved: bool, stones_in_hand_ms: int) -> Breach:
    """Return what follows from a press: it ends a move made on the board (2.7.7), and needs one (2.7.9).

    After a press without a move his own dial runs again.

    Args:
        conduct: The options: how long stones may still be on their way into the kazan.
        side: Who pressed.
        moved: Whether he has made a move.
        stones_in_hand_ms: How long after the press stones were still missing from the board, in milliseconds;
            0: none were.
    """
    if not moved:
        without = breach(Offence.PRESSED_WITHOUT_MOVE, side)
        return replace(without, clock=ClockAction.RUN, runs=side)
    if stones_in_hand_ms > conduct.stones_in_hand_grace_ms:
        return breach(Offence.STONES_IN_HAND, side)
    return no_breach(Offence.STONES_IN_HAND, side, ("2.7.7",))


def moved_before_press(side: Side, *, opponent_pressed: bool) -> Breach:
    """Return what follows when `side` has moved: only after his opponent has pressed may he (2.7.17)."""
    if opponent_pressed:
        return no_breach(Offence.MOVED_BEFORE_PRESS, side, ("2.7.17",))
    return breach(Offence.MOVED_BEFORE_PRESS, side)
