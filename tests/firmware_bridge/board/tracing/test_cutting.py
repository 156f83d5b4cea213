"""A piece of a trace is a trace by itself, and decides as the whole does."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.commands.trace.cut import cut_to
from firmware_bridge.trace.reader import Ending, TraceReader
from tests.firmware_bridge.board.played import PLIES, replayed, traced_game

SECOND = 1_000_000


@pytest.mark.parametrize("from_s", [4, 11])
def test_a_piece_replays_by_itself_and_ends_as_the_whole(tmp_path: Path, from_s: int) -> None:
    """Before the game, and in the first ply; what is decided is the same, if not in the last digit."""
    whole, piece = tmp_path / "whole", tmp_path / "piece"
    whole.write_bytes(traced_game())
    with TraceReader.open(whole) as reader, piece.open("xb") as target:
        begun_us = reader.header.begun_us
        facts = cut_to(reader, target, begun_us + from_s * SECOND, 1 << 62)
    assert facts.from_us is not None
    assert 0 <= facts.from_us - begun_us - from_s * SECOND <= SECOND
    assert facts.other == 0
    with TraceReader.open(piece) as reader:
        *_, ending = reader.rows()
        assert reader.header.cut is not None
    assert isinstance(ending, Ending)
    assert ending.told["differs"] == facts.differs
    ends = [replayed(path).session.game for path in (whole, piece)]
    assert [len(game.plies) for game in ends] == [PLIES, PLIES]
    assert ends[0].position == ends[1].position


def test_a_piece_of_a_piece_is_one_too(tmp_path: Path) -> None:
    """Its header was made by a replay, and serves for another."""
    paths = [tmp_path / name for name in ("whole", "piece", "smaller")]
    paths[0].write_bytes(traced_game())
    for number in (1, 2):
        with TraceReader.open(paths[number - 1]) as reader, paths[number].open("xb") as target:
            begun_us = reader.header.begun_us
            cut_to(reader, target, begun_us + 4 * SECOND, begun_us + (18 - 5 * number) * SECOND)
    assert replayed(paths[2]).at_us - replayed(paths[1]).header.begun_us <= 9 * SECOND


def test_a_stretch_in_which_nothing_is_makes_no_piece(tmp_path: Path) -> None:
    """Behind the end."""
    path = tmp_path / "whole"
    path.write_bytes(traced_game())
    with TraceReader.open(path) as reader, (tmp_path / "piece").open("xb") as target:
        assert cut_to(reader, target, 1 << 60, 1 << 61).from_us is None
