"""Labels of moves that were committed close together stand beside each other."""

from __future__ import annotations

import importlib
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.commands.trace.gathering import Picture
from firmware_bridge.commands.trace.labels import spread
from tests.firmware_bridge.trace.small import HEADER


@given(st.lists(st.floats(0, 100), min_size=1, max_size=20).map(sorted))
def test_every_label_has_its_place_and_covers_no_other(wanted: list[float]) -> None:
    """In order, within the strip, wherever they belong."""
    places = [place for place in spread(wanted, 0, 100, 5) if place is not None]
    assert len(places) == len(wanted)
    assert all(-1e-9 <= place <= 100 for place in places)
    assert all(after - before >= 5 - 1e-9 for before, after in pairwise(places))


def test_labels_with_room_stand_where_they_belong() -> None:
    """Nothing is moved without need."""
    assert spread([1, 20, 40], 0, 100, 5) == [1, 20, 40]
    assert spread([20, 21, 60], 0, 100, 5) == [20, 25, 60]
    assert spread([99, 100], 0, 100, 5) == [95, 100]


def test_more_labels_than_fit_are_thinned_out() -> None:
    """A trace of a whole day: those that stand apart are shown."""
    found = spread([number / 2 for number in range(200)], 0, 100, 5)
    assert [place for place in found if place is not None] == [5 * number for number in range(20)]


def test_a_picture_names_both_moves_that_were_found_together() -> None:
    """As after a hand that leaned, or a ply that became final only with the next."""
    pytest.importorskip("matplotlib")
    drawing = importlib.import_module("firmware_bridge.commands.trace.drawing")
    picture = Picture(HEADER, (), from_us=HEADER.begun_us, to_us=HEADER.begun_us + 30_000_000)
    at_us = HEADER.begun_us + 12_000_000
    picture.seen = [(HEADER.begun_us, "matches")]
    picture.moves = [(at_us, "9-8"), (at_us, "6:7"), (at_us + 100_000, "5:7x")]
    figure: Any = importlib.import_module("matplotlib.figure").Figure()
    strip = figure.add_subplot()
    drawing._draw_strip(strip, picture)
    texts = {text.get_text(): text.get_position()[0] for text in strip.texts}
    assert list(texts) == ["9-8", "6:7", "5:7x"]
    assert len(set(texts.values())) == 3
