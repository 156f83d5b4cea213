"""`togyz emulate`: the configuration's words become the emulated board's."""

from pathlib import Path
from typing import get_args

import pytest

from firmware_bridge.commands.emulate import settings_of
from firmware_bridge.config import PaceName, ProfileName, load_config
from firmware_bridge.emulator.emulator import Emulator, build_world, device_channels, measure
from firmware_bridge.emulator.pace import MANNERS, PACES
from sensors import frames
from sensors.calibration import COUNTER, mismatch
from sensors.simulator.profile import PROFILES

CONFIG = """\
[board]
id = "b"
event = "e"
state_dir = "state"
[device]
port = "b.tty"
[calibration]
file = "c.json"
"""


def test_pace_and_manners_are_chosen_by_name(tmp_path: Path) -> None:
    """Plain manners at a human pace where nothing is said."""
    path = tmp_path / "board.toml"
    path.write_text(CONFIG, encoding="utf-8")
    plain = settings_of(load_config(path))
    assert (plain.pace, plain.manners) == (PACES["human"], MANNERS["plain"])
    path.write_text(CONFIG + '[emulator]\npace = "classical"\nmanners = "lively"\n', encoding="utf-8")
    chosen = settings_of(load_config(path))
    assert (chosen.pace, chosen.manners) == (PACES["classical"], MANNERS["lively"])


def test_hands_that_are_told_play_no_record(tmp_path: Path) -> None:
    """Where nothing is said they play all of it."""
    path = tmp_path / "board.toml"
    path.write_text(CONFIG, encoding="utf-8")
    assert settings_of(load_config(path)).stop_after is None
    path.write_text(CONFIG + '[emulator]\nhands = "told"\n', encoding="utf-8")
    assert settings_of(load_config(path)).stop_after == 0


def test_every_profile_and_pace_there_is_can_be_named() -> None:
    """The configuration's words are the simulator's and the hands'."""
    assert set(get_args(ProfileName)) == PROFILES.keys()
    assert set(get_args(PaceName)) == PACES.keys()


@pytest.mark.parametrize("name", get_args(ProfileName))
def test_a_profile_brings_its_cells_and_its_rate(tmp_path: Path, name: ProfileName) -> None:
    """Pits and kazans stand on the cells of the profile, whichever channels they are wired to."""
    path = tmp_path / "board.toml"
    layout = "[layout]\nside_a = [19, 1, 2, 3, 4, 5, 6, 7, 8]\nkazan_b = 0\n"
    path.write_text(f'{CONFIG}{layout}[emulator]\nprofile = "{name}"\n', encoding="utf-8")
    chosen = settings_of(load_config(path))
    profile = PROFILES[name]
    assert (chosen.profile, chosen.rate_hz) == (profile, profile.rate_hz)
    world = build_world(chosen)
    pits = [world.cells[channel].kind for channel in (*range(1, 18), 19)]
    assert pits == [profile.pit_cell] * 18
    assert [world.cells[channel].kind for channel in (18, 0)] == [profile.kazan_cell] * 2


def test_the_command_line_names_another_profile_than_the_file(tmp_path: Path) -> None:
    """And with it another rate, unless the file names one."""
    path = tmp_path / "board.toml"
    path.write_text(CONFIG + '[emulator]\nprofile = "glass"\n', encoding="utf-8")
    chosen = settings_of(load_config(path), "slow")
    assert (chosen.profile, chosen.rate_hz) == (PROFILES["slow"], 10.0)
    path.write_text(CONFIG + "[emulator]\nsamples_per_second = 40\n", encoding="utf-8")
    assert settings_of(load_config(path), "slow").rate_hz == 40.0


def test_the_device_declares_the_nominal_rate(tmp_path: Path) -> None:
    """Its chips stray from it by up to a fifth; the data sheet's number is what firmware knows."""
    path = tmp_path / "board.toml"
    path.write_text(CONFIG + '[emulator]\nprofile = "slow"\n', encoding="utf-8")
    table = Emulator(settings_of(load_config(path)), lambda _event: None).table
    table.device.poll(0, 0)
    kind, _seq, payload = frames.Decoder().feed(table.device.next_frame() or b"")[0]
    assert kind == frames.HELLO
    assert frames.unpack_hello(payload).rate_centihz == 1000
    assert table.world.period_us != 100_000


BEAMS = (
    "beam_a = [0, 1, 2, 3, 4, 5, 6, 7, 8]\nbeam_b = [9, 10, 11, 12, 13, 14, 15, 16, 17]\n"
    "beam_kazan_a = 19\nbeam_kazan_b = 18\n"
)


def test_the_emulated_board_is_soldered_as_the_layout_says(tmp_path: Path) -> None:
    """Count sensors alone: twenty channels that count, each under its place."""
    path = tmp_path / "board.toml"
    path.write_text(CONFIG + "[layout]\ncells = false\n" + BEAMS, encoding="utf-8")
    settings = settings_of(load_config(path))
    assert settings.beams == (*range(18), 19, 18)
    assert device_channels(settings) == (*range(20, 38), 39, 38)
    assert measure(settings).channels == (COUNTER,) * 20


def test_count_sensors_stand_behind_the_cells_of_an_emulated_board(tmp_path: Path) -> None:
    """A channel between them that nothing is soldered to is one the device gives up."""
    path = tmp_path / "board.toml"
    path.write_text(CONFIG + "[layout]\nbeam_kazan_a = 22\n", encoding="utf-8")
    settings = settings_of(load_config(path))
    assert device_channels(settings) == (*range(20), None, None, 20)


@pytest.mark.parametrize(
    ("layout", "counts"),
    [("", False), ("[layout]\nbeam_kazan_a = 22\n", True), ("[layout]\ncells = false\n" + BEAMS, True)],
)
def test_a_device_with_count_sensors_says_so(tmp_path: Path, layout: str, counts: object) -> None:
    """In its HELLO, one sensor or twenty; a host takes its own calibration with it."""
    path = tmp_path / "board.toml"
    path.write_text(CONFIG + layout, encoding="utf-8")
    settings = settings_of(load_config(path))
    device = Emulator(settings, lambda _event: None).table.device
    device.poll(0, 0)
    ((_kind, _seq, payload),) = frames.Decoder().feed(device.next_frame() or b"")
    hello = frames.unpack_hello(payload)
    assert bool(hello.features & frames.FEATURE_COUNTERS) is counts
    assert mismatch(measure(settings), hello.board_id, hello.channels, hello.features) is None
