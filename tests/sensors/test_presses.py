"""The inbox of presses: once each, in order, whatever the line does."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.presses import MAX_HELD, PATIENCE_US, PressInbox
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
    assert inbox.offer(press(8), PATIENCE_US) == []
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
