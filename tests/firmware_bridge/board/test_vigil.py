"""What a board tells its service manager, and when it no longer shows that it lives."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from firmware_bridge.board import runtime
from firmware_bridge.board.inputs import DeviceArrived, DeviceGone, DeviceTrouble, Looked
from firmware_bridge.board.memory.journal import JournalError
from firmware_bridge.board.vigil import DEVICE_PATIENCE_S, Vigil
from firmware_bridge.watchdog import Watchdog
from rules.errors import RulesError
from sensors import frames
from sensors.frames import Hello
from sensors.samples import RawSample
from sensors.serial_port import PortState
from tests.firmware_bridge.board.wired import HELLO, NINES, SECOND, Wired

LIMIT_S = 20.0
SAMPLE = RawSample(0, (), ())


class Manager:
    """Keeps what is told, in order."""

    def __init__(self) -> None:
        """Begin with nothing told."""
        self.watchdog = Watchdog(LIMIT_S)
        self.told: list[str] = []

    def ready(self, status: str) -> None:
        """Keep it."""
        self.told += ["READY", status]

    def status(self, status: str) -> None:
        """Keep it."""
        self.told.append(status)

    def alive(self) -> None:
        """Keep it."""
        self.told.append("ALIVE")


class Watched:
    """A vigil, its manager, and a clock."""

    def __init__(self) -> None:
        """Begin at one hundred seconds."""
        self.manager = Manager()
        self.now_s = 100.0
        self.vigil = Vigil(self.manager, "/dev/b", self.now_s)

    def arrived(self, hello: Hello = HELLO) -> None:
        """Let the device say hello."""
        self.vigil.took(DeviceArrived(0, restarted=False), hello)

    def sample(self) -> None:
        """Let a sample be taken to its end."""
        self.vigil.took(Looked(0, ()), SAMPLE)

    def passes(self, seconds: float, *, port_lives: bool = True, samples: bool = False) -> list[str]:
        """Let time pass, a tick each second; return what was told meanwhile."""
        before = len(self.manager.told)
        for _ in range(round(seconds)):
            self.now_s += 1.0
            if samples:
                self.sample()
            self.vigil.tick(self.now_s, port_lives=port_lives)
        return self.manager.told[before:]


READ = "the device at /dev/b is read"


def test_a_board_is_ready_when_its_device_has_said_hello() -> None:
    """Not before, and at once."""
    watched = Watched()
    assert watched.passes(3) == []
    watched.arrived()
    assert watched.passes(1) == ["READY", READ]


def test_a_board_without_a_device_is_ready_all_the_same_and_says_so() -> None:
    """It must come up and be commandable; who looks at its status sees what it lacks."""
    watched = Watched()
    watched.vigil.took(DeviceGone("/dev/b is not there"), None)
    assert watched.passes(DEVICE_PATIENCE_S - 1) == []
    assert watched.passes(1) == ["READY", "degraded: no device at /dev/b: /dev/b is not there"]
    watched.arrived()
    assert watched.passes(1, samples=True) == [READ]
    watched.vigil.took(DeviceGone("/dev/b hung up"), None)
    assert watched.passes(1) == ["degraded: no device at /dev/b: /dev/b hung up"]


def test_a_board_that_takes_samples_lives() -> None:
    """A sign every half of the limit."""
    watched = Watched()
    watched.arrived()
    assert watched.passes(31, samples=True) == ["READY", READ, *["ALIVE"] * 3]


def test_a_board_whose_samples_are_no_longer_taken_gives_no_sign() -> None:
    """Its loop goes round, its device is there, and yet it sees nothing: it is to be started again."""
    watched = Watched()
    watched.arrived()
    watched.passes(15, samples=True)
    assert watched.passes(60) == []
    assert watched.passes(1, samples=True) == ["ALIVE"]


@pytest.mark.parametrize(
    ("outage", "status"),
    [
        (DeviceGone("silent"), "degraded: no device at /dev/b: silent"),
        (DeviceTrouble("no usable sample"), "degraded: no usable sample"),
    ],
)
def test_a_declared_outage_is_no_standstill(outage: DeviceGone | DeviceTrouble, status: str) -> None:
    """To start the board again would mend no cable, and lose what it saw of the game."""
    watched = Watched()
    watched.arrived()
    watched.passes(1, samples=True)
    watched.vigil.took(outage, None)
    assert watched.passes(40) == [status, *["ALIVE"] * 4]


def test_a_port_whose_thread_has_ended_gives_no_sign_in_an_outage_either() -> None:
    """The link calls the device silent then; but no device would ever be heard again."""
    watched = Watched()
    watched.vigil.took(DeviceGone("silent"), None)
    watched.passes(DEVICE_PATIENCE_S)
    assert watched.passes(60, port_lives=False) == []


@pytest.mark.parametrize(
    "hello",
    [
        HELLO._replace(features=frames.FEATURE_BUTTONS),
        HELLO._replace(channels=0),
        HELLO._replace(rate_centihz=99),
    ],
)
def test_a_device_whose_silence_the_link_does_not_notice_owes_no_samples(hello: Hello) -> None:
    """One that weighs nothing, or hardly ever: its board would be killed for nothing."""
    watched = Watched()
    watched.arrived(hello)
    assert watched.passes(21) == ["READY", READ, *["ALIVE"] * 2]


def test_a_device_whose_time_runs_faster_samples_as_often_as_the_wall_sees_it() -> None:
    """An emulated one at twenty times the speed: it owes samples."""
    watched = Watched()
    watched.arrived(HELLO._replace(rate_centihz=99, time_scale=20))
    assert watched.passes(21) == ["READY", READ]


def test_a_card_that_refuses_is_an_outage_and_is_said() -> None:
    """The loop tries it again and again (house law 3): that is where it lives meanwhile."""
    watched = Watched()
    watched.arrived()
    watched.passes(1, samples=True)
    before = len(watched.manager.told)
    for _ in range(40):
        watched.now_s += 1.0
        watched.vigil.card("j: the journal cannot be written", watched.now_s)
    watched.vigil.card("", watched.now_s)
    assert watched.manager.told[before:] == [
        "degraded: j: the journal cannot be written",
        *["ALIVE"] * 4,
        READ,
    ]


def test_a_card_that_refuses_from_the_start_makes_no_board_ready() -> None:
    """It serves nobody yet: its start runs into the service's timeout, and is tried again."""
    watched = Watched()
    for _ in range(40):
        watched.now_s += 1.0
        watched.vigil.card("j: the journal cannot be written", watched.now_s)
    assert watched.manager.told == []


