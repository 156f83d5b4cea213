"""The commands a person types, and CI: what fails is not passed over."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.house import check
from tests.house.check import Finding
from tests.house.committed import ROOT


def run_ci(folder: Path, make: str) -> tuple[int, list[str]]:
    """Run .ci/run with a fake make; return its exit code and the targets it asked for."""
    fake = folder / "make"
    fake.write_text(f'#!/usr/bin/env bash\necho "$*" >>{folder}/log\n{make}\n')
    fake.chmod(0o755)
    done = subprocess.run(
        ["bash", str(ROOT / ".ci" / "run")],
        check=False,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={"PATH": f"{folder}:{os.environ['PATH']}", "CI": "true"},
    )
    return done.returncode, (folder / "log").read_text().split()


def test_ci_runs_both_commands(tmp_path: Path) -> None:
    """Green is two green commands."""
    assert run_ci(tmp_path, "exit 0") == (0, ["test", "check"])


@pytest.mark.parametrize("failing", ["test", "check"])
def test_ci_fails_with_either_command_and_still_runs_both(failing: str, tmp_path: Path) -> None:
    """A failing first command does not hide what the second would find."""
    assert run_ci(tmp_path, f'[ "$1" != {failing} ]') == (1, ["test", "check"])


def test_ci_allows_no_skipped_lane(tmp_path: Path) -> None:
    """In CI a missing broker or browser is a failure."""
    assert run_ci(tmp_path, '[ "$TOGYZ_LANES" = required ]')[0] == 0


@pytest.mark.parametrize("target", ["test", "bench"])
def test_a_run_without_a_test_fails(target: str) -> None:
    """The exit code 5 of pytest is a failure, and the message says why."""
    done = make(target, "sh -c 'exit 5' pytest")
    assert done.returncode != 0
    assert f"{target}: pytest found no test to run" in done.stderr


def test_a_failing_test_needs_no_such_message() -> None:
    """What failed, pytest has already said."""
    done = make("test", "sh -c 'exit 1' pytest")
    assert done.returncode != 0
    assert "found no test" not in done.stderr


def make(target: str, python: str) -> subprocess.CompletedProcess[str]:
    """Run a target of the Makefile without its setup and with another program for Python."""
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", "--no-print-directory", target, "SETUP=true", f"VENV_PYTHON={python}"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        env=surroundings,
    )


def test_make_check_goes_on_after_a_failing_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each check has its line, what it found stands below it, and the verdict counts all."""
    findings = {
        "first": Finding(ok=False, text="a.py:1: wrong\na.py:2: wrong\n"),
        "second": Finding(ok=None, text="no such tool"),
        "third": Finding(ok=True),
    }
    checks = tuple((name, lambda name=name: findings[name]) for name in findings)
    monkeypatch.setattr(check, "CHECKS", checks)
    assert check.main() == 1
    assert capsys.readouterr().out.splitlines() == [
        "FAIL first",
        "     a.py:1: wrong",
        "     a.py:2: wrong",
        "skip second: no such tool",
        "ok   third",
        "check: 1 passed, 1 failed, 1 skipped",
    ]


def test_make_check_is_content_when_all_is_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A warning is told and spoils nothing."""
    monkeypatch.setattr(check, "CHECKS", (("only", lambda: check.complaints([], ["a.py: long"])),))
    assert check.main() == 0
    assert capsys.readouterr().out == "ok   only\n     (warning) a.py: long\ncheck: 1 passed, 0 failed\n"


def test_a_tool_that_fails_shows_its_words() -> None:
    """Output and errors of a failing program are kept, those of a content one are not."""
    assert check.tool("sh", "-c", "echo said; echo warned >&2; exit 3") == Finding(
        ok=False, text="said\nwarned\n"
    )
    assert check.tool("sh", "-c", "echo said") == Finding(ok=True)
