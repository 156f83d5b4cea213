"""Lists of moves as words, before anybody plays them."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RecordError, Word, WordKind, parse_result, scan


def words(text: str, **options: int) -> list[tuple[str, str, int | None]]:
    """Return kind, text and ply of every word."""
    return [(word.kind.value, word.text, word.ply) for word in scan(text.split("\n"), **options)]


def plies(text: str, **options: int) -> list[tuple[str, int | None]]:
    """Return text and ply of the moves, missing ones included."""
    found = words(text, **options)
    return [(text, ply) for kind, text, ply in found if kind in ("move", "missing")]


def test_the_short_example_of_the_regulations_is_taken_apart() -> None:
    """As 1.6.3 prints it: the kazan stands between two moves and belongs to the first."""
    assert words("1. 7:6          (10)  9-8\n\n2. 6-6                  8:7...") == [
        ("number", "1.", 1),
        ("move", "7:6", 1),
        ("kazan", "(10)", 1),
        ("move", "9-8", 2),
        ("number", "2.", 3),
        ("move", "6-6", 3),
        ("move", "8:7", 4),
    ]


def test_the_full_example_of_the_regulations_is_taken_apart() -> None:
    """As 1.6.3 prints it, with numbers glued to moves and a misprint that is no concern here."""
    text = (
        "1.79:610   79:610\n   2.510-511     910:912\n 3. 111:212  810:814\n4.231:512   92:13х\n  5.92:114!"
    )
    moves = ["79:610", "79:610", "510-511", "910:912", "111:212", "810:814", "231:512", "92:13х", "92:114"]
    assert plies(text) == list(zip(moves, range(1, 10), strict=True))
    assert words(text)[-1] == ("judgement", "!", 9)


def test_numbers_decide_which_plies_are_there() -> None:
    """As in the printed game of 2009, where the third move is missing."""
    assert plies("1. 32 98 2. 78 44 4. 24х 69 5... 81") == [
        ("32", 1),
        ("98", 2),
        ("78", 3),
        ("44", 4),
        ("24х", 7),
        ("69", 8),
        ("81", 10),
    ]


@pytest.mark.parametrize("number", ["12...", "12. ...", "12..", "12…", "12. …", "12.… ", "12.   ..."])
def test_dots_behind_a_number_say_that_qostaushy_moves(number: str) -> None:
    """However they are typed."""
    assert plies(f"{number} 98") == [("98", 24)]


@pytest.mark.parametrize("missing", ["--", "-", "---", "..", "...", "…", "___", "_", "—", "–", "−−"])
def test_a_move_that_was_not_written_down_has_its_ply(missing: str) -> None:
    """The sheet says that there was one."""
    assert plies(f"1. 76 {missing} 2. {missing}\n98")[:2] == [("76", 1), (missing, 2)]
    assert plies(f"76\n{missing}\n76") == [("76", 1), (missing, 2), ("76", 3)]


def test_without_numbers_plies_follow_each_other() -> None:
    """From the first that the caller names."""
    assert plies("76 98 66") == [("76", 1), ("98", 2), ("66", 3)]
    assert plies("98 66", first_ply=2) == [("98", 2), ("66", 3)]


def test_a_number_may_say_again_whose_turn_it_is() -> None:
    """After a remark many writers do."""
    assert plies("1. 76 {strong} 1... 98 2. 66") == [("76", 1), ("98", 2), ("66", 3)]


@pytest.mark.parametrize(
    "move",
    [
        *(
            "7 - 6",
            "9 : 8 x",
            "2:7 Х",
            "79 : 610",
            "76 - 98",
            "79—610",
            "7 — 6",
            "g1 d2",
            "45(13) х",
            "_ : 6",
            "_ - 8",
        ),
        *["A2h1", "_:6", "7_6", "24_", "79__10", "_1d_", ":6", "-8", "7:", "45X", "45(13)X", "7：6"],
    ],
)
def test_a_move_is_one_word_in_any_notation(move: str) -> None:
    """With spaces around its signs, characters that nobody can read, or one of its pits missing."""
    assert words(f"1. {move} 98") == [("number", "1.", 1), ("move", move, 1), ("move", "98", 2)]
    assert words(move) == [("move", move, 1)]


def test_a_long_dash_alone_between_moves_of_two_digits_is_a_missing_move() -> None:
    """A word processor makes it of two hyphens; one hyphen there is the sign of a full move."""
    assert plies("76 — 98") == [("76", 1), ("—", 2), ("98", 3)]
    assert plies("76 ― 98") == [("76", 1), ("―", 2), ("98", 3)]
    assert plies("76 -- 98") == [("76", 1), ("--", 2), ("98", 3)]


def test_a_dash_before_a_number_is_a_missing_move() -> None:
    """The digits behind it are the number's."""
    assert plies("11. 76 - 12. 98 - 13... 66") == [("76", 21), ("-", 22), ("98", 23), ("-", 24), ("66", 26)]
    assert plies("76 - 98... 66") == [("76", 1), ("-", 2), ("66", 196)]
    assert plies("79-610... 9-8") == [("79-610", 1), ("9-8", 2)]


