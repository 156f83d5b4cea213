"""The numbers a decision hangs on: each is held between what must pass and what must not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from firmware_bridge.board.counting.belief import Belief, Units
from firmware_bridge.board.counting.lots import stones_due, unchanged
from firmware_bridge.board.counting.observation import LEAST_NOISE, Observation
from firmware_bridge.board.session.notes import of_verdict
from firmware_bridge.board.watching.reconciler import Differs, InProgress, Played, Unsure, reconcile
from firmware_bridge.board.watching.watcher import Watcher
from firmware_bridge.layout import Seating, Wiring
from rules.position import START, Position, Side, play
from sensors.settle import ChannelReading, ReadingState
from tests.firmware_bridge.board.paper import notes, playing

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
UNITS = Units(stone_g=2.0, mark_g=5.0)
TUZDYK = Position((*(9,) * 11, 0, *(9,) * 6), (9, 0), (3, None), Q)


def seen(before: Position, stones: Sequence[float]) -> Observation:
    """Return an observation of exactly these stones, where `before` lay when it was confirmed."""
    weights = tuple(float(number) for number in stones)
    return Observation(weights, (LEAST_NOISE,) * 20, 2.5, Belief.exactly(stones_due(before)))


@pytest.mark.parametrize(("off", "fits"), [(0.48, True), (0.5, False), (-0.48, True), (-0.5, False)])
def test_a_place_fits_up_to_nearly_half_a_stone(off: float, *, fits: bool) -> None:
    """Where all else agrees; the nearer to a half, the likelier is another number."""
    weights = [float(number) for number in stones_due(START)]
    weights[6] += off
    assert seen(START, weights).compare(unchanged(START)).sure is fits


@pytest.mark.parametrize(("share", "marked"), [(0.45, False), (0.55, True), (1.0, True)])
def test_more_than_half_a_mark_on_a_tuzdyk_is_a_mark(share: float, *, marked: bool) -> None:
    """Half of it decides, both when it is laid down and when it is taken away."""
    weights = [float(number) for number in stones_due(TUZDYK)]
    weights[11] += share * 2.5
    look = seen(TUZDYK, weights)
    belief = look.confirm(look.compare(unchanged(TUZDYK)))
    assert (11 in belief.marked) is marked
    weights[11] = 2.5
    look = seen(TUZDYK, weights)
    lying = look.confirm(look.compare(unchanged(TUZDYK)))
    weights[11] = (1 - share) * 2.5
    look = replace(look, weights=tuple(weights), belief=lying)
    assert (11 in look.confirm(look.compare(unchanged(TUZDYK))).marked) is not marked


@pytest.mark.parametrize("missing", [1, -1])
def test_one_stone_missing_or_over_is_a_hand(missing: int) -> None:
    """Nobody is told that pits differ while somebody holds a stone."""
    stones = [float(number) for number in stones_due(START)]
    stones[4] -= missing
    assert reconcile(START, seen(START, stones), (B,)) == InProgress(missing)


@pytest.mark.parametrize(("plies", "presses"), [(1, (B, Q)), (2, (B, Q, B)), (2, (B,)), (3, (B, Q))])
def test_who_pressed_last_says_how_many_plies_there_may_be(plies: int, presses: tuple[Side, ...]) -> None:
    """After the opponent's press an odd number of plies is no explanation, after the own one an even."""
    position = START
    for number in (7, 9, 5)[:plies]:
        position = play(position, number).after
    assert isinstance(reconcile(START, seen(START, stones_due(position)), presses), Differs)


def test_a_level_follows_a_two_hundredth_of_a_stone_each_look() -> None:
    """Faster, and a stone laid down would be taken for drift before anybody is asked."""
    watcher = Watcher(Seating(Wiring(), "a"), UNITS, Belief.exactly(stones_due(START)))
    loads = [(n + (0.3 if place == 3 else 0.0)) * UNITS.stone_g for place, n in enumerate(stones_due(START))]
    channels = tuple(ChannelReading(ReadingState.QUIET, load, 0, "") for load in loads)
    for look in (1, 2):
        watcher.look(look * 100_000, channels, START, (), ())
        assert watcher.belief.places[3].level == pytest.approx(9 + look * 0.005)
        assert watcher.belief.places[4].level == 9.0


def test_a_finished_position_counts_unpressed_after_a_second_and_a_half() -> None:
    """A hand that only rests before it goes on is quicker."""
    board = playing()
    nearly = Position((*(0,) * 7, 2, *(0,) * 10), (80, 80), (None, None), B)
    board.stand(nearly)
    board.show(nearly)
    board.wait(0.5)
    board.show(play(nearly, 8).after)
    board.wait(1.4)
    assert board.session.game.result is None
    board.wait(0.2)
    assert board.session.game.result == "1-0"


def test_a_ply_seen_before_a_press_is_kept_until_it_is_decided() -> None:
    """It tells apart what the sweep makes alike, so it must outlast the looks after it."""
    watcher = Watcher(Seating(Wiring(), "a"), UNITS, Belief.exactly(stones_due(START)))
    sowing = play(START, 7)
    loads = [number * UNITS.stone_g for number in stones_due(sowing.after)]
    channels = tuple(ChannelReading(ReadingState.QUIET, load, 0, "") for load in loads)
    look = watcher.look(100_000, channels, START, (), ())
    assert isinstance(look.verdict, Played)
    assert watcher.hint == (sowing,)
    watcher.look(200_000, channels, START, (B,), (150_000,))
    assert watcher.hint == (sowing,)
    watcher.confirm(look.readings, look.verdict.weighed)
    assert not watcher.hint


def test_a_place_in_doubt_is_told_with_both_numbers() -> None:
    """Whoever is asked to count reads what is due there and what else it may be."""
    stones = [float(n) for n in stones_due(START)]
    for by, other in ((0.5, 10), (-0.5, 8)):
        verdict = reconcile(
            START, seen(START, [n + (by if at == 12 else 0.0) for at, n in enumerate(stones)])
        )
        assert verdict == Unsure((), ((12, 9, other),))
        (note,) = of_verdict(verdict)
        assert (note.code, note.place, note.detail) == ("unsure", 12, f"qostaushy 4: 9 or {other} stones")
    ply = play(START, 7)
    moved = [*map(float, stones_due(ply.after))]
    moved[13] += 0.5
    verdict = reconcile(START, seen(START, moved), (B,))
    assert verdict == Unsure((ply,), ((13, 10, 11),))


def test_doubt_is_told_to_people_only_when_a_press_or_a_long_rest_asks_for_it() -> None:
    """Before that a hand may still put it right."""
    board = playing()
    board.show(play(START, 7).after)
    board.add(3, 0.5 * 1.15)
    board.wait(9)
    assert board.session.watch.sensed == "moving"
    board.press(B)
    board.wait(2.8)
    assert board.session.watch.sensed == "moving"
    board.wait(0.4)
    assert notes(board) == [("unsure", 3)]
