"""What is published: the state for latecomers, the events as they were."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.board.counting.lots import swept_stones
from firmware_bridge.board.hands.events import Held
from firmware_bridge.board.inputs import Assign, Note, Watch
from firmware_bridge.board.memory.journal import Journal
from firmware_bridge.board.memory.rows import DeviceTime, Record
from firmware_bridge.board.memory.telling import (
    HOST_STARTED,
    Chronicle,
    Identity,
    Moment,
    Rows,
    state_payload,
    watch_part,
)
from firmware_bridge.wire.outbox import Outbox
from firmware_bridge.wire.payloads import EventPayload, decode_event, decode_state, encode
from rules.clock import count_moves, press, start
from rules.game import FlagFell, Game, MovePlayed, Phase, PressId, event_to_json, fold
from rules.incidents import ArbiterCalled, PositionRuled
from rules.notation.forms import format_short
from rules.position import START, Position, Side, Sowing, play
from rules.time_control import NO_CLOCK, Period, TimeControl
from tests.firmware_bridge.board.paper import PaperBoard, assigned, new_session, playing
from tests.firmware_bridge.contract.shapes import check_message
from tests.rules.occurrences import STARTED, move, pressed
from tests.rules.records import LEFT

WHO = Identity("e", "b", 3)
AFTER = play(START, 7).after


@pytest.fixture
def records(tmp_path: Path) -> Callable[[PaperBoard], list[Record]]:
    """What a journal holds after a paper board's events."""

    def write(board: PaperBoard) -> list[Record]:
        journal = Journal.open(tmp_path / "journal.jsonl")
        rows: list[dict[str, Any]] = [HOST_STARTED, *(event_to_json(event) for event in board.events)]
        asyncio.run(journal.append(rows, device=DeviceTime(1, 0, 20), wall_ms=5))
        journal.close()
        return list(journal.records)

    return write


def told(board: PaperBoard, table_us: int) -> dict[str, Any]:
    """Return the state of a paper board as JSON."""
    plies = [event for event in board.events if isinstance(event, MovePlayed)]
    position, last = START, None
    for ply in plies:
        last = play(position, ply.number)
        position = last.after
    when = Moment(seq=7, table_us=table_us, wall_ms=1_000, rate=1.0)
    payload = state_payload(WHO, when, board.session.game, watch_part(board.session.watch), last)
    state: dict[str, Any] = json.loads(payload.model_dump_json())
    return state


def test_a_state_tells_the_whole_table() -> None:
    """Identity, players, position, clocks as of the moment, last move with its path."""
    board = playing()
    board.play(7)
    state = told(board, board.now_us + 2_000_000)
    assert (state["event"], state["board"], state["boot"], state["seq"], state["ply"]) == ("e", "b", 3, 7, 1)
    assert state["names"] == ["Айдос", "Әсел"]
    assert state["moves"] == "7:6"
    clock = board.session.game.clock
    assert clock is not None
    assert clock.since_us is not None
    spent_ms = (board.now_us + 2_000_000 - clock.since_us) // 1000
    shown = state["clock"]
    assert shown["running"] == "qostaushy"
    assert shown["remaining_ms"][1] == 600_000 - spent_ms
    last = state["last"]
    assert (last["side"], last["number"], last["captured"]) == ("bastaushy", 7, 10)
    assert last["path"] == [6, 7, 8, 9, 10, 11, 12, 13, 14]


def test_a_moment_before_the_clock_was_started_shows_the_clock_as_it_started() -> None:
    """A press told late may be newer than the newest sample."""
    board = playing()
    state = told(board, 0)
    assert state["clock"]["remaining_ms"] == [600_000, 600_000]


def test_a_control_of_several_periods_is_told_with_its_quotas() -> None:
    """And a delay with what is left of it."""
    control = TimeControl((Period(5_400_000, 30, delay_ms=5_000), Period(1_800_000)))
    board = PaperBoard(new_session())
    board.take(Assign(at_us=0, game_id="g", names=("A", "B"), starter_seat="a", control=control))
    clock = told(board, 0)["clock"]
    assert (clock["control"], clock["base_ms"]) == ("90m~5s/30+30m", 5_400_000)
    assert clock["moves_to_quota"] == [30, 30]
    assert "period" not in clock
    game = board.session.game
    assert game.clock is not None
    running = press(start(game.clock, Side.BASTAUSHY, 0), Side.BASTAUSHY, 9_000_000)
    board.session.game = replace(game, clock=count_moves(running, Side.BASTAUSHY, 30, 9_000_000))
    clock = told(board, 11_000_000)["clock"]
    assert (clock["remaining_ms"], clock["delay_ms"]) == ([7_196_000, 5_400_000], 3_000)
    assert (clock["period"], clock["moves_to_quota"]) == ([2, 1], [None, 30])


