"""What a running board tells others: its state, its facts, the records of its games.

The board says when something has happened (`runtime.py`); here it is put together and handed to the
publisher. What is told of the game is durable already (house law 3).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

from firmware_bridge.board.inputs import Note
from firmware_bridge.board.memory.journal import Journal
from firmware_bridge.board.memory.telling import OF_BEAMS, OF_CELLS
from firmware_bridge.board.table import Table
from firmware_bridge.wire.payloads import (
    MAX_NOTES,
    CommandsPart,
    DevicePart,
    DiagPayload,
    MetaPayload,
    NotePart,
    StatePayload,
)
from firmware_bridge.wire.records import RecordPayload
from firmware_bridge.wire.version import CONTRACT_VERSION, SOFTWARE
from sensors.frames import Hello

log = logging.getLogger(__name__)

STATE_EVERY_S = 2.0
"""The retained state is published again this often, so that clocks stay right and silence means trouble."""

WATCH_EVERY_S = 0.2
"""What is seen of the hands is published at most this often."""


class Publisher(Protocol):
    """Where the board's words go: `firmware_bridge.wire.publisher.BoardPublisher`, or a test's own."""

    def set_state(self, state: StatePayload) -> None:
        """Take the newest state; only the latest counts."""

    def set_meta(self, meta: MetaPayload) -> None:
        """Take the newest facts about software and device."""

    def set_record(self, game: str, parts: Sequence[RecordPayload]) -> None:
        """Take the record of a game that has ended; without parts it need be told no longer."""

    def notify_rows(self) -> None:
        """Hear that the journal has grown."""

    def send_diag(self, diag: DiagPayload) -> bool:
        """Take a diagnosis, to be told now or never; tell whether it went out."""
        ...


class Announcer:
    """Tells of one board.

    Attributes:
        hello: What the device that is here said of itself; None without one. The board sets it.
        unsafe: Why nothing can be made durable; empty while all is well.
        offer: What a command over the broker must name; None where none is taken. The board sets it.
        also: Called with each state that is published, to be shown at the table, too. The board sets it.
    """

    def __init__(self, table: Table, journal: Journal, publisher: Publisher, language: str) -> None:
        """Tell of `table` to `publisher`, texts that are made here in `language`; nothing is told yet."""
        self.hello: Hello | None = None
        self.unsafe = ""
        self.offer: CommandsPart | None = None
        self.also: Callable[[StatePayload], None] = lambda _state: None
        self._table = table
        self._journal = journal
        self._publisher = publisher
        self._language = language
        self._told: tuple[Any, ...] = ()
        self._noted: Collection[tuple[object, ...]] = ()
        self._told_at_s = 0.0

    @property
    def due(self) -> bool:
        """Whether the state is to be published: what is seen has changed, or it is time again."""
        changed = self._seen != self._told
        return time.monotonic() - self._told_at_s >= (WATCH_EVERY_S if changed else STATE_EVERY_S)

    @property
    def _seen(self) -> tuple[Any, ...]:
        table = self._table
        session = table.session
        return table.watch, session.held, session.misplaced(table.timeline.latest_us), self.hello is None

    def state(self) -> None:
        """Publish the state; a note that is new goes into the log, too."""
        noted = {_matter(note): note for note in self._table.watch.notes}
        for matter, note in noted.items():
            if matter not in self._noted:
                log.warning("%s: %s", note.code, note.detail)
        self._noted = noted.keys()
        self._told = self._seen
        self._told_at_s = time.monotonic()
        state = self._table.state()
        if self.unsafe:
            trouble = NotePart(code="journal", pit=None, detail=self.unsafe)
            notes = (trouble, *state.watch.notes)[:MAX_NOTES]
            state = state.model_copy(update={"watch": state.watch.model_copy(update={"notes": notes})})
        self._publisher.set_state(state)
        self.also(state)

    def journal_trouble(self, why: str) -> None:
        """Say loudly that nothing can be made durable, or, with an empty `why`, that it can be again."""
        if why != self.unsafe:
            log.error("%s", why) if why else log.warning("the journal can be written again")
            self.unsafe = why
        self.state()

    def records(self) -> None:
        """Publish the records of games that have ended since."""
        for news in self._table.records.news():
            if news.trouble:
                log.error("game %s: its record cannot be told, please report it: %s", news.game, news.trouble)
                continue  # an earlier one is better than none
            self._publisher.set_record(news.game, news.parts)

    def rows(self) -> None:
        """Say that the journal has grown."""
        self._publisher.notify_rows()

    def meta(self) -> None:
        """Publish the facts about software and device."""
        who, hello, game = self._table.who, self.hello, self._table.session.game
        device = None
        if hello is not None:
            device = DevicePart(board_id=hello.board_id, firmware=hello.firmware, boot_id=hello.boot_id)
        self._publisher.set_meta(
            MetaPayload(
                event=who.event,
                board=who.board,
                game=game.game_id,
                boot=who.boot,
                seq=self._journal.seq,
                ply=len(game.plies),
                ts=time.time_ns() // 1_000_000,
                software=SOFTWARE,
                protocol="tk/1",
                language=self._language,
                device=device,
                commands=self.offer,
                contract=CONTRACT_VERSION,
            )
        )

    def diag(self, values: Mapping[str, int]) -> None:
        """Publish numbers for the technician."""
        who, game = self._table.who, self._table.session.game
        self._publisher.send_diag(
            DiagPayload(
                event=who.event,
                board=who.board,
                game=game.game_id,
                boot=who.boot,
                seq=self._journal.seq,
                ply=len(game.plies),
                ts=time.time_ns() // 1_000_000,
                values=dict(values),
            )
        )


def _matter(note: Note) -> tuple[object, ...]:
    """Return what a note is about, as the log tells it once: of what is broken, not each number it gives."""
    broken = note.code in OF_CELLS or note.code in OF_BEAMS
    return (note.code, note.place, "" if broken else note.detail)
