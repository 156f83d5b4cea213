"""What a game record must be."""

from dataclasses import replace
from typing import Any

import pytest

from rules import (
    START,
    Comment,
    Contradiction,
    GameRecord,
    MoveText,
    Position,
    RecordFormatError,
    RecordPly,
    Ruling,
    Side,
    Tags,
    check_record,
    contradiction,
    play,
)
from tests.rules.records import finished_record, plies_of

PLIES = plies_of([7, 9])
WON = Position((1,) + (0,) * 17, (79, 82), (None, None), Side.BASTAUSHY)
SWEPT = Position((0,) * 17 + (8,), (80, 74), (None, None), Side.BASTAUSHY)
"""Bastaushy has no stones; with the last eight qostaushy has 82."""


def ply(**changes: Any) -> RecordPly:
    """Return the first ply with its move changed."""
    return RecordPly(replace(PLIES[0].move, **changes))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (
            GameRecord(tags=Tags(city="a\nb")),
            r"tags.city: expected no control character, such as .* 2, got '\\n'",
        ),
        (GameRecord(tags=Tags(city="\u2028")), "tags.city: expected no control character"),
        (GameRecord(tags=Tags(city="a" * 501)), "tags.city: expected a text of at most 500 characters"),
        (GameRecord(tags=Tags(other=(("a b", ""),))), r"tags.other\[0\]\[0\]: expected a name of 1 to 40"),
        (GameRecord(tags=Tags(other=(("a" * 41, ""),))), r"tags.other\[0\]\[0\]: expected a name of 1 to 40"),
        (GameRecord(tags=Tags(other=(("1", ""),))), r"tags.other\[0\]\[0\]: expected a name of 1 to 40"),
        (
            GameRecord(tags=Tags(other=(("EVENT", ""),))),
            r"tags.other\[0\]\[0\]: expected a name that no other",
        ),
        (GameRecord(tags=Tags(other=(("fen", ""),))), r"tags.other\[0\]\[0\]: expected a name that no other"),
        (
            GameRecord(tags=Tags(other=(("A", ""), ("A", "")))),
            r"tags.other\[1\]\[0\]: expected a name that no",
        ),
        (GameRecord(tags=Tags(other=(("A", "\0"),))), r"tags.other\[0\]\[1\]: expected no control character"),
        (
            GameRecord(tags=Tags(other=tuple((f"A{n}", "") for n in range(1001)))),
            "tags.other: expected at most 1000, got a list of 1001 items",
        ),
        (GameRecord(recorder="\x7f"), "recorder: expected no control character"),
        (GameRecord(start_number=0), "start_number: expected an integer from 1 to 5000, got 0"),
        (GameRecord(start_number=5001), "start_number: expected an integer from 1 to 5000, got 5001"),
        (GameRecord(start=replace(START, kazans=(1, 0))), "start, position: expected a possible one"),
        (GameRecord(plies=(PLIES[1],)), r"plies\[0\].move: expected a move from the position before it"),
        (
            GameRecord(plies=PLIES, start=WON),
            r"plies\[0\].move: expected a legal move \(the game is over\), got 7",
        ),
        (
            GameRecord(plies=(ply(judgement="!!!"),)),
            r"plies\[0\].move.judgement: expected a mark of judgement",
        ),
        (GameRecord(plies=(ply(kazan=10),)), r"plies\[0\].move.kazan: expected None: the kazan follows"),
        (
            GameRecord(plies=(replace(PLIES[0], clock_ms=(-1, 0)),)),
            r"plies\[0\].clock_ms\[0\]: expected an int",
        ),
        (GameRecord(plies=PLIES * 2501), "plies: expected at most 5000, got a list of 5002 items"),
        (GameRecord(remaining_ms=(None, None)), "remaining_ms: expected None where neither dial is known"),
        (
            GameRecord(remaining_ms=(None, 2**32)),
            r"remaining_ms\[1\]: expected an integer from 0 to 4294967295",
        ),
        (
            GameRecord(rulings=(Ruling(1, "flag"),)),
            r"rulings\[0\].ply: expected an integer from 0 to 0, got 1",
        ),
        (
            GameRecord(plies=PLIES, rulings=(Ruling(1, "flag"), Ruling(0, "flag"))),
            r"rulings\[1\].ply: expected an integer from 1 to 2, got 0",
        ),
        (GameRecord(rulings=(Ruling(0, "Flag"),)), r"rulings\[0\].kind: expected a code of 1 to 40 small"),
        (GameRecord(rulings=(Ruling(0, "flag", None, " a"),)), r"rulings\[0\].text: expected a text without"),
        (GameRecord(rulings=(Ruling(0, "flag", None, "a\n"),)), r"rulings\[0\].text: expected no control"),
        (GameRecord(rulings=(Ruling(0, "flag"),) * 5001), "rulings: expected at most 5000"),
        (
            GameRecord(comments=(Comment(0, ""),)),
            r"comments\[0\].text: expected a text .* it, not empty, got ''",
        ),
        (GameRecord(comments=(Comment(0, "\na"),)), r"comments\[0\].text: expected a text without blanks"),
        (GameRecord(comments=(Comment(0, "a\rb"),)), r"comments\[0\].text: expected no control character"),
        (
            GameRecord(comments=(Comment(0, "a" * 4001),)),
            r"comments\[0\].text: expected a text of at most 4000",
        ),
        (GameRecord(reason=""), "reason: expected a text without blanks around it, not empty, got ''"),
        (
            GameRecord(result="1-0", reason="agreement"),
            "result: expected 1/2-1/2, since the reason is agreement",
        ),
    ],
)
def test_what_cannot_be_is_named(record: GameRecord, message: str) -> None:
    """With its place and what was expected there."""
    with pytest.raises(RecordFormatError, match=message):
        check_record(record)


