"""The board page in a real browser, fed by a real hall."""

import itertools
import re
from functools import partial
from typing import Any

import pytest

from firmware_bridge.hall.pages import load_pages
from firmware_bridge.wire.payloads import NotePart, WatchPart
from rules import START, Position, Sowing, format_short, play
from tests.firmware_bridge.display import looks
from tests.firmware_bridge.display.browser import Browser
from tests.firmware_bridge.display.showing import SIZES, see, show
from tests.firmware_bridge.hall.fake_feed import FakeFeed
from tests.firmware_bridge.hall.plays import (
    avail,
    clock_part,
    last_part,
    position_part,
    result,
    sowings,
    state,
)
from tests.firmware_bridge.hall.serving import Served, serving, settings
from tests.rules.records import LEFT, SET

pytestmark = pytest.mark.browser


def _expected(game: list[Sowing], plies: int) -> dict[str, Any]:
    position = game[plies - 1].after if plies else START
    pits, kazans = list(position.pits), list(position.kazans)
    return {"pits": pits, "drawn_pits": pits, "kazans": kazans, "drawn_kazans": kazans, "totals": kazans}


def test_a_game_walks_over_the_page(browser: Browser, hall: Served, feed: FakeFeed) -> None:
    """Move by move, then over a gap: pits, kazans, tuzdyks, last move and score sheet are right."""
    game = sowings()
    feed.say(state(0))
    show(browser, hall)
    assert see(browser, 0).items() >= _expected(game, 0).items()
    for plies in (1, 2, 3, 4, 5, 6, 7, 8, 60):
        position = game[plies - 1].after
        feed.say(state(plies, clock=clock_part(position, rate=20.0)))  # the page hurries as well
        board = see(browser, plies)
        assert board.items() >= _expected(game, plies).items(), plies
        last = game[plies - 1]
        assert board["last"] == f"{last.side.value}:{last.number}"
        assert board["hops"] == len(last.path) - (last.stones > 1)
    assert board["tuzdyks"] == [[6, "qostaushy"], [12, "bastaushy"]]
    assert board["moves"][5:8] == ["5:7x", "2:4x", "6:9"]


def _lies(browser: Browser, placed: Position) -> bool:
    return bool(see(browser, 2)["drawn_pits"] == list(placed.pits))


def test_an_illegal_sowing_that_stands_is_on_the_sheet_and_what_it_left_on_the_board(
    browser: Browser, hall: Served, feed: FakeFeed
) -> None:
    """It has no path; a position that an arbiter sets has neither, and moves go on from it."""
    game = sowings()
    feed.say(state(1))
    show(browser, hall)
    see(browser, 1)
    words = f"{state(1).moves} 7/"
    for placed in (LEFT, SET):
        stood = state(2, moves=words, last=None, position=position_part(placed), seq=20 + placed.pits[3])
        feed.say(stood)
        browser.until(partial(_lies, browser, placed), "the stones lie there")
        board = see(browser, 2)
        assert (board["pits"], board["kazans"]) == (list(placed.pits), list(placed.kazans))
        assert (board["last"], board["hops"], board["moves"]) == (None, 0, [format_short(game[0]), "7/"])
        assert browser.js("return document.querySelector('[data-part=live]').textContent") == "Қостаушы: 7/"
    sown = play(SET, 6)
    after = state(3, moves=f"{words} 6:7", last=last_part(sown), position=position_part(sown.after), seq=40)
    feed.say(after)
    board = see(browser, 3)
    assert (board["drawn_pits"], board["last"]) == (list(sown.after.pits), "bastaushy:6")


def test_a_move_of_who_has_just_moved_leaves_a_place_empty(
    browser: Browser, hall: Served, feed: FakeFeed
) -> None:
    """An arbiter set a position in which it was his turn once more, and at first the other's."""
    feed.say(state(4, moves="7:6 9-8 5-5 7/", again=(1, 3), last=None))
    show(browser, hall)
    see(browser, 5)
    rows = browser.js("return [...document.querySelectorAll('.moves li')].map((row) => row.textContent)")
    assert rows == ["1.…7:6", "2.9-8", "3.5-57/"]


def test_stones_are_in_the_air_while_a_move_is_sown(browser: Browser, hall: Served, feed: FakeFeed) -> None:
    """A move that follows the one on show is played, not just replaced."""
    feed.say(state(0))
    show(browser, hall)
    see(browser, 0)
    browser.js(looks.COUNT_FLYING)
    feed.say(state(1))
    assert see(browser, 1).items() >= _expected(sowings(), 1).items()
    assert browser.js("return window.most") >= 9


def test_who_wants_little_motion_sees_none(browser: Browser, hall: Served, feed: FakeFeed) -> None:
    """The stones lie in their new places at once."""
    browser.calm(reduced=True)
    try:
        feed.say(state(0))
        show(browser, hall)
        see(browser, 0)
        browser.js("Element.prototype.animate = () => { throw new Error('moved'); };")
        feed.say(state(1))
        assert see(browser, 1).items() >= _expected(sowings(), 1).items()
    finally:
        browser.calm(reduced=False)


