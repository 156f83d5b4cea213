"""Real plies to judge: out of generated games that were played to their ends, and at random."""

from __future__ import annotations

import random

from rules.position import START, Position, Sowing, legal_moves, outcome, play
from tests.rules.endings.games import generated_games


def line_of(rng: random.Random, length: int) -> tuple[Sowing, ...]:
    """Return at most `length` plies, at least one, that follow each other in a game.

    Half of them end a generated game, or stand near its end, where tuzdyks and sweeps are; the others
    come from anywhere in a game played at random.
    """
    if rng.random() < 0.5:
        moves = rng.choice(generated_games()).moves
        last = len(moves) - rng.choice((0, 0, rng.randrange(len(moves) // 2)))
        plies = _played(moves[:last])
    else:
        plies = _played_at_random(rng, rng.randrange(1, 120))
    return tuple(plies[-length:])


def random_position(seed: int, plies: int) -> Position:
    """Return a position of a random game, not over."""
    rng = random.Random(seed)
    position = START
    for _ in range(plies):
        after = play(position, rng.choice(legal_moves(position))).after
        if outcome(after) is not None:
            break
        position = after
    return position


def _played(moves: tuple[int, ...]) -> list[Sowing]:
    plies: list[Sowing] = []
    position = START
    for number in moves:
        plies.append(play(position, number))
        position = plies[-1].after
    return plies


def _played_at_random(rng: random.Random, length: int) -> list[Sowing]:
    plies: list[Sowing] = []
    position = START
    while len(plies) < length and outcome(position) is None:
        plies.append(play(position, rng.choice(legal_moves(position))))
        position = plies[-1].after
    return plies
