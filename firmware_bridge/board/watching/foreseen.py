"""Plies seen in part: what was most probably played while some places could not be read (pure).

In fast play a hand leans on the board for some seconds, or the next player begins before the last stone
has come to rest: a few places cannot be read, and the others are as clear as ever. A ply that all others
show, and no other legal ply, is remembered as foreseen. It is never final: what lies in the unread places
is not known. But it tells which line to look for once the board is quiet again, so that four or six plies
later the whole line is found where a search of all lines would be hopeless.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.board.counting.lots import change_of
from firmware_bridge.board.counting.observation import Observation
from firmware_bridge.board.counting.weighing import weigh
from rules.position import Position, Sowing, legal_moves, play

MOST_HIDDEN = 8
"""Places that may be unread or disagree: a hand on the board hides about so many."""

CLEARER = 1
"""So many more places must disagree with every other legal ply. A wrong guess does no harm, since a line is
believed only when the whole board agrees with it."""

LONGEST = 12
"""Plies that are foreseen in a row: some twenty seconds of blitz."""

DISAGREES = 0.5
"""Stones from what is due, beyond which a place does not agree."""


def foresee(position: Position, line: tuple[Sowing, ...], seen: Observation) -> Sowing | None:
    """Return the ply after `line` that the readable places show; None: none, or more than one.

    Args:
        position: The last confirmed position.
        line: Plies foreseen since, oldest first.
        seen: A look at the board, with places that may be unread, or leaned on.
    """
    if len(line) >= LONGEST:
        return None
    start = line[-1].after if line else position
    ranked = sorted(
        ((_hidden(seen, (*line, play(start, number))), number) for number in legal_moves(start)),
        key=lambda item: len(item[0]),
    )
    if not ranked or len(ranked[0][0]) > MOST_HIDDEN:
        return None
    if len(ranked) > 1 and len(ranked[1][0]) < len(ranked[0][0]) + CLEARER:
        return None
    hidden, number = ranked[0]
    sowing = play(start, number)
    weights = [None if place in hidden else weight for place, weight in enumerate(seen.weights)]
    weighed = weigh(seen.belief, weights, seen.noise, change_of((*line, sowing)), seen.mark)
    return sowing if weighed.sure else None


def _hidden(seen: Observation, line: Sequence[Sowing]) -> frozenset[int]:
    """Return the places that are unread, or do not agree with a line."""
    change = change_of(line)
    weighed = seen.compare(change)
    return frozenset(
        place
        for place, residual in enumerate(weighed.residuals)
        if residual is None or abs(residual) > DISAGREES
    )
