"""The numbers a decision hangs on: each is held between what must pass and what must not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.board.counting import (
    Anchor,
    Observation,
    PlaceReading,
    Units,
    observe,
    reanchor,
    stones_due,
    tuzdyk_places,
)
from firmware_bridge.board.reconciler import Differs, InProgress, Played, reconcile
from firmware_bridge.board.watcher import Watcher
from firmware_bridge.layout import Seating, Wiring
from rules.position import START, Position, Side, play
from sensors.settle import ChannelReading, ReadingState
from tests.firmware_bridge.board.paper import playing

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
UNITS = Units(stone_g=2.0, mark_g=5.0)
NONE: frozenset[int] = frozenset()
TUZDYK = Position((*(9,) * 11, 0, *(9,) * 6), (9, 0), (3, None), Q)


def weighed(stones: tuple[int, ...], place: int, more_g: float) -> tuple[PlaceReading, ...]:
    """Return quiet readings of these stones, with a few grams more in one place."""
    return tuple(
        PlaceReading(number * UNITS.stone_g + (more_g if at == place else 0.0), 0)
        for at, number in enumerate(stones)
    )


def seen(position: Position) -> Observation:
    """Return an observation of exactly this position."""
    return Observation(tuple(float(number) for number in stones_due(position)), 2.5, NONE, ())


@pytest.mark.parametrize(("off", "fits"), [(0.39, True), (0.42, False), (-0.39, True), (-0.42, False)])
def test_a_place_fits_up_to_two_fifths_of_a_stone(off: float, *, fits: bool) -> None:
    """A tenth of a stone is left between what fits and what another number would claim."""
    due = stones_due(START)
    fit = observe(weighed(due, 6, off * UNITS.stone_g), Anchor(), UNITS).fit(due, NONE)
    assert fit.ok is fits


@pytest.mark.parametrize(("share", "marked"), [(0.45, False), (0.55, True), (1.0, True)])
def test_more_than_half_a_mark_on_a_tuzdyk_is_a_mark(share: float, *, marked: bool) -> None:
    """Half of it decides, both when it is laid down and when it is taken away."""
    due, places = stones_due(TUZDYK), tuzdyk_places(TUZDYK)
    laid = reanchor(weighed(due, 11, share * UNITS.mark_g), Anchor(), UNITS, due, places)
    assert (11 in laid.marked) is marked
    lying = Anchor((*(0.0,) * 11, UNITS.mark_g, *(0.0,) * 8), frozenset({11}))
    taken = reanchor(weighed(due, 11, (1 - share) * UNITS.mark_g), lying, UNITS, due, places)
    assert (11 in taken.marked) is not marked


@pytest.mark.parametrize("missing", [1, -1])
def test_one_stone_missing_or_over_is_a_hand(missing: int) -> None:
    """Nobody is told that pits differ while somebody holds a stone."""
    stones = [float(number) for number in stones_due(START)]
    stones[4] -= missing
    assert reconcile(START, Observation(tuple(stones), 2.5, NONE, ()), (B,)) == InProgress(missing)


@pytest.mark.parametrize(("plies", "presses"), [(1, (B, Q)), (2, (B, Q, B)), (2, (B,)), (3, (B, Q))])
def test_who_pressed_last_says_how_many_plies_there_may_be(plies: int, presses: tuple[Side, ...]) -> None:
    """After the opponent's press an odd number of plies is no explanation, after the own one an even."""
    position = START
    for number in (7, 9, 5)[:plies]:
        position = play(position, number).after
    assert isinstance(reconcile(START, seen(position), presses), Differs)


def test_a_zero_follows_a_two_hundredth_of_a_stone_each_look() -> None:
    """Faster, and a stone laid down would be taken for drift before anybody is asked."""
    watcher = Watcher(Seating(Wiring(), "a"), UNITS, Anchor())
    loads = [reading.load_g for reading in weighed(stones_due(START), 3, 0.3 * UNITS.stone_g)]
    channels = tuple(ChannelReading(ReadingState.QUIET, load, 0, "") for load in loads)
    for look in (1, 2):
        watcher.look(look * 100_000, channels, START, (), 0)
        assert watcher.anchor.zeros_g[3] == pytest.approx(look * 0.005 * UNITS.stone_g)
        assert watcher.anchor.zeros_g[4] == 0.0


def test_a_finished_position_counts_unpressed_after_a_second_and_a_half() -> None:
    """A hand that only rests before it goes on is quicker."""
    board = playing()
    nearly = Position((*(0,) * 7, 2, *(0,) * 10), (80, 80), (None, None), B)
    board.session.game = replace(board.session.game, position=nearly)
    board.show(nearly)
    board.wait(0.5)
    board.show(play(nearly, 8).after)
    board.wait(1.4)
    assert board.session.game.result is None
    board.wait(0.2)
    assert board.session.game.result == "1-0"


def test_a_ply_seen_before_a_press_is_kept_until_it_is_decided() -> None:
    """It tells apart what the sweep makes alike, so it must outlast the looks after it."""
    watcher = Watcher(Seating(Wiring(), "a"), UNITS, Anchor())
    sowing = play(START, 7)
    readings = weighed(stones_due(sowing.after), 0, 0.0)
    channels = tuple(ChannelReading(ReadingState.QUIET, reading.load_g, 0, "") for reading in readings)
    look = watcher.look(100_000, channels, START, (), 0)
    assert isinstance(look.verdict, Played)
    assert watcher.hint == (sowing,)
    watcher.look(200_000, channels, START, (B,), 150_000)
    assert watcher.hint == (sowing,)
    watcher.confirm(look.readings, stones_due(sowing.after), NONE)
    assert not watcher.hint
