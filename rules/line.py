"""A line of play that goes forth and back, for those who write a search."""

from __future__ import annotations

from rules.packed import OVER, moves, pack, sow, unpack
from rules.position import START, Position, refused


class Line:
    """A position and the moves that led to it from another; cheap to play on and to take back.

    >>> line = Line()
    >>> line.play(7)
    10
    >>> line.position.kazans, line.plies
    ((10, 0), (7,))
    >>> line.undo()
    7

    Args:
        position: Where the line begins; a sound one.

    Attributes:
        packed: The position as an integer, for the functions of `rules.packed` and as the key of a table. It
            is for reading only.
    """

    __slots__ = ("_before", "_numbers", "packed")

    def __init__(self, position: Position = START) -> None:
        self.packed = pack(position)
        self._before: list[int] = []
        self._numbers: list[int] = []

    @property
    def position(self) -> Position:
        """The position after all moves of the line."""
        return unpack(self.packed)

    @property
    def plies(self) -> tuple[int, ...]:
        """The pit numbers played, from the first on."""
        return tuple(self._numbers)

    def legal_moves(self) -> tuple[int, ...]:
        """Return the pit numbers that may be played now, ascending; () when the game is over."""
        return tuple(moves(self.packed))

    def play(self, number: int) -> int:
        """Play from pit `number`; returns how many stones the last one took, 3 with a tuzdyk, 0 for none.

        Raises:
            IllegalMoveError: The pit may not be played; says why. The line is as it was.
        """
        before = self.packed
        if not 0 < number < 10 or before & OVER:
            raise refused(unpack(before), number)
        self.packed, _, captured = sow(before, number)
        if self.packed == before:  # an empty pit: not even the turn has changed
            raise refused(unpack(before), number)
        self._before.append(before)
        self._numbers.append(number)
        return captured

    def undo(self) -> int:
        """Take the last move back; returns its pit number.

        Raises:
            IndexError: No move has been played, or all have been taken back.
        """
        if not self._numbers:
            raise IndexError("no move to take back: the line is at its beginning")
        self.packed = self._before.pop()
        return self._numbers.pop()
