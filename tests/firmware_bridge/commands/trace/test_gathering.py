"""What a plot shows."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from firmware_bridge.commands.trace import gathering
from firmware_bridge.commands.trace.gathering import Picture, gather
from firmware_bridge.trace.reader import TraceReader
from rules.position import START
from tests.firmware_bridge.board.played import PLIES, traced_game

ALL = range(20)


def picture(tmp_path: Path, from_us: int = 0) -> Picture:
    """Return the whole picture of a game."""
    path = tmp_path / "game.trace"
    path.write_bytes(traced_game())
    with TraceReader.open(path) as reader:
        return gather(reader.header, reader.rows(), ALL, (from_us, 1 << 62))


def test_a_picture_holds_what_was_pressed_decided_and_seen(tmp_path: Path) -> None:
    """Each with its time, in order."""
    found = picture(tmp_path)
    assert [text for _, text in found.moves] == ["3:2", "9-8"]
    assert len(found.presses) == 2 + PLIES
    assert "setup_checked" in [kind for _, kind in found.others]
    assert {"matches", "moving"} <= {sensed for _, sensed in found.seen}
    assert found.counted[0][1] == (*START.pits, *START.kazans)
    assert len(found.counted) == 1 + PLIES


def test_a_quiet_pit_weighs_its_stones(tmp_path: Path) -> None:
    """Before the first ply nine in each pit, within a quarter of a stone."""
    found = picture(tmp_path)
    first_us = found.moves[0][0] - 10_000_000
    for place in range(18):
        early = [
            bucket.total / bucket.samples
            for number, bucket in found.lines[place].buckets.items()
            if found.from_us + number * found.bucket_us < first_us
        ]
        assert early
        assert all(abs(stones - 9) < 0.25 for stones in early)


def test_a_long_trace_makes_no_more_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Buckets are joined in pairs; no sample is lost and the extremes stay."""
    whole = picture(tmp_path)
    monkeypatch.setattr(gathering, "MOST_BUCKETS", 50)
    coarse = picture(tmp_path)
    assert max(coarse.lines[0].buckets) < 50
    for place in ALL:
        lines = [found.lines[place].buckets.values() for found in (whole, coarse)]
        counts, lows, highs = zip(
            *[
                (sum(b.samples for b in line), min(b.low for b in line), max(b.high for b in line))
                for line in lines
            ],
            strict=True,
        )
        assert counts[0] == counts[1]
        assert lows[0] == lows[1]
        assert highs[0] == highs[1]


def test_a_stretch_begins_with_how_the_board_was_seen_then(tmp_path: Path) -> None:
    """And with the stones counted then."""
    whole = picture(tmp_path)
    later = picture(tmp_path, whole.moves[0][0] + 1)
    assert later.seen[0][1] in {sensed for _, sensed in whole.seen}
    assert later.counted[0][1] == whole.counted[1][1]
    assert [text for _, text in later.moves] == ["9-8"]


def test_a_tuzdyk_is_told_from_a_pit_that_is_counted_wrongly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it weighs is its mark, and its title says so, with the channel of the place."""
    pytest.importorskip("matplotlib")
    drawing = importlib.import_module("firmware_bridge.commands.trace.drawing")
    monkeypatch.setenv("TOGYZ_LANGUAGE", "en")
    found = picture(tmp_path)
    assert found.marked == set()
    found.marked.add(12)
    assert "tuzdyk" in drawing._title(found, 12)
    assert drawing._title(found, 4) == "Bastaushy, pit 5 (channel 4)"
