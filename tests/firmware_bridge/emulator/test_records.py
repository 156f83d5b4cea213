"""Game records as text: what is read, and how a bad one is refused."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.emulator.records import Record, RecordError, bundled_record, load_record, parse_record
from rules.notation.moves import format_short, format_two_digit
from rules.position import outcome
from rules.record.text import format_record
from tests.firmware_bridge.emulator.random_games import random_sowings
from tests.rules.records import ruled_record


def test_the_game_of_2009_has_sixty_plies_and_two_tuzdyks() -> None:
    """The bundled record is the restored game up to move 30."""
    record = bundled_record("2009")
    last = record.sowings[-1].after
    assert len(record.sowings) == 60
    assert last.tuzdyks == (4, 7)
    assert sum(last.pits) + sum(last.kazans) == 162
    assert not record.finished


def test_a_game_that_cannot_be_played_with_legal_moves_is_refused() -> None:
    """The hands sow, they set no positions."""
    with pytest.raises(RecordError, match="x: an arbiter placed stones in it; the hands play legal"):
        parse_record(format_record(ruled_record()), "x")


def test_an_unknown_bundled_record_is_refused() -> None:
    """The message lists those that exist."""
    with pytest.raises(RecordError, match="no bundled record '1999'; there are: 2009"):
        bundled_record("1999")


def test_everything_around_the_moves_is_understood() -> None:
    """Tags, numbers, totals, judgement, draw offers, comments, results and both notations."""
    text = """[Bastaushy "А. Ақылбек"]
[Qostaushy "B. Name"]
1. 7:6(10)! 98?! # a comment 99
2.6-6 (10)= 1/2-1/2
"""
    record = parse_record(text, "x")
    assert record.names == ("А. Ақылбек", "B. Name")
    assert [sowing.number for sowing in record.sowings] == [7, 9, 6]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. 76 98\n2. zz", "x, line 2, column 4, 'zz': expected a move"),
        ("1. 76\n\n1", "x, line 3, column 1, '1': expected a move"),
        ("76 77", "x, line 1, column 4, '77': .* qostaushy can play: .*the text says 77, but it makes 76"),
        ("7-6", "x, line 1, column 1, '7-6': .* bastaushy can play: .*the text says 7-6, but it makes 7:6"),
        ("76(11)", r"x, line 1, column 3, '\(11\)': .* it holds 10"),
        ("(10) 76", r"x, line 1, column 1, '\(10\)': expected a move before it"),
        ('[Bastaushy "A"]', "x: no moves"),
        ("# nothing", "x, line 1, column 1, '': expected a game"),
        ("", "x, line 1, column 1, '': expected a game"),
        (
            '[FEN "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 N 1"]\n98',
            "x: begins with a position",
        ),
    ],
)
def test_a_bad_word_is_named_with_its_line(text: str, message: str) -> None:
    """The message says where, what and whose turn it was."""
    with pytest.raises(RecordError, match=message):
        parse_record(text, "x")


def test_files_that_are_no_records_are_refused(tmp_path: Path) -> None:
    """Missing, binary or endless: each a sentence with the path."""
    with pytest.raises(RecordError, match=r"none\.txt: No such file"):
        load_record(tmp_path / "none.txt")
    binary = tmp_path / "binary.txt"
    binary.write_bytes(b"76 \xff\xfe")
    with pytest.raises(RecordError, match=r"binary\.txt: no UTF-8 text at byte 3"):
        load_record(binary)
    binary.write_bytes(b" " * 1_000_001)
    with pytest.raises(RecordError, match="longer than 1000000 bytes"):
        load_record(binary)


def test_a_record_from_a_file_names_its_file(tmp_path: Path) -> None:
    """Messages about it can be traced."""
    path = tmp_path / "game.txt"
    path.write_text("76 98", encoding="utf-8")
    assert load_record(path).source == "game.txt"


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_games_end_and_read_back_in_both_notations(seed: int) -> None:
    """What is written of a random game is read as the same game."""
    sowings = tuple(random_sowings(seed))
    assert outcome(sowings[-1].after) is not None
    for format_move in (format_short, format_two_digit):
        text = " ".join(format_move(sowing) for sowing in sowings)
        assert parse_record(text, "r") == Record(("", ""), sowings, "r")


def test_a_pipe_in_its_place_is_refused_at_once(tmp_path: Path) -> None:
    """Reading it would wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RecordError, match="pipe: is a pipe; name a file"):
        load_record(tmp_path / "pipe")
