"""The rules a third time, and fast enough for thousands of games: the table is turned after every move.

Nothing of the rulebook is used here. Each player sits down before the same eighteen places, his own nine
first, so there is only one player in the program: the one who looks at the board. Stones are laid out of the
hand one by one, and what falls on a won place is thrown to its owner at once.
"""

from __future__ import annotations

LAST = 17
NOBODY, ME, YOU = "", "me", "you"


class Turntable:
    """The board as the player to move sees it.

    Attributes:
        table: Stones on the places, from his first pit round to the opponent's ninth.
        whose: Who gets what falls on a place; NOBODY for an ordinary one.
        purse: What the two have won.
        first: True while he who began the game looks at the board.
    """

    def __init__(self, table: list[int], whose: list[str], purse: dict[str, int], *, first: bool) -> None:
        self.table = table
        self.whose = whose
        self.purse = purse
        self.first = first

    @classmethod
    def laid_out(cls) -> Turntable:
        """Return the board before the first move."""
        return cls([9] * 18, [NOBODY] * 18, {ME: 0, YOU: 0}, first=True)

    def choices(self) -> list[int]:
        """Return the pits that may be played."""
        if self.purse[ME] > 81 or self.purse[YOU] > 81:
            return []
        return [place + 1 for place in range(9) if self.table[place] > 0]

    def move(self, pit: int) -> tuple[int, int]:
        """Play a pit and turn the table; returns the mover's place of the last stone, and the take."""
        place = pit - 1
        hand = self.table[place]
        self.table[place] = 0
        if hand > 1:
            hand -= 1
            self.table[place] = 1
        while hand > 0:
            place = 0 if place == LAST else place + 1
            hand -= 1
            if self.whose[place] == NOBODY:
                self.table[place] += 1
            else:
                self.purse[self.whose[place]] += 1
        take = self._take(place)
        if take:
            self.table[place] = 0
            self.purse[ME] += take
        self._turn()
        return place, take

    def _take(self, place: int) -> int:
        if place < 9 or self.whose[place] != NOBODY:
            return 0
        heap = self.table[place]
        if heap == 3 and place != LAST and ME not in self.whose and self.whose[place - 9] != YOU:
            self.whose[place] = ME
            return 3
        return 0 if heap & 1 else heap

    def _turn(self) -> None:
        swapped = {NOBODY: NOBODY, ME: YOU, YOU: ME}
        self.table = self.table[9:] + self.table[:9]
        if ME in self.whose or YOU in self.whose:
            self.whose = [swapped[owner] for owner in self.whose[9:] + self.whose[:9]]
        self.purse = {ME: self.purse[YOU], YOU: self.purse[ME]}
        self.first = not self.first

    def totals(self) -> tuple[int, int]:
        """Return what he who began and his opponent have, at the end with what then belongs to either."""
        mine, yours = self.purse[ME], self.purse[YOU]
        if mine < 82 and yours < 82 and not self.choices():
            yours += sum(self.table)
        return (mine, yours) if self.first else (yours, mine)

    def seen(self) -> tuple[tuple[int, ...], tuple[int, int], tuple[int | None, int | None], bool]:
        """Return the board as he sees it who began: stones, purses, won pits by owner, is it his turn."""
        turned = 0 if self.first else 9
        table = self.table[turned:] + self.table[:turned]
        mine = self.whose.index(ME) - 8 if ME in self.whose else None
        yours = self.whose.index(YOU) + 1 if YOU in self.whose else None
        purse = (self.purse[ME], self.purse[YOU])
        if self.first:
            return tuple(table), purse, (mine, yours), True
        return tuple(table), (purse[1], purse[0]), (yours, mine), False
