"""The records of the games that have ended at this board, as they are published (pure).

They are made from the journal's own events, so a program started again tells the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.board.memory.rows import Record
from firmware_bridge.board.memory.telling import Identity
from firmware_bridge.wire.payloads import PayloadError
from firmware_bridge.wire.records import RecordOf, RecordPayload, cut
from rules.errors import RulesError
from rules.game import Game, GameAssigned, GameEvent, Phase
from rules.record.json_form import format_record_json
from rules.record.of_game import record_of

KEPT: Final = 8
"""Of how many games the broker keeps the records: more than a board plays in a day of an event."""


@dataclass(frozen=True, slots=True)
class News:
    """What is to be told of one game.

    Attributes:
        game: Id of the game.
        parts: Its record, new or changed; none: it is told no longer.
        trouble: Why there is none although there should be; empty when all is well.
    """

    game: str
    parts: tuple[RecordPayload, ...] = ()
    trouble: str = ""


@dataclass(slots=True)
class _Ended:
    """A game that has ended: its events, its release among them later, and the row last told of."""

    events: list[GameEvent]
    about: RecordOf


@dataclass(slots=True)
class Records:
    """Follows the journal and says which records are new.

    Attributes:
        who: Whose records they are.
    """

    who: Identity
    _events: list[GameEvent] = field(default_factory=list)  # of the game on the board
    _ended: dict[str, _Ended] = field(default_factory=dict)  # the last games ended, oldest first
    _new: dict[str, None] = field(default_factory=dict)  # which of them are to be told, in order

    def take(self, event: GameEvent, row: Record, game: Game) -> None:
        """Take an event of the journal, the row it stands in, and the game after it."""
        if isinstance(event, GameAssigned):
            self._events = []
        self._events.append(event)
        if game.phase is not Phase.ENDED or game.game_id is None:
            return
        about = RecordOf(
            event=self.who.event,
            board=self.who.board,
            game=game.game_id,
            boot=row.host_boot,
            seq=row.seq,
            ply=len(game.plies),
            ts=row.wall_ms,
        )
        self._ended.pop(game.game_id, None)
        self._ended[game.game_id] = _Ended(self._events, about)
        self._new[game.game_id] = None

    def news(self) -> list[News]:
        """Return what has changed since asked last, oldest game first."""
        told = []
        while len(self._ended) > KEPT:
            oldest = next(iter(self._ended))
            del self._ended[oldest]
            self._new.pop(oldest, None)
            told.append(News(oldest))
        told += [_news(game, self._ended[game]) for game in self._new]
        self._new.clear()
        return told


def _news(game: str, ended: _Ended) -> News:
    try:
        return News(game, cut(ended.about, format_record_json(record_of(ended.events))))
    except (RulesError, PayloadError) as error:
        return News(game, trouble=str(error))
