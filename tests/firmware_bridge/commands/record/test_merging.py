"""Merging: what one says is taken, what two say differently is a conflict."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.commands.record.merging import Conflict, Merged, merge_records, with_remarks
from rules.notation.positions import format_fen
from rules.position import Side
from rules.record.check import check_record
from rules.record.model import POSITION_KINDS, Comment, GameRecord, RecordPly, Ruling, Stood, Tags
from rules.record.text import parse_record
from tests.firmware_bridge.commands.record.games import GAME_2009, NOTED
from tests.rules.records import ruled_record

WHOLE = parse_record(GAME_2009)
RECORD = parse_record(NOTED)
RULED = ruled_record()


def test_a_record_merged_with_itself_is_itself() -> None:
    """Nothing is doubled."""
    merged = merge_records([RECORD, RECORD, RECORD])
    assert merged.record == RECORD
    assert merged.conflicts == ()


@given(cut=st.integers(0, 60), turned=st.booleans(), second=st.booleans())
def test_a_record_that_ends_earlier_contradicts_nothing(cut: int, *, turned: bool, second: bool) -> None:
    """A player short of time may stop writing."""
    pair = [WHOLE, GameRecord(plies=WHOLE.plies[:cut])]
    merged = merge_records(pair[::-1] if turned else pair, second=second)
    assert merged.record == WHOLE
    assert merged.conflicts == ()


def test_where_games_part_the_one_that_is_believed_goes_on() -> None:
    """With its notes; those of the other stay up to there."""
    first = parse_record("1. 3:2 {a} 9-8 {%ruling flag} 2. 7:8 {b} {%ruling warning}\n")
    second = parse_record("1. 3:2 9-8 {c} 2. 5:6 1-2 {d}\n")
    merged = merge_records([first, second], second=True)
    assert merged.record.sowings == second.sowings
    assert [note.text for note in merged.record.comments] == ["a", "c", "d"]
    assert [note.kind for note in merged.record.rulings] == ["flag"]
    assert merged.conflicts == (Conflict(3, "move", "7:8", "5:6", 1),)
    kept = merge_records([first, second]).record
    assert kept.sowings == first.sowings
    assert [note.text for note in kept.comments] == ["a", "c", "b"]


def test_a_signature_on_any_of_the_sheets_counts() -> None:
    """Each player signs both, and either may have been written off without it."""
    for signed in ((True, False), (False, True)):
        other = replace(WHOLE, signed=(not signed[0], not signed[1]))
        assert merge_records([replace(WHOLE, signed=signed), other]).record.signed == (True, True)
        assert merge_records([WHOLE, replace(WHOLE, signed=signed)]).record.signed == signed


def test_every_part_can_contradict() -> None:
    """And each is decided for whoever is believed."""
    other = replace(
        RECORD,
        tags=replace(RECORD.tags, round="5", other=(("Key", "2"),)),
        result=None,
        reason="flag",
        remaining_ms=(0, 1_200_000),
        recorder="Үсен",
        plies=(
            replace(RECORD.plies[0], clock_ms=(1000, 3_600_000)),
            *RECORD.plies[1:2],
            replace(RECORD.plies[2], move=replace(RECORD.plies[2].move, judgement="?")),
            *RECORD.plies[3:],
        ),
    )
    mine = replace(RECORD, tags=replace(RECORD.tags, other=(("Key", "1"),)))
    merged = merge_records([mine, other], second=True)
    assert [(one.ply, one.what) for one in merged.conflicts] == [
        (1, "clock"), (3, "judgement"), (None, "remaining"), (None, "round"), (None, "Key"), (None, "reason"),
    ]  # fmt: skip
    assert merged.record.tags.round == "5"
    assert merged.record.recorder == "Асан; Үсен"
    assert merged.record.result == "1-0"
    assert merge_records([mine, other]).record.tags.other == (("Key", "1"),)


def test_other_starts_are_other_games() -> None:
    """One of the records is left out altogether."""
    other = parse_record('[Position "9S,8/1,9S,7 72 72 S 5"]\n5. 21\n')
    merged = merge_records([RECORD, other])
    assert merged.record == RECORD
    assert [one.what for one in merged.conflicts] == ["start"]
    assert merge_records([RECORD, other], second=True).record == other


def test_notes_of_both_stand_in_the_order_of_the_game() -> None:
    """The same one once."""
    first = replace(WHOLE, rulings=(Ruling(2, "warning"),), comments=(Comment(5, "x"),))
    second = replace(WHOLE, rulings=(Ruling(1, "flag"), Ruling(2, "warning")), comments=(Comment(1, "y"),))
    merged = merge_records([first, second]).record
    assert [note.kind for note in merged.rulings] == ["flag", "warning"]
    assert [note.text for note in merged.comments] == ["y", "x"]
    check_record(merged)


def test_decisions_become_remarks_at_their_place() -> None:
    """Those of the whole game at its front."""
    first = replace(WHOLE, tags=Tags(round="1"), plies=WHOLE.plies[:3])
    second = replace(parse_record("1. 3:2 9-8 2. 5:6\n"), tags=Tags(round="2"))
    record = with_remarks(merge_records([first, second]), lambda one: f"{one.what}!")
    assert [(note.ply, note.text) for note in record.comments if note.text.endswith("!")] == [
        (0, "round!"),
        (3, "move!"),
    ]
    check_record(record)


@given(cut=st.integers(0, 5), turned=st.booleans(), second=st.booleans())
def test_a_game_in_which_stones_were_placed_merges_with_a_part_of_itself(
    cut: int, *, turned: bool, second: bool
) -> None:
    """Who stopped writing contradicts nothing, even if he did not note the last ruling."""
    part = replace(
        RULED, plies=RULED.plies[:cut], rulings=tuple(ruling for ruling in RULED.rulings if ruling.ply <= cut)
    )
    without = replace(
        part, rulings=tuple(it for it in part.rulings if (it.ply, it.kind) != (cut, "position_set"))
    )
    for shorter in (RULED, part, without):
        pair = [RULED, shorter]
        merged = merge_records(pair[::-1] if turned else pair, second=second)
        assert merged == Merged(RULED, ())
        check_record(merged.record)


def test_two_words_for_one_placing_are_no_contradiction() -> None:
    """The earlier record's are kept: a ruling can stand there once."""
    plain = replace(
        RULED, rulings=tuple(replace(it, text=it.text.partition(": ")[0]) for it in RULED.rulings)
    )
    merged = merge_records([RULED, plain])
    assert merged.conflicts == ()
    check_record(merged.record)
    assert [it for it in merged.record.rulings if it.kind in POSITION_KINDS] == [
        it for it in RULED.rulings if it.kind in POSITION_KINDS
    ]


