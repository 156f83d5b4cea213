"""What `togyz trace plot` writes, and what it leaves alone."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.firmware_bridge.board.played import traced_game
from tests.firmware_bridge.commands.trace.test_verbs import left, run

pytest.importorskip("matplotlib")

SIGNATURE = b"\x89PNG\r\n\x1a\n"
OLD = SIGNATURE + b"an older picture"
FEW = ("--places", "3", "--to", "9s")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the trace of a game."""
    found = tmp_path / "game.trace"
    found.write_bytes(traced_game())
    return found


@pytest.mark.parametrize("kind", ["itself", "symbolic link", "hard link"])
def test_a_plot_is_not_written_over_its_trace(path: Path, tmp_path: Path, kind: str) -> None:
    """Whatever the trace is called."""
    whole = path.read_bytes()
    out = tmp_path / "x.png"
    if kind == "itself":
        path = path.rename(out)
    elif kind == "symbolic link":
        out.symlink_to(path)
    else:
        out.hardlink_to(path)
    before = left(tmp_path)
    told = run("plot", path, out, *FEW)
    assert told.exit_code == 2
    assert "x.png: there is a file already, and it is no PNG; name another one" in told.stderr
    assert path.read_bytes() == whole
    assert (left(tmp_path), out.is_symlink()) == (before, kind == "symbolic link")


@pytest.mark.parametrize("kind", ["text", "empty", "folder", "pipe", "link that leads nowhere"])
def test_a_plot_is_written_over_nothing_but_a_picture(path: Path, tmp_path: Path, kind: str) -> None:
    """Neither a file of something else, nor what is no file."""
    out = tmp_path / "x.png"
    if kind == "folder":
        out.mkdir()
    elif kind == "pipe":
        os.mkfifo(out)
    elif kind == "link that leads nowhere":
        out.symlink_to(tmp_path / "nowhere.png")
    else:
        out.write_text("notes" if kind == "text" else "")
    before = out.lstat()
    told = run("plot", path, out, *FEW)
    assert (told.exit_code, "it is no PNG" in told.stderr) == (2, True)
    assert (out.lstat().st_ino, out.lstat().st_size) == (before.st_ino, before.st_size)
    assert left(tmp_path) == ["game.trace", "x.png"]


def test_an_older_picture_is_replaced(path: Path, tmp_path: Path) -> None:
    """Through a link the one it leads to."""
    out, link = tmp_path / "x.png", tmp_path / "link.png"
    link.symlink_to(out)
    for name in (out, link):
        out.write_bytes(OLD)
        told = run("plot", path, name, *FEW)
        assert told.exit_code == 0, told.stderr
        assert out.read_bytes()[:8] == SIGNATURE
        assert out.read_bytes() != OLD
        assert link.is_symlink()
    assert left(tmp_path) == ["game.trace", "link.png", "x.png"]


def test_a_picture_on_a_full_disk_leaves_the_older_one_whole(path: Path, tmp_path: Path) -> None:
    """No file of this process may be longer than 20 blocks."""
    out = tmp_path / "x.png"
    command = (sys.executable, "-m", "firmware_bridge", "--language", "en", "trace", "plot", path, out)
    words = ("sh", "-c", 'ulimit -f 20; exec "$@"', "sh", *map(str, command))
    for older in (None, OLD):
        if older is not None:
            out.write_bytes(older)
        told = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
        assert (told.returncode, "x.png: cannot be written: File too large" in told.stderr) == (1, True)
        assert left(tmp_path) == ["game.trace", *([] if older is None else ["x.png"])]
    assert out.read_bytes() == OLD


def test_a_picture_that_is_stopped_leaves_the_older_one_whole(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And that is said."""

    def stopped(_picture: object, target: object) -> None:
        target.write(SIGNATURE)  # type: ignore[attr-defined] # a file
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib.import_module("firmware_bridge.commands.trace.drawing"), "draw", stopped)
    out = tmp_path / "x.png"
    out.write_bytes(OLD)
    told = run("plot", path, out, *FEW)
    assert told.exit_code == 130
    assert "stopped before the picture was complete: nothing was written" in told.stderr
    assert (left(tmp_path), out.read_bytes()) == (["game.trace", "x.png"], OLD)


def test_a_picture_with_a_line_break_in_its_name_is_told_on_one_line(path: Path, tmp_path: Path) -> None:
    """Whether it is drawn or refused; and what looks like a style is part of the name."""
    out = tmp_path / "a\n[b]c.png"
    told = run("plot", path, out, *FEW)
    assert told.stdout.count("\n") == 1
    assert "/a [b]c.png: 0:00:00." in told.stdout
    assert run("plot", path, tmp_path / "a\nb.jpg").stderr.count("\n") == 1
    missing = run("plot", path, tmp_path / "new\nfolder" / "x.png", *FEW)
    assert missing.exit_code == 1
    assert missing.stderr.endswith("/new folder/x.png: cannot be written: No such file or directory\n")
    out.write_text("notes")
    assert run("plot", path, out).stderr.count("\n") == 1
