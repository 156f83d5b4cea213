"""What `togyz trace` tells of a trace."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from firmware_bridge.cli import app
from firmware_bridge.trace.reader import TraceReader
from firmware_bridge.trace.rows import Row
from firmware_bridge.trace.writer import TraceWriter
from tests.firmware_bridge.board.played import PLIES, traced_game
from tests.firmware_bridge.commands.record.games import ROOT
from tests.firmware_bridge.trace.small import rows_of, small_trace


def run(*words: object, language: str = "en") -> Result:
    """Run `togyz trace`, in English unless another language is asked for."""
    env = {"COLUMNS": "200", "TERM": "dumb"}
    return CliRunner().invoke(app, ["--language", language, "trace", *map(str, words)], env=env)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the trace of a game."""
    found = tmp_path / "game.trace"
    found.write_bytes(traced_game())
    return found


def left(folder: Path) -> list[str]:
    """Return the names of all files in a folder."""
    return sorted(each.name for each in folder.iterdir())


def rewritten(path: Path, change: Any) -> None:
    """Write a trace again with each row changed."""
    with TraceReader.open(path) as reader:
        header, rows = reader.header, rows_of(list(reader.rows()))
    with path.open("wb") as file:
        writer = TraceWriter.begin(file, header)
        for at in range(0, len(rows), 500):
            writer.write([change(row) for row in rows[at : at + 500]])
        writer.end("asked")


def test_info_tells_what_is_in_a_trace(path: Path) -> None:
    """Length, rate, presses, plies; nothing is damaged."""
    told = run("info", path)
    assert told.exit_code == 0
    assert told.stdout.startswith("board board-1, event event, recorded by togyz-bridge ")
    assert f" {PLIES} plies" in told.stdout
    facts = json.loads(run("info", path, "--json").stdout)
    assert "the device declared 80 a second; converters keep their own time" in told.stdout
    assert facts["declared_hz"] == 80
    assert facts["moves"] == ["3:2", "9-8"]
    assert facts["damage"] == []
    assert facts["ending"] == {"why": "stopped"}
    assert 60 < facts["rate_hz"] < 100
    assert facts["bytes_per_hour"] < 10_000_000


def test_info_tells_of_faults_and_of_damage(tmp_path: Path) -> None:
    """Which channel, which status, where the bytes are hurt and how much is lost."""
    path = tmp_path / "small.trace"
    path.write_bytes(small_trace()[:-3])
    told = run("info", path).stdout
    assert "channel 1: no value in time 1" in told
    assert "torn off at byte 697: the last 40 bytes are no whole block" in told
    hurt = bytearray(small_trace())
    hurt[600] ^= 1
    path.write_bytes(bytes(hurt))
    assert "damaged at byte 580: 68 bytes, 1 block lost" in run("info", path).stdout


def test_a_replay_says_that_all_is_as_recorded(path: Path) -> None:
    """And how much that is."""
    told = run("replay", path)
    assert told.exit_code == 0
    assert "all as recorded, bit for bit" in told.stdout
    assert "decisions" in told.stdout


def test_a_replay_says_the_first_difference_with_both_versions(path: Path) -> None:
    """A program that decides otherwise ends with code 1."""

    def change(row: Row) -> Row:
        text = json.dumps(row) if isinstance(row, dict) else ""
        found: Row = json.loads(text.replace('"9-8"', '"9-7"')) if '"9-8"' in text else row
        return found

    rewritten(path, change)
    told = run("replay", path)
    assert told.exit_code == 1
    assert "1 input leads to something else than recorded, the first at 0:00:" in told.stderr
    then, now = told.stdout.split("now (")
    assert '"text":"9-7"' in then
    assert '"text":"9-8"' in now
    assert run("replay", path, "--to", "5s").exit_code == 0


def test_verdicts_are_a_table_of_what_was_seen_when(path: Path) -> None:
    """From laying out the stones to the last ply."""
    lines = run("replay", path, "--verdicts").stdout.splitlines()
    words = [line[15:] for line in lines]
    assert "=> nine stones lie in each pit" in words
    assert "=> Bastaushy played 3:2 (clock pressed)" in words
    assert "as it should be" in words
    some = run("replay", path, "--verdicts", "--from", "9s").stdout.splitlines()
    assert 1 < len(some) < len(lines)


def test_hands_are_told_stone_by_stone(path: Path) -> None:
    """Nothing of it stands in the file: it is seen anew in the samples, of every ply."""
    words = [line[15:] for line in run("replay", path, "--hands").stdout.splitlines()]
    assert next(line for line in words if " lifts " in line).startswith("Bastaushy lifts ")
    assert any(line.endswith("into: Qostaushy, pit 1") for line in words)
    assert "hands are empty" in words
    assert not any(line.startswith("=>") for line in words)


