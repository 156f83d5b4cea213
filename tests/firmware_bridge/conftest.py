"""Every message a test lets the house write is held to the shipped schemas; all pages share one browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_bridge.wire import payloads
from tests.firmware_bridge.contract.shapes import check_payload
from tests.firmware_bridge.display.browser import Browser, open_browser

_bounded = payloads._bounded
_faults: list[str] = []


def _checked(payload: payloads.Payload, data: bytes) -> bytes:
    written = _bounded(payload, data)
    try:
        check_payload(payload, written)
    except AssertionError as error:
        _faults.append(str(error))
        raise
    return written


@pytest.fixture(scope="session", autouse=True)
def _hold_messages_to_the_contract() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(payloads, "_bounded", _checked)
        yield


@pytest.fixture(autouse=True)
def _no_message_was_wrong(_hold_messages_to_the_contract: None) -> Iterator[None]:
    """A fault that a task swallowed fails its test all the same."""
    _faults.clear()
    yield
    assert _faults == []


@pytest.fixture(scope="session")
def shared_browser() -> Iterator[Browser]:
    """One browser for the tests of all pages: starting it costs more than a test."""
    with open_browser() as browser:
        yield browser
