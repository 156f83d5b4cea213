"""What goes wrong in a hall: killed programs, dead brokers, pulled cables, lost power. The game goes on."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.house.rig import Rig, rig
from tests.house.test_games import generated_game

GAME = generated_game(7)
"""A random game of a fixed seed, played to its end."""


def plies_told(table: Rig) -> int:
    """Return how many plies the emulated hands have finished."""
    return table.parts["emulate"].said('"event": "ply"')


def opening(plies: int) -> str:
    """Return the first plies of the game."""
    return " ".join(GAME.split()[:plies])


def test_kill_9_of_the_board_at_any_moment_leaves_the_same_game(tmp_path: Path) -> None:
    """Killed again and again at chance moments; every ply is read once, and the clock runs on."""
    _kill_again_and_again(tmp_path, seed=1, plies=5, kills=3)


@pytest.mark.bench
@pytest.mark.parametrize("seed", range(2, 8))
def test_kill_9_at_many_more_moments(tmp_path: Path, seed: int) -> None:
    """The same with other moments."""
    _kill_again_and_again(tmp_path, seed=seed, plies=16, kills=6)


def _kill_again_and_again(tmp_path: Path, *, seed: int, plies: int, kills: int) -> None:
    rng = random.Random(seed)
    # Device time stays near the wall's here: how long a program takes to start is no scaled time.
    with rig(tmp_path, opening(plies), speed=3, pace="human", seed=seed) as table:
        table.until_plies(1)
        for _ in range(kills):
            time.sleep(rng.uniform(0.05, 3.0))
            table.kill("board")
            time.sleep(rng.uniform(0.0, 0.3))
            table.start_board()
        table.check_whole_game()
        lines = table.journal()
        devices = {tuple(line["device"]) for line in lines if line["device"]}
        assert len(devices) == 1, "one boot of the device is one timeline, whoever restarts"
        kinds = [line["event"]["kind"] for line in lines]
        assert "game_suspended" not in kinds
        assert kinds.count("host_started") > 1
        presses = [
            line["event"]["press"]["number"] for line in lines if line["event"]["kind"] == "clock_pressed"
        ]
        assert len(presses) == len(set(presses)) == plies, "no press lost, none doubled"
        times = [line["event"]["at_us"] for line in lines if line["event"]["kind"] == "clock_pressed"]
        assert times == sorted(times)
        clock = table.state()["clock"]
        started = next(line["event"]["at_us"] for line in lines if line["event"]["kind"] == "game_started")
        spent_ms = (times[-1] - started) / 1000
        left_ms = sum(clock["remaining_ms"])
        assert left_ms <= 2 * 7_200_000 + plies * 5000 - spent_ms + 1


def control(table: Rig, *words: str) -> subprocess.CompletedProcess[str]:
    """Run `togyz control` as an arbiter would."""
    command = [sys.executable, "-m", "firmware_bridge", "control", str(table.config), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_device_that_lost_its_power_lets_the_clock_stand_until_resumed(tmp_path: Path) -> None:
    """New boot id: the clocks stand, the page says so, and the game goes on when an arbiter resumes it."""
    with rig(tmp_path, opening(8), speed=20) as table:
        table.until_plies(5)
        table.tell_emulator("power-cycle")
        table.until("the suspension", lambda: table.state()["phase"] == "suspended")
        assert table.state()["clock"]["running"] is None
        left = table.state()["clock"]["remaining_ms"]
        time.sleep(1)
        assert table.state()["clock"]["remaining_ms"] == left
        table.until("the resumption", lambda: control(table, "resume").returncode == 0)
        table.check_whole_game()


def test_a_device_and_a_board_that_lost_their_power_together_find_the_game_again(tmp_path: Path) -> None:
    """The whole Pi was switched off: the journal has the game, the clocks stand until resumed."""
    with rig(tmp_path, opening(7), speed=20) as table:
        table.until_plies(4)
        table.kill("board")
        table.tell_emulator("power-cycle")
        table.start_board()
        table.until("the suspension", lambda: table.state()["phase"] == "suspended")
        table.until("the resumption", lambda: control(table, "resume").returncode == 0)
        table.check_whole_game()


@pytest.mark.parametrize("broker", [pytest.param("mosquitto", marks=pytest.mark.mosquitto), "amqtt"])
def test_a_killed_broker_that_comes_back_finds_everything_again(tmp_path: Path, broker: str) -> None:
    """Killed outright, and its state thrown away: page and events are right again by themselves."""
    with rig(tmp_path, opening(9), speed=20, broker_kind=broker) as table:
        table.until_plies(3)
        table.kill("broker")
        told = plies_told(table)
        table.until("two more plies at the board", lambda: plies_told(table) >= told + 2)
        (tmp_path / "state" / "mosquitto.db").unlink(missing_ok=True)
        table.start_broker()
        table.check_whole_game()


def test_a_hall_that_comes_late_shows_the_whole_game(tmp_path: Path) -> None:
    """The retained state holds what a late joiner needs."""
    with rig(tmp_path, opening(8), speed=20) as table:
        table.kill("hall")
        told = plies_told(table)
        table.until("plies nobody shows", lambda: plies_told(table) >= min(8, told + 4))
        table.start_hall()
        table.check_whole_game()


def test_a_cable_pulled_in_the_middle_of_a_sowing_stops_nothing(tmp_path: Path) -> None:
    """Pulled and plugged in at chance moments, mid-sowing included: no ply lost, none invented."""
    rng = random.Random(4)
    with rig(tmp_path, opening(16), speed=20) as table:
        table.until_plies(1)
        for _ in range(6):
            time.sleep(rng.uniform(0.1, 0.8))
            table.tell_emulator(f"unplug {rng.uniform(0.1, 1.0):.2f}")
        table.check_whole_game()
        assert [line["event"]["kind"] for line in table.journal()].count("game_suspended") == 0


def test_a_cable_out_for_long_is_shown_as_no_device(tmp_path: Path) -> None:
    """The page says that nobody sees the board, and forgets it when the device is back."""
    with rig(tmp_path, opening(6), speed=20) as table:
        table.until_plies(2)
        table.tell_emulator("unplug 4")
        table.until("no device", lambda: table.state()["watch"]["sensed"] == "no_device")
        assert table.state()["watch"]["notes"][0]["code"] == "no_device"
        table.check_whole_game()
