"""Going back: every position from which one move leads to a given one.

A move is undone by taking the stones up again in the order in which they fell. Where it began and how many
stones it had is not written on the board, and of a capture only the empty pit is left, so there are many
ways back; a game took one of them, if there are any.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.position import STONES, WINNING_STONES, Position, number_of, pit_index


def unplay(position: Position) -> Iterator[tuple[Position, int]]:
    """Yield every (position before, pit number played) from which a legal move leads to a sound position.

    The positions before are sound as well and not over, but no game need ever have reached them.
    """
    mover = position.to_move.opponent
    for number in range(1, 10):
        yield from _Way(position, number, position.tuzdyks).back()
        if position.tuzdyks[mover.index] is not None:
            # Perhaps this very move won the tuzdyk: until then it was a pit like others (1.4.1).
            other = position.tuzdyks[1 - mover.index]
            yield from _Way(position, number, (None, other) if mover.index == 0 else (other, None)).back()


class _Way:
    """The stones of one pit taken up again, as if the last move had begun there.

    Args:
        position: The position after the move.
        number: The pit 1..9 it is to have begun from.
        tuzdyks: Those before the move.
    """

    def __init__(self, position: Position, number: int, tuzdyks: tuple[int | None, int | None]) -> None:
        self.after = position
        self.number = number
        self.tuzdyks = tuzdyks
        side = position.to_move.opponent
        self.side = side
        self.mover = side.index
        self.origin = pit_index(side, number)
        own, other = tuzdyks[self.mover], tuzdyks[1 - self.mover]
        self.owners: dict[int, int] = {}
        if own is not None:
            self.owners[pit_index(side.opponent, own)] = self.mover
        if other is not None:
            self.owners[pit_index(side, other)] = 1 - self.mover
        self.won = tuzdyks != position.tuzdyks
        self.left = list(position.pits)
        self.banked = list(position.kazans)

    def back(self) -> Iterator[tuple[Position, int]]:
        """Yield the positions before, for every number of stones that may have been in the hand."""
        if self.origin in self.owners:
            return
        # As many stones lie in the origin as times it was passed; only a single one leaves it empty (1.3.3).
        passes = self.after.pits[self.origin]
        least, most = (18 * passes - 17, 18 * passes) if passes else (1, 1)
        taken: int | None = None
        for stones in range(1, min(most, STONES) + 1):
            last = (self.origin + stones - bool(passes)) % 18
            if stones >= max(least, 1 + bool(passes)) and taken in (None, last):
                yield from self._ends(stones, last)
            # This stone was not the last one, then.
            if last in self.owners:
                self.banked[self.owners[last]] -= 1
                continue
            self.left[last] -= 1
            if self.left[last] < 0 and last != taken:
                # It lies there no more: the pit was taken in the end. That happens to one pit, in his row.
                if taken is not None or self.after.pits[last] or last // 9 == self.mover:
                    return
                taken = last

    def _ends(self, stones: int, last: int) -> Iterator[tuple[Position, int]]:
        """Yield the positions before if the stone that fell into `last` was the last of so many."""
        if last in self.owners:
            if not self.won:
                self.banked[self.owners[last]] -= 1
                yield from self._before(stones, last, 0, 0)
                self.banked[self.owners[last]] += 1
        elif last // 9 == self.mover or self.after.pits[last]:
            if self.left[last] and not self.won and not self._takes(last):
                yield from self._before(stones, last, self.left[last] - 1, 0)
        elif self.won:
            if self.after.tuzdyks[self.mover] == number_of(last) and self.left[last] + 2 >= 0:
                yield from self._before(stones, last, self.left[last] + 2, 3)
        else:
            # What was taken held at least the stones that fell into it now.
            least_even = (2 - self.left[last]) // 2 * 2
            for captured in range(least_even, self.banked[self.mover] + 1, 2):
                yield from self._before(stones, last, self.left[last] + captured - 1, captured)

    def _takes(self, last: int) -> bool:
        """Return whether the stones that lie in this pit could not have stayed there (1.3.2, 1.4.3)."""
        lying = self.after.pits[last]
        if last // 9 == self.mover:
            return False
        if lying != 3:
            return lying % 2 == 0
        return self.tuzdyks[self.mover] is None and number_of(last) not in (9, self.tuzdyks[1 - self.mover])

    def _before(self, stones: int, last: int, held: int, captured: int) -> Iterator[tuple[Position, int]]:
        """Yield the position before, if the game was not over there."""
        banked = self.banked.copy()
        banked[self.mover] -= captured
        if min(banked) < 0 or max(banked) >= WINNING_STONES:
            return
        pits = self.left.copy()
        pits[last] = held
        pits[self.origin] = stones
        yield Position(tuple(pits), (banked[0], banked[1]), self.tuzdyks, self.side), self.number
