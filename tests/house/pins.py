"""The pins of deploy/requirements: plain, complete, in accord with pyproject.toml and with each other."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

FOLDER = Path("deploy/requirements")

# name==version, and a marker where a package exists for some machines only; never where it comes from.
PLAIN = re.compile(r"(?P<name>[A-Za-z0-9_.-]+)==(?P<version>[A-Za-z0-9_.!+-]+)(?:; (?P<marker>[^#]+))?")

# Which extra of pyproject.toml a file serves; every file serves the dependencies themselves.
EXTRAS: Mapping[str, str] = {"pi.txt": "pi", "pi5.txt": "pi5", "plots.txt": "plots"}


@dataclass(frozen=True, slots=True)
class Pin:
    """One pinned package.

    Attributes:
        file: The file's name in deploy/requirements.
        line: Line number, from 1.
        name: The package's name in its canonical spelling.
        version: The one version.
        marker: Where it is wanted; None means everywhere.
    """

    file: str
    line: int
    name: str
    version: Version
    marker: Marker | None

    @property
    def place(self) -> str:
        """Where the pin stands, as `file:line`."""
        return f"{FOLDER / self.file}:{self.line}"


def read_pins(root: Path, file: str) -> list[Pin]:
    """Return the pins of a file and of those it names with -r.

    Raises:
        ValueError: If a line is no pin, no comment and no `-r other.txt`; the message names it.
    """
    pins: list[Pin] = []
    for number, line in enumerate((root / FOLDER / file).read_text(encoding="utf-8").splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        if line.startswith("-r "):
            pins += read_pins(root, line.removeprefix("-r "))
            continue
        match = PLAIN.fullmatch(line)
        if match is None:
            message = f"{FOLDER / file}:{number}: {line!r} is not name==version or name==version; marker"
            raise ValueError(message)
        marker = Marker(match["marker"]) if match["marker"] else None
        pins.append(Pin(file, number, canonicalize_name(match["name"]), Version(match["version"]), marker))
    return pins


def files(root: Path) -> list[str]:
    """Return the names of the requirement files, sorted."""
    return sorted(path.name for path in (root / FOLDER).glob("*.txt"))


def complaints(root: Path) -> Iterator[str]:
    """Yield a line for each pin that is missing, not plain, or at odds with pyproject.toml or another pin."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    versions: dict[str, Pin] = {}
    for file in files(root):
        try:
            pins = read_pins(root, file)
        except ValueError as error:
            yield str(error)
            continue
        yield from _range_complaints(file, pins, project)
        for pin in pins:
            other = versions.setdefault(pin.name, pin)
            if other.version != pin.version:
                yield f"{pin.place}: {pin.name} {pin.version}, but {other.version} in {other.place}"


def wanted(project: Mapping[str, object], file: str) -> list[Requirement]:
    """Return what pyproject.toml asks of a file: dependencies, build requirements, its extra."""
    tables: list[object] = [_at(project, "project", "dependencies"), _at(project, "build-system", "requires")]
    if file in EXTRAS:
        tables.append(_at(project, "project", "optional-dependencies", EXTRAS[file]))
    return [Requirement(text) for table in tables if isinstance(table, list) for text in table]


def _range_complaints(file: str, pins: list[Pin], project: Mapping[str, object]) -> Iterator[str]:
    by_name = {pin.name: pin for pin in pins}
    for requirement in wanted(project, file):
        pin = by_name.get(canonicalize_name(requirement.name))
        if pin is None:
            yield f"{FOLDER / file}: {requirement.name} of pyproject.toml is not pinned"
        elif not requirement.specifier.contains(pin.version, prereleases=True):
            yield f"{pin.place}: {pin.name} {pin.version} is outside pyproject.toml's {requirement.specifier}"


def _at(tree: object, *keys: str) -> object:
    for key in keys:
        tree = tree[key] if isinstance(tree, dict) else None
    return tree
