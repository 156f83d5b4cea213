"""Counting move sequences: the number that any two programs of this game must agree on.

The positions are walked through one by one, without a table of those met before. Only the last two plies are
reckoned instead of played: a stone that leaves its own row fills the opponent's pits from the first on, so
the replies to a move are the pits it reaches and, behind them, those that were not empty, less the one it
takes. That is a look-up for each move, exact as long as no kazan comes near 82.
"""

from __future__ import annotations

from typing import TypeAlias

from rules.packed import FILLED, afters, moves, pack
from rules.position import STONES, Position

_MOST_LAPS = 9
"""How often 162 stones pass a pit: the most that one move can sow into a tuzdyk, or add to the last pit."""

_CLOSE = 127 - _MOST_LAPS
"""A packed kazan above this may be filled by what falls into a tuzdyk; 128 there is 82 stones."""

_Reach: TypeAlias = tuple[int, int, bytes]
"""Of some stones of a pit: how many pits of the opponent they reach, from his first, or 10 for no stones at
all; which of these pits, 0..8, is the last; and 1 for every count in it before with which it is taken."""
_Reaches: TypeAlias = tuple[tuple[_Reach, ...], ...]
"""`_Reach` by pit 0..8 and stones 0..162."""

_NEVER = bytes(STONES + 1)

_TAKEN = {
    (laps, wins): bytes([(held + laps) % 2 == 0 or (wins and held + laps == 3) for held in range(STONES + 1)])
    for laps in range(1, _MOST_LAPS + 1)
    for wins in (False, True)
}
"""By the stones that fall into the last pit, and whether a tuzdyk may be won there: 1 for every count before
with which it is taken."""


class _Replies(dict[tuple[int, bytes], tuple[int, ...]]):
    """How many pits the opponent may play once the first 0, 1 .. 9 are reached; then 0, for nothing lifted.

    By the number of the tuzdyk in his row, 0 for none, and the flags of that row.
    """

    def __missing__(self, key: tuple[int, bytes]) -> tuple[int, ...]:
        own, flags = key
        replies = [reached - (0 < own <= reached) + sum(flags[reached:]) for reached in range(10)]
        self[key] = (*replies, 0)
        return self[key]


class _States(dict[int, tuple[int, _Reaches]]):
    """By the packed state: the number of the mover's tuzdyk, 0 for none, and where his stones reach."""

    def __missing__(self, state: int) -> tuple[int, _Reaches]:
        own, other = (state >> 1) % 9, (state >> 1) // 9
        if state & 1:
            own, other = other, own
        self[state] = own, tuple(_reaches(pit, own, other) for pit in range(9))
        return self[state]


_replies = _Replies()
_states = _States()


def perft(position: Position, depth: int) -> int:
    """Return how many legal sequences of exactly `depth` plies begin in a sound position.

    A finished position has no moves.

    Raises:
        ValueError: The depth is negative.
    """
    if depth < 0:
        raise ValueError(f"depth {depth} is negative; expected 0 or more plies")
    return 1 if depth == 0 else _count(pack(position), depth)


def _count(packed: int, depth: int) -> int:
    """Return how many sequences of 1 or more plies begin in a packed position."""
    if depth == 2:
        return _pairs(packed)
    if depth == 1:
        return len(moves(packed))
    depth -= 1
    return sum([_count(following, depth) for following in afters(packed)])


def _pairs(packed: int) -> int:
    """Return how many sequences of two plies begin in a packed position.

    None of them is played, unless a kazan might reach 82 (1.3.5).
    """
    fields = packed.to_bytes(21, "little")
    banked = fields[18], fields[19]
    state = fields[20]
    if banked[0] <= _CLOSE and banked[1] <= _CLOSE:
        if state & 1:
            row, facing = fields[9:18], fields[:9]
        else:
            row, facing = fields[:9], fields[9:18]
        most = _CLOSE - _MOST_LAPS - banked[state & 1]
        own, reaches = _states[state]
        replies = _replies[own, facing.translate(FILLED)]
        total = 0
        for stones, reach in zip(row, reaches):  # noqa: B905 - both have nine, and this is the hot loop
            reached, last, taken = reach[stones]
            total += replies[reached]
            held = facing[last]
            if taken[held]:
                if held > most:
                    break
                total -= 1
        else:
            return total
    return sum([len(moves(following)) for following in afters(packed)])


def _reaches(pit: int, own: int, other: int) -> tuple[_Reach, ...]:
    """Return where 0, 1, 2 ... 162 stones of a pit 0..8 reach, by the tuzdyks' numbers; 0 for none."""
    reaches: list[_Reach] = [(10, 0, _NEVER)]
    for stones in range(1, STONES + 1):
        way = pit + max(stones - 1, 1)
        last = way % 18 - 9
        reached = min(max(way - 8, 0), 9)
        if last < 0 or last + 1 == own:
            reaches.append((reached, 0, _NEVER))
        else:
            wins = not own and last + 1 not in (9, other)
            reaches.append((reached, last, _TAKEN[(stones + 17) // 18, wins]))
    return tuple(reaches)
