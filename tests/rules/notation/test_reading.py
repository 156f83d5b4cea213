"""One move read as people write it: in any notation, with marks around it, and with characters missing."""

from typing import get_args

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rules import (
    START,
    AmbiguousMoveError,
    IllegalMoveError,
    Judgement,
    MoveText,
    Notation,
    NotationError,
    Position,
    RulesError,
    Sowing,
    format_move,
    format_move_text,
    legal_moves,
    parse_full,
    parse_move,
    parse_playstrategy,
    parse_short,
    parse_total,
    parse_two_digit,
    play,
)
from tests.rules.boards import board, played_positions, positions
from tests.rules.notation.test_forms import INTO_A_TUZDYK, LONE_STONES

READERS = {
    Notation.SHORT: parse_short,
    Notation.FULL: parse_full,
    Notation.TWO_DIGIT: parse_two_digit,
    Notation.TOTAL: parse_total,
    Notation.PLAYSTRATEGY: parse_playstrategy,
}
NEAR_TUZDYK = board("0 0 0 0 0 0 0 5 3", "0 2 0 0 0 0 0 0 9", (72, 71))
"""9 wins the tuzdyk on 2; 8 ends on the third pit with one stone."""
OVER = board("1 0 0 0 0 0 0 0 0", "1 0 0 0 0 0 0 0 0", (82, 78))
MISPRINT = board("2 13 13 13 4 4 5 0 1", "12 0 11 11 11 0 1 1 2", (22, 36))
"""Where the regulations print `231:512` (1.6.3)."""

boards = positions() | played_positions()


@st.composite
def sowings(draw: st.DrawFn) -> Sowing:
    """Draw a legal move of any position."""
    position = draw(boards)
    numbers = legal_moves(position)
    assume(numbers)
    return play(position, draw(st.sampled_from(numbers)))


@st.composite
def move_texts(draw: st.DrawFn) -> MoveText:
    """Draw a legal move with any marks behind it."""
    sowing = draw(sowings())
    kazan = draw(st.sampled_from([None, sowing.after.kazans[sowing.side.index]]))
    judgement: Judgement = draw(st.sampled_from(get_args(Judgement)))
    return MoveText(sowing, judgement, draw(st.booleans()), kazan)


def result(text: str, position: Position, notation: Notation | None = None) -> Sowing | RulesError:
    """Return the move of a text, or what is wrong with it."""
    try:
        return parse_move(text, position, notation).sowing
    except (NotationError, IllegalMoveError, AmbiguousMoveError) as error:
        return error


@given(sowings(), st.sampled_from(Notation))
def test_every_notation_is_recognised(sowing: Sowing, notation: Notation) -> None:
    """And read by its own reader, and when it is named."""
    text = format_move(sowing, notation)
    assert READERS[notation](text, sowing.before) == sowing
    assert parse_move(text, sowing.before, notation).sowing == sowing
    assert parse_move(text, sowing.before).sowing == sowing


@given(move_texts(), st.sampled_from(Notation))
def test_a_move_with_its_marks_survives_the_text(move: MoveText, notation: Notation) -> None:
    """Only in TOTAL a kazan is there that nobody asked for."""
    text = format_move_text(move, notation)
    read = parse_move(text, move.sowing.before)
    assert format_move_text(read, notation) == text
    if move.kazan is not None or notation is not Notation.TOTAL:
        assert read == move


@given(move_texts(), st.sampled_from(Notation))
def test_the_kazan_can_be_written_behind_every_move(move: MoveText, notation: Notation) -> None:
    """As some sheets do, though nobody wrote it before."""
    read = parse_move(format_move_text(move, notation, with_kazan=True), move.sowing.before)
    assert read.kazan == move.sowing.after.kazans[move.sowing.side.index]


def test_marks_come_in_the_order_judgement_draw_kazan() -> None:
    """One text for one move."""
    move = MoveText(play(START, 7), "!", draw_offered=True, kazan=10)
    assert format_move_text(move, Notation.SHORT) == "7:6!=(10)"
    assert format_move_text(move, Notation.TOTAL) == "76(10)!="


@pytest.mark.parametrize(
    "text",
    [
        "7:6",
        " 7 : 6\n",
        "12. 7:6",
        "12.7:6",
        "12... 7:6",
        "12… 7:6",
        "7∶6",
        "7：6",
        "76",
        "7 6",
        "79:610",
        "79 : 6 10",
        "76(10)",
        "76 ( 10 )",
        "g1d2",
        "G1 D2",
        "7:6=",
        "7:6 (=)",
        "7:6＝",
        "7:6(10)=",
    ],
)
def test_what_people_write_is_read(text: str) -> None:
    """Spaces, numbers, typographic signs, capitals."""
    assert parse_move(text, START).sowing.number == 7


