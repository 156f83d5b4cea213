"""The cable: a real pseudo terminal behind a symlink."""

import fcntl
import os
import select
import stat
import struct
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from sensors.device.port import DevicePathError, Port
from tests.sensors.ordinary_user import visits

TIOCGEXCL = 0x80045440
"""Whether a terminal is locked (asm-generic/ioctls.h); the module `termios` has no name for it."""


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Port]:
    """A plugged device at tmp_path/dev/board."""
    device = Port(tmp_path / "dev" / "board")
    device.plug()
    yield device
    device.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the device of `port` is."""
    return tmp_path / "dev" / "board"


def open_host(path: Path) -> int:
    """Open the port as a host does."""
    return os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)


def receive(host: int, size: int) -> bytes:
    """Read so many bytes as a host does; the kernel passes them on in pieces of its own."""
    got = b""
    while len(got) < size and select.select([host], [], [], 5.0)[0]:
        got += os.read(host, size - len(got))
    return got


def send(port: Port, *frames: bytes) -> bool:
    """Flush these frames."""
    waiting = list(frames)
    return port.flush(lambda: waiting.pop(0) if waiting else None)


def test_the_path_is_a_symlink_to_a_terminal(port: Port, path: Path) -> None:
    """A host opens it like a serial device."""
    assert path.is_symlink()
    assert str(path.readlink()) == port.target
    assert stat.S_ISCHR(path.stat().st_mode)
    assert port.plugged


def test_bytes_pass_unchanged_both_ways(port: Port, path: Path) -> None:
    """The line is raw before the host sets anything: no echo, no translation of line ends or of 0x03."""
    host = open_host(path)
    every = bytes(range(256))
    assert send(port, every)
    assert receive(host, len(b"\x00" + every)) == b"\x00" + every
    os.write(host, every)
    port.wait(5.0)
    assert port.read() == every
    assert port.read() == b""
    os.close(host)


def test_what_is_written_without_a_host_is_lost(port: Port, path: Path) -> None:
    """As on a USB serial line: the host that opens later gets no old frames."""
    assert send(port, b"old\x00")
    assert port.dropped_bytes == 4
    host = open_host(path)
    assert send(port, b"new\x00")
    assert receive(host, len(b"\x00new\x00")) == b"\x00new\x00"
    os.close(host)


def test_the_port_survives_close_and_reopen(port: Port, path: Path) -> None:
    """What the first host left unread is gone for the second; reading in between is harmless."""
    host = open_host(path)
    assert send(port, b"unread\x00")
    os.close(host)
    assert port.read() == b""
    assert send(port, b"nobody\x00")
    port.wait(0.0)
    host = open_host(path)
    assert send(port, b"again\x00")
    assert receive(host, len(b"\x00again\x00")) == b"\x00again\x00"
    os.write(host, b"hello")
    port.wait(1.0)
    assert port.read() == b"hello"
    os.close(host)


def test_a_full_line_keeps_frames_whole(port: Port, path: Path) -> None:
    """A host that does not read stops the flow; when it reads, the stream goes on without a gap."""
    host = open_host(path)
    expected = b"\x00"
    for number in range(100_000):
        frame = number.to_bytes(4) * 25 + b"\x00"
        expected += frame
        if not send(port, frame):
            break
    got = b""
    while len(got) < len(expected):
        got += receive(host, min(4096, len(expected) - len(got)))
        send(port)
    assert got == expected
    os.close(host)


def test_pulling_the_cable_hangs_up_and_removes_the_name(port: Port, path: Path) -> None:
    """The host gets an error or the end, the path is gone, and plugging in gives a fresh terminal."""
    host = open_host(path)
    send(port, b"x\x00")
    port.pull()
    assert not path.is_symlink()
    assert not port.plugged
    with pytest.raises(OSError, match="Input/output error"):
        os.write(host, b"y")
    assert send(port, b"lost\x00")
    assert port.read() == b""
    port.wait(0.0)
    port.pull()
    port.plug()
    port.plug()
    assert path.is_symlink()
    fresh = open_host(path)
    assert send(port, b"z\x00")
    assert receive(fresh, len(b"\x00z\x00")) == b"\x00z\x00"
    os.close(fresh)
    os.close(host)


def test_a_stale_symlink_is_replaced_and_anything_else_left_alone(tmp_path: Path) -> None:
    """A file of the user's is never overwritten; the message names it."""
    path = tmp_path / "board"
    path.symlink_to("/dev/pts/9999")
    port = Port(path)
    port.plug()
    assert str(path.readlink()) == port.target
    port.close()
    assert not path.is_symlink()
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(DevicePathError, match="board exists and is no symlink: it is left alone"):
        port.plug()
    assert path.read_text(encoding="utf-8") == "mine"
    assert not port.plugged


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The folder of the path is a file."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(DevicePathError, match=r"cannot put the device at .*file/board"):
        Port(tmp_path / "file" / "board").plug()


def test_a_second_board_under_the_same_name_is_refused_and_takes_nothing_away(port: Port, path: Path) -> None:
    """Not even while the first one's cable is out; when it is closed the name is free."""
    target = path.readlink()
    with pytest.raises(DevicePathError, match="another program offers its device under this name"):
        Port(path).plug()
    assert path.readlink() == target
    port.pull()
    with pytest.raises(DevicePathError, match="another program offers its device under this name"):
        Port(path).plug()
    port.close()
    port.close()
    second = Port(path)
    second.plug()
    second.close()


def test_a_name_taken_over_by_another_device_is_not_removed(port: Port, path: Path) -> None:
    """A real device may have come under the same name meanwhile."""
    path.unlink()
    path.symlink_to("somewhere-else")
    port.close()
    assert str(path.readlink()) == "somewhere-else"


def test_the_terminal_is_raw_again_for_every_host(port: Port, path: Path) -> None:
    """A host that leaves the line cooked does not spoil it for the next one."""
    for _ in range(2):
        host = open_host(path)
        assert send(port, b"\x03\r\n\x00")
        assert receive(host, len(b"\x00\x03\r\n\x00")) == b"\x00\x03\r\n\x00"
        attributes = termios.tcgetattr(host)
        attributes[3] |= termios.ECHO | termios.ICANON
        termios.tcsetattr(host, termios.TCSANOW, attributes)
        os.close(host)
        send(port)


def test_a_terminal_that_a_guest_left_locked_opens_to_the_next_host(tmp_path: Path) -> None:
    """On a pseudo terminal TIOCEXCL outlives who has set it, and shuts out everybody but root."""
    assert visits(tmp_path, "ours", "stranger", "host") == ["Device or resource busy", "open"]


def test_a_host_without_rights_opens_what_a_guest_of_root_left_locked(port: Port, path: Path) -> None:
    """Where the device itself may open the terminal, it takes the lock off."""
    guest = open_host(path)
    fcntl.ioctl(guest, termios.TIOCEXCL)
    assert send(port)
    os.close(guest)
    assert send(port)
    host = open_host(path)
    assert struct.unpack("i", fcntl.ioctl(host, TIOCGEXCL, bytes(4))) == (0,)
    os.close(host)


def test_another_file_ends_the_sleep_too(port: Port, path: Path) -> None:
    """Whether a host is there or not."""
    reading, writing = os.pipe()
    try:
        os.write(writing, b"x")
        port.wait(30, (reading,))
        host = open_host(path)
        send(port)
        port.wait(30, (reading,))
        assert port.open
        os.close(host)
    finally:
        os.close(reading)
        os.close(writing)
