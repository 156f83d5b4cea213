"""Faults that leave the stones right, told of a ply as it becomes final (pure).

The weights have said which ply it was; hands and presses are asked only how it was played. A legal ply is
hardly ever looked at: only where something was put back, laid late, begun early or pressed by the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from firmware_bridge.board.hands.events import Seen
from firmware_bridge.board.refereeing.gathering import (
    PressSeen,
    answer_of,
    gathered,
    own_lift,
    strokes_of,
    those,
)
from rules.infractions.diagnose import Diagnosis, diagnose
from rules.infractions.evidence import Evidence, Stroke, Watched
from rules.infractions.hands import flow_of
from rules.infractions.kinds import Fault
from rules.position import Sowing, board_of

OF_CONDUCT = frozenset(
    {
        Fault.TOUCH_MOVE_BROKEN,
        Fault.ADJUSTED_BY_HAND,
        Fault.ADJUSTED_OUT_OF_TURN,
        Fault.STONES_IN_HAND,
        Fault.MOVED_BEFORE_PRESS,
        Fault.PRESSED_OUT_OF_TURN,
        Fault.BOTH_PRESSED,
        Fault.TUZDYK_NOT_MARKED,
    }
)
"""What can be told of a ply whose stones lie right; which of them are is for the event to choose."""

Found: TypeAlias = tuple[Evidence, tuple[Diagnosis, ...]]
"""What was judged, and its explanations, the likeliest first; at least one."""


def conducted(
    plies: Sequence[Sowing], seen: Seen | None, presses: Sequence[PressSeen], policy: Watched
) -> Found | None:
    """Return what was wrong with how a ply was played that became final; None: nothing is known to be.

    Args:
        plies: The ply, and those that became final with it; at least one.
        seen: What hands have done since the position before it; None: nobody watched them.
        presses: The presses since, oldest first, of players whose dial did not run among them; what comes
            behind the player's own belongs to the answer.
        policy: Which faults are told.
    """
    ply = plies[0]
    mine = next((nth for nth, press in enumerate(presses) if press.side is ply.side), len(presses))
    presses = presses[: mine + 1]
    others = any(press.side is not ply.side for press in presses)
    evidence = gathered(ply.before, board_of(ply.after), seen, presses, plies=plies)
    if seen is not None and evidence.strokes is not None:
        evidence = replace(evidence, strokes=_own_strokes(seen, plies))
    evidence = replace(evidence, marks=None)
    returned = evidence.strokes is not None and flow_of(evidence.strokes).returned
    if not (others or returned or evidence.early is not None or any(evidence.in_hand or ())):
        return None
    return _told(evidence, policy)


def _own_strokes(seen: Seen, plies: Sequence[Sowing]) -> tuple[Stroke, ...] | None:
    """Return what hands did for a ply before its answer; None: whose hands did what cannot be told.

    Args:
        seen: What was seen of all hands.
        plies: The ply, and those that became final with it.
    """
    own, answer = own_lift(seen, plies[0]), answer_of(plies[0].before, seen, plies)
    if own is None or (answer is None and len(plies) > 1):
        return None
    if answer is not None and seen.turns[answer.turn].lifted[0] is not answer.lifted:
        return None
    # What was put right after the ply before this one is carried over with its hands.
    since_us = min(own.when.at_us, seen.since_us)
    turns = seen.turns if answer is None else seen.turns[: answer.turn]
    return strokes_of(those(turn, lambda item: item.when.at_us >= since_us) for turn in turns)


def unmarked(won: Sowing, marked: frozenset[int], policy: Watched) -> Found | None:
    """Return that a tuzdyk bears no mark though the opponent has answered since; None: it does."""
    if won.last_index in marked:
        return None
    seen = board_of(won.after)
    return _told(Evidence(before=won.before, seen=seen, presses=(won.side,), marks=()), policy)


def _told(evidence: Evidence, policy: Watched) -> Found | None:
    found = diagnose(evidence, policy)
    if not found or not {one.fault for one in found[0].faults} <= OF_CONDUCT:
        return None
    return evidence, found
