"""The inbox of presses: once each, in order, whatever the line does."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.frames import FrameError
from sensors.presses import MAX_AHEAD, MAX_HELD, PATIENCE_US, SLACK_US, PressInbox
from sensors.samples import Fault, FaultKind, Press

BOOT = 7


def press(number: int) -> Press:
    """Return the press with this number."""
    return Press(BOOT, number, number % 2, number * 1000, down=True)


def numbers(found: list[Press] | list[Press | Fault]) -> list[int]:
    """Return the numbers of the presses among these."""
    return [one.number for one in found if isinstance(one, Press)]


@given(
    st.integers(1, 30),
    st.lists(st.integers(0, 29), max_size=150),
    st.lists(st.integers(0, 29), max_size=5),
    st.integers(0, 10),
)
def test_each_press_comes_once_and_in_order(count: int, order: list[int], acks: list[int], last: int) -> None:
    """Any repetition, any order; at the end the device's own round brings what is missing."""
    inbox = PressInbox(BOOT, last)
    seen: list[int] = []
    for number in [*order, *range(count)]:
        if number < count:
            seen += numbers(inbox.offer(press(number + 1), 0))
        if number in acks and seen:
            inbox.acknowledge(seen[-1])
    assert seen == list(range(last + 1, count + 1))
    assert inbox.give_up(10 * PATIENCE_US) == []


def test_a_hole_is_waited_for() -> None:
    """What comes behind it is handed on when it is filled."""
    inbox = PressInbox(BOOT)
    assert inbox.offer(press(2), 0) == []
    assert inbox.offer(press(3), 0) == []
    assert inbox.give_up(PATIENCE_US - 1) == []
    assert numbers(inbox.offer(press(1), PATIENCE_US - 1)) == [1, 2, 3]
    assert inbox.give_up(10 * PATIENCE_US) == []


def test_a_hole_that_stays_is_named_and_left_behind() -> None:
    """A fault with the numbers, then what waited."""
    inbox = PressInbox(BOOT, last=4)
    inbox.offer(press(9), 0)
    fault, first = inbox.give_up(PATIENCE_US)
    assert isinstance(fault, Fault)
    assert (fault.kind, fault.channel) == (FaultKind.PRESSES_LOST, None)
    assert fault.detail.startswith("presses 5 to 8 were never received")
    assert first == press(9)
    assert inbox.lost == 4
    assert numbers(inbox.offer(press(10), PATIENCE_US)) == [10]


def test_a_repetition_of_what_waits_is_one() -> None:
    """It is counted, not handed on twice."""
    inbox = PressInbox(BOOT)
    inbox.offer(press(2), 0)
    inbox.offer(press(2), 0)
    assert inbox.repeated == 1
    assert numbers(inbox.offer(press(1), 0)) == [1, 2]


def test_two_holes_are_waited_for_one_after_the_other() -> None:
    """The second one's patience begins when the first one's ends."""
    inbox = PressInbox(BOOT)
    inbox.offer(press(2), 0)
    inbox.offer(press(4), PATIENCE_US - 1)
    fault, second = inbox.give_up(PATIENCE_US)
    assert isinstance(fault, Fault)
    assert fault.detail.startswith("press 1 was never received")
    assert second == press(2)
    assert inbox.give_up(2 * PATIENCE_US - 1) == []
    assert numbers(inbox.give_up(2 * PATIENCE_US)) == [4]


def test_a_repetition_after_the_acknowledgement_asks_for_another_one() -> None:
    """Before it, the device must go on repeating; after it, its acknowledgement was lost."""
    inbox = PressInbox(BOOT)
    inbox.offer(press(1), 0)
    inbox.offer(press(2), 0)
    inbox.offer(press(1), 0)
    assert not inbox.acknowledgement_due()
    inbox.acknowledge(1)
    inbox.offer(press(2), 0)
    assert not inbox.acknowledgement_due()
    inbox.offer(press(1), 0)
    assert inbox.acknowledgement_due()
    assert not inbox.acknowledgement_due()
    assert inbox.repeated == 3


