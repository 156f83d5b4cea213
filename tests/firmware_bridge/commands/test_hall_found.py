"""Which broker a board follows whose configuration says `host = "auto"`, and what it remembers of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge.commands import hall_found
from firmware_bridge.commands.hall_found import HallSeeker
from firmware_bridge.commands.running import broker_at_hand
from firmware_bridge.config import BrokerTable
from firmware_bridge.discovery.network import NetworkError
from firmware_bridge.discovery.notices import HallNotice, Remembered
from firmware_bridge.wire.broker import BrokerError
from tests.firmware_bridge.discovery.halls import HALL, SECOND, STRANGER

FOLLOWED = Remembered("cup", "192.0.2.7", 1883)

Hears = Callable[..., None]


@pytest.fixture
def hears(monkeypatch: pytest.MonkeyPatch) -> Hears:
    """Let the network carry the notices of these halls from now on, or nothing at all."""

    def carry(*halls: HallNotice, network: bool = True) -> None:
        def heard() -> Sequence[HallNotice]:
            if not network:
                raise NetworkError("no network to look for halls on")
            return halls

        monkeypatch.setattr(hall_found, "heard_halls", heard)

    return carry


@pytest.mark.asyncio
async def test_the_hall_of_the_event_is_followed_with_the_boards_own_password(
    tmp_path: Path, hears: Hears
) -> None:
    """The address alone comes from the network."""
    hears(STRANGER, HALL)
    table = BrokerTable(host="auto", username="board", password="secret")  # noqa: S106 - nobody's
    async with broker_at_hand(table, tmp_path, "board-1", "cup") as broker:
        assert (broker.where, broker.client_id) == ("192.0.2.7:1883", "board-1")
        assert (broker.username, broker.password) == ("board", "secret")


@pytest.mark.asyncio
async def test_a_strangers_hall_is_refused_with_a_word(
    tmp_path: Path, hears: Hears, caplog: pytest.LogCaptureFixture
) -> None:
    """Though it is the only one that is heard."""
    hears(STRANGER)
    with pytest.raises(BrokerError, match="no hall of event 'cup' to follow"):
        async with broker_at_hand(BrokerTable(host="auto"), tmp_path, "b", "cup"):
            pass
    assert "no hall of event 'cup' is heard on the network; heard were halls of open" in caplog.text


@pytest.mark.asyncio
async def test_two_halls_are_refused_and_the_one_before_is_kept_to(
    tmp_path: Path, hears: Hears, caplog: pytest.LogCaptureFixture
) -> None:
    """Of a board that has followed none neither is followed."""
    hears(HALL, SECOND)
    assert await HallSeeker(tmp_path, "cup").look() is None
    assert "lead to different brokers (192.0.2.7:1883, 192.0.2.9:1883): end all but one" in caplog.text
    hears(HALL)
    assert await HallSeeker(tmp_path, "cup").look() == FOLLOWED
    hears(SECOND, HALL)
    assert await HallSeeker(tmp_path, "cup").look() == FOLLOWED


@pytest.mark.asyncio
async def test_without_multicast_the_last_address_is_good(tmp_path: Path, hears: Hears) -> None:
    """For the same event; and a hall that has moved is followed to its new place."""
    hears(HALL)
    seeker = HallSeeker(tmp_path, "cup")
    assert await seeker.look() == FOLLOWED
    hears(network=False)
    assert await seeker.look() == FOLLOWED
    assert await HallSeeker(tmp_path, "cup").look() == FOLLOWED
    assert await HallSeeker(tmp_path, "open").look() is None
    hears(SECOND)
    assert await seeker.look() == Remembered("cup", "192.0.2.9", 1883)


@pytest.mark.asyncio
async def test_a_hall_without_a_broker_for_others_is_told_from_none(
    tmp_path: Path, hears: Hears, caplog: pytest.LogCaptureFixture
) -> None:
    """People then know what to change: the broker's listener."""
    hears(replace(HALL, broker_host=""))
    assert await HallSeeker(tmp_path, "cup").look() is None
    assert "has a broker that only its own machine can reach" in caplog.text


@pytest.mark.asyncio
async def test_the_same_is_said_once_however_long_it_lasts(
    tmp_path: Path, hears: Hears, caplog: pytest.LogCaptureFixture
) -> None:
    """A log of an evening stays readable."""
    hears()
    seeker = HallSeeker(tmp_path, "cup")
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            await seeker.look()
    assert caplog.text.count("no hall of event 'cup' is heard") == 1


@pytest.mark.asyncio
async def test_a_disk_that_takes_nothing_costs_only_the_memory(
    tmp_path: Path, hears: Hears, caplog: pytest.LogCaptureFixture
) -> None:
    """The hall is followed all the same."""
    (tmp_path / "state").write_text("no folder", encoding="utf-8")
    hears(HALL)
    assert await HallSeeker(tmp_path / "state", "cup").look() == FOLLOWED
    assert "cannot be remembered" in caplog.text
