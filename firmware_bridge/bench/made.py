"""Games made for the bench: seeded players of simple habits, from the start to the end on the board (pure).

No two habits lead to the same kind of board: one empties its row, one hoards until pits hold more than a
lap, one chases tuzdyks, one takes whatever can be taken. Mixed and paired they come to every kind of ending.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random

from rules.position import START, EndReason, Position, Sowing, legal_moves, outcome, play

MADE = 500
"""Games that count as "the generated ones"; any other number can be had."""

PATIENCE_PLIES = 120
"""From here on both players take what they can: some pairs of habits would pass stones round for ever."""

WHIM = 0.1
"""How often a player forgets his habit: a share of 1."""

Habit = Callable[[Position, Random], Sowing]


def _all(position: Position) -> list[Sowing]:
    return [play(position, number) for number in legal_moves(position)]


def careless(position: Position, rng: Random) -> Sowing:
    """Play anything."""
    return play(position, rng.choice(legal_moves(position)))


def greedy(position: Position, rng: Random) -> Sowing:
    """Take as much as can be taken, now and then anything."""
    if rng.random() < 0.15:
        return careless(position, rng)
    return max(_all(position), key=lambda sowing: (sowing.captured, rng.random()))


def hoarding(position: Position, rng: Random) -> Sowing:
    """Leave the fullest pit alone, so that laps of more than eighteen stones come about."""
    numbers = legal_moves(position)
    first = position.to_move.index * 9
    fullest = max(numbers, key=lambda number: position.pits[first + number - 1])
    others = [number for number in numbers if number != fullest]
    if not others or rng.random() < 0.05:
        return play(position, fullest)
    return play(position, rng.choice(others))


def emptying(position: Position, rng: Random) -> Sowing:
    """Bring the own stones over to the other side, so that somebody runs out of them."""
    first = position.to_move.index * 9

    def left(sowing: Sowing) -> tuple[int, float]:
        return (sum(sowing.after.pits[first : first + 9]), rng.random())

    return min(_all(position), key=left)


def marking(position: Position, rng: Random) -> Sowing:
    """Win a tuzdyk where one can be won, else take little."""
    found = [sowing for sowing in _all(position) if sowing.tuzdyk is not None]
    if found:
        return rng.choice(found)
    return min(_all(position), key=lambda sowing: (sowing.captured, rng.random()))


def balancing(position: Position, rng: Random) -> Sowing:
    """Keep the kazans even: the way to 81:81."""

    def lead(sowing: Sowing) -> tuple[int, float]:
        first, second = sowing.after.kazans
        return (abs(first - second), rng.random())

    return min(_all(position), key=lead)


HABITS: tuple[Habit, ...] = (careless, greedy, hoarding, emptying, marking, balancing)


@lru_cache(maxsize=256)
def made_game(number: int) -> tuple[Sowing, ...]:
    """Return game `number`, 0 or more; the same number gives the same game for ever.

    The two players' habits go through all pairs.
    """
    rng = Random(f"game {number}")
    habits = (HABITS[number % len(HABITS)], HABITS[number // len(HABITS) % len(HABITS)])
    sowings: list[Sowing] = []
    position = START
    while legal_moves(position):
        tired = len(sowings) >= PATIENCE_PLIES
        habit = greedy if tired or rng.random() < WHIM else habits[position.to_move.index]
        sowing = habit(position, rng)
        sowings.append(sowing)
        position = sowing.after
    return tuple(sowings)


def kind_of_end(sowings: tuple[Sowing, ...]) -> str:
    """Return how a game ends: `82`, `sweep`, `draw` or `open`."""
    ending = outcome(sowings[-1].after) if sowings else None
    if ending is None:
        return "open"
    if ending.winner is None:
        return "draw"
    return "82" if ending.reason is EndReason.EIGHTY_TWO else "sweep"


def games_ending(kind: str, how_many: int, *, beginning: int = 0) -> list[int]:
    """Return the numbers of the first so many games that end in this way."""
    found: list[int] = []
    number = beginning
    while len(found) < how_many:
        if kind_of_end(made_game(number)) == kind:
            found.append(number)
        number += 1
    return found
