"""At the board: buttons, lamps, buzzer, the table's page; real processes, without hall, broker or network."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.commands.processes import Crew, Member
from rules.position import START, play
from tests.firmware_bridge.display.browser import Browser, open_browser
from tests.firmware_bridge.table.test_table_page import LOOK, WORDS
from tests.house.lone_board import CONFIG, NINE_EACH, LoneBoard

pytestmark = pytest.mark.browser

PATIENCE_S = 60.0

AWAY = """
[broker]
host = "127.0.0.1"
port = 1
[table]
port = 0
"""
"""Nobody listens there: what works with this needs no network."""

EMULATED = (
    """\
[board]
id = "board-1"
state_dir = "state"
[device]
port = "device"
[calibration]
file = "calibration.json"
[game]
bastaushy = "Айдос"
qostaushy = "Әсел"
start = "both_ready"
[conduct]
misplaced_offer = "stands"
[layout]
button_call_a = 3
button_call_b = 4
button_draw_a = 5
button_draw_b = 6
[alerts]
call = ["arbiter", "lamp", "page", "sound"]
[emulator]
pace = "leisurely"
profile = "clean"
"""
    + AWAY
)


@pytest.fixture
def browser() -> Iterator[Browser]:
    """A window of the size of a small screen."""
    with open_browser() as window:
        window.size(800, 480)
        yield window


def opened(browser: Browser, table: Member) -> None:
    """Open the page of a table's program, and wait until it shows the board."""
    url = table.wait_for("table: ", PATIENCE_S).removeprefix("table: ").strip()
    browser.open(f"{url}/?lang=en")
    browser.until("document.querySelector('.half[data-side]') !== null", "the board is on the page")


def until(browser: Browser, what: str, **wanted: Any) -> dict[str, Any]:
    """Wait until the page says this."""

    def found() -> dict[str, Any] | None:
        look: dict[str, Any] = browser.js(LOOK)
        return look if all(look[key] == value for key, value in wanted.items()) else None

    look: dict[str, Any] = browser.until(found, what)
    return look


def told(emulator: Member, word: str) -> dict[str, Any]:
    """Return the next event of the emulator that holds a word."""
    found: dict[str, Any] = json.loads(emulator.wait_for(word, PATIENCE_S))
    return found


def events(folder: Path) -> list[dict[str, Any]]:
    """Return the events of the journal."""
    lines = (folder / "state/board-1/journal.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["event"] for line in lines]


def test_players_call_and_agree_by_button_and_the_page_says_so(tmp_path: Path, browser: Browser) -> None:
    """From the emulated finger over the serial line to journal, lamps, buzzer and page, and to the end."""
    config = tmp_path / "board.toml"
    config.write_text(EMULATED, encoding="utf-8")
    with Crew(tmp_path) as crew:
        emulator = crew.start("emulate", config, "--commands", obeys=True)
        emulator.wait_for('"ready"', PATIENCE_S)
        crew.start("board", config)
        opened(browser, crew.start("table", config))
        until(browser, "the game has begun", notice="Game in progress", running="bastaushy")
        emulator.tell("call b")
        assert told(emulator, '"buzzer"')["sound"] == "one tone"
        assert told(emulator, '"blink": ["arbiter"]')["on"] == ["attention"]
        until(browser, "the call", notice=WORDS["alert.call"])
        emulator.tell("draw a")
        told(emulator, '"blink": ["side_b", "arbiter"]')
        until(browser, "the offer", words=[WORDS["table.draw_waits"], WORDS["table.draw_answer"]])
        emulator.tell("draw b")
        until(browser, "the draw", notice="Draw · ½ : ½ · By agreement", running=None)
        assert browser.complaints() == []
    found = {event["kind"]: event for event in events(tmp_path)}
    assert (found["arbiter_called"]["side"], found["arbiter_called"]["press"]["number"]) == ("qostaushy", 3)
    assert [found["draw_offered"]["side"], found["draw_answered"]["side"]] == ["bastaushy", "qostaushy"]


def stones_of(*changes: tuple[int, int]) -> list[int]:
    """Return what lies on the board after 7:6, with stones more or less at some places."""
    after = play(START, 7).after
    stones = [*after.pits, *after.kazans]
    for place, more in changes:
        stones[place] += more
    return stones


class Lying(threading.Thread):
    """A device that goes on saying what lies on the board, and who it is.

    Attributes:
        stones: What lies there.
        pressed: A clock button to be pressed; None: none.
    """

    def __init__(self, board: LoneBoard) -> None:
        """Begin with nine stones in each pit."""
        super().__init__(name="device")
        self.stones: list[int] = list(NINE_EACH)
        self.pressed: int | None = None
        self._board = board
        self._ended = threading.Event()

    def run(self) -> None:
        """Speak until ended."""
        while not self._ended.is_set():
            device, pressed = self._board.device, self.pressed
            device.raw(device.hello())
            if pressed is not None:
                self.pressed = None
                device.raw(device.press(pressed))
            device.show(self.stones, 0.4)

    def end(self) -> None:
        """Fall silent."""
        self._ended.set()
        self.join()


def kinds(board: LoneBoard) -> list[str]:
    """Return the kinds of what happened."""
    return [event["kind"] for event in board.events()]


@pytest.mark.parametrize("page", [True, False])
def test_what_is_wrong_reaches_the_page_only_by_a_route_and_leaves_when_it_is_right(
    tmp_path: Path, browser: Browser, *, page: bool
) -> None:
    """A capture left lying, seen by the cells; then the board's program is killed, and comes back."""
    route = '["arbiter", "page"]' if page else '["arbiter"]'
    with LoneBoard(tmp_path, f"{CONFIG}[alerts]\ninfraction = {route}\n{AWAY}") as board:
        board.start_game()
        lying = Lying(board)
        lying.start()
        try:
            opened(browser, board._crew.start("table", board.config))
            _offended_and_put_right(board, lying, browser, page=page)
        finally:
            lying.end()
        assert browser.complaints() == []


def _offended_and_put_right(board: LoneBoard, lying: Lying, browser: Browser, *, page: bool) -> None:
    """See a capture left lying told or not, through a death of the board's program, until it is right."""
    lying.stones = stones_of((14, 10), (18, -10))
    time.sleep(1.0)  # as long as hands rest before they press
    lying.pressed = 0
    board.until("the infraction", lambda: "infraction_seen" in kinds(board))
    if page:
        browser.until(lambda: browser.js(LOOK)["ways"], "what is wrong")
        (way,) = browser.js(LOOK)["ways"]
        assert way["fault"] == WORDS["fault.capture_not_taken"]
        assert way["changes"] == {"14": "−10", "18": "+10"}
    board.process.process.kill()
    until(browser, "the board is gone", gone="board", unsure=True)
    assert len(browser.js(LOOK)["ways"]) == page
    board.restart()
    until(browser, "the board is back", gone=None)
    board.until("the device is heard", lambda: not board.sensed("no_device"))
    browser.until(lambda: len(browser.js(LOOK)["ways"]) == page, "the same as before")
    lying.stones = stones_of()
    board.until("put right", lambda: "infraction_closed" in kinds(board))
    until(browser, "nothing is wrong any more", ways=[], running="qostaushy")
