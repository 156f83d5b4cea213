"""A running board calibrates itself over its socket; the device is a simulated board."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge.board.calibrating import ABANDONED_S
from firmware_bridge.board.settings import TraceSettings
from firmware_bridge.board.tracing.recorder import Tracing
from firmware_bridge.calibrating.steps import Step
from firmware_bridge.trace.reader import Ending, TraceReader
from rules.game import Phase
from sensors.calibration_file import load_calibration, previous_of, save_calibration
from tests.firmware_bridge.board.club import ROUGH, Club
from tests.firmware_bridge.board.wired import HELLO


def test_a_board_weighs_by_its_new_calibration_at_once(club: Club, tmp_path: Path) -> None:
    """Nothing is started anew; what was laid for calibrating was no set-up, and the device is back."""
    table, wired = club.wired.table, club.wired

    async def scene() -> None:
        await wired.plugged(HELLO._replace(rate_centihz=1000))
        await club.wait(1.0)
        view = (await club.answer("begin"))["calibration"]
        assert (view["step"], view["resumed"]) == ("empty", False)
        assert table.watch.sensed == "no_device"
        assert (await club.answer("mass", grams=186.3))["calibration"]["total_g"] == 186.3
        for step in Step:
            await club.step(step)
        assert (tmp_path / "calibrating.json").exists()
        view = (await club.answer("state"))["calibration"]
        assert view["state"] == "judged"
        assert table.session.game.phase is Phase.SETTING_UP
        assert not table.session.game.setup_ok
        assert await club.answer("next") == {"ok": True, "calibration": None}
        await club.lay(Step.NINES)
        await club.wait(4.0)

    asyncio.run(scene())
    made = load_calibration(club.file)
    assert made.unit_g == pytest.approx(1.15)
    assert load_calibration(previous_of(club.file)) == ROUGH
    assert not (tmp_path / "calibrating.json").exists()
    assert wired.board._settings.calibration == made
    assert table.watch.sensed == "matches"


def test_a_wrong_calibration_is_mended_without_a_restart(club: Club) -> None:
    """The device is another one than the file says: it is calibrated, and then it is ours."""
    hello = HELLO._replace(rate_centihz=1000, board_id="another")

    async def scene() -> None:
        await club.wired.plugged(hello)
        await club.wait(1.0)
        assert club.wired.table.watch.sensed == "no_device"
        await club.answer("begin")
        for step in Step:
            await club.step(step)
        await club.answer("next")
        await club.lay(Step.NINES)
        await club.wait(4.0)

    asyncio.run(scene())
    assert load_calibration(club.file).board_id == "another"
    assert club.wired.table.watch.sensed == "matches"


def test_presses_while_calibrating_mean_nothing_and_are_not_sent_again(club: Club) -> None:
    """They are on disk before the device forgets them; nobody is made ready by them."""
    wired = club.wired

    async def scene() -> None:
        await wired.plugged(HELLO._replace(rate_centihz=1000))
        await club.wait(1.0)
        await club.answer("begin")
        await club.lay(Step.NINES)
        for number in (1, 2):
            await wired.press(number, number - 1, club._clock[0])
        await club.wait(1.0)

    asyncio.run(scene())
    assert wired.port.acknowledged()[-1] == 2
    assert [record.event["kind"] for record in wired.journal.records][-2:] == ["press_taken"] * 2
    assert not any(wired.table.session.game.ready)


def test_a_calibration_put_off_goes_on_and_one_cancelled_is_gone(club: Club, tmp_path: Path) -> None:
    """Either way the board has its device back, by the calibration it had."""
    wired = club.wired

    async def scene() -> None:
        await wired.plugged(HELLO._replace(rate_centihz=1000))
        await club.wait(1.0)
        await club.answer("begin")
        await club.step(Step.EMPTY)
        assert (await club.answer("pause"))["calibration"] is None
        await club.wait(1.0)
        assert wired.table.watch.sensed != "no_device"
        view = (await club.answer("begin"))["calibration"]
        assert (view["step"], view["resumed"]) == ("touch", True)
        assert (await club.answer("begin"))["calibration"]["step"] == "touch"
        assert (await club.answer("begin", anew=True))["calibration"]["step"] == "empty"
        await club.step(Step.EMPTY)
        await club.answer("cancel")
        assert not (tmp_path / "calibrating.json").exists()
        assert (await club.answer("next"))["code"] == "calib_none"

    asyncio.run(scene())
    assert load_calibration(club.file) == ROUGH
    assert not previous_of(club.file).exists()


def test_a_calibration_that_nobody_goes_on_with_gives_the_board_back(club: Club, tmp_path: Path) -> None:
    """A browser was closed: after a quarter of an hour the table has its device again."""

    async def scene() -> None:
        await club.wired.plugged(HELLO._replace(rate_centihz=1000))
        await club.wait(1.0)
        await club.answer("begin")
        await club.step(Step.EMPTY)
        club._clock[0] += round((ABANDONED_S - 1) * 1e6)
        await club.wired.board._tick()
        assert club.wired.board._calibrating.active
        club._clock[0] += 2_000_000
        await club.wired.board._tick()
        assert not club.wired.board._calibrating.active

    asyncio.run(scene())
    assert (tmp_path / "calibrating.json").exists()


def test_a_full_card_loses_nothing_that_was_measured(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Steps go on and it is logged; what cannot be written at the end is kept in mind, and written later."""

    def full(*_what: object) -> None:
        raise OSError(28, "No space left on device")

    async def scene() -> None:
        await club.wired.plugged(HELLO._replace(rate_centihz=1000))
        await club.wait(1.0)
        with monkeypatch.context() as patch:
            patch.setattr("firmware_bridge.calibrating.keeping.replace_file", full)
            patch.setattr("firmware_bridge.board.calibrating.save_calibration", full)
            await club.answer("begin")
            for step in Step:
                await club.step(step)
            refused = await club.answer("next")
            assert (refused["ok"], refused["code"]) == (False, "calib_file")
            assert "No space left on device" in refused["why"]
        assert (await club.answer("state"))["calibration"]["state"] == "judged"
        assert load_calibration(club.file) == ROUGH
        assert (await club.answer("next"))["ok"]

    asyncio.run(scene())
    assert "calibrating would begin anew after a power cut" in caplog.text
    assert load_calibration(club.file) != ROUGH


