"""The evidence of an infraction as far as it has the form it should have. Pure.

The rulebook hands evidence through unread, and whoever can write to the broker can pose as a board: one value
of another form would end the live line of every arbiter. What has another form is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from rules.infractions.evidence import PLACES
from rules.position import STONES, Side

MOST_LISTED: Final = 60
"""Of faults, carries and places: a board has twenty places."""

MOST_LETTERS: Final = 200

_SIDES: Final = {side.value for side in Side}
_CARRY: Final = 3


def sound(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of the evidence has the form that the console draws; the rest is left out."""
    return {key: value for key, value in evidence.items() if key in _FORMS and _FORMS[key](value)}


def _whole(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def _text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MOST_LETTERS


def _listed(value: object, each: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and len(value) <= MOST_LISTED and all(each(one) for one in value)


def _place(value: object) -> bool:
    return _whole(value, PLACES - 1) or _text(value)


def _fault(value: object) -> bool:
    if not isinstance(value, dict) or not _text(value.get("fault")) or value.get("offender") not in _SIDES:
        return False
    pit, stones = value.get("pit"), value.get("stones")
    return (
        (pit is None or _whole(pit, PLACES - 1))
        and (stones is None or _whole(stones, STONES * 10))
        and _listed(value.get("places", []), _place)
        and _listed(value.get("articles", []), _text)
    )


def _carry(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == _CARRY
        and all(map(_place, value[:2]))
        and _whole(value[2], STONES * 10)
    )


def _sureness(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value is None
    return 0 <= value <= 1  # of what is no number neither holds


def _dials(value: object) -> bool:
    if not isinstance(value, dict) or not (value.get("running") is None or value["running"] in _SIDES):
        return False
    left = value.get("remaining_ms")
    return isinstance(left, list) and len(left) == len(_SIDES) and all(_milliseconds(each) for each in left)


def _milliseconds(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53


def _seen(value: object) -> bool:
    return _listed(value, lambda stones: stones is None or _whole(stones, STONES * 10))


_FORMS: Final[Mapping[str, Callable[[Any], bool]]] = MappingProxyType(
    {
        "before": lambda value: isinstance(value, dict),  # read strictly where it is drawn
        "seen": lambda value: _seen(value) and len(value) in (0, PLACES),
        "due": lambda value: value is None or _text(value),
        "faults": lambda value: bool(value) and _listed(value, _fault),
        "confidence": _sureness,
        "to_before": lambda value: _listed(value, _carry),
        "to_due": lambda value: _listed(value, _carry),
        "second": lambda value: value is None or _listed(value, _text),
        "clock": _dials,
    }
)
"""What the console reads of an infraction's evidence, by key, and the form it must have."""