def test_the_control_is_shown_as_it_is(browser: Browser, hall: Served, feed: FakeFeed) -> None:
    """In words where they tell all, else as it is written; while a move's delay lasts the dial stands."""
    label = "[data-part=control]"
    feed.say(state(0))
    show(browser, hall, "?lang=en")
    see(browser, 0)
    assert browser.text(label) == "60 min"
    clock = clock_part(START, control="90m~1h/30+30m", moves_to_quota=(30, 30), delay_ms=3_600_000)
    feed.say(state(0, seq=50, clock=clock))
    browser.until(lambda: browser.text(label) == "90m~1h/30+30m", "the control of two periods")
    assert browser.text("[data-clock=bastaushy]") == "30:00"
    browser.js("window.before = performance.now()")
    browser.until("performance.now() - window.before > 1500", "a second and a half")
    assert browser.text("[data-clock=bastaushy]") == "30:00"


def test_a_game_without_a_clock_shows_none(browser: Browser, hall: Served, feed: FakeFeed) -> None:
    """No time, no control; whose turn it is all the same."""
    feed.say(state(1, clock=None))
    show(browser, hall)
    see(browser, 1)
    assert [browser.text(f"[data-clock={side}]") for side in ("bastaushy", "qostaushy")] == ["", ""]
    assert browser.text("[data-part=control]") == ""
    assert browser.js("return document.querySelector('.player.active').dataset.side") == "qostaushy"
    assert browser.complaints() == []


def test_clocks_run_smoothly_between_messages(browser: Browser, hall: Served, feed: FakeFeed) -> None:
    """Only the mover's runs; below twenty seconds it shows tenths, each once and in order."""
    feed.say(state(0, clock=clock_part(START, remaining_ms=(19_500, 900_000))))
    show(browser, hall)
    see(browser, 0)
    shown = browser.later(looks.EIGHT_CHANGES, "[data-clock=bastaushy]")
    seconds = [float(words.removeprefix("0:")) for words in shown]
    assert all(before > after for before, after in itertools.pairwise(seconds))
    assert max(before - after for before, after in itertools.pairwise(seconds)) < 2
    assert browser.text("[data-clock=qostaushy]") == "15:00"


def test_a_flag_that_falls_at_zero_is_shown(browser: Browser, hall: Served, feed: FakeFeed) -> None:
    """The dial's words stand then, and the mark comes all the same."""
    feed.say(state(0, clock=clock_part(START, remaining_ms=(0, 900_000))))
    show(browser, hall)
    see(browser, 0)
    browser.until(lambda: browser.text("[data-clock=bastaushy]") == "0:00.0", "the zero")
    feed.say(state(0, n=1, clock=clock_part(START, remaining_ms=(0, 900_000), flagged=(True, False))))
    browser.until(
        "document.querySelector('[data-clock=bastaushy]').classList.contains('flagged')", "the flag"
    )
    assert not browser.js(
        "return document.querySelector('[data-clock=qostaushy]').classList.contains('flagged')"
    )


def test_a_silent_or_absent_board_is_marked_with_its_age(
    browser: Browser, hall: Served, feed: FakeFeed
) -> None:
    """Nobody may take an old picture for a fresh one."""
    feed.say(state(3))
    show(browser, hall)
    browser.until("document.querySelector('[data-link]')?.dataset.link === 'fresh'", "a fresh picture")
    assert not browser.js("return document.body.classList.contains('stale')")
    feed.say(avail(online=False))
    browser.until("document.body.classList.contains('stale')", "the warning")
    badge = browser.until(
        "/\\d/.test(document.querySelector('[data-link=offline]')?.textContent)"
        " && document.querySelector('[data-link]').textContent",
        "the age",
    )
    assert load_pages().catalogues["kk"]["link.offline"] in badge
    feed.say(avail(online=True))
    browser.until("!document.body.classList.contains('stale')", "the all-clear")


def test_the_page_comes_back_by_itself_after_the_hall(browser: Browser, feed: FakeFeed) -> None:
    """The hall dies, the game goes on, the hall returns: the page shows the game as it is now."""
    feed.say(state(3))
    with serving(feed, settings()) as hall:
        show(browser, hall)
        see(browser, 3)
        browser.js("window.same = true")
    browser.until("document.querySelector('[data-link=reconnecting]')", "the loss")
    feed.say(state(9))
    with serving(feed, settings(port=hall.port)):
        assert see(browser, 9).items() >= _expected(sowings(), 9).items()
        browser.until("document.querySelector('[data-link=fresh]')", "the all-clear")
        assert browser.js("return window.same"), "the page was loaded anew"


