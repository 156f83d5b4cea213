"""The whole walk, seen where people see it: a real game from emulated hands to a page in Chromium."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.emulator.records import bundled_record
from rules.notation.moves import format_short
from rules.position import START, Position
from tests.firmware_bridge.display.browser import Browser, open_browser
from tests.firmware_bridge.display.looks import BOARD
from tests.house.rig import Rig, rig

GAME = bundled_record("2009")
PLIES = 8
POSITIONS: list[Position] = [START, *(sowing.after for sowing in GAME.sowings)]
TEXTS = [format_short(sowing) for sowing in GAME.sowings]


@pytest.fixture
def browser() -> Iterator[Browser]:
    """A window of hall-screen size."""
    with open_browser() as window:
        window.size(1920, 1080)
        window.calm(reduced=True)  # each picture is then exactly one position
        yield window


def _seconds(clock: str) -> float:
    """Return a clock's text in seconds: `1:59:58`, `59:58`, `0:12.3`."""
    total = 0.0
    for part in clock.split(":"):
        total = total * 60 + float(part)
    return total


def _check_picture(look: dict[str, Any]) -> int:
    """Check one picture against the rules; return how many plies it shows."""
    plies = len(look["moves"])
    position = POSITIONS[plies]
    assert look["moves"] == TEXTS[:plies]
    assert look["pits"] == look["drawn_pits"] == list(position.pits)
    assert look["kazans"] == look["drawn_kazans"] == look["totals"] == list(position.kazans)
    if plies:
        sowing = GAME.sowings[plies - 1]
        assert look["last"] == f"{sowing.side.value}:{sowing.number}"
        assert look["hops"] == len(sowing.path) - (sowing.stones > 1)
    return plies


@pytest.mark.browser
def test_a_game_arrives_on_the_page_move_by_move(tmp_path: Path, browser: Browser) -> None:
    """Pits, kazans, clocks and last move are right in every picture from the first ply to the last."""
    moves = " ".join(TEXTS[:PLIES])
    with rig(tmp_path, moves, speed=8, pace="human") as table:
        browser.open(f"{table.url}/board/board-1")
        seen: set[int] = set()
        ends = time.monotonic() + 120
        while PLIES not in seen:
            assert time.monotonic() < ends, f"only these plies came: {sorted(seen)}"
            look = browser.js(BOARD)
            if look["flying"] == 0 and None not in look["pits"]:
                seen.add(_check_picture(look))
            time.sleep(0.1)
        assert len(seen) > PLIES * 3 / 4, "nearly every position was seen on its own"
        _check_clocks(browser, table)
        assert browser.complaints() == []
        if shots := os.environ.get("TOGYZ_SHOTS"):
            browser.shot(Path(shots) / "whole-walk.png")


def _check_clocks(browser: Browser, table: Rig) -> None:
    """The page's clocks agree with the hall's, and the running one runs."""
    state = table.state()
    running = state["clock"]["running"]
    assert running is not None
    before = {side: _seconds(browser.text(f'[data-clock="{side}"]')) for side in ("bastaushy", "qostaushy")}
    for side, left_ms in zip(("bastaushy", "qostaushy"), table.state()["clock"]["remaining_ms"], strict=True):
        # Eight table seconds pass in one second of the wall.
        assert abs(before[side] - left_ms / 1000) < 12
    time.sleep(1.5)
    after = {side: _seconds(browser.text(f'[data-clock="{side}"]')) for side in before}
    other = "qostaushy" if running == "bastaushy" else "bastaushy"
    assert after[other] == before[other]
    assert 4 < before[running] - after[running] < 40


@pytest.mark.browser
def test_the_page_is_right_again_after_the_broker_and_the_board_have_died(
    tmp_path: Path, browser: Browser
) -> None:
    """Nobody reloads anything."""
    moves = " ".join(TEXTS[:7])
    with rig(tmp_path, moves, speed=8, pace="brisk") as table:
        browser.open(f"{table.url}/board/board-1")
        browser.until(lambda: len(browser.js(BOARD)["moves"]) >= 3, "three plies on the page")
        table.kill("broker")
        table.kill("board")
        browser.until("document.querySelector('.board-page, body') !== null", "the page stands")
        table.start_broker()
        table.start_board()
        browser.until(lambda: len(browser.js(BOARD)["moves"]) == 7, "the whole game on the page")
        assert _check_picture(browser.js(BOARD)) == 7
