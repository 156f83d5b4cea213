"""Whole games at an emulated table in virtual time: world, hands, device and a tiny host, no cable."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from firmware_bridge.emulator.actions import BESIDE, OffenceDone, PlyDone, PostMortem, Timed
from firmware_bridge.emulator.emulator import EmulatorSettings, build_hands, build_world
from firmware_bridge.emulator.offences import Offence
from firmware_bridge.emulator.pace import BLITZ, PLAIN, RAPID, UNRULY, Manners, Pace
from firmware_bridge.emulator.records import Record, bundled_record
from firmware_bridge.emulator.table import EmulatedTable
from rules.position import EndReason, Sowing, outcome
from sensors.device.device import Device, DeviceConfig
from tests.firmware_bridge.emulator.random_games import random_sowings
from tests.sensors.device.tiny_host import TinyHost

SECOND = 1_000_000
HOUR_US = 3600 * SECOND


class VirtualTable:
    """A table and its host, stepped sample by sample; wall time is world time."""

    def __init__(
        self,
        sowings: tuple[Sowing, ...],
        *,
        pace: Pace = BLITZ,
        manners: Manners = PLAIN,
        offences: Mapping[int, Offence] = MappingProxyType({}),
        ages: bool = False,
    ) -> None:
        settings = EmulatorSettings(
            device_path=Path("unused"),
            record=Record(("", ""), sowings, "test"),
            pace=pace,
            manners=manners,
            offences=offences,
            spare_stones=1,
            sample_rate_hz=20.0,
        )
        self.world = build_world(settings)
        self.plies: list[int] = []
        self.log: list[Timed] = []
        device = Device(DeviceConfig(board_id="virtual"), boot_id=5)
        self.table = EmulatedTable(self.world, build_hands(settings), device, self._tell, ages=ages)
        self.host = TinyHost(plies=len(sowings))
        self.host_lives = True

    def step(self) -> None:
        """One sample and everything it sets off."""
        table, device = self.table, self.table.device
        table.step()
        device.poll(table.world_us, table.device_us)
        while (frame := device.next_frame()) is not None:
            if self.host_lives:
                self.host.receive(frame)
        if self.host_lives:
            device.receive(self.host.poll(table.world_us), table.world_us, table.device_us)

    def run(self, plies: int | None = None) -> None:
        """Until so many plies are done, or the hands have finished."""
        while not self.table.hands.done and (plies is None or len(self.plies) < plies):
            assert self.table.world_us < 2 * HOUR_US, self.plies
            self.step()

    def places(self) -> tuple[int, ...]:
        """The stones of the twenty places, as they truly lie."""
        return tuple(self.world.stones(channel) for channel in range(20))

    def _tell(self, timed: Timed) -> None:
        self.log.append(timed)
        if isinstance(timed.action, PlyDone):
            after = timed.action.sowing.after
            assert self.places() == after.pits + after.kazans
            self.plies.append(timed.action.ply)
        elif isinstance(timed.action, OffenceDone):
            assert self.places() == timed.action.board


def a_game(reason: EndReason, *, tuzdyks: bool) -> tuple[Sowing, ...]:
    """The first random game with this ending."""
    for seed in range(2000):
        sowings = tuple(random_sowings(seed))
        last = sowings[-1].after
        ending = outcome(last)
        if ending is not None and ending.reason is reason and tuzdyks == (None not in last.tuzdyks):
            return sowings
    raise AssertionError(reason)


@pytest.mark.parametrize("tuzdyks", [True, False], ids=["two-tuzdyks", "fewer"])
@pytest.mark.parametrize("reason", list(EndReason))
def test_a_whole_game_reaches_the_host(reason: EndReason, *, tuzdyks: bool) -> None:
    """Every ply is on the board when its press is made, every press arrives, the rest is swept or left."""
    sowings = a_game(reason, tuzdyks=tuzdyks)
    table = VirtualTable(sowings)
    table.run()
    assert len(table.plies) == len(sowings)
    assert len(table.host.presses) == 2 + len(sowings) - 1
    ending = outcome(sowings[-1].after)
    assert ending is not None
    assert tuple(table.world.stones(channel) for channel in (18, 19)) == ending.kazans
    assert table.table.device.unacknowledged == 0


def test_presses_carry_the_device_time_of_the_edge() -> None:
    """Each press lies between the samples around it, alternating sides, in order."""
    table = VirtualTable(bundled_record("2009").sowings[:6])
    table.run()
    presses = list(table.host.presses.values())
    assert [press.button for press in presses] == [1, 0, 0, 1, 0, 1, 0, 1]
    times = [press.time_us for press in presses]
    assert times == sorted(times)
    assert times[-1] <= table.table.device_us


def test_hands_rest_while_the_host_is_dead_and_the_press_waits() -> None:
    """The host dies in a ply: that ply is finished, its press kept; then nothing moves until it is back."""
    table = VirtualTable(bundled_record("2009").sowings[:4])
    table.run(1)
    # well before this ply's end: a frame lasts as long as the slowest chip's conversion, up to a fifth longer
    for _ in range(8):
        table.step()
    table.host_lives = False
    for _ in range(20 * 60):
        table.step()
    assert table.table.hands.plies <= 2
    assert table.table.device.unacknowledged <= 1
    table.host_lives = True
    table.run()
    assert len(table.plies) == 4
    assert len(table.host.presses) == 6


def test_a_power_cycle_leaves_the_stones_and_restarts_the_time() -> None:
    """Device time counts from 0 again; the players wait until a dial runs, then the game goes on."""
    sowings = bundled_record("2009").sowings[:4]
    table = VirtualTable(sowings)
    table.run(2)
    table.table.power_cycle(6)
    assert table.table.device_us == 0
    table.host = TinyHost(plies=2)
    for _ in range(20 * 30):
        table.step()
    assert len(table.plies) == 2
    assert table.host.hello is not None
    assert table.host.hello.boot_id == 6
    table.host.clock(1, table.table.device_us)
    table.run()
    assert len(table.plies) == 4


def test_players_with_every_habit_keep_the_stones_together() -> None:
    """At every ply the truth is the game's; after it they pour and lay and try, and 162 stones remain."""
    sowings = a_game(EndReason.ATSYRAU, tuzdyks=True)
    table = VirtualTable(sowings, manners=replace(UNRULY, early=0.0))
    table.run()
    assert len(table.plies) == len(sowings)
    assert sum(isinstance(timed.action, PostMortem) for timed in table.log) == 3
    assert sum(table.places()) == 162


