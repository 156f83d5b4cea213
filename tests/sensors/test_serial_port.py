"""The serial port, on real pseudo-terminals."""

import errno
import grp
import os
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue
from types import TracebackType
from typing import Self

import pytest

from sensors import serial_port
from sensors.serial_port import MAX_QUEUED, PortState, SerialPort, explain
from tests.sensors.ordinary_user import visits

PATIENCE_S = 20.0  # only ever waited for in full when a test fails


class Device:
    """The far end: the master of a pseudo-terminal, reached by a symlink.

    The symlink goes before the terminal does: the kernel gives its number to the next one that asks,
    which may be another test's.
    """

    def __init__(self, directory: Path) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.target = os.ttyname(slave)
        os.close(slave)
        self.link = directory / f"board-{self.master}"
        self.link.symlink_to(self.target)
        self.path = str(self.link)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.hang_up()

    def hang_up(self) -> None:
        """Pull the cable. Idempotent."""
        if self.master >= 0:
            self.link.unlink(missing_ok=True)
            os.close(self.master)
            self.master = -1

    def read(self, size: int) -> bytes:
        """Return exactly this many bytes."""
        data = b""
        while len(data) < size:
            data += os.read(self.master, size - len(data))
        return data


class Listener:
    """Takes what a port reports, in its thread, for the test to wait for."""

    def __init__(self) -> None:
        self.states: Queue[tuple[PortState, str]] = Queue()
        self.bytes: Queue[bytes] = Queue()

    def on_state(self, state: PortState, reason: str) -> None:
        """Note a state."""
        self.states.put((state, reason))

    def state(self) -> tuple[PortState, str]:
        """Return the next state reported."""
        return self.states.get(timeout=PATIENCE_S)

    def read(self, size: int) -> bytes:
        """Return the next bytes, this many."""
        data = b""
        while len(data) < size:
            data += self.bytes.get(timeout=PATIENCE_S)
        return data

    def port(self, path: str) -> SerialPort:
        """Return a port that reports to this listener."""
        return SerialPort(path, self.bytes.put, self.on_state)


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that reopening takes no time."""
    monkeypatch.setattr(serial_port, "FIRST_PAUSE_S", 0.005)
    monkeypatch.setattr(serial_port, "LONGEST_PAUSE_S", 0.02)


@pytest.fixture(autouse=True)
def _no_thread_left() -> Iterator[None]:
    """Every test closes what it opened."""
    yield
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("serial ")] == []


@pytest.fixture
def listener() -> Listener:
    """A fresh one."""
    return Listener()


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that another thread is about to do."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_bytes_go_both_ways_unchanged(listener: Listener, tmp_path: Path) -> None:
    """All 256 values: no line discipline in between."""
    everything = bytes(range(256)) * 4
    with Device(tmp_path) as device, listener.port(device.path) as port:
        assert listener.state() == (PortState.OPEN, "")
        os.write(device.master, everything)
        assert listener.read(1024) == everything
        port.write(everything)
        port.write(b"")
        assert device.read(1024) == everything
        assert port.dropped_bytes == 0


def test_a_port_that_hangs_up_is_opened_again(listener: Listener, tmp_path: Path) -> None:
    """By the same path, which is a symlink that leads elsewhere meanwhile."""
    with Device(tmp_path) as first, Device(tmp_path) as second, listener.port(first.path) as port:
        assert listener.state() == (PortState.OPEN, "")
        first.hang_up()
        hung_up = f"{first.path} hung up: the cable was pulled, or the board is restarting"
        assert listener.state() == (PortState.LOST, hung_up)
        state, reason = listener.state()
        assert state is PortState.LOST
        assert reason.startswith(f"{first.path} is not there: is the board plugged in?")
        first.link.symlink_to(second.target)
        assert listener.state() == (PortState.OPEN, "")
        port.write(b"hello")
        assert second.read(5) == b"hello"
        os.write(second.master, b"answer")
        assert listener.read(6) == b"answer"
        first.link.unlink()


def test_a_missing_port_is_said_once_and_waited_for(listener: Listener, tmp_path: Path) -> None:
    """However many attempts it takes."""
    link = tmp_path / "board"
    with Device(tmp_path) as device, listener.port(str(link)):
        assert listener.state() == (
            PortState.LOST,
            f"{link} is not there: is the board plugged in? `ls -l /dev/serial/by-id` shows what is",
        )
        with pytest.raises(Empty):
            listener.states.get(timeout=0.1)
        link.symlink_to(device.path)  # and on to the terminal
        assert listener.state() == (PortState.OPEN, "")


def test_a_second_opener_is_refused(listener: Listener, tmp_path: Path) -> None:
    """With words that help; it gets the port when the first one is done."""
    other = Listener()
    with Device(tmp_path) as device:
        with listener.port(device.path):
            assert listener.state() == (PortState.OPEN, "")
            second = other.port(device.path)
            second.start()
            state, reason = other.state()
            assert state is PortState.LOST
            assert reason.startswith(f"{device.path} is in use by another program: a second board process")
            assert f"`fuser -v {device.path}` shows it" in reason
        assert other.state() == (PortState.OPEN, "")
        second.close()


def test_an_ordinary_user_closes_an_emulated_device_and_opens_it_again(tmp_path: Path) -> None:
    """What keeps others out ends with the host: the device still has its end of the terminal open."""
    assert visits(tmp_path, "bare", "host", "host", "host") == ["open"] * 3


def test_writing_never_blocks_and_drops_the_oldest(listener: Listener, tmp_path: Path) -> None:
    """The device does not read: what is kept is the newest, in order, every chunk whole."""
    chunks = [b"%06d\n" % number * 100 for number in range(400)]
    with Device(tmp_path) as device, listener.port(device.path) as port:
        assert listener.state() == (PortState.OPEN, "")
        for chunk in chunks:
            port.write(chunk)
        assert port._queued <= MAX_QUEUED + len(chunks[0])
        assert port.dropped_bytes > 0
        rest = sum(map(len, chunks)) - port.dropped_bytes
        lines = device.read(rest).splitlines()
    assert len(lines) * 7 == rest
    assert lines[-1] == b"000399"
    assert all(lines.count(number) == 100 for number in set(lines))
    assert lines == sorted(lines)


def test_what_is_written_in_part_is_finished(listener: Listener, tmp_path: Path) -> None:
    """Half a frame would spoil the next one; what stands behind it is dropped instead."""
    first = bytes(range(256)) * 1000
    with Device(tmp_path) as device, listener.port(device.path) as port:
        assert listener.state() == (PortState.OPEN, "")
        port.write(first)
        until(lambda: port._begun > 0)
        for number in range(20):
            port.write(b"%06d\n" % number * 1000)
        assert device.read(len(first)) == first
        assert device.read(7000) == b"000019\n" * 1000
        assert port.dropped_bytes == 19 * 7000


def test_a_chunk_larger_than_the_queue_is_still_sent(listener: Listener, tmp_path: Path) -> None:
    """The newest is never dropped for its size."""
    large = bytes(range(256)) * 400
    with Device(tmp_path) as device, listener.port(device.path) as port:
        assert listener.state() == (PortState.OPEN, "")
        port.write(large)
        assert device.read(len(large)) == large
        assert port.dropped_bytes == 0


def test_what_is_written_while_not_open_is_dropped(listener: Listener, tmp_path: Path) -> None:
    """After opening the two ends greet anew."""
    with Device(tmp_path) as device, listener.port(str(tmp_path / "none")) as port:
        listener.state()
        port.write(b"lost")
        assert port.dropped_bytes == 4
        assert device.path


def test_what_waited_for_a_lost_port_is_dropped(listener: Listener, tmp_path: Path) -> None:
    """It belongs to a stream that has ended."""
    with Device(tmp_path) as device, listener.port(device.path) as port:
        assert listener.state() == (PortState.OPEN, "")
        port.write(bytes(50_000))
        device.hang_up()
        assert listener.state()[0] is PortState.LOST
        assert port._queued == 0
        assert port.dropped_bytes > 0


def test_closing_is_idempotent_and_ends_all_callbacks(listener: Listener, tmp_path: Path) -> None:
    """Before it was started, while open, while waiting, twice."""
    listener.port("/nowhere").close()
    with Device(tmp_path) as device:
        port = listener.port(device.path)
        assert repr(port) == f"SerialPort({device.path!r}, not open)"
        port.start()
        assert listener.state() == (PortState.OPEN, "")
        assert repr(port) == f"SerialPort({device.path!r}, open)"
        port.close()
        port.close()
        assert repr(port) == f"SerialPort({device.path!r}, closed)"
        os.write(device.master, b"late")
        port.write(b"late too")
        assert listener.bytes.empty()
        assert listener.states.empty()
        with pytest.raises(RuntimeError, match="was started before"):
            port.start()


def test_a_callback_may_close_the_port(tmp_path: Path) -> None:
    """It cannot wait for its own thread."""
    with Device(tmp_path) as device:
        listener = Listener()
        with SerialPort(device.path, lambda _: port.close(), listener.on_state) as port:
            assert listener.state() == (PortState.OPEN, "")
            os.write(device.master, b"x")
            until(lambda: port._thread is not None and not port._thread.is_alive())


def test_no_descriptor_is_left_open(listener: Listener, tmp_path: Path) -> None:
    """After many openings and losses."""
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - only their number counts
    with Device(tmp_path) as device, listener.port(device.path):
        assert listener.state() == (PortState.OPEN, "")
        device.hang_up()
        time.sleep(0.1)
    listener.port("/nowhere").close()
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208 - only their number counts


def test_a_file_that_is_no_port_is_said(listener: Listener, tmp_path: Path) -> None:
    """A regular file, a directory."""
    file = tmp_path / "file"
    file.write_bytes(b"")
    with listener.port(str(file)):
        state, reason = listener.state()
    assert state is PortState.LOST
    assert reason.startswith(f"{file} is no usable serial port: ")
    other = Listener()
    with other.port(str(tmp_path)):
        assert other.state()[1].startswith(f"{tmp_path} is no usable serial port: ")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOENT, "is not there"),
        (errno.EACCES, "no permission for /dev/null: `sudo usermod -aG dialout $USER`, then log in again"),
        (errno.EBUSY, "is in use by another program"),
        (errno.EIO, "hung up"),
        (errno.EMFILE, "/dev/null: Too many open files"),
    ],
)
def test_each_reason_says_what_to_do(number: int, words: str) -> None:
    """For the person at the table."""
    assert words in explain(OSError(number, os.strerror(number)), "/dev/null")


def test_the_group_of_the_port_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it cannot be found out, the usual one."""
    denied = OSError(errno.EACCES, "no")
    monkeypatch.setattr("grp.getgrgid", lambda gid: grp.struct_group(("uucp", "x", gid, [])))
    assert "-aG uucp $USER" in explain(denied, str(tmp_path))
    assert "-aG dialout $USER" in explain(denied, str(tmp_path / "none"))
    assert "is no usable serial port: Not a valid baudrate" in explain(
        ValueError("Not a valid baudrate"), "x"
    )


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_port_whose_callback_failed_says_that_it_lives_no_longer(
    listener: Listener, tmp_path: Path
) -> None:
    """Whoever runs it can only be started again: no device would be heard any more."""

    def fail(_data: bytes) -> None:
        raise ValueError("a mistake in the program")

    with Device(tmp_path) as device:
        port = SerialPort(device.path, fail, listener.on_state)
        lived = [port.lives]
        with port:
            assert listener.state()[0] is PortState.OPEN
            lived.append(port.lives)
            os.write(device.master, b"x")
            until(lambda: not port.lives)
    assert lived == [False, True]
