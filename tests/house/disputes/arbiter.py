"""An arbiter at the console in a browser: he looks, taps and confirms, as a finger does."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select

from tests.firmware_bridge.display.browser import Browser

PATIENCE_S = 30.0
_NOT_YET = (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)
"""What a page says that is being drawn anew at this moment, or has not got there."""

SENDING = "Telling the board…"

Found = TypeVar("Found")


class Arbiter:
    """Somebody who has logged in, before a wide screen in English.

    Args:
        browser: His window.
        url: Where the hall answers.
    """

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser = browser
        self._url = url

    def log_in(self, name: str, password: str) -> None:
        """Open the console and let him in."""
        self.browser.size(1280, 1000)
        self.browser.open(f"{self._url}/console?lang=en")
        self._types("form [name=name]", name)
        self._types("form [name=password]", password)
        self.clicks("form button")
        self.browser.until("document.querySelector('[data-part=cards]') !== null", "the console")

    # --- what he sees -----------------------------------------------------------------------------

    def sees_first(self, board: str, need: str) -> str:
        """Wait until a board stands on top of the list for this reason; return what its card says."""
        card = f".card[data-board='{board}'][data-need='{need}']"
        first = f"document.querySelector('.cards .card')?.matches(\"{card}\")"
        self.browser.until(first, f"{board} first, for {need}")
        return self.browser.text(card)

    def opens(self, board: str) -> None:
        """Open a board from the list."""
        self.clicks(f".card[data-board='{board}']")
        self.browser.until(f"document.querySelector('.view').dataset.board === '{board}'", f"{board} on show")

    def finds_first(self, board: str, need: str) -> str:
        """Wait until a board stands on top of the list for this reason, and open it; return what it said."""
        said = self.sees_first(board, need)
        self.opens(board)
        return said

    def reads(self, selector: str) -> str:
        """Return the text of something that is on the page; it comes soon if it is not there yet."""
        return self._soon(f"to read {selector}", lambda: self._find(selector).text)

    def sees(self, selector: str, words: str) -> None:
        """Wait until something on the page says these words."""
        ends = time.monotonic() + PATIENCE_S
        while words not in self.reads(selector):
            assert time.monotonic() < ends, f"{words!r} is not said by {selector}: {self.reads(selector)!r}"
            time.sleep(0.05)

    def sees_chip(self, board: str, need: str, words: str) -> None:
        """Wait until the card of a board says that it needs this, as a code and in words."""
        self.sees(f".card[data-board='{board}'][data-need='{need}'] .need", words)

    def dials(self) -> tuple[str, str]:
        """Return what both dials of the board on show say."""
        dial = ".view .player[data-side={}] .dial"
        first, second = (self.reads(dial.format(side)) for side in ("bastaushy", "qostaushy"))
        return first, second

    def asks(self, path: str) -> dict[str, Any]:
        """Return what the console's own address answers him."""
        body = (
            "const [path, done] = arguments; fetch(`/api/console${path}`).then((it) => it.json()).then(done)"
        )
        found: dict[str, Any] = self.browser.later(body, path)
        return found

    def warnings(self) -> list[str]:
        """Open the list of warnings, read its rows, and come back to the boards."""
        self.clicks("[data-part=tabs] button:nth-child(3)")
        self.browser.until("document.body.dataset.tab === 'warnings'", "the list of warnings")
        found = "[...document.querySelectorAll('.sheet-page tr')]"
        rows: list[str] = self.browser.js(f"return {found}.map((row) => row.innerText)")
        self.clicks("[data-part=tabs] button:nth-child(1)")
        self.browser.until("document.body.dataset.tab === 'boards'", "the boards")
        return rows

    # --- what he does -----------------------------------------------------------------------------

    def taps(self, selector: str, *, confirms: bool = True) -> str:
        """Tap a button of the board on show and confirm it; return what he was asked.

        Args:
            selector: The button, as CSS.
            confirms: Whether he confirms: the question stays open otherwise.
        """
        self.clicks(f".view {selector}")
        asked = self.reads("dialog.confirm[open]")
        if confirms:
            self.confirms()
        return asked

    def taps_words(self, words: str, *, confirms: bool = True) -> str:
        """Tap the button of the board on show that says these words, unfolding what is folded; confirm it."""
        self._soon(f"to tap {words!r}", lambda: self._click_words(words))
        asked = self.reads("dialog.confirm[open]")
        if confirms:
            self.confirms()
        return asked

    def fills(self, *values: str | None) -> None:
        """Fill the fields of the open question in order; None leaves one as it is, `yes` ticks a box."""
        for nth, value in enumerate(values):
            if value is not None:
                self._soon(f"to fill field {nth}", partial(self._fill, nth, value))

    def _fill(self, nth: int, value: str) -> None:
        field = self._all("dialog.confirm[open] label :is(input, select)")[nth]
        if field.tag_name == "select":
            Select(field).select_by_value(value)
        elif field.get_attribute("type") == "checkbox":
            if field.is_selected() != (value == "yes"):
                field.click()
        else:
            field.send_keys(Keys.CONTROL, "a")
            field.send_keys(value)

    def resumes(self) -> None:
        """See that the stones of the board on show lie right, and let the clocks run again."""
        self.sees(".view .focus", "lie right")
        self.taps(".focus .primary")

    def ends(self, score: str, reason: str) -> None:
        """End the game of the board on show."""
        self.taps_words("End the game", confirms=False)
        self.fills(score, reason)
        self.confirms()

    def confirms(self) -> None:
        """Confirm, and wait until the board has done it."""
        said = self._sends()
        assert "bad" not in said["kinds"], said["words"]

    def is_refused(self, words: str) -> None:
        """Confirm, and be told with these words that the board does it not."""
        said = self._sends()
        assert "bad" in said["kinds"], said["words"]
        assert words in said["words"], said["words"]
        assert all("409 (Conflict)" in each for each in self.browser.complaints())

    def _sends(self) -> dict[str, str]:
        self.browser.js("document.querySelectorAll('.toast').forEach((toast) => toast.remove())")
        self.clicks("dialog.confirm[open] .primary")
        self.browser.until("!document.querySelector('dialog.confirm').open", "the question is closed")
        said: dict[str, str] = self.browser.until(self._said, "what came of it is said")
        return said

    def clicks(self, selector: str) -> None:
        """Click, as soon as it can be clicked."""

        def click() -> None:
            found = self._find(selector)
            if not found.is_enabled():
                raise ElementNotInteractableException(f"{selector} is disabled")
            found.click()

        self._soon(f"to click {selector}", click)

    # --- within -----------------------------------------------------------------------------------

    def _said(self) -> dict[str, str] | None:
        """Return the newest note at the edge of the page, once it is no longer about what is being done."""
        note = "const note = [...document.querySelectorAll('.toast')].at(-1);"
        told = "{ words: note.querySelector('span').textContent, kinds: note.className }"
        found: dict[str, str] | None = self.browser.js(f"{note} return note ? {told} : null")
        return None if found is None or found["words"] == SENDING else found

    def _types(self, selector: str, words: str) -> None:
        self._soon(f"to type into {selector}", lambda: self._find(selector).send_keys(words))

    def _click_words(self, words: str) -> None:
        more = self._find(".view details.more")
        if not more.get_attribute("open"):
            more.find_element(By.CSS_SELECTOR, "summary").click()
            more = self._find(".view details.more")
        buttons = [each for each in self._all(".view button.offer") if words in each.text]
        if not buttons:
            raise NoSuchElementException(f"no button says {words!r}")
        buttons[0].click()

    def _find(self, selector: str) -> WebElement:
        return self.browser.driver.find_element(By.CSS_SELECTOR, selector)

    def _all(self, selector: str) -> list[WebElement]:
        return self.browser.driver.find_elements(By.CSS_SELECTOR, selector)

    def _soon(self, what: str, done: Callable[[], Found]) -> Found:
        """Do something as soon as the page lets him."""
        ends = time.monotonic() + PATIENCE_S
        while True:
            try:
                return done()
            except _NOT_YET as error:
                if time.monotonic() > ends:
                    raise AssertionError(f"the page gave no way {what}: {error.msg}") from error
                time.sleep(0.05)
