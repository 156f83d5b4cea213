"""A second way into a gap that is too wide: back from the next board that was drawn whole.

From a diagram all of whose cells can be read the game is followed backwards, through the entries before it
and a ply or two into the gap. What a capture took is not written on the board, so the ways back multiply
faster than the ways on, by sixty and more in a ply nobody knows; but each of them stops the search forwards
one ply earlier. Nothing is lost: the positions found are all that can lead to the diagram by what is written.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.packed import pack, unpack
from rules.position import Position, Side
from rules.problems import problems
from rules.sheets.facts import IS_TUZDYK, Drawn
from rules.sheets.search import fits_move, gate
from rules.sheets.table import Table
from rules.unplay import unplay

MAX_WAYS_BACK = 20_000
"""How many positions a step back may yield: two plies nobody knows. Measured: 0.02 s for 7,500."""


def ways_back(table: Table, ply: int) -> Mapping[int, frozenset[int]]:
    """Return for the plies before the next whole diagram from a ply on the positions that can lead to it.

    Nothing is returned when there is no such diagram.
    """
    whole = (later for later in range(ply, table.plies + 1) if _boards(table, later))
    drawn = next(whole, 0)
    found: dict[int, frozenset[int]] = {}
    boards = frozenset(_boards(table, drawn))
    while boards and drawn > 0:
        found[drawn] = boards
        boards = _before(table, drawn, boards)
        drawn -= 1
    return found


def _before(table: Table, ply: int, boards: frozenset[int]) -> frozenset[int]:
    """Return the positions before a ply that lead to one after it; none if there are too many of them."""
    due, passes = table.dues[ply], gate(table, ply - 1)
    found: set[int] = set()
    for packed in boards:
        for position, number in unplay(unpack(packed)):
            before = pack(position)
            if passes(before) and (
                not due.moves or any(fits_move(option.value, before, number) for option in due.moves)
            ):
                found.add(before)
        if len(found) > MAX_WAYS_BACK:
            return frozenset()
    return frozenset(found)


def _boards(table: Table, ply: int) -> list[int]:
    """Return the positions drawn after a ply, one for each version; none unless all can be read whole."""
    side = (Side.BASTAUSHY, Side.QOSTAUSHY)[table.mover(ply + 1)]
    boards = [_board(option.value, side) for option in table.dues[ply].diagrams]
    return [] if None in boards else [pack(board) for board in boards if board is not None]


def _board(drawn: Drawn, to_move: Side) -> Position | None:
    """Return the position of a diagram; None if it cannot be read whole or cannot exist."""
    held = [
        min(counts) for counts in (*drawn.cells, *drawn.kazans) if counts is not None and len(counts) == 1
    ]
    if len(held) < 20:
        return None
    rows = (held[9:18], held[:9])
    tuzdyks = [row.index(IS_TUZDYK) + 1 if IS_TUZDYK in row else None for row in rows]
    pits = tuple(0 if stones == IS_TUZDYK else stones for stones in held[:18])
    position = Position(pits, (held[18], held[19]), (tuzdyks[0], tuzdyks[1]), to_move)
    return None if any(problem.kind.fatal for problem in problems(position)) else position
