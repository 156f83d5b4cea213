"""Texts of many games."""

from collections.abc import Iterable, Iterator
from itertools import chain, count, repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import (
    Comment,
    GameRecord,
    Notation,
    RecordFault,
    Tags,
    format_record,
    lines_of,
    parse_record,
    read_records,
)
from rules.record.files import MAX_LINE, split_games
from tests.rules.records import plies_of, records


def read(text: str) -> list[GameRecord | RecordFault]:
    """Return all games of a text."""
    return list(read_records(text.split("\n")))


def cities(found: Iterable[GameRecord | RecordFault]) -> list[str | None]:
    """Return the city of each game; that of a fault with a question mark."""
    return [f"{game.tags.city}?" if isinstance(game, RecordFault) else game.tags.city for game in found]


@settings(max_examples=40, deadline=None)
@given(games=st.lists(st.tuples(records(), st.sampled_from(Notation)), max_size=4))
def test_games_written_one_after_the_other_are_read_one_after_the_other(
    games: list[tuple[GameRecord, Notation]],
) -> None:
    """Tags begin a game, a blank line does where there are none, whatever stands in tags and comments."""
    texts = [format_record(*game) for game in games]
    assert read("\n".join(texts)) == [record for record, _ in games]
    assert read("".join(text if text[0] == "[" else f"\n{text}" for text in texts)) == [
        record for record, _ in games
    ]


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("", 0),
        ("\n\n# only a remark\n{and one\n\n more}\n", 0),
        ('[City "a"]\n[Date "b"]\n\n76', 1),
        ('[City "a"]\n\n[Date "b"]\n\n76', 1),
        ('[City "a"]\n\n[City "b"]\n', 2),
        ('[City "a"]\n[City "b"]\n', 1),
        ('[City "a"]\n76\n[City "b"]\n', 2),
        ('[City "a"]\n*\n[City "b"]', 2),
        ("76 98 1-0\n76 66 0-1", 2),
        ("76 98 1 - 0\n76 98 ½ –½\n76 98 1/2— 1/2\n76 98 0 : 1 {last}\n76", 5),
        ("76 98 1-0 {last}\n; still the first\n76 66 0-1", 2),
        ("76 98 1-0\n\n; already the second\n76 66 0-1", 2),
        ("76 98\n\n66", 1),
        ("1. 76 98\n\n1. 76", 2),
        ("1. 76 98\n\n1... 76", 1),
        ("1. 76 98\n\n2. 66", 1),
        ("1. 76 98\n1. 76", 1),
        ('76 {a\n[City "b"]\n}', 1),
        ('76 {a\n\n [City "b"]\n}', 1),
        ('76 {a\n\n[City "b"]\n76', 2),
        ("76 1-0\n\n{behind}\n{all}", 1),
    ],
)
def test_where_a_game_begins(text: str, games: int) -> None:
    """Tags, results, blank lines and first numbers tell, each in its place."""
    assert len(read(text)) == games


def test_a_remark_before_a_game_belongs_to_it() -> None:
    """And one behind the last game to none."""
    found = read('76 1-0\n\n# A\n[City "b"]\n# B\n76 {C} *\n# D\n\n# E')
    assert found[1] == GameRecord(
        tags=Tags(city="b"),
        plies=plies_of([7]),
        comments=(Comment(0, "A"), Comment(0, "B"), Comment(1, "C"), Comment(1, "D")),
    )
    assert len(found) == 2


def test_a_broken_game_is_a_fault_and_the_next_follows() -> None:
    """With its first line, the tags so far and the place in the file."""
    first, second, third, fourth = read(
        '[City "a"]\n76 98\n\n[City "b"]\n[Table "7"]\n[City "c"]\n76\n\n'
        '[City "d"]\n1. 76 77 {x\n\n[City "e"]\n*'
    )
    assert cities([first, second, third, fourth]) == ["a", "b?", "d?", "e"]
    assert isinstance(second, RecordFault)
    assert (second.first_line, second.tags) == (4, Tags(city="b", table="7"))
    assert (second.error.line, second.error.expected) == (6, "each tag once")
    assert isinstance(third, RecordFault)
    assert (third.first_line, third.error.line, third.error.word) == (9, 10, "77")


