"""Positions for the tests: written as rows, drawn by hypothesis, reached by play."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from rules import START, STONES, Position, Side, apply, legal_moves, problems

Tuzdyks = tuple[int | None, int | None]


def board(
    bastaushy: str,
    qostaushy: str,
    kazans: tuple[int, int],
    tuzdyks: Tuzdyks = (None, None),
    to_move: Side = Side.BASTAUSHY,
) -> Position:
    """Return the position with the two rows as their players see them; refuses one that cannot exist."""
    pits = tuple(int(count) for count in (bastaushy + " " + qostaushy).split())
    position = Position(pits, kazans, tuzdyks, to_move)
    assert [problem for problem in problems(position) if problem.kind.fatal] == []
    return position


def row(position: Position, side: Side) -> str:
    """Return a player's row as he sees it."""
    return " ".join(str(count) for count in position.pits[side.index * 9 : side.index * 9 + 9])


def turned(position: Position) -> Position:
    """Return the same position with the players changed over."""
    return Position(
        position.pits[9:] + position.pits[:9],
        (position.kazans[1], position.kazans[0]),
        (position.tuzdyks[1], position.tuzdyks[0]),
        position.to_move.opponent,
    )


def random_game(seed: int) -> list[tuple[Position, int]]:
    """Return the positions of a whole random game, each with the move that was chosen there."""
    chance = random.Random(seed)
    position = START
    game: list[tuple[Position, int]] = []
    while moves := legal_moves(position):
        assert len(game) < 2000, "no game of stones that get banked is that long"
        number = chance.choice(moves)
        game.append((position, number))
        position = apply(position, number).after
    return game


_NUMBERS = st.none() | st.integers(1, 8)
_TUZDYKS = st.tuples(_NUMBERS, _NUMBERS).filter(lambda pair: pair[0] is None or pair[0] != pair[1])


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw any position that has its 162 stones, reachable or not."""
    first, second = draw(_TUZDYKS)
    ordinary = [
        index
        for index in range(18)
        if index != (first or 0) + 8 + 99 * (first is None) and index != (second or 0) - 1
    ]
    pits = [0] * 18
    left = STONES
    for index in draw(st.permutations(ordinary)):
        pits[index] = draw(st.integers(0, min(left, 45)))
        left -= pits[index]
    banked = draw(st.integers(0, left))
    return Position(tuple(pits), (banked, left - banked), (first, second), draw(st.sampled_from(Side)))


@st.composite
def played_positions(draw: st.DrawFn) -> Position:
    """Draw a position that a game can reach, finished ones included."""
    position = START
    for choice in draw(st.lists(st.integers(0, 8), max_size=150)):
        moves = legal_moves(position)
        if not moves:
            break
        position = apply(position, moves[choice % len(moves)]).after
    return position
