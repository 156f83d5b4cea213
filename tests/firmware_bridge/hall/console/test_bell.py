"""The bell: it rings when a board newly needs somebody, again while it does, and not for whoever muted it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from tests.firmware_bridge.display.browser import Browser
from tests.firmware_bridge.hall.console.forty import CALLED, OFFERED, Hall, table

pytestmark = pytest.mark.browser

LISTEN: Final = """
window.tones = [];
window.AudioContext = class {
  constructor() { this.currentTime = 0; this.destination = {}; }
  resume() { return Promise.resolve(); }
  createOscillator() {
    const wave = { frequency: { value: 0 }, connect: (next) => next, stop() {} };
    wave.start = () => window.tones.push(wave.frequency.value);
    return wave;
  }
  createGain() {
    const gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
    return { gain, connect: (next) => next };
  }
};
const every = window.setInterval;
window.repeats = [];
window.setInterval = (done, ms) => { if (ms >= 20000) window.repeats.push(done); return every(done, ms); };
"""
"""A browser whose loudspeaker is a list: what sounds is written down."""

RING: Final = [660, 880]
TOUCH: Final = "window.dispatchEvent(new Event('pointerdown'))"


@pytest.fixture
def ears(browser: Browser) -> Iterator[Browser]:
    """A browser in which every tone is written down."""
    made = browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": LISTEN})
    yield browser
    browser.js("localStorage.clear()")
    browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", made)


def tones(browser: Browser) -> list[int]:
    """Return what has sounded since asked last."""
    found: list[int] = browser.js("return window.tones.splice(0)")
    return found


def settled(browser: Browser, hall: Hall) -> None:
    """Open the console, touch it as browsers want it before they sound, and forget what rang."""
    hall.enter(browser)
    browser.until("document.querySelectorAll('.card.loud').length === 6", "six that need somebody")
    browser.js(TOUCH)
    tones(browser)


def news(browser: Browser, say: object) -> None:
    """Say something, and wait until the page has drawn it."""
    before = browser.js("return Number(document.body.dataset.heard)")
    assert callable(say)
    say()
    browser.until(f"Number(document.body.dataset.heard) > {before}", "the news")


def test_it_rings_once_when_a_board_newly_needs_somebody_and_for_nothing_else(
    ears: Browser, forty: Hall
) -> None:
    """A call does; moves, an offer of a draw, and the same call told again do not."""
    settled(ears, forty)
    news(ears, lambda: forty.feed.say(table("b01", 6)))
    news(ears, lambda: forty.tell("b04", OFFERED, seq=91))
    assert tones(ears) == []
    news(ears, lambda: forty.tell("b05", CALLED, seq=91))
    assert tones(ears) == RING
    news(ears, lambda: forty.feed.say(table("b05", 9)))
    assert tones(ears) == []
    assert ears.text(".tabs .count") == "7"
    assert ears.driver.title == "(7) Arbiter's console"


def test_it_rings_again_while_somebody_is_needed(ears: Browser, forty: Hall) -> None:
    """Every 25 s; the page's own timer is asked to strike."""
    settled(ears, forty)
    ears.js("window.repeats.forEach((strike) => strike())")
    assert tones(ears) == RING


def test_who_has_muted_it_hears_nothing_and_still_after_a_reload(ears: Browser, forty: Hall) -> None:
    """The button says how it is; switched on again it rings at once, as a proof."""
    settled(ears, forty)
    ears.js("document.querySelector('[data-part=sound]').click()")
    assert ears.js("return document.querySelector('[data-part=sound]').title") == "Sound is off"
    news(ears, lambda: forty.tell("b05", CALLED, seq=91))
    assert tones(ears) == []
    forty.enter(ears)
    ears.js(TOUCH)
    news(ears, lambda: forty.tell("b06", CALLED, seq=91))
    ears.js("window.repeats.forEach((strike) => strike())")
    assert tones(ears) == []
    assert (
        ears.js("return document.querySelector('[data-part=sound]').getAttribute('aria-pressed')") == "false"
    )
    ears.js("document.querySelector('[data-part=sound]').click()")
    assert tones(ears) == RING
