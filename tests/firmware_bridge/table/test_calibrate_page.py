"""Calibrating by big buttons, in a real browser: a simulated board behind the page's own program."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from firmware_bridge.calibrating.steps import LOADS, Step
from firmware_bridge.language import LANGUAGES
from firmware_bridge.table.calibrating import MOST_BYTES
from firmware_bridge.table.pages import load_pages
from firmware_bridge.table.settings import TableSettings
from sensors.simulator.world import ChannelFault
from tests.firmware_bridge.display.browser import Browser
from tests.firmware_bridge.table.calibrated import CalibratedBoard
from tests.firmware_bridge.table.fake_board import serving

WORDS: Final = load_pages().catalogues["en"]

LOOK: Final = """
const words = (name) => document.querySelector(`[data-part="${name}"]`).textContent;
const places = (name) => [...document.querySelectorAll(`[data-place].${name}`)]
  .map((at) => Number(at.dataset.place));
return {
  state: document.body.dataset.state, step: words("step"), told: words("do"), live: words("live"),
  number: words("number"),
  lines: [...document.querySelectorAll("[data-part=complaints] li")].map((line) => line.textContent),
  buttons: [...document.querySelectorAll("button")].map((button) => button.dataset.word),
  due: Object.fromEntries([...document.querySelectorAll("[data-place].due")]
    .map((at) => [at.dataset.place, Number(at.querySelector("b").textContent)])),
  wrong: places("wrong"), target: places("target"), good: places("good"),
};
"""

CUT_OFF: Final = """
const inside = (outer, inner) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1
  && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
const page = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
const shown = [...document.querySelectorAll("h1, h2, .number, .do, .live, button, [data-place]")]
  .filter((element) => element.textContent && element.getClientRects().length);
return shown
  .filter((element) => !inside(page, element.getBoundingClientRect())
    || (element.matches("button") && element.scrollWidth > element.clientWidth + 1))
  .map((element) => element.textContent);
