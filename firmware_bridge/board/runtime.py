"""The only event loop of a board: performs what the session decides, in order.

One task takes everything that happens, one thing at a time: bytes from the port, commands from
the socket, the passing of time. What an input leads to is written to the journal and on disk
before the device is acknowledged, the dials are changed or anything is published (house law 3).
The serial port and the journal have threads of their own; nothing here waits for a card or a cable.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from functools import partial
from typing import Any

from firmware_bridge.board.alerts import Alerts, Kind
from firmware_bridge.board.announcing import Announcer, Publisher
from firmware_bridge.board.calibrating import BEING_CALIBRATED, Calibrating
from firmware_bridge.board.consequences import of_fault, of_plan
from firmware_bridge.board.control import ControlServer
from firmware_bridge.board.desk import Desk, Line
from firmware_bridge.board.dials import clock_view
from firmware_bridge.board.inputs import (
    Acknowledge,
    ButtonPressed,
    DeviceArrived,
    DeviceGone,
    Input,
    Release,
    ShowClock,
    Step,
)
from firmware_bridge.board.memory.journal import Journal
from firmware_bridge.board.requests.answers import answer_to
from firmware_bridge.board.requests.commands import parse_command
from firmware_bridge.board.requests.words import CommandError
from firmware_bridge.board.session.eye import Eye
from firmware_bridge.board.session.notes import in_words
from firmware_bridge.board.settings import BoardSettings, own_game
from firmware_bridge.board.signs import Signs
from firmware_bridge.board.surveying import Surveying
from firmware_bridge.board.table import Table
from firmware_bridge.board.tracing.recorder import Source, Tracing
from firmware_bridge.board.turns import Turns, Work
from firmware_bridge.board.vigil import Vigil
from firmware_bridge.wire.version import SOFTWARE
from rules.errors import RulesError
from rules.game import Phase, PressId
from sensors.calibration import Calibration, mismatch
from sensors.frames import Hello
from sensors.link import DeviceHello, Link, LinkEvent, LinkLost, LinkRestored
from sensors.samples import Fault, Press, RawSample
from sensors.serial_port import PortState, SerialPort

log = logging.getLogger(__name__)

BEHIND_S = 3.0
"""How old what the device sent may be before that is said: answers then wait as long (`control.ask`: 5 s)."""

SAID_EVERY_S = 60.0
"""That a board is behind is said at most so often."""

POLL_EVERY_S = 0.1
"""How often the link is asked for its timeouts and heartbeats."""


class Board:
    """One running board."""

    def __init__(
        self,
        settings: BoardSettings,
        journal: Journal,
        table: Table,
        publisher: Publisher,
        line: Line | None = None,
        vigil: Vigil | None = None,
    ) -> None:
        """Put a table to work: its device, its socket and its publisher; `line` brings commands, if any.

        `vigil` tells a service manager how the board stands; without one nobody asked.
        """
        self._settings = settings
        self._journal = journal
        self._table = table
        self._announcer = Announcer(table, journal, publisher, settings.language)
        self._line = line
        self._announcer.offer = None if line is None else line.gate.offer
        self._vigil = vigil or Vigil(None, "", 0.0)
        table.in_trouble = self._card_refuses
        device, pressed = table.timeline.device, table.last_press
        known = pressed is not None and device is not None and pressed.boot == device.boot_id
        self._events_seen = pressed.number if known and pressed is not None else 0
        self._link = Link(
            expected_boot=None if device is None else device.boot_id, last_event=self._events_seen
        )
        routes = {Kind(name): told for name, told in settings.routes.items()}
        alerts = Alerts(routes)
        self._signs = Signs(table, self._link, alerts, lambda: self._announcer.unsafe)
        self._announcer.also = self._signs.show
        self._eye = Eye(settings.calibration)
        self._surveying = Surveying(settings.wiring, self._link)
        self._tracing = Tracing(settings, SOFTWARE, journal.host_boot)
        self._calibrating = Calibrating(
            settings.wiring,
            self._link,
            settings.state_dir,
            settings.calibration_file,
            self._surveying.report,
        )
        self._calibrating.begun, self._calibrating.ended = self._calibration_begun, self._calibration_ended
        self._begun_anew = False
        self._inbox = Turns()
        self._said_behind_s = -SAID_EVERY_S

    # --- running ------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Serve the board until cancelled.

        Raises:
            ControlError: The control socket cannot be made.
        """
        loop = asyncio.get_running_loop()

        def post(work: Work) -> None:
            loop.call_soon_threadsafe(self._inbox.put_nowait, work)

        control = ControlServer(self._settings.state_dir / "control.sock", self._answer)
        self._signs.page = lambda view: control.show(view.model_dump_json().encode())
        self._port = SerialPort(
            str(self._settings.device_path),
            on_bytes=lambda data: post(partial(self._received, data, time.monotonic())),
            on_state=lambda state, reason: post(lambda: self._port_changed(state, reason)),
            baudrate=self._settings.baud,
        )
        self._tracing.start_always()
        await self._trace_if_due()
        await self._table.started()
        await self._assign_if_free()
        self._announcer.meta()
        self._announcer.state()
        self._announcer.records()
        await control.start()
        self._port.start()
        helpers = [asyncio.create_task(self._poll(), name="link poll")]
        if self._line is not None:
            desk = Desk(self._line, self._command, lambda: len(self._table.session.game.plies))
            helpers.append(asyncio.create_task(desk.serve(self._inbox.in_turn), name="commands"))
        try:
            await self._inbox.serve()
        finally:
            for helper in helpers:
                helper.cancel()
            await asyncio.gather(*helpers, return_exceptions=True)
            await control.close()
            self._port.close()
            await self._tracing.close()

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_EVERY_S)
            await self._inbox.put(self._tick)

    async def _tick(self) -> None:
        await self._link_events(self._link.poll(_now_us()))
        await self._table.mark_time()
        await self._calibrating.tick(_now_us())
        self._tracing.tick(self._table.session)
        await self._trace_if_due()
        self._tell()
        self._vigil.tick(time.monotonic(), port_lives=self._port.lives)
        refused = None if self._line is None else self._line.refusals.news()
        if refused is not None:
            self._announcer.diag(refused)

    async def _trace_if_due(self) -> None:
        """Begin a trace that waits to begin, with eye and session as a program started now has them."""
        table = self._table
        if not self._tracing.due(table.session):
            return
        self._eye = Eye(self._settings.calibration)
        table.set_up_again()
        now_us = table.timeline.latest_us
        self._tracing.begin(self._journal.records, table.evidence, now_us, table.session.watch)
        if self._announcer.hello is not None:
            await self._arrive(self._announcer.hello, restarted=False)

    async def _received(self, data: bytes, heard_s: float) -> None:
        now_s = time.monotonic()
        if now_s - heard_s > BEHIND_S and now_s - self._said_behind_s >= SAID_EVERY_S:
            self._said_behind_s = now_s
            log.warning(
                "the board is %.0f s behind its device: this machine is too busy; what else runs on it? "
                "Stones that nothing explains take time, too: see `togyz control CONFIG status`",
                now_s - heard_s,
            )
        await self._link_events(self._link.receive(data, _now_us()))

    async def _port_changed(self, state: PortState, reason: str) -> None:
        if state is PortState.OPEN:
            log.info("%s: open", self._settings.device_path)
            self._link.connected(_now_us())
        else:
            log.warning("%s", reason)
            self._link.disconnected(_now_us(), reason)
            await self._take(DeviceGone(reason))
        self._flush()

    def _flush(self) -> None:
        data = self._link.data_to_send()
        if data:
            self._port.write(data)

    # --- what the link says ---------------------------------------------------------------------------

    async def _link_events(self, events: list[LinkEvent]) -> None:
        for event in events:
            self._tracing.heard(event)
            self._surveying.heard(event, _now_us())
            self._calibrating.heard(event, _now_us())
            match event:
                case RawSample():
                    await self._sample(event)
                case Press():
                    await self._pressed(event)
                case DeviceHello():
                    await self._greeted(event)
                case LinkLost():
                    log.warning("device silent: %s", event.reason)
                    await self._take(DeviceGone(event.reason))
                case LinkRestored():
                    log.info("device heard again")
                case Fault():
                    await self._trouble(event)
        self._flush()

    async def _trouble(self, fault: Fault) -> None:
        log.warning("device: %s", fault.detail)
        follows = of_fault(fault, self._table.timeline.latest_us)
        if follows is not None:
            await self._take(follows)

    async def _sample(self, sample: RawSample) -> None:
        if self._announcer.hello is None:
            return
        at_us = self._table.timeline.table_us(sample.time_us)
        await self._take(self._eye.look(at_us, sample), sample)

    async def _pressed(self, press: Press) -> None:
        if self._calibrating.active:
            await self._drop(press)
            return
        if self._announcer.hello is None:
            return  # a board that is not ours may press what it likes; it is not told to forget it either
        if press.down:
            await self._take(self._as_input(press), press)
        else:
            await self._note(press)

    async def _drop(self, press: Press) -> None:
        """Let a press made while calibrating mean nothing: it is written down, and the device forgets it."""
        device = self._table.timeline.device
        if device is not None and device.boot_id == press.boot_id:
            await self._note(press)

    async def _note(self, press: Press) -> None:
        """Write down an edge that means nothing at the table, and let the device forget it."""
        await self._table.note_press(self._as_input(press))
        self._link.acknowledge(press)

    def _as_input(self, press: Press) -> ButtonPressed:
        """Return an edge in table time; from now on the dials' CLOCK counts it as seen."""
        self._events_seen = press.number
        at_us = self._table.timeline.table_us(press.time_us)
        return ButtonPressed(at_us, press.button, PressId(press.boot_id, press.number))

    async def _greeted(self, event: DeviceHello) -> None:
        hello, timeline = event.hello, self._table.timeline
        if self._calibrating.active:
            self._begun_anew |= event.same_boot is False
            return
        log.info("device %s, firmware %s, boot %08x", hello.board_id, hello.firmware, hello.boot_id)
        wrong = mismatch(self._settings.calibration, hello.board_id, hello.channels, hello.features)
        if wrong is not None:
            log.error("%s", wrong.detail)
            self._announcer.hello = None
            await self._take(DeviceGone(wrong.detail))
            return
        self._announcer.hello = hello
        known = timeline.device
        if known is None or known.boot_id != hello.boot_id:
            self._events_seen = self._events_seen if known is None else 0
        restarted = timeline.arrived(
            hello.boot_id, hello.uptime_us, hello.time_scale, trusted=event.same_boot is not False
        )
        self._announcer.meta()
        await self._arrive(hello, restarted=restarted)

    async def _arrive(self, hello: Hello, *, restarted: bool) -> None:
        rate_hz, at_us = hello.rate_centihz / 100, self._table.timeline.latest_us
        self._eye.arrived(rate_hz, restarted=restarted)
        await self._take(DeviceArrived(at_us, restarted, hello.time_scale, rate_hz), hello)

    # --- calibrating -----------------------------------------------------------------------------------

    async def _calibration_begun(self) -> None:
        """Let the table be without its device: no stone laid now is a move."""
        self._announcer.hello, self._begun_anew = None, False
        await self._take(DeviceGone(BEING_CALIBRATED))

    async def _calibration_ended(self, found: Calibration | None) -> None:
        """Look at the board again, by another calibration if there is one, as a program started now would."""
        if found is not None:
            self._settings = replace(self._settings, calibration=found)
            self._eye = Eye(found)
            self._table.recalibrated(found)
            self._tracing.recalibrated(self._settings)
        if self._link.hello is not None:
            await self._greeted(DeviceHello(self._link.hello, same_boot=not self._begun_anew))

    def _card_refuses(self, why: str) -> None:
        self._vigil.card(why, time.monotonic())
        self._announcer.journal_trouble(why)

    # --- what the table answers -------------------------------------------------------------------------

    async def _take(self, event: Input, source: Source = None) -> Step:
        before = self._journal.seq
        self._tracing.take(event, source, self._table.timeline.device)
        try:
            step = await self._table.take(event)
        except RulesError:
            self._tracing.step(Step(), self._table.session.watch)
            raise
        self._tracing.step(step, self._table.session.watch)
        self._vigil.took(event, source)
        for effect in step.effects:
            match effect:
                case Acknowledge():
                    if isinstance(source, Press):
                        self._link.acknowledge(source)
                case ShowClock():
                    self._show_clock()
        if step.events:
            for item in step.events:
                log.info("%s", in_words(item))
            self._announcer.state()
            self._announcer.records()
        if self._journal.seq > before:
            self._announcer.rows()
        return step

    def _show_clock(self) -> None:
        if self._announcer.hello is None:
            return
        timeline, session = self._table.timeline, self._table.session
        view = clock_view(
            session.game,
            session.seating,
            timeline.latest_us,
            timeline.device_us,
            events_seen=self._events_seen,
        )
        self._link.show_clock(view)

    def _tell(self) -> None:
        """Publish the state when what is seen has changed, and from time to time anyway."""
        if self._announcer.due:
            self._announcer.state()
            self._flush()

    # --- commands -----------------------------------------------------------------------------------------

    async def _assign_if_free(self) -> None:
        plan, game = self._settings.plan, self._table.session.game
        if game.phase in (Phase.ASSIGNED, Phase.SETTING_UP, Phase.READY):
            if (game.names, game.starter_seat, game.control) == (plan.names, plan.starter_seat, plan.control):
                return
            if not own_game(self._settings.board_id, game.game_id or ""):
                return  # the hall gave it, and knows of no other
            log.warning("the game not begun is given up: the configuration names another one now")
            await self._take(Release(self._table.timeline.latest_us))
        if self._table.session.game.phase not in (Phase.UNASSIGNED, Phase.RELEASED):
            return
        game_id = f"{self._settings.board_id}-{self._journal.seq}"
        await self._take(of_plan(plan, game_id, self._table.timeline.latest_us))

    async def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer one request from the control socket, in turn with everything else but a trace's disk."""
        if request.get("do") == "trace":
            return await self._tracing.answer(request)
        try:
            return await self._inbox.in_turn(lambda: self._obey(request))
        except RulesError as error:
            return {"ok": False, "why": str(error)}

    async def _obey(self, request: dict[str, Any]) -> dict[str, Any]:
        calibration = self._settings.calibration
        match request.get("do"):
            case "status":
                return {"ok": True, "state": self._table.state().model_dump(mode="json")}
            case "survey":
                return self._surveying.answer(request, calibration, _now_us())
            case "calibrate":
                phase = self._table.session.game.phase
                return await self._calibrating.answer(request, phase, calibration, _now_us())
        return await self._command(request)

    async def _command(self, request: dict[str, Any]) -> dict[str, Any]:
        """Carry out a command of an arbiter, from wherever it came."""
        try:
            command = parse_command(request, self._table.timeline.latest_us)
        except CommandError as error:
            return {"ok": False, "why": str(error)}
        step = await self._take(command)
        self._flush()
        return answer_to(step, self._table.state)


def _now_us() -> int:
    """Read the host's own clock: it judges silence and outages, never the game."""
    return time.monotonic_ns() // 1000
