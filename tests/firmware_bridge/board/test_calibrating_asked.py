"""What is asked of a board about its calibration, and refused: set-ups, the one before, counters, games."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.board.inputs import End
from firmware_bridge.calibrating.steps import LOADS, Step
from firmware_bridge.layout import PLACES, Wiring
from rules.game import Phase
from sensors import frames
from sensors.calibration import COUNTER, Calibration, ChannelCalibration
from sensors.calibration_file import load_calibration, previous_of, save_calibration
from tests.firmware_bridge.board.club import ROUGH, Club
from tests.firmware_bridge.board.test_table import settings
from tests.firmware_bridge.board.wired import HELLO, NINES, SECOND, Wired


@pytest.mark.parametrize("phase", [Phase.READY, Phase.PLAYING, Phase.ENDED])
def test_a_board_with_a_game_on_it_is_not_calibrated(club: Club, phase: Phase) -> None:
    """Neither step by step nor from a set-up; the game goes on."""

    async def scene() -> None:
        wired = Wired(club.file.parent / "other", replace(_plain(club), calibration_file=club.file))
        club.wired = wired
        await wired.plugged()
        await wired.show(NINES, SECOND // 10, 2 * SECOND)
        await wired.press(1, 0, 2 * SECOND)
        await wired.press(2, 1, 3 * SECOND)
        if phase is Phase.ENDED:
            await wired.board._take(End(wired.table.timeline.latest_us, "1-0", "resignation"))
        if phase is Phase.READY:
            wired.table.session.game = replace(wired.table.session.game, phase=Phase.READY)
        assert wired.table.session.game.phase is phase
        for step in ("begin", "auto", "previous"):
            refused = await club.answer(step)
            assert (refused["ok"], refused["code"], refused["phase"]) == (False, "calib_game", phase.value)
        assert wired.table.watch.sensed != "no_device"
        wired.journal.close()

    club.wired.journal.close()
    (club.file.parent / "other").mkdir()
    asyncio.run(scene())


def _plain(club: Club) -> Any:
    return settings(club.file.parent / "other")


def test_a_set_up_gives_new_zeros_and_says_how_far_they_moved(club: Club) -> None:
    """Gains stay as they were; pits that plainly hold another number are named, and nothing is changed."""
    wired = club.wired
    gains = [cell.raw_per_g for cell in club.world.cells]
    drifted = Calibration(
        "b",
        1.15,
        3.0,
        tuple(
            ChannelCalibration(cell.zero_raw - 0.2 * cell.raw_per_g, cell.raw_per_g)
            for cell in club.world.cells
        ),
    )

    async def scene() -> None:
        wired.board._settings = replace(wired.board._settings, calibration=drifted)
        await wired.plugged(HELLO._replace(rate_centihz=1000))
        stones = list(LOADS[Step.NINES])
        stones[4], stones[5] = 8, 10
        club.world.lay_out(dict(enumerate(stones)))
        await club.wait(5.0)
        refused = await club.answer("auto")
        assert (refused["ok"], refused["code"]) == (False, "calib_setup")
        assert [each["places"] for each in refused["complaints"]] == [[4], [5]]
        assert load_calibration(club.file) == ROUGH
        await club.lay(Step.NINES)
        await club.wait(5.0)
        answer = await club.answer("auto")
        assert answer["ok"], answer
        assert len(answer["moved"]) == PLACES
        assert max(map(abs, answer["moved"])) < 0.5

    asyncio.run(scene())
    made = load_calibration(club.file)
    assert [row.raw_per_g for row in made.channels] == gains
    for place, (row, cell) in enumerate(zip(made.channels, club.world.cells, strict=True)):
        off_stones = (row.zero_raw - cell.zero_raw) / cell.raw_per_g / 1.15
        assert off_stones == pytest.approx(0.0, abs=0.25), place


def test_a_set_up_is_not_enough_without_a_calibration_that_fits(club: Club) -> None:
    """One load gives one number for each channel."""

    async def scene() -> None:
        await club.wired.plugged(HELLO._replace(rate_centihz=1000, board_id="another"))
        await club.lay(Step.NINES)
        await club.wait(4.0)
        refused = await club.answer("auto")
        assert refused["code"] == "calib_before"
        assert "the device is 'another'" in refused["why"]

    asyncio.run(scene())


def test_the_calibration_before_comes_back_and_is_weighed_by(club: Club) -> None:
    """On request only."""
    other = replace(ROUGH, unit_g=2.0)

    async def scene() -> None:
        await club.wired.plugged(HELLO._replace(rate_centihz=1000))
        assert (await club.answer("previous"))["code"] == "calib_file"
        save_calibration(club.file, other)
        assert (await club.answer("previous"))["ok"]

    asyncio.run(scene())
    assert load_calibration(club.file) == ROUGH
    assert club.wired.board._settings.calibration == ROUGH
    assert load_calibration(previous_of(club.file)) == other


def test_a_board_that_only_counts_gets_its_calibration_at_once(club: Club) -> None:
    """There is nothing to measure; a device without count sensors is refused."""
    counting = Wiring(
        side_a=(), side_b=(), kazan_a=None, kazan_b=None,
        beam_a=tuple(range(9)), beam_b=tuple(range(9, 18)), beam_kazan_a=18, beam_kazan_b=19,
    )  # fmt: skip

    async def scene() -> None:
        await club.wired.plugged(HELLO._replace(features=HELLO.features & ~frames.FEATURE_COUNTERS))
        club.wired.board._calibrating._wiring = counting
        assert (await club.answer("begin"))["code"] == "calib_before"
        await club.wired.hello(HELLO)
        answer = await club.answer("begin")
        assert answer == {"ok": True, "calibration": None, "counters": 20}

    asyncio.run(scene())
    assert load_calibration(club.file).channels == (COUNTER,) * 20


def test_what_is_no_request_is_refused_and_changes_nothing(club: Club) -> None:
    """By name, with what there is."""

    async def scene() -> None:
        refused = await club.answer("begin")
        assert (refused["code"], refused["why"]) == (
            "calib_device",
            "no device has said who it is: is it plugged in?",
        )
        await club.wired.plugged(HELLO._replace(rate_centihz=1000))
        await club.answer("begin")
        before = await club.answer("state")
        for step, more, code in (
            ("dance", {}, "calib_word"),
            ("mass", {"grams": "much"}, "calib_grams"),
            ("mass", {"grams": -1}, "calib_grams"),
            ("mass", {"grams": 10**400}, "calib_grams"),
            ("skip", {}, "calib_needed"),
            ("auto", {}, "calib_busy"),
            ("previous", {}, "calib_busy"),
        ):
            refused = await club.answer(step, **more)
            assert (refused["ok"], refused["code"]) == (False, code)
        assert await club.answer("state") == before

    asyncio.run(scene())


def test_progress_that_cannot_be_read_is_not_gone_on_with(
    club: Club, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is begun anew, and logged."""
    (tmp_path / "calibrating.json").write_text('{"format": 1, "board_id": "b"')

    async def scene() -> None:
        await club.wired.plugged(HELLO._replace(rate_centihz=1000))
        assert not (await club.answer("begin"))["calibration"]["resumed"]

    asyncio.run(scene())
    assert "calibrating begins anew" in caplog.text
