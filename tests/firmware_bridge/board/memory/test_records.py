"""Which records a board tells: of games that have ended, again when they change, the last few only."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from firmware_bridge.board.memory import records
from firmware_bridge.board.memory.records import KEPT, News, Records
from firmware_bridge.board.memory.rows import Record
from firmware_bridge.board.memory.telling import Identity
from firmware_bridge.wire.payloads import encode
from firmware_bridge.wire.records import join
from rules.errors import RecordFormatError
from rules.events_json import event_to_json
from rules.game import (
    EMPTY,
    ClockPressed,
    Game,
    GameAssigned,
    GameEnded,
    GameEvent,
    GameReleased,
    GameStarted,
    MovePlayed,
    PlayerReady,
    ResultConfirmed,
    SetupChecked,
    SetupStarted,
    advance,
)
from rules.position import Side
from rules.record.json_form import parse_record_json
from rules.time_control import TimeControl

WHO = Identity("almaty-2009", "b01", 9)


def opening(game_id: str = "b01-1") -> list[GameEvent]:
    """Return a game that begins, with one ply."""
    return [
        GameAssigned(
            at_us=0,
            game_id=game_id,
            names=("Айдос", "Әсел"),
            starter_seat="a",
            control=TimeControl.simple(60_000),
        ),
        SetupStarted(at_us=1),
        SetupChecked(at_us=2),
        *(PlayerReady(at_us=3, side=side) for side in Side),
        GameStarted(at_us=4),
        ClockPressed(at_us=5, side=Side.BASTAUSHY, press=None),
        MovePlayed(at_us=6, side=Side.BASTAUSHY, number=3, text="3:2", confirmed_by="press", evidence={}),
    ]


ENDED = GameEnded(at_us=7, result="0-1", reason="resignation")
SIGNED = [ResultConfirmed(at_us=8, side=side) for side in Side]
RELEASED = GameReleased(at_us=9)


class Told:
    """A journal in memory, and the records that follow it."""

    def __init__(self) -> None:
        self.records = Records(WHO)
        self.game: Game = EMPTY
        self.seq = 0

    def take(self, events: Sequence[GameEvent]) -> list[News]:
        """Write events down and return what is to be told then."""
        for event in events:
            self.seq += 1
            self.game = advance(self.game, event)
            row = Record(self.seq, 4, 1000 + self.seq, None, event_to_json(event), "")
            self.records.take(event, row, self.game)
        return self.records.news()


def test_a_game_going_on_has_no_record_and_an_ended_one_has() -> None:
    """It is made when the game has ended, and told once."""
    told = Told()
    assert told.take(opening()) == []
    (news,) = told.take([ENDED])
    record = parse_record_json(join(news.parts))
    assert (news.game, news.trouble) == ("b01-1", "")
    assert (record.result, record.reason, record.signed) == ("0-1", "resignation", (False, False))
    assert [sowing.number for sowing in record.sowings] == [3]
    assert told.records.news() == []


def test_the_envelope_is_that_of_the_last_row() -> None:
    """So the same journal always gives the same bytes, whichever start of the program tells them."""
    told = Told()
    (news,) = told.take([*opening(), ENDED])
    (part,) = news.parts
    assert (part.event, part.board, part.game) == ("almaty-2009", "b01", "b01-1")
    assert (part.boot, part.seq, part.ply, part.ts) == (4, told.seq, 1, 1000 + told.seq)
    again = Told()
    again.records.who = Identity("almaty-2009", "b01", 10)
    assert [encode(each) for each in again.take([*opening(), ENDED])[0].parts] == [encode(part)]


def test_a_signature_makes_a_newer_record() -> None:
    """With a higher number, so that readers know."""
    told = Told()
    (first,) = told.take([*opening(), ENDED])
    (second,) = told.take(SIGNED[:1])
    assert parse_record_json(join(second.parts)).signed == (True, False)
    assert second.parts[0].seq == first.parts[0].seq + 1
    assert second.parts[0].sha256 != first.parts[0].sha256
    assert told.take([RELEASED]) == []


def test_a_game_given_up_has_none() -> None:
    """Released before it began."""
    told = Told()
    assert told.take([opening()[0], RELEASED]) == []
    (news,) = told.take([*opening("b01-9"), ENDED])
    assert news.game == "b01-9"


def test_only_the_last_games_are_told_and_the_others_no_longer() -> None:
    """Whether they ended just now or are read from the journal at the start."""
    told = Told()
    events = [each for n in range(KEPT + 2) for each in (*opening(f"b01-{n}"), ENDED, RELEASED)]
    news = told.take(events)
    assert [(each.game, bool(each.parts)) for each in news] == [
        ("b01-0", False),
        ("b01-1", False),
        *((f"b01-{n}", True) for n in range(2, KEPT + 2)),
    ]
    last = told.take([*opening("b01-77"), ENDED])
    assert [(each.game, bool(each.parts)) for each in last] == [("b01-2", False), ("b01-77", True)]


def test_a_record_that_cannot_be_made_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The board goes on."""

    def fail(_events: object) -> None:
        raise RecordFormatError("result", "0-1", "something else")

    monkeypatch.setattr(records, "record_of", fail)
    (news,) = Told().take([*opening(), ENDED])
    assert news.parts == ()
    assert "result" in news.trouble
