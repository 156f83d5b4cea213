"""The source package installs like a checkout: everything that install.sh reads comes with it."""

from __future__ import annotations

import fnmatch
import importlib.metadata
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

from tests.house.committed import ROOT, committed_files

PACKAGES = frozenset({"rules", "sensors", "firmware_bridge"})
FOLDERS = frozenset({"deploy", "systemd"})


def committed_in(folders: frozenset[str]) -> list[Path]:
    """Return the committed files of these folders, relative to the root."""
    found = (path.relative_to(ROOT) for path in committed_files())
    return [path for path in found if path.parts[0] in folders]


def test_the_manifest_takes_what_stands_beside_the_packages() -> None:
    """All that install.sh reads, and what it copies."""
    words = [line.split() for line in (ROOT / "MANIFEST.in").read_text("utf-8").splitlines()]
    assert {line[1] for line in words if line[0] == "graft"} == FOLDERS


def test_no_file_of_a_package_is_left_out_of_a_wheel() -> None:
    """A page, a catalogue or a game without a pattern is missing only once it is installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = [*project["tool"]["setuptools"]["package-data"]["*"], "*.py"]
    left_out = [
        str(path)
        for path in committed_in(PACKAGES)
        if not any(fnmatch.fnmatchcase(path.name, pattern) for pattern in patterns)
    ]
    assert left_out == []


@pytest.mark.bench
def test_a_source_package_has_all_that_is_committed(tmp_path: Path) -> None:
    """Built as a packager builds it."""
    if int(importlib.metadata.version("setuptools").partition(".")[0]) < 77:
        pytest.skip("setuptools here is older than pyproject.toml asks for")
    house = tmp_path / "house"
    for path in committed_files():
        (house / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, house / path.relative_to(ROOT))
    script = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"
    built = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "made")],
        cwd=house,
        capture_output=True,
        check=False,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    (package,) = (tmp_path / "made").glob("*.tar.gz")
    with tarfile.open(package) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert sorted({path.as_posix() for path in committed_in(PACKAGES | FOLDERS)} - names) == []
