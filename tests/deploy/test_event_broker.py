"""The broker's rights in deploy/examples/event, with a real mosquitto."""

from __future__ import annotations

import os
import queue
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from tests.house.committed import ROOT
from tests.machine import find_program

EVENT = ROOT / "deploy/examples/event"
USERS = ("hall", "board-1", "board-2")


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


@pytest.fixture
def broker(tmp_path: Path, mosquitto: Path) -> Iterator[int]:
    """Mosquitto as the example configures it, but for where its files lie; gives its port."""
    port, passwords, acl = free_port(), tmp_path / "passwd", tmp_path / "acl"
    passwd = find_program("mosquitto_passwd")
    if passwd is None:
        pytest.skip("no mosquitto_passwd beside mosquitto")
    for user in USERS:
        create = [] if passwords.exists() else ["-c"]
        subprocess.run(
            [passwd, *create, "-b", passwords, user, f"of {user}"], check=True, capture_output=True
        )
    acl.write_text((EVENT / "mosquitto.acl").read_text("utf-8"), encoding="utf-8")
    for path in (passwords, acl):
        path.chmod(0o600)
    text = (EVENT / "mosquitto.conf").read_text("utf-8")
    text = text.replace("listener 1883", f"listener {port} 127.0.0.1")
    text = text.replace("/etc/mosquitto/togyz.passwd\nacl", f"{passwords}\nacl")
    text = text.replace("/etc/mosquitto/togyz.acl\n", f"{acl}\n")
    if os.geteuid() == 0:
        text += "user root\n"
    (tmp_path / "conf").write_text(text, encoding="utf-8")
    with subprocess.Popen([mosquitto, "-c", tmp_path / "conf"], stderr=subprocess.PIPE, text=True) as running:
        try:
            _wait_for(port)
            yield port
        finally:
            running.terminate()


def _wait_for(port: int) -> None:
    until = time.monotonic() + 10
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert time.monotonic() < until, "mosquitto does not listen"
            time.sleep(0.02)
        else:
            return


@contextmanager
def client(port: int, user: str, password: str, hears: str) -> Iterator[tuple[paho.Client, queue.Queue[str]]]:
    """Connect as a user and hear a filter; gives the client and what it heard, its connection first."""
    heard: queue.Queue[str] = queue.Queue()
    made = paho.Client(CallbackAPIVersion.VERSION2)
    made.username_pw_set(user, password)
    made.on_connect = lambda one, _data, _flags, code, _more: (
        heard.put(f"refused: {code}") if code.is_failure else one.subscribe(hears, 1)
    )
    made.on_subscribe = lambda *_: heard.put("ready")
    made.on_message = lambda _one, _data, message: heard.put(message.topic)
    made.connect("127.0.0.1", port)
    made.loop_start()
    try:
        yield made, heard
    finally:
        made.disconnect()
        made.loop_stop()


@pytest.mark.mosquitto
def test_a_board_speaks_under_its_own_name_alone_and_hears_its_own_commands(broker: int) -> None:
    """Whoever has the password of one board cannot speak for another."""
    with (
        client(broker, "hall", "of hall", "tk/1/#") as (hall, at_hall),
        client(broker, "board-1", "of board-1", "tk/1/e/board/board-1/cmd") as (board, at_board),
        client(broker, "board-2", "of board-2", "tk/1/e/board/board-1/cmd") as (_, at_other),
    ):
        assert [heard.get(timeout=10) for heard in (at_hall, at_board, at_other)] == ["ready"] * 3
        board.publish("tk/1/e/board/board-2/state", b"for another", 1)
        board.publish("tk/1/e/board/board-2/cmd", b"commanding another", 1)
        board.publish("tk/1/e/board/board-1/state", b"its own", 1)
        assert at_hall.get(timeout=10) == "tk/1/e/board/board-1/state"
        hall.publish("tk/1/e/board/board-1/cmd", b"sealed", 1)
        assert at_board.get(timeout=10) == "tk/1/e/board/board-1/cmd"
        assert at_hall.get(timeout=10) == "tk/1/e/board/board-1/cmd"
        assert (at_hall.qsize(), at_other.qsize()) == (0, 0)


@pytest.mark.mosquitto
def test_nobody_without_a_password_gets_in(broker: int) -> None:
    """Nor with another's."""
    with client(broker, "board-1", "of board-2", "tk/1/#") as (_, heard):
        assert heard.get(timeout=10).startswith("refused: ")
