"""Plies told by pulses alone: right or asked, never guessed."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board.counting.beams import FIRST
from firmware_bridge.board.counting.passages import Passed
from firmware_bridge.board.watching.heard import hear
from firmware_bridge.emulator.records import bundled_record
from rules.position import START, Sowing, play
from sensors.simulator.profile import NOMINAL
from tests.firmware_bridge.board.hands.falling import pulses_of

SOWINGS = bundled_record("2009").sowings


def passed(pulses: list[int]) -> Passed:
    """Return pulses of beams nothing has been learned of."""
    return Passed(tuple(pulses), FIRST)


@given(st.integers(0, len(SOWINGS) - 1), st.integers(0, 17), st.sampled_from([-1, 1]))
def test_one_wrong_pulse_never_makes_another_ply(nth: int, pit: int, error: int) -> None:
    """One stone missed or seen twice, or a pulse where none fell: told right, or asked about."""
    ply = SOWINGS[nth]
    pulses = pulses_of(ply, Random(1))
    pulses[pit] = max(0, pulses[pit] + error)
    heard = hear(ply.before, [passed(pulses)])
    assert heard is not None
    assert heard.plies in {(), (ply,)}


def test_no_ply_of_a_game_is_told_wrong_by_beams_as_they_are() -> None:
    """Single passages missed or doubled, hands seen as stones, handfuls shadowed: four times a game."""
    for seed in range(4):
        rng = Random(seed)
        for ply in SOWINGS:
            heard = hear(ply.before, [passed(pulses_of(ply, rng, NOMINAL))])
            assert heard is not None
            assert heard.plies in {(), (ply,)}


def test_most_plies_of_a_game_are_told() -> None:
    """Asking every time would be safe, and useless."""
    rng = Random(2)
    told = [hear(ply.before, [passed(pulses_of(ply, rng, NOMINAL))]) for ply in SOWINGS]
    assert sum(heard is not None and bool(heard.plies) for heard in told) > 0.6 * len(SOWINGS)


def shorter_neighbour() -> tuple[Sowing, Sowing]:
    """Return two plies of one position that differ only in the first stone of one of them."""
    for ply in SOWINGS:
        position = ply.before
        first = position.to_move.index * 9
        for number in range(1, 9):
            here, there = position.pits[first + number - 1 : first + number + 1]
            if here > 3 and there == here - 1:
                return play(position, number), play(position, number + 1)
    raise AssertionError("a game has such a position")


def test_one_missed_stone_never_makes_another_ply_of_it() -> None:
    """Without the first pulse the ply looks just like its neighbour: asked, both told."""
    longer, shorter = shorter_neighbour()
    pulses = pulses_of(longer, Random(1))
    pulses[longer.path[0]] = 0
    heard = hear(longer.before, [passed(pulses)])
    assert heard is not None
    assert heard.plies == ()
    assert {(longer,), (shorter,)} <= set(heard.lines)


def test_a_capture_of_which_nothing_fell_into_the_kazan_is_asked_about() -> None:
    """A capture not taken makes no other difference to the pulses."""
    ply = play(START, 7)
    assert ply.captured
    pulses = pulses_of(ply, Random(1))
    heard = hear(START, [passed(pulses)])
    assert heard is not None
    assert heard.plies == (ply,)
    pulses[18] = 0
    heard = hear(START, [passed(pulses)])
    assert heard is not None
    assert heard.plies == ()


def test_stones_that_fall_as_in_no_legal_ply_are_not_bent_into_one() -> None:
    """Nine stones one pit on from where they should lie, and two in a far pit."""
    pulses = pulses_of(play(START, 7), Random(1))
    for place in (1, 2, 3, 4):
        pulses[place] += 1
    heard = hear(START, [passed(pulses)])
    assert heard is not None
    assert heard.plies == ()


@pytest.mark.parametrize("stones", [1, 2])
def test_a_reply_that_begins_before_the_press_makes_no_other_ply_of_it(stones: int) -> None:
    """Its first stones are told apart, and are kept for the ply they belong to."""
    ply = play(START, 7)
    reply = play(ply.after, 3)
    pulses, rest = pulses_of(ply, Random(1)), pulses_of(reply, Random(1))
    for index in reply.path[:stones]:
        pulses[index] += 1
        rest[index] -= 1
    heard = hear(START, [passed(pulses)])
    assert heard is not None
    assert heard.plies == (ply,)
    both = hear(START, [passed(pulses), passed(rest)])
    assert both is not None
    assert both.plies in {(ply,), (ply, reply)}
    if stones == 2:  # a single one is as likely one stone seen twice
        assert [place for place, count in enumerate(heard.carried) if count] == sorted(reply.path[:2])
        assert both.plies == (ply, reply)
