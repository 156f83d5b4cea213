"""In which order several workers take the tests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.machine import ROOT
from tests.order import long_first


@dataclass(frozen=True, slots=True)
class Collected:
    """One that was collected."""

    path: Path
    number: int


def collected(**counts: int) -> list[Collected]:
    """Return so many tests of each file, those of all files by turns."""
    return [
        Collected(ROOT / "tests" / f"{name.replace('__', '/')}.py", number)
        for number in range(max(counts.values()))
        for name, count in counts.items()
        if number < count
    ]


def files_of(tests: list[Collected]) -> str:
    """Return the files of tests as a word, a letter each."""
    return "".join(test.path.stem[-1] for test in tests)


def test_each_worker_begins_with_long_tests_and_a_file_stays_together() -> None:
    """Of two workers each takes one half of the list."""
    tests = collected(house__test_a=3, rules__test_r=7, house__test_b=2, deploy__test_d=2)
    found = long_first(tests, 2)
    assert (files_of(found[:7]), files_of(found[7:])) == ("aaarrrr", "bbddrrr")
    assert set(found) == set(tests)
    assert [test.number for test in found if test.path.stem == "test_r"] == list(range(7))


def test_what_shares_an_event_stays_together_over_its_files() -> None:
    """A session's hall is begun once, by one worker."""
    found = long_first(collected(house__disputes__test_x=2, house__disputes__test_y=2, rules__test_r=4), 2)
    assert files_of(found) == "xyxyrrrr"


def test_nothing_is_lost_where_there_is_little() -> None:
    """More workers than tests."""
    tests = collected(house__test_a=1, rules__test_r=1)
    assert sorted(files_of(long_first(tests, 4))) == ["a", "r"]
