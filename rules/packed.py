"""A position as one integer, for those who play millions of moves: search, counting, restoring a sheet.

    pack(position) -> int           a sound position as an integer
    unpack(packed) -> Position      and back
    moves(packed) -> tuple[int, ..] the pit numbers that may be played, ascending; () when the game is over
    after(packed, number) -> int    the position after a legal move (trusting)
    afters(packed) -> list[int]     those after each of `moves(packed)`, in that order
    sow(packed, number) -> (after, last_index, captured)
                                    the same with what a score sheet says of the move (trusting)
    pits(packed) -> bytes           stones by pit index 0..17
    kazans(packed) -> (int, int)    stones banked by (bastaushy, qostaushy)
    PACKED_START: int               `START`, packed
    OVER: int                       `packed & OVER` is not 0 once a kazan holds 82

An integer never changes, so to play is to reckon the next one and to undo is to go back to the one that was
kept. Equal integers are equal positions, whose turn it is included; they are good keys of a dict.

One byte for each field, the lowest first: the pits of index 0..17, the kazans of bastaushy and of qostaushy,
and the state, which is `side + 2 * (tuzdyk of bastaushy + 9 * tuzdyk of qostaushy)` with 0 for no tuzdyk. A
kazan is kept 46 higher than it is, so that the highest bit of its byte says 82 or more (1.3.5).

Why this is fast: how the stones of a pit fall depends on nothing but the pit, their number and the tuzdyks.
All of it, the way to a tuzdyk's owner and the change of turns included, is one number to add, made once for
each state when it is first seen (a quarter of a megabyte; 33 MB if all 146 were). What the last stone takes
is a second one.
"""

from __future__ import annotations

from itertools import product
from typing import TypeAlias

from rules.position import START, STONES, Position, Side

_KAZAN_BIAS = 128 - 82
_PITS_BITS = 18 * 8
_STATE_BITS = 20 * 8
_ROW_BITS = 9 * 8
_ROW = (1 << _ROW_BITS) - 1

OVER = 0x8080 << _PITS_BITS
"""The highest bits of both kazans: one of them is set once a kazan holds 82 and the game is over (1.3.5)."""

_SIDES = (Side.BASTAUSHY, Side.QOSTAUSHY)
_NUMBERS = (None, 1, 2, 3, 4, 5, 6, 7, 8)

FILLED = bytes([0, *[1] * 255])
"""For `bytes.translate`: turns counts of stones into flags, 1 where there are some."""
_MOVES = {
    bytes(flags): tuple([number for number, flag in enumerate(flags, 1) if flag])
    for flags in product((0, 1), repeat=9)
}
"""The numbers of the pits that hold stones, by the flags of a row."""

_Taken: TypeAlias = tuple[int, ...]
"""What to add when the last stone has made so many stones of its pit."""
_Fall: TypeAlias = tuple[int, int, _Taken | None]
"""How some stones of a pit fall: what to add, the shift of the last pit, and `_Taken`; None: never takes."""
_Pit: TypeAlias = tuple[int, tuple[_Fall, ...]]
"""The shift of a pit of the player to move, and `_Fall` for each number of stones."""
_State: TypeAlias = tuple[_Pit, ...]
"""The nine pits of the player to move, from his first."""

_states: list[_State | None] = [None] * 162
"""What is known of each state; None until it is first met."""


def pack(position: Position) -> int:
    """Return a sound position as one integer; trusts that none of its `problems` is fatal."""
    first, second = position.kazans
    own, other = position.tuzdyks
    state = position.to_move.index + 2 * ((own or 0) + 9 * (other or 0))
    fields = (*position.pits, first + _KAZAN_BIAS, second + _KAZAN_BIAS, state)
    return int.from_bytes(bytes(fields), "little")


