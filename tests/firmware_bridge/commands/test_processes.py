"""A crew of processes: watched, started again, and ended whatever they do."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from firmware_bridge.commands import processes
from firmware_bridge.commands.processes import Crew, CrewError, Member

LIMIT_S = 60.0
"""No wait in this file takes longer; a slow machine needs a fraction of it."""

STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("up", flush=True)
time.sleep(600)
"""
POLITE = 'import time; print("up", flush=True); time.sleep(600)'


def join(crew: Crew, program: str, *, again: bool = False) -> Member:
    """Let a program of one text join the crew."""
    member = crew._launch("program", [sys.executable, "-S", "-c", program], again=again)
    crew._members.append(member)
    return member


def up(crew: Crew, program: str, *, again: bool = False) -> Member:
    """Let it join, and wait until it is up."""
    member = join(crew, program, again=again)
    member.wait_for("up", LIMIT_S)
    return member


def test_a_member_that_does_not_obey_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After its grace, so that no demo leaves anything behind."""
    monkeypatch.setattr(processes, "GRACE_S", 0.05)
    with Crew(tmp_path) as crew:
        member = up(crew, STUBBORN)
    assert member.process.returncode == -signal.SIGKILL


def test_why_a_member_ended_stands_without_its_log(tmp_path: Path) -> None:
    """Whoever started a demo reads the reason, not what was logged before; a crash is shown as it is."""
    script = "import sys; sys.exit('INFO broker: on 1883\\ntogyz: the port is taken\\nchoose another')"
    with Crew(tmp_path) as crew:
        member = join(crew, script)
        with pytest.raises(CrewError) as caught:
            member.wait_for("up", LIMIT_S)
    assert str(caught.value) == "program ended with code 1: the port is taken\nchoose another"
    with Crew(tmp_path / "other") as crew:
        (tmp_path / "other").mkdir()
        member = join(crew, "import sys; sys.exit('Traceback: oh')")
        with pytest.raises(CrewError, match=r"with code 1: Traceback: oh$"):
            member.wait_for("up", LIMIT_S)


def test_a_crew_that_is_left_ends_its_members_politely(tmp_path: Path) -> None:
    """Also when the reason was an error."""
    members: list[Member] = []

    def work() -> None:
        with Crew(tmp_path) as crew:
            members.extend(up(crew, POLITE) for _ in range(2))
            raise CrewError("enough")

    with pytest.raises(CrewError, match="enough"):
        work()
    assert [member.process.returncode for member in members] == [-signal.SIGTERM] * 2


def test_a_member_that_was_killed_is_started_again(tmp_path: Path) -> None:
    """As a service manager does; it is told once, and the new one is a member like the old one."""
    with Crew(tmp_path) as crew:
        first = up(crew, POLITE, again=True)
        assert crew.check() == []
        for _ in range(2):
            killed = crew._members[0]
            killed.process.kill()
            killed.process.wait(LIMIT_S)
            assert crew.check() == ["program was killed by signal 9 and started again"]
            crew._members[0].wait_for("up", LIMIT_S)
            assert crew.check() == []
        last = crew._members[0]
        assert len({first.process.pid, killed.process.pid, last.process.pid}) == 3
        assert len(crew._members) == 1
    assert last.process.returncode == -signal.SIGTERM


@pytest.mark.parametrize(
    ("program", "again", "code"),
    [
        ('import sys; sys.exit("worn out")', True, 1),
        ("pass", True, 0),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", False, -9),
    ],
)
def test_a_member_that_ended_by_itself_is_told_with_its_last_words(
    tmp_path: Path, program: str, code: int, *, again: bool
) -> None:
    """It would end again; and one that nobody asked to start again stays down."""
    with Crew(tmp_path) as crew:
        join(crew, program, again=again).process.wait(LIMIT_S)
        words = "worn out" if code == 1 else "it said nothing"
        with pytest.raises(CrewError, match=f"^program ended with code {code}: {words}$"):
            crew.check()
