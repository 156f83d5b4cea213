"""`togyz emulate`: the configuration's words become the emulated board's."""

from pathlib import Path

from firmware_bridge.commands.emulate import settings_of
from firmware_bridge.config import load_config
from firmware_bridge.emulator.emulator import device_channels, measure
from firmware_bridge.emulator.pace import MANNERS, PACES
from sensors.calibration import COUNTER

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
