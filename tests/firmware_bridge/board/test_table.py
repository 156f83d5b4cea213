"""The session with its memory: durable first, then known."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from firmware_bridge.board.inputs import Assign, ButtonPressed, DeviceArrived, Looked
from firmware_bridge.board.memory.journal import Journal, JournalError
from firmware_bridge.board.settings import BoardSettings, GamePlan
from firmware_bridge.board.table import Table
from firmware_bridge.layout import Wiring
from rules.conduct.options import Conducts
from rules.game import Phase, PressId
from sensors.calibration import Calibration, ChannelCalibration
from sensors.settle import ChannelReading, ReadingState
from tests.firmware_bridge.board.paper import AT_ONCE, CONTROL

CHANNELS = (ChannelCalibration(zero_raw=0.0, raw_per_g=1000.0),) * 20


def settings(folder: Path) -> BoardSettings:
    """Return what a board is told."""
    return BoardSettings(
        event_id="e",
        board_id="b",
        state_dir=folder,
        device_path=folder / "tty",
        baud=9600,
        wiring=Wiring(),
        calibration=Calibration("b", 1.0, 3.0, CHANNELS),
        plan=GamePlan(names=("x", "y"), starter_seat="a", control=CONTROL, conducts=Conducts.alike(AT_ONCE)),
    )


def looked(at_us: int, zero_g: float = 0.25) -> Looked:
    """Return a quiet look at the start position, on cells a quarter of a gram off."""
    loads = [9.0 + zero_g] * 18 + [zero_g] * 2
    return Looked(at_us, tuple(ChannelReading(ReadingState.QUIET, load, 0, "") for load in loads))


async def set_up(table: Table) -> None:
    """Assign a game, see it set up, and hear one player's confirmation."""
    table.timeline.arrived(9, 0, 20)
    await table.take(DeviceArrived(0, restarted=False))
    await table.take(Assign(at_us=0, game_id="g", names=("x", "y"), starter_seat="a", control=CONTROL))
    await table.take(looked(1_000_000))
    await table.take(ButtonPressed(2_000_000, 0, PressId(9, 1)))


def test_a_table_set_up_again_knows_game_zeros_time_and_press(tmp_path: Path) -> None:
    """Everything a restart needs is in the journal."""
    journal = Journal.open(tmp_path / "j")
    asyncio.run(set_up(Table(settings(tmp_path), journal)))
    journal.close()
    journal = Journal.open(tmp_path / "j")
    again = Table(settings(tmp_path), journal)
    assert again.session.game.phase is Phase.SETTING_UP
    assert again.session.game.ready == (True, False)
    assert [known.level for known in again.session.belief.places] == [9.25] * 18 + [0.25] * 2
    assert again.last_press == PressId(9, 1)
    assert again.timeline.latest_us == 2_000_000
    assert again.timeline.device is not None
    assert (again.timeline.device.boot_id, again.timeline.device.time_scale) == (9, 20)
    assert again.state().clock is not None
    journal.close()


def test_a_full_disk_holds_the_table_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The trouble is told with its reason, once it is over the step is taken as if nothing had been."""
    monkeypatch.setattr("firmware_bridge.board.table.RETRY_S", 0.01)
    told: list[str] = []
    journal = Journal.open(tmp_path / "j")
    table = Table(settings(tmp_path), journal, told.append)
    real = os.fsync
    refusals = iter([OSError(28, "No space left on device")] * 3)

    def full(fd: int) -> None:
        if (error := next(refusals, None)) is not None:
            raise error
        real(fd)

    monkeypatch.setattr("firmware_bridge.board.memory.journal.os.fsync", full)
    asyncio.run(set_up(table))
    journal.close()
    assert [why.endswith("No space left on device") for why in told] == [True, True, True, False]
    assert told[-1] == ""
    again = Journal.open(tmp_path / "j")
    assert [record.event["kind"] for record in again.records] == [
        "game_assigned",
        "setup_started",
        "setup_checked",
        "press_taken",
        "player_ready",
    ]
    again.close()


def test_time_is_written_down_while_a_player_thinks(tmp_path: Path) -> None:
    """What a power cut gives back of a long think is bounded: four marks a minute of the wall."""
    journal = Journal.open(tmp_path / "j")
    table = Table(settings(tmp_path), journal)

    async def scene() -> None:
        await set_up(table)
        await table.mark_time()
        await table.take(ButtonPressed(2_000_000, 1, PressId(9, 2)))
        for second in range(3, 100):
            table.timeline.table_us(second * 20_000_000)  # a device whose time runs twenty times as fast
            await table.mark_time()

    asyncio.run(scene())
    journal.close()
    again = Journal.open(tmp_path / "j")
    marks = [record.event["at_us"] for record in again.records if record.event["kind"] == "time_mark"]
    assert marks == [at * 20_000_000 for at in (16, 31, 46, 61, 76, 91)]
    assert Table(settings(tmp_path), again).timeline.latest_us == 91 * 20_000_000
    again.close()


def test_a_button_let_go_is_written_down_too(tmp_path: Path) -> None:
    """The device is told to forget it, so its number must be known."""
    journal = Journal.open(tmp_path / "j")
    table = Table(settings(tmp_path), journal)
    table.timeline.arrived(9, 0)
    asyncio.run(table.note_press(ButtonPressed(5, 0, PressId(9, 3))))
    journal.close()
    again = Journal.open(tmp_path / "j")
    assert Table(settings(tmp_path), again).last_press == PressId(9, 3)
    again.close()


def test_a_journal_that_cannot_follow_from_itself_is_refused(tmp_path: Path) -> None:
    """Whole and chained, but nonsense: the record is named."""
    journal = Journal.open(tmp_path / "j")
    asyncio.run(journal.append([{"kind": "game_started", "at_us": 1}], device=None, wall_ms=0))
    with pytest.raises(JournalError, match="record 1 cannot follow from those before it"):
        Table(settings(tmp_path), journal)
    journal.close()
