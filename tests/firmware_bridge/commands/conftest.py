"""What the tests of the commands share."""

from __future__ import annotations

import pytest

from firmware_bridge.commands.common import speech


@pytest.fixture(autouse=True)
def _nobody_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget after each test which language its command line asked for."""
    monkeypatch.setattr(speech, "option", None)