def test_a_line_without_an_end_is_a_fault_and_the_next_game_follows() -> None:
    """A megabyte of it, also in the middle of tags, and nothing of it is kept."""
    found = read(f'[City "a"]\n[Site "{"x" * 1_000_000}"]\n[Table "1"]\n76\n\n[City "b"]\n*')
    assert cities(found) == ["a?", "b"]
    fault = found[0]
    assert isinstance(fault, RecordFault)
    assert str(fault.error).startswith("line 2, column 1, '[Site ")
    assert str(fault.error).endswith("expected a line of at most 65536 characters")


@pytest.mark.parametrize("between", ["", "\n", "76\n", "76\n\n"])
def test_after_a_line_too_long_among_the_moves_any_tag_begins_a_game(between: str) -> None:
    """Moves stand above it, with a blank line or without."""
    text = f'[City "a"]\n76 {"x" * MAX_LINE}\n{between}[City "b"]\n[Table "1"]\n*'
    assert cities(read(text)) == ["a?", "b"]


def test_a_line_too_long_behind_a_result_does_not_harm_the_game_before() -> None:
    """It belongs to another game, whatever that is."""
    assert cities(read(f'[City "a"]\n76 1-0\n{"x" * MAX_LINE}x\n\n[City "b"]\n*')) == ["a", "None?", "b"]


def test_after_a_long_line_among_tags_other_tags_still_belong_to_the_game() -> None:
    """Moves or a blank line end it."""
    long = f'[City "a"]\n[Site "{"x" * MAX_LINE}"]\n[Table "1"]\n'
    assert cities(read(f'{long}76\n[City "b"]')) == ["a?", "b"]
    assert cities(read(f'{long}\n[City "b"]')) == ["a?", "b"]


def test_a_game_without_an_end_is_a_fault_and_the_next_game_follows() -> None:
    """Ten million words of it cost no memory: the lines are asked for and let go."""
    held: list[int] = []
    words = chain(['[City "a"]'], repeat("66 " * 1000, 10_000), ["", '[City "b"]', "*"])
    found = list(read_records(words))
    assert cities(found) == ["a?", "b"]
    assert isinstance(found[0], RecordFault)
    assert found[0].error.expected == "a game of at most 1000000 characters"
    assert found[0].error.line == 335
    games = split_games(chain(repeat("66 " * 1000, 10_000)))
    held = [sum(map(len, game.lines)) for game in games]
    assert len(held) == 1
    assert held[0] <= 1_000_000


def test_a_comment_without_an_end_does_not_swallow_the_games_behind_it() -> None:
    """A blank line and a tag end it."""
    assert cities(read('[City "a"]\n76 {open\n[City "x"]\n\n[City "b"]\n76 {shut}\n')) == ["a?", "b"]


def test_no_line_is_read_before_it_is_needed() -> None:
    """A game comes out as soon as the next begins, of however many."""

    def endless() -> Iterator[str]:
        for number in count(1):
            yield f'[City "{number}"]'
            yield "76 98 1-0\n"

    games = read_records(endless())
    assert cities([next(games), next(games)]) == ["1", "2"]


def test_lines_come_with_or_without_their_ends() -> None:
    """As a file gives them, or a text that was split."""
    text = '\ufeff[City "a"]\r\n76\r\n*\r\n'
    assert list(read_records(text.splitlines(keepends=True))) == [parse_record(text)]


@given(chunks=st.lists(st.text("ab\n", max_size=5)))
def test_pieces_of_any_length_are_put_together_to_lines(chunks: list[str]) -> None:
    """None is lost, and no empty one appears at the end."""
    text = "".join(chunks)
    lines = text.split("\n")
    assert list(lines_of(chunks)) == (lines if lines[-1] else lines[:-1])


def test_a_line_too_long_is_cut_where_it_becomes_so() -> None:
    """So that whoever reads can tell, and nobody holds it."""
    chunks = chain(["a\n"], repeat("x" * 1000, 1000), ["\nb"])
    assert [len(line) for line in lines_of(chunks)] == [1, MAX_LINE + 1, 1]
    assert cities(read_records(lines_of(repeat("x" * 1000, 1000)))) == ["None?"]
