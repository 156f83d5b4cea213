"""Positions as JSON objects and back.

An object has exactly the keys `pits` (18 counts by pit index), `kazans`, `tuzdyks` (pairs of bastaushy's and
qostaushy's) and `to_move`.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.errors import PositionFormatError
from rules.events import JSON
from rules.position import STONES, Position, Side
from rules.problems import impossible

_KEYS = ("pits", "kazans", "tuzdyks", "to_move")
_SIDES = tuple(side.value for side in Side)


def position_to_json(position: Position) -> dict[str, JSON]:
    """Return the position as a JSON object, such as `{"pits": [9, ...], "kazans": [0, 0], ...}`."""
    return {
        "pits": list(position.pits),
        "kazans": list(position.kazans),
        "tuzdyks": list(position.tuzdyks),
        "to_move": position.to_move.value,
    }


def position_from_json(data: object) -> Position:
    """Return the position that a JSON object describes: a board that can be laid out and played on.

    Whether a game can reach it is not asked, so that a composed study is read as well; see `problems`.

    Raises:
        PositionFormatError: It is none; names the key and what was expected there.
    """
    if not isinstance(data, Mapping) or set(data) != set(_KEYS):
        raise PositionFormatError("position", data, "an object with the keys " + ", ".join(_KEYS))
    pits = tuple(_count(value, where) for value, where in _items(data, "pits", 18))
    first, second = (_count(value, where) for value, where in _items(data, "kazans", 2))
    own, other = (_tuzdyk(value, where) for value, where in _items(data, "tuzdyks", 2))
    if not isinstance(data["to_move"], str) or data["to_move"] not in _SIDES:
        raise PositionFormatError("position.to_move", data["to_move"], "one of " + ", ".join(_SIDES))
    position = Position(pits, (first, second), (own, other), Side(data["to_move"]))
    found = impossible(position)
    if found:
        texts = "; ".join(problem.text for problem in found)
        raise PositionFormatError("position", data, f"a possible one ({texts})")
    return position


def _items(data: Mapping[str, object], key: str, length: int) -> list[tuple[object, str]]:
    """Return the items of a list of exactly `length`, each with the path to it."""
    value = data[key]
    if not isinstance(value, list) or len(value) != length:
        raise PositionFormatError(f"position.{key}", value, f"a list of {length} items")
    return [(item, f"position.{key}[{place}]") for place, item in enumerate(value)]


def _count(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= STONES:
        raise PositionFormatError(where, value, f"an integer from 0 to {STONES}")
    return value


def _tuzdyk(value: object, where: str) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 8:
        raise PositionFormatError(where, value, "null or an integer from 1 to 8")
    return value
