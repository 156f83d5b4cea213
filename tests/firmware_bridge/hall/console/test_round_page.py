"""The page of a round with forty boards: found with a thumb, and a result set in a question of its own."""

from __future__ import annotations

from typing import Final

import pytest

from tests.firmware_bridge.display.browser import Browser
from tests.firmware_bridge.hall.console.forty import BOARDS, Hall

pytestmark = pytest.mark.browser

SHOWN: Final = """
return [...document.querySelectorAll("tr[data-game]")].filter((line) => line.offsetHeight)
  .map((line) => line.querySelector(".where").textContent);
"""
TALLEST: Final = (
    "return Math.max(...[...document.querySelectorAll('tr[data-game]')].map(line => line.offsetHeight))"
)
MOST_HIGH_PX: Final = 125
"""Two lines of names; forty used to be four screens longer."""


def opened(browser: Browser, forty: Hall) -> None:
    """Open the page of the round."""
    forty.enter(browser)
    browser.js("document.querySelectorAll('[data-part=tabs] button')[1].click()")
    browser.until("document.querySelector('tr[data-game]')", "the round")


def look_for(browser: Browser, words: str) -> list[str]:
    """Type what is looked for, and return the boards that are left."""
    browser.js(
        "const find = document.querySelector('.find'); find.value = arguments[0];"
        "find.dispatchEvent(new Event('input'))",
        words,
    )
    found: list[str] = browser.js(SHOWN)
    return found


def test_on_a_phone_each_board_of_a_round_is_a_short_line(browser: Browser, forty: Hall) -> None:
    """No list of results in each of them, nothing beyond the edge."""
    browser.size(390, 844)
    opened(browser, forty)
    assert browser.js(SHOWN) == list(BOARDS)
    assert browser.js(TALLEST) <= MOST_HIGH_PX
    assert browser.js("return document.querySelectorAll('.games select').length") == 0
    assert browser.js("return document.documentElement.scrollWidth") <= 390


def test_a_board_or_a_player_is_found_by_a_part_of_his_name(browser: Browser, forty: Hall) -> None:
    """And stays found when another board has news."""
    browser.size(390, 844)
    opened(browser, forty)
    assert look_for(browser, "B17") == ["b17"]
    assert look_for(browser, "розА") == ["b01", *BOARDS[4::4]]
    assert look_for(browser, "nobody") == []
    assert browser.text(".none-found") == "No such board or player in this round"
    assert look_for(browser, "b04") == ["b04"]
    seen = browser.js("return document.body.dataset.heard")
    forty.tell("b30", {"kind": "arbiter_called", "at_us": 5, "side": "bastaushy", "press": None}, seq=95)
    browser.until(f"document.body.dataset.heard !== '{seen}'", "the news")
    assert browser.js(SHOWN) == ["b04"]


def test_a_result_is_set_in_a_question_that_names_both(browser: Browser, forty: Hall) -> None:
    """The score is chosen there, and the line says that it is official."""
    opened(browser, forty)
    browser.js("document.querySelector('tr[data-game=\\'r1-b02\\'] .set').click()")
    assert "Wilhelmina von Hohenzollern" in browser.text(".confirm h2")
    browser.js("document.querySelector('.confirm .primary').click()")
    assert browser.js("return document.querySelector('.confirm').open"), "no result was chosen"
    browser.js("document.querySelector('.confirm select').value = '1/2-1/2'")
    browser.js("document.querySelector('.confirm .primary').click()")
    browser.until(
        "document.querySelector('tr.official .set')?.textContent === '1/2-1/2 \u2713'", "the result"
    )
