"""Game records as text."""

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules import (
    Comment,
    GameRecord,
    IllegalMoveError,
    Notation,
    PositionFormatError,
    RecordError,
    RecordFormatError,
    Ruling,
    Side,
    Tags,
    format_record,
    parse_record,
)
from tests.rules.records import finished_record, plies_of, records

GAME_2009 = [3, 9, 7, 4, 6, 5, 2, 6, 6, 8, 9, 9, 5, 8, 9, 9, 3, 7, 6, 8, 5, 8]
"""The first eleven moves of 2009."""


@settings(max_examples=60, deadline=None)
@given(
    record=records(),
    notation=st.sampled_from(Notation),
    options=st.fixed_dictionaries({"diagrams": st.booleans(), "kazans": st.booleans()}),
)
def test_every_record_reads_back_and_is_written_the_same_again(
    record: GameRecord, notation: Notation, options: dict[str, bool]
) -> None:
    """In every notation, with diagrams and kazans or without."""
    text = format_record(record, notation, **options)
    assert parse_record(text) == record
    assert format_record(parse_record(text), notation, **options) == text


@pytest.mark.parametrize("notation", Notation)
@pytest.mark.parametrize("seed", range(3))
def test_games_to_the_end_read_back(seed: int, notation: Notation) -> None:
    """With laps, tuzdyks and sweeps as they come."""
    record = finished_record(seed)
    assert record.outcome is not None
    record = replace(record, result=record.outcome.score, reason=record.outcome.reason.value)
    assert parse_record(format_record(record, notation)) == record


def test_an_empty_record_is_a_star() -> None:
    """It has no result, and nothing else either."""
    assert format_record(GameRecord()) == "*\n"
    assert parse_record("*") == GameRecord()


def test_a_whole_record_as_it_is_written() -> None:
    """Tags in their order, clocks behind moves, notes on lines of their own, the diagram after ten moves."""
    plies = plies_of(GAME_2009)
    move = replace(plies[1].move, judgement="!", draw_offered=True)
    record = GameRecord(
        tags=Tags(bastaushy='A "B" \\', other=(("Weather", "rain"),)),
        plies=(
            replace(plies[0], clock_ms=(3_599_999, None)),
            replace(plies[1], move=move, clock_ms=(3_599_999, 60_000)),
            *plies[2:],
        ),
        rulings=(Ruling(1, "warning", Side.QOSTAUSHY, "spoke {twice}"), Ruling(20, "suspended")),
        comments=(Comment(0, "[a]\n%b \\( c"), Comment(20, "[%clk 1:00]")),
        result="1-0",
        reason="flag",
        remaining_ms=(1, 0),
        recorder="C",
        signed=(True, True),
    )
    text = r"""[Bastaushy "A \"B\" \\"]
[Recorder "C"]
[Remaining "0:00:00.001 0:00:00"]
[Signed "bastaushy qostaushy"]
[Result "1-0"]
[Reason "flag"]
[Weather "rain"]

{\[a]
\%b \\( c}
1. 3:2(10) {%clock 0:59:59.999 -}
{%ruling warning qostaushy: spoke \(twice\)}
1... 9-8!=(0) {%clock 0:59:59.999 0:01:00}  2. 7:8(20) 4:4(12)  3. 6:7(32) 5:7x(15)
4. 2:4x(35) 6:9(31)  5. 6-9(35) 8:1(46)  6. 9:1(49) 9:4(50)  7. 5:9(52) 8-9(51)  8. 9:1(54) 9:1(53)
9. 3-9(54) 7-9(54)  10. 6-8(54) 8-9(55)
{%ruling suspended}
{\[%clk 1:00]}
{%diagram
				55
2	1	1	2	2	x	13	4	0
0	3	1	1	2	1	x	19	1
				54
}
11. 5-6(54) 8-9(55)
1-0
"""
    assert format_record(record, kazans=True) == text
    assert parse_record(text) == record


def test_lines_of_moves_are_filled_to_a_hundred_characters() -> None:
    """And not one more."""
    plies = plies_of(GAME_2009[:16])
    marked = [replace(ply, move=replace(ply.move, judgement="!")) for ply in plies[:5]]
    for marks, length in ((4, 100), (5, 87)):
        record = GameRecord(plies=(*marked[:marks], *plies[marks:]))
        assert len(format_record(record, Notation.PLAYSTRATEGY).split("\n")[0]) == length


