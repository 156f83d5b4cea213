"""Wiring and seating."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.layout import (
    PLACES,
    Pressed,
    Seat,
    Seating,
    Wiring,
    WiringError,
    owner_of,
    place_name,
)
from rules.position import Side


@given(order=st.permutations(range(20)), seat=st.sampled_from(["a", "b"]))
def test_every_place_has_its_own_channel_in_any_wiring(order: list[int], seat: Seat) -> None:
    """Twenty places, twenty channels, whoever begins."""
    wiring = Wiring(side_a=tuple(order[:9]), side_b=tuple(order[9:18]), kazan_a=order[18], kazan_b=order[19])
    assert sorted(Seating(wiring, seat).channel_of_place) == list(range(20))


def test_bastaushy_at_b_swaps_rows_kazans_and_buttons() -> None:
    """The seating turns the board, the wiring stays."""
    near, far = Seating(Wiring(), "a"), Seating(Wiring(), "b")
    assert near.channel_of_place[0] == far.channel_of_place[9] == 0
    assert near.channel_of_place[18] == far.channel_of_place[19] == 18
    assert near.button_of(Side.BASTAUSHY) == far.button_of(Side.QOSTAUSHY) == 0
    assert far.side_of_button(1) is Side.BASTAUSHY
    assert near.side_of_button(2) is None


def test_each_button_says_what_it_is_for_and_whose_it_is() -> None:
    """The seat is the wiring's, the side follows from who sits there."""
    wiring = Wiring(button_call_a=3, button_call_b=4, button_draw_a=5, button_draw_b=6)
    near, far = Seating(wiring, "a"), Seating(wiring, "b")
    first, second = Side.BASTAUSHY, Side.QOSTAUSHY
    assert [near.meaning_of(button) for button in range(8)] == [
        Pressed("clock", first),
        Pressed("clock", second),
        Pressed("call", None),
        Pressed("call", first),
        Pressed("call", second),
        Pressed("draw", first),
        Pressed("draw", second),
        None,
    ]
    assert far.meaning_of(3) == Pressed("call", second)
    assert far.meaning_of(6) == Pressed("draw", first)
    assert [near.side_of_button(button) for button in (1, 2, 3, 5, 7)] == [second, None, None, None, None]
    assert wiring.buttons == tuple(range(7))


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"side_a": (1, 2)}, "side_a lists 2 channels"),
        ({"button_draw_a": 2}, "button 2 serves two places"),
        ({"button_call_b": 1}, "button 1 serves two places"),
        ({"kazan_a": 4}, "channel 4 serves two places"),
        ({"button_b": 0}, "button 0 serves two places"),
        ({"kazan_a": -1}, "channel -1 is below 0"),
    ],
)
def test_a_wiring_that_cannot_be_is_named(wrong: dict[str, object], text: str) -> None:
    """Each mistake says which number and what is wrong with it."""
    with pytest.raises(WiringError, match=text):
        Wiring(**wrong)  # type: ignore[arg-type] # the point of the test


ROW_A, ROW_B = tuple(range(20, 29)), tuple(range(29, 38))
NO_CELLS: dict[str, object] = {"side_a": (), "side_b": (), "kazan_a": None, "kazan_b": None}
BEAMS: dict[str, object] = {"beam_a": ROW_A, "beam_b": ROW_B, "beam_kazan_a": 38, "beam_kazan_b": 39}


def test_count_sensors_stand_beside_cells_or_alone() -> None:
    """In the order of places, whoever begins; alone they are the channels of the board."""
    both = Wiring(**BEAMS)  # type: ignore[arg-type] # as a configuration gives them
    assert both.weighs
    assert Seating(both, "a").channel_of_place == tuple(range(20))
    assert Seating(both, "b").beam_of_place == (*ROW_B, *ROW_A, 39, 38)
    alone = Wiring(**NO_CELLS, **BEAMS)  # type: ignore[arg-type] # as above
    assert not alone.weighs
    assert alone.channels == Seating(alone, "a").channel_of_place == tuple(range(20, 40))
    assert Seating(Wiring(), "a").beam_of_place == (None,) * 20


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"beam_a": (20, 21)}, "beam_a lists 2 channels"),
        ({"beam_kazan_a": 18}, "channel 18 serves two places"),
        (NO_CELLS, "side_a has neither cells nor count sensors: give its channels in `side_a` or `beam_a`"),
        ({**NO_CELLS, **BEAMS, "beam_kazan_b": None}, "kazan_b has neither cells nor count sensors"),
        ({**BEAMS, "kazan_a": None}, "kazan_a has no cells while other places have"),
    ],
)
def test_a_place_that_no_sensor_serves_is_named(wrong: dict[str, object], text: str) -> None:
    """And so is a board that weighs some places only."""
    with pytest.raises(WiringError, match=text):
        Wiring(**wrong)  # type: ignore[arg-type] # the point of the test


def test_places_are_named_as_people_say_them() -> None:
    """Side and number, or whose kazan."""
    assert [place_name(place) for place in (0, 8, 9, 17, 18, 19)] == [
        "bastaushy 1",
        "bastaushy 9",
        "qostaushy 1",
        "qostaushy 9",
        "bastaushy kazan",
        "qostaushy kazan",
    ]


def test_a_place_belongs_to_the_side_in_whose_name_it_is_called() -> None:
    """Nine pits and a kazan each."""
    owners = [owner_of(place) for place in range(PLACES)]
    assert owners == [*[Side.BASTAUSHY] * 9, *[Side.QOSTAUSHY] * 9, *Side]
    assert all(place_name(place).startswith(owner.value) for place, owner in enumerate(owners))
