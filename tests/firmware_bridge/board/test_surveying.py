"""What a running board says of its device to whoever looks for a fault."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sensors import frames
from sensors.survey import survey_from_json
from tests.firmware_bridge.board.wired import BOOT, HELLO, NINES, SECOND, Wired


@pytest.fixture
def wired(tmp_path: Path) -> Iterator[Wired]:
    """A board not yet plugged in."""
    board = Wired(tmp_path)
    yield board
    board.journal.close()


@pytest.fixture
def hosts_clock(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The host's clock, microseconds, to be set by hand: a device's time far ahead of it is not believed."""
    now = [0]
    monkeypatch.setattr("firmware_bridge.board.runtime._now_us", lambda: now[0])
    return now


async def show(wired: Wired, clock: list[int], from_s: int, until_s: int) -> None:
    """Let ten samples a second come while the host's clock goes along."""
    for tenth in range(from_s * 10, until_s * 10):
        clock[0] = tenth * SECOND // 10
        await wired.show(NINES, clock[0], clock[0] + 1)


async def survey(wired: Wired, **request: Any) -> dict[str, Any]:
    """Ask as the socket does; what comes back is JSON."""
    answering = asyncio.create_task(wired.board._answer({"do": "survey", **request}))
    work = await wired.board._inbox.get()
    await work()
    answer: dict[str, Any] = json.loads(json.dumps(await answering, allow_nan=False))
    return answer


def test_a_survey_names_device_link_channels_and_buttons(wired: Wired) -> None:
    """The numbers of the last seconds, each channel with its place and what the calibration makes of it."""

    async def scene() -> dict[str, Any]:
        await wired.plugged()
        await wired.show(NINES, SECOND // 10, 6 * SECOND)
        await wired.press(1, 1, 6 * SECOND)
        return await survey(wired, seconds=2)

    told = asyncio.run(scene())
    report = survey_from_json(told["survey"])
    assert (told["ok"], report.samples, report.nominal_hz) == (True, 21, 10.0)
    assert report.rate_hz == pytest.approx(10.0)
    assert (report.lost_frames, report.bad_frames) == (0, 0)
    assert [row["name"] for row in told["channels"]] == [
        *(f"side_a[{n}]" for n in range(9)),
        *(f"side_b[{n}]" for n in range(9)),
        "kazan_a",
        "kazan_b",
    ]
    assert [row["load_g"] for row in told["channels"]] == [float(stones) for stones in NINES]
    assert told["channels"][0]["noise_stones"] == 0
    assert told["calibration"]["board_id"] == "b"
    assert told["calibration_fault"] is None
    device = told["device"]
    assert (device["board_id"], device["firmware"], device["boot_id"]) == ("b", "on paper", BOOT)
    assert (device["reset_reason"], device["rate_hz"], device["minor"], device["features"]) == (1, 10, 0, 63)
    assert (told["link"]["state"], told["link"]["lost_frames"]) == ("up", 0)
    assert told["link"]["frames"] == 61
    assert 0 <= told["sample_age_s"] < 5
    ((button),) = told["buttons"]
    assert (button["button"], button["presses"], button["number"]) == (1, 1, 1)
    assert 0 <= button["age_s"] < 5


def test_the_ring_holds_ten_seconds_and_no_more(wired: Wired, hosts_clock: list[int]) -> None:
    """A week of samples takes no more memory than a minute."""

    async def scene() -> dict[str, Any]:
        await wired.plugged()
        await show(wired, hosts_clock, 0, 30)
        return await survey(wired, seconds=10)

    told = asyncio.run(scene())
    assert (told["survey"]["samples"], len(wired.board._surveying._samples)) == (101, 101)
    assert len(wired.board._surveying._counted) == 21


def test_a_device_that_the_calibration_does_not_fit_is_surveyed_all_the_same(wired: Wired) -> None:
    """The wrong calibration is one of the things that are looked for; nothing is weighed by it."""

    async def scene() -> dict[str, Any]:
        await wired.plugged(HELLO._replace(board_id="another"))
        await wired.show(NINES, SECOND // 10, 2 * SECOND)
        return await survey(wired)

    told = asyncio.run(scene())
    assert told["survey"]["samples"] == 19
    assert told["device"]["board_id"] == "another"
    assert told["calibration_fault"] == (
        "the calibration is of board 'b', the device is 'another': calibrate this board"
    )
    assert {row["load_g"] for row in told["channels"]} == {None}


def test_before_a_device_is_there_a_survey_says_so(wired: Wired) -> None:
    """No device, no samples, no buttons: each by name, none as zero."""
    told = asyncio.run(survey(wired))
    assert (told["ok"], told["device"], told["sample_age_s"], told["buttons"]) == (True, None, None, [])
    assert (told["survey"]["samples"], told["channels"], told["link"]["state"]) == (0, [], "closed")


def test_frames_lost_in_the_window_are_told_and_older_ones_are_not(
    wired: Wired, hosts_clock: list[int]
) -> None:
    """The counters since the start stand beside them."""

    async def lose(frames_lost: int) -> None:
        wired._seq = (wired._seq + frames_lost) & 0xFFFF
        data = frames.Data(hosts_clock[0] + 1, (0,) * 20, (1,) * 20)
        await wired._frame(frames.DATA, frames.pack_data(data))  # the gap makes the link ask who it is
        await wired.hello(HELLO._replace(uptime_us=hosts_clock[0] + 2))

    async def scene() -> dict[str, Any]:
        await wired.plugged()
        await show(wired, hosts_clock, 0, 2)
        await lose(7)
        await show(wired, hosts_clock, 3, 8)
        await lose(4)
        await show(wired, hosts_clock, 9, 10)
        return await survey(wired, seconds=4)

    told = asyncio.run(scene())
    assert told["link"]["lost_frames"] == 11
    assert told["survey"]["lost_frames"] == 4


@pytest.mark.parametrize("seconds", [0, -1, 11, "3", True, None])
def test_a_time_that_is_none_is_refused(wired: Wired, seconds: object) -> None:
    """The board says what it keeps."""
    told = asyncio.run(survey(wired, seconds=seconds))
    assert (told["ok"], told["why"]) == (
        False,
        f"`seconds` {seconds!a} is no time: above 0 and up to 10",
    )


def test_a_restarted_device_is_surveyed_anew(wired: Wired) -> None:
    """Nothing of the boot before stands in the report."""

    async def scene() -> dict[str, Any]:
        await wired.plugged()
        await wired.show(NINES, SECOND // 10, 2 * SECOND)
        await wired.press(1, 0, 2 * SECOND)
        await wired.hello(HELLO._replace(boot_id=BOOT + 1))
        return await survey(wired)

    told = asyncio.run(scene())
    assert (told["survey"]["samples"], told["buttons"]) == (0, [])