def test_acknowledging_is_cumulative_and_never_goes_back() -> None:
    """The latest counts, whatever the order of the calls."""
    inbox = PressInbox(BOOT, last=3)
    assert inbox.acknowledged == 3
    for number in (4, 5, 6):
        inbox.offer(press(number), 0)
    inbox.acknowledge(6)
    inbox.acknowledge(5)
    assert inbox.acknowledged == 6


def test_what_was_never_handed_on_cannot_be_acknowledged() -> None:
    """That would lose it for good."""
    inbox = PressInbox(BOOT)
    inbox.offer(press(2), 0)
    with pytest.raises(ValueError, match="press 2 cannot be acknowledged: the last one handed on is 0"):
        inbox.acknowledge(2)


def test_numbers_known_from_hello_are_waited_for() -> None:
    """If nothing comes of them, they are lost, though no press shows it."""
    inbox = PressInbox(BOOT, last=2)
    inbox.exists_up_to(2, 0)
    assert inbox.give_up(PATIENCE_US) == []
    inbox.exists_up_to(4, 0)
    inbox.exists_up_to(4, PATIENCE_US - 1)
    (fault,) = inbox.give_up(PATIENCE_US)
    assert isinstance(fault, Fault)
    assert fault.detail.startswith("presses 3 to 4 were never received")


def test_nothing_is_given_up_while_the_device_cannot_be_heard() -> None:
    """The patience begins anew with its next HELLO."""
    inbox = PressInbox(BOOT)
    inbox.exists_up_to(1, 0)
    inbox.stop_waiting()
    assert inbox.give_up(5 * PATIENCE_US) == []
    inbox.exists_up_to(1, 5 * PATIENCE_US)
    assert inbox.give_up(6 * PATIENCE_US - 1) == []
    assert len(inbox.give_up(6 * PATIENCE_US)) == 1


def test_on_first_contact_what_is_missing_is_nobodys_loss() -> None:
    """An earlier program had it; only a later hole is a fault."""
    inbox = PressInbox(BOOT, unknown_up_to=6)
    inbox.exists_up_to(6, 0)
    assert inbox.give_up(PATIENCE_US) == []
    assert inbox.lost == 0
    assert numbers(inbox.offer(press(7), PATIENCE_US)) == [7]
    inbox.offer(press(9), PATIENCE_US)
    assert isinstance(inbox.give_up(2 * PATIENCE_US)[0], Fault)


def test_on_first_contact_the_oldest_press_kept_is_the_first() -> None:
    """The device keeps 5 and 6; nobody knows of 1 to 4, nobody misses them."""
    inbox = PressInbox(BOOT, unknown_up_to=6)
    inbox.exists_up_to(6, 0)
    assert inbox.offer(press(6), 1) == []
    assert inbox.offer(press(5), 2) == []
    assert numbers(inbox.give_up(PATIENCE_US)) == [5, 6]
    inbox.offer(press(8), PATIENCE_US)
    assert isinstance(inbox.give_up(2 * PATIENCE_US)[0], Fault)


def test_on_first_contact_only_what_happened_since_can_be_lost() -> None:
    """1 to 6 are unknown, 7 and 8 are lost."""
    inbox = PressInbox(BOOT, unknown_up_to=6)
    inbox.offer(press(9), 0)
    fault, first = inbox.give_up(PATIENCE_US)
    assert isinstance(fault, Fault)
    assert fault.detail.startswith("presses 7 to 8 were never received")
    assert (first, inbox.lost) == (press(9), 2)


def test_a_flood_behind_a_hole_keeps_the_lowest() -> None:
    """Memory is bounded, and what is dropped is what the device will repeat."""
    inbox = PressInbox(BOOT)
    order = list(range(2, 500))
    random.Random(1).shuffle(order)
    for number in order:
        inbox.offer(press(number), 0)
    assert len(inbox._held) == MAX_HELD
    assert numbers(inbox.offer(press(1), 0)) == list(range(1, MAX_HELD + 1))
    assert numbers(inbox.offer(press(MAX_HELD + 1), 0)) == [MAX_HELD + 1]


