"""From the game to what is published: state for whoever comes late, events for who was there (pure).

Pure: identity, moment and journal number come in, payloads go out. The state is authoritative;
the events are news (house law 9).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from firmware_bridge.board.counting.lots import swept_stones
from firmware_bridge.board.hands.events import Held
from firmware_bridge.board.inputs import ButtonPressed, Note, Watch
from firmware_bridge.board.memory.rows import DeviceTime, Record
from firmware_bridge.layout import PITS, Seating, is_kazan
from firmware_bridge.wire.parts import ValuesPart
from firmware_bridge.wire.payloads import (
    MAX_ADVICE,
    MAX_AGAIN,
    MAX_NOTES,
    AdvicePart,
    ClockPart,
    EventPayload,
    HandPart,
    LastMovePart,
    NotePart,
    PositionPart,
    ResultPart,
    StatePayload,
    WatchPart,
    encode,
)
from rules.clock import delay_left_us, moves_to_quota, remaining_us
from rules.control_text import format_control
from rules.game import (
    ArbiterCalled,
    ClockPressed,
    Game,
    GameAssigned,
    GameEvent,
    InfractionSeen,
    MovePlayed,
    Phase,
    PositionRuled,
    PressId,
    advance,
    event_from_json,
)
from rules.position import Position, Side, Sowing, play
from rules.time_control import ClockMode

HOST_STARTED = {"kind": "host_started"}
"""The journal's own event: the board's program was started. It changes no game."""

PRESS_TAKEN = "press_taken"
"""Kind of the journal's other own event: a press that switched no clock. It changes no game either."""


TIME_MARK = "time_mark"
"""Kind of a moment written down while nothing happened and a clock ran."""

OWN_KINDS = (HOST_STARTED["kind"], PRESS_TAKEN, TIME_MARK)
"""What the journal holds beside the events of a game."""


OF_CELLS = ("unreadable", "drift")
"""Remarks about what a place is read by: its cell, or its count sensor where there are no cells."""

OF_BEAMS = ("beam_blind", "beam_doubling", "beam_restless", "beam_fault")
"""Remarks about the count sensor of a place."""

FAULT_VALUES = ("value", "before")
"""What a fault's values are called in the texts: what it is now, and what it was before."""


def time_mark(at_us: int) -> dict[str, Any]:
    """Return the record of a moment at which a clock was still running."""
    return {"kind": TIME_MARK, "at_us": at_us}


def press_taken(pressed: ButtonPressed) -> dict[str, Any]:
    """Return the record of a press that switches no clock: a confirmation, or one out of turn.

    With it the journal knows every press the device was told it may forget. Otherwise a program
    started again would take the gap in the numbers for presses lost.
    """
    press = {"boot": pressed.press.boot, "number": pressed.press.number}
    return {"kind": PRESS_TAKEN, "at_us": pressed.at_us, "button": pressed.button, "press": press}


def press_of(event: GameEvent) -> PressId | None:
    """Return the press that an event comes from, so that the journal knows the press by it; None: of none."""
    return event.press if isinstance(event, ClockPressed | ArbiterCalled) else None


@dataclass(frozen=True, slots=True)
class Identity:
    """Who is speaking.

    Attributes:
        event: Identifier of the event.
        board: Identifier of the board.
        boot: Number of this start of the board's program.
    """

    event: str
    board: str
    boot: int


@dataclass(frozen=True, slots=True)
class Moment:
    """When something is told.

    Attributes:
        seq: Journal number of the last durable record told of.
        table_us: Table time the clocks are given for.
        wall_ms: The same moment in UTC milliseconds, a label.
        rate: Table seconds per wall second; 1 on a real board.
        number: How many states this boot has told, this one included; 0 where it does not matter.
    """

    seq: int
    table_us: int
    wall_ms: int
    rate: float
    number: int = 0


def rate_of(device: DeviceTime | None) -> float:
    """Return how many table seconds pass in one of the wall; 1 before any device was seen."""
    return 1.0 if device is None else float(device.time_scale)


def watch_part(watch: Watch, held: Sequence[Held] = (), seating: Seating | None = None) -> WatchPart:
    """Return what is seen of the board and of the hands over it.

    What hands hold is told, what lies in the pits between two moves is not (house law 8).

    Args:
        watch: How the board looks.
        held: What hands hold.
        seating: Who sits where; None: no remark names the channel behind its place.
    """
    return WatchPart(
        sensed=watch.sensed,
        notes=tuple(_part(note_told(note, seating)) for note in watch.notes[:MAX_NOTES]),
        hands=tuple(_hand(hand) for hand in held),
    )


