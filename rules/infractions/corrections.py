"""The way back: which stones to carry where, so that one board becomes another.

The list is the shortest: no stone is carried twice, and as few handfuls as can be lead to the board. Among
equally short ones, stones are carried to near places, and out of a pit rather than out of a kazan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rules.infractions.evidence import KAZANS, PLACES

Place: TypeAlias = int | Literal["hand", "beside"]
"""A place 0..19, the hand that still holds stones, or the table beside the board."""

_HAND, _BESIDE = PLACES, PLACES + 1

_MOST_GROUPED = 10
"""Places that are grouped exactly; 2 ** 10 sets of them take some milliseconds. A board that is off in more
places than that is set up anew by people, whatever the list says."""


@dataclass(frozen=True, slots=True)
class Carry:
    """Some stones from one place to another.

    Attributes:
        source: Where they lie now.
        target: Where they belong.
        stones: How many; at least one.
    """

    source: Place
    target: Place
    stones: int


def carries(board: Sequence[int], due: Sequence[int], in_hand: int = 0) -> tuple[Carry, ...]:
    """Return the shortest list of stones to carry that makes `due` of `board`.

    Args:
        board: Stones on the twenty places now.
        due: Stones that belong there.
        in_hand: Stones that a hand still holds; others that are missing lie beside the board.
    """
    change = [now - then for now, then in zip(board, due, strict=True)]
    missing = -sum(change)
    from_hand = max(0, min(in_hand, missing))
    change += [from_hand, missing - from_hand]
    done: list[tuple[int, int, int]] = []
    _pair_equals(change, done)
    for group in _groups(change):
        _spread(change, group, done)
    done.sort()
    return tuple(Carry(_named(source), _named(target), stones) for source, target, stones in done)


def apply_carries(board: Sequence[int], way: Sequence[Carry]) -> tuple[int, ...]:
    """Return the twenty places after the stones were carried."""
    after = list(board)
    for carry in way:
        if isinstance(carry.source, int):
            after[carry.source] -= carry.stones
        if isinstance(carry.target, int):
            after[carry.target] += carry.stones
    return tuple(after)


def distance(source: int, target: int) -> int:
    """Return how far apart two places are: pits by the ring, then a kazan, then what is off the board."""
    far = max(source, target)
    if far < KAZANS:
        apart = abs(source - target)
        return min(apart, KAZANS - apart)
    return far


def _named(place: int) -> Place:
    if place < PLACES:
        return place
    return "hand" if place == _HAND else "beside"


def _move(change: list[int], source: int, target: int, done: list[tuple[int, int, int]]) -> None:
    stones = min(change[source], -change[target])
    change[source] -= stones
    change[target] += stones
    done.append((source, target, stones))


def _pairs(change: list[int], group: Sequence[int]) -> list[tuple[int, int]]:
    """Return every way from a place with too many to one with too few, the nearest first."""
    return sorted(
        ((source, target) for source in group for target in group if change[source] > 0 > change[target]),
        key=lambda pair: (distance(*pair), pair),
    )


def _pair_equals(change: list[int], done: list[tuple[int, int, int]]) -> None:
    """Carry what one place has too many to one that lacks as many: no list has fewer handfuls for the two."""
    for source, target in _pairs(change, range(len(change))):
        if change[source] == -change[target] > 0:
            _move(change, source, target, done)


def _spread(change: list[int], group: Sequence[int], done: list[tuple[int, int, int]]) -> None:
    for source, target in _pairs(change, group):
        if change[source] > 0 > change[target]:
            _move(change, source, target, done)


def _groups(change: list[int]) -> list[list[int]]:
    """Return the places that are off, in as many groups as can be in which nothing is over or lacking.

    A group of n places takes n - 1 handfuls, so more groups make a shorter list.
    """
    off = [place for place, over in enumerate(change) if over]
    if len(off) > _MOST_GROUPED:
        return [off]
    sums = [0] * (1 << len(off))
    most = [0] * (1 << len(off))
    last = [0] * (1 << len(off))
    for chosen in range(1, 1 << len(off)):
        low = (chosen & -chosen).bit_length() - 1
        sums[chosen] = sums[chosen & (chosen - 1)] + change[off[low]]
        without = [nth for nth in range(len(off)) if chosen >> nth & 1]
        last[chosen] = max(without, key=lambda nth: most[chosen & ~(1 << nth)])
        most[chosen] = most[chosen & ~(1 << last[chosen])] + (sums[chosen] == 0)
    groups: list[list[int]] = []
    chosen = (1 << len(off)) - 1
    while chosen:
        if sums[chosen] == 0:
            groups.append([])
        groups[-1].append(off[last[chosen]])
        chosen &= ~(1 << last[chosen])
    return groups
