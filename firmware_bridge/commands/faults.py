"""Why a cell cannot be read, in the language of whoever asks: from its code and its numbers."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_bridge.board.memory.telling import FAULT_VALUES
from firmware_bridge.commands.common import say, speech
from sensors.samples import Fault


def fits(key: str, values: Mapping[str, object]) -> bool:
    """Tell whether there is such a text, and everything that fills it."""
    return speech.texts.knows(key) and speech.texts.gaps(key) <= values.keys()


def why_said(code: str | None, values: Mapping[str, object]) -> str | None:
    """Return why a channel cannot be read; None where that has no text of ours."""
    key = f"wrong.why.{code}"
    return say(key, **values) if fits(key, values) else None


def fault_said(fault: Fault) -> str:
    """Return the same of a fault; what has no text of ours in English."""
    values = dict(zip(FAULT_VALUES, fault.values, strict=False))
    return why_said(fault.kind.value, values) or fault.detail
