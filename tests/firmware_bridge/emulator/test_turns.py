"""One ply with every habit: each happens at about its rate, and the stones end where they are due."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from firmware_bridge.emulator.actions import Action, Drop, Lift, Perch, PlaceMark, Touch, Unperch
from firmware_bridge.emulator.fingers import Fingers
from firmware_bridge.emulator.pace import BLITZ, PLAIN, UNRULY, Manners
from firmware_bridge.emulator.steps import Pause
from firmware_bridge.emulator.turns import FETCH_S, SLIP_S, Turn
from rules.position import START, Position, Side, Sowing, play, tuzdyk_owner
from tests.firmware_bridge.emulator.random_games import random_sowings
from tests.firmware_bridge.emulator.true_board import WIRING, TrueBoard

Steps = list[Action | Pause]


@cache
def plies() -> tuple[Sowing, ...]:
    """Some five hundred plies of random games."""
    return tuple(sowing for seed in range(4) for sowing in random_sowings(seed))


def played(sowing: Sowing, manners: Manners, seed: int) -> Steps:
    """One ply, checked on the way: it ends as due, everything at rest, with its mark."""
    board = TrueBoard()
    board.set_up(sowing.before)
    turn = Turn(sowing, Fingers(WIRING, BLITZ, manners, Random(seed)))
    steps: Steps = []
    for motion in (turn.think, turn.adjust, turn.gather, turn.sow):
        steps += board.carry_out(motion())
    assert board.at_rest
    assert +board.stones == +before_the_capture(sowing)
    steps += board.carry_out(turn.capture())
    if sowing.tuzdyk is not None:
        steps += board.carry_out(turn.mark())
    assert board.at_rest
    assert board.places == sowing.after.pits + sowing.after.kazans
    assert board.marks == ({WIRING.pits[sowing.last_index]} if sowing.tuzdyk is not None else set())
    assert [step for step in steps if isinstance(step, Pause) and step.seconds < 0] == []
    return steps


def before_the_capture(sowing: Sowing) -> Counter[int]:
    """The channels as they stand when the sowing is over."""
    places = [*sowing.after.pits, *sowing.after.kazans]
    places[18 + sowing.side.index] -= sowing.captured
    places[sowing.last_index] += sowing.captured
    return Counter({WIRING.channel(place): stones for place, stones in enumerate(places)})


def of_kind(steps: Steps, kind: type[Action]) -> list[Action]:
    """The actions of one kind."""
    return [step for step in steps if isinstance(step, kind)]


Habit = Callable[[Sowing, Steps], tuple[int, int]]
"""How often a habit showed, of how many chances."""


def ordinary(sowing: Sowing) -> int:
    """Stones for ordinary pits."""
    return sum(tuzdyk_owner(index, sowing.before.tuzdyks) is None for index in sowing.path)


def fetched(sowing: Sowing, steps: Steps) -> int:
    """How many times a stone was lifted again after the gathering and before the capture."""
    gathered = sum(isinstance(step, Lift) for step in steps)
    return gathered - 1 - bool(sowing.captured)


SEEN: dict[str, Habit] = {
    "rest": lambda _, steps: (touched_before(steps), 1),
    "adjust": lambda _, steps: (touched_before(steps), 1),
    "overshoot": lambda sowing, steps: (fetched(sowing, steps), ordinary(sowing)),
    "relay": lambda sowing, steps: (fetched(sowing, steps), ordinary(sowing)),
    "rim": lambda sowing, steps: (len(of_kind(steps, Perch)), ordinary(sowing)),
    "slips": lambda sowing, steps: (together(steps), sowing.stones - 1),
    "two_handed": lambda sowing, steps: (
        len(of_kind(steps, Lift)) - 1 - bool(sowing.captured),
        sowing.stones > PLAIN.both_hands,
    ),
}


def touched_before(steps: Steps) -> bool:
    """Whether fingers were on the board before those that gathered."""
    first = next(nth for nth, step in enumerate(steps) if isinstance(step, Lift))
    return len(of_kind(steps[:first], Touch)) > 1


def together(steps: Steps) -> int:
    """How many stones left the fingers with the one before."""
    waits = [a.seconds for a, b in pairwise(steps) if isinstance(a, Pause) and isinstance(b, Drop)]
    return sum(seconds <= SLIP_S[1] for seconds in waits)


def only(habit: str, share: float) -> Manners:
    """Manners with one habit."""
    changed: dict[str, Any] = {habit: share}
    return replace(PLAIN, two_handfuls=0.0, tuzdyk_touch=0.0, **changed)


@pytest.mark.parametrize("habit", list(SEEN))
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_a_habit_happens_at_its_rate(habit: str, share: float) -> None:
    """Alone, in some five hundred plies; the bounds are five standard deviations."""
    manners = only(habit, share)
    seen = chances = 0
    for seed, sowing in enumerate(plies()):
        happened, of = SEEN[habit](sowing, played(sowing, manners, seed))
        seen, chances = seen + happened, chances + of
    assert chances > 10
    assert abs(seen - share * chances) <= 5 * (share * (1 - share) * chances) ** 0.5


def test_all_habits_at_once_lose_no_stone() -> None:
    """Every ply of some games, with hands that do everything."""
    kinds = Counter[type]()
    for seed, sowing in enumerate(plies()):
        kinds.update(map(type, played(sowing, UNRULY, seed)))
    assert kinds[Perch] == kinds[Unperch] > 50
    assert kinds[PlaceMark] > 3


def test_stones_are_laid_two_at_a_time() -> None:
    """Nine stones: four fall right after the one before them."""
    sowing = play(START, 5)
    steps = played(sowing, replace(PLAIN, pairs=1.0), 1)
    waits = [
        a.seconds
        for a, b in pairwise(steps)
        if isinstance(a, Pause) and isinstance(b, Drop) and b.stones == 1
    ]
    assert [seconds <= SLIP_S[1] for seconds in waits] == [False, True] * 4 + [False]


def with_tuzdyks(stones: int) -> Sowing:
    """Bastaushy sows from his pit 1; his tuzdyk is qostaushy's 2, qostaushy's is his 5."""
    pits = [1] * 18
    pits[0], pits[10], pits[4] = stones, 0, 0
    kazans = (60, 162 - 60 - sum(pits))
    return play(Position(tuple(pits), kazans, (2, 5), Side.BASTAUSHY), 1)


@pytest.mark.parametrize("habit", ["tuzdyk_late", "tuzdyk_held"])
def test_tuzdyk_stones_may_wait_until_the_sowing_is_over(habit: str) -> None:
    """Two laps, two stones for either tuzdyk: banked in one go each, when all others have fallen."""
    sowing = with_tuzdyks(30)
    assert (sowing.path.count(10), sowing.path.count(4)) == (2, 2)
    drops = of_kind(played(sowing, only(habit, 1.0), 1), Drop)
    own, others = WIRING.kazans
    assert sorted(drops[-2:], key=str) == sorted(
        [Drop(own, _of(drops, own), 2), Drop(others, _of(drops, others), 2)], key=str
    )
    in_pit = [
        drop for drop in drops if isinstance(drop, Drop) and drop.channel in (WIRING.pits[4], WIRING.pits[10])
    ]
    assert len(in_pit) == (4 if habit == "tuzdyk_late" else 0)


def _of(drops: list[Action], channel: int) -> int:
    return next(drop.hand for drop in drops if isinstance(drop, Drop) and drop.channel == channel)


def test_the_owner_may_bank_his_tuzdyk_stones_himself() -> None:
    """His own hand reaches over, before the press."""
    steps = played(with_tuzdyks(30), replace(PLAIN, tuzdyk_late=1.0, tuzdyk_by_owner=1.0), 1)
    banked = {(drop.channel, drop.hand % 2) for drop in of_kind(steps, Drop)[-2:] if isinstance(drop, Drop)}
    assert banked == {(WIRING.kazans[0], 0), (WIRING.kazans[1], 1)}


def test_a_capture_goes_in_three_handfuls() -> None:
    """Ten stones, none of the handfuls empty."""
    sowing = play(START, 7)
    steps = played(sowing, replace(PLAIN, two_handfuls=0.0, three_handfuls=1.0), 1)
    handfuls = [
        drop.stones
        for drop in of_kind(steps, Drop)
        if isinstance(drop, Drop) and drop.channel == WIRING.kazans[0]
    ]
    assert len(handfuls) == 3
    assert sum(handfuls) == 10


def test_a_large_pit_is_taken_with_both_hands_and_a_rest_between() -> None:
    """Two lifts by two hands, then the stones fall from the one and from the other."""
    steps = played(with_tuzdyks(30), replace(PLAIN, two_handed=1.0, tuzdyk_touch=0.0), 1)
    lifts = [step for step in steps if isinstance(step, Lift)]
    assert [lift.hand for lift in lifts[:2]] == [0, 2]
    assert sum(lift.stones for lift in lifts[:2]) == 30
    between = steps[steps.index(lifts[0]) + 1 : steps.index(lifts[1])]
    assert [type(step) for step in between] == [Pause]
    hands = [drop.hand for drop in of_kind(steps, Drop) if isinstance(drop, Drop)]
    assert hands == [0] * lifts[0].stones + [2] * lifts[1].stones


def test_a_stone_that_went_too_far_lies_in_the_next_pit_until_it_is_put_right() -> None:
    """It is lifted from there and laid where it is due."""
    steps = played(play(START, 5), replace(PLAIN, overshoot=1.0), 1)
    drops = [step for step in steps if isinstance(step, Drop)]
    lifts = [step for step in steps if isinstance(step, Lift)]
    assert drops[0].channel == WIRING.pits[5]
    assert lifts[1] == Lift(WIRING.pits[5], 2, 1)
    fetch = steps[steps.index(lifts[1]) + 1]
    assert isinstance(fetch, Pause)
    assert FETCH_S[0] <= fetch.seconds <= FETCH_S[1]


def test_some_stones_are_put_right_at_once_and_some_at_the_end() -> None:
    """Both happen."""
    manners = replace(PLAIN, rim=1.0)
    waiting = set()
    for seed in range(20):
        most = there = 0
        for step in played(play(START, 5), manners, seed):
            there += isinstance(step, Perch) - isinstance(step, Unperch)
            most = max(most, there)
        waiting.add(most)
    assert min(waiting) <= 2
    assert max(waiting) >= 4