def test_a_dial_shows_tenths_or_thousandths_and_hours_without_end() -> None:
    """As clocks do."""
    assert parse_record("76 {%clock 0:00:09.5 100:00:00.05}").plies[0].clock_ms == (9_500, 360_000_050)


def test_what_other_programs_write_is_read() -> None:
    """Their names of tags, results in other spellings, line ends of other systems, a mark before the text."""
    text = '\ufeff[White "A"]\r\n[black "B"]\r\n[Result "½-½"]\r\n\r\n1. 76(10) 98 ½-½\r\n'
    assert parse_record(text) == GameRecord(
        tags=Tags(bastaushy="A", qostaushy="B"), plies=plies_of([7, 9]), result="1/2-1/2"
    )


def test_a_playstrategy_game_from_a_position_goes_on_there() -> None:
    """Its FEN says who moves and which move it is."""
    fen = "11S,1S,7S,t,6S,4S,2S,4S,3S/2S,6S,19S,t,1S,3S,1S,3S,3S 57 29 N 10"
    record = parse_record(f'[FEN "{fen}"]\n\n10... i2g2 11. a1b1')
    assert record.start.kazans == (57, 29)
    assert record.start_number == 10
    assert [sowing.number for sowing in record.sowings] == [1, 1]
    text = format_record(record, Notation.PLAYSTRATEGY, diagrams=False)
    assert text == f'[Position "{fen}"]\n\n10... i2g2\n11. a1b1\n*\n'.replace("\n11", "  11")
    assert parse_record(text) == record


def test_playok_s_totals_are_checked_and_forgotten() -> None:
    """They follow from the moves."""
    assert parse_record("76(10) 98 66") == GameRecord(plies=plies_of([7, 9, 6]))
    with pytest.raises(RecordError, match=r"line 1, column 3, '\(11\)': expected .* holds 10"):
        parse_record("76(11)")


def test_records_of_tags_only_or_without_anything_around_the_moves_are_records() -> None:
    """A sheet may be begun, and an archive may hold moves alone."""
    assert parse_record('[City "Алматы"]') == GameRecord(tags=Tags(city="Алматы"))
    assert parse_record("76") == GameRecord(plies=plies_of([7]))
    unsaid = '[Result "?"]\n[Reason " "]\n[Remaining "- -"]\n76 {%clock - -}'
    assert parse_record(unsaid) == parse_record("76")
    assert parse_record('[City ""]\n*').tags.city == ""


def test_comments_of_every_kind_survive() -> None:
    """At the end of a line or in braces, over several lines, before, between and behind the moves."""
    text = "; one } brace\n{}\n76 {two\n\tlines} 98 # three\n1-0 {four}\n"
    record = parse_record(text)
    assert record.comments == (
        Comment(0, "one } brace"),
        Comment(1, "two\n lines"),
        Comment(2, "three"),
        Comment(2, "four"),
    )
    assert parse_record(format_record(record)) == record


def test_remarks_behind_the_game_are_passed_over() -> None:
    """A blank line below the result ends it."""
    assert parse_record("76 1-0\n\n# the end") == parse_record("76 1-0")


def test_backslashes_that_people_write_stay() -> None:
    """Only those before a sign of ours mean something."""
    record = parse_record(r'[Site "C:\x\"y\\"]' + "\n" + r"76 {a\b \n \) \%}")
    assert record.tags.other == (("Site", 'C:\\x"y\\'),)
    assert record.comments == (Comment(1, r"a\b \n } %"),)
    assert parse_record(format_record(record)) == record


def test_diagrams_of_either_player_are_read_anywhere() -> None:
    """Cells that nobody can read are passed over."""
    own = "{%diagram \n 10\n 9 9 9 _ 10 10 10 10 10\n 9 9 9 9 9 9 1 10 10\n ?}"
    with pytest.raises(
        RecordError, match=r"'%diagram': expected the position .*, but the kazan of qostaushy"
    ):
        parse_record(f"76 {own}")
    assert parse_record(f"76 {own.replace(' 10', ' 0', 1)}") == parse_record("76")
    turned = "{%diagram qostaushy\n10\n10 10 1 9 9 9 9 9 9\n10 10 10 10 10 0 9 9 9\n0}"
    assert parse_record(f"76 {turned}") == parse_record("76")


