"""The records of games that have ended, put together from their parts. Pure.

Laws of this file:

1. A record is shown when all its parts have come, their text is what their hash says, and it is a game that
   can be played. Until then the one before it is shown.
2. Of two records of a game the one with the greater (boot, seq) is the newer; older parts change nothing.
3. Whatever comes, memory is bounded: per game, per board and in all. What has to give way is what was
   touched longest ago.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from firmware_bridge.wire.payloads import PayloadError
from firmware_bridge.wire.records import RecordPayload, decode_record, join
from firmware_bridge.wire.topics import game_key
from rules.errors import RulesError
from rules.record.json_form import parse_record_json
from rules.record.model import GameRecord

MAX_GAMES: Final = 32
"""Records kept of one board: it publishes those of its last eight games."""
MAX_DRAFTS: Final = 4
"""Unfinished records of one game: the one being sent, one that overtakes it, and two that will be none."""
MAX_HELD: Final = 32 * 1024 * 1024
"""What all records together may weigh; those of 200 tables and eight games each weigh half of it."""
_GAME_WEIGHT: Final = 1000  # in characters, about what an empty one takes
_PART_WEIGHT: Final = 500


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A whole record; equal only to itself, so that what is made of it can be found by it at once.

    Attributes:
        game: Id of the game.
        order: Boot and journal number of the last row it tells of.
        text: The record as JSON, as the board has written it.
        sha256: Its hash, hexadecimal.
        record: The same as a value.
    """

    game: str
    order: tuple[int, int]
    text: str
    sha256: str
    record: GameRecord

    def as_json(self) -> dict[str, Any]:
        """Return a short line of JSON values."""
        record = self.record
        boot, seq = self.order
        return {
            "game": self.game,
            "key": game_key(self.game),
            "boot": boot,
            "seq": seq,
            "sha256": self.sha256,
            "names": [record.tags.bastaushy or "", record.tags.qostaushy or ""],
            "plies": len(record.plies),
            "result": record.result,
            "reason": record.reason,
            "signed": list(record.signed),
        }


@dataclass(slots=True)
class _Draft:
    """Parts that have come of one record."""

    order: tuple[int, int]
    parts: int
    got: dict[int, RecordPayload] = field(default_factory=dict)


@dataclass(slots=True)
class _Game:
    """All that is kept of one game."""

    kept: Kept | None = None
    drafts: dict[tuple[int, int, str, int], _Draft] = field(default_factory=dict)
    touched: int = 0

    @property
    def size(self) -> int:
        """What it weighs in memory, in characters."""
        parts = (len(part.text) for draft in self.drafts.values() for part in draft.got.values())
        return (
            _GAME_WEIGHT
            + sum(_PART_WEIGHT + size for size in parts)
            + (len(self.kept.text) if self.kept else 0)
        )


class RecordShelf:
    """The records of all boards of one event."""

    def __init__(self, max_held: int = MAX_HELD) -> None:
        self._boards: dict[str, dict[str, _Game]] = {}
        self._max_held = max_held
        self._held = 0
        self._clock = 0

    def receive(self, topic: str, data: bytes) -> str | None:
        """Take a part as it arrived; return the id of the board if a record of it is new now.

        Empty bytes, which clear a part at the broker, change nothing: a record once shown stays.

        Raises:
            PayloadError: It is no part of a record, or the last part of one that is none.
        """
        return self.take(decode_record(topic, data)) if data else None

    def take(self, part: RecordPayload) -> str | None:
        """Take a decoded part; result and errors are those of `receive`."""
        games, key = self._boards.setdefault(part.board, {}), game_key(part.game)
        before = games[key].size if key in games else 0
        game = games.setdefault(key, _Game())
        self._clock += 1
        game.touched = self._clock
        try:
            return part.board if self._add(game, part) else None
        finally:
            self._held += game.size - before
            self._make_room(part.board)

    def forget(self, board: str) -> None:
        """Drop everything about a board: it has left, or begins anew."""
        for game in self._boards.pop(board, {}).values():
            self._held -= game.size

    def _add(self, game: _Game, part: RecordPayload) -> bool:
        order = (part.boot, part.seq)
        if game.kept is not None and (order < game.kept.order or part.sha256 == game.kept.sha256):
            return False
        key = (*order, part.sha256, part.parts)
        draft = game.drafts.pop(key, None) or _Draft(order, part.parts)
        draft.got[part.part] = part
        if len(draft.got) < draft.parts:
            game.drafts[key] = draft  # the one touched last stands last
            while len(game.drafts) > MAX_DRAFTS:
                del game.drafts[next(iter(game.drafts))]
            return False
        game.kept = _whole(draft)
        game.drafts = {key: left for key, left in game.drafts.items() if left.order > draft.order}
        return True

    def _make_room(self, board: str) -> None:
        games = self._boards[board]
        while len(games) > MAX_GAMES:
            self._drop(board, min(games, key=lambda key: games[key].touched))
        while self._held > self._max_held:
            _, where, key = min((game.touched, where, key) for where, key, game in self._all())
            self._drop(where, key)

    def _drop(self, board: str, key: str) -> None:
        self._held -= self._boards[board].pop(key).size
        if not self._boards[board]:
            del self._boards[board]

    def _all(self) -> Iterator[tuple[str, str, _Game]]:
        for board, games in self._boards.items():
            for key, game in games.items():
                yield board, key, game

    # --- asking ------------------------------------------------------------------------------

    def last(self, board: str) -> Kept | None:
        """Return the record of the game that ended last at a board; None while there is none."""
        found = self.whole(board)
        return found[-1] if found else None

    def whole(self, board: str) -> list[Kept]:
        """Return all whole records of a board, the game that ended first first."""
        games = self._boards.get(board, {}).values()
        return sorted((game.kept for game in games if game.kept), key=lambda kept: kept.order)

    def get(self, board: str, key: str) -> Kept | None:
        """Return one record by the key of its game; None while it is not whole."""
        game = self._boards.get(board, {}).get(key)
        return game.kept if game else None

    def missing(self, board: str, key: str) -> str:
        """Say in words why there is no record of a game."""
        game = self._boards.get(board, {}).get(key)
        if game is None or not game.drafts:
            return f"board {board} has told no record of game {key}; a record is made when its game has ended"
        newest = next(reversed(game.drafts.values()))
        come = len(newest.got)
        return f"the record of game {key} is not whole yet: {come} of {newest.parts} parts have come"


def _whole(draft: _Draft) -> Kept:
    parts = [draft.got[number] for number in sorted(draft.got)]
    text = join(parts)
    first = parts[0]
    try:
        record = parse_record_json(text)
    except RulesError as error:
        raise PayloadError(f"record of game {first.game!r} of board {first.board}: {error}") from error
    return Kept(first.game, draft.order, text, first.sha256, record)