def test_glued_marks_are_split_from_their_move() -> None:
    """In any order."""
    assert words("1.7:6!=(10)9-8(=)?? (0)") == [
        ("number", "1.", 1),
        ("move", "7:6", 1),
        ("judgement", "!", 1),
        ("draw", "=", 1),
        ("kazan", "(10)", 1),
        ("move", "9-8", 2),
        ("draw", "(=)", 2),
        ("judgement", "??", 2),
        ("kazan", "(0)", 2),
    ]


def test_three_dots_behind_a_move_only_say_that_the_game_went_on() -> None:
    """With a space before them they are a move that is missing."""
    assert words("8:7…") == [("move", "8:7", 1)]
    assert plies("8:7 ...") == [("8:7", 1), ("...", 2)]


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("1-0", "1-0"),
        ("1 - 0", "1-0"),
        ("1–0", "1-0"),
        ("1:0", "1-0"),
        ("0-1", "0-1"),
        ("0—1", "0-1"),
        ("1/2-1/2", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("0.5-0.5", "1/2-1/2"),
        ("0,5 — 0,5", "1/2-1/2"),
        ("*", None),
    ],
)
def test_results_are_no_moves(text: str, score: str | None) -> None:
    """There is no pit 0."""
    assert words(f"7:6 {text}")[1:] == [("result", text, None)]
    assert parse_result(text) == score


def test_what_is_no_result_is_refused() -> None:
    """`1-9` is a move."""
    assert words("1-9 9-1") == [("move", "1-9", 1), ("move", "9-1", 2)]
    with pytest.raises(ValueError, match=r"^'1-9' is no result: expected 1-0, 0-1, 1/2-1/2, 0-0 or \*$"):
        parse_result("1-9")


def test_comments_are_words_too() -> None:
    """In braces over several lines, or to the end of one."""
    found = list(scan(["{ before }1. 76 {a", "", " b\r\n", "c; } 98 ; the rest {", "66 # and 76", "#"], 10))
    comments = [word for word in found if word.kind is WordKind.COMMENT]
    assert comments == [
        Word(WordKind.COMMENT, "before", 10, 1, None),
        Word(WordKind.COMMENT, "a\n\n b\nc;", 10, 17, 1),
        Word(WordKind.COMMENT, "the rest {", 13, 9, 2),
        Word(WordKind.COMMENT, "and 76", 14, 4, 3),
        Word(WordKind.COMMENT, "", 15, 1, 3),
    ]
    assert [word.text for word in found if word.kind is WordKind.MOVE] == ["76", "98", "66"]


ANY = "a move, a number such as 12., (kazan), a judgement, =, a result or {a comment}"


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("1. 7:6\n2. 7;6 7:", (2, 4, "7;6"), ANY),
        ("7:69-8", (1, 1, "7:69-8"), ANY),
        ("76 98 hello", (1, 7, "hello"), ANY),
        ("76 (1000)", (1, 4, "(1000)"), ANY),
        ("76 } 98", (1, 4, "}"), ANY),
        ("76 {a {b} c} 98", (1, 11, "c}"), ANY),
        ("76\x00", (1, 3, "\x00"), ANY),
        ("76 \ud800", (1, 4, "\ud800"), ANY),
        ("76 " + "z" * 500, (1, 4, "z" * 80), ANY),
        ("1-01", (1, 1, "1-01"), ANY),
        ("\n  (10) 76", (2, 3, "(10)"), "a move before it"),
        ("! 76", (1, 1, "!"), "a move before it"),
        ("=", (1, 1, "="), "a move before it"),
        ("76!!!", (1, 3, "!!!"), "one of ! !! ? ?? ?!"),
        ("2. 76 1. 98", (1, 7, "1."), "the number 2... or a higher one up to 9999"),
        ("1. 76 98 1. 76", (1, 10, "1."), "the number 2. or a higher one up to 9999"),
        ("0. 76", (1, 1, "0."), "the number 1. or a higher one up to 9999"),
        ("10000. 76", (1, 1, "10000."), "the number 1. or a higher one up to 9999"),
        ("76 {98\n66", (1, 4, "{"), "a } that closes the comment"),
        ("66 87...", (1, 4, "87..."), "a move behind the number"),
        ("66 87... 1-0", (1, 4, "87..."), "a move behind the number"),
    ],
)
def test_what_is_none_of_these_is_an_error_at_its_place(
    text: str, place: tuple[int, int, str], expected: str
) -> None:
    """With line, column, word and what was expected."""
    with pytest.raises(RecordError) as caught:
        words(text)
    error = caught.value
    assert ((error.line, error.column, error.word), error.expected) == (place, expected)
    assert error.cause is None
    assert str(error).startswith(f"line {place[0]}, column {place[1]}, ")
    assert str(error).endswith(f": expected {expected}")


