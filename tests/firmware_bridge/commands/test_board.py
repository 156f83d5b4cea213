"""`togyz board`: what it makes of a configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.commands.board import settings_of
from firmware_bridge.config import Config, ConfigError, load_config
from sensors.calibration import Calibration, ChannelCalibration
from sensors.calibration_file import save_calibration
from tests.firmware_bridge.commands.test_cli import GOOD, run


def _config(folder: Path, layout: str = "") -> Config:
    channels = (ChannelCalibration(zero_raw=0.0, raw_per_g=1000.0),) * 20
    save_calibration(folder / "c.json", Calibration("b", 1.0, 3.0, channels))
    path = folder / "board.toml"
    path.write_text(
        f'[board]\nid = "b"\n[device]\nport = "p"\n[calibration]\nfile = "c.json"\n[layout]\n{layout}',
        encoding="utf-8",
    )
    return load_config(path)


@pytest.mark.parametrize(
    ("layout", "key"),
    [
        ("kazan_b = 20\n", r"`layout\.kazan_b` = 20"),
        ("side_a = [0, 1, 2, 3, 4, 5, 6, 7, 99]\n", r"`layout\.side_a\[8\]` = 99"),
        ("side_b = [30, 10, 11, 12, 13, 14, 15, 16, 17]\n", r"`layout\.side_b\[0\]` = 30"),
    ],
)
def test_a_channel_that_was_not_calibrated_is_told(tmp_path: Path, layout: str, key: str) -> None:
    """With the key, the file and the channels there are."""
    with pytest.raises(ConfigError, match=key + r": .*c\.json has only the channels 0 to 19"):
        settings_of(_config(tmp_path, layout))


def test_a_channel_of_the_other_kind_of_sensor_is_told(tmp_path: Path) -> None:
    """A count sensor is no cell: the calibration says which is which."""
    with pytest.raises(ConfigError, match=r"`layout\.beam_a\[0\]` = 9: .*c\.json .*load.*count"):
        settings_of(
            _config(
                tmp_path,
                "cells = false\nbeam_a = [9, 10, 11, 12, 13, 14, 15, 16, 17]\n"
                "beam_b = [0, 1, 2, 3, 4, 5, 6, 7, 8]\nbeam_kazan_a = 18\nbeam_kazan_b = 19\n",
            )
        )


def test_the_usual_layout_is_taken(tmp_path: Path) -> None:
    """Twenty channels for twenty places."""
    assert settings_of(_config(tmp_path)).wiring.channels == tuple(range(20))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "there is no calibration yet. For an emulated board start `togyz emulate"),
        ("kk", "калибрлеу әлі жоқ"),
        ("ru", "калибровки ещё нет"),
    ],
)
def test_a_board_that_was_not_calibrated_yet_says_what_to_start_first(
    tmp_path: Path, language: str, told: str
) -> None:
    """Whoever starts the board before the emulator meets this."""
    path = tmp_path / "board.toml"
    path.write_text(GOOD, encoding="utf-8")
    found = run("--language", language, "board", str(path))
    assert (found.exit_code, told in found.stderr, f"emulate {path}" in found.stderr) == (2, True, True)
    assert str(tmp_path) in found.stderr