@pytest.mark.parametrize(
    ("text", "line", "column", "word", "expected"),
    [
        ("", 1, 1, "", "a game: a tag, a move or a result"),
        ("\n \n", 1, 1, "", "a game: a tag, a move or a result"),
        ("# nothing", 1, 1, "", "a game: a tag, a move or a result"),
        ("1. 76 98\n2. zz", 2, 4, "zz", "a move, a number such as 12."),
        ("1. 76 98 3. 66", 1, 13, "66", "the move 2. before it (a sheet with moves missing has to be"),
        ("1. 76 -- 2. 66", 1, 7, "--", "the move 1... (a sheet with moves missing has to be restored"),
        ("76 {x} !", 1, 8, "!", "its move directly before it"),
        ("76 {open", 1, 4, "{", "a } that closes the comment"),
        ("76 1-0 98", 1, 8, "98", "nothing behind the result 1-0"),
        ("76 1-0 1-0", 1, 8, "1-0", "nothing behind the result 1-0"),
        ("76 {a\x07}", 1, 6, "\x07", "no control character"),
        ('[City "a\tb"]', 1, 8, "a\tb", "no control character, such as that at character 2"),
        ('[City "a"b"]\n76', 1, 1, "[City", 'a tag such as [City "Almaty"], on a line of its own above'),
        ("76 [City]", 1, 4, "[City]", 'a tag such as [City "Almaty"], on a line of its own above the moves'),
        ('[City ""]\n[CITY ""]', 2, 2, "CITY", "each tag once"),
        ('[FEN ""]\n[Position ""]', 2, 2, "Position", "each tag once"),
        ('[A ""]\n[A ""]', 2, 2, "A", "each tag once"),
        (f'[{"A" * 41} "b"]', 1, 45, "b", "a name of 1 to 40 letters, digits and underscores"),
        ('[City ""]\n[FEN "9S"]', 2, 7, "9S", "a position as PlayStrategy writes it"),
        ('[Result "2-0"]', 1, 10, "2-0", "1-0, 0-1, 1/2-1/2 or *"),
        ('[Result "1-0"]\n76 0-1', 2, 4, "0-1", "1-0, as the tag Result says"),
        ('[Result "1-0"]\n76 *', 2, 4, "*", "1-0, as the tag Result says"),
        ('[Result "*"]\n76 1-0', 2, 4, "1-0", "*, as the tag Result says"),
        ('[Reason "agreement"]\n76 1-0', 2, 4, "1-0", "1/2-1/2, since the reason is agreement"),
        ('[Reason "atsyrau"]\n76', 1, 10, "atsyrau", "another reason, since the stones did not end the game"),
        ('[Remaining "0:1:2 -"]', 1, 13, "0:1:2 -", "both dials, such as 0:12:30 0:00:09.5"),
        ('[Remaining "9999:00:00 -"]', 1, 13, "9999:00:00 -", "an integer from 0 to 4294967295"),
        ('[Signed "white"]', 1, 10, "white", "bastaushy, qostaushy or both, each once"),
        ('[Signed "qostaushy qostaushy"]', 1, 10, "qostaushy qostaushy", "bastaushy, qostaushy or both"),
        ("{%clock 0:00:01 -} 76", 1, 1, "%clock 0:00:01 -", "one clock behind each move"),
        ("76 {%clock 0:00:01 -} {%clock - -}", 1, 23, "%clock - -", "one clock behind each move"),
        ("76 {%clock 0:00:01}", 1, 4, "%clock 0:00:01", "both dials, such as %clock 1:29:58 0:00:09.5"),
        ("76 {%clock - - -}", 1, 4, "%clock - - -", "both dials, such as %clock 1:29:58 0:00:09.5"),
        ("76 {%clock 9999:00:00 -}", 1, 4, "%clock 9999:00:00 -", "an integer from 0 to 4294967295"),
        ("76 {%ruling}", 1, 4, "%ruling", "a ruling such as %ruling warning bastaushy: left the table"),
        ("76 {%ruling White}", 1, 4, "%ruling White", "a code of 1 to 40 small letters"),
        ("76 {%clk 1}", 1, 4, "%clk 1", "%clock, %ruling or %diagram; words that begin so are written \\%"),
        ("76 {%diagram}", 1, 4, "%diagram", "%diagram, who sits below unless bastaushy does, and four"),
        ("76 {%diagram\n1 2}", 1, 4, "%diagram", "a diagram as printed"),
        (f"76 {{{'x' * 4001}}}", 1, 4, "x" * 4001, "a text of at most 4000 characters"),
        ('76 1-0\n\n[City "a"]', 3, 1, '[City "a"]', "one game and no other; read_records reads many"),
        ("76 1-0\n98", 2, 1, "98", "one game and no other"),
        ('76 1-0\n[A ""]\n' + "x" * 65_537, 2, 1, '[A ""]', "one game and no other"),
        ("\n".join(f'[A{n} ""]' for n in range(1001)), 1, 1, '[A0 ""]', "at most 1000"),
        ("x" * 65_537, 1, 1, "x" * 80, "a line of at most 65536 characters"),
    ],
)
def test_a_bad_word_is_named_with_its_place(
    text: str, line: int, column: int, word: str, expected: str
) -> None:
    """Line, column, word, and what was expected there."""
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    error = caught.value
    assert (error.line, error.column, error.word) == (line, column, word)
    assert error.expected.startswith(expected)


