"""One browser for all tests of the table's page."""

from collections.abc import Iterator

import pytest

from tests.firmware_bridge.display.browser import Browser, open_browser, window


@pytest.fixture(scope="session")
def _browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture
def browser(_browser: Browser) -> Iterator[Browser]:
    """A window of the size of a small screen; what the page complains about fails the test."""
    with window(_browser, 800, 480) as browser:
        yield browser
