"""What the board proposes stands beside the buttons, in the reader's language, the proposed ruling first."""

from __future__ import annotations

from typing import Any, Final

import pytest

from firmware_bridge.hall.pages import load_pages
from firmware_bridge.wire.parts import AdvicePart, NotePart, ValuesPart
from firmware_bridge.wire.payloads import WatchPart
from tests.firmware_bridge.display.browser import Browser
from tests.firmware_bridge.hall.console.forty import FLAGGED, Hall, names_of, table

pytestmark = pytest.mark.browser

RESTORE: Final = AdvicePart(
    about="infraction",
    code="sowing_restored",
    articles=("2.4.5",),
    infraction=1,
    side="bastaushy",
    ends="restore",
)
INSTEAD: Final = AdvicePart(
    about="infraction",
    code="sowing_stands",
    articles=("2.4.5",),
    infraction=1,
    instead=True,
    ends="let_stand",
)
LOSES: Final = AdvicePart(
    about="flag", code="flag_loses", articles=("2.7.12",), side="bastaushy", score="0-1", decider="panel"
)


def opened(browser: Browser, hall: Hall, state: Any, language: str = "en") -> None:
    """Let a board say something, and open it."""
    hall.enter(browser, f"?lang={language}")
    hall.feed.say(state)
    browser.js("document.querySelector(`.card[data-board='${arguments[0]}']`).click()", state.board)


def lines(browser: Browser) -> list[str]:
    """Return what is advised."""
    found: list[str] = browser.js(
        "return [...document.querySelectorAll('.advice li')].map((line) => line.textContent)"
    )
    return found


@pytest.mark.parametrize("language", ["kk", "ru", "en"])
def test_the_ruling_that_the_board_proposes_is_the_first_button(
    browser: Browser, forty: Hall, language: str
) -> None:
    """With its articles; what else there is, is said as that."""
    texts = load_pages().console_texts[language]
    opened(browser, forty, table("b03", 0, n=1, last=None, advice=(RESTORE, INSTEAD)), language)
    browser.until("document.querySelector('.advice li')", "the advice")
    assert lines(browser) == [
        f"{texts['advice.sowing_restored']} · 2.4.5",
        f"{texts['console.or']} {texts['advice.sowing_stands']} · 2.4.5",
    ]
    assert browser.js("return document.querySelector('.case .offer.primary').dataset.offer") == "restored"
    assert browser.js("return document.querySelector('.case .offer.primary').dataset.key") == "1"


def test_a_flag_says_what_follows_for_whom_and_who_decides(browser: Browser, forty: Hall) -> None:
    """The viewers' snapshot of the same board has none of it (house law 8)."""
    opened(browser, forty, table("b11", n=1, clock=FLAGGED, advice=(LOSES,)))
    browser.until("document.querySelector('.advice li')", "the advice")
    first, _ = names_of("b11")
    assert lines(browser) == [f"{first} loses on time: 0-1 · 2.7.12 · the panel decides"]
    told = browser.later(
        "const done = arguments[0]; fetch('/api/boards/b11').then((answer) => answer.text()).then(done)"
    )
    assert "flag_loses" not in told


def test_advice_that_changes_alone_is_shown(browser: Browser, forty: Hall) -> None:
    """Nothing else of the board has changed."""
    opened(browser, forty, table("b03", 0, n=1, last=None, advice=(RESTORE, INSTEAD)))
    browser.until("document.querySelectorAll('.advice li').length === 2", "the advice")
    forty.feed.say(table("b03", 0, n=2, last=None, advice=(RESTORE,)))
    browser.until("document.querySelectorAll('.advice li').length === 1", "less of it")


@pytest.mark.parametrize("language", ["kk", "ru", "en"])
def test_what_cannot_be_read_is_said_in_the_readers_language(
    browser: Browser, forty: Hall, language: str
) -> None:
    """With pit and cause; the board's own English words stand nowhere."""
    texts = load_pages().console_texts[language]
    note = NotePart(
        code="unreadable", pit=4, detail="pit 5 is stuck", why="stuck", channel=4, values=ValuesPart(value=77)
    )
    opened(browser, forty, table("b14", n=1, watch=WatchPart(sensed="unreadable", notes=(note,))), language)
    cause = texts["wrong.why.stuck"].replace("{value}", "77")
    browser.until(lambda: cause in browser.text(".focus"), cause)
    assert "pit 5 is stuck" not in browser.text(".focus")
