"""Games played to the end, for every test that needs an ending: few games that people recorded have one.

`games.txt` has a game in each line: its category, its result, the final kazans with what the rules add at
the end, and the pit numbers played, a digit each. `python -m tests.rules.endings.generate` made the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("games.txt")

CATEGORIES = {
    "82-bastaushy": "bastaushy's own move brings him to 82",
    "82-qostaushy": "qostaushy's own move brings him to 82",
    "given-bastaushy": "qostaushy's move sows bastaushy's 82nd stone into his tuzdyk",
    "given-qostaushy": "bastaushy's move sows qostaushy's 82nd stone into his tuzdyk",
    "walked-bastaushy": "qostaushy emptied his row himself and got nothing back: bastaushy sweeps and wins",
    "walked-qostaushy": "bastaushy emptied his row himself and got nothing back: qostaushy sweeps and wins",
    "refused": "the same, but the winner had a move that would have fed the other",
    "captured-bastaushy": "bastaushy takes qostaushy's last stones, sweeps and wins",
    "captured-qostaushy": "qostaushy takes bastaushy's last stones, sweeps and wins",
    "draw-sweep": "81:81 with what the sweep brings",
    "draw-kazans": "81:81 on an empty board",
    "fed-forced": "a row was emptied by its player, every reply fed him, and the game went on",
    "fed-chosen": "a row was emptied by its player, not every reply fed him, one did, and the game went on",
    "lap-36": "36 stones or more were sown at once: they go round twice",
    "lap-19": "19 to 35 stones were sown at once: they pass their origin again",
    "tuzdyk-both": "both players have a tuzdyk at the end",
    "tuzdyk-none": "nobody has",
}
"""What is claimed of a game; many a game would fit into several."""


@dataclass(frozen=True, slots=True)
class GeneratedGame:
    """A game from the start to its end on the board.

    Attributes:
        category: One of CATEGORIES.
        result: The score, bastaushy's first.
        kazans: The final totals of [bastaushy, qostaushy], at atsyrau with the swept stones.
        moves: The pit numbers played.
    """

    category: str
    result: str
    kazans: tuple[int, int]
    moves: tuple[int, ...]


@cache
def generated_games() -> tuple[GeneratedGame, ...]:
    """Return all games of the file, in its order."""
    return tuple(_game(line) for line in FILE.read_text(encoding="ascii").splitlines() if line[0] != "#")


def _game(line: str) -> GeneratedGame:
    category, result, totals, digits = line.split()
    first, second = totals.split(":")
    return GeneratedGame(category, result, (int(first), int(second)), tuple(map(int, digits)))