def test_stones_placed_otherwise_contradict() -> None:
    """From there the game is another one."""
    left = RULED.stop(2).after
    pits = (left.pits[0] - 1, left.pits[1] + 1, *left.pits[2:])
    fen = format_fen(replace(left, pits=pits), 2)
    rulings = (*RULED.rulings[:1], replace(RULED.rulings[1], text=fen))
    other = replace(RULED, plies=RULED.plies[:2], rulings=rulings)
    kept, taken = (merge_records([RULED, other], second=second) for second in (False, True))
    assert kept.conflicts == taken.conflicts == (Conflict(2, "position", format_fen(left, 2), fen, 1),)
    assert (kept.record, taken.record) == (RULED, other)
    number = replace(RULED, plies=(*RULED.plies[:4], RecordPly(Stood(Side.QOSTAUSHY, 3))))
    assert merge_records([RULED, number]).conflicts == (Conflict(5, "move", "/", "3/", 1),)


def test_stones_placed_otherwise_before_the_first_move_are_other_games() -> None:
    """One of the two is taken as it is."""
    first, second = (
        GameRecord(rulings=(Ruling(0, "position_set", None, format_fen(RULED.stop(ply).after, 1)),))
        for ply in (2, 3)
    )
    for believed, record in enumerate((first, second)):
        merged = merge_records([first, second], second=bool(believed))
        assert merged.record == record
        assert [(it.ply, it.what) for it in merged.conflicts] == [(0, "position")]