@pytest.mark.parametrize("dash", "-‐‑‒–—―⁃−﹘﹣－")
def test_any_dash_is_the_sign_of_a_quiet_move(dash: str) -> None:
    """Word processors make them longer."""
    assert parse_short(f"1{dash}9", START).number == 1
    assert parse_move(f"19{dash}910", START).sowing.number == 1


@pytest.mark.parametrize("cross", ["x", "X", "х", "Х", "ｘ", "×", " x"])
@pytest.mark.parametrize("text", ["9:2", "93:23", "92"])
def test_any_cross_marks_a_tuzdyk(text: str, cross: str) -> None:
    """In every notation that has one."""
    assert parse_move(text + cross, NEAR_TUZDYK).sowing.tuzdyk == 2


@pytest.mark.parametrize("text", ["92X", "92X(75)", "92(75)X", "92(75) х"])
def test_the_kazan_of_a_tuzdyk_may_stand_on_either_side_of_its_x(text: str) -> None:
    """Exports differ."""
    assert parse_total(text, NEAR_TUZDYK).tuzdyk == 2
    assert parse_move(text, NEAR_TUZDYK).sowing.tuzdyk == 2


@pytest.mark.parametrize(
    ("text", "judgement"),
    [
        ("!", "!"),
        ("!!", "!!"),
        ("?", "?"),
        ("? ?", "??"),
        ("?!", "?!"),
        ("!?", "?!"),
        ("‼", "!!"),
        ("⁉", "?!"),
    ],
)
def test_judgements_are_read_and_spelt_officially(text: str, judgement: str) -> None:
    """The other order of the two signs is not official (1.6.3)."""
    assert parse_move("7:6" + text, START).judgement == judgement


@pytest.mark.parametrize("text", ["926-70", "926-71"])
def test_a_last_stone_in_a_tuzdyk_may_be_counted_or_not(text: str) -> None:
    """It lies there for a moment."""
    assert parse_full(text, INTO_A_TUZDYK).number == 9


def test_a_1_is_no_0_where_no_tuzdyk_is() -> None:
    """The count is a check."""
    assert parse_full("11-21", LONE_STONES).number == 1
    with pytest.raises(IllegalMoveError, match="the text says 11-20, but pit 1 holds 1 and it makes 11-21"):
        parse_full("11-20", LONE_STONES)
    with pytest.raises(IllegalMoveError, match="the text says 79:611, but pit 7 holds 9 and it makes 79:610"):
        parse_full("79:611", START)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12.",
        "7:6x!!!",
        "7:6!!?",
        "7:6==",
        "7:6(10)(10)",
        "7:6()",
        "7:6(1000)",
        "7-6x",
        "7x6",
        "0:6",
        "1-0",
        "7:66",
        "76:6",
        "j1d2",
        "g3d2",
        "g1d",
        "7:6 9-8",
        "7:6" + " " * 100,
        "\ud800",
        "7\x006",
        "٧:٦",
        "７６",
    ],
)
def test_text_that_is_no_move_is_bad_text(text: str) -> None:
    """In whatever notation; a move is short."""
    with pytest.raises(NotationError) as caught:
        parse_move(text, START)
    assert caught.value.text == text
    assert "expected a move such as 7:6, 9-8, 2:7x, 79:610, 76, 65(10) or g1d2" in str(caught.value)


def test_a_notation_that_is_named_is_the_only_one() -> None:
    """Its own form is expected then."""
    with pytest.raises(NotationError, match="expected pit and its stones, : or -, "):
        parse_move("7:6", START, Notation.FULL)
    with pytest.raises(
        NotationError, match="expected letter a to i and row 1 or 2 of both pits, such as g1d2"
    ):
        parse_move("76", START, Notation.PLAYSTRATEGY)


@pytest.mark.parametrize("text", ["76", "76!(10)", "1.76(10)", "7_(10)", "76(10)x", "7:6(10)", "7(10)"])
def test_a_reader_of_one_notation_takes_the_bare_move(text: str) -> None:
    """Marks are for `parse_move`; a move that takes has its kazan."""
    with pytest.raises((NotationError, IllegalMoveError)):
        parse_total(text, START)
    with pytest.raises(NotationError):
        parse_short(text, START)


