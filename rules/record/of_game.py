"""From the events of a board's journal to the record of one game."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace

from rules.control_text import format_control
from rules.errors import RecordFormatError
from rules.events import GameAssigned, GameEvent
from rules.game import EMPTY, Game, advance
from rules.incidents import DrawOffered, PositionRuled
from rules.notation.moves import MoveText, parse_short
from rules.position import Side
from rules.record.check import check_record
from rules.record.model import Dials, GameRecord, RecordPly, Ruling, Stood, Tags
from rules.record.of_events import behind_kept, counts, dials_of, numbered, plain, rulings_of
from rules.state import Ply


def record_of(events: Iterable[GameEvent], game_id: str | None = None) -> GameRecord:
    """Return the record of the last game among the events; it may still be going on.

    What happened besides the moves becomes rulings (`rules.record.of_events`), what both dials showed becomes
    the clock of each ply, and confirmed results become signatures (2.10.2). The game's key stands in the tag
    `Game`. Texts of events lose control characters and blanks around them, which no record can hold.

    Moves that were taken back stand in the ruling about that and nowhere else.

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
    offered: set[int] = set()
    for event in events:
        before, game = game, advance(game, event)
        if isinstance(event, PositionRuled):
            rulings = list(behind_kept(rulings, event.kept))
            offered = {ply for ply in offered if ply < event.kept}
        elif isinstance(event, DrawOffered):
            offered |= _marked(before, event.side)
        rulings.extend(rulings_of(event, before, game))
    record = GameRecord(
        tags=_tags(game),
        plies=_plies(game, offered),
        rulings=tuple(rulings),
        result=game.result,
        reason=plain(game.result_reason or "") or None,
        remaining_ms=_remaining(game),
        signed=game.confirmed,
    )
    return replace(record, rulings=tuple(numbered(record)))


def _tags(game: Game) -> Tags:
    control = None if game.control is None else format_control(game.control)
    bastaushy, qostaushy = (plain(name) or None for name in game.names)
    return Tags(
        bastaushy=bastaushy,
        qostaushy=qostaushy,
        time_control=control,
        other=(("Game", plain(game.game_id or "")),),
    )


def _marked(game: Game, side: Side) -> set[int]:
    """Return the index of the ply that bears the `=` of an offer made in `game` (1.6.5); {}: none does.

    That is the one under way on his turn, which becomes final behind the offer; else his last one. Only a
    player's first offer asks anything (2.6.9), and one before his first move has no move to stand behind.
    """
    if game.draw_offers[side.index]:
        return set()
    if game.position.to_move is side:
        return {len(game.plies)}
    own = [index for index, ply in enumerate(game.plies) if ply.side is side]
    return set(own[-1:])


def _plies(game: Game, offered: Container[int]) -> tuple[RecordPly, ...]:
    return tuple(
        RecordPly(_move(ply, index in offered), dials_of(ply.clock_after_us) if counts(game) else None)
        for index, ply in enumerate(game.plies)
    )


def _move(ply: Ply, offered: bool) -> MoveText | Stood:  # noqa: FBT001 - a mark that is there or not
    if ply.stood:
        return Stood(ply.side, ply.number)
    return MoveText(parse_short(ply.text, ply.before), draw_offered=offered)


def _remaining(game: Game) -> Dials | None:
    """Return what stands on both dials once the game has ended; None before that."""
    clock = game.clock
    if game.result is None or clock is None or not counts(game):
        return None
    # Both dials stand by then, so the moment does not matter.
    return dials_of(clock.remaining_us)
