"""The session with its memory: what was decided is on disk before anyone hears of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from firmware_bridge.board.inputs import ButtonPressed, Input, Step, Watch
from firmware_bridge.board.memory.journal import Journal, JournalError
from firmware_bridge.board.memory.records import Records
from firmware_bridge.board.memory.rows import DeviceTime, Record
from firmware_bridge.board.memory.telling import (
    HOST_STARTED,
    Chronicle,
    Identity,
    Moment,
    Rows,
    press_of,
    press_taken,
    rate_of,
    state_payload,
    time_mark,
    watch_part,
)
from firmware_bridge.board.memory.timeline import Timeline
from firmware_bridge.board.refereeing.telling import advised
from firmware_bridge.board.session.eye import EvidenceError, session_of
from firmware_bridge.board.session.notes import with_standing
from firmware_bridge.board.session.rate import SampleRate, with_rate
from firmware_bridge.board.session.session import Session
from firmware_bridge.board.settings import BoardSettings
from firmware_bridge.wire.payloads import PayloadError, StatePayload
from rules.errors import RulesError
from rules.game import DrawAnswered, DrawOffered, event_to_json
from sensors.calibration import Calibration

MARK_EVERY_US = 15_000_000
"""How much thinking time a power cut may give back (wall time); four small writes a minute spare the card."""

RETRY_S = 1.0
"""How often a refused write is tried again: a full card is emptied by people, not by machines."""


class Table:
    """The session with its memory: what was decided is on disk before anyone hears of it.

    Attributes:
        session: The life of the table.
        timeline: Where device time lies on table time.
        last_press: The last press the journal knew when the program was started; None before any.
        rows: The event messages not yet confirmed by the broker.
        records: The records of the games that have ended.
    """

    def __init__(
        self, settings: BoardSettings, journal: Journal, in_trouble: Callable[[str], None] = lambda _why: None
    ) -> None:
        """Set the table up again from what the journal holds.

        Args:
            settings: What the board was told.
            journal: Its journal, open.
            in_trouble: Called with the reason whenever the journal could not be written, and with an
                empty one when it can be written again.

        Raises:
            JournalError: What it holds cannot follow from itself.
        """
        self._journal = journal
        self.in_trouble = in_trouble
        self.who = Identity(settings.event_id, settings.board_id, journal.host_boot)
        self._told = 0
        self._chronicle = Chronicle()
        self.rows = Rows()
        self.records = Records(self.who)
        device: DeviceTime | None = None
        for record in journal.records:
            self._remember(record)
            device = record.device or device
        self.timeline = Timeline(self._chronicle.at_us, device)
        self.last_press = self._chronicle.last_press
        self._settings = settings
        self._rate = SampleRate()
        self.session = self._set_up()

    def _set_up(self) -> Session:
        try:
            return session_of(
                wiring=self._settings.wiring,
                calibration=self._settings.calibration,
                conducts=self._settings.plan.conducts,
                game=self._chronicle.game,
                evidence=self._chronicle.evidence,
            )
        except EvidenceError as error:
            raise JournalError(
                f"{self._journal.path}: {error}. Move the journal aside to begin anew."
            ) from error

    def set_up_again(self) -> None:
        """Set the session up from the journal, as a program started now does; no device has arrived then."""
        self.session = self._set_up()

    def recalibrated(self, calibration: Calibration) -> None:
        """Set the session up from the journal, by another calibration; no device has arrived then."""
        self._settings = replace(self._settings, calibration=calibration)
        self.session = self._set_up()

    @property
    def evidence(self) -> Mapping[str, Any]:
        """The newest evidence in the journal; empty before any."""
        return self._chronicle.evidence

    @property
    def infractions(self) -> Mapping[int, Mapping[str, Any]]:
        """What each infraction of the game rests on, by its number."""
        return self._chronicle.infractions

    @property
    def ruled(self) -> int | None:
        """Which record let a position hold that no move has followed since; None: none did."""
        return self._chronicle.ruled

    def _remember(self, record: Record) -> None:
        try:
            event = self._chronicle.take(record)
            if event is not None:
                self.records.take(event, record, self._chronicle.game)
            self.rows.add(record.seq, self._chronicle.row(self.who, record))
        except (RulesError, PayloadError, KeyError, TypeError) as error:
            raise JournalError(
                f"{self._journal.path}: record {record.seq} cannot follow from those before it ({error}); "
                "it was written by another version, or by hand. Move the journal aside to begin anew."
            ) from error

    async def started(self) -> None:
        """Write down that the program was started."""
        await self._append([HOST_STARTED])

    async def take(self, event: Input) -> Step:
        """Let the session take one input and make what it decided durable, however long that takes.

        While the disk refuses, nothing is acknowledged, shown or published: the device keeps the
        presses and drives the dials by itself, and lights its lamp since it hears nothing (house law 3).
        """
        self._rate.take(event)
        step = self.session.handle(event)
        rows: list[dict[str, Any]] = [event_to_json(item) for item in step.events]
        if isinstance(event, ButtonPressed) and not any(press_of(item) for item in step.events):
            # Behind an offer: if the power fails between the two, the press comes again and changes nothing.
            offered = any(isinstance(item, DrawOffered | DrawAnswered) for item in step.events)
            rows.insert(len(rows) if offered else 0, press_taken(event))
        if rows:
            await self._append(rows)
        return step

    async def note_press(self, pressed: ButtonPressed) -> None:
        """Write a press down that asks nothing of the session, such as a button let go."""
        await self._append([press_taken(pressed)])

    async def mark_time(self) -> None:
        """Write the time down now and then while a clock runs.

        When device and host lose their power together, the journal's last moment is all that is known
        of the clock: without marks a long think would be given back whole.
        """
        device, clock = self.timeline.device, self.session.game.clock
        if device is None or clock is None or clock.running is None:
            return
        if self.timeline.latest_us - self._chronicle.at_us >= MARK_EVERY_US * device.time_scale:
            await self._append([time_mark(self.timeline.latest_us)])

    async def _append(self, events: Sequence[dict[str, Any]]) -> None:
        wall_ms = time.time_ns() // 1_000_000
        refused = False
        while True:
            try:
                records = await self._journal.append(events, device=self.timeline.device, wall_ms=wall_ms)
                break
            except JournalError as error:
                refused = True
                self.in_trouble(str(error))
                await asyncio.sleep(RETRY_S)
        if refused:
            self.in_trouble("")
        for record in records:
            self._remember(record)

    @property
    def watch(self) -> Watch:
        """How the board looks at this moment, what is broken, and whether its device is fast enough."""
        watch = with_standing(self.session.watch, self.session.standing)
        return with_rate(watch, self.session.game, self._rate)

    def state(self) -> StatePayload:
        """Return the table as it stands now, for whoever comes late."""
        rate = rate_of(self.timeline.device)
        self._told += 1
        wall_ms = time.time_ns() // 1_000_000
        when = Moment(self._journal.seq, self.timeline.latest_us, wall_ms, rate, self._told)
        session = self.session
        watch = watch_part(self.watch, session.held, session.seating)
        told = advised(session.advice(self.timeline.latest_us))
        return state_payload(self.who, when, session.game, watch, self._chronicle.last, told)
