"""What an event of a board is to the console, and what it changes in the ledger."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import replace

from firmware_bridge.hall.console.attention import Attention
from firmware_bridge.hall.ledger import discipline, games, notes, people
from firmware_bridge.hall.ledger.event_values import Offended
from firmware_bridge.hall.ledger.games import GameError
from firmware_bridge.hall.ledger.values import Fixture, Heard, Status, Warned
from firmware_bridge.wire.payloads import EventPayload
from rules.conduct.proposal import protocol_score
from rules.control_text import format_control
from rules.events import GameAssigned, GameEnded, GameEvent, GameReleased
from rules.game import ResultConfirmed
from rules.incidents import GameAdjourned, InfractionClosed, InfractionSeen, PlayerWarned, PositionRuled
from rules.position import Side
from rules.tournament.entries import named


def heard_of(payload: EventPayload) -> Heard:
    """Return an event as the console keeps it.

    An infraction's evidence is given the dials as they stood when it was told (`clock`: `running` and
    `remaining_ms`): who decides minutes later sees others.
    """
    data = payload.data
    if data.get("kind") == InfractionSeen.kind and payload.clock is not None:
        evidence = data.get("evidence")
        dials = payload.clock.model_dump(mode="json", include={"running", "remaining_ms"})
        data = {**data, "evidence": {**(evidence if isinstance(evidence, dict) else {}), "clock": dials}}
    return Heard(
        board=payload.board,
        boot=payload.boot,
        seq=payload.seq,
        game=payload.game or "",
        ply=payload.ply,
        at_ms=payload.ts,
        data=data,
    )


def written_down(
    db: sqlite3.Connection,
    heard: Heard,
    event: GameEvent,
    after: Attention,
    names: tuple[str, str],
    now_ms: int,
) -> None:
    """Keep an event and what follows from it, together or not at all; one heard twice changes nothing.

    Args:
        db: The ledger.
        heard: The event as it was heard.
        event: The same, read.
        after: What is known of the board after it.
        names: The players as the board's state has them.
        now_ms: Wall time.
    """
    if not notes.keep(db, heard, new_game=isinstance(event, GameAssigned)):
        return
    match event:
        case GameAssigned():
            games.assigned(db, _fixture(heard.board, event), now_ms)
        case GameEnded() | ResultConfirmed():
            _result(db, heard.game, event, after, now_ms)
        case GameAdjourned():
            with contextlib.suppress(GameError):
                games.postpone(db, heard.game, event.reason or event.by, now_ms)
        case InfractionSeen() | InfractionClosed() | PositionRuled():
            _offence(db, heard, event, after, names)
        case GameReleased():
            found = games.game(db, heard.game)
            if found is not None and found.status == "official":
                _settle(db, heard.game, "released", now_ms, None)
        case PlayerWarned():
            _warn(db, heard, event, names)
        case _:
            pass


def _fixture(board: str, event: GameAssigned) -> Fixture:
    return Fixture(
        key=event.game_id,
        round=0,
        board=board,
        bastaushy=named(event.names[0]),
        qostaushy=named(event.names[1]),
        seat=event.starter_seat,
        control=format_control(event.control),
    )


def _settle(db: sqlite3.Connection, key: str, status: Status, now_ms: int, ended: GameEnded | None) -> None:
    """Bring a result on as far as the board says; what the ledger has decided already it keeps."""
    with contextlib.suppress(GameError):
        games.settle(
            db,
            key,
            status,
            now_ms,
            score=None if ended is None else protocol_score(ended.result),
            by="" if ended is None else ended.by,
            reason="" if ended is None else ended.reason,
        )


def _result(
    db: sqlite3.Connection, key: str, event: GameEnded | ResultConfirmed, after: Attention, now_ms: int
) -> None:
    """Note that a game has ended, or that a player has signed; both have confirmed it by that (2.10.2)."""
    if isinstance(event, GameEnded):
        _settle(db, key, "proposed", now_ms, event)
        # When it was heard: the board's wall time is a label, and nobody is late by it (house law 4).
        games.ended(db, key, now_ms)
        return
    people.sign(db, key, event.side.value, "", now_ms)
    if all(after.confirmed):
        _settle(db, key, "confirmed", now_ms, None)


def _person(db: sqlite3.Connection, game: str, side: Side, names: tuple[str, str]) -> tuple[str, int]:
    """Return who plays a side, and the round of the game; 0: of none."""
    found = games.game(db, game)
    known = (found.bastaushy, found.qostaushy) if found is not None else names
    return named(known[side.index]), 0 if found is None else found.round


def _warn(db: sqlite3.Connection, heard: Heard, event: PlayerWarned, names: tuple[str, str]) -> None:
    person, round_number = _person(db, heard.game, event.side, names)
    warned = Warned(
        key=heard.key,
        person=person,
        level=event.level,
        board=heard.board,
        game=heard.game,
        round=round_number,
        article=event.article,
        given_by=event.by,
        reason=event.reason,
        at_ms=heard.at_ms,
    )
    discipline.warn(db, replace(warned, ruling=discipline.ruling_of(db, warned, event.side.value)))


def _offence(
    db: sqlite3.Connection,
    heard: Heard,
    event: InfractionSeen | InfractionClosed | PositionRuled,
    after: Attention,
    names: tuple[str, str],
) -> None:
    """Keep whose infraction it was, and how each of this game is decided now."""
    if isinstance(event, InfractionSeen):
        person, _ = _person(db, heard.game, event.side, names)
        offended = Offended(
            key=heard.key, person=person, game=heard.game, number=event.infraction, at_ms=heard.at_ms
        )
        discipline.offend(db, offended)
    for each in after.infractions:
        discipline.settle_offence(db, heard.game, each.number, each.settled)
