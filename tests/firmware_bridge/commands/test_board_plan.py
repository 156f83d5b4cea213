"""What a configuration makes of a board."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.board.settings import BoardSettings
from firmware_bridge.commands.board import settings_of
from firmware_bridge.config import load_config
from rules.time_control import NO_CLOCK, PRESETS, TimeControl
from sensors.calibration import Calibration, ChannelCalibration
from sensors.calibration_file import save_calibration

CALIBRATION = Calibration("board-7", 1.15, 3.0, (ChannelCalibration(zero_raw=5.0, raw_per_g=900.0),) * 20)


def settings(folder: Path, game: str = "") -> BoardSettings:
    """Return what the board's process is told by a file with this `[game]`."""
    save_calibration(folder / "c.json", CALIBRATION)
    path = folder / "board.toml"
    path.write_text(
        '[board]\nid = "board-7"\nevent = "open"\nstate_dir = "kept"\nlanguage = "ru"\n'
        '[device]\nport = "x.tty"\nbaud = 9600\n[layout]\nkazan_a = 19\nkazan_b = 18\n'
        f'[calibration]\nfile = "c.json"\n[game]\n{game}',
        encoding="utf-8",
    )
    return settings_of(load_config(path))


def test_a_board_is_told_everything_its_file_says(tmp_path: Path) -> None:
    """Names, paths and wiring; two boards of one hall keep their journals apart."""
    told = settings(tmp_path)
    assert (told.event_id, told.board_id, told.language) == ("open", "board-7", "ru")
    assert told.state_dir == tmp_path / "kept" / "board-7"
    assert (told.device_path, told.baud) == (tmp_path / "x.tty", 9600)
    assert (told.wiring.kazan_a, told.wiring.kazan_b) == (19, 18)
    assert told.calibration == CALIBRATION


def test_a_game_is_planned_as_its_file_says(tmp_path: Path) -> None:
    """Minutes and seconds become milliseconds; bastaushy is the first name and sits where it says."""
    plan = settings(
        tmp_path,
        'bastaushy = "x"\nqostaushy = "y"\nbastaushy_seat = "b"\nminutes = 2.5\nincrement_seconds = 1.5\n',
    ).plan
    assert plan.names == ("x", "y")
    assert plan.starter_seat == "b"
    assert plan.control == TimeControl.simple(base_ms=150_000, increment_ms=1_500)


@pytest.mark.parametrize(
    ("line", "control"),
    [
        ("", TimeControl.simple(3_600_000)),
        ('control = "classical-90m-30m"\n', PRESETS["classical-90m-30m"]),
        ('control = "20m+10s"\n', TimeControl.simple(1_200_000, 10_000)),
        ('control = "none"\n', NO_CLOCK),
    ],
)
def test_a_control_is_a_presets_name_or_its_text(tmp_path: Path, line: str, control: TimeControl) -> None:
    """An hour for everybody who writes nothing."""
    assert settings(tmp_path, line).plan.control == control


@pytest.mark.parametrize(
    ("line", "at_once"),
    [
        ("", False),
        ('start = "both_ready"\n', True),
        ('start = "arbiter"\n', False),
        ('start = "announcement"\n', False),
        ("minutes = 7\n", True),
        ('minutes = 7\nstart = "arbiter"\n', False),
        ('[conduct]\nstart = "both_ready"\n', True),
        ('start = "arbiter"\n[conduct]\nstart = "both_ready"\n', False),
    ],
)
def test_requirement_23_the_preset_says_who_starts_the_clock_unless_the_file_does(
    tmp_path: Path, line: str, *, at_once: bool
) -> None:
    """Classical clocks on the arbiter's announcement (2.7.5), blitz when both are ready (2.9.4)."""
    plan = settings(tmp_path, line).plan
    assert (plan.conducts.under(plan.control).start == "both_ready") is at_once


@pytest.mark.parametrize(
    ("line", "even"),
    [
        ("", "draw"),
        ('even_kazan = "loses"\n', "loses"),
        ('[conduct]\neven_kazan = "discretion"\n', "discretion"),
        ('even_kazan = "loses"\n[conduct]\neven_kazan = "discretion"\n', "loses"),
    ],
)
def test_requirement_29_what_exactly_81_gives_has_one_home(tmp_path: Path, line: str, even: str) -> None:
    """The options of the event; what `[game]` says of its own game goes into the same place."""
    assert settings(tmp_path, line).plan.conducts.classical.even_kazan == even