def test_a_move_that_is_not_the_one_it_says_is_refused() -> None:
    """A sowing made by hand could bank stones that never were there."""
    forged = replace(play(START, 7), captured=12)
    with pytest.raises(RecordFormatError, match=r"plies\[0\].move: expected a move from the position"):
        check_record(GameRecord(plies=(RecordPly(MoveText(forged)),)))


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (
            GameRecord(start=WON, result="1-0"),
            ("result", "1-0", "0-1, since the stones ended the game 79:82"),
        ),
        (
            GameRecord(start=SWEPT, result="1-0"),
            ("result", "1-0", "0-1, since the stones ended the game 80:82"),
        ),
        (
            GameRecord(start=WON, result="1/2-1/2", reason="eighty_two"),
            ("result", "1/2-1/2", "0-1, since the stones ended the game 79:82"),
        ),
        (
            GameRecord(start=WON, result="0-1", reason="atsyrau"),
            ("reason", "atsyrau", "another reason, since the stones ended it by eighty_two"),
        ),
        (
            GameRecord(plies=PLIES, reason="eighty_two"),
            ("reason", "eighty_two", "another reason, since the stones did not end the game"),
        ),
        (
            GameRecord(result="1/2-1/2", reason="resignation"),
            ("result", "1/2-1/2", "1-0 or 0-1, since the reason is resignation"),
        ),
    ],
)
def test_stones_result_and_reason_must_agree(record: GameRecord, expected: Contradiction) -> None:
    """The contradiction says what it would have to be, and why."""
    assert contradiction(record) == expected


@pytest.mark.parametrize(
    "record",
    [
        GameRecord(start=WON, result="0-1"),
        GameRecord(start=WON, result="0-1", reason="eighty_two"),
        GameRecord(start=WON, reason="eighty_two"),
        GameRecord(start=WON),
        GameRecord(start=WON, result="1-0", reason="arbiter"),
        GameRecord(start=WON, result="1-0", reason="his telephone rang"),
        GameRecord(start=SWEPT, result="0-1", reason="atsyrau"),
        GameRecord(plies=PLIES, result="1/2-1/2", reason="flag"),
        GameRecord(plies=PLIES, result="1-0"),
        GameRecord(reason="agreement"),
        GameRecord(signed=(True, True)),
    ],
)
def test_what_an_arbiter_decides_contradicts_no_stones(record: GameRecord) -> None:
    """A game may be resigned, forfeited or lost on time in any position, and much may be left out."""
    assert contradiction(record) is None
    check_record(record)


def test_the_longest_game_has_room() -> None:
    """Random games end long before the limit."""
    for seed in range(3):
        check_record(finished_record(seed))
