"""Records of games that people have played."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from rules import (
    Comment,
    GameRecord,
    MoveText,
    Notation,
    RecordPly,
    Result,
    Ruling,
    Side,
    Tags,
    format_record,
    format_record_json,
    parse_record,
    parse_record_json,
    parse_two_digit,
    read_records,
)
from rules.position import START
from tests.rules.records import plies_of
from tests.rules.shared import shared_lines

GOLDEN = Path(__file__).parent / "golden"

NUMBERS_2009 = [
    *(3, 9, 7, 4, 6, 5, 2, 6, 6, 8, 9, 9, 5, 8, 9, 9, 3, 7, 6, 8),
    *(5, 8, 2, 9, 1, 7, 5, 6, 4, 5, 6, 8, 3, 7, 2, 6, 4, 7, 3, 8),
    *(5, 6, 4, 5, 6, 3, 1, 2, 5, 8, 4, 7, 5, 6, 4, 8, 3, 8, 3, 7),
]
"""The pits of the first thirty moves of 2009."""


def timed(numbers: list[int]) -> Iterator[RecordPly]:
    """Yield the plies of 2009 with clocks that are made up: an hour each, a minute or so for a move."""
    dials = [3_600_000, 3_600_000]
    for place, ply in enumerate(plies_of(numbers)):
        dials[place % 2] -= 40_000 + 1_250 * (place * 7 % 60)
        yield RecordPly(ply.move, (dials[0], dials[1]))


def judged(plies: tuple[RecordPly, ...]) -> tuple[RecordPly, ...]:
    """Return the plies with what a commentator and the players could have marked."""
    marked = {
        5: replace(plies[5].move, judgement="!"),
        44: replace(plies[44].move, judgement="?!", draw_offered=True),
    }
    return tuple(RecordPly(marked.get(n, ply.move), ply.clock_ms) for n, ply in enumerate(plies))


RECORD_2009 = GameRecord(
    tags=Tags(
        event="Қазақстан чемпионаты",
        event_dates="2009-03-02/2009-03-12",
        level="Республикалық",
        dedication="Наурыз мейрамына",
        round="5",
        table="3",
        board="board-3",
        city="Павлодар",
        country="Қазақстан",
        date="2009-03-06",
        bastaushy="Қалам Бастаушыұлы",
        qostaushy="Қағаз Қостаушықызы",
        bastaushy_team='"Алатау" клубы',
        qostaushy_team="Павлодар облысы",
        time_control="1h",
        arbiter="С. Төреші",
        other=(("Annotator", "Т. Талдаушы"), ("Source", r"000\2009")),
    ),
    plies=judged(tuple(timed(NUMBERS_2009))),
    rulings=(
        Ruling(0, "time_adjusted", Side.QOSTAUSHY, "-5m: late"),
        Ruling(13, "warning", Side.BASTAUSHY, "moved a stone without «түзеймін»"),
        Ruling(40, "suspended", None, "the clock {no. 7} was replaced"),
        Ruling(40, "resumed", Side.BASTAUSHY),
        Ruling(59, "move_by_arbiter", Side.BASTAUSHY),
        Ruling(60, "touch_move", Side.BASTAUSHY, "pit 9 was touched"),
        Ruling(60, "flag", Side.BASTAUSHY),
    ),
    comments=(
        Comment(0, "Clocks, rulings and result of this record are made up;\nthe moves are those of 2009."),
        Comment(6, "Both have a tuzdyk soon: 7х, 4х."),
        Comment(60, "Here the printed sheet has a gap."),
    ),
    result="0-1",
    reason="flag",
    remaining_ms=(0, 1_234_567),
    recorder="С. Төреші",
    signed=(False, True),
)
"""The game of 2009 with clocks, rulings and an end that are made up."""


def test_the_golden_text_reads_and_writes_as_it_always_did() -> None:
    """What was written years ago must be read for ever; other bytes would be another form."""
    text = (GOLDEN / "record_2009.txt").read_text(encoding="utf-8")
    assert parse_record(text) == RECORD_2009
    assert format_record(RECORD_2009, kazans=True) == text


@pytest.mark.parametrize("notation", Notation)
def test_the_golden_record_is_the_same_in_every_notation(notation: Notation) -> None:
    """With all that is noted between the moves."""
    text = format_record(RECORD_2009, notation)
    assert parse_record(text) == RECORD_2009
    assert format_record(parse_record(text), notation) == text


def test_the_golden_json_reads_and_writes_as_it_always_did() -> None:
    """Byte by byte."""
    text = (GOLDEN / "record_2009.json").read_text(encoding="utf-8")
    assert parse_record_json(text) == RECORD_2009
    assert format_record_json(RECORD_2009) == text


def real_records() -> list[GameRecord]:
    """Return the games of tournaments as records."""
    found = []
    for game in shared_lines("tournament_games.jsonl"):
        position = START
        plies = []
        for token in game["tokens"]:
            sowing = parse_two_digit(token, position)
            plies.append(RecordPly(MoveText(sowing)))
            position = sowing.after
        result = cast(
            "Result | None", game["result"] if game["result"] in ("1-0", "0-1", "1/2-1/2") else None
        )
        reason = None if result is None else "arbiter"
        tags = Tags(date=str(game["year"]), other=(("Game", str(game["game"])),))
        found.append(GameRecord(tags=tags, plies=tuple(plies), result=result, reason=reason))
    return found


def test_every_game_of_the_tournaments_becomes_a_record_and_comes_back() -> None:
    """As JSON and as text, the notations taking turns."""
    records = real_records()
    assert len(records) == 552
    notations = [*Notation] * len(records)
    text = "\n".join(map(format_record, records, notations))
    assert list(read_records(text.splitlines())) == records
    for record in records:
        assert parse_record_json(format_record_json(record)) == record


@pytest.mark.bench
@pytest.mark.parametrize("notation", Notation)
def test_all_games_of_the_tournaments_come_back_from_every_notation(notation: Notation) -> None:
    """Byte by byte the same again."""
    records = real_records()
    text = "\n".join(format_record(record, notation) for record in records)
    found = list(read_records(text.splitlines()))
    assert found == records
    assert "\n".join(format_record(record, notation) for record in records) == text


def test_the_archive_s_own_tokens_are_read_as_they_stand() -> None:
    """Two digits without numbers, a Cyrillic x where one was typed."""
    games = shared_lines("tournament_games.jsonl")
    text = "\n\n".join(f'[Game "{game["game"]}"]\n{" ".join(game["tokens"])}' for game in games)
    found = list(read_records(text.split("\n")))
    assert [record.tags.other[0][1] for record in found] == [str(game["game"]) for game in games]
    assert all(isinstance(record, GameRecord) for record in found)