def test_an_offence_is_committed_pressed_and_mended() -> None:
    """A stone is smuggled in from beside the board, and goes back there; then the game goes on."""
    sowings = bundled_record("2009").sowings[:4]
    manners = replace(PLAIN, mend_after_s=5.0)
    table = VirtualTable(sowings, manners=manners, offences={2: Offence.EXTRA_FROM_BOX})
    assert table.world.held(BESIDE) == 1
    table.run()
    offended = next(timed.action for timed in table.log if isinstance(timed.action, OffenceDone))
    assert sum(offended.board) == 163
    assert len(table.plies) == 4
    assert table.world.held(BESIDE) == 1
    assert len(table.host.presses) == 2 + 4


@pytest.mark.parametrize(("ages", "fewest_s", "most_s"), [(False, 80, 140), (True, 0, 60)])
def test_long_thinking_is_waited_out_or_ages_the_world(*, ages: bool, fewest_s: int, most_s: int) -> None:
    """On a cable it passes by the device's clock; a table in a hurry lets only the cells grow older."""
    sowings = bundled_record("2009").sowings[:2]
    table = VirtualTable(sowings, pace=replace(RAPID, lapse_s=(40.0, 40.0)), ages=ages)
    aged = Counter[float]()
    table.world.lapse = lambda seconds: aged.update({seconds: 1})  # type: ignore[method-assign] # counted
    table.run()
    assert fewest_s * SECOND < table.table.device_us < most_s * SECOND
    assert aged == ({40.0: 2} if ages else {})


def test_a_stone_on_a_rim_lies_in_no_pit_until_it_is_put_right() -> None:
    """The world counts it apart, and part of its weight is felt."""
    table = VirtualTable(bundled_record("2009").sowings[:1], manners=replace(PLAIN, rim=1.0))
    most = 0
    while not table.table.hands.done:
        table.step()
        most = max(most, table.world.perched)
        assert sum(table.places()) + table.world.perched + table.world.held(0) == 162
    assert most > 0
    assert table.world.perched == 0
