"""What a plot shows of broken cells, of bad readings and of what leaves its panel; and the bar meanwhile."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.commands.trace.gathering import Line, Picture, gather
from firmware_bridge.trace.reader import TraceReader
from firmware_bridge.trace.rows import Row
from sensors.calibration import SATURATION_RAW
from sensors.samples import ChannelStatus, Fault, FaultKind, RawSample
from tests.firmware_bridge.board.played import traced_game
from tests.firmware_bridge.commands.record.games import ROOT
from tests.firmware_bridge.commands.trace.test_verbs import rewritten, run

DEAD, BAD, WILD = 3, 5, 7
"""Places: one whose converter is silent for a while, one read badly twice, one with a wild peak."""

SILENT = range(500, 740)
"""Samples in which it is: three seconds."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the trace of a game in which something is wrong at three places."""
    found = tmp_path / "game.trace"
    found.write_bytes(traced_game())
    with TraceReader.open(found) as reader:
        channels = gather(reader.header, (), range(20), (0, 1 << 62)).channels
    samples = 0

    def change(row: Row) -> Row:
        nonlocal samples
        if not isinstance(row, RawSample):
            return row
        samples += 1
        raw, status = list(row.raw), list(row.status)
        if samples in SILENT:
            status[channels[DEAD]] = ChannelStatus.NOT_READY
        if samples in (400, 500):
            status[channels[BAD]] = ChannelStatus.READ_ERROR
        if samples == 600:
            raw[channels[BAD]] = SATURATION_RAW
        if samples == 700:
            raw[channels[WILD]] *= 8
        return replace(row, raw=tuple(raw), status=tuple(status))

    rewritten(found, change)
    return found


def picture(path: Path, places: range = range(20)) -> Picture:
    """Return what a plot of all of it shows."""
    with TraceReader.open(path) as reader:
        return gather(reader.header, reader.rows(), places, (0, 1 << 62))


def test_a_broken_cell_is_known_from_when_to_when(path: Path) -> None:
    """From the fault, which a moment of silence is not yet, until it has read well for a while."""
    found = picture(path)
    assert list(found.broken) == [DEAD]
    (breaking,) = found.broken[DEAD]
    assert breaking.fault == Fault(FaultKind.NOT_READY, found.channels[DEAD])
    assert 4_500_000 < breaking.to_us - breaking.from_us < 5_500_000
    before = found.lines[DEAD].bad
    assert 10 < sum(before.values()) < 40  # the readings before it was called broken


def test_bad_readings_are_counted_and_drawn_as_no_load(path: Path) -> None:
    """A value at the end of the range is one, whatever the device says of it."""
    found = picture(path)
    assert sum(found.lines[BAD].bad.values()) == 3
    assert max(bucket.high for bucket in found.lines[BAD].buckets.values()) < 100
    assert found.lines[WILD].bad == {}


def test_bad_readings_stay_when_buckets_are_joined() -> None:
    """All of them."""
    line = Line()
    for number in (4, 4, 5, 8):
        line.miss(number)
    line.widen()
    assert line.bad == {2: 3, 4: 1}


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All that is written into a picture, once it has been drawn."""
    figure = pytest.importorskip("matplotlib.figure").Figure
    texts: list[str] = []
    write = figure.savefig

    def noted(self: Any, *where: Any, **how: Any) -> None:
        write(self, *where, **how)
        for axes in self.axes:
            texts.extend(text.get_text() for text in axes.texts)
            texts.append(axes.get_title(loc="left"))
        texts.extend(text.get_text() for legend in self.legends for text in legend.get_texts())

    monkeypatch.setattr(figure, "savefig", noted)
    return texts


def test_a_picture_says_what_is_wrong_with_a_curve(path: Path, tmp_path: Path, drawn: list[str]) -> None:
    """When and why it broke, how many readings were bad, what leaves the panel; and what the marks mean."""
    told = run("plot", path, tmp_path / "x.png", "--places", f"{DEAD + 1},{BAD + 1},{WILD + 1}")
    assert told.exit_code == 0, told.stderr
    whole = "\n".join(drawn)
    assert re.search(r"broken 0:\d\d\.\d–0:\d\d\.\d  ·  \d+ bad readings", whole)
    assert "the converter does not answer" in drawn
    assert any(text.startswith("3 bad readings") for text in drawn)
    assert re.search(r"\d peaks? cut off, up to \d\d stones", whole)
    for sign in ("cell broken or not believed", "bad reading", "the curve goes on beyond its panel"):
        assert sign in drawn


def test_a_picture_of_a_sound_board_says_nothing_of_it(tmp_path: Path, drawn: list[str]) -> None:
    """Neither in a panel nor below."""
    sound = tmp_path / "sound.trace"
    sound.write_bytes(traced_game())
    assert run("plot", sound, tmp_path / "x.png", "--places", "4").exit_code == 0
    assert not any("broken" in text or "bad reading" in text for text in drawn)


@pytest.mark.parametrize("verb", ["replay", "plot"])
def test_a_person_at_a_terminal_sees_how_far_it_has_come(path: Path, tmp_path: Path, verb: str) -> None:
    """And nobody else does."""
    if verb == "plot":
        pytest.importorskip("matplotlib")
    out = [str(tmp_path / "x.png")] * (verb == "plot")
    command = [sys.executable, "-m", "firmware_bridge", "--language", "en", "trace", verb, str(path), *out]
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "PYTHONPATH": str(ROOT), "NO_COLOR": ""}
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=theirs) as child:
        os.close(theirs)
        told = b"".join(iter(lambda: _read(ours), b"")).decode()
        out_told = child.communicate()[0].decode()
    os.close(ours)
    shares = [int(share) for share in re.findall(r"(\d+)%", told)]
    assert len(set(shares)) > 2
    assert shares == sorted(shares)
    assert "%" not in out_told


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, 4096)
    except OSError:  # the other side is closed
        return b""
