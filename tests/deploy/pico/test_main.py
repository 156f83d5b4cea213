"""main.py as it is, its standard streams a real pseudo terminal, the machine's own clock."""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sensors.link import Link
from sensors.link_events import DeviceHello, LinkEvent
from sensors.samples import Press, RawSample
from sensors.serial_port import SerialPort
from tests.deploy.pico.firmware_process import command
from tests.sensors.device.tiny_host import TinyHost
from tests.sensors.pair import of

pytestmark = pytest.mark.micropython

PATIENCE_S = 20.0


@contextmanager
def running(folder: Path, presses_us: tuple[int, ...], **settings: object) -> Iterator[str]:
    """Run main.py; yield the path of the terminal at which the host sits."""
    master, slave = os.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    started = command("main", settings={"presses_us": presses_us, **settings})
    process = subprocess.Popen(started, stdin=master, stdout=master, cwd=folder)
    try:
        yield os.ttyname(slave)
        assert process.poll() is None, (folder / "last_error.txt").read_text(encoding="utf-8")
    finally:
        process.kill()
        process.wait()
        os.close(master)
        os.close(slave)


class LiveHost:
    """A real link over a real port; acknowledges what comes."""

    def __init__(self, path: str) -> None:
        self.events: list[LinkEvent] = []
        self._link = Link()
        self._lock = threading.Lock()
        self._port = SerialPort(path, self._take, lambda *_: None)

    def _take(self, data: bytes) -> None:
        with self._lock:
            self._note(self._link.receive(data, now_us()))

    def _note(self, events: list[LinkEvent]) -> None:
        self.events += events
        for event in events:
            if isinstance(event, Press):
                self._link.acknowledge(event)

    def until(self, true: Callable[[], bool]) -> None:
        """Serve until something is so."""
        with self._port as port:
            self._link.connected(now_us())
            deadline = time.monotonic() + PATIENCE_S
            while not true():
                assert time.monotonic() < deadline, self.events[-20:]
                with self._lock:
                    self._note(self._link.poll(now_us()))
                    data = self._link.data_to_send()
                port.write(data)
                time.sleep(0.02)


def now_us() -> int:
    """Return the host's time."""
    return time.monotonic_ns() // 1000


def test_main_serves_the_real_link_over_a_real_line(tmp_path: Path) -> None:
    """Hello, samples at their rate, and the press with its time, acknowledged."""
    with running(tmp_path, (600_000, 900_000)) as path:
        host = LiveHost(path)
        host.until(lambda: len(of(Press, host.events)) == 2 and len(of(RawSample, host.events)) > 60)
    (hello, *_) = of(DeviceHello, host.events)
    assert hello.hello.board_id == "pico-0102030405060708"
    assert [press.number for press in of(Press, host.events)] == [1, 2]
    times = [sample.time_us for sample in of(RawSample, host.events)]
    assert times == sorted(set(times))


def test_a_host_that_never_reads_holds_nothing_up(tmp_path: Path) -> None:
    """It says that it is there and reads nothing for 1.5 s: samples are dropped and counted."""
    down, stdin = os.pipe()
    stdout, up = os.pipe()
    fcntl.fcntl(up, fcntl.F_SETPIPE_SZ, 4096)  # some 40 frames, as much as a port takes
    os.set_blocking(up, False)
    os.set_blocking(stdout, False)
    host = TinyHost(plies=9, keep_data=True)
    process = subprocess.Popen(
        command("main", settings={"presses_us": (900_000,)}), stdin=down, stdout=up, cwd=tmp_path
    )
    try:
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            os.write(stdin, host.poll(now_us()))
            time.sleep(0.05)
        deadline = time.monotonic() + PATIENCE_S
        while not (host.beats and host.beats[-1].dropped_data and host.presses):
            assert time.monotonic() < deadline, (host.kinds[-50:], host.beats, host.presses)
            os.write(stdin, host.poll(now_us()))
            with contextlib.suppress(BlockingIOError):
                host.receive(os.read(stdout, 65536))
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
        for descriptor in (down, stdin, stdout, up):
            os.close(descriptor)
    assert host.beats[-1].dropped_data > 20
    assert 500_000 <= host.presses[1].time_us < 1_000_000, "the loop went on: the press has its own time"
    assert host.decoder.bad_frames == 0, "no frame was broken"


def test_what_ends_the_firmware_is_noted_and_makes_a_new_boot(tmp_path: Path) -> None:
    """Never a prompt: the players would wait for ever."""
    started = command("main", settings={"broken": True})
    done = subprocess.run(started, cwd=tmp_path, capture_output=True, timeout=20, check=False)
    assert done.returncode == 77, done.stderr
    note = tmp_path / "last_error.txt"
    assert "TypeError" in note.read_text(encoding="utf-8")
    for _ in range(8):  # it may end in another look at the pins, which is another mistake
        before = (note.read_text(encoding="utf-8"), note.stat().st_mtime_ns)
        subprocess.run(started, cwd=tmp_path, capture_output=True, timeout=20, check=False)
        if note.read_text(encoding="utf-8") == before[0]:
            break
    assert (note.read_text(encoding="utf-8"), note.stat().st_mtime_ns) == before, "it wears out no flash"


def test_holding_the_arbiters_button_at_power_up_gives_a_prompt(tmp_path: Path) -> None:
    """How else would one get a new firmware onto a board that takes no ctrl-C?"""
    started = command("main", settings={"held": 26})
    done = subprocess.run(started, cwd=tmp_path, capture_output=True, timeout=20, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_mistake_in_the_configuration_is_said_on_the_line_and_drives_nothing(tmp_path: Path) -> None:
    """Again and again, for whoever opens it later: a device that starts anew in silence tells nobody."""
    started = command("main", settings={"PINS": {"sck": 3}})
    with subprocess.Popen(started, cwd=tmp_path, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        said = [process.stdout.readline().decode() for _ in range(2)]
        process.kill()
    assert said == ["config.py: GP3 serves twice: dout and sck\n"] * 2
    assert not (tmp_path / "last_error.txt").exists()
