"""What a text says about a move, before any board is asked."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import (
    AmbiguousMoveError,
    IllegalMoveError,
    Notation,
    NotationError,
    Position,
    apply,
    format_move,
    legal_moves,
    parse_move,
    tuzdyk_owner,
)
from rules.packed import pack
from rules.sheets.search import fits_move
from rules.sheets.written import Claim, claim_of, counts_of
from tests.rules.boards import played_positions, random_game


def fitting(claim: Claim, position: Position) -> list[int]:
    """Return the legal moves that bear out a claim."""
    return [number for number in legal_moves(position) if fits_move(claim, pack(position), number)]


def found_by_parser(text: str, position: Position) -> int | None:
    """Return how many moves the reader of single moves finds in a text; None: it finds one and names it."""
    try:
        parse_move(text, position)
    except AmbiguousMoveError as error:
        return len(error.candidates)
    except IllegalMoveError:
        return 0
    return None


@given(played_positions(), st.data())
@settings(max_examples=200, deadline=None)
def test_a_claim_fits_what_the_reader_of_moves_finds(position: Position, data: st.DataObject) -> None:
    """In every notation, with characters that cannot be read."""
    moves = legal_moves(position)
    if not moves:
        return
    sowing = apply(position, data.draw(st.sampled_from(moves)))
    text = format_move(sowing, data.draw(st.sampled_from(Notation))).partition("(")[0]
    for place in data.draw(st.sets(st.integers(0, len(text) - 1), max_size=2)):
        text = f"{text[:place]}_{text[place + 1 :]}"
    claim = claim_of(text)
    if claim is None:
        assert set(text) == {"_"}
        return
    fits = fitting(claim, position)
    assert sowing.number in fits
    assert len(fits) == (found_by_parser(text, position) or 1)


@given(played_positions(), st.data())
@settings(max_examples=100, deadline=None)
def test_claims_about_one_move_join_and_fit_it(position: Position, data: st.DataObject) -> None:
    """Whatever the notations; and what fits both claims is what fits the joined one."""
    moves = legal_moves(position)
    if not moves:
        return
    one, other = (apply(position, data.draw(st.sampled_from(moves))) for _ in range(2))
    first = claim_of(format_move(one, data.draw(st.sampled_from(Notation))).partition("(")[0])
    second = claim_of(format_move(other, data.draw(st.sampled_from(Notation))).partition("(")[0])
    assert first is not None
    assert second is not None
    joined = first.join(second)
    both = [number for number in fitting(first, position) if number in fitting(second, position)]
    assert both == ([] if joined is None else fitting(joined, position))
    assert (one.number == other.number) <= (joined is not None)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("7:6", "7-6"),
        ("7:6", "75"),
        ("7:6", "86"),
        ("7:6x", "76"),
        ("79:610", "79:612"),
        ("79:610", "710:610"),
        ("g1d2", "g2d2"),
        ("g1d2", "g1d1"),
    ],
)
def test_claims_that_contradict_each_other_do_not_join(one: str, other: str) -> None:
    """No move is both."""
    first, second = claim_of(one), claim_of(other)
    assert first is not None
    assert second is not None
    assert first.join(second) is None
    assert second.join(first) is None


@pytest.mark.parametrize("text", ["", "_", "___"])
def test_nothing_readable_says_nothing(text: str) -> None:
    """It is as if it had not been written."""
    assert claim_of(text) is None


def test_a_pit_alone_is_a_claim() -> None:
    """Where from, or where to."""
    origin, landing = claim_of("7_"), claim_of(":6")
    assert origin is not None
    assert landing is not None
    assert [(reading.number, reading.last) for reading in origin.readings] == [(7, None)]
    assert [(reading.number, reading.last) for reading in landing.readings] == [(None, 6)]


def test_an_unreadable_end_may_be_an_x_or_a_digit() -> None:
    """In the full form nobody can tell which."""
    claim = claim_of("92:13_")
    assert claim is not None
    assert {tuple(sorted(reading.marks)) for reading in claim.readings} == {("x",), (":",)}
    assert not claim.wins_tuzdyk
    certain = claim_of("92:13x")
    assert certain is not None
    assert certain.wins_tuzdyk


def test_a_claim_is_made_of_a_move_alone() -> None:
    """A kazan behind it is a fact of its own, and other text is no move."""
    with pytest.raises(NotationError, match="expected the move alone"):
        claim_of("76(10)")
    with pytest.raises(NotationError, match="'0-0' is no move"):
        claim_of("0-0")


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("12", frozenset({12})),
        ("1_", frozenset(range(10, 20))),
        ("_2", frozenset(range(12, 93, 10))),
        ("16_", frozenset({160, 161, 162})),
        ("999", frozenset()),
    ],
)
def test_a_number_is_what_its_digits_leave_open(text: str, counts: frozenset[int]) -> None:
    """Never more than all stones."""
    assert counts_of(text) == counts


@pytest.mark.parametrize("text", ["", "_", "__"])
def test_an_unreadable_number_is_any(text: str) -> None:
    """Nobody knows how many digits it had."""
    assert counts_of(text) is None


def test_a_stone_that_fell_into_a_tuzdyk_may_be_counted() -> None:
    """As the reader of moves allows it: `926-70`, or `926-71`."""
    sowing = next(
        apply(position, number)
        for seed in range(50)
        for position, number in random_game(seed)
        if tuzdyk_owner(apply(position, number).last_index, position.tuzdyks) is not None
    )
    text = format_move(sowing, Notation.FULL)
    for said, fits in ((text, True), (text[:-1] + "1", True), (text[:-1] + "2", False)):
        claim = claim_of(said)
        assert claim is not None
        assert fits_move(claim, pack(sowing.before), sowing.number) is fits
