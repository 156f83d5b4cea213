"""Positions as JSON objects and back.

An object has exactly the keys `pits` (18 counts by pit index), `kazans`, `tuzdyks` (pairs of bastaushy's and
qostaushy's) and `to_move`.
"""

from __future__ import annotations

from rules.errors import PositionFormatError, due
from rules.events import JSON
from rules.position import STONES, Position, Side
from rules.problems import impossible
from rules.strict import Strict

_STRICT = Strict(PositionFormatError)
_TUZDYK = due("tuzdyk_number", "an integer from 1 to 8")
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
    found = _STRICT.exactly(data, "position", ("pits", "kazans", "tuzdyks", "to_move"))
    pits, kazans, tuzdyks = (
        _STRICT.items(found[key], f"position.{key}", length, length)
        for key, length in (("pits", 18), ("kazans", 2), ("tuzdyks", 2))
    )
    first, second = (_count(value, where) for value, where in kazans)
    own, other = (_tuzdyk(value, where) for value, where in tuzdyks)
    side = Side(_STRICT.choice(found["to_move"], "position.to_move", _SIDES))
    stones = tuple(_count(value, where) for value, where in pits)
    position = Position(stones, (first, second), (own, other), side)
    wrong = impossible(position)
    if wrong:
        texts = "; ".join(problem.text for problem in wrong)
        problem = wrong[0]
        values = {} if problem.number is None else {"n": problem.number}
        expected = due(problem.kind.value, f"a possible one ({texts})", **values)
        raise PositionFormatError("position", data, expected)
    return position


def _count(value: object, where: str) -> int:
    return _STRICT.integer(value, where, 0, STONES)


def _tuzdyk(value: object, where: str) -> int | None:
    return None if value is None else _STRICT.integer(value, where, 1, 8, _TUZDYK)