def test_of_two_fallen_flags_the_first_is_told() -> None:
    """With one the other field says it all; time given to both raises both."""
    board = PaperBoard(new_session())
    control = TimeControl.simple(60_000)
    board.take(Assign(at_us=0, game_id="g", names=("A", "B"), starter_seat="a", control=control))
    game = replace(board.session.game, phase=Phase.PLAYING)
    game = fold([FlagFell(at_us=60_000_000, side=Side.QOSTAUSHY)], game)
    board.session.game = game
    assert "first_flag" not in told(board, 60_000_000)["clock"]
    board.session.game = fold([FlagFell(at_us=61_000_000, side=Side.BASTAUSHY)], game)
    assert told(board, 61_000_000)["clock"]["first_flag"] == "qostaushy"


def test_a_game_without_a_clock_tells_of_none() -> None:
    """A page shows none then, and whose turn it is by the position."""
    board = PaperBoard(new_session())
    board.take(Assign(at_us=0, game_id="g", names=("A", "B"), starter_seat="a", control=NO_CLOCK))
    assert told(board, 0)["clock"] is None


def test_notes_about_kazans_name_no_pit() -> None:
    """A page draws notes at pits."""
    board = assigned()
    board.session.watch = Watch("differs", (Note("x", 17, "p"), Note("x", 18, "k"), Note("x", None, "n")))
    state = told(board, 0)
    assert [note["pit"] for note in state["watch"]["notes"]] == [17, None, None]


def test_an_atsyrau_is_shown_swept_once_the_game_has_ended() -> None:
    """What the winner banks is in his kazan on every screen."""
    for seed in range(60):
        board = playing()
        board.play_at_random(seed)
        swept = swept_stones(board.session.game.position)
        if swept is not None:
            position = told(board, board.now_us)["position"]
            assert position["pits"] == list(swept[:18])
            assert position["kazans"] == list(swept[18:])
            return
    pytest.fail("no game of sixty ended in an atsyrau with stones left")


def test_rows_are_the_same_bytes_whenever_they_are_told(
    records: Callable[[PaperBoard], list[Record]],
) -> None:
    """A receiver knows a row by its bytes: after a restart they must not change."""
    board = playing()
    board.play(7)
    written = records(board)
    tellings = []
    for boot in (3, 4):
        chronicle = Chronicle()
        rows = []
        for record in written:
            chronicle.take(record)
            rows.append(chronicle.row(Identity("e", "b", boot), record))
        tellings.append(rows)
    assert tellings[0] == tellings[1]
    payloads: list[EventPayload] = [decode_event(row) for row in tellings[0]]
    assert [payload.seq for payload in payloads] == list(range(1, len(written) + 1))
    assert payloads[0].data == {"kind": "host_started"}
    assert payloads[-1].data["kind"] == "move_played"
    assert payloads[-1].ply == 1
    assert payloads[-1].clock is not None
    assert payloads[-1].clock.rate == 20.0


def test_a_chronicle_ends_with_the_sessions_own_game(
    records: Callable[[PaperBoard], list[Record]],
) -> None:
    """Journal and session fold to the same."""
    board = playing()
    for number in (7, 9, 5):
        board.play(number)
    chronicle = Chronicle()
    for record in records(board):
        chronicle.take(record)
    assert chronicle.game == board.session.game == fold(board.events)
    assert chronicle.last_press == PressId(1, 5)
    assert chronicle.last is not None
    assert chronicle.last.side is Side.BASTAUSHY
    move = [event for event in board.events if isinstance(event, MovePlayed)][-1]
    assert chronicle.evidence["cells"] == move.evidence["cells"]
    assert Game() == Chronicle().game


def test_rows_sent_and_not_acknowledged_go_out_again_after_an_outage() -> None:
    """The broker died with five rows on their way."""
    rows = Rows([(number, b"x") for number in range(1, 6)])
    outbox = Outbox(rows)
    for mid in range(1, 6):
        assert outbox.next_to_send() == (mid, b"x")
        outbox.sent(1, mid, 0)
    assert outbox.next_to_send() is None
    outbox.reconnected()
    assert outbox.next_to_send() == (1, b"x")


