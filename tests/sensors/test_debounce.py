"""Contacts that bounce."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.debounce import STILL_US, Change, Debouncer

MS = 1_000
DOWN, UP = True, False


def played(edges: list[tuple[int, bool]], looks: list[int], contact: Debouncer | None = None) -> list[Change]:
    """Return the changes of a contact whose edges are told, and that is looked at from time to time."""
    contact = contact or Debouncer()
    found, down, waiting = [], False, list(edges)
    for at_us in sorted({*looks, *(at for at, _ in edges)}):
        while waiting and waiting[0][0] <= at_us:
            when, down = waiting.pop(0)
            found += contact.edge(when, down=down)
        found += contact.look(at_us, down=down)
    return found


def test_a_press_that_bounces_is_one_press_at_its_first_edge() -> None:
    """Six edges down within three milliseconds, and as many at the release."""
    down = [(each * 250, each % 2 == 0) for each in range(11)]
    up = [(60 * MS + each * 250, each % 2 == 1) for each in range(11)]
    assert played(down + up, list(range(0, 100 * MS, 2 * MS))) == [Change(DOWN, 0), Change(UP, 60 * MS)]


def test_nothing_is_certain_before_the_contact_has_been_still() -> None:
    """Five milliseconds from its last edge."""
    contact = Debouncer()
    assert contact.edge(0, down=True) == []
    assert contact.edge(1 * MS, down=False) == []
    assert contact.edge(2 * MS, down=True) == []
    assert contact.look(2 * MS + STILL_US - 1, down=True) == []
    assert contact.waits
    assert contact.look(2 * MS + STILL_US, down=True) == [Change(DOWN, 0)]
    assert not contact.waits


def test_a_spike_is_no_press() -> None:
    """Shorter than the contact must be still."""
    assert played([(0, True), (300, False)], list(range(0, 50 * MS, MS))) == []


def test_a_release_within_the_window_is_not_swallowed() -> None:
    """So the next press is one: what debouncing by ignoring gets wrong (gpiozero#1039, #550)."""
    edges = [(0, True), (6 * MS, False), (12 * MS, True), (40 * MS, False)]
    changes = played(edges, list(range(0, 60 * MS, MS)))
    assert changes == [
        Change(DOWN, 0),
        Change(UP, 6 * MS),
        Change(DOWN, 12 * MS),
        Change(UP, 40 * MS),
    ]


def test_edges_that_come_late_and_together_are_judged_by_their_own_times() -> None:
    """The program was busy for a while; the press in it is a press."""
    contact = Debouncer()
    found = contact.edge(10 * MS, down=True) + contact.edge(40 * MS, down=False)
    found += contact.look(200 * MS, down=False)
    assert found == [Change(DOWN, 10 * MS), Change(UP, 40 * MS)]


def test_a_lost_edge_is_made_up_for_by_looking() -> None:
    """Of a burst a kernel keeps the last edges only, and RPi.GPIO may tell none at all (gpiozero#1136)."""
    contact = Debouncer()
    found = contact.edge(0, down=True) + contact.look(10 * MS, down=True)
    assert found == [Change(DOWN, 0)]
    assert contact.look(50 * MS, down=False) == []  # nobody told of the release
    assert contact.look(56 * MS, down=False) == [Change(UP, 50 * MS)]


def test_the_same_edge_twice_means_that_it_bounces_still() -> None:
    """The one between was not seen."""
    contact = Debouncer()
    contact.edge(0, down=True)
    contact.edge(4 * MS, down=True)
    assert contact.look(8 * MS, down=True) == []
    assert contact.look(9 * MS, down=True) == [Change(DOWN, 0)]


def test_a_time_that_goes_back_is_taken_as_the_one_before() -> None:
    """Edges are told by another thread."""
    contact = Debouncer()
    contact.edge(10 * MS, down=True)
    contact.edge(9 * MS, down=False)
    contact.edge(9 * MS, down=True)
    assert contact.look(14_900, down=True) == []
    assert contact.look(15 * MS, down=True) == [Change(DOWN, 10 * MS)]


def test_a_button_held_at_the_start_is_no_press() -> None:
    """Its release is a change, and the press after it."""
    contact = Debouncer(down=True)
    assert contact.look(20 * MS, down=True) == []
    found = played([(30 * MS, False), (60 * MS, True)], [45 * MS, 90 * MS], contact)
    assert found == [Change(UP, 30 * MS), Change(DOWN, 60 * MS)]


@pytest.mark.parametrize("seed_down", [False, True])
@given(edges=st.lists(st.integers(1, 60 * MS), max_size=30))
def test_changes_alternate_in_order_and_end_where_the_contact_is(edges: list[int], seed_down: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Whatever it does."""
    contact, down, at_us, found = Debouncer(down=seed_down), seed_down, 0, []
    for gap_us in edges:
        at_us, down = at_us + gap_us, not down
        found += contact.edge(at_us, down=down)
    found += contact.look(at_us + STILL_US, down=down)
    assert [change.down for change in found] == [(index % 2 == 0) ^ seed_down for index in range(len(found))]
    assert [change.at_us for change in found] == sorted(change.at_us for change in found)
    assert (found[-1].down if found else seed_down) == down