def test_the_words_before_an_error_have_been_told() -> None:
    """Who reads a stream keeps them."""
    reading = scan(["76 98", "hello"])
    assert [next(reading).text, next(reading).text] == ["76", "98"]
    with pytest.raises(RecordError, match=r"^line 2, column 1, 'hello': expected a move, "):
        next(reading)


def test_printed_numbers_without_moves_are_no_fault() -> None:
    """A sheet has lines that nobody filled in; only a number glued to dots might have been a move."""
    assert plies("1. 76 98\n2.\n3. ...") == [("76", 1), ("98", 2)]


FAR_TOO_LONG = 200_000
LONG = [
    *(sign * FAR_TOO_LONG for sign in (" ", "_", ".", "!", "(", "{", "1", "\x00", "…", "½", "-", "—")),
    *(pair * (FAR_TOO_LONG // 4) for pair in ("7:6 ", "{}", "1.", "7:6=", "_ ", "7 ", "76(1)")),
    "-" * FAR_TOO_LONG + "x",
    "_" * FAR_TOO_LONG + "z",
    "76" + " " * FAR_TOO_LONG + ":6",
]


def told_until(lines: Iterable[str]) -> tuple[list[Word], RecordError | None]:
    """Return the words of the lines, and the error that ended them if one did."""
    found: list[Word] = []
    try:
        found.extend(scan(lines))
    except RecordError as error:
        return found, error
    return found, None


@pytest.mark.parametrize("line", LONG, ids=range(len(LONG)))
def test_a_line_far_too_long_is_read_or_refused(line: str) -> None:
    """Each character is looked at a few times, however the line is made."""
    _, error = told_until([line])
    assert len(str(error)) < 500


def test_a_comment_of_many_lines_is_read_once() -> None:
    """Nothing is looked at again when the next line comes."""
    [word] = scan(["{", *["line"] * 200_000, "}"])
    assert word.text.count("\n") == 199_999


PIECES = st.sampled_from(
    [
        *("7:6", "76", "24x", "79:610", "g1d2", "(10)", "!", "=", "1.", "2...", "--", "_", "1-0", "½", "*"),
        *("\n", " ", "\t", "\r", "\ud800", "{", "}", ";", "…", ":", "x", "-", "10"),
    ]
)


@given(st.lists(PIECES | st.text(max_size=3), max_size=20).map("".join))
def test_any_text_is_words_or_one_named_error(text: str) -> None:
    """And each word stands where it says; plies go up."""
    lines = text.split("\n")
    found, error = told_until(lines)
    stands = [word for word in found if word.kind is not WordKind.COMMENT]
    assert all(lines[word.line - 1][word.column - 1 :].startswith(word.text) for word in stands)
    due = [word.ply or 0 for word in found if word.kind in (WordKind.MOVE, WordKind.MISSING)]
    assert due == sorted(set(due))
    if error is not None:
        assert lines[error.line - 1][error.column - 1 :].startswith(error.word)


@pytest.mark.parametrize("text", ["1-З", "76ж", "7:6б"])
def test_a_letter_of_another_script_belongs_to_its_word(text: str) -> None:
    """A Cyrillic Ze looks like a three: the whole word is wrong, not its second half."""
    with pytest.raises(RecordError) as caught:
        list(scan([f"1. {text} 9-8"]))
    assert (caught.value.column, caught.value.word) == (4, text)
