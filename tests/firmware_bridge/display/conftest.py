"""A window of hall-screen size, and a hall that listens to a feed which a test speaks for."""

from collections.abc import Iterator

import pytest

from tests.firmware_bridge.display.browser import Browser, window
from tests.firmware_bridge.hall.fake_feed import FakeFeed
from tests.firmware_bridge.hall.serving import Served, serving, settings


@pytest.fixture
def browser(shared_browser: Browser) -> Iterator[Browser]:
    """A window of hall-screen size; what the page complains about fails the test."""
    with window(shared_browser, 1920, 1080) as browser:
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
