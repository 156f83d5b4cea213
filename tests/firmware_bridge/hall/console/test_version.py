"""A board of another version is shown to the arbiters, and plays on."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_bridge.hall.console.views import _version
from firmware_bridge.hall.pages import load_pages
from firmware_bridge.wire.payloads import MetaPayload
from firmware_bridge.wire.version import CONTRACT_VERSION, SOFTWARE
from tests.firmware_bridge.display.browser import Browser
from tests.firmware_bridge.hall.console.forty import Hall
from tests.firmware_bridge.hall.plays import EVENT


def meta(board: str, **more: Any) -> MetaPayload:
    """Return what a board of this very version says of itself; `more` replaces fields."""
    facts = {
        "event": EVENT, "board": board, "game": None, "boot": 1, "seq": 1, "ply": 0, "ts": 1,
        "software": SOFTWARE, "protocol": "tk/1", "language": "kk", "device": None,
        "contract": CONTRACT_VERSION,
    }  # fmt: skip
    return MetaPayload(**{**facts, **more})


@pytest.mark.parametrize(
    ("said", "due"),
    [
        ({}, None),
        ({"contract": ""}, None),
        ({"contract": "1.99.0"}, ("minor", "1.99.0", CONTRACT_VERSION)),
        ({"contract": "2.0.0"}, ("contract", "2.0.0", CONTRACT_VERSION)),
        ({"software": "other 9"}, ("software", "other 9", SOFTWARE)),
        ({"software": "other 9", "contract": ""}, ("software", "other 9", SOFTWARE)),
    ],
)
def test_what_the_arbiter_is_told_is_the_gravest_difference(
    said: dict[str, str], due: tuple[str, str, str] | None
) -> None:
    """With both versions; a board that says nothing of its contract is not accused for it."""
    told = _version(meta("b01", **said).model_dump(mode="json"))
    assert told == (None if due is None else dict(zip(("kind", "theirs", "ours"), due, strict=True)))
    assert _version(None) is None


@pytest.mark.browser
@pytest.mark.parametrize("language", ["kk", "ru", "en"])
def test_a_board_of_another_version_is_shown_in_the_list_and_in_its_view(
    browser: Browser, forty: Hall, language: str
) -> None:
    """In the reader's language; a board of the same version is not, and both play on."""
    forty.enter(browser, f"?lang={language}")
    forty.feed.say(meta("b05", contract="1.99.0"))
    forty.feed.say(meta("b06"))
    text = load_pages().console_texts[language]["version.minor"]
    due = text.replace("{theirs}", "1.99.0").replace("{ours}", CONTRACT_VERSION)
    browser.until("document.querySelector(`.card[data-board='b05'] .version`)", "the mark in the list")
    assert browser.js("return document.querySelector(`.card[data-board='b05'] .version`).title") == due
    assert browser.js("return document.querySelector(`.card[data-board='b06'] .version`)") is None
    browser.js("document.querySelector(`.card[data-board='b05']`).click()")
    browser.until(lambda: browser.text(".other-version") == due, due)
