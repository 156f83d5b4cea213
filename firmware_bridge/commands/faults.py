"""Why a cell cannot be read, in the language of whoever asks: from its code and its numbers.

Where only English words are left of it, as in a trace, both are read from them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from firmware_bridge.board.memory.telling import FAULT_VALUES
from firmware_bridge.commands.common import say, speech
from sensors.samples import CELL_TEXTS, Fault

_CHANNEL: Final = re.compile(r"channel (\d+): (.*)", re.DOTALL)
_GAP: Final = re.compile(r"\{(\d)[^}]*\}")
_NUMBER: Final = r"(?P<v{}>-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)"


def _pattern(text: str) -> re.Pattern[str]:
    """Return what fits an English text, whatever numbers fill its gaps."""
    parts = _GAP.split(text)  # words and numbers of gaps, in turn
    return re.compile(
        "".join(_NUMBER.format(part) if at % 2 else re.escape(part) for at, part in enumerate(parts))
    )


_PATTERNS: Final = tuple((kind, _pattern(text)) for kind, text in CELL_TEXTS.items())


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


def fault_read(words: str) -> Fault | None:
    """Return the fault that says this of itself in English; None where none does.

    A trace holds a remark in the board's words alone.
    """
    named = _CHANNEL.fullmatch(words)
    channel, told = (None, words) if named is None else (int(named[1]), named[2])
    for kind, pattern in _PATTERNS:
        found = pattern.fullmatch(told)
        if found is not None:
            return Fault(kind, channel, tuple(_number(text) for _, text in sorted(found.groupdict().items())))
    return None


def _number(text: str) -> float:
    return float(text) if set(text) & {".", "e"} else int(text)
