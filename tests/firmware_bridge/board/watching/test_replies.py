"""A reply begun before the press does not hide the board of the press; a stone moved by hand is no reply."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.watching.replies import lifted_early, under_way
from firmware_bridge.board.watching.snapshot import as_of
from rules.position import START, Side, play
from sensors.settle import ChannelReading, ReadingState, Stretch

AFTER = play(START, 7).after
PRESS_US = 10_000_000
PIT = 16
"""Qostaushy's eighth pit: nine stones, the first stays, the next falls into pit 9."""


def lying(place: int, *, lifted: bool = False, fallen: int = 0) -> ChannelReading:
    """Return a place of 1 g stones after bastaushy's 7: lifted early, sown into later, or not."""
    due = float(stones_due(AFTER)[place])
    if not lifted and not fallen:
        return ChannelReading(ReadingState.QUIET, due, 0, "", level_g=due)
    over_us = PRESS_US + (-500_000 if lifted else 300_000)
    now = 1.0 if lifted else due + fallen
    past = (Stretch(5_000_000, over_us, due, 0.0, 20),)
    return ChannelReading(ReadingState.QUIET, now, over_us + 300_000, "", level_g=now, past=past)


def board(*, lifted: int | None = PIT, fallen: int | None = PIT + 1) -> list[ChannelReading]:
    """Return the twenty places while qostaushy sows early."""
    return [lying(place, lifted=place == lifted, fallen=1 if place == fallen else 0) for place in range(20)]


def test_a_pit_lifted_before_the_press_is_put_back() -> None:
    """Only that pit is in question, and it held what lay there before."""
    places = board(fallen=None)
    found = dict(lifted_early(places, as_of(places, PRESS_US), Side.QOSTAUSHY, PRESS_US, 1.0))
    assert list(found) == [PIT]
    assert found[PIT][PIT].load_g == 9.0
    assert not dict(lifted_early(places, as_of(places, PRESS_US), Side.BASTAUSHY, PRESS_US, 1.0))


def test_a_reply_is_under_way_once_its_second_stone_has_fallen() -> None:
    """A lifted pit alone may be anything."""
    for fallen, sure in ((None, False), (PIT + 1, True), (PIT - 1, False)):
        places = board(fallen=fallen)
        readings = as_of(places, PRESS_US)
        (before,) = dict(lifted_early(places, readings, Side.QOSTAUSHY, PRESS_US, 1.0)).values()
        assert under_way(places, before, AFTER, PIT, 1.0) is sure


@pytest.mark.parametrize("left", [2.0, 5.0, 8.0])
def test_a_pit_of_which_stones_were_taken_is_no_reply(left: float) -> None:
    """A reply leaves one stone, whoever takes some of them leaves others."""
    places = board()
    places[PIT] = replace(places[PIT], load_g=left, level_g=left)
    readings = as_of(places, PRESS_US)
    whole = tuple(replace(each, load_g=float(n)) for each, n in zip(readings, stones_due(AFTER), strict=True))
    assert not under_way(places, whole, AFTER, PIT, 1.0)


def test_a_pit_of_two_stones_is_never_known_for_a_reply() -> None:
    """One of them moved to the next pit by the one who pressed looks just like it."""
    two = replace(AFTER, pits=(*AFTER.pits[:PIT], 2, AFTER.pits[PIT + 1]), kazans=(17, 0))
    places = board()
    assert not under_way(places, as_of(places, PRESS_US), two, PIT, 1.0)
