"""`togyz board`: what it makes of a configuration."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from typer.testing import CliRunner

from firmware_bridge.cli import app
from firmware_bridge.commands.board import line_of, settings_of
from firmware_bridge.config import Config, ConfigError, load_config
from firmware_bridge.wire.key_files import save_keys
from firmware_bridge.wire.signing import Key, Keyring
from sensors.calibration import Calibration, ChannelCalibration
from sensors.calibration_file import save_calibration
from tests.firmware_bridge.commands.test_cli import GOOD, run
from tests.firmware_bridge.wire.signed import KEY, REVOKED


def _config(folder: Path, layout: str = "", keys: str = "") -> Config:
    channels = (ChannelCalibration(zero_raw=0.0, raw_per_g=1000.0),) * 20
    save_calibration(folder / "c.json", Calibration("b", 1.0, 3.0, channels))
    path = folder / "board.toml"
    path.write_text(
        f'[board]\nid = "b"\nevent = "e"\n{keys}[device]\nport = "p"\n'
        f'[calibration]\nfile = "c.json"\n[layout]\n{layout}',
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


KEYS = 'keys = "b.keys"\n'


def test_a_board_without_keys_takes_no_command_over_the_broker_and_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Once, and what it takes instead."""
    with caplog.at_level(logging.INFO):
        assert line_of(_config(tmp_path)) is None
    (told,) = [record.getMessage() for record in caplog.records]
    assert told == "no `keys` in [board]: commands are taken on this machine only (togyz enrol makes keys)"


def test_each_start_of_a_board_with_keys_has_a_boot_and_a_nonce_of_its_own(tmp_path: Path) -> None:
    """So nothing that was signed for one start holds in another."""
    save_keys(tmp_path / "b.keys", Keyring((REVOKED, KEY)), replace=False)
    config = _config(tmp_path, keys=KEYS)
    offers = [line.gate.offer for line in (line_of(config), line_of(config)) if line is not None]
    assert [offer.keys for offer in offers] == [(KEY.id,), (KEY.id,)]
    assert len({word for offer in offers for word in (offer.boot_id, offer.nonce)}) == 4


@pytest.mark.parametrize("key", [REVOKED, Key("k", "e", "b2", bytes(32)), Key("k", "e2", "b", bytes(32))])
def test_a_file_whose_keys_do_not_open_this_board_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, key: Key
) -> None:
    """The wrong file was copied, or its only key was revoked."""
    save_keys(tmp_path / "b.keys", Keyring((key,)), replace=False)
    assert line_of(_config(tmp_path, keys=KEYS)) is not None
    assert f"{tmp_path / 'b.keys'} has no key for board b of event e" in caplog.text


def test_a_board_whose_keys_others_may_read_does_not_start(tmp_path: Path) -> None:
    """And says why in the language."""
    _config(tmp_path, keys=KEYS)
    save_keys(tmp_path / "b.keys", Keyring((KEY,)), replace=False)
    (tmp_path / "b.keys").chmod(0o644)
    words = ["--language", "ru", "board", str(tmp_path / "board.toml")]
    told = CliRunner().invoke(app, words, env={"COLUMNS": "500", "TERM": "dumb"})
    assert told.exit_code == 2
    assert f"{tmp_path / 'b.keys'}: читать или менять его может не только владелец" in told.stderr


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
    assert f"`togyz calibrate {path}`" in found.stderr
    assert str(tmp_path) in found.stderr
