"""Hands that do what they are told: lines of steps, what stones forbid, and movements at a pace."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.emulator.actions import (
    Action,
    AllDone,
    Button,
    Drop,
    Lift,
    PlaceMark,
    RemoveMark,
    ToldDone,
    Touch,
)
from firmware_bridge.emulator.hands import Hands
from firmware_bridge.emulator.pace import BLITZ, PLAIN
from firmware_bridge.emulator.told import (
    Finger,
    Lay,
    Mark,
    Press,
    Take,
    ToldError,
    ToldStep,
    Wait,
    check_steps,
    format_steps,
    parse_steps,
)
from rules.position import START, Side, board_of
from tests.firmware_bridge.emulator.test_hands import FOR_EVER_US, FakeDevice
from tests.firmware_bridge.emulator.true_board import WIRING

STEPS: st.SearchStrategy[ToldStep] = st.one_of(
    st.builds(Take, st.integers(0, 19), st.integers(1, 162)),
    st.builds(Lay, st.integers(0, 19), st.integers(1, 162)),
    st.builds(Mark, st.integers(0, 17), on=st.booleans()),
    st.builds(Press, st.sampled_from(Side)),
    st.builds(Wait, st.integers(0, 3600).map(float)),
    st.builds(Finger, st.integers(0, 19)),
)
NO_MARKS = (0,) * 18


@given(st.lists(STEPS, min_size=1, max_size=8))
def test_every_line_of_steps_is_read_as_it_was_written(steps: list[ToldStep]) -> None:
    """There and back."""
    assert parse_steps(format_steps(steps)) == tuple(steps)


@pytest.mark.parametrize(
    "step",
    [
        "",
        "take",
        "take 20",
        "take 6 0",
        "lay 6 163",
        "lay x",
        "mark 18",
        "press me",
        "touch 20",
        "wait -1",
        "wait nan",
        "go",
    ],
)
def test_what_is_no_step_is_quoted(step: str) -> None:
    """With all that there are."""
    with pytest.raises(ToldError, match=f"{step!r} is no step of hands; known are: take PLACE") as raised:
        parse_steps(f"take 6, {step}" if step else step)
    assert "wait SECONDS" in str(raised.value)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("take 6 10", "hands cannot `take 6 10`: only 9 stones lie there"),
        ("take 6 9, take 6 1", "hands cannot `take 6 1`: only 0 stones lie there"),
        ("take 6 2, lay 7 3", "hands cannot `lay 7 3`: the hand holds 2 stones"),
        ("mark 3, mark 4, mark 5", "hands cannot `mark 5`: both marks are laid"),
        ("unmark 3", "hands cannot `unmark 3`: no mark lies there"),
    ],
)
def test_what_the_stones_do_not_allow_is_refused_by_name(line: str, why: str) -> None:
    """Before anything moves."""
    with pytest.raises(ToldError) as raised:
        check_steps(parse_steps(line), board_of(START), NO_MARKS, held=0, box=2)
    assert str(raised.value) == why


def test_stones_that_are_still_in_the_hand_may_be_laid() -> None:
    """And a mark that was taken off may be laid elsewhere."""
    marks = (1, 1, *NO_MARKS[2:])
    check_steps(parse_steps("lay 7 2, unmark 0, mark 5"), board_of(START), marks, held=2, box=0)


def actions_of(hands: Hands, until_us: int) -> list[Action]:
    """Return what hands do until a moment, seen by a device that shows nothing."""
    found = []
    while (timed := hands.next_action(until_us, FakeDevice().signals)) is not None:
        found.append(timed.action)
    return found


def test_hands_without_a_record_do_a_line_and_say_so() -> None:
    """Stone by stone, mark and press at the end; then they wait for the next line."""
    hands = Hands((), WIRING, BLITZ, PLAIN, 1)
    assert actions_of(hands, 0) == [AllDone(0)]
    hands.tell(parse_steps("take 6 2, lay 6, lay 18, mark 14, unmark 14, wait 1, press qostaushy"))
    (reached,) = actions_of(hands, 1)
    assert isinstance(reached, Touch)
    assert reached.channel == WIRING.pits[6]
    done = [each for each in actions_of(hands, FOR_EVER_US) if not isinstance(each, Touch)]
    pits, button = WIRING.pits, WIRING.buttons[1]
    assert done == [
        Lift(pits[6], 0, 2),
        Drop(pits[6], 0, 1),
        Drop(WIRING.kazans[0], 0, 1),
        PlaceMark(pits[14]),
        RemoveMark(pits[14]),
        Button(button, down=True),
        Button(button, down=False),
        ToldDone(1),
    ]
    hands.tell((Wait(0.0),))
    assert actions_of(hands, FOR_EVER_US) == [ToldDone(2)]
    assert hands.idle


def test_a_finger_presses_a_place_and_lets_go() -> None:
    """Nothing is lifted or laid; the places are touched one after another."""
    hands = Hands((), WIRING, BLITZ, PLAIN, 1)
    actions_of(hands, 0)
    hands.tell(parse_steps("touch 3, touch 18"))
    pit, kazan = WIRING.pits[3], WIRING.kazans[0]
    assert [*actions_of(hands, 1), *actions_of(hands, FOR_EVER_US)] == [
        Touch(pit, 1.0),
        Touch(pit, 0.0),
        Touch(kazan, 1.0),
        Touch(kazan, 0.0),
        ToldDone(1),
    ]


def test_what_is_told_late_is_done_late() -> None:
    """Hands that have waited for an hour begin then, not an hour ago."""
    hands = Hands((), WIRING, BLITZ, PLAIN, 1)
    actions_of(hands, 0)
    hands.tell((Press(Side.BASTAUSHY),))
    now_us = 3_600_000_000
    assert hands.next_action(now_us, FakeDevice().signals) is None
    timed = hands.next_action(now_us + 1_000_000, FakeDevice().signals)
    assert timed is not None
    assert timed.at_us > now_us
