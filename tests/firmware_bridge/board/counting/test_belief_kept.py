"""What a journal keeps of the places, and what it cannot have kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board.counting.belief import Belief

NUMBERS = st.integers() | st.integers(-1, 25) | st.floats() | st.text(max_size=3) | st.none()


@given(name=st.sampled_from(sorted(Belief.empty().to_json())), value=NUMBERS, place=st.integers(0, 19))
def test_whatever_a_journal_holds_is_read_or_refused_by_name(name: str, value: object, place: int) -> None:
    """A journal written by hand must not end a board at its start with a traceback."""
    kept = Belief.empty().to_json()
    for told in (value, [value], [*[0.0] * place, value, *[0.0] * (19 - place)]):
        try:
            known = Belief.from_json(kept | {name: told})
        except (KeyError, TypeError, ValueError):
            continue
        assert Belief.from_json(known.to_json()) == known


@pytest.mark.parametrize("name", ["blind", "marked"])
@pytest.mark.parametrize("place", [-1, 20])
def test_a_place_that_no_board_has_is_refused(name: str, place: int) -> None:
    """It says which number it was."""
    with pytest.raises(ValueError, match=f"{place} names no place: 0 to 19"):
        Belief.from_json(Belief.empty().to_json() | {name: [place]})