# --- in the board's own loop ----------------------------------------------------------------------------


class Minder:
    """A wired board under watch, and the time its loop believes in."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Set a board up; `now_s` is what it reads from the clock."""
        self.now_s, self.manager = 100.0, Manager()
        clock = SimpleNamespace(
            monotonic=lambda: self.now_s, monotonic_ns=lambda: round(self.now_s * 1_000_000_000)
        )
        monkeypatch.setattr(runtime, "time", clock)
        self.wired = Wired(folder)
        self.wired.board._vigil = Vigil(self.manager, "/dev/b", self.now_s)

    @property
    def device_us(self) -> int:
        """What the device's own clock says."""
        return round((self.now_s - 100.0) * SECOND)

    async def goes_on(self, seconds: int, *, samples: bool) -> int:
        """Let time pass; return how often the board showed meanwhile that it lives."""
        before = self.manager.told.count("ALIVE")
        for _ in range(seconds):
            self.now_s += 1.0
            if samples:
                at_us = self.device_us
                await self.wired.show(NINES, at_us, at_us + 1)
            await self.wired.board._tick()
        return self.manager.told.count("ALIVE") - before


@pytest.fixture
def minder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Minder:
    """A board not yet plugged in."""
    return Minder(tmp_path, monkeypatch)


def test_a_session_that_refuses_every_sample_is_no_living_board(
    minder: Minder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop leaves out what cannot follow and goes round, but nothing is refereed."""
    take = minder.wired.table.take

    async def refuse(event: Any) -> Any:
        if isinstance(event, Looked):
            raise RulesError("cannot follow")
        return await take(event)

    async def scene() -> None:
        await minder.wired.plugged()
        assert await minder.goes_on(31, samples=True) == 3
        monkeypatch.setattr(minder.wired.table, "take", refuse)
        for _ in range(60):
            with pytest.raises(RulesError):
                await minder.goes_on(1, samples=True)
            assert await minder.goes_on(1, samples=False) == 0

    asyncio.run(scene())


def test_a_board_whose_device_is_away_lives(minder: Minder) -> None:
    """Its port says so, and is tried for ever."""

    async def scene() -> None:
        await minder.wired.plugged()
        await minder.goes_on(1, samples=True)
        await minder.wired.board._port_changed(PortState.LOST, "/dev/b hung up")
        assert await minder.goes_on(40, samples=False) == 4

    asyncio.run(scene())
    assert minder.manager.told[-1] == "ALIVE"
    assert "degraded: no device at /dev/b: /dev/b hung up" in minder.manager.told


def test_a_board_whose_port_has_no_thread_any_more_shows_no_life(minder: Minder) -> None:
    """A callback that failed has ended it; the link hears silence, and would call that an outage for ever."""

    async def scene() -> None:
        await minder.wired.plugged()
        await minder.goes_on(1, samples=True)
        await minder.wired.board._port_changed(PortState.LOST, "silent")
        minder.wired.port.lives = False
        assert await minder.goes_on(40, samples=False) == 0

    asyncio.run(scene())


def test_a_board_whose_card_refuses_lives(minder: Minder, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of one input, for as long as it takes."""
    monkeypatch.setattr("firmware_bridge.board.table.RETRY_S", 0.0)
    append, tries = minder.wired.journal.append, 0

    async def refuse(*words: Any, **more: Any) -> Any:
        nonlocal tries
        tries += 1
        minder.now_s += 1.0
        if tries <= 40:
            raise JournalError("the card is full")
        return await append(*words, **more)

    async def scene() -> None:
        await minder.wired.plugged()
        await minder.goes_on(1, samples=True)
        monkeypatch.setattr(minder.wired.journal, "append", refuse)
        before = minder.manager.told.count("ALIVE")
        await minder.wired.press(1, 0, minder.device_us)
        assert minder.manager.told.count("ALIVE") - before == 4

    asyncio.run(scene())
    assert minder.manager.told[-1] == READ
