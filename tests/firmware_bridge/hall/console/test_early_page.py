"""What the board's page offers beside rulings: a complaint about the set-up, two flags down."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge.hall.ledger.accounts import Account, save_account
from firmware_bridge.hall.ledger.roles import Role
from firmware_bridge.hall.ledger.store import Ledger
from firmware_bridge.hall.settings import ConsoleSettings
from firmware_bridge.wire.signing import SECRET_BYTES, Key, Keyring
from rules.conduct.options import CLASSICAL
from tests.firmware_bridge.display.browser import Browser
from tests.firmware_bridge.hall.console.forty import BOTH_FLAGGED, Hall
from tests.firmware_bridge.hall.console.login import log_in
from tests.firmware_bridge.hall.fake_feed import FakeFeed
from tests.firmware_bridge.hall.plays import EVENT, state
from tests.firmware_bridge.hall.serving import serving, settings
from tests.house.stage import PASSWORD

pytestmark = pytest.mark.browser

CATCH = """
window.sent = [];
const plain = window.fetch;
window.fetch = (path, wish) => {
  if (!String(path).endsWith("/orders")) return plain(path, wish);
  const { id, commands } = JSON.parse(wish.body);
  window.sent.push(commands);
  const told = { id, commands, outcome: "accepted", undo: null, undoes: null };
  return Promise.resolve(new Response(JSON.stringify(told)));
};
"""


def press(browser: Browser, words: str) -> None:
    """Press a button of the board's view."""
    browser.js(
        "[...document.querySelectorAll('.view .offer')]"
        ".find(one => one.textContent.includes(arguments[0])).click()",
        words,
    )


def sent(browser: Browser) -> list[object]:
    """Return the commands of the first order that was sent."""
    browser.until("window.sent.length", "an order")
    found: list[object] = json.loads(browser.js("return JSON.stringify(window.sent[0])"))
    return found


def test_requirement_41_a_complaint_about_the_set_up_is_one_button(browser: Browser, forty: Hall) -> None:
    """Of either player, before the start; in the middle of a game nobody is offered it."""
    forty.enter(browser)
    browser.js("document.querySelector('.card[data-board=b29]').click()")
    browser.js("document.querySelector('details.more').open = true")
    browser.js(CATCH)
    press(browser, "complains about the set-up")
    browser.js("document.querySelector('.confirm .primary').click()")
    assert sent(browser) == [{"do": "complain", "side": "bastaushy"}]
    browser.js("document.querySelector('.card[data-board=b33]').click()")
    assert "complains about the set-up" not in browser.text("details.more")


def test_requirement_30_two_flags_are_decided_by_the_panel(browser: Browser, tmp_path: Path) -> None:
    """Where no order decides and nobody gives time: a score, and by whose right."""
    feed = FakeFeed()
    feed.say(state(12, clock=BOTH_FLAGGED))
    keys = Keyring((Key("b01-aaaaaa", EVENT, "b01", b"." * SECRET_BYTES),))
    with Ledger(tmp_path / "ledger", EVENT) as ledger:
        ledger.apply(lambda db: save_account(db, Account("chief", Role.CHIEF), PASSWORD, 1))
        conduct = replace(CLASSICAL, both_flags="discretion")
        wanted = ConsoleSettings(ledger=ledger.path, keys=keys, conduct=conduct)
        with serving(feed, settings(console=wanted, stale_after_s=600.0), FakeFeed()) as served:
            browser.open(f"{served.url}/console?lang=en")
            log_in(browser, "chief", PASSWORD)
            browser.until("document.querySelector('.focus.flag')", "the flags")
            browser.js(CATCH)
            press(browser, "Decide the game")
            browser.js("document.querySelector('.confirm select').value = '1/2-1/2'")
            browser.js("document.querySelector('.confirm .primary').click()")
            assert sent(browser) == [
                {"do": "call_flag", "side": "bastaushy"},
                {"do": "call_flag", "side": "qostaushy"},
                {"do": "end", "score": "1/2-1/2", "reason": "arbiter"},
            ]
