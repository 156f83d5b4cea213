"""Arbiters at their pages: a round begun with clicks, two at once who see what the other decided."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from rules.position import START, Side
from tests.firmware_bridge.display.browser import Browser, open_browser
from tests.firmware_bridge.hall.console.login import log_in
from tests.house.stage import PASSWORD, Stage, StageBoard
from tests.house.test_console import DUE, fits, kinds, miss

pytestmark = [pytest.mark.mosquitto, pytest.mark.browser]

B = Side.BASTAUSHY


@pytest.fixture
def pages(chromium: object) -> Iterator[list[Browser]]:
    """A laptop and a telephone."""
    del chromium
    with ExitStack() as opened:
        found = [opened.enter_context(open_browser()) for _ in range(2)]
        found[0].size(1400, 900)
        found[1].size(390, 844, phone=True)
        yield found
        for browser in found:
            assert [said for said in browser.complaints() if "401" not in said and "409" not in said] == []


def entered(stage: Stage, browser: Browser, name: str, role: str) -> None:
    """Let somebody open the console, and log in."""
    stage.account(name, role)
    browser.open(f"{stage.url}/console?lang=en")
    log_in(browser, name, PASSWORD)
    browser.until("document.querySelectorAll('.card').length > 0", "the boards")


def press(browser: Browser, selector: str) -> None:
    """Press what a selector names, as soon as it can be pressed."""
    browser.until(f"document.querySelector({selector!r} + ':not(:disabled)')", selector)
    browser.js("document.querySelector(arguments[0]).click()", selector)


def confirm(browser: Browser) -> None:
    """Say yes."""
    press(browser, "dialog[open] .primary")


def in_phase(board: StageBoard, *phases: str) -> Callable[[], bool]:
    """Return the question whether the game of a board is in one of these phases."""
    return lambda: board.lone.state()["phase"] in phases


def says_ready(board: StageBoard, side: Side) -> None:
    """Let a player press until he is ready; nothing counts before the board has checked the stones."""

    def ready() -> bool:
        board.press(side)
        time.sleep(0.3)
        return bool(board.lone.state()["ready"][side.index])

    board.lone.until("he is ready", ready)


def test_a_round_is_paired_given_out_and_started_with_clicks(
    tmp_path: Path, mosquitto: Path, pages: list[Browser]
) -> None:
    """Two rows are typed, both boards get their game; the one that is set up starts, whoever is there."""
    browser = pages[0]
    with Stage(tmp_path, mosquitto, boards=2, start="arbiter") as stage:
        for board in stage.boards.values():
            board.begin(play=False)
        entered(stage, browser, "Сәуле", "chief")
        browser.until("document.querySelectorAll('.card').length === 2", "both boards")
        press(browser, ".tabs button:nth-child(2)")
        for name, first, second in (("board-1", "Айдос", "Әсел"), ("board-2", "Ерлан", "Дана")):
            browser.js(
                "const inputs = document.querySelectorAll('.typed input');"
                "inputs.forEach((input, at) => (input.value = arguments[0][at]))",
                ["1", name, first, second],
            )
            browser.js("document.querySelector('.typed').requestSubmit(); document.activeElement.blur()")
            browser.until(f"document.querySelector('.games')?.textContent.includes('{first}')", first)
        press(browser, ".sheet-page .offers .primary")
        for board in stage.boards.values():
            board.lone.until("its game", in_phase(board, "setting_up", "ready"))
        ready = stage.boards[1]
        ready.lone.until("the stones", lambda: ready.lone.sensed("matches"))
        stage.boards[2].lay(START, {4: -1})
        stage.boards[2].lone.until("a stone lacks", lambda: stage.boards[2].lone.sensed("differs"))
        says_ready(ready, B)
        browser.until(
            "document.querySelector('.games')?.textContent.includes('Waiting for Әсел')", "who is not ready"
        )
        browser.until(
            "document.querySelector('.sheet-page .offers').textContent.includes('(set up: 1)')",
            "one is set up",
        )
        press(browser, ".sheet-page .offers .primary")
        assert "not set up yet: 1" in browser.text("dialog .line")
        assert ready.lone.state()["phase"] == "setting_up"
        confirm(browser)
        ready.lone.until("it plays", in_phase(ready, "playing"))
        browser.until(
            "document.querySelector('.toasts').textContent.includes('Started: 1 of 1')", "what came of it"
        )
        assert stage.boards[2].lone.state()["phase"] == "setting_up"
        assert fits(browser)


def test_two_arbiters_see_each_others_rulings_and_one_is_taken_back(
    tmp_path: Path, mosquitto: Path, pages: list[Browser]
) -> None:
    """The question of the second is closed when the first has answered; he sees by whom, and may undo it."""
    first, second = pages
    with Stage(tmp_path, mosquitto) as stage:
        stage.boards[1].begin()
        miss(stage)
        entered(stage, first, "Марат", "line")
        entered(stage, second, "Сәуле", "chief")
        for browser in pages:
            press(browser, ".card.loud")
            press(browser, "[data-offer=corrected]")
        confirm(first)
        second.until("!document.querySelector('dialog').open", "his question is over")
        assert "Already decided by Марат" in second.text(".toasts")
        for browser in pages:
            browser.until("document.querySelector('.log').textContent.includes('Марат')", "the ruling")
            browser.until("document.querySelector('.focus.resting')", "what comes next")
        assert kinds(stage)[1:3] == ["game_suspended", "position_ruled"]
        press(second, ".log .undo")
        for browser in pages:
            browser.until("document.querySelector('.case')", "it waits again")
            browser.until("document.querySelector('.log').textContent.includes('Сәуле')", "who took it back")
        ruled = [event for event in stage.boards[1].lone.events() if event["kind"] == "position_ruled"]
        assert [(event["decision"], event["by"]) for event in ruled] == [
            ("corrected", "Марат"), ("taken_back", "Сәуле"),
        ]  # fmt: skip
        assert stage.boards[1].lone.state()["position"]["pits"] == list(START.pits)


def test_an_order_about_what_is_gone_is_refused_and_said_so(
    tmp_path: Path, mosquitto: Path, pages: list[Browser]
) -> None:
    """He has asked before a move was played: nothing happens, and he is told to look again."""
    browser = pages[0]
    with Stage(tmp_path, mosquitto) as stage:
        board = stage.boards[1]
        board.begin()
        entered(stage, browser, "Сәуле", "chief")
        browser.until("document.querySelector('details.more summary')", "the board")
        browser.js("document.querySelector('details.more').open = true")
        browser.js(
            "const offers = [...document.querySelectorAll('.offer')];"
            "offers.find((each) => each.textContent === 'Enter moves').click()"
        )
        browser.js("document.querySelector('dialog input').value = '7:6'")
        _play(board)
        confirm(browser)
        browser.until("document.querySelector('.toast.bad')", "the refusal")
        assert "the board has moved on" in browser.text(".toast.bad")
        assert board.lone.state()["ply"] == 1


def test_who_was_called_says_whether_the_clocks_run(
    tmp_path: Path, mosquitto: Path, pages: list[Browser]
) -> None:
    """A call stops them (2.7.15); they stay stopped, or run again, as he taps; he is told whose they are."""
    browser = pages[1]
    with Stage(tmp_path, mosquitto) as stage:
        board = stage.boards[1]
        board.begin()
        entered(stage, browser, "Марат", "line")
        for key, phase in (("2", "suspended"), ("1", "playing")):
            board.lone.tell({"do": "call", "side": "qostaushy"})
            press(browser, ".card[data-need=called]")
            browser.until("document.querySelector('.focus.called .advice')", "what the rules say of a call")
            assert board.lone.state()["phase"] == "suspended"
            press(browser, f".focus.called [data-key='{key}']")
            confirm(browser)
            board.lone.until(phase, in_phase(board, phase))
            browser.until("!document.querySelector('.focus.called')", "it is answered")
            press(browser, "[data-part=back]")
            if phase == "suspended":
                _resumed(browser, board)
        answered = [event for event in board.lone.events() if event["kind"] == "call_answered"]
        assert [(event["by"], event["groundless"]) for event in answered] == [("Марат", False)] * 2


def _resumed(browser: Browser, board: StageBoard) -> None:
    """Let the clocks run again from the console."""
    press(browser, ".card")
    press(browser, ".focus.resting .primary")
    confirm(browser)
    board.lone.until("it plays", in_phase(board, "playing"))
    press(browser, "[data-part=back]")


def _play(board: StageBoard) -> None:
    """Let bastaushy play pit 7 as he should."""
    board.lay(DUE.after)
    board.lone.until("the stones", lambda: not board.lone.sensed("moving"))
    board.press(B)
    board.lone.until("the move", lambda: board.lone.state()["ply"] == 1)
