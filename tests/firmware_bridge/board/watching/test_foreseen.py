"""Plies seen in part tell which line to look for, and are never final by themselves."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.board.counting.belief import Belief
from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.counting.observation import LEAST_NOISE, MOVING, Observation
from firmware_bridge.board.session.decisions import committed
from firmware_bridge.board.watching.foreseen import LONGEST, MOST_HIDDEN, foresee
from firmware_bridge.board.watching.reconciler import Played
from firmware_bridge.board.watching.watcher import Watcher
from firmware_bridge.layout import Seating, Wiring
from rules.position import START, Position, Side, Sowing, legal_moves, play
from sensors.settle import ChannelReading, ReadingState
from tests.firmware_bridge.board.lines import random_position
from tests.firmware_bridge.board.paper import UNITS

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
SECOND = 1_000_000
SEEDS = st.integers(0, 1_000_000)


def seen(before: Position, stones: Sequence[float], hidden: Collection[int] = ()) -> Observation:
    """Return a look at these stones with some places moving, where `before` was confirmed."""
    weights = tuple(None if place in hidden else float(n) for place, n in enumerate(stones))
    unread = tuple((place, MOVING) for place in sorted(hidden))
    return Observation(weights, (LEAST_NOISE,) * 20, 2.6, Belief.exactly(stones_due(before)), unread)


def channels(stones: Sequence[float], hidden: Collection[int] = ()) -> tuple[ChannelReading, ...]:
    """Return the channels' readings of these stones."""
    return tuple(
        ChannelReading(ReadingState.MOVING, None, None, "spread")
        if place in hidden
        else ChannelReading(ReadingState.QUIET, n * UNITS.stone_g, 0, "")
        for place, n in enumerate(stones)
    )


def line_from(rng: random.Random, position: Position, length: int) -> list[Sowing]:
    """Return plies played at random; fewer where the game ends."""
    plies: list[Sowing] = []
    while len(plies) < length and (moves := legal_moves(position)):
        plies.append(play(position, rng.choice(moves)))
        position = plies[-1].after
    return plies


@settings(max_examples=40)
@given(seed=SEEDS, length=st.integers(4, 6))
def test_a_line_seen_in_part_is_found_once_the_board_is_quiet(seed: int, length: int) -> None:
    """A hand hides some places at every press; no look is final before the last, which is."""
    rng = random.Random(seed)
    start = random_position(seed, rng.randrange(30))
    line = line_from(rng, start, length)
    watcher = Watcher(Seating(Wiring(), "a"), UNITS, Belief.exactly(stones_due(start)))
    presses: list[Side] = []
    times: list[int] = []
    for number, ply in enumerate(line, 1):
        presses.append(ply.side)
        times.append(number * SECOND)
        for late_us in (250_000, 500_000):
            hidden = rng.sample(range(20), rng.randint(1, 2))
            look = watcher.look(
                number * SECOND + late_us,
                channels(stones_due(ply.after), hidden),
                start,
                tuple(presses),
                times,
            )
            assert committed(look) is None
            assert look.verdict is None
    if list(watcher.hint) != line:
        return  # two plies differ in what was hidden only: nothing is foreseen from there
    last = stones_due(line[-1].after)
    look = watcher.look((length + 2) * SECOND, channels(last), start, tuple(presses), times)
    played = committed(look)
    assert played is not None
    assert list(played[0].plies) == line


def test_most_plies_are_foreseen_with_two_places_hidden() -> None:
    """So that what is proved of lines that were is worth something."""
    rng = random.Random(3)
    right = wrong = 0
    for seed in range(150):
        position = random_position(seed, seed % 50)
        ply = play(position, rng.choice(legal_moves(position)))
        found = foresee(position, (), seen(position, stones_due(ply.after), rng.sample(range(20), 2)))
        right += found == ply
        wrong += found not in (ply, None)
    assert right > 120
    assert wrong == 0


@settings(max_examples=30)
@given(seed=SEEDS, pick=st.integers(0, 8), length=st.integers(1, 3))
def test_a_wrong_foresight_does_no_harm(seed: int, pick: int, length: int) -> None:
    """The board itself says what was played, whatever was expected."""
    position = random_position(seed, seed % 40)
    moves = legal_moves(position)
    ply = play(position, moves[pick % len(moves)])
    watcher = Watcher(Seating(Wiring(), "a"), UNITS, Belief.exactly(stones_due(position)))
    watcher.hint = tuple(line_from(random.Random(seed), position, length))
    look = watcher.look(2 * SECOND, channels(stones_due(ply.after)), position, (ply.side,), (SECOND,))
    assert isinstance(look.verdict, Played)
    assert look.verdict.plies == (ply,)
    assert committed(look) is not None


