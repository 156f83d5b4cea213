"""Forty boards at a glance: who needs a person comes first, says so in words, and since when."""

from __future__ import annotations

from typing import Any, Final

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.firmware_bridge.display.browser import Browser
from tests.firmware_bridge.hall.console.forty import CALLED, Hall, event, now_ms, special, table

pytestmark = pytest.mark.browser

SIZES: Final = ((1400, 900), (390, 844))

CARDS: Final = """
return [...document.querySelectorAll(".card")].map((card) => ({
  board: card.dataset.board,
  need: card.dataset.need,
  says: card.querySelector(".need").textContent,
  why: card.querySelector(".why").textContent,
  waits: card.querySelector(".waits")?.textContent ?? "",
}));
"""

HEADS: Final = """
return [...document.querySelectorAll(".group-head")]
  .map((head) => [head.querySelector("h2").textContent, head.querySelector("b").textContent]);
"""

SMALL: Final = """
return [...document.querySelectorAll(".view .offer")].filter((each) => each.offsetHeight < 40)
  .map((each) => each.textContent);
"""
"""The buttons that a finger would miss."""

CUT_OFF: Final = """
return [...document.querySelectorAll(arguments[0])].filter((element) => {
  const box = element.getBoundingClientRect();
  return box.width && (box.left < -0.5 || box.right > innerWidth + 0.5);
}).map((element) => element.outerHTML.slice(0, 120));
"""
"""The elements of a selector that reach out of the window on a side."""


def cards(browser: Browser) -> list[dict[str, Any]]:
    """Return the boards as they are listed."""
    found: list[dict[str, Any]] = browser.js(CARDS)
    return found


def test_who_needs_a_person_is_on_top_in_three_groups(browser: Browser, forty: Hall) -> None:
    """Each with its need and its cause in words; those who play on are below, by number."""
    forty.enter(browser)
    wanted = ["b03", "b08", "b11", "b12", "b33", "b14"]
    browser.until(lambda: [card["board"] for card in cards(browser)][:6] == wanted, "the urgent ones")
    listed = cards(browser)
    assert [card["need"] for card in listed[:6]] == [
        "infraction", "called", "flag", "flag", "offline", "unread",
    ]  # fmt: skip
    assert [card["board"] for card in listed[6:14]] == [
        "b17",
        "b20",
        "b21",
        "b25",
        "b22",
        "b28",
        "b29",
        "b01",
    ]
    assert all(card["says"] and card["why"] for card in listed[:13])
    assert browser.js(HEADS) == [["Needs an arbiter now", "6"], ["Next in line", "7"], ["Playing", "27"]]
    calm = [card["board"] for card in listed[13:]]
    assert calm == sorted(calm)
    assert len(calm) == len(listed) - len(special())


def test_of_equals_who_waits_longest_is_first_and_all_say_how_long(browser: Browser, forty: Hall) -> None:
    """A second call does not push the first one down."""
    forty.enter(browser)
    forty.tell("b02", {**CALLED, "side": "bastaushy"}, seq=91)
    forty.heard.say(event("b05", CALLED, seq=91, at_ms=now_ms() - 65_000))  # type: ignore[arg-type] # any payload
    browser.until(
        lambda: (
            [card["board"] for card in cards(browser) if card["need"] == "called"] == ["b08", "b05", "b02"]
        ),
        "three calls",
    )
    latest = next(card for card in cards(browser) if card["board"] == "b05")
    assert latest["waits"] in {f"{seconds} s" for seconds in range(64, 90)}


def test_a_glance_needs_no_mouse(browser: Browser, forty: Hall) -> None:
    """Down and up walk the list, a number is a button, and the one who has the focus keeps it."""
    forty.enter(browser)
    browser.until("document.querySelector('.card.loud')", "a loud board")
    first, second = (card["board"] for card in cards(browser)[:2])
    browser.until(
        f"document.querySelector('[data-part=view]').dataset.board === '{first}'", "the first is open"
    )
    press(browser, Keys.ARROW_DOWN)
    browser.until(f"document.querySelector('[data-part=view]').dataset.board === '{second}'", "the second")
    press(browser, "1")
    browser.until("document.querySelector('dialog').open", "the question")
    assert browser.js("return document.activeElement.closest('dialog') !== null")
    browser.js("document.querySelector('dialog').close()")
    browser.js("document.querySelectorAll('.card')[20].focus()")
    held = browser.js("return document.activeElement.dataset.board")
    heard = browser.js("return Number(document.body.dataset.heard)")
    forty.feed.say(table("b40", 9))
    browser.until(f"Number(document.body.dataset.heard) > {heard}", "news")
    assert browser.js("return document.activeElement.dataset.board") == held


def press(browser: Browser, key: str) -> None:
    """Press a key."""
    ActionChains(browser.driver).send_keys(key).perform()


@pytest.mark.parametrize("language", ["kk", "ru", "en"])
def test_nothing_of_any_board_reaches_out_of_the_screen(browser: Browser, forty: Hall, language: str) -> None:
    """Every state, on a laptop and on a telephone, with long names; buttons are as large as a finger."""
    for width, height in SIZES:
        browser.size(width, height, phone=width < 500)
        forty.enter(browser, f"?lang={language}")
        assert browser.js(CUT_OFF, ".head *, .card, .card *") == []
        for board in special():
            browser.js("document.querySelector(`.card[data-board='${arguments[0]}']`).click()", board)
            browser.until(f"document.querySelector('[data-part=view]').dataset.board === '{board}'", board)
            browser.js("document.querySelector('details.more')?.setAttribute('open', '')")
            assert browser.js(CUT_OFF, ".head *, .view *") == [], (board, language, width)
            assert browser.js(SMALL) == []
            if width < 500:
                browser.js("document.querySelector('[data-part=back]').click()")
