"""Records in which an illegal sowing stands or a position was set."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rules import (
    START,
    GameRecord,
    MoveText,
    Notation,
    NotationError,
    RecordError,
    RecordFormatError,
    RecordPly,
    RulesError,
    Ruling,
    Stood,
    check_record,
    format_fen,
    format_record,
    format_record_json,
    parse_move,
    parse_moves,
    parse_record,
    parse_record_json,
    parse_short,
    play,
    record_from_json,
    record_to_json,
)
from rules.notation.parts import LONGEST, stood_taken_apart
from rules.record.model import Stop
from rules.sheets.text import read_sheet
from tests.rules.records import LEFT, SET, B, Q, ruled_record

RECORD = ruled_record()
GOLDEN = Path(__file__).with_name("golden")


def changed(place: int, **changes: Any) -> GameRecord:
    """Return the record with one of its rulings changed."""
    rulings = list(RECORD.rulings)
    rulings[place] = replace(rulings[place], **changes)
    return replace(RECORD, rulings=tuple(rulings))


def test_it_is_written_as_ever() -> None:
    """As text and as JSON; files that are out there stay readable."""
    text = (GOLDEN / "record_ruled.txt").read_text("utf-8")
    assert (format_record(RECORD), parse_record(text)) == (text, RECORD)
    json = (GOLDEN / "record_ruled.json").read_text("utf-8").removesuffix("\n")
    assert (format_record_json(RECORD), parse_record_json(json)) == (json, RECORD)


@pytest.mark.parametrize("notation", Notation)
def test_the_sowing_that_stands_is_the_same_in_every_notation(notation: Notation) -> None:
    """There is nothing of it to be written otherwise."""
    text = format_record(RECORD, notation, kazans=True)
    assert " 7/?= {" in text
    assert parse_record(text) == RECORD


def test_later_moves_go_on_from_the_position_of_the_ruling() -> None:
    """And the score sheet counts on; where the same player moves again a place stays empty."""
    assert [stop.after for stop in RECORD.course()][:4] == [START, play(START, 7).after, LEFT, SET]
    assert RECORD.stop(3) == Stop(5, play(LEFT, 5).after, SET)
    assert [RECORD.full_number(ply) for ply in range(1, 7)] == [1, 1, 2, 3, 3, 4]
    assert [ply.side for ply in RECORD.plies] == [B, Q, B, B, Q]
    assert RECORD.position == replace(play(SET, 6).after, to_move=B)
    assert [sowing.number for sowing in RECORD.sowings] == [7, 5, 6]
    assert not RECORD.follows_from_moves


def test_a_position_may_be_set_before_the_first_move() -> None:
    """Also with the other player to move."""
    position = replace(LEFT, to_move=Q)
    ruling = Ruling(0, "position_set", None, format_fen(position, 1))
    record = GameRecord(rulings=(ruling,), plies=(RecordPly(MoveText(play(position, 1))),))
    assert "\n1... 1" in format_record(record)
    assert parse_record(format_record(record)) == record
    assert parse_record_json(format_record_json(record)) == record


def test_the_last_of_several_positions_holds() -> None:
    """An arbiter may correct himself."""
    first, last = (Ruling(0, "position_set", None, format_fen(it, 1)) for it in (SET, LEFT))
    record = GameRecord(rulings=(first, last), plies=(RecordPly(MoveText(play(LEFT, 1))),))
    assert parse_record(format_record(record)) == record
    assert parse_record_json(format_record_json(record)) == record


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (
            replace(RECORD, rulings=RECORD.rulings[2:]),
            r"plies\[1\].move: expected the ruling illegal_stands behind it",
        ),
        (changed(1, text=""), r"rulings\[1\].text: expected a position as PlayStrategy writes it"),
        (changed(1, text="Сәуле"), r"rulings\[1\].text: expected a position as PlayStrategy writes it"),
        (changed(3, kind="illegal_stands"), r"rulings\[3\].kind: expected a sowing that stands, such as 7/"),
        (
            changed(2, kind="illegal_stands", text=RECORD.rulings[1].text),
            r"rulings\[2\].kind: expected a sowi",
        ),
        (
            changed(0, kind="position_set", text=format_fen(LEFT, 2)),
            r"rulings\[1\].kind: expected a sowing that stands, such as 7/, directly before it",
        ),
        (changed(3, text=format_fen(SET, 2)), r"rulings\[3\].text: expected a position with the number 3 at"),
        (changed(4, text=format_fen(RECORD.position, 3)), r"rulings\[4\].text: expected .* the number 4 at"),
        (
            changed(4, text=format_fen(replace(RECORD.position, to_move=Q), 4)),
            r"rulings\[4\].text: expected a position in which the other player is to move",
        ),
        (
            replace(RECORD, plies=(*RECORD.plies[:4], RecordPly(Stood(B, None)))),
            r"plies\[4\].move: expected a sowing of qostaushy",
        ),
        (
            replace(RECORD, plies=(*RECORD.plies[:4], RecordPly(Stood(Q, 10)))),
            r"plies\[4\].move.number: expected an integer from 1 to 9, got 10",
        ),
        (
            replace(
                RECORD, plies=(*RECORD.plies[:2], RecordPly(MoveText(play(START, 1))), *RECORD.plies[3:])
            ),
            r"plies\[2\].move: expected a move from the position before it",
        ),
        (
            changed(4, ply=6),
            r"rulings\[4\].kind: expected a sowing that stands",
        ),
    ],
)
def test_what_cannot_be_is_named(record: GameRecord, message: str) -> None:
    """Rulings that place stones have to fit to the moves around them."""
    with pytest.raises(RecordFormatError, match=message):
        check_record(record)


STANDS = f"{{%ruling illegal_stands qostaushy: {format_fen(LEFT, 2)}}}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. 7:6 7/", r"line 1, column 8, .*: expected a legal move, or the ruling illegal_stands behind it"),
        (
            "1. 7:6 7/ 2. 5-5",
            r"line 1, column 8, .*: expected a legal move, or the ruling illegal",
        ),
        ("1. 7:6 7/ {%diagram\n1\n1\n1\n1}", r"line 1, column 8, .*: expected a legal move, or the ruling"),
        (
            f"1. 7:6 7/ {{%ruling position_set: {format_fen(LEFT, 2)}}}",
            r"column 8, .*: expected a legal move, or",
        ),
        (f"1. 7:6(10) 7/(2) {STANDS}", r"column 12, .*: expected no kazan behind a sowing that stands"),
        (
            f"1. 7:6 7/!? ?? {STANDS}",
            r"column 8, .*: expected a sowing such as 7/ or /, then",
        ),
        (
            "1. 7:6 7/ {%ruling illegal_stands: 1}",
            r"expected %ruling illegal_stands and a position as PlaySt",
        ),
        (
            f"1. 7:6 {STANDS}",
            r"line 1, column 8, .*: expected a sowing that stands, such as 7/, dir",
        ),
        (f"1. 7:6 7/ {STANDS} 3. 5-5", r"expected the move 2\. before it"),
        ("1. 7:6 7//", "expected a move"),
        ("1. 7:6 0/", "expected a move"),
        ("1. 7:6 7/6", "expected a move"),
    ],
)
def test_a_text_that_cannot_be_is_refused_where_it_stands(text: str, message: str) -> None:
    """Never is a `7/` skipped or taken for the legal move of that pit."""
    with pytest.raises(RecordError, match=message):
        parse_record(text)


def test_form_1_has_no_place_for_them() -> None:
    """Whoever reads form 1 plays one move after the other, and would go wrong."""
    data = record_to_json(RECORD)
    assert data["format"] == 2
    with pytest.raises(
        RecordFormatError, match=r"record.format: expected 2, since rulings place stones, got 1"
    ):
        record_from_json({**data, "format": 1})
    assert record_to_json(GameRecord())["format"] == 1
    assert record_from_json({**record_to_json(GameRecord()), "format": 2}) == GameRecord()


def test_a_position_that_is_none_is_named_in_json_too() -> None:
    """The moves behind it cannot be read, so it comes first only where they can."""
    data: Any = record_to_json(replace(RECORD, plies=RECORD.plies[:2], rulings=RECORD.rulings[:3]))
    data["rulings"][1]["text"] = "Сәуле"
    with pytest.raises(RecordFormatError, match=r"record.rulings\[1\].text: expected a position as PlayStr"):
        record_from_json(data)


@pytest.mark.parametrize("text", ["7/", "/", "7/!"])
def test_nobody_but_a_record_reads_it(text: str) -> None:
    """No notation, no list of moves, no sheet: what an arbiter enters is a legal move."""
    for read in (parse_short, parse_move):
        with pytest.raises(NotationError):
            read(text, START)
    for reader in (parse_moves, read_sheet):
        with pytest.raises(RulesError, match=r"column 4, .*expected a move"):
            reader(f"1. {text}")


def test_what_stands_behind_it_is_taken_apart_like_that_behind_a_move() -> None:
    """With the same bound."""
    assert stood_taken_apart("7/ !? (=)").judgement == "?!"
    assert stood_taken_apart("/=").draw_offered
    for text in ("", "7", "7/" + "=" * LONGEST):
        with pytest.raises(NotationError, match="a sowing such as 7/ or /"):
            stood_taken_apart(text)