def sensed(club: Club) -> str:
    """Return what the board says that it sees."""
    return club.wired.table.watch.sensed


def test_a_device_that_restarts_meanwhile_does_not_come_back_to_the_table(club: Club) -> None:
    """It is measured on; the table has it again only when calibrating has ended."""
    wired, hello = club.wired, HELLO._replace(rate_centihz=1000)

    async def scene() -> None:
        await wired.plugged(hello)
        await club.wait(1.0)
        await club.answer("begin")
        await wired.hello(hello._replace(boot_id=77, uptime_us=club._clock[0]))
        await club.lay(Step.NINES)
        assert sensed(club) == "no_device"
        assert not wired.table.session.game.setup_ok
        await club.answer("cancel")
        assert sensed(club) != "no_device"
        assert wired.table.timeline.device is not None
        assert wired.table.timeline.device.boot_id == 77

    asyncio.run(scene())


def test_a_device_whose_time_jumped_meanwhile_does_not_move_the_tables_time(club: Club) -> None:
    """Hours must not pass at the table because a device began its time anew while it was calibrated."""
    wired = club.wired

    async def scene() -> None:
        await wired.plugged(HELLO._replace(rate_centihz=1000))
        await club.wait(2.0)
        before_us = wired.table.timeline.latest_us
        await club.answer("begin")
        await club.wait(1.0)
        hour_us = 3_600_000_000
        await wired.hello(HELLO._replace(rate_centihz=1000, uptime_us=hour_us))
        await club.answer("cancel")
        assert wired.table.watch.sensed != "no_device"
        assert wired.table.timeline.latest_us - before_us < 10_000_000

    asyncio.run(scene())


def test_a_trace_of_the_old_calibration_ends_and_the_next_begins_with_the_new(
    club: Club, tmp_path: Path
) -> None:
    """A replay weighs by what its head names."""
    board = club.wired.board
    board._settings = replace(board._settings, trace=TraceSettings(always=True, folder=tmp_path / "traces"))
    board._tracing = Tracing(board._settings, "test", 1)

    async def scene() -> None:
        await club.wired.plugged(HELLO._replace(rate_centihz=1000))
        board._tracing.start_always()
        await club.wait(1.0)
        save_calibration(club.file, replace(ROUGH, unit_g=2.0))
        assert (await club.answer("previous"))["ok"]
        save_calibration(club.file, replace(ROUGH, unit_g=3.0))
        await club.wait(1.0)
        await board._tracing.close()

    board._settings = replace(board._settings, calibration=replace(ROUGH, unit_g=2.0))
    board._tracing._settings = board._settings
    asyncio.run(scene())
    heads, ends = [], []
    for path in sorted((tmp_path / "traces").iterdir()):
        with TraceReader.open(path) as reader:
            heads.append(reader.header.calibration.unit_g)
            *_, last = reader.rows()
            assert isinstance(last, Ending)
            ends.append(last.told["why"])
    assert (heads, ends) == ([2.0, 1.15], ["calibrated", "stopped"])
