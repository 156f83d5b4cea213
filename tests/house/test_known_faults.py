"""The table of known reports leaves none out, and names tests that are there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.house.committed import ROOT
from tests.house.known_faults import TABLE, complaints, read_faults

ROWS = read_faults((ROOT / TABLE).read_text(encoding="utf-8"))
IN_GUEST = "kernel/in_guest.py::test_every_header_is_found_among_others"
HERE = "house/test_known_faults.py::test_every_report_is_held_by_tests_that_run"


def test_every_report_is_held_by_tests_that_run() -> None:
    """Or there is a reason why it cannot concern us."""
    assert list(complaints(ROWS, ROOT)) == []


@pytest.mark.parametrize(
    ("name", "other", "told"),
    [
        ("8", {"reports": ("bogde/HX711#25",)}, "8: bogde/HX711#24 is not named"),
        ("8", {"reports": ("bogde/HX711#24", "the forum")}, "8: 'the forum' is no report"),
        ("8", {"what": ""}, "8: nothing could happen"),
        ("8", {"how": "hoped"}, "8: 'hoped' is none of held, not ours"),
        ("8", {"tests": ()}, "8: held, and no test says so"),
        ("8", {"how": "not ours"}, "8: not ours, and yet there are tests, or no remark says why"),
        (
            "8",
            {"how": "not ours", "tests": (), "remark": ""},
            "8: not ours, and yet there are tests, or no remark says why",
        ),
        ("8", {"tests": (HERE, HERE)}, "8: a test is named twice"),
        ("8", {"tests": ("house/test_x.py::test_x",)}, "8: house/test_x.py::test_x: no such file"),
        ("8", {"tests": (HERE + "_too",)}, f"8: {HERE}_too: no {HERE.rpartition(':')[2]}_too there"),
        (
            "8",
            {"tests": (IN_GUEST,)},
            f"8: {IN_GUEST}: it is skipped, may fail or is never run by `make test`",
        ),
    ],
)
def test_what_is_wrong_with_a_row_is_told(name: str, other: dict[str, Any], told: str) -> None:
    """By its number."""
    rows = [replace(row, **other) if row.name == name else row for row in ROWS]
    assert told in list(complaints(rows, ROOT))


def test_a_row_that_is_missing_is_told() -> None:
    """All nineteen are there, in their order."""
    assert len(ROWS) == 19
    assert next(iter(complaints(ROWS[:-1], ROOT))).endswith("17, 18, 19")


def test_a_row_with_a_cell_too_many_is_told_by_its_line() -> None:
    """As a slip of the pen makes one."""
    text = "| No. | Reports | What it could do to us | How | Tests | Remark |\n| --- |\n| 1 | a | b |\n"
    with pytest.raises(ValueError, match="line 3: 3 cells, not 6"):
        read_faults(text)
