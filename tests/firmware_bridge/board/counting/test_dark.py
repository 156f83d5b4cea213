"""Two dead cells with count sensors beside them: what falls tells them apart, one missed stone does not."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from firmware_bridge.board.counting.beams import FIRST
from firmware_bridge.board.counting.belief import Belief
from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.counting.observation import LEAST_NOISE, Observation
from firmware_bridge.board.counting.passages import Passed
from firmware_bridge.board.watching.reconciler import Ambiguous, Differs, Played, Unreadable, reconcile
from rules.position import START, Sowing, play
from tests.firmware_bridge.board.hands.falling import pulses_of

PITS = (9, 8, *START.pits[2:])
BEFORE = replace(START, pits=PITS, kazans=(1, 0))
LONGER, SHORTER = play(BEFORE, 1), play(BEFORE, 2)
"""Nine stones from the first pit and eight from the second end in the same pit."""


def seen(played: Sowing, dead: tuple[int, int], pulses: list[int] | None) -> Observation:
    """Return a look at the board after a ply, with two dead cells."""
    weights = tuple(None if place in dead else float(n) for place, n in enumerate(stones_due(played.after)))
    unread = tuple((place, "saturated") for place in dead)
    passed = None if pulses is None else Passed(tuple(pulses), FIRST)
    belief = Belief.exactly(stones_due(BEFORE))
    return Observation(weights, (LEAST_NOISE,) * 20, 2.6, belief, unread, passed)


def test_what_falls_into_two_dead_places_tells_the_ply() -> None:
    """Without beams the board is unreadable; with them it is played."""
    dead = (4, 12)
    assert isinstance(reconcile(BEFORE, seen(LONGER, dead, None), (BEFORE.to_move,)), Unreadable)
    verdict = reconcile(BEFORE, seen(LONGER, dead, pulses_of(LONGER, Random(1))), (BEFORE.to_move,))
    assert isinstance(verdict, Played)
    assert verdict.plies == (LONGER,)


def test_a_stone_that_fell_into_the_wrong_one_of_them_is_no_legal_ply() -> None:
    """All weights that can be read agree; only the pulses do not."""
    pulses = pulses_of(LONGER, Random(1))
    pulses[4] -= 1
    pulses[12] += 1
    verdict = reconcile(BEFORE, seen(LONGER, (4, 12), pulses), (BEFORE.to_move,))
    assert isinstance(verdict, Differs)
    assert verdict.wrong == (4, 12)


def test_plies_that_differ_in_dead_places_only_are_asked_about_after_one_missed_stone() -> None:
    """The pulses then are those of the other ply, without a fault."""
    pulses = pulses_of(LONGER, Random(1))
    pulses[0] = 0
    verdict = reconcile(BEFORE, seen(LONGER, (0, 1), pulses), (BEFORE.to_move,))
    assert isinstance(verdict, Ambiguous)
    assert {line[0] for line in verdict.lines} == {LONGER, SHORTER}
