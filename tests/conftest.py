"""What all tests share: lanes that need a program of the machine, and how hard hypothesis tries.

A test that needs mosquitto, Chromium, MicroPython or systemd wears the marker of its lane (mosquitto,
browser, micropython, systemd) and asks for the fixture, if there is one. Where the program is missing the
test is skipped with the reason; with TOGYZ_LANES=required, as in CI, it fails.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import settings

from tests.machine import (
    Chromium,
    find_chromium,
    find_micropython,
    find_mosquitto,
    find_shared_data,
    missing_lanes,
)
from tests.order import long_first

# No deadlines: a busy Pi is slow, not wrong.
settings.register_profile("dev", deadline=None, print_blob=True)
# The same examples every time: CI judges the change, not the dice.
settings.register_profile("ci", deadline=None, print_blob=True, derandomize=True, database=None)
settings.register_profile("bench", deadline=None, print_blob=True, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))

# One language for all tests and the programs they start, whatever the machine speaks.
os.environ["TOGYZ_LANGUAGE"] = "en"
# Nor may it matter how wide the terminal is, or what runs the tests in parallel says it is.
os.environ.pop("COLUMNS", None)

_MISSING = missing_lanes()

Found = TypeVar("Found")


@pytest.hookimpl(trylast=True)  # behind the one that puts them into random order
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let each of several workers begin with the long tests."""
    workers = int(getattr(config, "workerinput", {}).get("workercount", 1))
    if workers > 1:
        items[:] = long_first(items, workers)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip, or fail, a test whose lane this machine cannot run."""
    for lane, reason in _MISSING.items():
        if item.get_closest_marker(lane) is None:
            continue
        if os.environ.get("TOGYZ_LANES") == "required":
            pytest.fail(f"lane {lane} is required here: {reason}", pytrace=False)
        pytest.skip(f"lane {lane}: {reason}")


@pytest.fixture(scope="session")
def mosquitto() -> Path:
    """Path of the mosquitto broker's program."""
    return _present(find_mosquitto(), "mosquitto")


@pytest.fixture(scope="session")
def chromium() -> Chromium:
    """Chromium and its driver."""
    return _present(find_chromium(), "browser")


@pytest.fixture(scope="session")
def micropython() -> Path:
    """Path of the MicroPython interpreter."""
    return _present(find_micropython(), "micropython")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of recorded games and rule vectors beside the checkout; without it the test is skipped."""
    folder = find_shared_data()
    if folder is None:
        pytest.skip("no ../shared/data beside the checkout")
    return folder


def _present(found: Found | None, lane: str) -> Found:
    if found is None:
        pytest.skip(f"lane {lane}: {_MISSING[lane]}")
    return found
