"""The configurations to copy: each is read by the programs, and each of its keys is explained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from firmware_bridge.card.roster import Row, parse_roster
from firmware_bridge.card.template import filled
from firmware_bridge.cli import app
from firmware_bridge.config import load_config
from tests.house.committed import ROOT

EXAMPLES = ROOT / "deploy/examples"
FILES = sorted(path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*.toml"))


def text_of(name: str) -> str:
    """Return an example, filled in for a board where it is a template."""
    text = (EXAMPLES / name).read_text("utf-8")
    return filled(text, Row("100000005e123451", "board-1"), "/dev/togyz/board")


def test_there_is_one_for_each_kind_of_table() -> None:
    """A Pico, header pins, a club, a hall, an event."""
    kinds = {"board.toml", "club.toml", "pins.toml", "hall.toml", "event/board.toml", "event/hall.toml"}
    assert kinds <= set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_the_programs_read_it(tmp_path: Path, name: str) -> None:
    """With the loader they all use; what belongs on a Pi lies where the units look."""
    path = tmp_path / "example.toml"
    path.write_text(text_of(name), encoding="utf-8")
    config = load_config(path)
    assert config.board.state_dir == Path("/var/lib/togyz")
    if config.board.id != "hall":
        assert config.calibration.file == Path("/var/lib/togyz/board-1/calibration.json")


@pytest.mark.parametrize("name", FILES)
def test_every_key_is_explained(name: str) -> None:
    """On its line, or right above it."""
    above = ""
    for line in (EXAMPLES / name).read_text("utf-8").splitlines():
        if re.match(r"\w+ *= ", line):
            assert re.search(r"#\s*\S", line) or above.startswith("#"), f"{name}: {line}"
        above = line


def test_boards_and_hall_of_the_event_meet_at_one_broker() -> None:
    """The same event, the same port, and each a user that the broker's rights know."""
    board, hall = (
        re.findall(r"^(event|port) = (\S+)", text_of(f"event/{name}.toml"), re.MULTILINE)
        for name in ("board", "hall")
    )
    assert ("event", '"almaty-open"') in board
    assert ("event", '"almaty-open"') in hall
    conf = (EXAMPLES / "event/mosquitto.conf").read_text("utf-8")
    (port,) = re.findall(r"^listener (\d+)$", conf, re.MULTILINE)
    assert ("port", port) in board
    assert ("port", port) in hall
    assert "allow_anonymous false" in conf


def test_the_folder_of_the_event_is_a_card_once_its_keys_are_made(tmp_path: Path) -> None:
    """As deploy/README.md says: copy it, enrol the boards, copy their keys, check it."""
    card = tmp_path / "togyz"
    card.mkdir()
    for name in ("boards.csv", "board.toml"):
        (card / name).write_bytes((EXAMPLES / "event" / name).read_bytes())
    boards = [row.board for row in parse_roster((card / "boards.csv").read_text("utf-8"))]
    run = CliRunner().invoke
    assert run(app, ["enrol", str(tmp_path / "keys"), *boards, "--event", "almaty-open"]).exit_code == 0
    (card / "keys").mkdir()
    for board in boards:
        (card / "keys" / f"{board}.keys").write_bytes((tmp_path / "keys" / f"{board}.keys").read_bytes())
    told = run(app, ["card", str(card)])
    assert (told.exit_code, "3 boards, all is there" in told.stdout) == (0, True), told.output
