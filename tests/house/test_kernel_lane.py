"""The kernel lane is skipped by name where it cannot run, and says how its machine ended."""

from __future__ import annotations

import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.kernel import lane


@pytest.fixture
def complete(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine that has everything; return the folder of kernel sources."""
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(lane, "HEADER", tmp_path)
    monkeypatch.setattr(lane, "_can_import", lambda _module: True)
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(lane, "SOURCES", tmp_path)
    monkeypatch.delenv("TOGYZ_LANES", raising=False)
    (tmp_path / "linux-source-6.1.tar.xz").write_bytes(b"source")
    return tmp_path


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ("qemu-system-x86_64", "missing here: apt-get install qemu-system-x86"),
        ("flex", "missing here: apt-get install flex"),
        ("source", "no kernel source (apt-get install linux-source-6.1)"),
        ("lgpio", "no lgpio in this environment (deploy/requirements/kernel.txt)"),
        ("x86_64", "the kernel is built for x86_64, and this machine is aarch64"),
    ],
)
def test_what_is_missing_is_named_and_the_lane_skipped_or_failed_where_it_is_required(
    complete: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    missing: str,
    told: str,
) -> None:
    """As any lane that needs a program of the machine."""
    monkeypatch.setattr(shutil, "which", lambda name: None if name == missing else f"/usr/bin/{name}")
    monkeypatch.setattr(lane, "_can_import", lambda module: module != missing)
    if missing == "source":
        (complete / "linux-source-6.1.tar.xz").unlink()
    if missing == "x86_64":
        monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    assert lane.main() == 0
    assert capsys.readouterr().err == f"kernel lane: skipped: {told}\n"
    monkeypatch.setenv("TOGYZ_LANES", "required")
    assert lane.main() == 1
    assert capsys.readouterr().err == f"kernel lane: required here: {told}\n"


@pytest.mark.usefixtures("complete")
def test_a_kernel_is_built_once_for_its_source_and_its_configuration(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is kept in the user's cache, and nothing but it is left there."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    built = []

    def build(folder: Path, tarball: Path, _fragment: bytes) -> Path:
        built.append(tarball.name)
        (folder / "bzImage").write_bytes(b"kernel")
        return folder / "bzImage"

    monkeypatch.setattr(lane, "_build", build)
    first = lane.image()
    assert lane.image() == first
    assert built == ["linux-source-6.1.tar.xz"]
    assert first.read_bytes() == b"kernel"
    assert list((tmp_path / "cache").rglob("*.bzImage")) == [first]
    assert [path.name for path in first.parent.iterdir()] == [first.name]
    (tmp_path / "linux-source-6.1.tar.xz").write_bytes(b"another source")
    assert lane.image() != first


@pytest.mark.parametrize(
    ("said", "ended", "told"),
    [
        ("9 passed\r\nLANE-ENDED-WITH 0\r\nreboot: Restarting\r\n", 0, ""),
        ("1 failed\r\nLANE-ENDED-WITH 1\r\n", 1, ""),
        ("Kernel panic - not syncing\r\n", 1, "the machine did not come to the end of its tests"),
    ],
)
def test_the_lane_ends_as_the_tests_in_its_machine_did(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], said: str, ended: int, told: str
) -> None:
    """A machine that says nothing of them has failed."""
    asked: list[list[str]] = []

    def run(command: list[str], **_how: object) -> subprocess.CompletedProcess[bytes]:
        asked.append(command)
        return subprocess.CompletedProcess(command, 0, said.encode())

    monkeypatch.setattr(subprocess, "run", run)
    assert lane.boot(Path("kernel")) == ended
    assert told in capsys.readouterr().err
    assert any("readonly=on" in word for word in asked[0])
