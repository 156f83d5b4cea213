"""Pieces of a trace, and stretches in which nothing is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.board.tracing.cutting import CutFacts
from firmware_bridge.commands.trace import cut
from firmware_bridge.trace.reader import TraceReader
from firmware_bridge.trace.rows import Row
from tests.firmware_bridge.board.played import traced_game
from tests.firmware_bridge.commands.trace.test_verbs import left, rewritten, run
from tests.firmware_bridge.trace.small import rows_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the trace of a game."""
    found = tmp_path / "game.trace"
    found.write_bytes(traced_game())
    return found


def test_a_piece_is_cut_and_replays(path: Path, tmp_path: Path) -> None:
    """And is not written over anything."""
    piece = tmp_path / "piece.trace"
    told = run("cut", path, piece, "--from", "5s", "--to", "14s")
    assert told.exit_code == 0
    assert "0:00:05." in told.stdout
    assert run("replay", piece).exit_code == 0
    assert "a piece of another trace" in run("info", piece).stdout
    again = run("cut", path, piece, "--from", "5s")
    assert (again.exit_code, "there is a file already" in again.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--from", "soon"), "--from soon is no time"),
        (("--to", "-5"), "is no time"),
        (("--from", "9s", "--to", "3s"), "--from 9s is not before --to 3s"),
        (("--from", "9h"), "long; --from 9h lies behind its end"),
        (("--to", "0s"), "the trace has nothing there"),
        (("--from", "0s", "--to", "1ms"), "the trace has nothing there"),
        (("--from", "25h"), "--from 25h is no time up to a day"),
    ],
)
def test_a_stretch_that_is_none_is_refused(
    path: Path, tmp_path: Path, words: tuple[str, ...], why: str
) -> None:
    """Nothing is left behind."""
    told = run("cut", path, tmp_path / "piece.trace", *words)
    assert told.exit_code == 2
    assert why in told.stderr
    assert left(tmp_path) == ["game.trace"]


def test_a_piece_that_is_refused_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    """A row far inside that no board writes: the same name can be tried again."""

    def change(row: Row) -> Row:
        return {**row, "at_us": "x"} if isinstance(row, dict) and row["row"] == "press" else row

    whole = path.read_bytes()
    rewritten(path, change)
    told = run("cut", path, tmp_path / "piece.trace")
    assert (told.exit_code, "`at_us` cannot be 'x'" in told.stderr) == (2, True)
    assert left(tmp_path) == ["game.trace"]
    path.write_bytes(whole)
    assert run("cut", path, tmp_path / "piece.trace").exit_code == 0
    assert left(tmp_path) == ["game.trace", "piece.trace"]


def test_a_piece_on_a_full_disk_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    """No file of this process may be longer than 20 blocks."""
    command = (sys.executable, "-m", "firmware_bridge", "--language", "en", "trace", "cut", path)
    words = ("sh", "-c", 'ulimit -f 20; exec "$@"', "sh", *map(str, command), str(tmp_path / "piece.trace"))
    told = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert (told.returncode, "piece.trace: cannot be written: File too large" in told.stderr) == (1, True)
    assert left(tmp_path) == ["game.trace"]


STOPPED = """
import os, signal
from firmware_bridge.__main__ import main
from firmware_bridge.commands.trace import cut

# what runs the tests may have been told to outlive its terminal, and its children inherit that
signal.signal(int(os.environ["NUMBER"]), signal.SIG_DFL)

def rows(reader):
    for at, row in enumerate(reader.rows()):
        if at == 900:
            os.kill(os.getpid(), int(os.environ["NUMBER"]))
        yield row

cut.watched = rows
main()
"""
"""A cut that a signal reaches in the middle, which no clock outside could time."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_piece_that_a_signal_stops_leaves_nothing_behind(
    path: Path, tmp_path: Path, number: signal.Signals
) -> None:
    """And that is said."""
    words = (
        sys.executable,
        "-c",
        STOPPED,
        "--language",
        "en",
        "trace",
        "cut",
        path,
        tmp_path / "piece.trace",
    )
    told = subprocess.run(
        [*map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "NUMBER": str(int(number))},
    )
    assert told.returncode == 130
    assert "stopped before the piece was complete: nothing was written" in told.stderr
    assert left(tmp_path) == ["game.trace"]


@pytest.mark.parametrize("first", ["0s", "1ms"])
def test_a_piece_from_before_the_first_sample_is_the_whole(path: Path, tmp_path: Path, first: str) -> None:
    """Byte for byte the same as without `--from`, and no earlier cut is advised, for there is none."""
    pieces = [tmp_path / "all.trace", tmp_path / "piece.trace"]
    told = [run("cut", path, pieces[0]), run("cut", path, pieces[1], "--from", first)]
    assert pieces[0].read_bytes() == pieces[1].read_bytes()
    for each in told:
        assert "0:00:00.000 to " in each.stdout
        assert "every decision is the one of the whole" in each.stdout
    rows = []
    for each_path in (path, pieces[1]):
        with TraceReader.open(each_path) as reader:
            rows.append(rows_of(list(reader.rows())))
    assert rows[0] == rows[1]


def test_a_piece_that_begins_with_its_trace_is_not_to_be_cut_earlier(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it sees otherwise, this program does."""
    facts = CutFacts(from_us=0, to_us=90_000_000, samples=5600, differs=1, last_us=42_330_000, whole=True)
    monkeypatch.setattr(cut, "cut_to", lambda *_: facts)
    told = run("cut", path, tmp_path / "piece.trace").stdout
    assert "this program decides 1 thing otherwise than the one that recorded it" in told
    assert "Cut earlier" not in told


