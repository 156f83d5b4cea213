"""One broker of each kind for the whole run."""

import asyncio
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.wire import broker_files
from firmware_bridge.wire.broker import accepts_mqtt
from firmware_bridge.wire.rendezvous import Kind
from firmware_bridge.wire.settings import BrokerSettings

KINDS = [pytest.param("mosquitto", marks=pytest.mark.mosquitto), "amqtt"]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    """Each kind of broker in turn."""
    name: Kind = request.param
    return name


@pytest.fixture(scope="session", params=KINDS)
def port(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a running broker, each kind in turn."""
    directory: Path = tmp_path_factory.mktemp(request.param)
    number = broker_files.free_port()
    if request.param == "mosquitto":
        binary = broker_files.find_mosquitto() or ""
        command = broker_files.mosquitto_command(binary, directory, number)
    else:
        command = broker_files.amqtt_command(number)
    with (directory / "log").open("wb") as log:
        process = subprocess.Popen(command, stderr=log, env=broker_files.child_environment())
    deadline = time.monotonic() + 30
    while not asyncio.run(accepts_mqtt("127.0.0.1", number)):
        assert process.poll() is None, (directory / "log").read_text()
        assert time.monotonic() < deadline, "the broker never answered"
        time.sleep(0.05)
    yield number
    process.terminate()
    process.wait()


@pytest.fixture
def at(port: int) -> Callable[[str], BrokerSettings]:
    """Make the settings of a client with this id."""
    return lambda client_id: BrokerSettings("127.0.0.1", port, client_id=client_id)