def unpack(packed: int) -> Position:
    """Return the position that `pack` made into this integer."""
    fields = packed.to_bytes(21, "little")
    tuzdyks, side = divmod(fields[20], 2)
    return Position(
        tuple(fields[:18]),
        (fields[18] - _KAZAN_BIAS, fields[19] - _KAZAN_BIAS),
        (_NUMBERS[tuzdyks % 9], _NUMBERS[tuzdyks // 9]),
        _SIDES[side],
    )


PACKED_START = pack(START)
"""The position every game begins with, packed."""


def pits(packed: int) -> bytes:
    """Return the stones in each pit by index 0..17."""
    return packed.to_bytes(21, "little")[:18]


def kazans(packed: int) -> tuple[int, int]:
    """Return the stones banked by (bastaushy, qostaushy)."""
    banked = packed >> _PITS_BITS
    return (banked & 255) - _KAZAN_BIAS, (banked >> 8 & 255) - _KAZAN_BIAS


def moves(packed: int) -> tuple[int, ...]:
    """Return the pit numbers the player to move may play, ascending; () when the game is over."""
    if packed & OVER:
        return ()
    row = packed >> _ROW_BITS if packed >> _STATE_BITS & 1 else packed
    return _MOVES[(row & _ROW).to_bytes(9, "little").translate(FILLED)]


def after(packed: int, number: int) -> int:
    """Return the position after the move from pit `number`, which must be one of `moves(packed)`."""
    state = packed >> _STATE_BITS
    shift, falls = (_states[state] or _state(state))[number - 1]
    change, last, taken = falls[packed >> shift & 255]
    packed += change
    return packed if taken is None else packed + taken[packed >> last & 255]


def afters(packed: int) -> list[int]:
    """Return the position after each of `moves(packed)`, in that order."""
    if packed & OVER:
        return []
    state = packed >> _STATE_BITS
    row = packed >> _ROW_BITS if state & 1 else packed
    found = []
    pits_falls = zip((row & _ROW).to_bytes(9, "little"), _states[state] or _state(state), strict=True)
    for stones, (_, falls) in pits_falls:
        if stones:
            change, last, taken = falls[stones]
            sown = packed + change
            found.append(sown if taken is None else sown + taken[sown >> last & 255])
    return found


def sow(packed: int, number: int) -> tuple[int, int, int]:
    """Return the position after a legal move, the index of its last pit and how many stones were taken there.

    Three taken stones mean a tuzdyk, and nothing else does: all other captures are even (1.4.1).
    """
    state = packed >> _STATE_BITS
    shift, falls = (_states[state] or _state(state))[number - 1]
    change, last, taken = falls[packed >> shift & 255]
    packed += change
    if taken is None:
        return packed, last >> 3, 0
    stones = packed >> last & 255
    gain = taken[stones]
    return packed + gain, last >> 3, stones if gain else 0


def _state(state: int) -> _State:
    """Return how stones fall in one of the 162 states, and keep it."""
    side = state & 1
    owned = ((state >> 1) % 9, (state >> 1) // 9)
    places = [1 << 8 * index for index in range(18)]
    for owner in (0, 1):
        if owned[owner]:
            # Who banks a stone that falls there does not depend on who sows it (1.4.2).
            places[(1 - owner) * 9 + owned[owner] - 1] = 1 << _PITS_BITS + 8 * owner
    takes: list[_Taken | None] = [None] * 18
    for number in range(1, 10):
        takes[(1 - side) * 9 + number - 1] = _taken(side, number, owned)
    turn = (1 - 2 * side) << _STATE_BITS
    known = tuple(
        (8 * origin, tuple(_falls(origin, turn, places, takes))) for origin in range(9 * side, 9 * side + 9)
    )
    _states[state] = known
    return known


def _taken(side: int, number: int, owned: tuple[int, int]) -> _Taken:
    """Return what a player takes from pit `number` of his opponent, by the stones there: even ones, or three.

    His own tuzdyk is always empty and gives nothing. Three win a tuzdyk unless he has one, the pit is the
    ninth or the opponent's has the same number (1.4.3).
    """
    one = (1 << _PITS_BITS + 8 * side) - (1 << 8 * ((1 - side) * 9 + number - 1))
    taken = [0 if stones % 2 else stones * one for stones in range(STONES + 1)]
    if not owned[side] and number not in (9, owned[1 - side]):
        taken[3] = 3 * one + (2 * number * 9**side << _STATE_BITS)
    return tuple(taken)


def _falls(origin: int, turn: int, places: list[int], takes: list[_Taken | None]) -> list[_Fall]:
    """Return how 0, 1, 2 ... 162 stones fall from a pit.

    The first goes back where it came from; a single one walks (1.3.3).
    """
    one = 1 << 8 * origin
    following = (origin + 1) % 18
    falls = [(0, 0, None), (turn - one + places[following], 8 * following, takes[following])]
    change = turn - one + places[origin]
    for stones in range(2, STONES + 1):
        last = (origin + stones - 1) % 18
        change += places[last] - one
        falls.append((change, 8 * last, takes[last]))
    return falls
