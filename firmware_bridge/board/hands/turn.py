"""One player's turn while it happens: what his hands hold, and what became of it (pure)."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.board.hands.events import Amount, Banked, Captured, Fell, Lifted, TakenUp, Turn, When
from firmware_bridge.layout import PITS
from rules.position import Side, side_of


@dataclass(slots=True)
class OpenTurn:
    """A turn under way; `frozen` gives it as a value.

    Attributes:
        side: Whose.
        early: It began before the other's turn was pressed or confirmed.
        pressed_us: When its player pressed; None while he has not.
        in_hand: Stones of the sowing in hand.
        carried: Captured and fetched stones on their way, by the place they were taken from.
        slack: Stones that the lifted ones may be more than counted.
        spare: Stones that they may be less.
        since_us: When the hands last took or gave.
    """

    side: Side
    early: bool
    pressed_us: int | None = None
    lifted: list[Lifted] = field(default_factory=list)
    fell: list[Fell] = field(default_factory=list)
    taken_up: list[TakenUp] = field(default_factory=list)
    captured: list[Captured] = field(default_factory=list)
    banked: list[Banked] = field(default_factory=list)
    in_hand: int = 0
    carried: dict[int, int] = field(default_factory=dict)
    slack: int = 0
    spare: int = 0
    since_us: int = 0

    @property
    def holds(self) -> int:
        """Stones in this player's hands, carried ones among them."""
        return self.in_hand + sum(self.carried.values())

    @property
    def took_us(self) -> int:
        """The earliest moment at which this player may have taken something up."""
        taken: list[Lifted | TakenUp | Captured] = [*self.lifted, *self.taken_up, *self.captured]
        return min((item.when.early_us for item in taken), default=0)

    @property
    def holds_surely(self) -> int:
        """Stones that must be in his hands, even where fewer were lifted than counted; 0 or more."""
        return max(0, self.holds - self.spare)

    @property
    def last_places(self) -> frozenset[int]:
        """Where the last stone may have fallen: more than one place where the order cannot be told."""
        if not self.fell:
            return frozenset()
        last = max(self.fell, key=lambda fall: fall.when.at_us)
        return frozenset(fall.place for fall in self.fell if not fall.when.surely_before(last.when))

    def lies(self, place: int) -> int:
        """Return how many stones this turn has laid at `place` and left there."""
        fell = sum(fall.amount.stones for fall in self.fell if fall.place == place)
        return fell - sum(item.amount.stones for item in self.taken_up if item.place == place)

    def lift(self, when: When, place: int, amount: Amount) -> Lifted:
        """Take stones up to sow them."""
        item = Lifted(when, self.side, place, amount, self.early)
        self.lifted.append(item)
        self.in_hand += amount.stones
        self.slack += amount.high - amount.stones
        self.spare += amount.stones - amount.low
        self.since_us = when.at_us
        return item

    def fall(self, when: When, place: int, amount: Amount) -> Fell:
        """Let stones fall; more than the hand holds only as far as the lifted ones may have been more."""
        item = Fell(when, self.side, place, amount)
        self.fell.append(item)
        self.spend(amount.stones, when.at_us)
        return item

    def spend(self, stones: int, at_us: int) -> None:
        """Take stones out of the sowing hand, then out of what is carried."""
        own = min(stones, self.in_hand + self.slack)
        if own > self.in_hand:
            self._lifted_more(own - self.in_hand)
        self.in_hand -= own
        for place in list(self.carried):
            give = min(stones - own, self.carried[place])
            self.put_down(place, give)
            own += give
        self.since_us = at_us

    def put_down(self, place: int, stones: int) -> None:
        """Let carried stones go that were taken from `place`."""
        left = self.carried.get(place, 0) - stones
        if left > 0:
            self.carried[place] = left
        else:
            self.carried.pop(place, None)

    def _lifted_more(self, stones: int) -> None:
        """More has fallen than was counted when it was lifted: it was more."""
        self.slack -= stones
        self.in_hand += stones
        for index in range(len(self.lifted) - 1, -1, -1):
            item = self.lifted[index]
            room = item.amount.high - item.amount.stones
            more = min(stones, room)
            if more:
                amount = Amount(item.amount.stones + more, item.amount.low, item.amount.high)
                self.lifted[index] = Lifted(item.when, item.side, item.place, amount, item.early)
                stones -= more

    def take_up(self, when: When, place: int, amount: Amount, *, tuzdyk: bool) -> TakenUp:
        """Take fallen stones up again."""
        item = TakenUp(when, self.side, place, amount, tuzdyk)
        self.taken_up.append(item)
        if tuzdyk:
            self.carried[place] = self.carried.get(place, 0) + amount.stones
        else:
            self.in_hand += amount.stones
        self.since_us = when.at_us
        return item

    def capture(self, when: When, place: int, amount: Amount) -> Captured:
        """Take what lies where the last stone fell."""
        item = Captured(when, self.side, place, amount)
        self.captured.append(item)
        self.carried[place] = self.carried.get(place, 0) + amount.stones
        self.since_us = when.at_us
        return item

    def bank(self, when: When, kazan: Side, amount: Amount) -> Banked:
        """Lay stones into a kazan: carried ones first, then those of the sowing."""
        mine = [place for place in self.carried if side_of(place) is not kazan]
        source = mine[0] if mine else None
        left = amount.stones
        for place in mine:
            give = min(left, self.carried[place])
            self.put_down(place, give)
            left -= give
        if left:
            self.spend(left, when.at_us)
        item = Banked(when, self.side, kazan, amount, source)
        self.banked.append(item)
        self.since_us = when.at_us
        return item

    def is_a_lift(self) -> None:
        """Give the last capture away: it is the beginning of the other player's turn."""
        item = self.captured.pop()
        self.put_down(item.place, item.amount.stones)

    def apply(self, stones: list[int]) -> None:
        """Change the `stones` of the twenty places by what this turn has done so far."""
        gone: list[Lifted | TakenUp | Captured] = [*self.lifted, *self.taken_up, *self.captured]
        for item in gone:
            stones[item.place] -= item.amount.stones
        for fall in self.fell:
            stones[fall.place] += fall.amount.stones
        for banked in self.banked:
            stones[PITS + banked.kazan.index] += banked.amount.stones

    def frozen(self) -> Turn:
        """Return the turn as a value, falls in the order of time."""
        return Turn(
            side=self.side,
            lifted=tuple(self.lifted),
            fell=tuple(sorted(self.fell, key=lambda fall: fall.when.at_us)),
            taken_up=tuple(self.taken_up),
            captured=tuple(self.captured),
            banked=tuple(self.banked),
            in_hand=self.in_hand,
            carried=sum(self.carried.values()),
            since_us=self.since_us if self.holds else None,
            early=self.early,
        )
