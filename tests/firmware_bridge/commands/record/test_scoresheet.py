"""An arbiter's sheet: what ended the game, and texts that need more than a line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from firmware_bridge.commands.record.drawing import plain
from firmware_bridge.commands.record.scoresheet import (
    Look,
    board_lines,
    clock_said,
    labels_of,
    ply_lines,
    result_said,
    sheet_lines,
    way_told,
    wrap,
)
from firmware_bridge.language import texts
from rules.notation.forms import Notation
from rules.notation.moves import MoveText
from rules.notation.positions import format_fen
from rules.position import START, Position, Side, play
from rules.record.model import TAG_NAMES, Comment, GameRecord, RecordPly, Ruling, Tags
from rules.record.text import parse_record
from tests.firmware_bridge.commands.record.games import GAME_2009, NOTED
from tests.rules.endings.games import generated_games
from tests.rules.records import ruled_record

ENGLISH = texts("en")


def record_of(moves: tuple[int, ...]) -> GameRecord:
    """Return the record of the pits played."""
    plies, position = [], START
    for number in moves:
        sowing = play(position, number)
        plies.append(RecordPly(MoveText(sowing)))
        position = sowing.after
    return GameRecord(plies=tuple(plies))


@pytest.mark.parametrize(
    ("category", "end"),
    [
        ("82-bastaushy", "1-0 – Bastaushy wins (82 stones)"),
        ("walked-qostaushy", "0-1 – Qostaushy wins (Atsyrau)"),
        ("draw-sweep", "1/2-1/2 – Draw (Atsyrau)"),
    ],
)
def test_a_game_that_the_stones_ended_says_so(category: str, end: str) -> None:
    """With the kazans after the sweep, though no record holds either."""
    game = next(game for game in generated_games() if game.category == category)
    record = record_of(game.moves)
    assert result_said(record, ENGLISH) == end
    assert f"{game.kazans[0]} : {game.kazans[1]}" in plain(tuple(sheet_lines(record, ENGLISH, Look())))


@pytest.mark.parametrize(
    ("result", "reason", "said"),
    [
        (None, None, "none is written down; Bastaushy to move"),
        ("0-1", None, "0-1 – Qostaushy wins"),
        ("1-0", "left the hall", "1-0 – Bastaushy wins (left the hall)"),
        ("1-0", "forfeit", "1-0 – Bastaushy wins (Forfeit)"),
    ],
)
def test_other_ends_are_told_as_they_are_written(result: None, reason: str | None, said: str) -> None:
    """In words where they are known."""
    assert result_said(GameRecord(result=result, reason=reason), ENGLISH) == said


def test_every_game_of_the_endings_fits_on_the_narrowest_screen() -> None:
    """In the notation with the longest moves."""
    for game in generated_games()[::60]:
        for notation in Notation:
            look = Look(width=60, notation=notation, pit_names=True)
            lines = plain(tuple(sheet_lines(record_of(game.moves), texts("kk"), look))).splitlines()
            assert max(map(cell_len, lines)) <= 60


def test_long_names_and_remarks_take_several_lines() -> None:
    """None wider than the screen, with nothing left out."""
    name = " ".join(f"аты{number}" for number in range(40))
    record = replace(
        parse_record(NOTED),
        tags=Tags(event=name, other=(("Ұзақ" * 9, "日本" * 40),)),
        comments=(Comment(0, name),),
    )
    text = plain(tuple(sheet_lines(record, texts("kk"), Look(width=60))))
    assert max(map(cell_len, text.splitlines())) <= 60
    assert text.count("аты39") == 2
    assert "".join(text.split()).count("日本") == 40


@pytest.mark.parametrize(
    ("ruling", "said"),
    [
        (Ruling(0, "time_adjusted", Side.BASTAUSHY, "+1m: arbiter"), "(Бастаушы): +1m: Решение судьи"),
        (Ruling(0, "clock_set", None, "0:05:00 0:06:00, 5m: arbiter"), "0:06:00, 5m: Решение судьи"),
        (Ruling(0, "suspended", None, "arbiter"), "Партия приостановлена: Решение судьи"),
        (Ruling(0, "suspended", None, "presses_lost"), "Партия приостановлена: Нажатия часов потеряны"),
        (Ruling(0, "time_adjusted", Side.BASTAUSHY, "+1m: 2.4.8"), "(Бастаушы): +1m: 2.4.8"),
        (Ruling(0, "warning", None, "noise: the arbiter"), ": noise: the arbiter"),
        (
            Ruling(0, "infraction_closed", None, "dismissed: Сәуле: arbiter"),
            "нарушения нет: Сәуле: Решение судьи",
        ),
        (
            Ruling(0, "infraction", Side.BASTAUSHY, "capture_not_taken"),
            "(Бастаушы): Выигранные кумалаки не взяты",
        ),
        (Ruling(0, "flag_called", Side.BASTAUSHY, "qostaushy"), "флажка (Бастаушы): Костаушы"),
        (Ruling(0, "call_answered", None, "groundless: qostaushy: x"), "вызван без причины: Костаушы: x"),
    ],
)
def test_a_code_for_a_reason_is_told_in_the_language(ruling: Ruling, said: str) -> None:
    """What an arbiter did not give a reason for has a code; what people wrote stays as it is."""
    ruled = replace(record_of((7,)), rulings=(ruling,))
    text = plain(tuple(sheet_lines(ruled, texts("ru"), Look())))
    assert f"{said}\n" in text
    begun = plain(tuple(sheet_lines(GameRecord(rulings=(ruling,)), texts("ru"), Look())))
    assert f"{said}\n" in begun, "though no move was played"


def test_requirement_7_the_sheet_has_its_head_its_diagrams_and_its_end() -> None:
    """1.6.4 and `000`: every tag that is known, the board after each tenth move, and what was signed."""
    said: dict[str, Any] = {field: f"<{field}>" for field in TAG_NAMES}
    tags = Tags(**said)
    moves = next(game.moves for game in generated_games() if len(game.moves) >= 40)[:40]
    record = replace(
        record_of(moves),
        tags=tags,
        result="1-0",
        reason="resignation",
        recorder="<recorder>",
        remaining_ms=(61_000, 3_600_000),
        signed=(True, True),
    )
    text = plain(tuple(sheet_lines(record, ENGLISH, Look(width=100))))
    missing = [value for _, value in (*tags.known(), ("", "<recorder>")) if value not in text]
    assert missing == []
    for ply in (20, 40):
        board = plain(
            board_lines(record.stop(ply).after, labels_of(record, ENGLISH, pit_names=False), Look(width=100))
        )
        assert board in text
    for row in ("1-0 – Bastaushy wins (Resignation)", "0:01:01 – 1:00:00", "Bastaushy, Qostaushy"):
        assert row in text


def test_a_game_that_begins_with_qostaushy_leaves_bastaushys_place_empty() -> None:
    """Dots stand there."""
    position = replace(START, to_move=Side.QOSTAUSHY)
    plies = (RecordPly(MoveText(play(position, 7))),)
    text = plain(tuple(sheet_lines(GameRecord(start=position, plies=plies), ENGLISH, Look())))
    assert "    1. ...              7:6" in text


def test_a_position_set_before_the_first_move_is_drawn_there() -> None:
    """And on its own where no move was played."""
    position = replace(START, to_move=Side.QOSTAUSHY)
    ruling = Ruling(0, "position_set", None, f"{format_fen(position, 1)}: Сәуле")
    plies = (RecordPly(MoveText(play(position, 7))),)
    text = plain(tuple(sheet_lines(GameRecord(rulings=(ruling,), plies=plies), ENGLISH, Look())))
    assert "Position set by the arbiter: Сәуле\n" in text
    assert "    1. ...              7:6" in text
    board = plain(tuple(ply_lines(GameRecord(rulings=(ruling,)), 0, ENGLISH, Look())))
    assert "Qostaushy                                                to move" in board


def test_a_board_that_was_set_has_no_way_of_a_move() -> None:
    """What lies there was not sown."""
    ruled = ruled_record()
    moved, placed = (plain(tuple(ply_lines(ruled, ply, ENGLISH, Look()))) for ply in (1, 3))
    assert "○" in moved
    assert "○" not in placed
    assert "2. 5-5: " in placed
    assert "Position set by the arbiter: Сәуле: the board fell" in placed


def test_a_move_is_told_stone_by_stone() -> None:
    """Also one that wins nothing, and one that stays on its own side."""
    assert way_told(play(START, 7), ENGLISH) == (
        "Bastaushy lifts 9 stones from pit 7, the last stone falls into pit 6 of Qostaushy, "
        "10 stones are taken, the kazan holds 10"
    )
    single = Position((1, *(9,) * 17), (4, 4), (None, None), Side.BASTAUSHY)
    assert way_told(play(single, 1), ENGLISH) == (
        "Bastaushy lifts 1 stone from pit 1, the last stone falls into pit 2 of Bastaushy, the kazan holds 4"
    )


def test_without_diagrams_there_are_only_moves() -> None:
    """As wished."""
    look = Look(diagrams=False)
    assert "┌" not in plain(tuple(sheet_lines(parse_record(GAME_2009), ENGLISH, look)))


@pytest.mark.parametrize(
    ("shown_ms", "said"), [(None, "–"), (0, "0:00:00"), (3_599_999, "0:59:59"), (36_061_000, "10:01:01")]
)
def test_dials_show_whole_seconds(shown_ms: int | None, said: str) -> None:
    """As the clock on the table does."""
    assert clock_said(shown_ms) == said


@given(text=st.text(max_size=120), columns=st.integers(2, 30))
def test_wrapping_keeps_every_letter_in_its_columns(text: str, columns: int) -> None:
    """Blanks between words aside."""
    lines = wrap(text, columns)
    assert "".join(lines).replace(" ", "") == "".join(text.split())
    assert all(cell_len(line) <= columns for line in lines)
