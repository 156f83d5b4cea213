"""How somebody gets into the console's page."""

from __future__ import annotations

from tests.firmware_bridge.display.browser import Browser


def log_in(browser: Browser, name: str, password: str) -> None:
    """Fill the login and send it."""
    browser.until(
        "document.querySelector('form.login') && !document.querySelector('form button').disabled", "a login"
    )
    fill = "const form = document.querySelector('form'); form.elements.name.value = arguments[0];"
    browser.js(f"{fill} form.elements.password.value = arguments[1]; form.requestSubmit()", name, password)
