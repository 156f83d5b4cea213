"""The rules a second time, by other means: every stone is a thing that is carried from place to place.

Nothing of the rulebook is used here. A place is a word (`b3`, `q9`, `kazan b`), the board says in which place
each of the 162 stones lies, and a player goes through his move as the regulations tell it.
"""

from __future__ import annotations

PLAYERS = "bq"


class StoneBoard:
    """A board whose stones are walked about one at a time."""

    def __init__(self, places: list[str], owners: dict[str, str], mover: str) -> None:
        self.places = places
        """Where each stone lies."""
        self.owners = owners
        """Who owns a won pit."""
        self.mover = mover

    @classmethod
    def laid_out(cls) -> StoneBoard:
        """Return the board before the first move."""
        pits = [player + str(number) for player in PLAYERS for number in range(1, 10)]
        return cls([pit for pit in pits for _ in range(9)], {}, "b")

    def stones_in(self, place: str) -> list[int]:
        """Return the names of the stones in a place."""
        return [stone for stone, where in enumerate(self.places) if where == place]

    def other(self) -> str:
        """Return who is not to move."""
        return "q" if self.mover == "b" else "b"

    def choices(self) -> list[int]:
        """Return the pits that may be played."""
        if any(self.places.count("kazan " + player) > 81 for player in PLAYERS):
            return []
        return [number for number in range(1, 10) if self.mover + str(number) in self.places]

    def verdict(self) -> str | None:
        """Return the winner's letter, `draw`, or None while the game goes on."""
        if self.choices():
            return None
        banked = {player: self.places.count("kazan " + player) for player in PLAYERS}
        if max(banked.values()) < 82:
            banked[self.other()] = 162 - banked[self.mover]
        if banked["b"] == banked["q"]:
            return "draw"
        return "b" if banked["b"] > banked["q"] else "q"

    def move(self, number: int) -> tuple[list[str], int]:
        """Play a pit; returns where the stones were let go and how many were taken at the end."""
        pit = self.mover + str(number)
        hand = self.stones_in(pit)
        if len(hand) == 1:
            pit = _next(pit)
        fallen = []
        while True:
            stone = hand.pop()
            fallen.append(pit)
            self.places[stone] = "kazan " + self.owners[pit] if pit in self.owners else pit
            if not hand:
                break
            pit = _next(pit)
        taken = self._take(pit)
        self.mover = self.other()
        return fallen, taken

    def _take(self, pit: str) -> int:
        """Take what the last stone earned; returns how many stones."""
        if pit[0] == self.mover or pit in self.owners:
            return 0
        lying = self.stones_in(pit)
        if len(lying) == 3 and self._may_win(pit):
            self.owners[pit] = self.mover
        elif len(lying) % 2:
            return 0
        for stone in lying:
            self.places[stone] = "kazan " + self.mover
        return len(lying)

    def _may_win(self, pit: str) -> bool:
        has_one = self.mover in self.owners.values()
        mirrored = self.mover + pit[1] in self.owners
        return not has_one and not mirrored and pit[1] != "9"


def _next(pit: str) -> str:
    """Return the pit to the right, or round the corner."""
    if pit[1] == "9":
        return "q1" if pit[0] == "b" else "b1"
    return pit[0] + str(int(pit[1]) + 1)
