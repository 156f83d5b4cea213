"""The pure-file check finds what must not stand in a pure file, and this house's pure files are pure."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.house.committed import ROOT
from tests.house.pure_files import (
    FORBIDDEN_CALLS,
    FORBIDDEN_MODULES,
    PureFiles,
    check_pure_files,
    impurities,
    pure_files,
)

PLAIN = PureFiles("**/*.py")


def judge(source: str, root: Path, entry: PureFiles = PLAIN) -> list[str]:
    """Return the impurities of a text as if it stood in rules/probe.py under root."""
    return [str(found) for found in impurities(source, root / "rules" / "probe.py", root, entry)]


def test_this_house_is_pure() -> None:
    """No pure file of this checkout holds what the law forbids."""
    assert [str(found) for found in check_pure_files(ROOT)] == []


def test_the_table_reaches_the_rules() -> None:
    """Every file of the rulebook is pure and keeps to the standard library."""
    files = pure_files(ROOT)
    rulebook = list((ROOT / "rules").rglob("*.py"))
    assert rulebook
    assert all(files[path].only_standard_library for path in rulebook)


def test_the_doors_of_a_pure_room_are_not_pure(tmp_path: Path) -> None:
    """A new file of the sensors is pure by itself; what owns a port is not."""
    (tmp_path / "sensors").mkdir()
    for name in ("new.py", "serial_port.py"):
        (tmp_path / "sensors" / name).write_text("import time\n")
    assert [found.file for found in check_pure_files(tmp_path)] == ["sensors/new.py"]


def test_names_from_one_wrong_module_are_one_impurity(tmp_path: Path) -> None:
    """One line to mend is told once."""
    assert len(judge("from os import environ, path, sep\n", tmp_path)) == 1


@pytest.mark.parametrize("module", sorted(FORBIDDEN_MODULES))
def test_a_forbidden_import_is_found_in_every_form(module: str, tmp_path: Path) -> None:
    """Plain, dotted, renamed, from-imports and imports inside a function are all seen, with file and line."""
    for statement in (f"import {module}", f"import {module}.x as y", f"from {module} import z"):
        expected = f"rules/probe.py:2: a pure file imports {module}: {FORBIDDEN_MODULES[module]}"
        assert judge(f"def f():\n    {statement}\n", tmp_path) == [expected]


@pytest.mark.parametrize("call", sorted(FORBIDDEN_CALLS))
def test_a_forbidden_call_is_found(call: str, tmp_path: Path) -> None:
    """Built-in doors to files, the screen and the interpreter are seen without an import."""
    assert judge(f"x = 1\n{call}('x')\n", tmp_path) == [
        f"rules/probe.py:2: a pure file calls {call}(): {FORBIDDEN_CALLS[call]}"
    ]


@pytest.mark.parametrize("call", ["datetime.now()", "datetime.datetime.utcnow()", "date.today()"])
def test_asking_for_the_time_is_found(call: str, tmp_path: Path) -> None:
    """A datetime may be used as a value, but not be asked what time it is."""
    found = judge(f"import datetime\nstart = datetime.date(2009, 1, 1)\n{call}\n", tmp_path)
    assert len(found) == 1
    assert found[0].startswith("rules/probe.py:3: a pure file calls ")


def test_a_seeded_generator_is_allowed_where_the_table_says_so(tmp_path: Path) -> None:
    """random.Random passes, the generator of the process does not."""
    entry = PureFiles("*", allowed={"random": "seeded"})
    source = "import random\nfrom random import Random\ndice = random.Random(7)\ndice.random()\n"
    assert judge(source, tmp_path, entry) == []
    found = judge("import random\nrandom.choice('ab')\n", tmp_path, entry)
    assert len(found) == 1
    assert found[0].startswith("rules/probe.py:2: random.choice() draws from the hidden generator")
    assert len(judge("from random import choice\n", tmp_path, entry)) == 1


def test_a_pure_file_leans_on_pure_files_only(tmp_path: Path) -> None:
    """Importing an impure file of ours is found, however the import is written; a pure one is fine."""
    for name in ("rules/position.py", "sensors/serial_port.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert judge("from rules.position import Side\nimport rules.position\n", tmp_path) == []
    for statement in (
        "from sensors.serial_port import SerialPort",
        "from sensors import serial_port",
        "import sensors.serial_port",
    ):
        found = judge(statement, tmp_path)
        assert len(found) == 1
        assert "a pure file imports sensors/serial_port.py, which is none" in found[0]


def test_the_rulebook_needs_no_other_packages(tmp_path: Path) -> None:
    """Where the table says so, an import from outside the standard library is found."""
    entry = PureFiles("*", only_standard_library=True)
    assert judge("from __future__ import annotations\nimport fractions\n", tmp_path, entry) == []
    assert judge("import numpy\n", tmp_path, entry) == [
        "rules/probe.py:1: numpy is not of the standard library: this room gets along without other packages"
    ]
    assert judge("import numpy\n", tmp_path) == []


def test_a_relative_import_is_found(tmp_path: Path) -> None:
    """A relative import would hide what it reaches for."""
    assert judge("from .clock import ClockState\n", tmp_path) == [
        "rules/probe.py:1: relative import .clock.ClockState: name the module in full"
    ]


def test_a_file_of_the_board_says_whether_it_is_pure() -> None:
    """The first words of its docstring and the table say the same; whole rooms need not repeat it."""
    pure = pure_files(ROOT)
    for path in (ROOT / "firmware_bridge" / "board").rglob("*.py"):
        if path.name != "__init__.py":
            said = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split("\n\n")[0]
            assert ("(pure)" in said) is (path in pure), path


def test_a_file_that_calls_itself_pure_stands_in_the_table() -> None:
    """What a docstring promises with `(pure)` is held."""
    claimed = {
        path
        for package in ("rules", "sensors", "firmware_bridge")
        for path in (ROOT / package).rglob("*.py")
        if "(pure)" in path.read_text(encoding="utf-8").partition("\n")[0]
    }
    assert claimed
    assert sorted(claimed - pure_files(ROOT).keys()) == []
