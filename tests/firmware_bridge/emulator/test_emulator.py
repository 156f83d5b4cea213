"""The emulated board on a real pseudo terminal, at high speed, against a tiny host."""

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest

from firmware_bridge.emulator.commands import Break, PowerCycle, Stop, Tell, Unplug
from firmware_bridge.emulator.emulator import (
    PLAIN_WIRING,
    Emulator,
    EmulatorSettings,
    EmulatorSummary,
    build_world,
    measure,
)
from firmware_bridge.emulator.pace import BLITZ
from firmware_bridge.emulator.records import Record, bundled_record, parse_record
from firmware_bridge.emulator.service import run_emulator
from firmware_bridge.emulator.told import parse_steps
from rules.position import Side, outcome
from sensors import frames
from sensors.device.port import DevicePathError
from sensors.simulator.world import ChannelFault
from tests.firmware_bridge.emulator.random_games import random_sowings
from tests.sensors.device.tiny_host import TinyHost

LIMIT_S = 60.0
"""No wait in this file takes longer; a slow machine needs a fraction of it."""


class SerialHost:
    """The tiny host on a file descriptor; reopens the path when the line breaks."""

    def __init__(self, path: Path, host: TinyHost) -> None:
        self.path = path
        self.host = host
        self.opened = 0
        self._fd: int | None = None

    def turn(self) -> None:
        """One look at the line."""
        if self._fd is None:
            self._open()
            return
        select.select([self._fd], [], [], 0.005)
        try:
            while data := os.read(self._fd, 65536):
                self.host.receive(data)
            self.close()
        except BlockingIOError:
            os.write(self._fd, self.host.poll(time.monotonic_ns() // 1000))
        except OSError:
            self.close()

    def close(self) -> None:
        """Close the port."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _open(self) -> None:
        try:
            self._fd = os.open(self.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.01)
            return
        self.opened += 1
        self.host.decoder = frames.Decoder()
        self.host.put(frames.HELLO_REQUEST, frames.pack_hello_request(frames.HelloRequest(1, 0)))


class Running:
    """An emulator in a thread with a host beside it."""

    def __init__(self, settings: EmulatorSettings) -> None:
        self.events: list[dict[str, object]] = []
        self.emulator = Emulator(settings, self.events.append)
        self.serial = SerialHost(settings.device_path, TinyHost(plies=len(settings.record.sowings)))
        self.summary: EmulatorSummary | None = None

    @property
    def host(self) -> TinyHost:
        """The host."""
        return self.serial.host

    def until(self, true: Callable[[], bool]) -> None:
        """Serve the host until something holds."""
        deadline = time.monotonic() + LIMIT_S
        while not true():
            assert time.monotonic() < deadline, self.events[-5:]
            self.serial.turn()

    def told(self, event: str) -> list[dict[str, object]]:
        """The events of one name."""
        return [each for each in self.events if each["event"] == event]


@contextmanager
def running(settings: EmulatorSettings) -> Iterator[Running]:
    """Run an emulator in a thread; stopped and joined afterwards."""
    run = Running(settings)

    def serve() -> None:
        run.summary = run.emulator.run()

    thread = threading.Thread(target=serve, name="emulator")
    thread.start()
    try:
        yield run
    finally:
        run.serial.close()
        run.emulator.post(Stop())
        thread.join()


def make_settings(path: Path, record: Record, **changes: object) -> EmulatorSettings:
    """A fast board with blitz players."""
    base: dict[str, object] = {
        "device_path": path,
        "record": record,
        "pace": BLITZ,
        "speed": 40,
        "entropy": 1,
    }
    return EmulatorSettings(**(base | changes))  # type: ignore[arg-type] # the fields of the test at hand


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the device appears."""
    return tmp_path / "board"


def test_a_game_is_played_through_the_terminal(path: Path) -> None:
    """Ready, plies with texts, finished; every press arrives once; the name is gone at the end."""
    record = parse_record("32 98 78 44")
    with running(make_settings(path, record, board_id="t-1")) as run:
        run.until(lambda: bool(run.told("finished")) and len(run.host.presses) == 6)
        assert run.host.hello is not None
        assert (run.host.hello.board_id, run.host.hello.time_scale) == ("t-1", 40)
    assert [event["text"] for event in run.told("ply")] == ["3:2", "9-8", "7:8", "4:4"]
    assert run.told("finished") == [{"event": "finished", "plies": 4, "result": None}]
    assert run.told("ready")[0]["device"] == str(path)
    assert list(run.host.presses) == list(range(1, 7))
    assert run.host.data_received > 100
    assert run.summary is not None
    assert (run.summary.plies, run.summary.finished) == (4, True)
    assert not path.is_symlink()


def test_a_game_to_its_end_tells_the_result(path: Path) -> None:
    """The shortest of three hundred random games, played to its last stone."""
    games = (tuple(random_sowings(seed)) for seed in range(300))
    sowings = min(games, key=len)
    with running(make_settings(path, Record(("", ""), sowings, "r"), speed=100)) as run:
        run.until(lambda: bool(run.told("finished")))
    ending = outcome(sowings[-1].after)
    assert ending is not None
    score = {None: "1/2-1/2", Side.BASTAUSHY: "1-0", Side.QOSTAUSHY: "0-1"}[ending.winner]
    assert run.told("finished")[0]["result"] == score
    assert len(run.told("ply")) == len(sowings)


def test_the_cable_is_pulled_in_the_middle_of_a_sowing(path: Path) -> None:
    """The host reopens, the boot id is the same, no press is lost or doubled, the game goes on."""
    record = parse_record("32 98 78 44")
    settings = make_settings(path, record, unplug_at_ply=2, unplug_for_s=0.3)
    with running(settings) as run:
        run.until(lambda: bool(run.told("finished")) and len(run.host.presses) == 6)
    names = [event["event"] for event in run.events if event["event"] in ("unplugged", "plugged", "ply")]
    assert names.index("unplugged") == 1
    assert run.serial.opened == 2
    assert run.told("plugged")[0]["boot_id"] == run.told("ready")[0]["boot_id"]
    assert list(run.host.presses) == list(range(1, 7))


def test_the_host_closes_and_reopens(path: Path) -> None:
    """No cable is touched: the device is still there, and so is what happened meanwhile."""
    with running(make_settings(path, parse_record("76 98"))) as run:
        run.until(lambda: bool(run.told("ply")))
        run.serial.close()
        run.until(lambda: bool(run.told("finished")) and len(run.host.presses) == 4)
    assert run.serial.opened == 2


def test_little_is_played_behind_a_closed_port_at_high_speed(path: Path) -> None:
    """A host that is away for a moment misses two seconds of play; then time stands until it is back."""
    with running(make_settings(path, bundled_record("2009"))) as run:
        run.until(lambda: len(run.told("ply")) == 2)
        table = run.emulator.table
        run.serial.close()
        closed_us = table.world_us
        time.sleep(0.5)
        assert table.device.host_lost or table.world_us - closed_us < 5_000_000
        run.until(lambda: len(run.told("ply")) >= 4 and len(run.host.presses) >= 5)


def test_a_power_cycle_and_a_broken_channel_come_on_command_and_no_channel_is_refused(path: Path) -> None:
    """A power cycle gives a new boot id, a broken channel says so, a channel that is none is refused."""
    with running(make_settings(path, parse_record("76"))) as run:
        run.host.keep_data = True
        run.until(lambda: run.host.data_received > 10)
        run.emulator.post(Break(3, ChannelFault.NOT_READY))
        run.until(lambda: run.host.data[-1].status[3] == frames.STATUS_NOT_READY)
        run.emulator.post(Break(3, None))
        run.until(lambda: run.host.data[-1].status[3] == frames.STATUS_OK)
        run.emulator.post(Break(99, None))
        run.emulator.post(PowerCycle())
        run.emulator.post(Unplug(0.05))
        run.until(lambda: bool(run.told("plugged")))
    assert run.told("refused") == [{"event": "refused", "reason": "no channel 99"}]
    assert run.told("booted")[0]["boot_id"] != run.told("ready")[0]["boot_id"]


def test_boot_ids_differ_between_runs_and_repeat_with_the_entropy(path: Path) -> None:
    """Two boots with one id would be taken for one."""
    record = parse_record("76")
    boots = []
    for entropy in (1, 1, 2, None):
        with running(make_settings(path, record, entropy=entropy)) as run:
            pass
        boots.append(run.told("ready")[0]["boot_id"])
    assert boots[0] == boots[1]
    assert len(set(boots)) == 3


def test_stop_after_and_linger_end_the_program(path: Path) -> None:
    """Two plies of sixty, then a moment, then the end by itself."""
    settings = make_settings(path, bundled_record("2009"), stop_after=2, linger_s=0.05)
    with running(settings) as run:
        run.until(lambda: bool(run.told("stopped")))
    assert run.told("stopped") == [{"event": "stopped", "plies": 2}]


def test_a_wrong_set_up_lies_there_as_told(path: Path) -> None:
    """A board not set up as it should be, for the host to notice."""
    set_up = (10, 8, *(9,) * 16)
    emulator = Emulator(make_settings(path, parse_record("76"), set_up=set_up), lambda _event: None)
    assert [emulator.table.world.stones(channel) for channel in range(3)] == [10, 8, 9]


def test_the_board_can_be_calibrated_before_it_runs(path: Path) -> None:
    """The same settings give the same cells, so the calibration fits the board that will run."""
    settings = make_settings(path, parse_record("76"), board_id="t-2")
    calibration = measure(settings)
    cells = build_world(settings).cells
    assert calibration == measure(settings)
    assert (calibration.board_id, len(calibration.channels)) == ("t-2", 20)
    for cell, channel in zip(cells, calibration.channels, strict=True):
        assert channel.raw_per_g == pytest.approx(cell.raw_per_g, rel=0.005)


class ClosedPipe(StringIO):
    """Whoever read has gone."""

    def write(self, _text: str) -> int:
        """Refuse."""
        raise BrokenPipeError


def test_an_emulator_nobody_listens_to_ends(path: Path) -> None:
    """No process is left behind by a supervisor that died."""
    summary = run_emulator(make_settings(path, parse_record("76")), ClosedPipe())
    assert summary.plies == 0
    assert not path.is_symlink()


def test_a_taken_path_is_an_error_before_anything_runs(path: Path) -> None:
    """The file stays what it was."""
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(DevicePathError, match="is no symlink"):
        run_emulator(make_settings(path, parse_record("76")), StringIO())
    assert path.read_text(encoding="utf-8") == "mine"


def test_events_are_json_lines_and_commands_are_lines(path: Path) -> None:
    """A supervisor reads and writes text; the end of its input ends nothing."""
    out = StringIO()
    reader, writer = os.pipe()
    os.write(writer, b"unplug 0\n\nnonsense\nsto")
    os.write(writer, b"p\n")
    os.close(writer)
    summary = run_emulator(make_settings(path, parse_record("76")), out, reader)
    os.close(reader)
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    names = [event["event"] for event in events]
    told = [name for name in names if name not in ("plugged", "lamps")]
    assert told == ["ready", "refused", "unplugged", "stopped"]
    assert summary.plies == 0


def test_a_button_that_is_not_wired_is_refused_by_name(path: Path) -> None:
    """The shared one, and one of a player's own; nothing is pressed."""
    out = StringIO()
    reader, writer = os.pipe()
    os.write(writer, b"call\ndraw b\nstop\n")
    os.close(writer)
    run_emulator(make_settings(path, parse_record("76")), out, reader)
    os.close(reader)
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [event["reason"] for event in events if event["event"] == "refused"] == [
        "no `call` button is wired that both share",
        "no `draw` button is wired that b has",
    ]


def test_hands_are_told_what_to_do_and_refuse_what_cannot_be_done(path: Path) -> None:
    """The stones lie as told; a line that asks for more than there is moves nothing."""
    with running(make_settings(path, parse_record("76"), stop_after=0)) as run:
        world, wiring = run.emulator.table.world, PLAIN_WIRING
        run.until(lambda: run.told("finished") != [])
        run.emulator.post(Tell(parse_steps("take 6 2, lay 7, lay 18")))
        run.until(lambda: run.told("told") != [])
        assert [world.stones(wiring.channel(place)) for place in (6, 7, 18)] == [7, 10, 1]
        run.emulator.post(Tell(parse_steps("take 7, take 6 8")))
        run.emulator.post(Tell(parse_steps("mark 12, wait 3600")))
        run.emulator.post(Tell(parse_steps("take 5")))
        run.until(lambda: len(run.told("refused")) == 2)
        assert [event["reason"] for event in run.told("refused")] == [
            "hands cannot `take 6 8`: only 7 stones lie there",
            "the hands are still at something: tell them when they are done",
        ]
        assert [world.stones(wiring.channel(place)) for place in (5, 6, 7)] == [9, 7, 10]


SCRIPT = """
import sys
from pathlib import Path
from firmware_bridge.emulator.emulator import EmulatorSettings
from firmware_bridge.emulator.records import bundled_record
from firmware_bridge.emulator.service import run_emulator
run_emulator(EmulatorSettings(device_path=Path(sys.argv[1]), record=bundled_record("2009")), commands_fd=0)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_process_cleanly(path: Path, number: signal.Signals) -> None:
    """Exit code 0, the last line says stopped, the name is gone."""
    command = [sys.executable, "-c", SCRIPT, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["event"] == "ready"
        process.send_signal(number)
        rest = process.stdout.read()
        assert process.wait(LIMIT_S) == 0
    assert json.loads(rest.splitlines()[-1]) == {"event": "stopped", "plies": 0}
    assert not path.is_symlink()
