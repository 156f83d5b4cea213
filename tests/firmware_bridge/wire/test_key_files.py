"""Files of keys: nobody else reads them, nothing half-written stands there, nothing is overwritten."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.wire.key_files import KeyFileError, load_keys, save_keys
from firmware_bridge.wire.signing import Keyring
from tests.firmware_bridge.wire.signed import KEY, OTHER, REVOKED

RING = Keyring((REVOKED, KEY, OTHER))


def saved(folder: Path) -> Path:
    """Return a good file."""
    path = folder / "b.keys"
    save_keys(path, RING, replace=False)
    return path


def test_keys_are_read_back_and_only_their_owner_may_read_them(tmp_path: Path) -> None:
    """Whatever the umask is: one that takes nothing away must not open the file."""
    before = os.umask(0)
    try:
        path = saved(tmp_path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_keys(path) == RING
    assert [entry.name for entry in tmp_path.iterdir()] == ["b.keys"]


def test_a_file_that_is_there_is_replaced_only_when_asked(tmp_path: Path) -> None:
    """The secret of a board in play must not be lost by a slip."""
    path = saved(tmp_path)
    with pytest.raises(KeyFileError, match="is there already") as told:
        save_keys(path, Keyring((KEY,)), replace=False)
    assert told.value.fault == "exists"
    assert load_keys(path) == RING
    save_keys(path, Keyring((KEY,)), replace=True)
    assert load_keys(path) == Keyring((KEY,))
    assert [entry.name for entry in tmp_path.iterdir()] == ["b.keys"]


def test_where_a_file_can_have_but_one_name_nothing_is_overwritten_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A USB stick knows no links."""

    def refuse(*_: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    path = saved(tmp_path)
    assert load_keys(path) == RING
    with pytest.raises(KeyFileError, match="is there already"):
        save_keys(path, RING, replace=False)


def test_a_draft_left_by_a_power_cut_stands_in_nobodys_way(tmp_path: Path) -> None:
    """Nor does one that leads elsewhere: what it leads to stays as it is."""
    other = tmp_path / "other"
    other.write_text("precious", encoding="utf-8")
    (tmp_path / ".b.keys.new").symlink_to(other)
    assert load_keys(saved(tmp_path)) == RING
    assert other.read_text(encoding="utf-8") == "precious"


def test_a_full_disk_leaves_the_old_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no draft with secrets beside it."""
    path = saved(tmp_path)

    def refuse(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(KeyFileError, match="cannot be written: No space left") as told:
        save_keys(path, Keyring((KEY,)), replace=True)
    assert told.value.fault == "unwritable"
    monkeypatch.undo()
    assert load_keys(path) == RING
    assert [entry.name for entry in tmp_path.iterdir()] == ["b.keys"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_file_that_others_may_read_or_change_is_refused(tmp_path: Path, mode: int) -> None:
    """With the command that mends it."""
    path = saved(tmp_path)
    path.chmod(mode)
    with pytest.raises(KeyFileError, match=f"mode {mode:o}.; type: chmod 600 {path}") as told:
        load_keys(path)
    assert told.value.fault == "open"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"secret": "zz" * 32}, "the secret of key 1 is not hexadecimal"),
        ({"secret": "00" * 31}, "has 31 bytes instead of 32"),
        ({"secret": 7}, "key 1 holds something that is no text"),
        ({"revoked": "no"}, "key 1 has not the fields"),
        ({"more": 1}, "key 1 has not the fields"),
        ({"board": "B/1"}, "is misnamed"),
    ],
)
def test_what_is_no_key_is_named_without_its_secret(
    tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    """Errors go into logs."""
    path = saved(tmp_path)
    document = json.loads(path.read_text(encoding="utf-8"))
    secret = document["keys"][0]["secret"]
    document["keys"][0] |= changes
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(KeyFileError, match=why) as told:
        load_keys(path)
    assert told.value.fault == "damaged"
    assert secret not in str(told.value)
    assert str(changes.get("secret", "none")) not in str(told.value) or changes.get("secret") == 7


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no JSON"),
        (b"\xff", "no JSON"),
        (b"[]", "no JSON object"),
        (b"{}", "`format` is not 1"),
        (b'{"format":1}', "'keys'"),
        (b'{"format":1,"keys":7}', "not iterable"),
        (b'{"format":1,"format":1,"keys":[]}', "twice"),
    ],
)
def test_what_is_no_file_of_keys_is_refused(tmp_path: Path, data: bytes, why: str) -> None:
    """Whatever stands in it."""
    path = saved(tmp_path)
    path.write_bytes(data)
    with pytest.raises(KeyFileError, match=why):
        load_keys(path)


def test_two_keys_of_one_name_are_refused(tmp_path: Path) -> None:
    """One could be revoked and the other not."""
    path = tmp_path / "b.keys"
    save_keys(path, Keyring((KEY, KEY)), replace=False)
    with pytest.raises(KeyFileError, match="two keys have the same id"):
        load_keys(path)


def test_a_file_that_is_not_there_or_no_file_is_named(tmp_path: Path) -> None:
    """A folder, a pipe."""
    with pytest.raises(KeyFileError, match="cannot be read: No such file") as told:
        load_keys(tmp_path / "none")
    assert told.value.fault == "unreadable"
    with pytest.raises(KeyFileError, match="cannot be read"):
        load_keys(tmp_path)
