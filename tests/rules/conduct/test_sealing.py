"""A sealed move and the record beside it."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import START, ConductError, ConductFormatError, PositionFormatError, Side
from rules.clock import MAX_DIAL_US
from rules.conduct.sealing import SealedGame, opens, seal, sealed_from_json, sealed_to_json

SALT = bytes(range(16))
SEALED = SealedGame(
    names=("Асель", "Дина"),
    sealer=Side.BASTAUSHY,
    position=START,
    move_number=1,
    used_us=(5, 6),
    dials_us=(7, 8),
    keeper="Серік",
    commitment=seal("7:6", SALT),
)
SALTS = st.binary(min_size=16, max_size=40)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def test_requirement_35_the_form_of_a_commitment_is_kept() -> None:
    """Envelopes that are closed today are opened by a later release."""
    assert seal("7:6", SALT) == "6a844c5c68ed83da8220f6d345485add2de47835f957df6b1d5ebed41b5998d2"


@given(TEXTS, SALTS)
def test_requirement_35_a_commitment_opens_with_what_was_sealed(text: str, salt: bytes) -> None:
    """Whatever was written, legible or not."""
    assert opens(seal(text, salt), text, salt)


@given(TEXTS, TEXTS, SALTS, SALTS)
def test_requirement_35_and_with_nothing_else(text: str, other: str, salt: bytes, other_salt: bytes) -> None:
    """Neither another move nor another salt, not even if both together are the same bytes."""
    assert opens(seal(text, salt), other, other_salt) is ((text, salt) == (other, other_salt))


def test_a_salt_and_a_text_cannot_change_places() -> None:
    """What ends the one does not begin the other."""
    assert seal("a7:6", SALT) != seal("7:6", SALT + b"a")


def test_a_salt_of_fifteen_bytes_hides_nothing() -> None:
    """Nine moves are tried quickly."""
    with pytest.raises(ConductError, match=r"^a salt of 15 bytes hides no move: 16 or more$"):
        seal("7:6", SALT[:15])


def test_half_a_character_is_not_sealed() -> None:
    """A lone surrogate has no bytes."""
    with pytest.raises(ConductError, match=r"^a sealed move holds a character that is none$"):
        seal("\ud800", SALT)


@given(
    st.builds(
        SealedGame,
        names=st.tuples(TEXTS, TEXTS),
        sealer=st.just(Side.BASTAUSHY),
        position=st.just(START),
        move_number=st.integers(1, 2000),
        used_us=st.tuples(st.integers(0, MAX_DIAL_US), st.integers(0, MAX_DIAL_US)),
        dials_us=st.tuples(st.integers(0, MAX_DIAL_US), st.integers(0, MAX_DIAL_US)),
        keeper=TEXTS,
        commitment=st.just(SEALED.commitment),
    )
)
def test_requirement_35_the_record_survives_json(sealed: SealedGame) -> None:
    """Names, sealer, position, number, times, keeper (2.8.3)."""
    assert sealed_from_json(json.loads(json.dumps(sealed_to_json(sealed)))) == sealed


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"names": ["Асель"]}, "sealed.names: expected a list of 2 items, got a list of 1 items"),
        ({"names": ["Асель", 3]}, "sealed.names[1]: expected a text, got 3"),
        ({"sealer": "qostaushy"}, "sealed.sealer: expected the player to move (2.8.2), got 'qostaushy'"),
        ({"sealer": "white"}, "sealed.sealer: expected one of bastaushy, qostaushy, got 'white'"),
        ({"move_number": 0}, "sealed.move_number: expected an integer from 1 to 2000, got 0"),
        ({"used_us": [0, -1]}, "sealed.used_us[1]: expected an integer from 0 to 2592000000000, got -1"),
        ({"dials_us": [0.5, 1]}, "sealed.dials_us[0]: expected an integer from 0 to 2592000000000, got 0.5"),
        ({"keeper": None}, "sealed.keeper: expected a text, got None"),
        ({"commitment": "0" * 63}, "sealed.commitment: expected 64 hexadecimal digits in lower case, got "),
        ({"commitment": "A" * 64}, "sealed.commitment: expected 64 hexadecimal digits in lower case, got "),
        ({"salt": "00"}, "sealed: expected only the fields names, sealer, "),
    ],
)
def test_a_hostile_record_is_refused_by_name(change: dict[str, object], text: str) -> None:
    """The path, what was expected, what stood there."""
    with pytest.raises(ConductFormatError) as caught:
        sealed_from_json({**sealed_to_json(SEALED), **change})
    assert str(caught.value).startswith(text)


def test_a_hostile_position_is_refused_by_name() -> None:
    """By the family of positions."""
    with pytest.raises(PositionFormatError, match=r"^position: expected an object, got 3$"):
        sealed_from_json({**sealed_to_json(SEALED), "position": 3})
    with pytest.raises(ConductFormatError, match=r"^sealed: expected an object, got None$"):
        sealed_from_json(None)


def test_numbers_are_held_to_their_range_in_memory_too() -> None:
    """No dial shows more than thirty days."""
    with pytest.raises(ConductFormatError, match=r"^sealed.used_us\[0\]: "):
        replace(SEALED, used_us=(MAX_DIAL_US + 1, 0))
