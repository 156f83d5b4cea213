"""In which order several workers take the tests: those that start programs first, a room's together."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Final, Protocol, TypeVar

from tests.machine import ROOT

LONG: Final = (ROOT / "tests/house", ROOT / "tests/deploy")
"""Whole programs run here, and take seconds where other tests take milliseconds."""


class Placed(Protocol):
    """A test that was collected."""

    @property
    def path(self) -> Path:
        """Its file."""


Item = TypeVar("Item", bound=Placed)


def long_first(tests: Iterable[Item], workers: int) -> list[Item]:
    """Return the tests so that every worker begins with its share of the long ones.

    A worker takes one stretch of the list, and later steals from the end of another's. A long test that comes
    last lets the others wait for it, so the short ones stand there. What shares a hall stays together.

    Args:
        tests: in any order, which is kept among the long ones of a file and among the short ones.
        workers: how many there are.
    """
    files: dict[Path, list[Item]] = {}
    short: list[Item] = []
    for test in tests:
        room = _room(test.path)
        (short if room is None else files.setdefault(room, [])).append(test)
    shares: list[list[Item]] = [[] for _ in range(workers)]
    for file in sorted(files.values(), key=len, reverse=True):
        min(shares, key=len).extend(file)
    count = len(short) + sum(map(len, shares))
    found: list[Item] = []
    rest = iter(short)
    for number, share in enumerate(shares, start=1):
        found += share
        found += islice(rest, max(0, count * number // workers - len(found)))
    return [*found, *rest]


def _room(path: Path) -> Path | None:
    """Return what a long test shares its programs with, its file or its folder; None: it is short."""
    for room in LONG:
        if path.is_relative_to(room):
            return path if path.parent == room else path.parent
    return None
