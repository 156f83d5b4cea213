"""A RPi.GPIO for tests, in the place of the real one for as long as a test lasts."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FAKE = Path(__file__).parent / "fake_rpi"
MODULES = ("RPi", "RPi.GPIO", "RPi._GPIO")


def core(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Yield the core of the fake, which may be imported until the generator is closed."""
    monkeypatch.syspath_prepend(str(FAKE))
    for name in MODULES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield importlib.import_module("RPi._GPIO")
    for name in MODULES:
        sys.modules.pop(name, None)
