"""What hands do at a board, as values: the events of a sowing, and the sum of them (pure).

Times are table time in microseconds. Places are those of `firmware_bridge.layout`: 0..17 the pits,
18 and 19 the kazans. What weights and blocks of samples cannot tell exactly is said with bounds:
`When` for a moment, `Amount` for a number of stones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rules.position import Side


@dataclass(frozen=True, slots=True)
class When:
    """A moment, as exactly as the cells show it.

    Attributes:
        at_us: The most probable moment.
        early_us: It was not before this.
        late_us: It was not after this.
    """

    at_us: int
    early_us: int
    late_us: int

    def surely_before(self, other: When) -> bool:
        """Whether this was before `other` for certain; False also where it cannot be told."""
        return self.late_us < other.early_us


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of stones, as exactly as the weight shows it.

    Attributes:
        stones: The most probable number.
        low: It is not less.
        high: It is not more.
    """

    stones: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Lifted:
    """A player took stones up to sow them.

    Attributes:
        when: When the pit became lighter.
        side: Whose turn this begins or belongs to: the owner of the pit.
        place: The pit 0..17.
        amount: How many. Where the first stone was left lying it is not among them.
        early: The other player's turn was not finished by a press, nor confirmed.
    """

    when: When
    side: Side
    place: int
    amount: Amount
    early: bool = False


@dataclass(frozen=True, slots=True)
class Fell:
    """Stones of a sowing fell into a pit."""

    when: When
    side: Side
    place: int
    amount: Amount


@dataclass(frozen=True, slots=True)
class TakenUp:
    """Stones that had fallen were taken up again: put right, or fetched out of a tuzdyk.

    Attributes:
        when: When.
        side: In whose turn.
        place: From where; may be a kazan.
        amount: How many.
        tuzdyk: The place is a tuzdyk, so the stones are on their way to its owner.
    """

    when: When
    side: Side
    place: int
    amount: Amount
    tuzdyk: bool = False


@dataclass(frozen=True, slots=True)
class Captured:
    """Stones were taken from where the last stone fell; they are on their way to a kazan."""

    when: When
    side: Side
    place: int
    amount: Amount


@dataclass(frozen=True, slots=True)
class Banked:
    """Stones came into a kazan.

    Attributes:
        when: When.
        side: In whose turn.
        kazan: Whose kazan.
        amount: How many.
        source: The pit they were taken from; None for stones of the sowing itself, as those of a tuzdyk.
    """

    when: When
    side: Side
    kazan: Side
    amount: Amount
    source: int | None


@dataclass(frozen=True, slots=True)
class MarkLaid:
    """A tuzdyk's mark was laid into a pit."""

    when: When
    place: int


@dataclass(frozen=True, slots=True)
class HandRests:
    """Something weighs on a place that can be no stones of this game: a hand, most probably.

    Attributes:
        when: When it began.
        place: Where.
        weight: How much more than before, in stones; negative where it is less, by no whole number.
    """

    when: When
    place: int
    weight: float


@dataclass(frozen=True, slots=True)
class Touched:
    """A place was touched and weighs what it weighed before: somebody put stones right, or leaned there.

    Attributes:
        when: When it began.
        place: Where.
        until_us: When it was at rest again.
    """

    when: When
    place: int
    until_us: int


@dataclass(frozen=True, slots=True)
class Extra:
    """Stones lie there that are not of this game: more than 162 in all, and no hand takes them away."""

    when: When
    place: int
    amount: Amount


@dataclass(frozen=True, slots=True)
class Missing:
    """A player has pressed, everything is at rest, and stones are not on the board."""

    when: When
    side: Side
    amount: Amount


@dataclass(frozen=True, slots=True)
class Unseen:
    """A place cannot be read: what happens there from now on is not seen; `reason` is for people."""

    when: When
    place: int
    reason: str


@dataclass(frozen=True, slots=True)
class HandsEmpty:
    """All stones are on the board again and everything is at rest."""

    when: When


SowingEvent: TypeAlias = (
    Lifted
    | Fell
    | TakenUp
    | Captured
    | Banked
    | MarkLaid
    | HandRests
    | Touched
    | Extra
    | Missing
    | Unseen
    | HandsEmpty
)


@dataclass(frozen=True, slots=True)
class Turn:
    """What one player's hands have done, in the order of time.

    Attributes:
        side: Whose.
        lifted: What was taken up to be sown; the first is the pit played.
        fell: The falls.
        taken_up: What was taken up again.
        captured: What was taken from where the last stone fell.
        banked: What came into a kazan.
        in_hand: Stones of the sowing still in hand.
        carried: Captured and fetched stones on their way.
        since_us: Since when the hand has held what it holds now; None when it is empty.
        early: It began before the other's turn was pressed or confirmed.
    """

    side: Side
    lifted: tuple[Lifted, ...]
    fell: tuple[Fell, ...]
    taken_up: tuple[TakenUp, ...]
    captured: tuple[Captured, ...]
    banked: tuple[Banked, ...]
    in_hand: int
    carried: int
    since_us: int | None
    early: bool


@dataclass(frozen=True, slots=True)
class Held:
    """What one player's hands hold now, for whoever is told of the hands and not of the pits.

    Attributes:
        side: Whose hands.
        pit: The pit 0..17 he has lifted; None where no lift was seen.
        stones: Stones still to be sown.
        carried: Captured stones, or stones out of a tuzdyk, on their way to a kazan.
    """

    side: Side
    pit: int | None
    stones: int
    carried: int


@dataclass(frozen=True, slots=True)
class Seen:
    """All that hands have done since the last confirmed position.

    Attributes:
        since_us: Since when.
        turns: The players' turns, oldest first; more than one when plies are not confirmed yet.
        touched: Places that were touched without a change.
        resting: Places on which something rests that is no stones.
        unseen: Places that cannot be read now.
        moving: Places not at rest now.
    """

    since_us: int
    turns: tuple[Turn, ...]
    touched: frozenset[int]
    resting: frozenset[int]
    unseen: frozenset[int]
    moving: frozenset[int]

    @property
    def lifted(self) -> tuple[Lifted, ...]:
        """Every lift, oldest first."""
        return tuple(item for turn in self.turns for item in turn.lifted)

    @property
    def fell(self) -> tuple[Fell, ...]:
        """Every fall, oldest first within a turn."""
        return tuple(item for turn in self.turns for item in turn.fell)

    @property
    def in_hand(self) -> int:
        """Stones in hands, carried ones among them."""
        return sum(turn.in_hand + turn.carried for turn in self.turns)

    @property
    def held(self) -> tuple[Held, ...]:
        """What is in hands now, at most one value for each player; () while all hands are empty."""
        latest = {turn.side: turn for turn in self.turns if turn.in_hand + turn.carried > 0}
        return tuple(
            Held(side, turn.lifted[0].place if turn.lifted else None, turn.in_hand, turn.carried)
            for side, turn in latest.items()
        )