def test_what_hands_hold_is_told_and_empty_hands_are_not() -> None:
    """Whose, out of which pit, how many: and no field at all for a board without hands above it."""
    board = playing()
    when = Moment(seq=7, table_us=0, wall_ms=1_000, rate=1.0)
    held = (Held(Side.QOSTAUSHY, 11, 4, 0), Held(Side.BASTAUSHY, None, 0, 10))
    for hands, due in (
        (
            held,
            [
                {"side": "qostaushy", "pit": 11, "stones": 4, "carried": 0},
                {"side": "bastaushy", "pit": None, "stones": 0, "carried": 10},
            ],
        ),
        ((), None),
    ):
        payload = state_payload(WHO, when, board.session.game, watch_part(board.session.watch, hands), None)
        state = json.loads(encode(payload))
        assert state["watch"].get("hands") == due
        check_message("state", state)
        assert decode_state(encode(payload)).watch == payload.watch


def ruled(decision: Any, kept: int, position: Position, number: int | None = None) -> PositionRuled:
    """Return an arbiter's decision on a position."""
    return PositionRuled(
        at_us=30_000_000,
        decision=decision,
        infraction=None,
        kept=kept,
        number=number,
        position=position,
        remaining_us=(60_000_000, 60_000_000),
        running=position.to_move,
        by="Сәуле",
        reason="",
    )


@pytest.mark.parametrize(
    ("event", "moves", "last"),
    [
        (ruled("stands", 1, LEFT, 7), "7:6 7/", None),
        (ruled("stands", 1, LEFT), "7:6 /", None),
        (ruled("set", 1, LEFT), "7:6", None),
        (ruled("corrected", 1, play(AFTER, 7).after, 7), "7:6 7:6", play(AFTER, 7)),
        (ruled("restored", 1, AFTER), "7:6", play(START, 7)),
        (ruled("taken_back", 0, START), "", None),
    ],
)
def test_behind_an_arbiter_s_decision_the_last_move_is_what_led_to_the_position(
    event: PositionRuled, moves: str, last: Sowing | None
) -> None:
    """An illegal sowing that stands is among the moves, but nobody can draw its path."""
    chronicle = Chronicle()
    for number, each in enumerate(
        (*STARTED, pressed(Side.BASTAUSHY, 12_000_000), move(7, 12_000_000), event)
    ):
        chronicle.take(Record(number, 1, 5, None, event_to_json(each), ""))
    assert chronicle.last == last
    when = Moment(seq=9, table_us=31_000_000, wall_ms=1_000, rate=1.0)
    state = decode_state(
        encode(state_payload(WHO, when, chronicle.game, watch_part(Watch()), chronicle.last))
    )
    check_message("state", json.loads(encode(state)))
    assert (state.moves, state.position.pits) == (moves, event.position.pits)
    assert (state.last is None) == (last is None)


def test_moves_of_the_player_who_has_just_moved_are_named() -> None:
    """By their place in the list they would be the opponent's."""
    chronicle = Chronicle()
    other = replace(START, to_move=Side.QOSTAUSHY)
    events = (
        *STARTED,
        ruled("set", 0, other),
        replace(move(7, 40_000_000, Side.QOSTAUSHY), text=format_short(play(other, 7))),
        ruled("set", 1, other),
        replace(move(7, 50_000_000, Side.QOSTAUSHY), text=format_short(play(other, 7))),
    )
    for number, each in enumerate(events):
        chronicle.take(Record(number, 1, 5, None, event_to_json(each), ""))
    when = Moment(seq=9, table_us=51_000_000, wall_ms=1_000, rate=1.0)
    written = json.loads(
        encode(state_payload(WHO, when, chronicle.game, watch_part(Watch()), chronicle.last))
    )
    check_message("state", written)
    assert (written["moves"], written["again"]) == ("7:6 7:6", [1, 2])


def test_a_call_is_the_last_press_that_the_device_may_forget() -> None:
    """Otherwise a program started again would take the gap in the numbers for presses lost."""
    chronicle = Chronicle()
    called = ArbiterCalled(at_us=13_000_000, side=Side.QOSTAUSHY, press=PressId(7, 9))
    for number, each in enumerate((*STARTED, called)):
        chronicle.take(Record(number, 1, 5, None, event_to_json(each), ""))
    assert chronicle.last_press == PressId(7, 9)
