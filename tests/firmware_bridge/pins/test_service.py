"""`togyz pins` on a real pseudo terminal, before the real link; pins and converters are made for tests."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from firmware_bridge.pins import service
from firmware_bridge.pins.header_device import HeaderSettings
from firmware_bridge.pins.report import file_of, folder_of
from firmware_bridge.pins.service import PinsProgram, Wired
from sensors import frames
from sensors.device.port import DevicePathError
from sensors.gpio import Inputs
from sensors.header import HeaderError
from sensors.link import DeviceHello
from sensors.samples import ChannelStatus, Press, RawSample
from tests.firmware_bridge.pins.host import LineHost
from tests.sensors.rpi import core
from tests.service_manager import ListeningManager

ROOT = Path(__file__).resolve().parents[3]

BUTTONS = HeaderSettings(
    board_id="pins-1", firmware="togyz-pins 9", buttons=3, lamps=(True,) * 4, buzzer=True
)
BUTTON_PINS = Wired(factory="mock", buttons=(5, 6, 13), lamps=(16, 19, 20, 21), buzzer=26)


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    """The mock pins of the program under test."""
    found = MockFactory()
    monkeypatch.setattr(service, "open_factory", lambda _name, _folder: found)
    yield found
    found.reset()


@pytest.fixture
def rpi(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The core of a RPi.GPIO for tests."""
    yield from core(monkeypatch)


@contextmanager
def running(settings: HeaderSettings, wired: Wired, port: Path) -> Iterator[PinsProgram]:
    """Run the program beside the test."""
    program = PinsProgram(settings, wired, port)
    failed: list[BaseException] = []

    def run() -> None:
        try:
            program.run()
        except BaseException as error:  # noqa: BLE001 - the test is told
            failed.append(error)

    thread = threading.Thread(target=run, name="pins")
    thread.start()
    try:
        yield program
    finally:
        program.stop()
        thread.join(20)
    assert not thread.is_alive()
    assert failed == []


def test_buttons_and_lamps_of_a_header_reach_a_host_over_a_real_line(
    factory: MockFactory, tmp_path: Path
) -> None:
    """Hello, presses that bounce, each acknowledged, lamps and a sound; afterwards nothing is left."""
    port = tmp_path / "dev" / "board"
    with running(BUTTONS, BUTTON_PINS, port), LineHost(port) as host:
        host.until(lambda: bool(host.of(DeviceHello)))
        assert host.link.hello is not None
        assert host.link.hello.firmware == "togyz-pins 9"
        for pin in (5, 13):
            for _ in range(4):
                factory.pin(f"GPIO{pin}").drive_low()
                factory.pin(f"GPIO{pin}").drive_high()
            factory.pin(f"GPIO{pin}").drive_low()
        host.until(lambda: len(host.of(Press)) == 2)
        assert [(press.number, press.button, press.down) for press in host.of(Press)] == [
            (1, 0, True),
            (2, 2, True),
        ]
        host.link.set_lamps(on=frames.LAMP_SIDE_B | frames.LAMP_ARBITER)
        host.link.buzz(frames.SOUND_TONE, 2_000)
        host.until(lambda: bool(factory.pin("GPIO26").state))
        assert [bool(factory.pin(f"GPIO{pin}").state) for pin in (16, 19, 20, 21)] == [
            False,
            True,
            False,
            True,
        ]
        report = json.loads(Path(file_of(port)).read_text(encoding="utf-8"))
        assert report["board"] == "pins-1"
        assert report["library"] == "MockFactory"
        assert report["unwatched"] == []
    assert not port.is_symlink()
    assert not Path(folder_of(port)).exists()
    assert not factory.pin("GPIO19").state


def test_a_press_while_the_host_is_away_comes_once_when_it_is_back(
    factory: MockFactory, tmp_path: Path
) -> None:
    """With its own time; the attention lamp burned meanwhile."""
    port = tmp_path / "board"
    with running(BUTTONS, BUTTON_PINS, port):
        with LineHost(port) as host:
            host.until(lambda: bool(host.of(DeviceHello)))
        factory.pin("GPIO6").drive_low()
        with LineHost(port) as host:
            host.until(lambda: bool(host.of(Press)))
            host.until(lambda: len(host.of(RawSample)) == 0)
            assert [(press.number, press.button) for press in host.of(Press)] == [(1, 1)]


def test_converters_of_a_header_reach_a_host_in_real_time(
    rpi: Any, factory: MockFactory, tmp_path: Path
) -> None:
    """Beside count sensors and buttons; a reading that the machine was too busy for is no number."""
    port = tmp_path / "board"
    settings = HeaderSettings(board_id="pins-2", firmware="togyz-pins 9", cells=4, beams=1, buttons=1)
    wired = Wired(clock=11, data=(2, 3, 4, 17), buttons=(5,), beams=(6,))
    with running(settings, wired, port), LineHost(port) as host:

        def good() -> list[RawSample]:
            return [each for each in host.of(RawSample) if each.status[:4] == (ChannelStatus.OK,) * 4]

        host.until(lambda: len(good()) > 20)
        assert {each.raw[:4] for each in good()} == {tuple(100_000 + 1_111 * c for c in range(4))}
        factory.pin("GPIO6").drive_low()
        host.until(lambda: host.of(RawSample)[-1].raw[4] == 1)
        rpi.WORLD.stall_ns = 90_000
        host.until(lambda: ChannelStatus.READ_ERROR in host.of(RawSample)[-1].status)
        before = len(good())
        host.until(lambda: host.of(RawSample)[-1].time_us > host.of(RawSample)[before].time_us + 400_000)
        rpi.WORLD.stall_ns = 0
        seen = len(host.of(RawSample))
        host.until(lambda: len(good()) > before + 3)
        assert {each.raw[:4] for each in good()} == {tuple(100_000 + 1_111 * c for c in range(4))}
        assert seen < len(host.of(RawSample))
    assert sorted(rpi.WORLD.cleaned) == [2, 3, 4, 11, 17]