"""
"""What does not lie whole on the screen; complaints may be scrolled to."""


@pytest.fixture
def board(tmp_path: Path) -> Iterator[CalibratedBoard]:
    """A board that can be calibrated."""
    with CalibratedBoard(tmp_path / "s") as running:
        yield running


@pytest.fixture
def url(board: CalibratedBoard) -> Iterator[str]:
    """The address of its page."""
    with serving(TableSettings(board_id="board-1", socket=board.path)) as address:
        yield address


def until(browser: Browser, what: str, **wanted: Any) -> dict[str, Any]:
    """Wait until the page says this."""

    def found() -> dict[str, Any] | None:
        look: dict[str, Any] = browser.js(LOOK)
        return look if all(look[key] == value for key, value in wanted.items()) else None

    look: dict[str, Any] = browser.until(found, what)
    return look


def click(browser: Browser, word: str) -> None:
    """Press a button once it is there."""
    press = "const button = document.querySelector(`button[data-word=${arguments[0]}]`); button?.click(); "
    browser.until(lambda: browser.js(press + "return Boolean(button);", word), f"the button {word}")


def said(board: CalibratedBoard, step: Step) -> None:
    """Let the hands do what a step asks."""
    marks = (3, 14) if step is Step.MARKS else ()
    board.act(lambda person: person.touch_all() if step is Step.TOUCH else person.lay(LOADS[step], marks))


@pytest.mark.browser
def test_a_board_is_calibrated_by_buttons_from_begin_to_keep(
    board: CalibratedBoard, url: str, browser: Browser
) -> None:
    """Every step says what to do and shows where stones are due; at the end the cells are spoken of."""
    browser.open(f"{url}/calibrate?lang=en")
    until(browser, "nothing yet", state="none", buttons=["begin"], lines=[])
    click(browser, "begin")
    look = until(browser, "the first step", step=WORDS["calibstep.empty"], number="Step 1 of 10")
    assert (look["told"], look["due"]) == (WORDS["calibdo.empty"], {})
    for step in Step:
        look = until(browser, step, step=WORDS[f"calibstep.{step}"], told=WORDS[f"calibdo.{step}"])
        if step in LOADS:
            due = {str(place): stones for place, stones in enumerate(LOADS[step]) if stones}
            assert look["due"] == due
        said(board, step)
        if step is not Step.TOUCH:
            click(browser, "next")
    look = until(browser, "the verdict", state="judged")
    assert look["lines"][0] == WORDS["calib.all_good"]
    assert look["buttons"] == ["cancel", "pause", "back", "next"]
    assert browser.text("button[data-word=next]") == WORDS["calibword.keep"]
    click(browser, "next")
    until(browser, "kept", state="none", live=WORDS["calib.page_kept"], buttons=["begin"])
    assert board.heard.count("next") == 10


@pytest.mark.browser
@pytest.mark.parametrize(
    ("language", "size"),
    [("kk", (800, 480)), *((language, (480, 320)) for language in LANGUAGES)],
    ids=str,
)
def test_what_is_wrong_is_told_with_its_place_and_nothing_is_cut_off(
    board: CalibratedBoard, url: str, browser: Browser, language: str, size: tuple[int, int]
) -> None:
    """A stuck converter; then a touch on the wrong place, and the touch that follows."""
    browser.size(*size)
    browser.open(f"{url}/calibrate?lang={language}")
    words = load_pages().catalogues[language]
    until(browser, "the beginning", told=words["calib.page_begin"])
    assert browser.js(CUT_OFF) == []
    click(browser, "begin")
    until(browser, "the first step", state="asking")
    board.act(lambda person: person.lay(LOADS[Step.EMPTY]))
    board.act(lambda person: person.world.set_fault(12, ChannelFault.STUCK))
    click(browser, "next")
    look = until(browser, "it is refused", state="refused", wrong=[12])
    assert look["lines"] == [words["calibwrong.stuck"].format(places="b4", channel=12)]
    assert browser.js(CUT_OFF) == []
    board.act(lambda person: person.world.set_fault(12, None))
    click(browser, "next")
    until(browser, "the next step", step=words["calibstep.touch"], target=[0])
    assert browser.js(CUT_OFF) == []
    board.act(lambda person: person.touch_all((0, 5)))
    look = until(browser, "a wrong touch", good=[0], wrong=[1], target=[2])
    assert look["live"].startswith(words["calib.felt_other"].format(place="a6"))
    click(browser, "repeat")
    until(browser, "the place again", target=[1], wrong=[])
    click(browser, "cancel")
    until(browser, "it is asked once more", target=[1])
    assert browser.text("button[data-word=cancel]") == words["calib.sure"]
    assert browser.js(CUT_OFF) == []
    assert "cancel" not in board.heard
    click(browser, "pause")
    until(browser, "put off", live=words["calib.page_paused"], buttons=["begin"])


@pytest.mark.browser
def test_a_game_under_way_and_a_board_that_is_gone_are_told(
    board: CalibratedBoard, url: str, browser: Browser
) -> None:
    """In words; the button stays."""
    board.refusing = "playing"
    browser.open(f"{url}/calibrate?lang=en")
    click(browser, "begin")
    wanted = WORDS["calibno.game"].format(phase=WORDS["phase.playing"])
    until(browser, "it is refused", live=wanted, buttons=["begin"])
    board.__exit__()
    until(browser, "the board is gone", live=WORDS["calibno.gone"], buttons=[])


def post(url: str, body: bytes, **headers: str) -> tuple[int, dict[str, Any]]:
    """Say something to the page's program."""
    request = urllib.request.Request(  # noqa: S310 - our own page
        f"{url}/calibrate/do", body, {"Content-Type": "application/json", **headers}, method="POST"
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310 - ditto
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def test_only_our_own_page_may_say_a_word_and_only_about_calibrating(
    board: CalibratedBoard, url: str
) -> None:
    """Another site is refused, a form, a flood, and what is no word; what asks for more is cut to this."""
    word = json.dumps({"step": "begin"}).encode()
    for headers in ({"Origin": "http://elsewhere.example"}, {"Content-Type": "text/plain"}):
        assert post(url, word, **headers) == (403, {"ok": False, "code": "calib_here", "why": "here"})
    assert post(url, b"{" * (MOST_BYTES + 1))[0] == 413
    for body in (b"", b"[]", b"{}", b'{"step": 5}', b"\xff"):
        assert post(url, body)[0] == 400
    assert board.heard == []
    status, answer = post(url, json.dumps({"step": "begin", "do": "end", "score": "1-0"}).encode())
    assert (status, answer["calibration"]["step"]) == (200, "empty")
    assert board.heard == ["begin"]


def test_nothing_on_the_tables_page_leads_there() -> None:
    """It is for arbiters: whoever wants it knows its address (house law 8)."""
    assert "calibrate" not in load_pages().template.template
