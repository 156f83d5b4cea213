"""What `togyz trace info` says of what was wrong: outages, broken cells, damage."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.trace.rows import Row
from firmware_bridge.trace.writer import TraceWriter
from sensors.samples import ChannelStatus, RawSample
from tests.firmware_bridge.commands.trace.test_verbs import run
from tests.firmware_bridge.trace.small import HEADER

BEGUN_US = 7_000_000
OFFSET_US = 2_000_000
PERIOD_US = 12_500


def arrived(at_s: float, **changes: Any) -> Row:
    """Return the row of a device that is there `at_s` seconds after the beginning."""
    row = {"row": "arrived", "restarted": False, "time_scale": 1, "rate_hz": 80.0, "offset_us": OFFSET_US}
    return {**row, "at_us": BEGUN_US + round(at_s * 1e6), **changes}


def samples(from_s: float, to_s: float) -> list[Row]:
    """Return the samples of a stretch of time, counted from the beginning of the trace."""
    first, last = (BEGUN_US + round(second * 1e6) - OFFSET_US for second in (from_s, to_s))
    ok = (ChannelStatus.OK,) * 20
    return [RawSample(at_us, (0,) * 20, ok) for at_us in range(first, last + 1, PERIOD_US)]


def told_of(path: Path, *blocks: list[Row], hurt: int | None = None) -> tuple[str, dict[str, Any]]:
    """Return what `info` says of a trace of these blocks, to people and to programs.

    Args:
        path: Where to write it.
        blocks: Its rows.
        hurt: The block in which a few bytes are overwritten.
    """
    with path.open("wb") as file:
        writer = TraceWriter.begin(file, replace(HEADER, begun_us=BEGUN_US))
        ends = []
        for rows in blocks:
            writer.write(rows)
            ends.append(writer.size)
        writer.end("asked")
    if hurt is not None:
        data = bytearray(path.read_bytes())
        data[ends[hurt] - 20 : ends[hurt]] = b"\x55" * 20
        path.write_bytes(bytes(data))
    people, programs = run("info", path), run("info", path, "--json")
    assert (people.exit_code, programs.exit_code) == (0, 0)
    return people.stdout, json.loads(programs.stdout)


def moved(*texts: str) -> list[Row]:
    """Return the rows that tell of moves played."""
    return [
        {"row": "step", "events": [{"kind": "move_played", "text": text}], "effects": [], "refusal": ""}
        for text in texts
    ]


def test_a_pulled_cable_is_named_and_belongs_to_the_length(tmp_path: Path) -> None:
    """Half a minute is half a minute, also where nobody was heard for five seconds of it."""
    gone: list[Row] = [{"row": "gone", "reason": "hung up"}, {"row": "gone", "reason": "not there"}]
    rows = [arrived(0), *samples(0.5, 15), *gone, {"row": "restored"}, arrived(20), *samples(20.2, 30)]
    people, facts = told_of(tmp_path / "x", rows)
    assert people.splitlines()[1].startswith("0:00:30, ")
    assert people.splitlines()[1].endswith(", 0 gaps while the device was there")
    assert "no device from 0:00:15.000 to 0:00:20.000: hung up\n" in people
    assert facts["outages"] == [{"from_s": 15.0, "until_s": 20.0, "reason": "hung up"}]
    assert (facts["seconds"], facts["sampled_seconds"]) == (30.0, 24.3)
    assert facts["rate_hz"] == pytest.approx(80, rel=0.01)


def test_a_device_that_never_came_back_is_told_too(tmp_path: Path) -> None:
    """Whether it is silent or cannot be used."""
    rows: list[Row] = [arrived(0), *samples(0.5, 5), {"row": "trouble", "detail": "another board"}]
    people, facts = told_of(tmp_path / "x", rows)
    assert "no device from 0:00:05.000 to the end: another board" in people
    assert facts["outages"][0]["until_s"] is None


def test_a_dead_cell_is_named_with_its_channel(tmp_path: Path) -> None:
    """Its samples are all well as far as the device knows; only the board found out."""
    why = "reads 0 of what is due (its bridge is cut off): mend the cell or its wires"
    note = ["unreadable", 4, f"bastaushy 5: {why}"]
    watch: Row = {"row": "watch", "sensed": "unreadable", "notes": [note]}
    matches: Row = {"row": "watch", "sensed": "matches", "notes": []}
    rows = [arrived(0), *samples(0.5, 9), watch, *samples(9, 12), matches, *samples(12, 20), watch]
    people, facts = told_of(tmp_path / "x", [*rows, *samples(20, 21)])
    told = "it feels no load at all: its bridge is cut off; mend the cell or its wires"
    assert f"Bastaushy, pit 5 (channel 4): cannot be read: {told} (said from 0:00:09" in people
    assert facts["faults"] == {}
    (remark,) = facts["remarks"]
    assert (remark["code"], remark["place"], remark["from_s"], remark["until_s"]) == (
        "unreadable",
        4,
        9.0,
        21.0,
    )


def test_a_dead_cell_of_a_board_turned_round_has_the_channel_of_its_seat(tmp_path: Path) -> None:
    """Bastaushy sits at side b: his pit 5 is channel 13."""
    assigned: Row = {
        "row": "step",
        "events": [{"kind": "game_assigned", "starter_seat": "b"}],
        "effects": [],
        "refusal": "",
    }
    watch: Row = {"row": "watch", "sensed": "unreadable", "notes": [["unreadable", 4, "bastaushy 5: dead"]]}
    people, _ = told_of(tmp_path / "x", [arrived(0), assigned, *samples(0.5, 2), watch])
    assert "Bastaushy, pit 5 (channel 13): cannot be read" in people


def test_moves_in_a_damaged_block_are_missed(tmp_path: Path) -> None:
    """What stands behind it is read, and where moves may be missing stands a mark."""
    blocks = [[arrived(0), *samples(0.5, 5), *moved("3:2")], moved("9-8"), [*moved("7:8"), *samples(9, 12)]]
    people, facts = told_of(tmp_path / "x", *blocks, hurt=1)
    assert "moves: 3:2 … 7:8\n" in people
    assert (
        "Moves and decisions in the damaged part cannot be read; … stands where moves may be missing"
        in people
    )
    assert people.splitlines()[1].startswith("0:00:12, ")
    assert (facts["moves"], facts["damage"][0]["plies_before"]) == (["3:2", "7:8"], 1)
    people, _ = told_of(tmp_path / "x", *blocks, hurt=0)
    assert "moves: … 9-8 7:8\n" in people
    people, _ = told_of(tmp_path / "x", *blocks, [*samples(12, 13)], hurt=2)
    assert "moves: 3:2 9-8 …\n" in people


def test_a_cell_that_never_moves_is_worth_a_look(tmp_path: Path) -> None:
    """Also where the board never came to rest and so never found out; not where too little was played."""
    press: Row = {"row": "press", "at_us": BEGUN_US, "button": 0, "boot": 1, "number": 1}
    stone = round(HEADER.calibration.unit_g * HEADER.calibration.channels[0].raw_per_g)
    ok = (ChannelStatus.OK,) * 20
    values = [tuple(turn * stone if place not in (4, 13) else 0 for place in range(20)) for turn in range(4)]
    rows = [arrived(0), *(RawSample(turn, raw, ok) for turn, raw in enumerate(values))]
    people, facts = told_of(tmp_path / "x", [*rows, *[press] * 4])
    assert "channels that never changed by half a stone: 4, 13 (dead, or nothing was played there)" in people
    assert facts["unmoved"] == [4, 13]
    assert told_of(tmp_path / "x", [*rows, press])[1]["unmoved"] == []


def test_a_short_trace_foretells_no_hour(tmp_path: Path) -> None:
    """A second of samples is mostly header."""
    people, _ = told_of(tmp_path / "x", [arrived(0), *samples(0, 1)])
    assert "an hour" not in people
    people, _ = told_of(tmp_path / "x", [arrived(0), *samples(0, 61)])
    assert "MB an hour" in people


def test_one_of_each_is_said_in_the_singular(tmp_path: Path) -> None:
    """One decision is no decisions."""
    people, _ = told_of(tmp_path / "x", [arrived(0), *samples(0, 1), *moved("3:2")])
    assert "0 presses, 1 decision, 1 ply\n" in people


@pytest.mark.parametrize(
    ("language", "why"), [("kk", "мұндай файл немесе қалта жоқ"), ("ru", "такого файла или папки нет")]
)
def test_a_trace_that_is_not_there_is_told_in_the_language(language: str, why: str, tmp_path: Path) -> None:
    """The reason of the system as well."""
    told = run("info", tmp_path / "none", language=language)
    assert (told.exit_code, why in told.stderr, "No such" in told.stderr) == (2, True, False)


@pytest.mark.parametrize(
    ("language", "why"), [("kk", "блоктың мазмұны бүлінген"), ("ru", "повреждено содержимое блока")]
)
def test_damage_is_told_in_the_language(language: str, why: str, tmp_path: Path) -> None:
    """Of a block, and of the header without which nothing can be done."""
    path = tmp_path / "x"
    told_of(path, [arrived(0)], moved("9-8"), moved("7:8"), hurt=1)
    assert why in run("info", path, language=language).stdout
    data = bytearray(path.read_bytes())
    data[60] ^= 1
    path.write_bytes(bytes(data))
    assert why in run("info", path, language=language).stderr
