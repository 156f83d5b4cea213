"""What the page says beside the game: whether it can be trusted, whose turn it is, why nothing moves."""

import itertools
import math
from typing import Any

import pytest

from firmware_bridge.hall.pages import load_pages
from firmware_bridge.wire.payloads import NotePart, PositionPart, WatchPart
from rules import STONES
from tests.firmware_bridge.display import looks
from tests.firmware_bridge.display.browser import Browser
from tests.firmware_bridge.display.showing import SIZES, see, show
from tests.firmware_bridge.hall.fake_feed import FakeFeed
from tests.firmware_bridge.hall.plays import clock_part, result, sowings, state
from tests.firmware_bridge.hall.serving import Served

pytestmark = pytest.mark.browser

_TEXTS = load_pages().catalogues["kk"]


def _banked(bastaushy: int, qostaushy: int) -> PositionPart:
    left = STONES - bastaushy - qostaushy
    pits = tuple(left // 18 + (index < left % 18) for index in range(18))
    return PositionPart(pits=pits, kazans=(bastaushy, qostaushy), tuzdyks=(None, None), to_move="bastaushy")


@pytest.mark.parametrize("sensed", ["no_device", "unreadable"])
def test_a_board_that_sees_nothing_is_not_called_live(
    browser: Browser, hall: Served, feed: FakeFeed, sensed: Any
) -> None:
    """The badge says so on every screen, the board is dimmed, and further remarks are in sight."""
    feed.say(state(3, watch=WatchPart(sensed="matches")))
    show(browser, hall)
    see(browser, 3)
    note = NotePart(code="journal", pit=None, detail="")
    feed.say(state(3, n=1, watch=WatchPart(sensed=sensed, notes=(note,))))
    for width, height in SIZES:
        browser.size(width, height, phone=min(width, height) < 500)
        browser.until(f"document.querySelector('.link.trouble[data-link={sensed}]')", "the badge")
        assert browser.js(looks.OUT_OF_SIGHT, "[data-part=link-words], [data-part=watch], .board") == []
        assert browser.text("[data-part=link-words]") == _TEXTS[f"watch.{sensed}"]
        assert browser.text("[data-part=watch]") == _TEXTS["note.journal"]
    browser.until("getComputedStyle(document.querySelector('.slab')).opacity < 0.8", "the dimming")
    feed.say(state(3, n=2))
    browser.until("document.querySelector('.link[data-link=fresh]:not(.trouble)')", "the all-clear")


@pytest.mark.parametrize("language", ["kk", "ru", "en"])
def test_one_place_that_cannot_be_read_is_no_board_that_cannot(
    browser: Browser, hall: Served, feed: FakeFeed, language: str
) -> None:
    """The picture stays live and undimmed and the game goes on, as `control status` says; not with two."""
    texts = load_pages().catalogues[language]
    one, two = (NotePart(code="unreadable", pit=pit, detail="", why="stuck") for pit in (4, 5))
    feed.say(state(3, watch=WatchPart(sensed="unreadable", notes=(one,))))
    show(browser, hall, f"?lang={language}")
    see(browser, 3)
    browser.until("document.querySelector('.link[data-link=fresh]:not(.trouble)')", "the badge")
    assert browser.text("[data-part=watch]") == texts["watch.one_unread"]
    assert browser.js(looks.OUT_OF_SIGHT, "[data-part=watch]") == []
    assert browser.js("return document.querySelector('.blind')") is None
    feed.say(state(3, n=1, watch=WatchPart(sensed="unreadable", notes=(one, two))))
    browser.until("document.querySelector('.link.trouble[data-link=unreadable]')", "the badge")
    assert browser.text("[data-part=link-words]") == texts["watch.unreadable"]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_numbers_of_the_pits_can_be_read(
    browser: Browser, hall: Served, feed: FakeFeed, width: int, height: int
) -> None:
    """Their contrast with the wood is that of small text (WCAG 2: 4.5)."""
    feed.say(state(0))
    browser.size(width, height, phone=min(width, height) < 500)
    show(browser, hall)
    see(browser, 0)
    numbers = browser.js(looks.CONTRASTS)
    assert len(numbers) == 18
    assert min(contrast for contrast, _ in numbers) >= 4.5
    assert min(size for _, size in numbers) >= 14


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_kazan_can_be_counted_to_the_end_of_a_game(
    browser: Browser, hall: Served, feed: FakeFeed, width: int, height: int
) -> None:
    """No stone lies on another nor on the number, and none moves because others come."""
    browser.size(width, height, phone=min(width, height) < 500)
    feed.say(state(0, position=_banked(49, 12)))
    show(browser, hall)
    see(browser, 0)
    few = browser.js(looks.HEAPS)
    feed.say(state(0, n=1, position=_banked(90, 72)))
    browser.until("document.querySelector('[data-kazan=bastaushy]').dataset.stones === '90'", "the stones")
    for before, after in zip(few, browser.js(looks.HEAPS), strict=True):
        spots = after["spots"]
        assert spots[: len(before["spots"])] == before["spots"]
        radius = after["radius"] * spots[0][2]
        assert (
            min(math.dist(one[:2], two[:2]) for one, two in itertools.combinations(spots, 2)) > 1.9 * radius
        )
        assert max(x for x, _, _ in spots) + radius < after["total"]
    assert browser.js(looks.SPILLED) == []


def test_numbers_grow_with_the_stones_that_fall(browser: Browser, hall: Served, feed: FakeFeed) -> None:
    """Kazan and card tell what lies there at every moment; the sum comes with the last stone."""
    feed.say(state(0))
    show(browser, hall)
    see(browser, 0)
    browser.js(looks.COUNT_ALONG, "bastaushy")
    feed.say(state(1))
    see(browser, 1)
    counted = browser.js("return window.counted")
    assert all(total == card == lying for total, card, lying in counted)
    assert counted[0][0] != counted[-1][0] == str(sowings()[0].after.kazans[0])


def _on_move(browser: Browser) -> list[str]:
    return list(browser.js(looks.ON_MOVE))


def test_the_turn_follows_the_running_clock(browser: Browser, hall: Served, feed: FakeFeed) -> None:
    """A press hands it over before the move is known; a standing clock leaves it to the position."""
    before, position = sowings()[2].after, sowings()[3].after
    feed.say(state(4, clock=clock_part(before)))
    show(browser, hall)
    see(browser, 4)
    browser.until(lambda: _on_move(browser) == ["qostaushy"] * 4, "the turn of the running clock")
    feed.say(state(4, n=1, clock=clock_part(position, running=False)))
    browser.until(lambda: _on_move(browser) == ["bastaushy"] * 3, "the position's turn")


@pytest.mark.parametrize(
    ("pause", "words"),
    [("presses_lost", _TEXTS["pause.presses_lost"]), ("Fire drill", "Fire drill"), (None, "")],
)
def test_a_suspended_game_says_why(
    browser: Browser, hall: Served, feed: FakeFeed, pause: str | None, words: str
) -> None:
    """Known reasons in the page's language, free words as they are."""
    feed.say(state(3))
    show(browser, hall)
    see(browser, 3)
    told = browser.later(looks.NOTICES, {}, {"phase": "suspended", "pause": pause})["pause"]
    assert told == [_TEXTS["phase.suspended"], words]
    assert browser.later(looks.NOTICES, {}, {"phase": "playing"})["pause"] is None


def test_a_result_in_free_words_is_told_as_it_is(browser: Browser, hall: Served, feed: FakeFeed) -> None:
    """An arbiter may write what happened."""
    feed.say(state(60, result=result("0-1", "Left the hall")))
    show(browser, hall)
    see(browser, 60)
    assert browser.text("[data-part=result-reason]").startswith("Left the hall \u00b7 ")


@pytest.mark.parametrize(
    ("presence", "change"),
    [
        ({"age_ms": 4500}, {}),
        ({"age_ms": 100}, {"watch": {"sensed": "no_device", "notes": []}}),
        ({"age_ms": 100, "reason": "hall"}, {}),
    ],
)
def test_a_clock_nobody_answers_for_is_marked(
    browser: Browser, hall: Served, feed: FakeFeed, presence: Any, change: Any
) -> None:
    """It goes on, but two missed signs of life dim it."""
    feed.say(state(3))
    show(browser, hall)
    see(browser, 3)
    assert "unsure" not in browser.later(looks.NOTICES, {"age_ms": 2500}, {})["classes"]
    assert "unsure" in browser.later(looks.NOTICES, presence, change)["classes"]
    dim = "document.body.classList.add('unsure'); return getComputedStyle(arguments[0]).opacity"
    running = browser.js("return document.querySelector('.clock.running')")
    assert float(browser.js(dim, running)) < 0.7


@pytest.mark.parametrize("page", ["board/b01", "boards"])
def test_the_language_can_be_switched(browser: Browser, hall: Served, feed: FakeFeed, page: str) -> None:
    """Whatever else the address asks for stays."""
    feed.say(state(3))
    for width, height in SIZES:
        browser.size(width, height, phone=min(width, height) < 500)
        browser.open(f"{hall.url}/{page}?bottom=b")
        visible = "[...document.querySelectorAll('.languages a')].filter((link) => link.offsetWidth)"
        browser.until(f"{visible}.length === 3", "the switch")
        assert browser.js(
            f"return {visible}.filter((link) => link.ariaCurrent).map((link) => link.lang)"
        ) == ["kk"]
    browser.js(f"{visible}.find((link) => link.lang === 'ru').click()")
    browser.until("document.documentElement.lang === 'ru'", "the other language")
    assert browser.js("return location.pathname + location.search") == f"/{page}?bottom=b&lang=ru"
