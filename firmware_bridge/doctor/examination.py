"""One whole examination: what has to be looked at is looked at side by side, and judged.

This is the edge: it asks the machine, the board, the network. All that is decided stands in the files beside
it. Nothing is changed anywhere: the port is opened only where no board and no other program has it, presses
are not acknowledged, the journal is only read.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from firmware_bridge.config import Config
from firmware_bridge.discovery.network import NetworkError, heard_halls
from firmware_bridge.discovery.notices import AUTO, HallNotice, chosen, is_everywhere
from firmware_bridge.doctor.buttons import judge_buttons
from firmware_bridge.doctor.channels import Place, judge_channels
from firmware_bridge.doctor.clock import ClockFacts, judge_clock
from firmware_bridge.doctor.device import DeviceFacts, Wanted, fits, judge_device
from firmware_bridge.doctor.findings import Check, Finding, Severity, found, sorted_findings
from firmware_bridge.doctor.link import judge_link
from firmware_bridge.doctor.looking import machine as looking_machine
from firmware_bridge.doctor.looking.board import ask_board, device_of
from firmware_bridge.doctor.looking.network import look_at_broker, look_at_hall, page_trouble
from firmware_bridge.doctor.looking.pins import look_at_pins
from firmware_bridge.doctor.looking.port import look_at_port
from firmware_bridge.doctor.looking.storage import look_at_disk, look_at_journal
from firmware_bridge.doctor.looking.system import System
from firmware_bridge.doctor.looking.watch import watch_device
from firmware_bridge.doctor.machine import judge_machine, judge_packages
from firmware_bridge.doctor.network import BrokerFacts, HallFacts, Us, judge_broker, judge_hall
from firmware_bridge.doctor.pins import judge_pins
from firmware_bridge.doctor.port import judge_port
from firmware_bridge.doctor.services import DisplayFacts, judge_display, judge_services
from firmware_bridge.doctor.storage import judge_disk, judge_journal
from firmware_bridge.layout import Seat, Seating, named_buttons, named_channels
from sensors.calibration import Calibration, CalibrationError
from sensors.calibration_file import load_calibration

MOST_HALLS: Final = 3
"""Of one event that are asked: a second is one too many already."""

_UNITS_OF_SCREEN: Final = ("togyz-table@", "togyz-kiosk@")
_FOR_THE_OWNER: Final = ("disk_not_writable", "journal_unreadable")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """How the world is reached; a test hands in its own.

    Attributes:
        system: Where the machine tells of itself.
        halls: Listens for halls on the network.
        now_ms: Wall time, milliseconds since 1970.
        synchronised: Whether the wall clock is kept right.
        watch: Watches a device on a port for some seconds.
        room: Says how much room a file system has.
    """

    system: System = field(default_factory=System)
    halls: Callable[[], Iterable[HallNotice]] = heard_halls
    now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    synchronised: Callable[[], bool | None] = looking_machine.clock_synchronised
    watch: Callable[..., DeviceFacts] = watch_device
    room: Callable[[Path], os.statvfs_result] = os.statvfs


def examine(config: Config, checks: Collection[Check] = (), ways: Ways | None = None) -> list[Finding]:
    """Return what is wrong, the gravest first; [] of a board on which all is well.

    Args:
        config: The configuration of the board.
        checks: What is looked at; none means everything.
        ways: How the world is reached.
    """
    return sorted_findings(_Examination(config, frozenset(checks) or frozenset(Check), ways or Ways()).run())


class _Examination:
    """Facts that more than one check needs, and the order in which they are looked up."""

    def __init__(self, config: Config, checks: frozenset[Check], ways: Ways) -> None:
        self._config, self._checks, self._ways = config, checks, ways
        self._wiring = config.layout.wiring()
        self._folder = config.board.state_dir / config.board.id
        self._board = ask_board(self._folder / "control.sock")
        self._journal = look_at_journal(
            self._folder / "journal.jsonl", ways.now_ms(), held=self._board.running
        )
        self._calibration, self._why_none = _calibration(config)

    def run(self) -> Iterator[Finding]:
        """Yield what is wrong, in any order."""
        with ThreadPoolExecutor(max_workers=4, thread_name_prefix="doctor") as pool:
            halls = pool.submit(self._heard) if self._wants_network else None
            parts: list[tuple[Check, Future[list[Finding]]]] = [
                (Check.DEVICE, pool.submit(self._judged, self._of_device)),
                (Check.DISK, pool.submit(self._judged, self._of_disk)),
                (Check.MACHINE, pool.submit(self._judged, self._of_machine)),
            ]
            heard = () if halls is None else _came(halls)
            if self._wants_network:
                parts.append((Check.BROKER, pool.submit(self._judged, lambda: self._of_network(heard))))
            for check, part in parts:
                yield from self._of(check, part)

    def _of(self, check: Check, part: Future[list[Finding]]) -> Iterator[Finding]:
        """Yield the findings of a part that were asked for; one that failed says so itself."""
        try:
            findings = part.result()
        except Exception as error:  # noqa: BLE001 - whatever one part stumbles over, the others are told
            findings = [found("check_failed", check=check.value, why=f"{type(error).__name__}: {error}")]
        yield from (each for each in findings if each.check in self._checks or each.code == "check_failed")

    def _judged(self, judge: Callable[[], Iterable[Finding]]) -> list[Finding]:
        return list(judge())

    @property
    def _wants_network(self) -> bool:
        return not self._checks.isdisjoint((Check.BROKER, Check.HALL, Check.CLOCK))

    def _heard(self) -> tuple[HallNotice, ...]:
        if self._config.broker.host != AUTO and Check.HALL not in self._checks:
            return ()
        try:
            return tuple(self._ways.halls())
        except NetworkError:
            return ()  # what that means for this board, broker and hall say

    # --- port, board, device ------------------------------------------------------------------------------

    def _of_device(self) -> Iterator[Finding]:
        """Yield what is wrong between the port and the cells."""
        if self._checks.isdisjoint(
            (Check.PORT, Check.BOARD, Check.DEVICE, Check.LINK, Check.CHANNELS, Check.BUTTONS)
        ):
            return
        port = look_at_port(self._config.device.port, board=self._board.running, system=self._ways.system)
        of_port = list(judge_port(port))
        yield from of_port
        if not self._config.pins.empty:
            yield from judge_pins(look_at_pins(self._config.device.port))
        yield from self._of_board()
        if self._checks.isdisjoint((Check.DEVICE, Check.LINK, Check.CHANNELS, Check.BUTTONS)):
            return  # a port that nobody wants to know anything of is not opened
        device = self._device(usable=all(each.severity is not Severity.FAULT for each in of_port))
        wanted = self._wanted()
        yield from judge_device(device, wanted)
        if device is not None:
            yield from judge_link(device)
            yield from judge_buttons(device, self._buttons())
            fitting = self._calibration if fits(device, wanted) else None
            file = str(self._config.calibration.file)
            yield from judge_channels(device.survey, fitting, self._places(), self._lies(), file)

    def _of_board(self) -> Iterator[Finding]:
        name, board = self._config.board.id, self._board
        if board.outcome == "none":
            yield found("board_not_running", board=name)
        elif board.outcome == "late":
            yield found("board_no_answer", board=name, seconds=5)
        elif board.outcome == "not_allowed":
            yield found("board_not_allowed", board=name, owner=board.owner)
        for note in board.state.get("watch", {}).get("notes", ()):
            if note.get("code") == "journal":
                yield found("board_unsafe", board=name, why=str(note.get("detail", "")))

    def _device(self, *, usable: bool) -> DeviceFacts | None:
        """Return what the device says, through the running board or by itself; None: it cannot be asked."""
        path = str(self._config.device.port)
        if not usable:
            return None
        if self._board.running:
            return device_of(self._board, path) if self._board.outcome == "answers" else None
        kinds = () if self._calibration is None else tuple(each.kind for each in self._calibration.channels)
        return self._ways.watch(path, self._config.device.baud, kinds)

    def _wanted(self) -> Wanted:
        wiring = self._wiring
        channels = {channel for _, channel in named_channels(wiring)}
        return Wanted(
            file=str(self._config.calibration.file),
            calibration=self._calibration,
            why_none=self._why_none,
            channels=frozenset(channels),
            counters=any(name.startswith("beam") for name, _ in named_channels(wiring)),
            buttons=frozenset(wiring.buttons),
            restarts=self._journal.restarts,
        )

    def _buttons(self) -> dict[int, str]:
        return {number: name for name, number in named_buttons(self._wiring)}

    def _places(self) -> tuple[Place, ...]:
        if not self._wiring.weighs:
            return ()
        names = {channel: name for name, channel in named_channels(self._wiring)}
        seat: Seat = "b" if self._board.state.get("starter_seat") == "b" else "a"
        channels = Seating(self._wiring, seat).channel_of_place
        return tuple(
            Place(channel=channel, name=names[channel], stack=place) for place, channel in enumerate(channels)
        )

    def _lies(self) -> tuple[int | None, ...] | None:
        """Return what lies on the board, as a running board knows it; None: nobody does."""
        state = self._board.state
        if not state or state.get("watch", {}).get("sensed") != "matches":
            return None
        position = state["position"]
        stones: list[int | None] = [*position["pits"], *position["kazans"]]
        for row, number in zip((9, 0), position.get("tuzdyks") or (None, None), strict=True):
            if number is not None:
                stones[row + number - 1] = None  # a mark lies there
        return tuple(stones)

    # --- disk, machine, network ----------------------------------------------------------------------------

    def _of_disk(self) -> Iterator[Finding]:
        if Check.DISK not in self._checks:
            return
        disk = look_at_disk(self._folder, self._ways.system, room=self._ways.room)
        for finding in (*judge_disk(disk), *judge_journal(self._journal)):
            # Of a board that somebody else runs, that his files are his own is no trouble.
            if self._board.outcome != "not_allowed" or finding.code not in _FOR_THE_OWNER:
                yield finding

    def _of_machine(self) -> Iterator[Finding]:
        facts = looking_machine.look_at_machine(self._ways.system)
        yield from judge_machine(facts)
        yield from judge_packages(facts)
        if self._checks.isdisjoint((Check.SERVICES, Check.DISPLAY)):
            return
        units = looking_machine.units()
        yield from judge_services(units)
        table = self._config.table
        screens = [unit for unit in units if unit.name.startswith(_UNITS_OF_SCREEN) and unit.enabled]
        kiosk = next((unit.name for unit in screens if unit.name.startswith("togyz-kiosk@")), "")
        wanted = bool(screens) or "table" in self._config.model_fields_set
        where = f"{table.host}:{table.port}"
        why = page_trouble(table.host, table.port) if wanted and table.port else ""
        browser = looking_machine.browser() is not None
        yield from judge_display(
            DisplayFacts(where=where, wanted=wanted, why=why, kiosk=kiosk, browser=browser)
        )

    def _of_network(self, heard: tuple[HallNotice, ...]) -> Iterator[Finding]:
        config = self._config
        us = Us(
            board=config.board.id,
            event=config.board.event,
            running=self._board.running,
            must_find=config.broker.host == AUTO,
        )
        broker: BrokerFacts | None = None
        if not self._checks.isdisjoint((Check.BROKER, Check.CLOCK)):
            broker = look_at_broker(config, heard)
            yield from judge_broker(broker, us)
        halls: list[HallFacts] = []
        if not self._checks.isdisjoint((Check.HALL, Check.CLOCK)):
            halls = self._halls(heard)
            yield from judge_hall(halls, us)
        yield from judge_clock(self._clock(broker, halls))

    def _halls(self, heard: tuple[HallNotice, ...]) -> list[HallFacts]:
        """Return the halls of the event that were heard, and the one that is configured here, once.

        What another event's hall is like is no business of this board.
        """
        ours = chosen(heard, self._config.board.event).ours[:MOST_HALLS]
        found_halls = [look_at_hall(each.host, each.port, each) for each in ours]
        here = self._config.hall
        listed = {each.port for each in ours}
        if here.model_fields_set & {"host", "port"} and here.port and here.port not in listed:
            host = "127.0.0.1" if is_everywhere(here.host) else here.host
            found_halls.insert(0, look_at_hall(host, here.port))
        return found_halls

    def _clock(self, broker: BrokerFacts | None, halls: list[HallFacts]) -> ClockFacts:
        told = (self._journal.latest_ms, None if broker is None else broker.told_ms)
        hall = next((each for each in halls if each.behind_ms is not None), None)
        return ClockFacts(
            now_ms=self._ways.now_ms(),
            synchronised=self._ways.synchronised(),
            known_ms=max((each for each in told if each is not None), default=None),
            ahead_ms=None if hall is None else hall.behind_ms,
            other="" if hall is None else hall.where,
        )


def _came(halls: Future[tuple[HallNotice, ...]]) -> tuple[HallNotice, ...]:
    try:
        return halls.result()
    except Exception:  # noqa: BLE001 - a network that cannot be listened on is one without halls
        return ()


def _calibration(config: Config) -> tuple[Calibration | None, str]:
    """Return the calibration of a configuration, and why it cannot be used; "" where it is not there."""
    if not config.calibration.file.exists():
        return None, ""
    try:
        return load_calibration(config.calibration.file), ""
    except CalibrationError as error:
        return None, str(error)
