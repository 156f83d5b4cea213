"""The table of requirements names tests that are there and defaults that hold, and leaves nothing out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.house import requirements
from tests.house.committed import ROOT
from tests.house.requirements import (
    COLUMNS,
    TABLE,
    Row,
    complaints,
    conduct_options,
    fault_of,
    read_by_programs,
    read_rows,
)

STILL_MISSING: frozenset[str] = frozenset()
"""The rows that are not met yet: none. Never put one in."""

ROWS = read_rows((ROOT / TABLE).read_text(encoding="utf-8"))
HERE = "house/test_requirements.py::test_the_table_is_in_order"


def changed(name: str, other: dict[str, Any]) -> list[str]:
    """Return the complaints about the table with one row changed."""
    assert sum(row.name == name for row in ROWS) == 1
    rows = [replace(row, **other) if row.name == name else row for row in ROWS]
    return list(complaints(rows, ROOT))


def test_the_table_is_in_order() -> None:
    """Every requirement, each test there and asserting something, each default that of the code."""
    assert list(complaints(ROWS, ROOT)) == []


def test_nothing_more_is_missing_than_was() -> None:
    """A row that is met now goes out of the constant, and no other comes in unseen."""
    assert {row.name for row in ROWS if row.how == "missing"} == STILL_MISSING


@pytest.mark.parametrize(
    ("name", "other", "told"),
    [
        ("17", {"name": "17a"}, "17: its parts are 'a', not a, b and so on"),
        ("17", {"name": "51"}, "numbers missing, unknown or out of order: 17, 51"),
        ("17", {"name": "18"}, "18 is there more than once"),
        ("17", {"how": "met"}, "17: 'met' is none of enforced, recorded, printed, not observable, missing"),
        ("17", {"what": ""}, "17: nothing is asked"),
        ("17", {"articles": ()}, "17: these are no articles: none"),
        ("17", {"articles": ("1.5", "somewhere")}, "17: these are no articles: 1.5, somewhere"),
        ("17", {"tests": ()}, "17: enforced, and no test says so"),
        ("7b", {"tests": ()}, "7b: printed, and no test says so"),
        ("18", {"tests": ()}, "18: recorded, and no test says so"),
        ("10c", {"tests": (HERE,)}, "10c: not observable, and yet there are tests"),
        ("10c", {"remark": ""}, "10c: not observable, and no remark says why"),
        ("23a", {"how": "missing", "remark": ""}, "23a: missing, and no remark says why"),
        ("17", {"tests": (HERE, HERE)}, "17: a test is named twice"),
        (
            "17",
            {"tests": ("house/test_not_there.py::test_x",)},
            "17: house/test_not_there.py::test_x: no such file",
        ),
        (
            "10a",
            {"options": ("conduct.touch_move = false",)},
            "10a: `conduct.touch_move = false`: the code has True",
        ),
        ("10a", {"options": ("conduct.touch_move = 1",)}, "10a: `conduct.touch_move = 1`: the code has True"),
        (
            "10a",
            {"options": ("conduct.touch_move unset",)},
            "10a: `conduct.touch_move unset`: the code has True",
        ),
        ("10a", {"options": ("conduct.touch",)}, "10a: `conduct.touch`: there is no such option"),
        ("10a", {"options": ()}, "conduct.touch_move stands in no row"),
        ("94c", {"options": ()}, "conduct.sowing.window stands in no row"),
        (
            "33b",
            {"options": ("conduct.penalty_takes_ms = 0",)},
            "33b: `conduct.penalty_takes_ms = 0`: the code has None",
        ),
        ("21", {"options": ("game.minutes = 61",)}, "21: `game.minutes = 61`: the code has 60"),
        ("21", {"options": ("game.hours = 1",)}, "21: `game.hours = 1`: there is no such option"),
    ],
)
def test_what_is_wrong_with_a_row_is_told(name: str, other: dict[str, Any], told: str) -> None:
    """By its name."""
    assert told in changed(name, other)


def test_an_option_that_no_program_reads_enforces_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule and its own tests may be there all the same."""
    assert ("conduct", "touch_move") in read_by_programs(ROOT)
    monkeypatch.setattr(requirements, "read_by_programs", lambda _root: frozenset())
    row = next(row for row in ROWS if row.name == "10a")
    told = [each for each in complaints([row], ROOT) if each.startswith("10a: ")]
    assert told == [
        "10a: `conduct.touch_move` is read by no program, nor by a module of rules/conduct that one imports"
    ]


@pytest.mark.parametrize(
    ("source", "name", "fault"),
    [
        ("def test_a(): assert one()", "test_a", ""),
        ("def test_a():\n  with pytest.raises(ValueError): one()", "test_a", ""),
        ("class TestB:\n  async def test_a(self): assert one()", "TestB::test_a", ""),
        ("class TestB:\n  def test_a(self): assert one()", "test_a", "no test_a there"),
        ("class TestB:\n  def test_a(self): assert one()", "TestB", "that is no test"),
        ("def helper(): assert one()", "helper", "that is no test"),
        ("def test_a(): one()", "test_a", "it asserts nothing"),
        ("def one(): assert two()\ndef test_a(): one()", "test_a", ""),
        ("def one(): two()\ndef test_a(): one()", "test_a", "it asserts nothing"),
        ("def test_a():\n  table.bench.run()\n  assert one()", "test_a", ""),
        ("def test_a(): assert True", "test_a", "it asserts nothing"),
        ("@pytest.mark.skip\ndef test_a(): assert one()", "test_a", "set aside"),
        ("@pytest.mark.skipif(sys.platform, reason='')\ndef test_a(): assert one()", "test_a", "set aside"),
        ("@pytest.mark.xfail\nclass TestB:\n  def test_a(self): assert one()", "TestB::test_a", "set aside"),
        ("pytestmark = [pytest.mark.bench]\ndef test_a(): assert one()", "test_a", "set aside"),
        ("def test_a():\n  pytest.skip('never')\n  assert one()", "test_a", "set aside"),
    ],
)
def test_a_sham_test_is_found(source: str, name: str, fault: str, tmp_path: Path) -> None:
    """One that is not there, is not run, or asserts nothing."""
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_probe.py").write_text(source, encoding="utf-8")
    said = "it is skipped, may fail or is never run by `make test`" if fault == "set aside" else fault
    assert fault_of(f"test_probe.py::{name}", tmp_path) == said


def test_a_row_is_read_as_it_is_written() -> None:
    """Codes apart, a dash as nothing, and what is no code is left to be complained of."""
    head = f"| {' | '.join(COLUMNS)} |\n|{' --- |' * len(COLUMNS)}\n"
    row = "| 10a | To play | 1.3.4, 2.4 | enforced | `a.py::b`<br>`c.py::d` | `x = 1`, y | — |\n"
    other = "\n| Word | Meaning |\n| --- | --- |\n| 1 | 2 |\n"
    assert read_rows(other + head + row + other) == [
        Row(7, "10a", "To play", ("1.3.4", "2.4"), "enforced", ("a.py::b", "c.py::d"), ("`x = 1`, y",), "")
    ]
    with pytest.raises(ValueError, match="line 3: 2 cells, not 7"):
        read_rows(head + "| 1 | 2 |\n")


def test_every_option_of_conduct_is_asked_for() -> None:
    """Those of the policy of illegal sowing by their own names."""
    keys = conduct_options()
    assert {"conduct.touch_move", "conduct.sowing.first_warns"} <= set(keys)
    assert "conduct.sowing" not in keys
