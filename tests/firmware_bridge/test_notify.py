"""What a program tells the service manager that started it."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from firmware_bridge.notify import ServiceManager, service_manager
from firmware_bridge.watchdog import Watchdog
from tests.service_manager import ListeningManager


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> ListeningManager:
    """A manager at an address of either kind."""
    return ListeningManager(
        tmp_path / "notify" if request.param == "path" else f"@togyz-test-{os.getpid()}-{tmp_path.name}"
    )


def test_each_word_is_a_datagram_at_the_address_that_the_environment_names(manager: ListeningManager) -> None:
    """At a path, as systemd has it, and at an abstract name, as containers have it.

    A sign of life before the program is ready, or when it stops, would be one of another program.
    """
    environ = {"OTHER": "stays", "WATCHDOG_PID": str(os.getpid()), **manager.environment(20)}
    with manager:
        ours = service_manager(environ)
        assert ours
        assert ours.watchdog == Watchdog(20.0)
        ours.extend(90.5)
        ours.alive()
        ours.ready("both\nlines")
        ours.alive()
        ours.status("late")
        ours.stopping()
        ours.alive()
        manager.rest()
    assert [told.lines for told in manager.told] == [
        ("EXTEND_TIMEOUT_USEC=90500000",),
        ("READY=1", "STATUS=both lines"),
        ("WATCHDOG=1",),
        ("STATUS=late",),
        ("STOPPING=1",),
    ]
    assert {told.pid for told in manager.told} == {os.getpid()}


def test_the_variables_are_taken_out_of_the_environment(tmp_path: Path) -> None:
    """A mosquitto that we start knows them too, and would say READY=1 in our name."""
    environ = {"NOTIFY_SOCKET": str(tmp_path / "n"), "WATCHDOG_USEC": "1", "WATCHDOG_PID": "1", "A": "b"}
    service_manager(environ)
    assert environ == {"A": "b"}


def test_without_a_service_manager_nothing_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """A program typed at a prompt."""
    nobody = service_manager({})
    nobody.ready("x")
    nobody.alive()
    assert (bool(nobody), nobody.watchdog, caplog.records) == (False, Watchdog(), [])


def test_a_watchdog_that_watches_another_process_is_not_ours(tmp_path: Path) -> None:
    """The variable is inherited by whatever is started below."""
    environ = {"NOTIFY_SOCKET": str(tmp_path / "n"), "WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"}
    assert service_manager(environ).watchdog == Watchdog()


@pytest.mark.parametrize("limit", ["soon", "-5", "0", "٣", "1.5"])
def test_a_time_that_is_none_is_told_and_no_sign_of_life_is_due(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, limit: str
) -> None:
    """The program goes on."""
    ours = service_manager({"NOTIFY_SOCKET": str(tmp_path / "n"), "WATCHDOG_USEC": limit})
    assert ours.watchdog == Watchdog()
    assert f"WATCHDOG_USEC={limit} is no number of microseconds" in caplog.text


def test_an_address_that_is_none_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """Once, and then nobody is told anything."""
    ours = service_manager({"NOTIFY_SOCKET": "vsock:2:1"})
    ours.ready("x")
    (record,) = caplog.records
    assert "NOTIFY_SOCKET=vsock:2:1 is no path and no abstract name" in record.getMessage()


def test_a_manager_that_is_gone_is_said_once_and_stops_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """And again when it has been there meanwhile."""
    ours = ServiceManager(str(tmp_path / "n"))
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            ours.status("x")
        with ListeningManager(tmp_path / "n") as manager:
            ours.status("x")
            manager.rest()
        ours.status("x")
    assert manager.lines() == ["STATUS=x"]
    assert [record.getMessage().partition(" (")[0] for record in caplog.records] == [
        f"the service manager at {tmp_path / 'n'} does not hear 'STATUS=x'"
    ] * 2


def test_a_manager_that_takes_nothing_holds_a_program_up_for_a_moment_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A queue that is full must not stop a clock."""
    monkeypatch.setattr("firmware_bridge.notify.PATIENCE_S", 0.01)
    ours = ServiceManager(str(tmp_path / "n"))
    with ListeningManager(tmp_path / "n"):
        while not ours._refused:
            ours.status("x")
