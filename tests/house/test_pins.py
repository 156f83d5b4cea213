"""The pins of deploy/requirements are plain, complete and in accord with pyproject.toml."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.committed import ROOT
from tests.house.pins import PLAIN, complaints, read_pins

PYPROJECT = """
[build-system]
requires = ["setuptools>=77"]
[project]
dependencies = ["rich>=13.7"]
[project.optional-dependencies]
pi = ["gpiozero>=2.0.1; sys_platform == 'linux'"]
"""


def house(folder: Path, **files: str) -> Path:
    """Build a checkout of nothing but pyproject.toml and requirement files, and return its root."""
    (folder / "pyproject.toml").write_text(PYPROJECT)
    pins = folder / "deploy" / "requirements"
    pins.mkdir(parents=True)
    for name, text in files.items():
        (pins / f"{name}.txt").write_text(text)
    return folder


def test_the_pins_of_this_house_are_in_order() -> None:
    """Every line is plain, within pyproject.toml's ranges, and every package has one version."""
    assert list(complaints(ROOT)) == []


@pytest.mark.parametrize("file", ["runtime.txt", "test.txt"])
def test_nothing_is_installed_by_chance(file: str) -> None:
    """Whatever an installed pinned package needs on this machine is pinned too."""
    pinned = {pin.name for pin in read_pins(ROOT, file)}
    unpinned = {
        f"{name} needs {requirement.name}"
        for name in pinned
        for requirement in needs(name)
        if canonicalize_name(requirement.name) not in pinned
    }
    assert unpinned == set()


def needs(name: str) -> list[Requirement]:
    """Return what an installed package needs here, without extras; nothing if it is not installed here."""
    try:
        lines = importlib.metadata.distribution(name).requires or []
    except importlib.metadata.PackageNotFoundError:
        return []
    found = [Requirement(line) for line in lines]
    return [need for need in found if need.marker is None or need.marker.evaluate({"extra": ""})]


@pytest.mark.parametrize(
    "line",
    ["rich>=15", "rich", "rich ==15.0", "https://x.example/rich.whl", "--index-url x", "rich==15; # x"],
)
def test_a_line_that_is_no_plain_pin_is_refused(line: str, tmp_path: Path) -> None:
    """Only name==version with or without a marker may stand in a requirement file."""
    assert PLAIN.fullmatch(line) is None
    root = house(tmp_path, runtime=f"# a comment\n\n{line}\n")
    assert list(complaints(root)) == [
        f"deploy/requirements/runtime.txt:3: {line!r} is not name==version or name==version; marker"
    ]


def test_a_pin_outside_the_range_is_refused(tmp_path: Path) -> None:
    """pyproject.toml says what may be, the pin says what is."""
    root = house(tmp_path, runtime="rich==13.6\nsetuptools==84.2.1\n")
    assert list(complaints(root)) == [
        "deploy/requirements/runtime.txt:1: rich 13.6 is outside pyproject.toml's >=13.7"
    ]


def test_a_dependency_without_a_pin_is_refused(tmp_path: Path) -> None:
    """Dependencies, the build's requirements and a file's extra must all be pinned."""
    root = house(tmp_path, runtime="rich==15.0.0\n", pi="rich==15.0.0\nsetuptools==84.2.1\n")
    assert list(complaints(root)) == [
        "deploy/requirements/pi.txt: gpiozero of pyproject.toml is not pinned",
        "deploy/requirements/runtime.txt: setuptools of pyproject.toml is not pinned",
    ]


def test_two_versions_of_one_package_are_refused(tmp_path: Path) -> None:
    """However it is spelt, a package has one version in all files."""
    root = house(
        tmp_path,
        runtime="rich==15.0.0\nsetuptools==84.2.1\npydantic_core==2.1\n",
        test="-r runtime.txt\nPydantic-Core==2.2\n",
    )
    assert list(complaints(root)) == [
        "deploy/requirements/test.txt:2: pydantic-core 2.2, but 2.1 in deploy/requirements/runtime.txt:3"
    ]
