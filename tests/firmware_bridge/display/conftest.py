"""One browser for all tests of the pages: starting it costs more than a test."""

from collections.abc import Iterator

import pytest

from tests.firmware_bridge.display.browser import Browser, open_browser, window
from tests.firmware_bridge.hall.fake_feed import FakeFeed
from tests.firmware_bridge.hall.serving import Served, serving, settings


@pytest.fixture(scope="session")
def _browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture
def browser(_browser: Browser) -> Iterator[Browser]:
    """A window of hall-screen size; what the page complains about fails the test."""
    with window(_browser, 1920, 1080) as browser:
        yield browser


@pytest.fixture
def feed() -> FakeFeed:
    """A feed of which nothing has been said yet."""
    return FakeFeed()


@pytest.fixture
def hall(feed: FakeFeed) -> Iterator[Served]:
    """A hall that listens to the feed."""
    with serving(feed, settings()) as served:
        yield served
