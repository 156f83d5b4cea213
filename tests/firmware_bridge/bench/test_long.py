"""The long proofs of counting: fifty games a pace, and offences, on processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware_bridge.bench.games import names, tournament_file
from firmware_bridge.bench.lanes import Task
from firmware_bridge.bench.made import MADE
from firmware_bridge.bench.summary import Row, rows, to_be_looked_at
from firmware_bridge.bench.tasks import game_tasks, offence_tasks
from firmware_bridge.bench.workers import perform_all
from tests.machine import find_shared_data

JOBS = 2
GAMES = 50


def where() -> str | None:
    """Return the file of tournament games: the one that is named, or the one beside the checkout."""
    path, beside = tournament_file(), find_shared_data()
    if path is None and beside is not None:
        path = beside / "tournament_games.jsonl"
    return None if path is None else str(path)


def played(tasks: Sequence[Task]) -> list[Row]:
    """Play the tasks; print what is to be looked at."""
    lines = list(perform_all(tasks, JOBS))
    for each in to_be_looked_at(lines):
        sys.stdout.write(f"{each}\n")
    return list(rows(lines).values())


@pytest.mark.bench
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("pace", ["classical", "rapid", "blitz"])
def test_fifty_nominal_games_are_counted_without_an_error_or_a_question(pace: str) -> None:
    """Real and made games in turn; at most one blitz ply in a hundred waits for the next."""
    path = where()
    known = names(GAMES, None if path is None else Path(path), MADE)
    tasks = game_tasks("games", known, [("nominal", pace, "lively")], [1], path)
    (row,) = played(tasks)
    assert (row.wrong, row.asks, row.never, row.not_ended) == (0, 0, 0, 0)
    assert row.together <= row.plies / 100


@pytest.mark.bench
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("lane", ["offences", "unwatched"])
def test_no_offence_is_taken_for_another_board(lane: str) -> None:
    """Two hundred plies for each profile, the kinds in turn: about eight of each.

    Every one is asked about; a harsh board may also stay silent. None is claimed as a legal ply, unless a
    legal one ends on the same board (`too`), which no weight can tell.
    """
    tasks = offence_tasks(lane, 200, ["nominal", "harsh"], ["classical", "rapid", "blitz"], where())
    lines = list(perform_all(tasks, JOBS))
    found = rows(lines)
    assert [row.wrong for row in found.values()] == [0] * 6
    for key, row in found.items():
        outcomes = {name for name in row.offended if not name.endswith((" too", "mended"))}
        assert outcomes <= ({"asked", "silent"} if key.profile == "harsh" else {"asked"}), (key, row.offended)


@pytest.mark.bench
@pytest.mark.parametrize("jobs", [1, 2])
def test_workers_give_what_one_process_gives(jobs: int) -> None:
    """Whatever the order in which they finish."""
    tasks = game_tasks("games", ["made:151", "made:298"], [("clean", "blitz", "plain")], [1], None)
    lines = sorted(perform_all(tasks, jobs), key=lambda line: line["key"])
    assert [line["score"]["confirmed"] for line in lines] == [16, 16]


@pytest.mark.bench
def test_ctrl_c_keeps_what_is_done_and_a_second_run_goes_on(tmp_path: Path) -> None:
    """The whole group of processes is told, as a terminal does; nothing of it is left behind."""
    words = ["--games", "8", "--profile", "clean", "--pace", "blitz", "--jobs", "2", "--out", str(tmp_path)]
    command = [sys.executable, "-m", "firmware_bridge", "--language", "en", "bench", "counting", *words]
    results = tmp_path / "results.jsonl"
    run = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while not (results.exists() and results.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.1)
    os.killpg(run.pid, signal.SIGINT)
    said, _ = run.communicate(timeout=30)
    assert run.returncode == 0, said
    assert "Traceback" not in said
    assert "of 8 are done and kept" in said
    kept = results.read_text(encoding="utf-8").splitlines()
    assert 1 <= len(kept) < 8
    again = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert "done and kept" not in again.stderr
    lines = results.read_text(encoding="utf-8").splitlines()
    assert (lines[: len(kept)], len(lines)) == (kept, 8)
