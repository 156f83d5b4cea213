"""Opening the page of a board, and waiting until it shows a move."""

from typing import Any, Final

from tests.firmware_bridge.display import looks
from tests.firmware_bridge.display.browser import Browser
from tests.firmware_bridge.hall.serving import Served

SIZES: Final = ((1920, 1080), (1366, 768), (390, 844), (844, 390))
"""Windows in CSS pixels: a hall screen, a laptop, a telephone held upright and lying."""


def show(browser: Browser, hall: Served, query: str = "") -> None:
    """Open the page of the board."""
    browser.open(f"{hall.url}/board/b01{query}")


def see(browser: Browser, plies: int) -> dict[str, Any]:
    """Wait until the move is on show and all its stones lie still."""

    def found() -> dict[str, Any] | None:
        board = browser.js(looks.BOARD) if browser.js("return document.body.dataset.version") else None
        still = board is not None and len(board["moves"]) == plies and not board["flying"]
        return board if still else None

    board: dict[str, Any] = browser.until(found, f"{plies} moves on show")
    return board
