"""A window of the size of the screen at a table."""

from collections.abc import Iterator

import pytest

from tests.firmware_bridge.display.browser import Browser, window


@pytest.fixture
def browser(shared_browser: Browser) -> Iterator[Browser]:
    """A window of the size of a small screen; what the page complains about fails the test."""
    with window(shared_browser, 800, 480) as browser:
        yield browser
