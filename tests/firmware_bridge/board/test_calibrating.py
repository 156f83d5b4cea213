"""A running board calibrates itself over its socket; the device is a simulated board."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.board.calibrating import ABANDONED_S
from firmware_bridge.board.inputs import End
from firmware_bridge.board.settings import TraceSettings
from firmware_bridge.board.tracing.recorder import Tracing
from firmware_bridge.calibrating.steps import LOADS, Step
from firmware_bridge.layout import PLACES, Wiring
from firmware_bridge.trace.reader import Ending, TraceReader
from rules.game import Phase
from sensors import frames
from sensors.calibration import COUNTER, Calibration, ChannelCalibration
from sensors.calibration_file import load_calibration, previous_of, save_calibration
from sensors.simulator.profile import SLOW
from sensors.simulator.world import CellWorld
from tests.firmware_bridge.board.test_table import settings
from tests.firmware_bridge.board.wired import HELLO, NINES, SECOND, Wired

ROUGH = Calibration("b", 1.15, 3.0, (ChannelCalibration(0.0, 12885.0),) * PLACES)


class Club:
    """A board on the table of a club: its process without a port, and cells under it.

    Attributes:
        wired: the process.
        file: its calibration file.
    """

    def __init__(self, folder: Path, clock: list[int]) -> None:
        """Set up a board whose calibration is a rough one, set up for a game."""
        self.file = folder / "calibration.json"
        save_calibration(self.file, ROUGH)
        told = replace(settings(folder), calibration=ROUGH, calibration_file=self.file)
        self.wired = Wired(folder, told)
        self.world = CellWorld(SLOW.kinds(), SLOW, seed=4)
        self.world.calm()
        self.world.lapse(1800.0)
        self._clock = clock
        self._samples = 0

    async def answer(self, step: str, **more: Any) -> dict[str, Any]:
        """Ask as the socket does; what comes back is JSON."""
        board = self.wired.board
        answering = asyncio.create_task(board._answer({"do": "calibrate", "step": step, **more}))
        await (await board._inbox.get())()
        found: dict[str, Any] = json.loads(json.dumps(await answering, allow_nan=False))
        return found

    async def wait(self, seconds: float) -> None:
        """Let samples come for so long, and the board's clock tick."""
        for count in range(round(seconds * 1e6 / self.world.period_us)):
            self._samples += 1
            self._clock[0] = at_us = round(self._samples * self.world.period_us)
            raw, status = self.world.read(at_us)
            data = frames.Data(at_us & 0xFFFFFFFF, status, raw)
            await self.wired._frame(frames.DATA, frames.pack_data(data))
            if count % 8 == 0:
                await self.wired.board._tick()

    async def lay(self, step: Step) -> None:
        """Lay what a step asks."""
        self.world.lay_out(dict(enumerate(LOADS[step])), (3, 14) if step is Step.MARKS else ())
        await self.wait(1.0)

    async def step(self, step: Step) -> dict[str, Any]:
        """Do a step, and return how it stands then."""
        if step is Step.TOUCH:
            await self.answer("skip")
        else:
            await self.lay(step)
            await self.answer("next")
            await self.wait(6.0)
        found: dict[str, Any] = (await self.answer("state"))["calibration"]
        assert found["complaints"] == []
        return found


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    """A board of a club, not yet plugged in."""
    clock = [0]
    monkeypatch.setattr("firmware_bridge.board.runtime._now_us", lambda: clock[0])
    board = Club(tmp_path, clock)
    yield board
    board.wired.journal.close()


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
