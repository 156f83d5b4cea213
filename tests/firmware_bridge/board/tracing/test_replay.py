"""Every decision of a trace can be taken again, and one that is different is found."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.bench.scene import WIRINGS
from firmware_bridge.board.tracing.replay import Replay, Taken, taken_again
from firmware_bridge.trace.errors import TraceError
from firmware_bridge.trace.reader import Ending, Hole, TraceReader
from firmware_bridge.trace.rows import STEP, Row
from rules.game import Phase
from sensors.samples import RawSample
from tests.firmware_bridge.board.played import PLIES, replayed, traced_game
from tests.firmware_bridge.trace.small import HEADER

Rows = list[Row | Hole | Ending]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the trace of a game."""
    found = tmp_path / "game.trace"
    found.write_bytes(traced_game())
    return found


@pytest.fixture
def rows(path: Path) -> Rows:
    """All rows of it."""
    with TraceReader.open(path) as reader:
        return list(reader.rows())


def different(path: Path, rows: Rows) -> list[Taken]:
    """Return the inputs of changed rows that lead to something else than is said."""
    with TraceReader.open(path) as reader:
        again = taken_again(Replay(reader.header), rows)
        return [taken for taken in again if isinstance(taken, Taken) and not taken.same]


def changed(rows: Rows, which: Callable[[Any], bool], change: Callable[[Any], Any]) -> Rows:
    """Return the rows with the first that fits changed."""
    at = next(number for number, row in enumerate(rows) if which(row))
    return [*rows[:at], change(rows[at]), *rows[at + 1 :]]


def has_move(row: object) -> bool:
    """Whether a row tells of a ply."""
    return isinstance(row, Mapping) and any(event["kind"] == "move_played" for event in row.get("events", ()))


def test_a_replay_takes_every_decision_again(path: Path) -> None:
    """From the start of the program to the last ply, bit for bit."""
    game = replayed(path).session.game
    assert (game.phase, len(game.plies)) == (Phase.PLAYING, PLIES)


@pytest.mark.parametrize("cells", [True, False])
def test_a_board_with_count_sensors_is_replayed_as_any_other(tmp_path: Path, *, cells: bool) -> None:
    """Pulses are raw values of channels; beside cells or without, every decision is taken again."""
    found = tmp_path / "game.trace"
    found.write_bytes(traced_game(WIRINGS["both" if cells else "beams"]))
    assert len(replayed(found).session.game.plies) == PLIES


def test_nothing_is_different_in_the_trace_as_it_is(path: Path, rows: Rows) -> None:
    """And samples, presses and decisions are all in it."""
    assert different(path, rows) == []
    kinds = {row["row"] for row in rows if isinstance(row, Mapping)}
    assert {"arrived", "command", "press", "step", "watch"} <= kinds
    assert sum(isinstance(row, RawSample) for row in rows) > 1000


def test_the_last_bit_of_a_float_is_a_difference(path: Path, rows: Rows) -> None:
    """The evidence of a ply is compared as it stands."""

    def nudge(row: Any) -> Any:
        (event,) = row["events"]
        evidence = {**event["evidence"], "worst": math.nextafter(event["evidence"]["worst"], 9.0)}
        return {**row, "events": [{**event, "evidence": evidence}]}

    (taken,) = different(path, changed(rows, has_move, nudge))
    assert taken.due is not None
    assert [row["row"] for row in taken.due] == [row["row"] for row in taken.found]


def test_a_stone_more_is_a_difference(path: Path, rows: Rows) -> None:
    """Somebody changed what was weighed: the board would have decided otherwise."""
    last = next(number for number, row in enumerate(rows) if has_move(row)) - 1

    def heavier(number: int, row: Any) -> Any:
        if isinstance(row, RawSample) and last - 60 < number <= last:
            return RawSample(row.time_us, (row.raw[0] + 25_000, *row.raw[1:]), row.status)
        return row

    assert different(path, [heavier(number, row) for number, row in enumerate(rows)])


@pytest.mark.parametrize("which", [STEP, "watch"])
def test_a_decision_that_is_not_told_is_a_difference(path: Path, rows: Rows, which: str) -> None:
    """And so is a change of how the board looked."""
    at = next(number for number, row in enumerate(rows) if isinstance(row, Mapping) and row["row"] == which)
    assert len(different(path, [*rows[:at], *rows[at + 1 :]])) == 1


def test_what_a_torn_end_no_longer_tells_is_no_difference(path: Path, rows: Rows) -> None:
    """The power went between the input and what it led to."""
    at = next(number for number, row in enumerate(rows) if has_move(row))
    assert different(path, rows[:at]) == []
    assert different(path, [*rows[:at], Hole(0, 9, "torn", tail=True, blocks=None)]) == []


def test_nothing_behind_a_hole_is_compared(path: Path, rows: Rows) -> None:
    """What was decided in it is lost, so what follows cannot be taken again."""
    hole = Hole(7, 9, "damaged", tail=False, blocks=1)
    with TraceReader.open(path) as reader:
        again = list(taken_again(Replay(reader.header), [*rows[:500], hole, *rows[900:]]))
    assert again[-1] == hole
    assert all(taken.same for taken in again if isinstance(taken, Taken))


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (RawSample(5, (), ()), "a sample before any device"),
        ({"row": "press", "at_us": 5}, "a row `press` has no meaning: 'boot' is missing"),
        ({"row": "command", "do": "dance"}, "a row `command` has no meaning: `dance` is no command"),
        ({"row": "gone", "reason": 7}, "a row `gone` has no meaning: `reason` cannot be 7"),
        (
            {"row": "arrived", "at_us": 1, "restarted": False, "time_scale": 1, "rate_hz": 80.0},
            "a row `arrived` has no meaning: 'offset_us' is missing",
        ),
    ],
)
def test_a_row_no_board_writes_is_an_error(row: Row, why: str) -> None:
    """The block was whole, so a program wrote it."""
    with pytest.raises(TraceError, match=f"0.000 s after its beginning: {why}"):
        Replay(replace(HEADER, events=(), evidence={})).take(row)


def test_samples_of_other_channels_than_the_header_has_are_an_error(path: Path, rows: Rows) -> None:
    """Said with when and how many; no board takes a device of other channels than are calibrated."""
    few = changed(
        rows,
        lambda row: isinstance(row, RawSample),
        lambda row: RawSample(row.time_us, row.raw[:3], row.status[:3]),
    )
    with pytest.raises(
        TraceError, match=r"s after its beginning: a sample of 3 channels, of 20 in the header"
    ):
        different(path, few)


@pytest.mark.parametrize(
    ("events", "why"),
    [
        (({"kind": "dream"},), "dream"),
        (({"kind": "game_started", "at_us": 1},), "game_started"),
        (({"at_us": 1},), "kind"),
    ],
)
def test_a_header_from_which_no_game_follows_is_an_error(path: Path, events: Any, why: str) -> None:
    """Nothing is replayed from a game that cannot have been."""
    with TraceReader.open(path) as reader:
        header = reader.header
    with pytest.raises(
        TraceError, match=r"no table can be set up from its header \(.*\); togyz-bridge .* wrote it"
    ) as told:
        Replay(replace(header, events=events))
    assert why in str(told.value)
    assert "Error(" not in str(told.value)
