"""`togyz hall`: how many it serves, and as whom it speaks to the broker."""

from __future__ import annotations

import asyncio
import resource
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import typer

from firmware_bridge.commands import hall
from firmware_bridge.commands.running import address_said
from firmware_bridge.config import BrokerTable, load_config
from firmware_bridge.hall import gateway
from firmware_bridge.hall.settings import HallSettings
from firmware_bridge.notify import ServiceManager
from firmware_bridge.wire.settings import BrokerSettings

UNLIMITED = resource.RLIM_INFINITY


@pytest.mark.parametrize(
    ("limits", "raised_to", "viewers"),
    [
        ((1024, 1_048_576), 4000, 2000),
        ((1024, 1024), None, 924),
        ((256, 2000), 2000, 1900),
        ((64, 64), None, 1),
        ((65_536, 65_536), None, 2000),
        ((1024, UNLIMITED), 4000, 2000),
        ((UNLIMITED, UNLIMITED), None, 2000),
    ],
)
def test_the_hall_takes_no_more_viewers_than_files(
    monkeypatch: pytest.MonkeyPatch, limits: tuple[int, int], raised_to: int | None, viewers: int
) -> None:
    """The soft limit is raised as far as it goes and is needed."""
    set_to: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _which: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _which, both: set_to.append(both))
    assert hall.room_for_viewers() == viewers
    assert set_to == ([] if raised_to is None else [(raised_to, limits[1])])


def test_a_hall_speaks_to_the_broker_without_a_name_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two halls of one event would throw each other out; without a name each gets a random one."""
    path = tmp_path / "hall.toml"
    path.write_text(
        '[board]\nid = "b"\n[device]\nport = "p"\n[calibration]\nfile = "c"\n[broker]\nhost = "192.0.2.1"\n',
        encoding="utf-8",
    )
    ran: list[HallSettings] = []

    async def run_hall(settings: HallSettings, _say: object) -> None:
        await asyncio.sleep(0)
        ran.append(settings)

    monkeypatch.setattr(gateway, "run_hall", run_hall)
    monkeypatch.setattr(hall, "room_for_viewers", lambda: 77)
    asyncio.run(hall.serve(load_config(path), 0, ServiceManager()))
    assert ran[0].broker.client_id == ""
    assert ran[0].broker.host == "192.0.2.1"
    assert ran[0].max_viewers == 77


def test_an_own_broker_is_spoken_to_without_a_name_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way to the broker makes no difference."""
    path = tmp_path / "hall.toml"
    path.write_text('[board]\nid = "b"\n[device]\nport = "p"\n[calibration]\nfile = "c"\n', encoding="utf-8")
    asked: list[str] = []

    @asynccontextmanager
    async def at_hand(_table: BrokerTable, _folder: Path, name: str) -> AsyncIterator[BrokerSettings]:
        await asyncio.sleep(0)
        asked.append(name)
        yield BrokerSettings("h", 1, client_id=name)

    async def run_hall(_settings: HallSettings, _say: object) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(hall, "broker_at_hand", at_hand)
    monkeypatch.setattr(gateway, "run_hall", run_hall)
    asyncio.run(hall.serve(load_config(path), 0, ServiceManager()))
    assert asked == [""]


def test_the_address_can_be_clicked(capsys: pytest.CaptureFixture[str]) -> None:
    """Also where the host is a number with colons."""
    say_where = address_said("hall")
    say_where("::1", 80)
    say_where("127.0.0.1", 8080)
    assert capsys.readouterr().out == "hall: http://[::1]:80\nhall: http://127.0.0.1:8080\n"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "cannot listen on 127.0.0.1 port {port}: Address already in use; choose another host or port"),
        ("kk", "127.0.0.1 мекенжайының {port} порты ашылмады: бұл мекенжайды басқа бағдарлама алып тұр"),
        ("ru", "порт {port} адреса 127.0.0.1 не открыть: адрес уже занят другой программой"),
    ],
)
def test_a_port_that_is_taken_is_told_in_the_language(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    language: str,
    told: str,
) -> None:
    """The reason of the system as well."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", language)
    path = tmp_path / "hall.toml"
    path.write_text(
        '[board]\nid = "b"\n[device]\nport = "p"\n[calibration]\nfile = "c"\n[broker]\nhost = "192.0.2.1"\n',
        encoding="utf-8",
    )
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(typer.Exit):
            hall.hall(path, port)
    assert told.format(port=port) in capsys.readouterr().err
