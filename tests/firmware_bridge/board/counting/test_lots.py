"""Whose stones lie where after some plies."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board.counting.lots import (
    Change,
    change_of,
    laid_out,
    stones_due,
    swept_stones,
    tuzdyk_places,
    unchanged,
)
from rules.position import START, Position, Side, Sowing, pit_index, play, tuzdyk_owner
from tests.firmware_bridge.board.lines import line_of

Map = list[list[float]]
"""Share of the stones of each place (second index) that lies at each place (first) afterwards."""


def map_of(change: Change) -> Map:
    """Return where the stones of each place are, in shares of one."""
    share = [[1.0 if place == source else 0.0 for source in range(20)] for place in range(20)]
    for lot in change.lots:
        share[lot.source][lot.source] = 0.0
        for place, stones in lot.parts:
            share[place][lot.source] += stones / lot.stones
    return share


def after_map(share: Map, before: tuple[int, ...]) -> list[float]:
    """Return how many stones each place holds after a map."""
    return [sum(row[source] * stones for source, stones in enumerate(before)) for row in share]


def labelled(ply: Sowing) -> list[list[int]]:
    """Carry every single stone, which remembers where it lay; return what lies at each place."""
    content = [[place] * stones for place, stones in enumerate(stones_due(ply.before))]
    origin = pit_index(ply.side, ply.number)
    hand, content[origin] = content[origin], []
    for index, stone in zip(ply.path, hand, strict=True):
        owner = tuzdyk_owner(index, ply.before.tuzdyks)
        content[index if owner is None else 18 + owner.index].append(stone)
    if ply.captured:
        content[18 + ply.side.index] += content[ply.last_index]
        content[ply.last_index] = []
    return content


@given(seed=st.integers(0, 1_000_000), length=st.integers(1, 3), swept=st.booleans())
def test_lots_lose_no_stone_and_end_on_the_position(seed: int, length: int, *, swept: bool) -> None:
    """Every lot lies somewhere to its last stone, and together they make the position."""
    plies = line_of(random.Random(seed), length)
    change = change_of(plies, swept=swept)
    due = swept_stones(plies[-1].after) if swept else None
    assert change.before == stones_due(plies[0].before)
    assert change.after == (due or stones_due(plies[-1].after))
    assert sum(change.after) == sum(change.before) == 162
    for lot in change.lots:
        assert lot.stones == change.before[lot.source] > 0
        assert sum(stones for _, stones in lot.parts) == pytest.approx(lot.stones)
        assert min(stones for _, stones in lot.parts) > 0
        assert len({place for place, _ in lot.parts}) == len(lot.parts)
        assert {place for place, _ in lot.parts} != {lot.source}
    assert len({lot.source for lot in change.lots}) == len(change.lots)
    assert after_map(map_of(change), change.before) == pytest.approx(change.after)


@given(seed=st.integers(0, 1_000_000))
def test_a_ply_spreads_the_very_stones_that_a_hand_carries(seed: int) -> None:
    """Of one ply it is known of every stone where it came from."""
    (ply,) = line_of(random.Random(seed), 1)
    content = labelled(ply)
    lots = {lot.source: dict(lot.parts) for lot in change_of([ply]).lots}
    for source in range(20):
        parts = {place: stones.count(source) for place, stones in enumerate(content) if source in stones}
        if source in lots:
            assert lots[source] == pytest.approx(parts)
        else:
            assert set(parts) <= {source}


@given(seed=st.integers(0, 1_000_000), length=st.integers(2, 3), swept=st.booleans())
def test_a_line_spreads_what_its_plies_spread_one_after_the_other(
    seed: int, length: int, *, swept: bool
) -> None:
    """Stones drawn from a mixed pit are, on average, mixed as it was."""
    plies = line_of(random.Random(seed), length)
    share = map_of(change_of(plies[:1], swept=swept and len(plies) == 1))
    for ply in plies[1:]:
        then = map_of(change_of([ply], swept=swept and ply is plies[-1]))
        share = [
            [sum(row[middle] * share[middle][source] for middle in range(20)) for source in range(20)]
            for row in then
        ]
    whole = map_of(change_of(plies, swept=swept))
    sources = [place for place, stones in enumerate(stones_due(plies[0].before)) if stones]
    for row, due in zip(whole, share, strict=True):
        assert [row[source] for source in sources] == pytest.approx([due[source] for source in sources])


@pytest.mark.parametrize("side", Side)
def test_a_sweep_pours_what_is_left_into_one_kazan(side: Side) -> None:
    """The stones that the last ply moved, and those that only lay there."""
    pits = [0] * 18
    pits[pit_index(side, 8)], pits[pit_index(side, 3)] = 2, 4
    ply = play(Position(tuple(pits), (78, 78), (None, None), side), 8)
    kazan = 18 + side.index
    lots = {lot.source: lot.parts for lot in change_of([ply], swept=True).lots}
    assert lots == {pit_index(side, 8): ((kazan, 2.0),), pit_index(side, 3): ((kazan, 4.0),)}


def test_a_position_that_lies_there_unchanged_has_no_lots() -> None:
    """Nor is anything swept where the game goes on."""
    ply = play(START, 7)
    assert unchanged(START) == Change(stones_due(START), stones_due(START), (), frozenset())
    assert swept_stones(START) is None
    assert change_of([ply], swept=True) == change_of([ply])


def test_all_stones_come_out_of_one_box() -> None:
    """Before a game nothing is known but their mean mass."""
    change = laid_out(START)
    assert change.before == (0,) * 20
    assert change.after == stones_due(START)
    (lot,) = change.lots
    assert (lot.source, lot.stones) == (20, 162)
    assert lot.parts == tuple((place, 9.0) for place in range(18))


def test_a_tuzdyk_lies_in_the_row_of_the_other() -> None:
    """Bastaushy's third lies among qostaushy's pits, qostaushy's fifth among bastaushy's."""
    position = Position((9,) * 18, (0, 0), (3, 5), Side.BASTAUSHY)
    assert tuzdyk_places(position) == {11, 4}
    assert unchanged(position).tuzdyks == {11, 4}
    assert tuzdyk_places(Position((9,) * 18, (0, 0), (None, 1), Side.BASTAUSHY)) == {0}