def test_an_illegal_move_is_named_with_what_it_does() -> None:
    """And with whose turn it was."""
    message = "line 1, column 7, '77': expected .*: the text says 77, but it makes 76"
    with pytest.raises(RecordError, match=message):
        parse_record("1. 76 77")


def test_a_diagram_against_the_moves_names_pit_print_and_moves() -> None:
    """The reader of an old sheet has to look at one of the two."""
    drawn = "{%diagram\n0\n9 9 9 0 10 10 11 10 10\n9 9 9 9 9 9 1 10 10\n10}"
    there = "qostaushy 3 is drawn with 11 and holds 10 there"
    message = f"line 2, column 1, '%diagram': expected the position after 1 plies, but {there}"
    with pytest.raises(RecordError, match=message):
        parse_record(f"76\n{drawn}")


def test_causes_come_with_the_error() -> None:
    """A program may want to know what kind of trouble it was."""
    with pytest.raises(RecordError) as caught:
        parse_record("76 77")
    assert isinstance(caught.value.cause, IllegalMoveError)
    with pytest.raises(RecordError) as caught:
        parse_record('[Position "x"]')
    assert isinstance(caught.value.cause, PositionFormatError)


def test_more_moves_than_a_record_holds_are_refused_where_they_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stones can go round for a long time when nobody takes any."""
    monkeypatch.setattr("rules.record.reader.MAX_PLIES", 2)
    assert len(parse_record("76 98").plies) == 2
    with pytest.raises(RecordError, match="line 1, column 7, '66': expected at most 2 moves"):
        parse_record("76 98 66")


def test_a_record_that_would_not_be_read_is_not_written() -> None:
    """Too long in all, though each part is short enough."""
    record = GameRecord(comments=tuple(Comment(0, "x" * 4000) for _ in range(250)))
    with pytest.raises(RecordFormatError, match="record: expected a text of at most 1000000 characters"):
        format_record(record)
    with pytest.raises(RecordFormatError, match="start_number: expected an integer"):
        format_record(GameRecord(start_number=0))


PIECES = st.sampled_from(
    (
        *("1.", "1...", "2.", "76", "98", "7:6", "9-8", "66", "(10)", "!", "=", "1-0", "*", "—", "x"),
        *("{", "}", "{x}", "{%clock ", "0:00:01 -", "{%ruling flag}", "{%diagram\n", "# ", "%", "\\", "["),
        *('[City "', '"]', '[Result "1-0"]', '[FEN "', "\n", " ", "\n\n", "\t", "\x00", "\u2028"),
    )
)


@settings(max_examples=300, deadline=None)
@given(text=st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=60))
@example('[A ""]\n\n{\n\n[A ""]')
def test_no_text_makes_anything_but_a_record_or_a_named_error(text: str) -> None:
    """And what is read can be written and read again."""
    record = read(text)
    if record is not None:
        assert parse_record(format_record(record)) == record


@settings(max_examples=60, deadline=None)
@given(record=records(), place=st.integers(0, 10**6), piece=PIECES, cut=st.integers(0, 3))
def test_a_damaged_record_is_read_or_refused_by_name(
    record: GameRecord, place: int, piece: str, cut: int
) -> None:
    """Wherever something is lost or comes in between."""
    text = format_record(record)
    place %= len(text)
    read(text[:place] + piece + text[place + cut :])


def read(text: str) -> GameRecord | None:
    """Return the record of a text; None: it was refused, shortly."""
    try:
        return parse_record(text)
    except RecordError as error:
        if len(str(error)) > 1000:
            raise
        return None
