"""What holds of any position and any fault."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import STONES, Position, Side, apply, legal_moves
from rules.infractions.corrections import apply_carries
from rules.infractions.diagnose import Diagnosis, diagnose
from rules.infractions.evidence import PLACES, Evidence, Hand, Stroke
from rules.infractions.kinds import Fault, Infraction
from rules.position import board_of
from tests.rules.boards import played_positions, positions, random_game
from tests.rules.infractions.hands_at_play import Injected, Table
from tests.rules.infractions.injector import INJECTORS, inject

PER_FAULT = 8
"""Positions of each fault in the quick run; the bench has five hundred."""

BENCH_PER_FAULT = 500

NAMED_AT_LEAST = 0.97
"""Rate at which the first diagnosis names the fault, exactly or as one of its class."""


def _kinds(faults: tuple[Infraction, ...]) -> tuple[Fault, ...]:
    return tuple(one.fault for one in faults)


def _names(found: Diagnosis, injected: Injected) -> bool:
    """Return whether a diagnosis names what was done, exactly or as one of its class."""
    return injected.faults in [_kinds(found.faults), *map(_kinds, found.alike)]


@lru_cache(4)
def _many_positions(seed: int) -> tuple[Position, ...]:
    """Return positions of random games in random order."""
    found = [position for nth in range(seed, seed + 60) for position, _ in random_game(nth)]
    random.Random(seed).shuffle(found)
    return tuple(found)


def _injected(fault: Fault, wanted: int, seed: int) -> list[Injected]:
    rng = random.Random(f"{fault.value} {seed}")
    found: list[Injected] = []
    for position in _many_positions(seed):
        one = inject(fault, position, rng, tries=3)
        if one is not None:
            found.append(one)
        if len(found) == wanted:
            break
    return found


def _judge(injected: list[Injected]) -> tuple[int, int]:
    """Return how often the first diagnosis, and one of the first two, names what was done; lists are held."""
    first = among_two = 0
    for one in injected:
        told = diagnose(one.evidence)
        first += _names(told[0], one)
        among_two += any(_names(found, one) for found in told[:2])
        assert one.due in [found.due for found in told[:2]]
        for found in told:
            _leads_back(one.evidence, found)
    return first, among_two


def _leads_back(evidence: Evidence, found: Diagnosis) -> None:
    seen = [stones or 0 for stones in evidence.seen]
    due = evidence.before if found.due is None else found.due.after
    assert apply_carries(seen, found.to_before) == board_of(evidence.before)
    assert apply_carries(seen, found.to_due) == board_of(due)


@pytest.mark.parametrize("fault", INJECTORS)
def test_an_injected_fault_is_named(fault: Fault) -> None:
    """Nearly always first, always among the first two, and the lists always lead to what was due."""
    injected = _injected(fault, PER_FAULT, seed=1)
    assert len(injected) == PER_FAULT
    first, among_two = _judge(injected)
    assert first >= PER_FAULT - 1
    assert among_two == PER_FAULT


@pytest.mark.bench
@pytest.mark.parametrize("fault", INJECTORS)
def test_an_injected_fault_is_named_in_five_hundred_positions(fault: Fault) -> None:
    """The same, at length."""
    injected = [one for seed in range(0, 600, 60) for one in _injected(fault, BENCH_PER_FAULT // 10, seed)]
    first, among_two = _judge(injected)
    assert first >= NAMED_AT_LEAST * len(injected)
    assert among_two == len(injected)


def test_what_was_only_seen_at_its_end_is_explained_too() -> None:
    """Without the strokes the faults of the stones are still named, in greater classes."""
    tally: Counter[bool] = Counter()
    for fault in (Fault.STONE_SKIPPED, Fault.WRONG_WAY, Fault.CAPTURE_NOT_TAKEN, Fault.CAPTURED_OWN_SIDE):
        for one in _injected(fault, 10, seed=2):
            unwatched = replace(one.evidence, strokes=None, in_hand=None, marks=None)
            tally[_names(diagnose(unwatched)[0], one)] += 1
    assert tally[True] >= 0.9 * tally.total()


@given(played_positions(), st.integers(0, 8), st.integers(0, 1000), st.booleans())
def test_a_legal_ply_is_never_diagnosed(position: Position, choice: int, seed: int, watched: bool) -> None:  # noqa: FBT001 - drawn
    """Whoever plays by the rules is told nothing, watched or not."""
    moves = legal_moves(position)
    if not moves:
        return
    table = Table(position, random.Random(seed))
    table.play(apply(position, moves[choice % len(moves)]))
    evidence = table.told((), None, None).evidence
    if not watched:
        evidence = Evidence(before=position, seen=evidence.seen)
    assert diagnose(evidence) == ()


@given(played_positions(), st.integers(0, 19))
def test_a_legal_ply_with_a_dead_cell_is_never_diagnosed(position: Position, dead: int) -> None:
    """A place that cannot be read accuses nobody."""
    for number in legal_moves(position):
        seen: list[int | None] = list(board_of(apply(position, number).after))
        seen[dead] = None
        assert diagnose(Evidence(before=position, seen=tuple(seen))) == ()


_STROKES = st.builds(
    lambda hand, place, low, more: Stroke(hand, place, low, low + more),
    st.sampled_from(Hand),
    st.integers(0, PLACES - 1),
    st.integers(0, 9),
    st.integers(0, 2),
)
_SIDES = st.sampled_from(Side)


@st.composite
def _nonsense(draw: st.DrawFn) -> Evidence:
    seen = draw(st.lists(st.none() | st.integers(0, STONES), min_size=PLACES, max_size=PLACES))
    return Evidence(
        before=draw(positions() | played_positions()),
        seen=tuple(seen),
        strokes=draw(st.none() | st.lists(_STROKES, max_size=12).map(tuple)),
        presses=tuple(draw(st.lists(_SIDES, max_size=3))),
        in_hand=draw(st.none() | st.tuples(st.integers(0, 4), st.integers(0, 4))),
        in_hand_us=draw(st.none() | st.integers(0, 10**6)),
        marks=draw(st.none() | st.lists(st.integers(0, 17), max_size=2).map(tuple)),
        early=draw(st.none() | _SIDES),
    )


@given(_nonsense())
@settings(max_examples=40)
def test_nonsense_is_told_as_something(evidence: Evidence) -> None:
    """Whatever lies there, and whatever hands are said to have done, it has a name and a way back."""
    for found in diagnose(evidence):
        assert found.faults
        assert 0 < found.confidence <= 1
        if None not in evidence.seen:
            _leads_back(evidence, found)


def _misheard(strokes: tuple[Stroke, ...], rng: random.Random) -> tuple[Stroke, ...]:
    """Return strokes as poor cells tell them: some missed, some a stone off, some in the wrong order."""
    heard: list[Stroke] = []
    for stroke in strokes:
        chance = rng.random()
        if chance < 0.05:
            continue
        off = rng.choice((-1, 1)) if chance < 0.15 else 0
        doubt = int(chance > 0.7)
        low = max(0, stroke.low + off - doubt)
        heard.append(replace(stroke, low=low, high=max(1, stroke.high + off + doubt)))
    for nth in range(1, len(heard)):
        if rng.random() < 0.05:
            heard[nth - 1 : nth + 1] = heard[nth], heard[nth - 1]
    return tuple(heard)


def test_strokes_that_were_misheard_accuse_nobody() -> None:
    """The board is right, so the cells were wrong."""
    rng = random.Random(5)
    for position in _many_positions(3)[:300]:
        table = Table(position, rng)
        table.play(apply(position, rng.choice(legal_moves(position))))
        evidence = table.told((), None, None).evidence
        assert diagnose(replace(evidence, strokes=_misheard(_strokes_of(evidence), rng))) == ()


_TOLD_BY_HANDS_ALONE = (
    Fault.TOUCH_MOVE_BROKEN,
    Fault.OUT_OF_TURN,
    Fault.ADJUSTED_BY_HAND,
    Fault.ADJUSTED_OUT_OF_TURN,
)


def test_faults_are_named_though_strokes_were_misheard() -> None:
    """The board tells most of it; what was heard wrongly costs little."""
    rng = random.Random(6)
    tally: Counter[str] = Counter()
    for fault in INJECTORS:
        if fault in _TOLD_BY_HANDS_ALONE:
            continue
        for one in _injected(fault, 4, seed=4):
            heard = _misheard(_strokes_of(one.evidence), rng)
            told = diagnose(replace(one.evidence, strokes=heard))
            tally["all"] += 1
            tally["first"] += _names(told[0], one)
            tally["two"] += any(_names(found, one) for found in told[:2])
    assert tally["first"] >= 0.93 * tally["all"]
    assert tally["two"] >= 0.97 * tally["all"]


def _strokes_of(evidence: Evidence) -> tuple[Stroke, ...]:
    """Return the strokes of evidence that has some."""
    assert evidence.strokes is not None
    return evidence.strokes
