"""Counting move sequences: the number that any two programs of this game must agree on."""

from rules.position import Position, apply, legal_moves


def perft(position: Position, depth: int) -> int:
    """Return how many legal sequences of exactly `depth` plies begin in the position.

    A finished position has no moves. The last ply is counted without being played.

    Raises:
        ValueError: The depth is negative.
    """
    if depth < 0:
        raise ValueError(f"depth {depth} is negative; expected 0 or more plies")
    if depth == 0:
        return 1
    moves = legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(apply(position, number).after, depth - 1) for number in moves)
