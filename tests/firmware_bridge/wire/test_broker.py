"""The supervised broker: it starts, comes back, and never outlives us."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from firmware_bridge.wire import broker_files
from firmware_bridge.wire.broker import Broker, BrokerError, BrokerTakenError, accepts_mqtt, start_broker
from firmware_bridge.wire.mqtt import MqttClient
from firmware_bridge.wire.rendezvous import Claim, Kind, find_broker
from tests.firmware_bridge.wire.helpers import connected, eventually, watching

PARENT = """
import asyncio, pathlib, sys
from firmware_bridge.wire.broker import start_broker
async def main():
    broker = await start_broker(pathlib.Path(sys.argv[1]), sys.argv[2])
    print(broker.pid, broker.port, flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""


async def back(broker: Broker, state_dir: Path) -> None:
    """Wait until a killed child has been replaced and the new one announced."""

    async def is_back() -> bool:
        found = find_broker(state_dir)
        return broker.restarts > 0 and found is not None and found.pid == broker.pid

    await eventually(is_back)


def runs(pid: int) -> bool:
    """Tell whether a process runs; a dead one that nobody collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def holds(path: Path, what: bytes) -> bool:
    """Tell whether a file is there and holds these bytes."""
    return path.exists() and what in path.read_bytes()


def listeners(port: int) -> set[str]:
    """Return the addresses, as /proc spells them, on which somebody listens at this port."""
    text = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
    rows = [line.split() for line in text.splitlines()]
    return {row[1] for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "0A"}


@pytest.mark.asyncio
async def test_a_started_broker_answers_on_loopback_only_and_is_found(tmp_path: Path, kind: Kind) -> None:
    """And after the stop nothing of it is left running."""
    async with await start_broker(tmp_path, kind) as broker:
        assert broker.kind == kind
        assert broker.pid is not None
        pid = broker.pid
        assert await accepts_mqtt("127.0.0.1", broker.port)
        assert listeners(broker.port) == {f"0100007F:{broker.port:04X}"}
        found = find_broker(tmp_path)
        assert found is not None
        assert (found.port, found.pid, found.kind) == (broker.port, pid, kind)
        with pytest.raises(BrokerTakenError, match="already runs"):
            await start_broker(tmp_path, kind)
    assert not runs(pid)
    assert find_broker(tmp_path) is None
    await broker.stop()


@pytest.mark.asyncio
async def test_a_killed_broker_comes_back_on_its_port(tmp_path: Path, kind: Kind) -> None:
    """Clients find it again by themselves."""
    async with await start_broker(tmp_path, kind) as broker:
        port, pid = broker.port, broker.pid
        assert pid is not None
        async with MqttClient(broker.settings("c")) as client:
            await connected(client)
            os.kill(pid, signal.SIGKILL)
            await back(broker, tmp_path)
            assert await connected(client) == 2
        assert (broker.port, broker.restarts) == (port, 1)
        assert broker.pid != pid


@pytest.mark.asyncio
async def test_a_broker_that_cannot_come_back_is_tried_again_until_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its port may be taken for a while, or its binary just being replaced."""
    async with await start_broker(tmp_path, "amqtt") as broker:
        failed = asyncio.Event()
        real = broker_files.amqtt_command

        def broken(port: int) -> list[str]:
            failed.set()
            monkeypatch.setattr(broker_files, "amqtt_command", real)
            return ["/bin/false", str(port)]

        monkeypatch.setattr(broker_files, "amqtt_command", broken)
        assert broker.pid is not None
        os.kill(broker.pid, signal.SIGKILL)
        await failed.wait()
        await back(broker, tmp_path)
        assert await accepts_mqtt(broker.host, broker.port)


@pytest.mark.asyncio
async def test_no_broker_outlives_a_killed_parent(tmp_path: Path, kind: Kind) -> None:
    """Not even kill -9 leaves an orphan; the next start takes the directory over."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        PARENT,
        str(tmp_path),
        kind,
        stdout=asyncio.subprocess.PIPE,
        env=broker_files.child_environment(),
    )
    assert process.stdout is not None
    pid, port = map(int, (await process.stdout.readline()).split())
    assert runs(pid)
    process.kill()
    await process.wait()

    async def is_gone() -> bool:
        return not runs(pid)

    await eventually(is_gone)
    assert not await accepts_mqtt("127.0.0.1", port)
    assert find_broker(tmp_path) is None
    async with await start_broker(tmp_path, kind) as broker:
        assert await accepts_mqtt("127.0.0.1", broker.port)


@pytest.mark.asyncio
async def test_a_port_lost_to_another_program_is_replaced(
    tmp_path: Path, kind: Kind, monkeypatch: pytest.MonkeyPatch, port: int
) -> None:
    """Even when an MQTT broker answers there: it is not ours."""
    offers = iter([port, broker_files.free_port()])
    monkeypatch.setattr(broker_files, "free_port", lambda: next(offers))
    async with await start_broker(tmp_path, kind) as broker:
        assert broker.port != port
        assert await accepts_mqtt("127.0.0.1", broker.port)


@pytest.mark.asyncio
async def test_a_new_broker_of_the_same_directory_takes_the_same_port(tmp_path: Path) -> None:
    """Whoever waits at the old address after its owner was killed finds the next one there."""
    async with await start_broker(tmp_path, "amqtt") as first:
        port = first.port
    async with await start_broker(tmp_path, "amqtt") as second:
        assert second.port == port


def test_a_remembered_port_that_is_taken_or_nonsense_is_left_alone(tmp_path: Path) -> None:
    """The broker starts all the same, somewhere else."""
    with socket.create_server((broker_files.LOOPBACK, 0)) as other:
        taken = other.getsockname()[1]
        broker_files.remember_port(tmp_path, taken)
        assert broker_files.usual_port(tmp_path) != taken
    for nonsense in ("", "x", "99999999", "-1"):
        (tmp_path / "broker.port").write_text(nonsense)
        assert broker_files.usual_port(tmp_path) > 0


@pytest.mark.mosquitto
@pytest.mark.asyncio
async def test_a_torn_database_is_set_aside(tmp_path: Path) -> None:
    """Boards publish everything again; a broker that never starts helps nobody."""
    (tmp_path / "mosquitto.db").write_bytes(b"\x00\xb5\x00mosquitto db" + b"\xff" * 40)
    async with await start_broker(tmp_path, "mosquitto") as broker:
        assert await accepts_mqtt("127.0.0.1", broker.port)
    assert (tmp_path / "mosquitto.db.unreadable").exists()


@pytest.mark.mosquitto
@pytest.mark.asyncio
async def test_mosquitto_keeps_retained_states_through_kill_9(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a few seconds after they were published."""
    monkeypatch.setattr(broker_files, "AUTOSAVE_S", 1)
    async with await start_broker(tmp_path, "mosquitto") as broker:
        assert broker.pid is not None
        async with MqttClient(broker.settings("c")) as client:
            await connected(client)
            client.publish("kept/x", b"here", 1, retain=True)
            await eventually(partial(asyncio.to_thread, holds, tmp_path / "mosquitto.db", b"kept/x"))
        os.kill(broker.pid, signal.SIGKILL)
        await back(broker, tmp_path)
        async with watching(broker.settings("d"), "kept/+") as watcher:
            await watcher.until(lambda: watcher.got)
            assert watcher.got[0].payload == b"here"


@pytest.mark.asyncio
async def test_without_mosquitto_auto_takes_amqtt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And asking for mosquitto says how to get it."""
    monkeypatch.setattr(broker_files, "find_mosquitto", lambda: None)
    async with await start_broker(tmp_path, "auto") as broker:
        assert broker.kind == "amqtt"
    with pytest.raises(BrokerError, match="apt install mosquitto"):
        await start_broker(tmp_path, "mosquitto")
    assert find_broker(tmp_path) is None


@pytest.mark.asyncio
async def test_a_mosquitto_that_does_not_work_is_replaced_by_amqtt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken installation is no reason not to play."""
    monkeypatch.setattr(broker_files, "find_mosquitto", lambda: "/bin/false")
    async with await start_broker(tmp_path, "auto") as broker:
        assert broker.kind == "amqtt"


@pytest.mark.asyncio
async def test_a_directory_that_cannot_be_made_is_an_error_in_words(tmp_path: Path) -> None:
    """It names the path and the setting."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(BrokerError, match=r"kept in .*file/state: .*another `board\.state_dir`"):
        await start_broker(tmp_path / "file" / "state", "amqtt")


def _full(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.asyncio
async def test_an_address_that_cannot_be_written_down_is_an_error_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk nobody would find the broker: none is left running, and the folder is free again."""
    monkeypatch.setattr(Claim, "announce", _full)
    with pytest.raises(BrokerError, match=r"cannot be written down in .*No space left on device"):
        await start_broker(tmp_path, "amqtt")
    monkeypatch.undo()
    async with await start_broker(tmp_path, "amqtt") as broker:
        assert await accepts_mqtt(broker.host, broker.port)


@pytest.mark.asyncio
async def test_a_disk_that_fills_up_later_does_not_end_the_supervision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The child comes back all the same, where it was announced before."""
    async with await start_broker(tmp_path, "amqtt") as broker:
        monkeypatch.setattr(Claim, "announce", _full)
        former = broker.pid
        assert former is not None
        os.kill(former, signal.SIGKILL)

        async def is_back() -> bool:
            return broker.pid not in (None, former) and await accepts_mqtt(broker.host, broker.port)

        await eventually(is_back)
        found = find_broker(tmp_path)
        assert found is not None
        assert found.port == broker.port


@pytest.mark.asyncio
@pytest.mark.parametrize("what", ["usual_port", "mosquitto_command"])
async def test_every_trouble_of_the_system_is_an_error_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """No port to be had, no room for the configuration: the reason is told, and the folder is free again."""
    monkeypatch.setattr(broker_files, "find_mosquitto", lambda: "/bin/false")
    monkeypatch.setattr(broker_files, "free_port", _full)
    monkeypatch.setattr(broker_files, what, _full)
    with pytest.raises(BrokerError, match="No space left on device"):
        await start_broker(tmp_path, "mosquitto")
    Claim(tmp_path).release()


@pytest.mark.asyncio
async def test_a_folder_that_no_configuration_can_hold_is_an_error_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line break in its name would be read as another setting."""
    monkeypatch.setattr(broker_files, "find_mosquitto", lambda: "/bin/false")
    with pytest.raises(BrokerError, match="holds a character mosquitto cannot read"):
        await start_broker(tmp_path / "a\nb", "mosquitto")


def test_amqtt_starts_without_a_warning_and_ends_cleanly_on_sigterm() -> None:
    """Nothing on stderr, not even a deprecation."""
    port = broker_files.free_port()
    command = [
        sys.executable,
        "-W",
        "error",
        "-m",
        "firmware_bridge.wire.amqtt_child",
        "127.0.0.1",
        str(port),
    ]
    env = broker_files.child_environment()
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=env) as process:
        deadline = time.monotonic() + 30
        while not asyncio.run(accepts_mqtt("127.0.0.1", port)):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.terminate()
        _, errors = process.communicate(timeout=10)
    assert (process.returncode, errors) == (0, b"")
