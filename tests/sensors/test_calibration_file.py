"""Calibration files: read whole, replaced whole."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from sensors.calibration import Calibration, CalibrationError, ChannelCalibration
from sensors.calibration_file import (
    MAX_BYTES,
    load_calibration,
    previous_of,
    restore_previous,
    save_calibration,
)

CALIBRATION = Calibration("үстел", 1.15, 6.0, (ChannelCalibration(1.5, 2.5),))


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    """The same value, and nothing is left beside it but the one before."""
    path = tmp_path / "board.json"
    save_calibration(path, CALIBRATION)
    assert [file.name for file in tmp_path.iterdir()] == ["board.json"]
    for unit_g in (2.0, 3.0, 3.0):
        save_calibration(path, replace(CALIBRATION, unit_g=unit_g))
    assert load_calibration(path) == replace(CALIBRATION, unit_g=3.0)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["board.json", "board.json.1"]
    assert load_calibration(previous_of(path)) == replace(CALIBRATION, unit_g=2.0)


def test_the_one_before_comes_back_when_it_is_asked_for_and_never_by_itself(tmp_path: Path) -> None:
    """Twice is back and forth; a damaged file is refused though another lies beside it."""
    path = tmp_path / "board.json"
    with pytest.raises(CalibrationError, match=r"board\.json\.1: cannot be read"):
        restore_previous(path)
    save_calibration(path, CALIBRATION)
    save_calibration(path, replace(CALIBRATION, unit_g=2.0))
    assert restore_previous(path) == load_calibration(path) == CALIBRATION
    assert restore_previous(path) == load_calibration(path) == replace(CALIBRATION, unit_g=2.0)
    path.write_text("{")
    with pytest.raises(CalibrationError, match="not JSON"):
        load_calibration(path)
    assert restore_previous(path) == CALIBRATION


def test_the_one_before_comes_back_though_the_present_one_is_no_text(tmp_path: Path) -> None:
    """A damaged card leaves any bytes: just then the one before is wanted."""
    path = tmp_path / "board.json"
    save_calibration(path, CALIBRATION)
    save_calibration(path, replace(CALIBRATION, unit_g=2.0))
    path.write_bytes(b"\xff\xfe\x00")
    assert restore_previous(path) == load_calibration(path) == CALIBRATION


def test_a_symlink_stays_a_symlink(tmp_path: Path) -> None:
    """Its target is replaced."""
    target, path = tmp_path / "real" / "board.json", tmp_path / "board.json"
    target.parent.mkdir()
    path.symlink_to(target)
    save_calibration(path, CALIBRATION)
    assert path.is_symlink()
    assert load_calibration(target) == CALIBRATION


def test_a_value_that_could_not_be_loaded_is_not_saved(tmp_path: Path) -> None:
    """The old file stays."""
    path = tmp_path / "board.json"
    save_calibration(path, CALIBRATION)
    with pytest.raises(CalibrationError, match=r"unit_g: -1\.0 is not greater than 0"):
        save_calibration(path, replace(CALIBRATION, unit_g=-1.0))
    with pytest.raises(CalibrationError, match="NaN is no number"):
        save_calibration(path, replace(CALIBRATION, unit_g=float("nan")))
    assert load_calibration(path) == CALIBRATION


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full card, at the worst moment."""
    path = tmp_path / "board.json"
    save_calibration(path, CALIBRATION)

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left on device"):
        save_calibration(path, replace(CALIBRATION, unit_g=2.0))
    assert load_calibration(path) == CALIBRATION
    assert [file.name for file in tmp_path.iterdir()] == ["board.json"]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Missing, a directory, not text, far too large, empty."""
    path = tmp_path / "board.json"
    with pytest.raises(CalibrationError, match=f"^calibration {path}: cannot be read: No such file"):
        load_calibration(path)
    with pytest.raises(CalibrationError, match="cannot be read: Is a directory"):
        load_calibration(tmp_path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(CalibrationError, match=r"not UTF-8: .*position 0"):
        load_calibration(path)
    path.write_bytes(b" " * (MAX_BYTES + 1))
    with pytest.raises(CalibrationError, match="more than 1048576 bytes, not a calibration"):
        load_calibration(path)
    path.write_bytes(b"")
    with pytest.raises(CalibrationError, match="not JSON"):
        load_calibration(path)


def test_a_pipe_in_its_place_is_refused_at_once(tmp_path: Path) -> None:
    """Reading it would wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CalibrationError, match="pipe: is a pipe; name a file"):
        load_calibration(tmp_path / "pipe")
