"""From the events of a board's journal to the record of one game."""

from __future__ import annotations

from collections.abc import Iterable

from rules.control_text import format_control, format_time
from rules.errors import RecordFormatError
from rules.events import (
    ClockAdjusted,
    ClockSet,
    FlagFell,
    GameAssigned,
    GameEvent,
    GameResumed,
    GameSuspended,
    MovePlayed,
)
from rules.game import EMPTY, Game, advance
from rules.notation.moves import MoveText, parse_short
from rules.position import START, Side
from rules.record.check import UNPRINTABLE, check_record
from rules.record.model import MAX_TEXT, Dials, GameRecord, RecordPly, Ruling, Tags
from rules.record.notes import format_dials
from rules.time_control import ClockMode


def record_of(events: Iterable[GameEvent], game_id: str | None = None) -> GameRecord:
    """Return the record of the last game among the events; it may still be going on.

    Flags, suspensions and moves entered by the arbiter become rulings, what both dials showed becomes the
    clock of each ply, and confirmed results become signatures (2.10.2). The game's key stands in the tag
    `Game`. Texts of events lose control characters and blanks around them, which no record can hold.

    Args:
        events: A journal from any `GameAssigned` on; read once, and one game of it is kept in memory.
        game_id: The game's key; None: the last game. Of several with one key the last is meant.

    Raises:
        RecordFormatError: No such game is among them, or its result contradicts its stones.
        EventError: An event of that game has no place where it comes.
    """
    kept: list[GameEvent] = []
    wanted = False
    for event in events:
        if isinstance(event, GameAssigned):
            wanted = game_id is None or event.game_id == game_id
            if wanted:
                kept = []
        if wanted:
            kept.append(event)
    if not kept:
        name = "a game" if game_id is None else "a game of that key"
        raise RecordFormatError("events", game_id, f"{name} among them")
    record = _record(kept)
    check_record(record)
    return record


def _record(events: list[GameEvent]) -> GameRecord:
    game = EMPTY
    rulings: list[Ruling] = []
    for event in events:
        game = advance(game, event)
        rulings.extend(_rulings(event, len(game.plies)))
    return GameRecord(
        tags=_tags(game),
        plies=_plies(game),
        rulings=tuple(rulings),
        result=game.result,
        reason=_plain(game.result_reason or "") or None,
        remaining_ms=_remaining(game),
        signed=game.confirmed,
    )


def _rulings(event: GameEvent, plies: int) -> Iterable[Ruling]:
    """Yield what an arbiter would write down about the event, after so many plies."""
    match event:
        case FlagFell():
            yield Ruling(plies, "flag", event.side)
        case ClockAdjusted():
            for side in Side:
                delta_ms = event.delta_us[side.index] // 1000
                if delta_ms:
                    given = f"{'+' if delta_ms > 0 else '-'}{format_time(abs(delta_ms))}"
                    yield Ruling(plies, "time_adjusted", side, _said(given, event.reason))
        case ClockSet():
            set_to = f"{format_dials(_dials(event.remaining_us))}, {format_control(event.control)}"
            yield Ruling(plies, "clock_set", None, _said(set_to, event.reason))
        case GameSuspended():
            yield Ruling(plies, "suspended", None, _plain(event.reason))
        case GameResumed():
            yield Ruling(plies, "resumed", event.running)
        case MovePlayed() if event.confirmed_by == "arbiter":
            yield Ruling(plies, "move_by_arbiter", event.side)
        case _:
            pass


def _said(what: str, reason: str) -> str:
    return _plain(f"{what}: {reason}" if reason else what)


def _tags(game: Game) -> Tags:
    control = None if game.control is None else format_control(game.control)
    bastaushy, qostaushy = (_plain(name) or None for name in game.names)
    return Tags(
        bastaushy=bastaushy,
        qostaushy=qostaushy,
        time_control=control,
        other=(("Game", _plain(game.game_id or "")),),
    )


def _plies(game: Game) -> tuple[RecordPly, ...]:
    position = START
    plies = []
    for ply in game.plies:
        sowing = parse_short(ply.text, position)
        plies.append(RecordPly(MoveText(sowing), _dials(ply.clock_after_us) if _counts(game) else None))
        position = sowing.after
    return tuple(plies)


def _remaining(game: Game) -> Dials | None:
    """Return what stands on both dials once the game has ended; None before that."""
    clock = game.clock
    if game.result is None or clock is None or not _counts(game):
        return None
    # Both dials stand by then, so the moment does not matter.
    return _dials(clock.remaining_us)


def _counts(game: Game) -> bool:
    """Return whether there is a clock at all."""
    return game.control is not None and game.control.mode is not ClockMode.NONE


def _dials(shown_us: tuple[int, int]) -> tuple[int, int]:
    return shown_us[0] // 1000, shown_us[1] // 1000


def _plain(text: str) -> str:
    return UNPRINTABLE.sub(" ", text).strip()[:MAX_TEXT].strip()
