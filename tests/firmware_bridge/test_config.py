"""The configuration file: what is wrong in it is named, with the nearest right word."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.config import ConfigError, load_config

GOOD = """
[board]
id = "board-1"
state_dir = "state"
[device]
port = "board.tty"
[calibration]
file = "calibration.json"
"""


def _load(folder: Path, text: str) -> str:
    path = folder / "board.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    message = str(caught.value)
    assert str(path) in message
    return message


def test_a_small_file_is_enough_and_paths_start_at_its_folder(tmp_path: Path) -> None:
    """Three tables describe a board."""
    path = tmp_path / "board.toml"
    path.write_text(GOOD, encoding="utf-8")
    config = load_config(path)
    assert config.board.state_dir == tmp_path / "state"
    assert config.device.port == tmp_path / "board.tty"
    assert config.calibration.file == tmp_path / "calibration.json"
    assert config.layout.wiring().channels == tuple(range(20))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GOOD.replace("port", "prt"), "`device.prt` is not a setting; did you mean `port`?"),
        (GOOD + "[gmae]\nminutes = 5\n", "`gmae` is not a setting; did you mean `game`?"),
        (GOOD + "[hall]\nxyz = 5\n", "`hall.xyz` is not a setting; known here: host, port, show_counts"),
        (GOOD.replace("[calibration]\nfile", "[calibration]\n#"), "`calibration.file` is missing; add it"),
        (GOOD.replace("board-1", "Board 1"), "`board.id` = 'Board 1'"),
        (GOOD + '[game]\nminutes = "long"\n', "`game.minutes` = 'long'"),
        (GOOD + "[layout]\nkazan_a = 3\n", "channel 3 serves two places"),
        (GOOD + '[broker]\nusername = "b"\n', "needs the `host` of the broker"),
        (GOOD + '[broker]\nhost = "h"\npassword = "b"\n', "a password needs a `username`"),
        ("[board", "not valid TOML"),
    ],
)
def test_each_mistake_names_file_key_and_value(tmp_path: Path, text: str, told: str) -> None:
    """A typo is met with the word that was meant."""
    assert told in _load(tmp_path, text)


def test_several_mistakes_are_told_at_once(tmp_path: Path) -> None:
    """One run tells everything there is to mend."""
    message = _load(tmp_path, GOOD + "[hall]\nport = 99999\nhots = 'x'\n")
    assert "hall.port" in message
    assert "did you mean `host`?" in message


def test_a_missing_or_binary_file_is_told(tmp_path: Path) -> None:
    """The file itself may be the mistake."""
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "none.toml")
    path = tmp_path / "binary.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(path)