@settings(max_examples=30)
@given(seed=SEEDS, source=st.integers(0, 19), target=st.integers(0, 19))
def test_a_foreseen_line_excuses_no_stone_out_of_place(seed: int, source: int, target: int) -> None:
    """It only says what to look for; the quiet board must agree to the last stone."""
    rng = random.Random(seed)
    position = random_position(seed, rng.randrange(30))
    line = line_from(rng, position, 4)
    stones = [*stones_due(line[-1].after)]
    if source == target or not stones[source]:
        return
    stones[source] -= 1
    stones[target] += 1
    watcher = Watcher(Seating(Wiring(), "a"), UNITS, Belief.exactly(stones_due(position)))
    watcher.hint = tuple(line)
    sides = tuple(ply.side for ply in line)
    times = [number * SECOND for number in range(1, len(line) + 1)]
    look = watcher.look(9 * SECOND, channels(stones), position, sides, times)
    assert not (isinstance(look.verdict, Played) and look.verdict.plies == tuple(line))


def test_what_is_hidden_too_much_is_not_foreseen() -> None:
    """With half the board unread, or none of it read, nobody can tell."""
    ply = play(START, 7)
    due = stones_due(ply.after)
    unmoved = (0, 1, 2, 3, 4, 5, 16, 17)
    for hidden, found in (((), ply), (unmoved[:4], ply), (range(MOST_HIDDEN + 1), None), (range(20), None)):
        assert foresee(START, (), seen(START, due, hidden)) == found
    assert foresee(START, (), seen(START, due, (6, 7, 8))) in (ply, None)


def test_two_plies_that_differ_only_where_nothing_is_read_are_not_foreseen() -> None:
    """Either may have been played; the quiet board will tell."""
    position = Position((1, 0, 0, 1, *(0,) * 6, *(9,) * 8), (50, 38), (None, None), B)
    for number in (1, 4):
        due = stones_due(play(position, number).after)
        assert foresee(position, (), seen(position, due, (0, 1, 3, 4))) is None
        assert foresee(position, (), seen(position, due, (3, 4, 15))) == play(position, number)


def test_a_board_that_shows_no_ply_foresees_none() -> None:
    """Stones all over the board are not the nearest ply, and neither is the position as it was."""
    scattered = [*range(3, 12), *range(15, 6, -1), 0.0, 0.0]
    assert foresee(START, (), seen(START, scattered)) is None
    over = Position((*(0,) * 9, *(1,) * 9), (100, 53), (None, None), B)
    assert foresee(over, (), seen(over, stones_due(over))) is None
    doubtful = [float(n) for n in stones_due(play(START, 7).after)]
    doubtful[3] += 0.5
    assert foresee(START, (), seen(START, doubtful)) is None


def test_a_leaned_on_place_hides_as_an_unread_one_does() -> None:
    """It weighs too much while the hand lies there; the others tell the ply."""
    ply = play(START, 7)
    leaned = [float(n) for n in stones_due(ply.after)]
    leaned[2] += 40.0
    assert foresee(START, (), seen(START, leaned)) == ply


def test_a_line_grows_no_longer_than_can_be_trusted() -> None:
    """Some twenty seconds of blitz."""
    line = tuple(line_from(random.Random(8), START, LONGEST + 1))
    due = stones_due(line[LONGEST - 1].after)
    assert foresee(START, line[: LONGEST - 1], seen(START, due)) == line[LONGEST - 1]
    due = stones_due(line[LONGEST].after)
    assert foresee(START, line[:LONGEST], seen(START, due)) is None


@pytest.mark.parametrize("presser", [B, Q])
def test_a_press_of_the_other_foresees_nothing(presser: Side) -> None:
    """Only who is to move has played."""
    watcher = Watcher(Seating(Wiring(), "a"), UNITS, Belief.exactly(stones_due(START)))
    ply = play(START, 7)
    watcher.look(2 * SECOND, channels(stones_due(ply.after), (13,)), START, (presser,), (SECOND,))
    assert watcher.hint == ((ply,) if presser is B else ())


def test_a_confirmed_board_forgets_what_was_foreseen() -> None:
    """It belongs to the position before."""
    watcher = Watcher(Seating(Wiring(), "a"), UNITS, Belief.exactly(stones_due(START)))
    ply = play(START, 7)
    watcher.look(2 * SECOND, channels(stones_due(ply.after), (13,)), START, (B,), (SECOND,))
    assert watcher.hint == (ply,)
    look = watcher.look(3 * SECOND, channels(stones_due(ply.after)), START, (B,), (SECOND,))
    assert isinstance(look.verdict, Played)
    watcher.confirm(look.readings, replace(look.verdict.weighed))
    assert not watcher.hint