def test_nothing_behind_damage_is_compared_and_that_is_said(path: Path) -> None:
    """Code 1: not all of it could be taken again."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    told = run("replay", path)
    assert told.exit_code == 1
    assert "damaged at byte" in told.stderr
    assert "nothing behind the damage can be compared" in told.stderr


def test_a_torn_end_is_told_and_tolerated(path: Path) -> None:
    """As a power cut leaves it."""
    path.write_bytes(path.read_bytes()[:-100])
    told = run("replay", path)
    assert told.exit_code == 0
    assert "torn off at byte" in told.stderr


def test_two_traces_in_one_file_are_said_to_be_two(path: Path) -> None:
    """The first is told of and replayed as if it were alone."""
    alone = json.loads(run("info", path, "--json").stdout)
    size = path.stat().st_size
    path.write_bytes(path.read_bytes() * 2)
    told = run("info", path)
    assert told.exit_code == 0
    assert f"another trace begins at byte {size}" in told.stdout
    assert "damaged" not in told.stdout
    both = json.loads(run("info", path, "--json").stdout)
    assert [both[key] for key in ("moves", "samples", "ending")] == [
        alone[key] for key in ("moves", "samples", "ending")
    ]
    again = run("replay", path)
    assert (again.exit_code, f"another trace begins at byte {size}" in again.stderr) == (0, True)


@pytest.mark.parametrize(
    ("time", "why"),
    [
        ("25h", "--for 25h is no time up to a day: `90s`, `1m30s`, `24h`"),
        ("0s", "--for 0s: a trace needs longer than that"),
    ],
)
def test_a_trace_of_no_time_or_of_days_is_refused(tmp_path: Path, time: str, why: str) -> None:
    """In the words of the option, before a board is asked."""
    config = tmp_path / "board.toml"
    config.write_text(
        '[board]\nid = "b"\n[device]\nport = "t"\n[calibration]\nfile = "c"\n[broker]\nhost = "localhost"\n'
    )
    told = run("record", config, tmp_path / "x", "--for", time)
    assert (told.exit_code, why in told.stderr) == (2, True)


@pytest.mark.parametrize("verb", ["info", "replay", "cut", "plot"])
def test_what_is_no_trace_is_refused(tmp_path: Path, verb: str) -> None:
    """By name."""
    if verb == "plot":
        pytest.importorskip("matplotlib")
    path = tmp_path / "x.trace"
    path.write_text("1. 3:2 9-8")
    more = () if verb in ("info", "replay") else (tmp_path / "out.png",)
    told = run(verb, path, *more)
    assert (told.exit_code, "this is no trace of a board" in told.stderr) == (2, True)


def test_without_matplotlib_a_plot_says_how_to_get_it(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All other verbs work without."""
    monkeypatch.delitem(sys.modules, "firmware_bridge.commands.trace.drawing", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    told = run("plot", path, tmp_path / "out.png")
    assert told.exit_code == 2
    assert 'pip install ".[plots]" in the checkout' in told.stderr


def test_a_plot_is_a_png_of_the_places_asked_for(path: Path, tmp_path: Path) -> None:
    """Drawn to the end, in the language of whoever asks."""
    pytest.importorskip("matplotlib")
    out = tmp_path / "out.png"
    told = run("plot", path, out, "--places", "3,12,kazan1", "--from", "8s")
    assert told.exit_code == 0, told.stderr
    assert out.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_a_place_that_is_none_is_refused(path: Path, tmp_path: Path) -> None:
    """A board has eighteen pits and two kazans."""
    told = run("plot", path, tmp_path / "out.png", "--places", "19")
    assert (told.exit_code, "19 is no place" in told.stderr) == (2, True)


@pytest.mark.parametrize("name", ["x.jpg", "x", "x.png.svg"])
def test_a_picture_that_would_be_no_png_is_refused(path: Path, tmp_path: Path, name: str) -> None:
    """Its bytes are a PNG whatever it is called."""
    told = run("plot", path, tmp_path / name)
    assert told.exit_code == 2
    assert "only a PNG can be written" in told.stderr
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("words", [("replay", "--verdicts"), ("info",), ("info", "--json")])
def test_a_reader_that_goes_away_ends_a_verb_in_silence(path: Path, words: tuple[str, ...]) -> None:
    """As `head` does."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as out:
        told = subprocess.run(
            [sys.executable, "-m", "firmware_bridge", "trace", words[0], str(path), *words[1:]],
            check=False,
            stdout=out,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
    assert (told.returncode != 0, told.stderr) == (True, b"")


@pytest.mark.parametrize("verb", ["record", "info", "replay", "cut", "plot"])
def test_the_options_are_sentences_and_show_no_raw_marks(verb: str) -> None:
    """Each begins with a capital, ends with a full stop and is about this verb."""
    told = run(verb, "--help").stdout
    assert "`" not in told
    assert "With status" not in told
    shown = [line.split("  ")[-1].rstrip(" │") for line in told.splitlines() if "--" in line and "│" in line]
    assert [text for text in shown if text.strip() and text.strip()[-1] not in ".]"] == []
