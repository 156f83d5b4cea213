"""The law on the console's page: what is proposed, the event's amounts of time, penalties of the panel."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.hall.ledger import discipline, games
from firmware_bridge.hall.ledger.accounts import Account, save_account
from firmware_bridge.hall.ledger.book import read_book
from firmware_bridge.hall.ledger.roles import Role
from firmware_bridge.hall.ledger.store import Ledger
from firmware_bridge.hall.ledger.values import Fixture
from firmware_bridge.hall.settings import ConsoleSettings
from rules.conduct.options import BLITZ, CLASSICAL, Conduct
from tests.firmware_bridge.display.browser import Browser, open_browser
from tests.firmware_bridge.hall.console.login import log_in
from tests.firmware_bridge.hall.fake_feed import FakeFeed
from tests.firmware_bridge.hall.plays import EVENT, NAMES, result, state
from tests.firmware_bridge.hall.serving import Served, serving, settings
from tests.house.stage import PASSWORD

pytestmark = pytest.mark.browser

LONG_AGO_MS = 31 * 60_000


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A ledger with a chief arbiter, and one game of the first round."""
    fixture = Fixture(
        key="r1-b01", round=1, board="b01", bastaushy=NAMES[0], qostaushy=NAMES[1], seat="a", control="1h"
    )
    with Ledger(tmp_path / "ledger", EVENT) as opened:
        opened.apply(lambda db: save_account(db, Account("Сәуле", Role.CHIEF), PASSWORD, 1))
        opened.apply(lambda db: games.plan(db, [fixture], 1))
        yield opened


@contextmanager
def console(ledger: Ledger, conduct: Conduct = CLASSICAL, **more: Any) -> Iterator[tuple[Browser, Served]]:
    """The chief arbiter's page with the only board open; `more` changes its state."""
    feed = FakeFeed()
    feed.say(state(4, **more))
    wanted = ConsoleSettings(ledger=ledger.path, conduct=conduct)
    with serving(feed, settings(console=wanted), FakeFeed()) as hall, open_browser() as browser:
        browser.size(1200, 900)
        browser.open(f"{hall.url}/console?lang=en")
        log_in(browser, "Сәуле", PASSWORD)
        browser.until("document.querySelector('.card')", "the board")
        browser.js("document.querySelector('.card').click()")
        yield browser, hall
        assert [entry for entry in browser.complaints() if "401" not in entry] == []


def press(browser: Browser, buttons: str, words: str) -> None:
    """Press the first button that says so."""
    browser.js(
        "const found = [...document.querySelectorAll(arguments[0])];"
        "found.find(one => one.textContent.includes(arguments[1])).click()",
        buttons,
        words,
    )


def test_requirement_19_a_missing_signature_is_proposed_and_noted(ledger: Ledger, chromium: object) -> None:
    """The warning is one button with its article; who has signed on paper is noted with another."""
    del chromium
    ended_ms = time.time_ns() // 1_000_000 - LONG_AGO_MS
    ledger.apply(lambda db: games.ended(db, "r1-b01", ended_ms))
    with console(ledger, result=result("1-0", "resignation")) as (browser, _hall):
        browser.until("document.querySelector('.proposed')", "the proposal")
        told = browser.text("[data-proposal=sheet_not_signed-bastaushy]")
        assert f"Warning: not signed within 30 minutes: {NAMES[0]}" in told
        assert "2.10.9" in told
        press(browser, ".proposed button", "has signed")
        browser.js("document.querySelector('.confirm .primary').click()")
        browser.until("!document.querySelector('[data-proposal=sheet_not_signed-bastaushy]')", "it is noted")
        assert browser.js("return document.querySelectorAll('[data-proposal]').length") == 1
    assert ledger.apply(read_book).signatures == {("r1-b01", "bastaushy")}


def test_requirement_33_the_events_amounts_are_one_button(ledger: Ledger, chromium: object) -> None:
    """With what is taken and given, whom to ask before, and whether sheets are written (38)."""
    del chromium
    conduct = replace(BLITZ, penalty_takes_ms=60_000, penalty_gives_ms=120_000)
    with console(ledger, conduct) as (browser, _hall):
        browser.until("document.querySelector('details.more')", "what is possible at any time")
        browser.js("document.querySelector('details.more').open = true")
        told = browser.text("details.more")
        assert f"Time penalty: {NAMES[0]}" in told
        assert f"{NAMES[0]}: \N{MINUS SIGN}1 min" in told
        assert f"{NAMES[1]}: +2 min" in told
        assert "No score sheets are written (2.9.2)" in told
        press(browser, "details.more button", f"Time penalty: {NAMES[0]}")
        assert "Ask the chief arbiter first" in browser.text(".confirm")


def test_requirement_47_the_panel_writes_a_penalty_down_on_the_page(ledger: Ledger, chromium: object) -> None:
    """It stands in the list at once, and the paper of the warnings is a link."""
    del chromium
    with console(ledger) as (browser, hall):
        press(browser, "[data-part=tabs] button", "Warnings")
        browser.until("document.querySelector('form.typed select[name=kind]')", "the form")
        browser.js(
            "const form = document.querySelector('form.typed'); form.kind.value = 'team_loses';"
            "form.person.value = 'Алматы'; form.reason.value = 'бөтен ойыншы'; form.requestSubmit()"
        )
        browser.until("document.querySelector('table.games .name')?.textContent === 'Алматы'", "the penalty")
        assert "2.4.7, 2.3 бөтен ойыншы" in browser.text("table.games")
        link = browser.js("return document.querySelector('nav.rounds a').getAttribute('href')")
        assert link == "/api/console/papers/warnings?round=1&lang=en"
        browser.open(f"{hall.url}{link}")
        assert "Nobody was warned." in browser.text("main")
    (penalty,) = ledger.apply(discipline.penalties)
    assert (penalty.kind, penalty.given_by) == ("team_loses", "Сәуле")
