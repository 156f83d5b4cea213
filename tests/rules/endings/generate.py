"""Makes the games of `games.txt`.

    python -m tests.rules.endings.generate > tests/rules/endings/games.txt

Players of simple habits play random games until every category has its number. Another seed as the first
argument makes other games. What the file claims is checked by the tests with another program, so nothing
here has to be believed.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator

from rules import Side, outcome, unpack
from rules.packed import OVER, PACKED_START, after, afters, kazans, moves, pits, sow
from tests.rules.endings.games import CATEGORIES

QUOTAS = {
    "draw-kazans": 20,
    "captured-bastaushy": 25,
    "captured-qostaushy": 25,
    "fed-forced": 35,
    "refused": 25,
    "lap-36": 50,
    "draw-sweep": 40,
    "fed-chosen": 35,
    "tuzdyk-none": 25,
    "walked-bastaushy": 30,
    "walked-qostaushy": 30,
    "given-bastaushy": 25,
    "given-qostaushy": 25,
    "82-bastaushy": 35,
    "82-qostaushy": 35,
    "tuzdyk-both": 20,
    "lap-19": 20,
}
"""How many games of each category; one that fits into several goes to the first that still lacks some."""

_Habit = Callable[[int, random.Random], int]


def careless(packed: int, chance: random.Random) -> int:
    """Return any move."""
    return chance.choice(moves(packed))


def greedy(packed: int, chance: random.Random) -> int:
    """Return the move that takes most, now and then any."""
    if chance.random() < 0.2:
        return careless(packed, chance)
    return max(moves(packed), key=lambda number: (sow(packed, number)[2], chance.random()))


def hoarding(packed: int, chance: random.Random) -> int:
    """Return a move that leaves the fullest pit alone, now and then any."""
    numbers = moves(packed)
    if chance.random() < 0.05 or len(numbers) == 1:
        return chance.choice(numbers)
    row = rows(packed)[mover(packed)]
    fullest = max(numbers, key=lambda number: row[number - 1])
    return chance.choice([number for number in numbers if number != fullest])


HABITS: tuple[_Habit, ...] = (careless, careless, greedy, hoarding)


def mover(packed: int) -> int:
    """Return whose turn it is: 0 or 1."""
    return unpack(packed).to_move.index


def rows(packed: int) -> tuple[bytes, bytes]:
    """Return both rows."""
    stones = pits(packed)
    return stones[:9], stones[9:]


def game(chance: random.Random) -> list[int]:
    """Return the numbers of a whole game between two players of some habit."""
    habits = chance.choices(HABITS, k=2)
    packed, numbers = PACKED_START, list[int]()
    while moves(packed):
        numbers.append(habits[len(numbers) % 2](packed, chance))
        packed = after(packed, numbers[-1])
    return numbers


def fits(numbers: list[int]) -> set[str]:
    """Return the categories that a game fits into."""
    boards = [PACKED_START]
    for number in numbers:
        boards.append(after(boards[-1], number))
    played = zip(boards, numbers, strict=False)
    most = max(rows(packed)[place % 2][number - 1] for place, (packed, number) in enumerate(played))
    found = {"lap-36" if most >= 36 else "lap-19" if most >= 19 else ""}
    tuzdyks = unpack(boards[-1]).tuzdyks
    found.add("tuzdyk-none" if tuzdyks == (None, None) else "" if None in tuzdyks else "tuzdyk-both")
    found.update(_feedings(boards))
    found.update(_endings(boards))
    return found & set(CATEGORIES)


def _feedings(boards: list[int]) -> Iterator[str]:
    """Yield how a player who had emptied his own row came back into the game."""
    for place in range(1, len(boards) - 2):
        emptied = 1 - place % 2
        if not any(rows(boards[place])[emptied]) and any(rows(boards[place + 1])[emptied]):
            forced = all(any(rows(reply)[emptied]) for reply in afters(boards[place]))
            yield "fed-forced" if forced else "fed-chosen"


def _endings(boards: list[int]) -> Iterator[str]:
    """Yield how a game ended."""
    end = boards[-1]
    last = len(boards) % 2  # who played the last move
    names = [side.value for side in Side]
    if end & OVER:
        winner = 0 if kazans(end)[0] >= 82 else 1
        yield ("82-" if winner == last else "given-") + names[winner]
        return
    final = outcome(unpack(end))
    if final is None:
        raise ValueError("the game is not over")
    if final.winner is None:
        yield "draw-sweep" if any(pits(end)) else "draw-kazans"
    elif any(pits(end)):
        before = boards[-2]
        if any(rows(before)[1 - last]):
            yield "captured-" + names[last]
        elif any(any(rows(reply)[1 - last]) for reply in afters(before)):
            yield "refused"
        else:
            yield "walked-" + names[last]


def lines(seed: int) -> Iterator[str]:
    """Yield the lines of a file, ordered by category."""
    chance = random.Random(seed)
    missing = Counter(QUOTAS)
    chosen: dict[str, set[str]] = {category: set() for category in QUOTAS}
    while +missing:
        numbers = game(chance)
        fitting = fits(numbers)
        category = next((name for name in QUOTAS if missing[name] and name in fitting), None)
        if category is None:
            continue
        packed = PACKED_START
        for number in numbers:
            packed = after(packed, number)
        final = outcome(unpack(packed))
        if final is None:
            raise ValueError("the game is not over")
        digits = "".join(map(str, numbers))
        chosen[category].add(f"{category} {final.score} {final.kazans[0]}:{final.kazans[1]} {digits}")
        missing[category] = QUOTAS[category] - len(chosen[category])
    yield f"# Made by `python -m tests.rules.endings.generate {seed}`; games.py tells the rest."
    for category, said in CATEGORIES.items():
        yield f"# {category}, {QUOTAS[category]} games: {said}."
    for category in CATEGORIES:
        yield from sorted(chosen[category])


if __name__ == "__main__":
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else 0):
        sys.stdout.write(line + "\n")
