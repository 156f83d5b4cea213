"""`togyz card`: one card for many boards."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from firmware_bridge.cli import app
from firmware_bridge.config import load_config
from firmware_bridge.wire.key_files import load_keys

TEMPLATE = """
[board]
id = "@board@"
event = "almaty"
state_dir = "/var/lib/togyz"
keys = "../keys/@board@.keys"
[device]
port = "@port@"
[calibration]
file = "/var/lib/togyz/@board@/calibration.json"
[broker]
host = "192.0.2.10"
username = "@board@"
"""
PI, PICO = "100000005e123456", "E66138935F2A4B29"


class Card:
    """A card's folder, and a machine with serial numbers."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.etc, self.machine = folder / "togyz", folder / "etc", folder / "machine"
        (self.folder / "keys").mkdir(parents=True)
        self.etc.mkdir()
        (self.machine / "proc/device-tree").mkdir(parents=True)
        (self.machine / "dev/togyz").mkdir(parents=True)
        self.write("boards.csv", f"serial,board\n{PI},board-1\n{PICO},board-2\nabcd1234,board-3\n")
        self.write("board.toml", TEMPLATE)
        enrolled = CliRunner().invoke(
            app, ["enrol", str(folder / "made"), "board-1", "board-2", "board-3", "--event", "almaty"]
        )
        assert enrolled.exit_code == 0
        for path in (folder / "made").glob("board-*.keys"):
            (self.folder / "keys" / path.name).write_bytes(path.read_bytes())

    def write(self, name: str, text: str) -> None:
        """Put a file on the card."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def is_on(self, serial: str, *devices: str) -> None:
        """Put the card into a machine with this serial number and these devices."""
        (self.machine / "proc/device-tree/serial-number").write_text(serial + "\0")
        for name in (*devices, "board"):
            (self.machine / "dev/togyz" / name).touch()

    def run(self, *options: str) -> Result:
        """Run the command, wide enough that no line is broken."""
        words = ["card", str(self.folder), "--etc", str(self.etc), "--machine", str(self.machine), *options]
        return CliRunner().invoke(app, words, env={"COLUMNS": "500", "TERM": "dumb"})

    def written(self) -> list[str]:
        """Return the files written, relative to the folder of configurations."""
        return sorted(str(path.relative_to(self.etc)) for path in self.etc.rglob("*") if path.is_file())


@pytest.fixture
def card(tmp_path: Path) -> Card:
    """A card of three boards, whole."""
    return Card(tmp_path)


def test_a_whole_card_is_said_to_be_whole_and_nothing_is_written(card: Card) -> None:
    """On the evening before, on any computer."""
    told = card.run()
    assert (told.exit_code, told.stdout) == (0, f"{card.folder}: 3 boards, all is there\n")
    assert card.written() == []


def test_a_machine_becomes_the_boards_whose_numbers_it_finds(card: Card) -> None:
    """Its own number and that of a device; the files are those that `togyz board` reads."""
    card.is_on(PI, PICO)
    told = card.run("--apply")
    assert (told.exit_code, told.stdout) == (0, "board board-1\nboard board-2\n")
    assert card.written() == [
        *("boards/board-1.toml", "boards/board-2.toml", "keys/board-1.keys", "keys/board-2.keys"),
    ]
    first, second = (load_config(card.etc / "boards" / f"board-{number}.toml") for number in (1, 2))
    assert (first.board.id, str(first.device.port)) == ("board-1", "/dev/togyz/board")
    assert (second.board.id, str(second.device.port)) == ("board-2", f"/dev/togyz/{PICO}")
    assert second.board.keys is not None
    assert [key.board for key in load_keys(second.board.keys).keys] == ["board-2"]
    assert stat.S_IMODE((card.etc / "boards/board-1.toml").stat().st_mode) & 0o007 == 0


def test_a_second_start_changes_nothing_and_another_machine_is_another_board(card: Card) -> None:
    """What the card had made for the board before is gone; what a person wrote stays."""
    card.is_on(PI)
    card.run("--apply")
    before = {name: (card.etc / name).read_bytes() for name in card.written()}
    assert card.run("--apply").exit_code == 0
    assert {name: (card.etc / name).read_bytes() for name in card.written()} == before
    (card.etc / "boards/by-hand.toml").write_text("# mine\n")
    card.is_on("abcd1234")
    assert card.run("--apply").stdout == "board board-3\n"
    assert [name for name in card.written() if name.startswith("boards/")] == [
        *("boards/board-3.toml", "boards/by-hand.toml"),
    ]


def test_a_machine_that_is_not_in_the_table_says_its_numbers_and_is_no_board(card: Card) -> None:
    """So that whoever stands there can write the line."""
    card.is_on("ffff0000", "E6AA")
    told = card.run("--apply")
    assert told.exit_code == 1
    assert f"no board of {card.folder}/boards.csv" in told.stderr
    assert "ffff0000, e6aa" in told.stderr
    assert card.written() == []


def test_a_board_with_a_file_of_its_own_is_what_that_says(card: Card) -> None:
    """One board among forty may be built otherwise."""
    card.write("board-3.toml", TEMPLATE + "[layout]\nbutton_call_a = 3\n")
    card.is_on("abcd1234")
    assert card.run("--apply").exit_code == 0
    assert load_config(card.etc / "boards/board-3.toml").layout.button_call_a == 3


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("boards.csv", "serial,board\nabcd,b1\nabcd,b2\n", "boards.csv, line 3: abcd: this serial number"),
        ("board.toml", TEMPLATE.replace("event", "evnt"), "board.toml: `board.evnt` is not a setting"),
        ("board.toml", TEMPLATE.replace("@board@", "board-9"), "`id` = board-9, but the board is board-1"),
        ("keys/_hall.keys", "{}", "_hall.keys opens every board of the event: take it off the card"),
        ("keys/board-2.keys", "{}", "keys"),
    ],
)
@pytest.mark.parametrize("apply", [False, True])
def test_a_faulty_card_is_refused_with_file_and_reason_and_nothing_is_written(
    card: Card, name: str, text: str, told: str, *, apply: bool
) -> None:
    """All boards of it or none: half a card is found out in the morning."""
    card.write(name, text)
    card.is_on(PI, PICO)
    said = card.run(*(["--apply"] if apply else []))
    assert said.exit_code == 1
    assert told in said.stderr
    assert card.written() == []


@pytest.mark.parametrize("name", ["boards.csv", "board.toml", "keys/board-2.keys"])
def test_a_file_that_is_missing_is_named(card: Card, name: str) -> None:
    """With its whole path."""
    (card.folder / name).unlink()
    told = card.run()
    assert told.exit_code == 1
    assert str(card.folder / name) in told.stderr


def test_a_table_in_another_encoding_is_refused_with_what_to_do(card: Card) -> None:
    """A spreadsheet saves Cyrillic remarks in its own way."""
    (card.folder / "boards.csv").write_bytes("serial,board,кто\n".encode("cp1251"))
    assert "no UTF-8 text at byte 13; save it as “CSV UTF-8”" in card.run().stderr


def test_what_a_person_has_written_is_not_overwritten(card: Card) -> None:
    """Somebody set this board up by hand under the same name."""
    (card.etc / "boards").mkdir()
    (card.etc / "boards/board-1.toml").write_text("# mine\n")
    card.is_on(PI)
    told = card.run("--apply")
    assert told.exit_code == 1
    assert "board-1.toml was written by hand and is left as it is" in told.stderr
    assert card.written() == ["boards/board-1.toml"]
