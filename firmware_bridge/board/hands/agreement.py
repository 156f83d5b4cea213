"""How well what was seen of the hands agrees with one ply (pure)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from firmware_bridge.board.hands.events import Seen, Turn, When
from rules.position import Sowing, pit_index, tuzdyk_owner


@dataclass(frozen=True, slots=True)
class Agreement:
    """One ply against what was seen.

    Attributes:
        origin: The pit lifted first is the ply's; None when no lift of its player was seen.
        stones: As many stones were lifted as lay there, or all but the one left lying; None likewise.
        due: Stones that had to fall into pits, those of tuzdyks not counted.
        fell: Of these, the ones seen to fall where they had to.
        wrong: Places where more fell than had to.
        disorder: Pairs of falls that came in another order than the ply's, for certain.
        captured: What was banked is what the ply wins; None while stones are on their way.
        more: Whole turns seen besides this ply's.
    """

    origin: bool | None
    stones: bool | None
    due: int
    fell: int
    wrong: tuple[int, ...]
    disorder: int
    captured: bool | None
    more: int

    @property
    def agrees(self) -> bool:
        """Whether all of the ply was seen and nothing against it."""
        return bool(self.origin and self.stones and self.captured) and self.fell == self.due and self.clean

    @property
    def clean(self) -> bool:
        """Whether nothing was seen that speaks against the ply."""
        against = False in (self.origin, self.stones, self.captured)
        return not (against or self.wrong or self.disorder)


def agreement(seen: Seen, sowing: Sowing) -> Agreement:
    """Compare the first turn of the ply's player with the ply."""
    turn = next((turn for turn in seen.turns if turn.side is sowing.side and turn.lifted), None)
    path, banked_due = _due(sowing)
    if turn is None:
        return Agreement(None, None, len(path), 0, (), 0, None, len(seen.turns))
    origin = pit_index(sowing.side, sowing.number)
    low = sum(item.amount.low for item in turn.lifted if item.place == origin)
    high = sum(item.amount.high for item in turn.lifted if item.place == origin)
    falls = _stones(turn)
    fell = Counter(place for place, _ in falls)
    # The first stone may have been left lying instead of being lifted and laid back.
    left = path[:1] == [origin] and fell[origin] < path.count(origin) and low < sowing.stones
    stones = low <= sowing.stones - left <= high
    path = path[1:] if left else path
    due = Counter(path)
    wrong = tuple(sorted(place for place in fell if fell[place] > due[place]))
    return Agreement(
        origin=turn.lifted[0].place == origin and len({item.place for item in turn.lifted}) == 1,
        stones=stones,
        due=len(path),
        fell=sum((fell & due).values()),
        wrong=wrong,
        disorder=_disorder(falls, path),
        captured=_won(turn, banked_due),
        more=len(seen.turns) - 1,
    )


def _due(sowing: Sowing) -> tuple[list[int], list[int]]:
    """Return the pits the stones had to come to rest in, in order, and what each kazan had to win."""
    before = sowing.before.tuzdyks
    path = [index for index in sowing.path if tuzdyk_owner(index, before) is None]
    won = zip(sowing.after.kazans, sowing.before.kazans, strict=True)
    return path, [after - then for after, then in won]


def _stones(turn: Turn) -> list[tuple[int, When]]:
    """Return the stones that fell and stayed, one by one in the order of time.

    What is taken up again is what fell last there before that.
    """
    stones = [(fall.place, fall.when) for fall in turn.fell for _ in range(fall.amount.stones)]
    for item in turn.taken_up:
        for _ in range(item.amount.stones):
            there = [
                index
                for index, (place, when) in enumerate(stones)
                if place == item.place and when.at_us <= item.when.at_us
            ]
            if there:
                del stones[there[-1]]
    return stones


def _disorder(falls: list[tuple[int, When]], path: list[int]) -> int:
    """Count neighbours on the way that were surely sown the wrong way round."""
    nth: Counter[int] = Counter()
    seen: dict[tuple[int, int], When] = {}
    for place, when in falls:
        seen[place, nth[place]] = when
        nth[place] += 1
    nth.clear()
    latest: When | None = None
    disorder = 0
    for place in path:
        moment = seen.get((place, nth[place]))
        nth[place] += 1
        if moment is None:
            continue
        if latest is not None and moment.surely_before(latest):
            disorder += 1
        if latest is None or moment.early_us > latest.early_us:
            latest = moment
    return disorder


def _won(turn: Turn, due: list[int]) -> bool | None:
    low, high = [0, 0], [0, 0]
    for item in turn.banked:
        low[item.kazan.index] += item.amount.low
        high[item.kazan.index] += item.amount.high
    if all(least <= want <= most for least, want, most in zip(low, due, high, strict=True)):
        return True
    return None if turn.carried or turn.in_hand else False
