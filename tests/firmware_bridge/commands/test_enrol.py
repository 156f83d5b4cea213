"""`togyz enrol`: keys for boards and hall."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from firmware_bridge.cli import app
from firmware_bridge.commands.enrol import HALL_FILE
from firmware_bridge.wire.key_files import load_keys


def enrol(*words: object) -> Result:
    """Run `togyz enrol`, wide enough that no line is broken."""
    return CliRunner().invoke(app, ["enrol", *map(str, words)], env={"COLUMNS": "500", "TERM": "dumb"})


def test_each_board_gets_a_key_of_its_own_and_the_hall_gets_all(tmp_path: Path) -> None:
    """For its owner's eyes alone; what to copy where is said, and no secret is."""
    folder = tmp_path / "new" / "keys"
    told = enrol(folder, "b1", "b2", "--event", "almaty")
    assert told.exit_code == 0
    (first,), (second,) = (load_keys(folder / f"{board}.keys").keys for board in ("b1", "b2"))
    assert load_keys(folder / HALL_FILE).keys == (first, second)
    assert (first.event, first.board, second.board) == ("almaty", "b1", "b2")
    assert first.secret != second.secret
    assert len(set(first.secret)) > 8  # drawn, not filled in
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for words in (first.id, second.id, f"Copy {folder / 'b1.keys'} to", 'keys = "b2.keys"', HALL_FILE):
        assert words in told.output
    assert first.secret.hex() not in told.output


@pytest.mark.parametrize("lost", ["b1.keys", HALL_FILE])
def test_a_board_that_has_a_key_keeps_it(tmp_path: Path, lost: str) -> None:
    """Even when one of both files is gone; and nobody else gets one in the same breath."""
    enrol(tmp_path, "b1")
    (tmp_path / lost).unlink()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    told = enrol(tmp_path, "b2", "b1")
    assert told.exit_code == 1
    assert f"b1 has a key already ({tmp_path / 'b1.keys'}); --replace" in told.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_new_key_in_place_of_an_old_one_revokes_it(tmp_path: Path) -> None:
    """In the hall's file and in the board's; other boards keep theirs."""
    enrol(tmp_path, "b1", "b2")
    (old, other) = load_keys(tmp_path / HALL_FILE).keys
    assert enrol(tmp_path, "b1", "--replace").exit_code == 0
    was, kept, new = load_keys(tmp_path / HALL_FILE).keys
    assert (was.id, was.revoked, new.revoked) == (old.id, True, False)
    assert kept == other
    assert load_keys(tmp_path / "b1.keys").keys == (was, new)
    assert load_keys(tmp_path / "b1.keys").of_board("event", "b1") == new


def test_boards_are_added_to_those_that_are(tmp_path: Path) -> None:
    """Without a flag: nothing is overwritten by it."""
    enrol(tmp_path, "b1")
    assert enrol(tmp_path, "b2", "b2").exit_code == 0
    assert [key.board for key in load_keys(tmp_path / HALL_FILE).keys] == ["b1", "b2"]


def test_keys_are_listed_and_revoked(tmp_path: Path) -> None:
    """By their ids; secrets are not shown."""
    enrol(tmp_path, "b1", "b2")
    first, second = load_keys(tmp_path / HALL_FILE).keys
    told = enrol(tmp_path, "--revoke", first.id)
    assert told.exit_code == 0
    assert f"{first.id} opens b1 no more once {tmp_path / 'b1.keys'} is copied there." in told.output
    assert load_keys(tmp_path / "b1.keys").keys[0].revoked
    assert [key.revoked for key in load_keys(tmp_path / HALL_FILE).keys] == [True, False]
    listed = enrol(tmp_path, "--list").output.splitlines()
    assert listed == [
        f"event/b1  {first.id}  {first.made}  revoked",
        f"event/b2  {second.id}  {second.made}  opens",
    ]
    assert enrol(tmp_path / "none", "--list").output == "no keys\n"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "say which boards get a key, or --list, or --revoke KEY"),
        (("B/1",), 2, "B/1: an id has 1 to 32 of a-z"),
        (("b1", "--event", "#"), 2, "#: an id has 1 to 32 of a-z"),
        (("--revoke", "nobodys"), 1, "there is no key nobodys; --list shows"),
    ],
)
def test_what_cannot_be_done_is_said_and_makes_nothing(
    tmp_path: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    """Not even the folder."""
    told = enrol(tmp_path / "keys", *words)
    assert told.exit_code == code
    assert said in told.stderr
    assert not (tmp_path / "keys").exists()


def test_each_event_has_a_folder_of_its_own(tmp_path: Path) -> None:
    """Boards of two events may have one id, and their files one name."""
    enrol(tmp_path, "b1", "--event", "almaty")
    told = enrol(tmp_path, "b1", "--event", "astana", "--replace")
    assert told.exit_code == 1
    assert "has the keys of event almaty" in told.stderr
    assert load_keys(tmp_path / "b1.keys").keys[0].event == "almaty"


def test_a_file_that_others_may_read_is_named_with_what_to_do(tmp_path: Path) -> None:
    """In the language, like everything that people read."""
    enrol(tmp_path, "b1")
    (tmp_path / HALL_FILE).chmod(0o644)
    told = enrol(tmp_path, "b2")
    assert told.exit_code == 1
    assert f"{tmp_path / HALL_FILE}: others than its owner may read or change it" in told.stderr
    assert not (tmp_path / "b2.keys").exists()


def test_a_board_called_hall_does_not_overwrite_the_halls_file(tmp_path: Path) -> None:
    """No id holds what the name of that file does."""
    assert enrol(tmp_path, "hall", "b1").exit_code == 0
    assert len(load_keys(tmp_path / "hall.keys").keys) == 1
    assert len(load_keys(tmp_path / HALL_FILE).keys) == 2
