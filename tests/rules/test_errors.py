"""What error messages say."""

import copy
import math
import pickle

import pytest

from rules import (
    START,
    AmbiguousMoveError,
    ClockError,
    ConductError,
    ConductFormatError,
    EventError,
    EventFormatError,
    IllegalMoveError,
    NotationError,
    PositionFormatError,
    RecordError,
    RulesError,
)
from rules.errors import due, shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("abc", "'abc'"),
        ("қостаушы", "'қостаушы'"),
        ("a" * 61, "'" + "a" * 60 + "...'"),
        ("a\nb\ud800", r"'a\nb\ud800'"),
        (17, "17"),
        (True, "True"),
        (None, "None"),
        (1.5, "1.5"),
        (math.nan, "nan"),
        ({"a": 1}, "an object of 1 keys"),
        ([1, 2], "a list of 2 items"),
        ((1, 2), "a list of 2 items"),
        (b"x", "a value of type bytes"),
    ],
)
def test_any_value_is_quoted_shortly(value: object, text: str) -> None:
    """Whatever it is, nothing is printed whole that somebody else may have made long."""
    assert shown(value) == text


def test_an_integer_that_python_refuses_to_print_is_described() -> None:
    """One of five thousand digits raises an error of its own when it is made a text."""
    assert shown(10**5000) == "an integer of 16610 bits"


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (IllegalMoveError(10, "pits have the numbers 1 to 9", START), ValueError),
        (NotationError("7;6", "a move"), ValueError),
        (AmbiguousMoveError("7", ("7:6", "8:7"), START), ValueError),
        (RecordError(3, 7, "7;6", "a move", NotationError("7;6", "a move")), ValueError),
        (PositionFormatError("position", None, "an object"), ValueError),
        (EventFormatError("event", None, "an object"), ValueError),
        (ClockError("both dials stand"), ValueError),
        (ConductError("there is no zeroth offence"), ValueError),
        (ConductFormatError("conduct", None, "an object"), ValueError),
        (EventError("game_started", 5, "no game", "why"), RuntimeError),
    ],
)
def test_every_error_is_a_rules_error_and_the_nearest_builtin(
    error: RulesError, builtin: type[Exception]
) -> None:
    """And survives being copied and sent to another process."""
    assert isinstance(error, RulesError)
    assert isinstance(error, builtin)
    for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):  # noqa: S301  # our own bytes
        assert (type(twin), str(twin)) == (type(error), str(error))


def test_what_was_expected_is_its_words_and_carries_its_code() -> None:
    """Through a pickle, too: other processes read records."""
    expected = due("number", "the number 3. or a higher one", number="3.")
    error = pickle.loads(pickle.dumps(RecordError(1, 2, "x", expected)))  # noqa: S301 - our own, made just now
    assert str(error) == "line 1, column 2, 'x': expected the number 3. or a higher one"
    assert (error.expected.code, error.expected.values) == ("number", {"number": "3."})
