"""One event and one arbiter for all disputes: his browser stays open, as on his desk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.firmware_bridge.display.browser import open_browser
from tests.house.disputes.arbiter import Arbiter
from tests.house.disputes.event import CHIEF, PASSWORD, Event, Seat, running
from tests.house.disputes.table import Seated, Table


@pytest.fixture(scope="session")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Event]:
    """The event."""
    with running(tmp_path_factory.mktemp("disputes")) as begun:
        yield begun


@pytest.fixture(scope="session")
def arbiter(event: Event) -> Iterator[Arbiter]:
    """The chief arbiter, logged in; his pages complained of nothing."""
    with open_browser() as browser:
        somebody = Arbiter(browser, event.url)
        somebody.log_in(CHIEF, PASSWORD)
        yield somebody
        assert browser.complaints() == []


@pytest.fixture
def seat(event: Event) -> Iterator[Seat]:
    """A table for a dispute; the other disputes' tables stand beside it, their games over."""
    tables: list[Table] = []

    def seated(who: Seated) -> Table:
        tables.append(event.seat(who))
        return tables[-1]

    yield seated
    for table in tables:
        table.release()