def test_the_misprint_of_the_regulations_is_told() -> None:
    """What was said, what is there, what would be right."""
    assert parse_move("213:512", MISPRINT).sowing.number == 2
    with pytest.raises(IllegalMoveError) as caught:
        parse_move("4.231:512", MISPRINT)
    reason = "the text says 231:512, but pit 2 holds 13 and it makes 213:512"
    assert (caught.value.number, caught.value.reason) == (2, reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7:5", "the text says 7:5, but it makes 7:6; 6:5 ends so"),
        ("75", "the text says 75, but it makes 76; 65 ends so"),
        ("7-6", "the text says 7-6, but it makes 7:6; no move ends so"),
        ("79:510", "the text says 79:510, but pit 7 holds 9 and it makes 79:610; 69:510 ends so"),
        ("g1e2", "the text says g1e2, but it makes g1d2; f1e2 ends so"),
        ("a2h1", "a2 is qostaushy's and bastaushy is to move"),
        ("7:6(11)", "the text says that the kazan holds 11 after it, but it holds 10"),
        ("76(11)", "the text says that the kazan holds 11 after it, but it holds 10"),
    ],
)
def test_a_move_that_does_not_do_what_was_said_is_illegal(text: str, reason: str) -> None:
    """The message has what was said, what is done, and which moves would do it."""
    with pytest.raises(IllegalMoveError) as caught:
        parse_move(text, START)
    assert caught.value.reason == reason
    assert caught.value.position == START


def test_all_moves_that_would_do_what_was_said_are_named() -> None:
    """There may be several."""
    two_ways = board("0 0 0 0 0 3 2 0 3", "0 0 0 0 0 0 0 0 9", (70, 75))
    with pytest.raises(IllegalMoveError, match="says 9-8, but it makes 9-2; 6-8 and 7-8 end so"):
        parse_move("9-8", two_ways)


def test_a_pit_that_cannot_be_played_is_told_with_those_that_would_do_it() -> None:
    """Row and number are easily confused on a sheet."""
    with pytest.raises(IllegalMoveError, match=r"pit 1 cannot be played: it is empty and .*; 9:2x ends so"):
        parse_move("1:2x", NEAR_TUZDYK)
    with pytest.raises(IllegalMoveError, match=r"pit 1 cannot be played: the game is over \("):
        parse_move("1-2", OVER)


def test_a_taking_move_without_its_kazan_is_refused_in_total_alone() -> None:
    """There two digits say that nothing is taken."""
    with pytest.raises(IllegalMoveError, match=r"the text says 76, but it makes 76\(10\)"):
        parse_total("76", START)
    with pytest.raises(IllegalMoveError, match="the text says 7_, but the legal moves are 1-9, 2:1, "):
        parse_move("7_", START, Notation.TOTAL)
    assert parse_move("7_(10)", START, Notation.TOTAL).sowing.number == 7


ALPHABET = st.text("123789_:-x(10)abgi!?=. ", max_size=9)


@given(ALPHABET, boards)
@example("_1_2", START)
@example("7_", START)
def test_a_text_that_two_notations_read_differently_is_never_guessed(text: str, position: Position) -> None:
    """Where nobody names the notation, each reading is the same move, or the text is ambiguous."""
    found = result(text, position)
    named = [result(text, position, notation) for notation in Notation if notation is not Notation.TOTAL]
    sowings = {each.number for each in named if isinstance(each, Sowing)}
    if isinstance(found, Sowing):
        assert sowings <= {found.number}
    else:
        assert not sowings or isinstance(found, AmbiguousMoveError)


@given(st.text(max_size=12) | ALPHABET, boards, st.sampled_from([None, *Notation]))
@example("7:6", START, None)
def test_any_text_is_a_move_or_one_of_three_errors(
    text: str, position: Position, notation: Notation | None
) -> None:
    """Nothing else ever comes out."""
    found = result(text, position, notation)
    assert isinstance(found, Sowing) or len(str(found)) < 2000


@given(move_texts(), st.sampled_from(Notation), st.data())
def test_a_damaged_move_is_a_move_or_one_of_three_errors(
    move: MoveText, notation: Notation, data: st.DataObject
) -> None:
    """One character is changed, lost or added."""
    text = format_move_text(move, notation)
    place = data.draw(st.integers(0, len(text)))
    sign = data.draw(st.characters() | st.sampled_from("123x:-_.!(=)"))
    cut = data.draw(st.integers(0, 2))
    found = result(text[:place] + sign + text[place + cut :], move.sowing.before)
    assert isinstance(found, Sowing | RulesError)