def test_a_number_absurdly_far_ahead_is_refused() -> None:
    """Nothing of it is kept, so the presses that follow are handed on as ever."""
    inbox = PressInbox(BOOT, last=2)
    for number in (2 + MAX_AHEAD + 1, 0xFFFFFFFF):
        with pytest.raises(FrameError, match=f"BUTTON: number {number}, where 2 is the highest known"):
            inbox.offer(press(number), 0)
    assert numbers(inbox.offer(press(3), 0)) == [3]
    assert inbox.give_up(10 * PATIENCE_US) == []
    assert inbox.offer(press(3 + MAX_AHEAD), 0) == []


def test_a_press_given_up_still_takes_its_place_when_nothing_later_was_handed_on() -> None:
    """HELLO spoke of presses up to 900; only those after it that really come count, each at once."""
    inbox = PressInbox(BOOT, last=2)
    inbox.exists_up_to(900, 0)
    assert len(inbox.give_up(PATIENCE_US)) == 1
    assert numbers(inbox.offer(press(3), PATIENCE_US)) == [3]
    assert inbox.give_up(3 * PATIENCE_US) == []
    assert numbers(inbox.offer(press(4), 3 * PATIENCE_US)) == [4]


def test_a_press_that_comes_after_it_was_given_up_is_said() -> None:
    """A later one was handed on, so it cannot take its place; it is not swallowed in silence either."""
    inbox = PressInbox(BOOT, last=4)
    inbox.offer(press(9), 0)
    inbox.give_up(PATIENCE_US)
    (fault,) = inbox.offer(press(6), PATIENCE_US)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.PRESSES_LOST
    assert fault.detail.startswith("press 6 came after it had been given up")
    assert inbox.offer(press(6), PATIENCE_US) == []
    assert isinstance(inbox.offer(press(8), PATIENCE_US)[0], Fault)


def at(number: int, time_us: int) -> Press:
    """Return a press of this time."""
    return Press(BOOT, number, 0, time_us, down=True)


def test_presses_are_handed_on_in_order_of_time() -> None:
    """A moment's disorder is debouncing; more is a fault, and the press is taken as of its arrival."""
    inbox = PressInbox(BOOT)
    start = 10 * SLACK_US
    assert inbox.offer(at(1, start), 0) == [at(1, start)]
    assert inbox.offer(at(2, start - SLACK_US), 0) == [at(2, start)]
    fault, third = inbox.offer(at(3, start - SLACK_US - 1), 0, start + 5)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.PRESS_TIME
    assert third == at(3, start + 5)
    assert inbox.offer(at(4, start + 6), 0) == [at(4, start + 6)]


def test_a_press_that_had_not_happened_cannot_be_older() -> None:
    """HELLO said at 50 s that there was no press 2 yet; press 1 may be of any time."""
    inbox = PressInbox(BOOT)
    inbox.none_from(2, 50 * SLACK_US)
    inbox.none_from(1, 40 * SLACK_US)
    assert inbox.offer(at(1, 5), 0, 60 * SLACK_US) == [at(1, 5)]
    fault, second = inbox.offer(at(2, 30 * SLACK_US), 0, 60 * SLACK_US)
    assert isinstance(fault, Fault)
    assert second == at(2, 60 * SLACK_US)
    assert inbox.offer(at(3, 61 * SLACK_US), 0) == [at(3, 61 * SLACK_US)]


def test_after_time_began_anew_no_press_is_of_the_time_before() -> None:
    """What waited is taken as of its arrival; what is of the new time is believed, though it is less."""
    inbox = PressInbox(BOOT)
    inbox.offer(at(1, 900 * SLACK_US), 0)
    inbox.none_from(2, 900 * SLACK_US)
    inbox.begin_time(100 * SLACK_US)
    fault, second = inbox.offer(at(2, 50 * SLACK_US), 0, 101 * SLACK_US)
    assert isinstance(fault, Fault)
    assert second == at(2, 101 * SLACK_US)
    assert inbox.offer(at(3, 102 * SLACK_US), 0) == [at(3, 102 * SLACK_US)]
