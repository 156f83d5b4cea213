"""The emulated players and their device at odd moments: a fast table, a press while it starts."""

from pathlib import Path

import pytest

from firmware_bridge.emulator.actions import Button, Timed
from firmware_bridge.emulator.emulator import EmulatorSettings, build_hands, build_world
from firmware_bridge.emulator.pace import Manners
from firmware_bridge.emulator.records import Record
from firmware_bridge.emulator.table import EmulatedTable
from sensors import frames
from sensors.device.device import Device, DeviceConfig

SECOND = 1_000_000


def settings(speed: int = 1, press_again_s: float = 20.0) -> EmulatorSettings:
    """Return a table at which nothing is played."""
    return EmulatorSettings(
        device_path=Path("unused"),
        record=Record(("", ""), (), "test"),
        speed=speed,
        manners=Manners(press_again_s=press_again_s),
    )


@pytest.mark.parametrize(("speed", "due_s"), [(1, 20.0), (10, 20.0), (20, 40.0), (100, 200.0)])
def test_patience_is_at_least_two_seconds_by_the_wall(speed: int, due_s: float) -> None:
    """A host's disk has no speed-up: impatient players would press for what is only being written down."""
    assert build_hands(settings(speed))._manners.press_again_s == due_s
    assert build_hands(settings(speed, 300.0))._manners.press_again_s == 300.0


def test_a_press_just_before_the_boot_counts_as_made_at_it() -> None:
    """The finger was down while the device started: its time is the device's first, never before."""
    given = settings()
    device = Device(DeviceConfig(board_id="b"), boot_id=5)
    table = EmulatedTable(build_world(given), build_hands(given), device)
    for _ in range(80):
        table.step()
    table.power_cycle(6)
    table._carry_out(Timed(table.world_us - 2_000, Button(0, down=True)))
    table._carry_out(Timed(table.world_us + 3_000, Button(1, down=True)))
    assert device._open_events() == [
        frames.Button(1, 0, 0, frames.EDGE_DOWN),
        frames.Button(2, 3_000, 1, frames.EDGE_DOWN),
    ]