def state_payload(
    who: Identity,
    when: Moment,
    game: Game,
    watch: WatchPart,
    last: Sowing | None,
    advice: tuple[AdvicePart, ...] = (),
) -> StatePayload:
    """Return the whole table as it stands; `last` is the sowing that led there, None where none did."""
    result = None
    if game.result is not None:
        result = ResultPart(score=game.result, reason=game.result_reason or "")
    return StatePayload(
        event=who.event,
        board=who.board,
        game=game.game_id,
        boot=who.boot,
        seq=when.seq,
        ply=len(game.plies),
        ts=when.wall_ms,
        phase=game.phase.value,
        names=game.names,
        starter_seat=game.starter_seat,
        position=_position(game),
        clock=_clock(game, when),
        moves=" ".join(ply.text for ply in game.plies),
        moves_from=1,
        again=_again(game)[:MAX_AGAIN],
        last=None if last is None else _last(last),
        ready=game.ready,
        result=result,
        pause=game.suspended_reason,
        n=when.number,
        watch=watch,
        advice=advice[:MAX_ADVICE],
    )


def _again(game: Game) -> tuple[int, ...]:
    """Return the numbers of the plies that were not the turn of whoever they come from by their place."""
    before = Side.QOSTAUSHY
    found = []
    for number, ply in enumerate(game.plies, 1):
        if ply.side is before:
            found.append(number)
        before = ply.side
    return tuple(found)


def note_told(note: Note, seating: Seating | None) -> dict[str, Any]:
    """Return a remark with the keys of a `NotePart`, its values as an object: as it is, however long.

    Args:
        note: The remark.
        seating: Who sits where; None: the channel behind its place is not named.
    """
    place, fault = note.place, note.fault
    of_fault = () if fault is None else zip(FAULT_VALUES, fault.values, strict=False)
    return {
        "code": note.code,
        "pit": None if place is None or is_kazan(place) else place,
        "detail": note.detail,
        "kazan": _side_name(tuple(Side)[place - PITS]) if place is not None and is_kazan(place) else None,
        "channel": None if place is None or seating is None else _channel(note.code, place, seating),
        "why": None if fault is None else fault.kind.value,
        "values": {**note.values, **dict(of_fault)},
    }


def _part(told: dict[str, Any]) -> NotePart:
    return NotePart(**{**told, "values": ValuesPart.model_validate(told["values"])})


def _channel(code: str, place: int, seating: Seating) -> int | None:
    """Return the channel to be mended where a remark is about a sensor and not about stones."""
    if code in OF_CELLS:
        return seating.channel_of_place[place]
    return seating.beam_of_place[place] if code in OF_BEAMS else None


def _hand(held: Held) -> HandPart:
    return HandPart(side=_side_name(held.side), pit=held.pit, stones=held.stones, carried=held.carried)


def _position(game: Game) -> PositionPart:
    position = game.position
    pits, kazans = position.pits, position.kazans
    swept = swept_stones(position) if game.phase in (Phase.ENDED, Phase.RELEASED) else None
    if swept is not None:
        pits, kazans = swept[:PITS], (swept[PITS], swept[PITS + 1])
    return PositionPart(
        pits=pits, kazans=kazans, tuzdyks=position.tuzdyks, to_move=_side_name(position.to_move)
    )


def _side_name(side: Side) -> Any:
    return side.value


