"""`togyz demo` as a newcomer types it: it plays, sums up, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from firmware_bridge.emulator.records import bundled_record
from rules.notation.moves import format_short

ROOT = Path(__file__).parents[2]
DEMO = [sys.executable, "-m", "firmware_bridge", "demo"]


def _environment(home: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(home), "PYTHONUNBUFFERED": "1"}


def _left_behind(home: Path) -> list[str]:
    """Return the command lines of processes that still work in `home`."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(home) in command:
            found.append(command)
    return found


def test_once_and_fast_ends_by_itself_with_the_summary(tmp_path: Path) -> None:
    """The 2009 game, thirty moves of both, arrives whole; exit code 0; no process, no file is left."""
    done = subprocess.run(
        [*DEMO, "--once", "--fast"],
        env=_environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "moves played 60, moves read 60, differences 0"
    told = re.findall(r"^ *\d+\. (?:bastaushy|qostaushy) +(\S+)", done.stdout, re.MULTILINE)
    assert told == [format_short(sowing) for sowing in bundled_record("2009").sowings]
    assert _left_behind(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGINT,
        signal.SIGKILL,
        # They are heard as Ctrl-C is (`test_demo_sums`); what follows from it is the same.
        *(
            pytest.param(number, marks=pytest.mark.bench)
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
        ),
    ],
)
def test_stopped_in_whatever_way_it_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C, a service manager's stop, a closed terminal, SIGQUIT, and kill -9 of the demo itself.

    Nor a file, unless it was killed. Before that the board's page, the table's and the console are there.
    """
    # These tests may themselves run under nohup, which the demo would rightly inherit.
    former = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        _stop_a_demo(tmp_path, number)
    finally:
        signal.signal(signal.SIGHUP, former)


def _stop_a_demo(tmp_path: Path, number: signal.Signals) -> None:
    with subprocess.Popen(
        DEMO, env=_environment(tmp_path), stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as demo:
        assert demo.stdout is not None
        pages: list[str] = []
        for line in demo.stdout:
            pages += re.findall(r"http://[^\s,]+", line)
            if len(pages) == 3:
                break
        assert [re.sub(r"^http://[\d.]+:\d+", "", page) for page in pages] == [
            "/board/board-1",
            "",
            "/console",
        ]
        for page in pages:
            with urllib.request.urlopen(page, timeout=20) as answer:  # noqa: S310 - the demo's own page
                assert answer.status == 200
        assert len(_left_behind(tmp_path)) >= 5
        demo.send_signal(number)
        assert demo.wait(30) == (-9 if number is signal.SIGKILL else 130)
    deadline = time.monotonic() + 20
    while (left := _left_behind(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []
    assert number is signal.SIGKILL or list(tmp_path.iterdir()) == []


def test_output_that_cannot_be_written_ends_it_without_a_traceback(tmp_path: Path) -> None:
    """On a full disk: the reason, exit code 1, nothing left behind."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            DEMO,
            env=_environment(tmp_path),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "togyz: standard output cannot be written: No space left on device\n"
    assert _left_behind(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_a_record_that_cannot_be_played_is_told_before_anything_starts(tmp_path: Path) -> None:
    """With file, line and word."""
    record = tmp_path / "bad.txt"
    record.write_text("1. 76 98 2. 11 99\n", encoding="utf-8")
    done = subprocess.run(
        [*DEMO, "--record", str(record)],
        env=_environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "bad.txt, line 1, column 16, '99'" in done.stderr
    assert "Traceback" not in done.stderr
