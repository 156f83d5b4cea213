"""A game is postponed and its envelope opened on the page: what leaves the device, and what never does."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from firmware_bridge.hall.ledger.roles import Role
from rules.conduct.sealing import opens, seal
from tests.firmware_bridge.display.browser import Browser
from tests.firmware_bridge.hall.console.forty import Hall, forty_boards

pytestmark = pytest.mark.browser

OPEN: Final = "document.querySelector(`.card[data-board='${arguments[0]}']`).click();"
BUTTON: Final = """
document.querySelector('details.more')?.setAttribute('open', '');
const offers = [...document.querySelectorAll('.view .offer')];
return offers.find((each) => each.textContent.startsWith(arguments[0]));
"""
SPY: Final = """
window.sent = [];
window.fetch = (path, { body }) => {
  window.sent.push(body);
  return Promise.resolve({ ok: false, status: 409, json: () => Promise.resolve({ error: "stale" }) });
};
"""
"""A hall that answers nothing is done; what it was sent is kept."""

MADE: Final = """
const [moves, done] = arguments;
import("/static/js/console/sealing.js").then(({ sealOf, newSalt, grouped, ungrouped, plain }) =>
  done(moves.map((move) => {
    const salt = newSalt();
    return [plain(move), salt, sealOf(move, salt), ungrouped(grouped(salt).toUpperCase())];
  })));
"""


def opened(browser: Browser, hall: Hall, board: str) -> None:
    """Open a board of the console, and keep what is sent from now on."""
    hall.enter(browser)
    browser.until(f"document.querySelector('.card[data-board={board}]')", "the board")
    browser.js(OPEN, board)
    browser.until(f"document.querySelector('[data-part=view]').dataset.board === '{board}'", "it is open")
    browser.js(SPY)


def ask(browser: Browser, words: str) -> None:
    """Press the button that begins with these words."""
    browser.js(f"(() => {{ {BUTTON} }})().click()".replace("arguments[0]", json.dumps(words)))
    browser.until("document.querySelector('dialog').open", "the question")


def fill(browser: Browser, *values: str) -> None:
    """Fill the fields of the question from the top."""
    browser.js(
        "const inputs = document.querySelectorAll('dialog .field input');"
        "inputs.forEach((input, at) => (input.value = arguments[0][at] ?? ''))",
        list(values),
    )


def sent(browser: Browser) -> list[dict[str, Any]]:
    """Return the commands that were sent, of the only order."""
    (body,) = browser.until("window.sent.length && window.sent", "an order")
    commands: list[dict[str, Any]] = json.loads(body)["commands"]
    return commands


def test_the_page_makes_the_same_seals_as_the_rulebook(browser: Browser, forty: Hall) -> None:
    """Of any text, longer than a block of SHA-256 as well; what hands write differently is one."""
    forty.enter(browser)
    moves = ["7:6", " 9-8 ", "24х", "24X", "жүріс " * 30, "?"]
    made = browser.later(MADE, moves)
    assert [text for text, *_ in made[:4]] == ["7:6", "9-8", "24x", "24x"]
    for text, salt, commitment, typed in made:
        assert commitment == seal(text, bytes.fromhex(salt))
        assert typed == salt
    assert len({salt for _, salt, *_ in made}) == len(moves)


def test_only_the_seal_leaves_the_page(browser: Browser, forty: Hall) -> None:
    """Neither move nor salt; one in play is stopped first, and nothing goes before the code is written."""
    opened(browser, forty, "b01")
    ask(browser, "Adjourn the game")
    fill(browser, "7:6", "power cut in the hall")
    browser.js("document.querySelector('dialog form').requestSubmit()")
    assert browser.js("return window.sent") == []
    salt = browser.js("return document.querySelector('.seal-code').dataset.code")
    assert browser.text(".seal-code output").replace(" ", "") == salt
    browser.js("document.querySelector('dialog .warn input').click()")
    browser.js("document.querySelector('dialog form').requestSubmit()")
    stop, adjourn = sent(browser)
    assert stop == {"do": "suspend", "reason": "arbiter"}
    assert opens(adjourn.pop("seal"), "7:6", bytes.fromhex(salt))
    assert adjourn == {"do": "adjourn", "reason": "power cut in the hall"}
    assert salt not in browser.js("return window.sent[0]")


def test_the_envelope_is_opened_with_move_and_code(browser: Browser, forty: Hall) -> None:
    """At the adjourned board it is the next action; the code is typed as it stands there, in groups."""
    opened(browser, forty, "b22")
    assert browser.text(".focus h2") == "Adjourned"
    assert "Сәуле" in browser.text(".focus")
    ask(browser, "Open the sealed move")
    fill(browser, "24 X", "ABCD " * 8)
    browser.js("document.querySelector('dialog form').requestSubmit()")
    assert sent(browser) == [{"do": "unseal", "text": "24 x", "salt": "abcd" * 8, "reason": ""}]


def test_what_was_opened_is_said_until_it_is_played(browser: Browser, forty: Hall) -> None:
    """A move that binds, and one that is none."""
    opened(browser, forty, "b22")
    told = {"kind": "seal_opened", "at_us": 9, "number": 7, "text": "7:6", "by": "Сәуле"}
    forty.tell("b22", told, seq=95)
    browser.until(
        "document.querySelector('.focus').textContent.includes('has to play pit 7')", "the move binds"
    )


def test_who_is_not_of_the_panel_postpones_nothing(browser: Browser, tmp_path: Any) -> None:
    """The button is there, so that he knows it is, and cannot be pressed (2.8.1)."""
    with forty_boards(tmp_path, role=Role.LINE) as hall:
        opened(browser, hall, "b22")
        assert browser.js("return document.querySelector('.focus .offer').disabled")
        browser.js(OPEN, "b01")
        words = json.dumps("Adjourn the game")
        assert browser.js(f"return (() => {{ {BUTTON} }})().disabled".replace("arguments[0]", words))
