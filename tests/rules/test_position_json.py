"""Positions as JSON."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    START,
    Position,
    PositionFormatError,
    Side,
    position_from_json,
    position_to_json,
    problems,
)
from tests.rules.boards import played_positions, positions

B = Side.BASTAUSHY


def start_with(**changes: Any) -> dict[str, Any]:
    """Return the start position's JSON with some keys changed."""
    return {**position_to_json(START), **changes}


def test_the_start_is_written_by_its_four_keys() -> None:
    """Pits by index, pairs by side."""
    assert position_to_json(START) == {
        "pits": [9] * 18,
        "kazans": [0, 0],
        "tuzdyks": [None, None],
        "to_move": "bastaushy",
    }


@given(positions() | played_positions())
def test_reading_is_the_inverse_of_writing(position: Position) -> None:
    """Through real JSON text."""
    assert position_from_json(json.loads(json.dumps(position_to_json(position)))) == position


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "position: expected an object, got None"),
        ({}, "position: expected the field pits, got an object of 0 keys"),
        (
            start_with(extra=1),
            "position: expected only the fields pits, kazans, tuzdyks, to_move, got",
        ),
        (start_with(pits=[9] * 17), "position.pits: expected a list of 18 items, got a list of 17 items"),
        (start_with(pits="9" * 18), "position.pits: expected a list of 18 items, got '999999999999999999'"),
        (start_with(pits=[9] * 17 + [-1]), "position.pits[17]: expected an integer from 0 to 162, got -1"),
        (start_with(pits=[True] + [9] * 17), "position.pits[0]: expected an integer from 0 to 162, got True"),
        (start_with(pits=[163] + [9] * 17), "position.pits[0]: expected an integer from 0 to 162, got 163"),
        (start_with(kazans=[0]), "position.kazans: expected a list of 2 items, got a list of 1 items"),
        (start_with(kazans=[0, 0.0]), "position.kazans[1]: expected an integer from 0 to 162, got 0.0"),
        (
            start_with(tuzdyks=[9, None]),
            "position.tuzdyks[0]: expected an integer from 1 to 8, got 9",
        ),
        (
            start_with(tuzdyks=[None, 0]),
            "position.tuzdyks[1]: expected an integer from 1 to 8, got 0",
        ),
        (
            start_with(tuzdyks=[None, True]),
            "position.tuzdyks[1]: expected an integer from 1 to 8, got True",
        ),
        (
            start_with(tuzdyks=["3", None]),
            "position.tuzdyks[0]: expected an integer from 1 to 8, got '3'",
        ),
        (start_with(to_move="white"), "position.to_move: expected one of bastaushy, qostaushy, got 'white'"),
        (
            start_with(to_move=[]),
            "position.to_move: expected one of bastaushy, qostaushy, got a list of 0 items",
        ),
        (start_with(kazans=[1, 0]), "position: expected a possible one (163 stones instead of 162), got"),
        (
            start_with(tuzdyks=[3, 3]),
            "position: expected a possible one (stones lie in the tuzdyk of bastaushy, pit 3; stones lie",
        ),
    ],
)
def test_what_is_no_position_is_refused_by_the_place_that_is_wrong(data: object, message: str) -> None:
    """And by what was expected there."""
    with pytest.raises(PositionFormatError) as caught:
        position_from_json(data)
    assert str(caught.value).startswith(message)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    ),
    st.sampled_from(["pits", "kazans", "tuzdyks", "to_move", "other"]),
)
def test_hostile_json_gives_nothing_but_the_named_error(value: object, key: str) -> None:
    """In the place of a position and of each part of it."""
    for data in (value, start_with(**{key: value})):
        try:
            position = position_from_json(data)
        except PositionFormatError:
            continue
        else:
            assert not any(problem.kind.fatal for problem in problems(position))


def test_a_study_that_no_game_reaches_can_be_read() -> None:
    """Both kazans odd and nothing won: it can be laid out and played on all the same."""
    study = start_with(pits=[8] * 2 + [9] * 16, kazans=[1, 1])
    assert position_from_json(study) == Position((8, 8) + (9,) * 16, (1, 1), (None, None), B)
