"""What makes a thing final: a ply, a fallen flag, plies entered by hand (pure).

A ply is final by its player's press, once the board has stayed quiet behind it; or when a finished
game lies there settled, for nobody presses after that (house law 5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from firmware_bridge.board.counting.weighing import Weighed
from firmware_bridge.board.watching.look import Look
from firmware_bridge.board.watching.reconciler import Played
from rules.clock import falls_us
from rules.events import JSON
from rules.game import Confirmation, FlagFell, Game, MovePlayed
from rules.notation.moves import format_short, parse_short
from rules.position import Position, Sowing, outcome

FLAG_PATIENCE_US = 1_500_000
"""How long a fallen flag is kept back (wall time): a press made just before may still be on its way."""

SETTLED_AFTER_US = 1_500_000
"""How long a finished position must lie untouched before it counts without a press."""


def fallen_flag(game: Game, at_us: int, *, heard_since_us: int, patience_us: int) -> FlagFell | None:
    """Return the fall of the running dial's flag, at the moment it fell; None if it has not, or is told.

    Args:
        game: The game.
        at_us: Table time now.
        heard_since_us: Since when the device has been heard without a break.
        patience_us: How long a press made before may still be on its way.
    """
    clock = game.clock
    side = None if clock is None else clock.running
    fell_us = None if clock is None else falls_us(clock)
    if side is None or fell_us is None:
        return None
    if game.flags[side.index] or at_us < fell_us or at_us < max(fell_us, heard_since_us) + patience_us:
        return None
    return FlagFell(at_us=fell_us, side=side)


def committed(look: Look) -> tuple[Played, Confirmation] | None:
    """Return the play that is final now and what confirmed it, or None."""
    verdict = look.verdict
    if not isinstance(verdict, Played):
        return None
    last = verdict.plies[-1]
    if look.young and look.presses and look.presses[-1] is last.side:
        return (verdict, "press")
    if look.quiet_since_us is None or outcome(last.after) is None:
        return None
    return (verdict, "settled") if look.at_us - look.quiet_since_us >= SETTLED_AFTER_US else None


def how_well(weighed: Weighed) -> dict[str, JSON]:
    """Return how well a play agreed with what was weighed: worst residual, margin, and what was unread."""
    unread: list[JSON] = [place for place, value in enumerate(weighed.residuals) if value is None]
    return {"worst": round(weighed.worst, 3), "margin": round(weighed.margin, 1), "unread": unread}


def move(sowing: Sowing, at_us: int, confirmed_by: Confirmation, evidence: Mapping[str, Any]) -> MovePlayed:
    """Return the event of a final ply."""
    return MovePlayed(
        at_us=at_us,
        side=sowing.side,
        number=sowing.number,
        text=format_short(sowing),
        confirmed_by=confirmed_by,
        evidence=evidence,
    )


def entered(
    position: Position, texts: Sequence[str], at_us: int, by: str = ""
) -> tuple[list[MovePlayed], Position]:
    """Return the events of plies entered by hand, and the position after them.

    Raises:
        RulesError: One of them is no move, or not one that can be played there.
    """
    events = []
    for text in texts:
        sowing = parse_short(text, position)
        events.append(replace(move(sowing, at_us, "arbiter", {}), by=by))
        position = sowing.after
    return events, position
