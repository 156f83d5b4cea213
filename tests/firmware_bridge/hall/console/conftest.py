"""A window of a laptop's size, and a hall of forty boards."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware_bridge.display.browser import Browser, window
from tests.firmware_bridge.hall.console.forty import Hall, forty_boards


@pytest.fixture
def browser(shared_browser: Browser) -> Iterator[Browser]:
    """A window of a laptop's size; what the page complains about fails the test."""
    with window(shared_browser, 1400, 900) as browser:
        yield browser


@pytest.fixture
def forty(tmp_path: Path) -> Iterator[Hall]:
    """A hall of forty boards."""
    with forty_boards(tmp_path) as hall:
        yield hall