def test_a_board_not_yet_seen_appears_by_itself(browser: Browser, hall: Served, feed: FakeFeed) -> None:
    """The first page waits for the first board, and so does a board's own page."""
    browser.open(f"{hall.url}/?lang=en")
    browser.until("!document.querySelector('.none').hidden", "the empty list")
    feed.say(avail(online=True))
    browser.until("location.pathname === '/board/b01'", "the only board's page")
    browser.until("getComputedStyle(document.querySelector('.waiting')).display !== 'none'", "the waiting")
    feed.say(state(2))
    see(browser, 2)
    browser.until("getComputedStyle(document.querySelector('.waiting')).display === 'none'", "the board")


@pytest.mark.parametrize("language", ["kk", "ru", "en"])
def test_the_page_speaks_its_language(browser: Browser, hall: Served, feed: FakeFeed, language: str) -> None:
    """Titles, sides, phase, result and labels come from the catalogue."""
    texts = load_pages().catalogues[language]
    notes = tuple(
        NotePart(code=code, pit=3, detail="") for code in ("not_set_up", "not_set_up", "board_differs")
    )
    feed.say(state(60, result=result("0-1", "atsyrau"), watch=WatchPart(sensed="differs", notes=notes)))
    show(browser, hall, f"?lang={language}")
    see(browser, 60)
    assert browser.text("h1") == texts["app.title"]
    assert browser.text("[data-part=phase]") == texts["phase.ended"]
    # Said once; that stones lie wrongly is for the arbiter, not for a screen the players see (house law 8).
    assert browser.text("[data-part=watch]") == texts["note.not_set_up"]
    assert browser.text("[data-part=result-head]") == texts["result.qostaushy"]
    assert texts["reason.atsyrau"] in browser.text("[data-part=result-reason]")
    label = browser.js("return document.querySelector('[data-pit=\"6\"]').getAttribute('aria-label')")
    names = {"side": texts["side.bastaushy"], "owner": texts["side.qostaushy"], "name": texts["pit.7"]}
    assert label == texts["aria.tuzdyk"].format(n=7, **names)
    assert browser.js("return document.querySelector('[data-side=qostaushy]').classList.contains('winner')")
    heard = """return document.body.innerText + ' ' + [...document.querySelectorAll('[aria-label]')]
        .map((element) => element.getAttribute('aria-label')).join(' ')"""
    assert set(re.findall(r"[a-z]+(?:\.\w+)+", browser.js(heard))) & texts.keys() == set()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_everything_is_in_sight_on_every_screen(
    browser: Browser, hall: Served, feed: FakeFeed, width: int, height: int
) -> None:
    """No scrollbar, nothing cut off, and stones that do not leave their pits."""
    feed.say(
        state(60, result=result("1/2-1/2", "agreement"), names=("Мұхаммедқалиұлы Абылайхан-Нұрсұлтан", "W"))
    )
    browser.size(width, height, phone=min(width, height) < 500)
    show(browser, hall)
    see(browser, 60)
    assert browser.js(looks.SIZES) == [width, height, width, height]
    parts = "[data-pit], [data-kazan], [data-clock], h2, [data-part=result], .moves .latest, .player .stones"
    assert browser.js(looks.OUT_OF_SIGHT, parts) == []
    assert browser.js(looks.SPILLED) == []


@pytest.mark.parametrize(
    ("query", "below"), [("", "bastaushy"), ("?bottom=b", "qostaushy"), ("?bottom=a", "bastaushy")]
)
def test_the_seat_at_the_lower_edge_can_be_chosen(
    browser: Browser, hall: Served, feed: FakeFeed, query: str, below: str
) -> None:
    """Rows, kazans and players turn together; each kazan lies in the opponent's half."""
    feed.say(state(1))
    show(browser, hall, query)
    see(browser, 1)
    at = browser.js(looks.HEIGHTS)
    assert (at["pit 0"] > at["pit 9"]) is (below == "bastaushy")
    assert (at["clock bastaushy"] > at["clock qostaushy"]) is (below == "bastaushy")
    assert (at["kazan bastaushy"] < at["kazan qostaushy"]) is (below == "bastaushy")


def _counts(browser: Browser, hall: Served) -> list[str]:
    show(browser, hall, "?show_counts=true")
    see(browser, 1)
    return list(browser.js("return [...document.querySelectorAll('.pit-count')].map((e) => e.textContent)"))


def test_counts_of_pits_are_not_written_unless_the_hall_says_so(
    browser: Browser, hall: Served, feed: FakeFeed
) -> None:
    """Players can see the screen, and the page's address changes nothing."""
    feed.say(state(1))
    assert _counts(browser, hall) == [""] * 18


def test_counts_of_pits_are_written_when_the_hall_says_so(browser: Browser, feed: FakeFeed) -> None:
    """An event may want them; an empty pit needs no number."""
    feed.say(state(1))
    with serving(feed, settings(show_counts=True)) as hall:
        assert _counts(browser, hall) == [str(stones or "") for stones in sowings()[0].after.pits]
