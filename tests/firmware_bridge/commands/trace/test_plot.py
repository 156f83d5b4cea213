"""What `togyz trace plot` writes, and what it leaves alone."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.firmware_bridge.board.played import traced_game
from tests.firmware_bridge.commands.trace.test_verbs import left, rewritten, run

Figure = pytest.importorskip("matplotlib.figure").Figure

SIGNATURE = b"\x89PNG\r\n\x1a\n"
OLD = SIGNATURE + b"an older picture"
EARLY = "The picture ends early, at "
FEW = ("--places", "3", "--to", "5s")


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


def flipped(path: Path) -> None:
    """Write a trace again in short blocks, and flip one bit in the middle of it."""
    rewritten(path, lambda row: row)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


def test_a_picture_says_the_damage_that_ends_it_early(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the words of the other verbs, and when; what lies before it is drawn, and says so."""
    figures: list[Any] = []
    write = Figure.savefig

    def noted(figure: Any, *where: Any, **how: Any) -> None:
        figures.append(figure)
        write(figure, *where, **how)

    monkeypatch.setattr(Figure, "savefig", noted)
    out = tmp_path / "x.png"
    whole = run("plot", path, out, "--places", "3")
    assert (whole.exit_code, whole.stderr, EARLY in whole.stdout) == (0, "", False)
    flipped(path)
    told = run("plot", path, out, "--places", "3")
    assert told.exit_code == 0
    assert "damaged at byte" in told.stderr
    assert told.stderr == run("cut", path, tmp_path / "piece.trace").stderr
    done, early = told.stdout.splitlines()
    ends = done.rsplit(" ", 1)[1]
    assert ends < whole.stdout.split()[-1]
    assert early.startswith(f"{EARLY}{ends}: the trace is damaged there")
    assert [EARLY in figure.get_suptitle() for figure in figures] == [False, True]


def test_damage_outside_of_what_is_drawn_is_told_where_it_matters(path: Path, tmp_path: Path) -> None:
    """Not behind the stretch; before it, nothing is left to draw, and the damage says why."""
    flipped(path)
    before = run("plot", path, tmp_path / "x.png", *FEW)
    assert (before.exit_code, before.stderr, EARLY in before.stdout) == (0, "", False)
    behind = run("plot", path, tmp_path / "y.png", "--places", "3", "--from", "24s")
    assert behind.exit_code == 2
    assert "damaged at byte" in behind.stderr
    assert "cannot be cut, replayed or drawn: it is damaged there" in behind.stderr
    assert left(tmp_path) == ["game.trace", "x.png"]


def test_a_torn_end_is_told_and_cuts_no_picture_short(path: Path, tmp_path: Path) -> None:
    """Nothing can be read behind it: the picture ends where the trace does."""
    path.write_bytes(path.read_bytes()[:-100])
    told = run("plot", path, tmp_path / "x.png", "--places", "3")
    assert (told.exit_code, "torn off at byte" in told.stderr, EARLY in told.stdout) == (0, True, False)
