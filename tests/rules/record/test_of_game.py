"""From a journal's events to a record."""

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import (
    START,
    ClockAdjusted,
    ClockMode,
    ClockSet,
    EventError,
    FlagFell,
    GameAssigned,
    GameEnded,
    GameEvent,
    GameReleased,
    GameResumed,
    GameSuspended,
    MovePlayed,
    RecordFormatError,
    Result,
    ResultConfirmed,
    Ruling,
    TimeControl,
    format_record_json,
    format_short,
    parse_record_json,
    play,
    record_of,
)
from tests.rules.occurrences import LONG_CONTROL, READY, SECOND, STARTED, B, Q, assigned, move, pressed

SECOND_MOVE = format_short(play(play(START, 7).after, 9))

GAME: tuple[GameEvent, ...] = (
    *STARTED,
    pressed(B, 12 * SECOND),
    move(7, 12 * SECOND),
    GameSuspended(at_us=13 * SECOND, reason=" a \x07fallen board "),
    GameResumed(at_us=20 * SECOND, running=Q),
    MovePlayed(at_us=21 * SECOND, side=Q, number=9, text=SECOND_MOVE, confirmed_by="arbiter", evidence={}),
    pressed(Q, 22 * SECOND),
    FlagFell(at_us=90 * SECOND, side=B),
    GameEnded(at_us=91 * SECOND, result="0-1", reason="flag"),
    ResultConfirmed(at_us=92 * SECOND, side=Q),
    GameReleased(at_us=93 * SECOND),
)
"""A short game with everything in it that an arbiter writes down."""


def test_a_game_becomes_its_record() -> None:
    """Names, moves with both dials, rulings at their place, the end and who has signed."""
    record = record_of(GAME)
    assert (record.tags.bastaushy, record.tags.qostaushy) == ("Aigerim", "Дәурен")
    assert (record.tags.time_control, record.tags.other) == ("1m+1s", (("Game", "g1"),))
    assert [format_short(sowing) for sowing in record.sowings] == ["7:6", SECOND_MOVE]
    assert [ply.clock_ms for ply in record.plies] == [(59_000, 60_000), (59_000, 58_000)]
    assert record.rulings == (
        Ruling(1, "suspended", None, "a  fallen board"),
        Ruling(1, "resumed", Q),
        Ruling(2, "move_by_arbiter", Q),
        Ruling(2, "flag", B),
    )
    assert (record.result, record.reason, record.remaining_ms) == ("0-1", "flag", (0, 58_000))
    assert record.signed == (False, True)
    assert parse_record_json(format_record_json(record)) == record


def test_a_game_that_goes_on_has_no_result_and_no_remaining_time() -> None:
    """What a dial shows is known after a move and at the end, not in between."""
    record = record_of((*STARTED, pressed(B, 12 * SECOND), move(7, 12 * SECOND)))
    assert (record.result, record.reason, record.remaining_ms) == (None, None, None)
    assert len(record.plies) == 1


def test_the_last_game_is_meant_unless_another_is_named() -> None:
    """A journal holds one after another."""
    later = (replace(assigned(100 * SECOND), game_id="g2", names=("", "\n")),)
    assert record_of((*GAME, *later)).tags.other == (("Game", "g2"),)
    assert record_of((*GAME, *later)).tags.bastaushy is None
    assert record_of((*GAME, *later)).tags.qostaushy is None
    assert record_of((*GAME, *later), "g1") == record_of(GAME)
    assert record_of((*GAME, *GAME), "g1") == record_of(GAME)


def test_what_is_not_there_is_an_error() -> None:
    """Also in a journal without any game."""
    with pytest.raises(RecordFormatError, match="events: expected a game among them, got None"):
        record_of(())
    with pytest.raises(RecordFormatError, match="events: expected a game of that key among them, got 'g2'"):
        record_of(GAME, "g2")


def test_an_event_without_a_place_is_an_error() -> None:
    """The fold decides, here as everywhere."""
    with pytest.raises(EventError, match="move_played at 5 us has no place in game 'g1', phase ready"):
        record_of((*READY, move(7, 5)))


def test_a_result_against_the_stones_is_an_error() -> None:
    """A board does not end a game by stones that did not."""
    ended = GameEnded(at_us=11 * SECOND, result="1-0", reason="eighty_two")
    with pytest.raises(RecordFormatError, match="reason: expected another reason"):
        record_of((*STARTED, ended))


def test_what_an_arbiter_does_to_the_clock_is_a_ruling() -> None:
    """For each side he gave or took time, with his words."""
    record = record_of(
        (
            *STARTED,
            ClockAdjusted(at_us=11 * SECOND, delta_us=(-30 * SECOND, 300 * SECOND), reason="2.4.8"),
            ClockAdjusted(at_us=12 * SECOND, delta_us=(0, SECOND // 2), reason=""),
            ClockSet(
                at_us=13 * SECOND, control=LONG_CONTROL, remaining_us=(SECOND, 90 * SECOND), reason="new"
            ),
        )
    )
    set_to = "0:00:01 0:01:30, observed:90s+500ms~250ms/2+30s<20s: new"
    assert record.rulings == (
        Ruling(0, "time_adjusted", B, "-30s: 2.4.8"),
        Ruling(0, "time_adjusted", Q, "+5m: 2.4.8"),
        Ruling(0, "time_adjusted", Q, "+500ms"),
        Ruling(0, "clock_set", None, set_to),
    )


def test_a_game_without_a_clock_has_no_times() -> None:
    """Zero on both dials would be a lie."""
    given_to = replace(assigned(), control=TimeControl((), ClockMode.NONE))
    ended = GameEnded(at_us=13 * SECOND, result="1-0", reason="resignation")
    record = record_of((given_to, *STARTED[1:], pressed(B, 12 * SECOND), move(7, 12 * SECOND), ended))
    assert record.tags.time_control == "none"
    assert (record.plies[0].clock_ms, record.remaining_ms) == (None, None)


@settings(max_examples=50, deadline=None)
@given(
    names=st.tuples(st.text(max_size=500), st.text(max_size=500)),
    game_id=st.text(min_size=1, max_size=500),
    reason=st.text(max_size=500),
    result=st.sampled_from(get_args(Result)),
)
def test_whatever_texts_a_journal_holds_the_record_can_be_written(
    names: tuple[str, str], game_id: str, reason: str, result: Result
) -> None:
    """Control characters are no reason to lose a game."""
    given_to = GameAssigned(
        at_us=0, game_id=game_id, names=names, starter_seat="a", control=TimeControl.simple(1000, 0)
    )
    events = (given_to, *STARTED[1:], GameEnded(at_us=11 * SECOND, result=result, reason=reason))
    record = record_of(events)
    assert parse_record_json(format_record_json(record)) == record
