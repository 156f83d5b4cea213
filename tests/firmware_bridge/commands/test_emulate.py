"""`togyz emulate`: the configuration's words become the emulated board's."""

from pathlib import Path

from firmware_bridge.commands.emulate import settings_of
from firmware_bridge.config import load_config
from firmware_bridge.emulator.pace import MANNERS, PACES

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