@pytest.mark.usefixtures("factory")
def test_the_share_of_discarded_readings_is_told_in_the_log_and_the_report(
    rpi: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """With what to do."""
    monkeypatch.setattr(service, "FIRST_COMPLAINT_US", 200_000)
    for name in ("COMPLAIN_EVERY_US", "REPORT_EVERY_US"):
        monkeypatch.setattr(service, name, 50_000)
    port = tmp_path / "board"
    settings = HeaderSettings(board_id="pins-2", firmware="togyz-pins 9", cells=1)
    rpi.WORLD.stall_ns = 70_000
    wired = Wired(clock=11, data=(2,))
    with caplog.at_level(logging.WARNING), running(settings, wired, port), LineHost(port) as host:

        def converters() -> dict[str, Any]:
            path = Path(file_of(port))
            said = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
            found: dict[str, Any] = said.get("converters", {})
            return found

        host.until(lambda: "readings were discarded" in caplog.text and converters().get("discarded", 0) > 0)
        found = converters()
    assert found["discarded"] == 1.0
    assert found["overlong"] == found["reads"] > 0
    assert found["longest_high_ns"] >= 70_000
    assert "100.0% of the last readings were discarded: the clock was high for up to" in caplog.text
    assert "connect the converters to a Pico (deploy/pico)" in caplog.text


@pytest.mark.usefixtures("factory")
def test_a_pin_that_cannot_be_had_leaves_nothing_behind(tmp_path: Path) -> None:
    """No name, no folder, and the other pins are free."""
    port = tmp_path / "board"
    wired = Wired(factory="mock", buttons=(5, 6), lamps=(5, None, None, None))
    with pytest.raises(HeaderError, match="GPIO5 cannot be used"):
        PinsProgram(BUTTONS, wired, port).run()
    assert not port.is_symlink()
    assert not Path(folder_of(port)).exists()
    with running(BUTTONS, BUTTON_PINS, port), LineHost(port) as host:
        host.until(lambda: bool(host.of(DeviceHello)))


def test_a_chip_that_goes_away_is_told_and_all_else_is_given_back(
    factory: MockFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library's error with what to do; one lamp that cannot be switched off keeps no other on."""
    port = tmp_path / "board"
    seen = iter(range(20))
    down = Inputs.down

    def goes(inputs: Inputs) -> list[bool]:
        if next(seen, None) is None:
            lost = factory.pin("GPIO16")
            monkeypatch.setattr(lost, "_set_state", lambda _state: (_ for _ in ()).throw(OSError("gone")))
            raise LookupError("bad handle")
        return down(inputs)

    monkeypatch.setattr(Inputs, "down", goes)
    with pytest.raises(HeaderError, match=r"can no longer be used: LookupError: bad handle. Look whether"):
        PinsProgram(BUTTONS, BUTTON_PINS, port).run()
    assert not factory.pin("GPIO20").state, "attention burnt while no host was there"
    assert not port.is_symlink()
    assert not Path(folder_of(port)).exists()


def test_a_second_program_under_the_name_is_refused_and_harms_nothing(
    factory: MockFactory, tmp_path: Path
) -> None:
    """Neither the first one's line nor its folder."""
    port = tmp_path / "board"
    with running(BUTTONS, BUTTON_PINS, port), LineHost(port) as host:
        host.until(lambda: bool(host.of(DeviceHello)))
        with pytest.raises(DevicePathError, match="another program offers its device under this name"):
            PinsProgram(BUTTONS, BUTTON_PINS, port).run()
        assert Path(folder_of(port)).exists()
        factory.pin("GPIO5").drive_low()
        host.until(lambda: bool(host.of(Press)))


def test_the_command_serves_until_it_is_told_to_stop_and_tells_its_manager(tmp_path: Path) -> None:
    """On any Linux, with gpiozero's mock pins; systemd hears that it is ready, lives and ends."""
    config = tmp_path / "board.toml"
    config.write_text(
        '[board]\nid = "pins-3"\nevent = "e"\n[device]\nport = "dev/board"\n[calibration]\nfile = "c.json"\n'
        "[pins]\nbuttons = [5, 6, 13]\nlamp_attention = 20\n",
        encoding="utf-8",
    )
    port = tmp_path / "dev" / "board"
    with ListeningManager(tmp_path / "notify") as manager:
        program = subprocess.Popen(
            [sys.executable, "-m", "firmware_bridge", "pins", str(config)],
            cwd=ROOT,
            env={**os.environ, "GPIOZERO_PIN_FACTORY": "mock", **manager.environment(watchdog_s=0.2)},
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            with LineHost(port) as host:
                host.until(lambda: bool(host.of(DeviceHello)))
                assert host.link.hello is not None
                assert host.link.hello.firmware.startswith("togyz-pins ")
                assert host.link.hello.board_id == "pins-3"
                host.until(lambda: manager.hear() and "WATCHDOG=1" in manager.lines())
            program.send_signal(signal.SIGTERM)
            _, said = program.communicate(timeout=20)
            manager.rest()
        finally:
            program.kill()
            program.wait()
    assert program.returncode == 0
    assert "MockFactory" in said
    assert (manager.lines()[0], manager.lines()[-1]) == ("READY=1", "STOPPING=1")
    assert not port.is_symlink()