def _clock(game: Game, when: Moment) -> ClockPart | None:
    clock = game.clock
    if clock is None or clock.control.mode is ClockMode.NONE:
        return None
    at_us, control = max(when.table_us, clock.since_us or 0), clock.control
    left_ms = [remaining_us(clock, side, at_us) // 1000 for side in Side]
    to_quota = [moves_to_quota(clock, side) for side in Side]
    return ClockPart(
        running=None if clock.running is None else _side_name(clock.running),
        remaining_ms=(left_ms[0], left_ms[1]),
        rate=when.rate,
        base_ms=control.base_ms,
        increment_ms=control.increment_ms,
        flagged=game.flags,
        control="" if control.is_simple else format_control(control),
        period=(clock.period[0] + 1, clock.period[1] + 1),
        moves_to_quota=(to_quota[0], to_quota[1]),
        delay_ms=delay_left_us(clock, at_us) // 1000,
        first_flag=_side_name(game.first_flag) if game.first_flag and all(game.flags) else None,
    )


def _last(sowing: Sowing) -> LastMovePart:
    return LastMovePart(
        side=_side_name(sowing.side),
        number=sowing.number,
        path=sowing.path,
        captured=sowing.captured,
        tuzdyk=sowing.tuzdyk,
    )


def _led_to(game: Game) -> Sowing | None:
    """Return the legal sowing that led to a game's position; None: none did."""
    last = game.plies[-1] if game.plies else None
    if last is None or last.stood or last.number is None or last.after != game.position:
        return None
    return play(last.before, last.number)


class Chronicle:
    """The fold over a journal, with what the telling needs beside the game.

    Attributes:
        game: The game as of the last record taken.
        last: The sowing that led to its position; None before the first, and where an arbiter placed the
            stones otherwise.
        at_us: Table time of the last event taken; 0 before the first.
        evidence: The newest evidence that carries the zeros of the cells; empty before any.
        last_press: The last press taken, whichever game it was in; None before any.
        infractions: What each infraction of the game rests on, by its number.
        ruled: The number of the record in which an arbiter let a position hold; None: no such position, or a
            move has become final since.
    """

    def __init__(self) -> None:
        """Begin before the first record."""
        self.game = Game()
        self.last: Sowing | None = None
        self.at_us = 0
        self.evidence: dict[str, Any] = {}
        self.last_press: PressId | None = None
        self.infractions: dict[int, Mapping[str, Any]] = {}
        self.ruled: int | None = None

    def take(self, record: Record) -> GameEvent | None:
        """Fold one record; return its event, None when it is no event of a game.

        Raises:
            RulesError: The record says something that cannot follow from those before it.
        """
        kind = record.event.get("kind")
        if kind in OWN_KINDS:
            self._take_own(kind, record.event)
            return None
        event = event_from_json(record.event)
        before: Position = self.game.position
        self.game = advance(self.game, event)
        self.at_us = max(self.at_us, event.at_us)
        if isinstance(event, MovePlayed):
            self.last = play(before, event.number)
        elif isinstance(event, PositionRuled):
            self.last = _led_to(self.game)
        elif not self.game.plies:
            self.last = None
        self.last_press = press_of(event) or self.last_press
        self._remember_incident(event, record.seq)
        if "cells" in record.event.get("evidence", {}):
            self.evidence = record.event["evidence"]
        return event

    def _remember_incident(self, event: GameEvent, seq: int) -> None:
        if isinstance(event, GameAssigned):
            self.infractions = {}
        elif isinstance(event, InfractionSeen):
            self.infractions[event.infraction] = event.evidence
        if isinstance(event, PositionRuled):
            self.ruled = seq
        elif isinstance(event, GameAssigned | MovePlayed):
            self.ruled = None

    def _take_own(self, kind: str, event: dict[str, Any]) -> None:
        if kind == PRESS_TAKEN:
            self.last_press = PressId(**event["press"])
        elif kind == TIME_MARK:
            self.at_us = max(self.at_us, event["at_us"])

    def row(self, who: Identity, record: Record) -> bytes:
        """Return the event message of the record just taken: the same bytes whenever it is told."""
        rate = rate_of(record.device)
        when = Moment(record.seq, self.at_us, record.wall_ms, rate)
        payload = EventPayload(
            event=who.event,
            board=who.board,
            game=self.game.game_id,
            boot=record.host_boot,
            seq=record.seq,
            ply=len(self.game.plies),
            ts=record.wall_ms,
            data=record.event,
            position=_position(self.game),
            clock=_clock(self.game, when),
        )
        return encode(payload)


class Rows:
    """The event message of every record, in journal order: what the outbox reads.

    Nothing is forgotten here: what was sent and not acknowledged is asked for again after an outage.
    """

    def __init__(self, rows: Sequence[tuple[int, bytes]] = ()) -> None:
        """Begin with `rows`, pairs of journal number and message."""
        self._rows = list(rows)

    def add(self, seq: int, message: bytes) -> None:
        """Append the message of the next record."""
        self._rows.append((seq, message))

    def rows_after(self, seq: int, limit: int) -> list[tuple[int, bytes]]:
        """Return at most `limit` rows with a number above `seq`, oldest first."""
        first = bisect_right(self._rows, seq, key=lambda row: row[0])
        return self._rows[first : first + limit]
