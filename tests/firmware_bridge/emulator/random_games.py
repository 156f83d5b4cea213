"""Games of random legal moves, for hands to play."""

from collections.abc import Iterator
from random import Random

from rules.position import START, Position, Sowing, legal_moves, play


def random_sowings(seed: int, position: Position = START) -> Iterator[Sowing]:
    """Yield a game of random legal moves to its end; the same seed gives the same game."""
    rng = Random(seed)
    while moves := legal_moves(position):
        sowing = play(position, rng.choice(moves))
        yield sowing
        position = sowing.after
