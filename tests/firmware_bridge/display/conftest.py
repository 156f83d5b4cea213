"""One browser for all tests of the pages: starting it costs more than a test."""

from collections.abc import Iterator

import pytest

from tests.firmware_bridge.display.browser import Browser, open_browser


@pytest.fixture(scope="session")
def _browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture
def browser(_browser: Browser) -> Iterator[Browser]:
    """A window of hall-screen size; what the page complains about fails the test."""
    _browser.open("about:blank")
    _browser.complaints()
    _browser.size(1920, 1080)
    yield _browser
    assert _browser.complaints() == []