def hurt_in_the_middle(path: Path) -> None:
    """Overwrite twenty bytes of a trace of short blocks."""
    rewritten(path, lambda row: row)
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 20] = b"\x55" * 20
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("verb", ["cut", "plot", "replay"])
def test_what_lies_behind_damage_is_said_to_lie_there(path: Path, tmp_path: Path, verb: str) -> None:
    """Not that the trace has nothing there, nor that all was as recorded; and it says what can be had."""
    if verb == "plot":
        pytest.importorskip("matplotlib")
    hurt_in_the_middle(path)
    more = () if verb == "replay" else (tmp_path / "out.png",)
    told = run(verb, path, *more, "--from", "24s")
    assert (told.exit_code, told.stdout) == (2, "")
    damaged, why = told.stderr.splitlines()
    assert "damaged at byte" in damaged
    assert why.startswith("togyz: from 0:00:")
    assert "on the trace cannot be cut, replayed or drawn: it is damaged there" in why
    assert left(tmp_path) == ["game.trace"]


def test_a_piece_that_damage_ends_early_says_so(path: Path, tmp_path: Path) -> None:
    """It is asked for to the end, and ends before it."""
    hurt_in_the_middle(path)
    told = run("cut", path, tmp_path / "piece.trace")
    assert told.exit_code == 0
    done, early, _ = told.stdout.splitlines()
    ends = done.split(" to ")[1].split(",")[0]
    assert (
        early
        == f"The piece ends at {ends}: the trace is damaged there, and nothing behind it can be replayed."
    )


@pytest.mark.parametrize("verb", ["plot", "replay"])
def test_a_stretch_behind_the_end_is_no_stretch(path: Path, tmp_path: Path, verb: str) -> None:
    """Of which nobody says that all of it was as recorded."""
    if verb == "plot":
        pytest.importorskip("matplotlib")
    more = () if verb == "replay" else (tmp_path / "out.png",)
    told = run(verb, path, *more, "--from", "9h")
    assert (told.exit_code, told.stdout) == (2, "")
    assert "long; --from 9h lies behind its end" in told.stderr


def test_a_piece_in_a_folder_that_is_missing_is_refused(path: Path, tmp_path: Path) -> None:
    """No folder is made; a name with a line break is told on one line."""
    told = run("cut", path, tmp_path / "new" / "a\nb")
    assert told.exit_code == 1
    assert told.stderr.endswith("/new/a b: cannot be written: No such file or directory\n")
    assert left(tmp_path) == ["game.trace"]


def test_a_piece_says_since_when_and_until_when_it_saw_otherwise(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is looked for may lie in that time: then it has to be cut earlier."""
    facts = CutFacts(from_us=20_000_000, to_us=90_000_000, samples=5600, differs=8, last_us=42_330_000)
    monkeypatch.setattr(cut, "cut_to", lambda *_: facts)
    monkeypatch.setattr(cut, "said", lambda at_us, _header: f"{at_us // 1000} ms")
    told = run("cut", path, tmp_path / "piece.trace").stdout
    assert "set up anew at 20000 ms; until 42330 ms it saw 8 things differently from the whole" in told
    assert "Cut earlier" in told


def test_how_long_a_trace_is_stands_where_nothing_is_left_to_cut(path: Path, tmp_path: Path) -> None:
    """As `info` tells its length."""
    length = run("info", path).stdout.splitlines()[1].split(",")[0]
    told = run("cut", path, tmp_path / "piece.trace", "--from", "3m")
    assert f"the trace is {length} long; --from 3m lies behind its end" in told.stderr
