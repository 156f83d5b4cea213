"""With which code a program ends: a service manager starts it again, or leaves it be."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.board.memory.journal import Journal
from firmware_bridge.commands.common import EXIT_FAILED, EXIT_UNUSABLE
from sensors.calibration import Calibration, ChannelCalibration
from sensors.calibration_file import save_calibration
from tests.firmware_bridge.commands.test_cli import run


@pytest.fixture
def taken_port() -> Iterator[int]:
    """A port on which somebody else listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def _config(folder: Path, port: int = 0, broker: str = 'host = "127.0.0.1"') -> Path:
    channels = (ChannelCalibration(zero_raw=0.0, raw_per_g=1000.0),) * 20
    save_calibration(folder / "c.json", Calibration("b", 1.0, 3.0, channels))
    path = folder / "b.toml"
    path.write_text(
        f'[board]\nid = "b"\nstate_dir = "state"\n[device]\nport = "p"\n[calibration]\nfile = "c.json"\n'
        f"[broker]\n{broker}\n[hall]\nport = {port}\n[table]\nport = {port}\n",
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize("program", ["hall", "table"])
def test_pages_whose_port_is_taken_may_be_tried_again(tmp_path: Path, taken_port: int, program: str) -> None:
    """Whoever has it may give it back, and an address of a network may still come up."""
    told = run(program, str(_config(tmp_path, taken_port)))
    assert (told.exit_code, str(taken_port) in told.stderr) == (EXIT_FAILED, True)


def test_a_board_whose_journal_another_process_holds_may_be_tried_again(tmp_path: Path) -> None:
    """The board that was started by hand ends some time."""
    config = _config(tmp_path)
    journal = Journal.open(tmp_path / "state" / "b" / "journal.jsonl")
    try:
        told = run("board", str(config))
    finally:
        journal.close()
    assert (told.exit_code, "another board process holds this journal" in told.stderr) == (EXIT_FAILED, True)


def test_a_broker_that_cannot_start_may_be_tried_again(tmp_path: Path) -> None:
    """A board that runs its own meanwhile gives the place back when it ends."""
    config = _config(tmp_path, broker='own = "auto"')
    (tmp_path / "state").write_text("x")
    told = run("broker", str(config))
    assert (told.exit_code, "broker's files cannot be kept" in told.stderr) == (EXIT_FAILED, True)


@pytest.mark.parametrize("program", ["broker", "board"])
def test_what_cannot_be_meant_is_not_tried_again(tmp_path: Path, program: str) -> None:
    """A broker of our own beside one that is configured; a board without its calibration."""
    config = _config(tmp_path)
    (tmp_path / "c.json").unlink()
    assert run(program, str(config)).exit_code == EXIT_UNUSABLE


@pytest.mark.parametrize(
    ("factory", "code", "words"),
    [
        ("nope", EXIT_UNUSABLE, "gpiozero has no pin factory"),
        ("mock", EXIT_FAILED, "exists and is no symlink"),
    ],
)
def test_header_pins_are_tried_again_unless_nothing_here_can_read_them(
    tmp_path: Path, factory: str, code: int, words: str
) -> None:
    """A library that is not there stays away; a port or a pin that somebody has may be given back."""
    config = _config(tmp_path)
    config.write_text(f"{config.read_text()}[pins]\nfactory = '{factory}'\nbuttons = [5, 6, 13]\n")
    if factory == "mock":
        (tmp_path / "p").write_text("somebody's")
    told = run("pins", str(config))
    assert (told.exit_code, words in told.stderr) == (code, True)
