"""Chromium for tests: Debian's own, headless, with a fresh profile, never asking the network for anything.

Other tests may use it too: `with open_browser() as browser: browser.open(url) ...`, marked `browser`.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from tests.machine import find_chromium

_FLAGS: Final = (
    "--headless",
    "--no-sandbox",  # tests also run as root, inside a container
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--accept-lang=de",  # no page speaks it, so pages come in the hall's own language
)
_PATIENCE_S: Final = 30.0
_NETWORK = ("WebSocket connection to", "net::ERR_")  # what a stopped server makes the browser say


class Browser:
    """One window.

    Attributes:
        driver: Selenium's own, for what is not offered here.
    """

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(self, url: str) -> None:
        """Load a page."""
        self.driver.get(url)

    def size(self, width: int, height: int, *, phone: bool = False) -> None:
        """Give the page exactly so many CSS pixels."""
        facts = {"width": width, "height": height, "deviceScaleFactor": 2 if phone else 1, "mobile": phone}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", facts)

    def calm(self, *, reduced: bool) -> None:
        """Ask for little motion, as people may in their system's settings."""
        feature = {"name": "prefers-reduced-motion", "value": "reduce" if reduced else ""}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def js(self, body: str, *arguments: Any) -> Any:
        """Run the body of a function in the page and return what it returns."""
        return self.driver.execute_script(body, *arguments)

    def later(self, body: str, *arguments: Any) -> Any:
        """Run the body of a function whose last argument is to be called with the result."""
        return self.driver.execute_async_script(body, *arguments)

    def until(self, condition: Callable[[], Any] | str, what: str) -> Any:
        """Ask again and again, a function or a JavaScript expression, until the answer is true."""
        ends = time.monotonic() + _PATIENCE_S
        while True:
            found = self.js(f"return {condition}") if isinstance(condition, str) else condition()
            if found:
                return found
            assert time.monotonic() < ends, f"still not so: {what}"
            time.sleep(0.05)

    def text(self, selector: str) -> str:
        """Return the text of the first element of a CSS selector."""
        return str(self.js("return document.querySelector(arguments[0]).textContent", selector))

    def complaints(self) -> list[str]:
        """Return what the page has complained about since asked last, but for a server gone away."""
        entries = self.driver.get_log("browser")  # type: ignore[no-untyped-call] # selenium's
        messages = [f"{entry['level']} {entry['message']}" for entry in entries]
        return [message for message in messages if not any(known in message for known in _NETWORK)]

    def shot(self, path: Path) -> None:
        """Save what is on show as PNG."""
        self.driver.save_screenshot(str(path))


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Start a browser, and end it; a test that wears the marker `browser` has one or is skipped."""
    found = find_chromium()
    assert found is not None, "a test that opens a browser wears the marker `browser`"
    with tempfile.TemporaryDirectory(prefix="togyz-browser-", ignore_cleanup_errors=True) as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = str(found.browser)
        for flag in (*_FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service(str(found.driver)))
        driver.set_script_timeout(_PATIENCE_S)
        try:
            yield Browser(driver)
        finally:
            driver.quit()


@contextmanager
def window(browser: Browser, width: int, height: int) -> Iterator[Browser]:
    """Give a clean page of so many CSS pixels; what it has complained about fails the test."""
    browser.open("about:blank")
    browser.complaints()
    browser.size(width, height)
    yield browser
    assert browser.complaints() == []
