"""The turns of two players since a confirmed position: who holds what, and what became of it (pure).

What a fall or a rise of a place means depends on what hands hold: that is decided here. Steps come in the
order of time, as `hand_watch.py` releases them. What seemed one thing may turn out to be another: stones of
the other's row that were taken up are a capture when they go into a kazan, a turn when they fall into pits.
"""

from __future__ import annotations

from firmware_bridge.board.counting.lots import stones_due, tuzdyk_places
from firmware_bridge.board.hands.events import Amount, Banked, SowingEvent, When
from firmware_bridge.board.hands.trail import PASSED, Shift
from firmware_bridge.board.hands.turn import OpenTurn
from firmware_bridge.layout import PITS, is_kazan, owner_of
from rules.position import Position, Side, side_of


class Turns:
    """The turns since the last confirmed position.

    Attributes:
        position: The last confirmed position.
        open: The turns, oldest first.
        stones: How many lie at each of the twenty places, as far as is known.
    """

    def __init__(self, position: Position) -> None:
        """Begin from `position`."""
        self.position = position
        self.open: list[OpenTurn] = []
        self.stones = list(stones_due(position))

    @property
    def most_in_hand(self) -> int:
        """The most stones that may be in hands now."""
        return sum(turn.holds + turn.slack for turn in self.open)

    def may_fall(self, when: When) -> int:
        """Return the most stones that can have fallen at a moment, out of hands that held some by then."""
        return sum(turn.holds + turn.slack for turn in self.open if turn.took_us <= when.late_us)

    @property
    def won(self) -> frozenset[int]:
        """Places that may bear a mark: tuzdyks, and where three stones were captured since."""
        taken = {item.place for turn in self.open for item in turn.captured if item.amount.low <= 3}
        return tuzdyk_places(self.position) | taken

    def pressed(self, side: Side, at_us: int) -> bool:
        """Note whose turn a press ends; return whether there was one."""
        turn = next((turn for turn in self.open if turn.side is side and turn.pressed_us is None), None)
        if turn is not None:
            turn.pressed_us = at_us
        return turn is not None

    def confirm(self, position: Position, plies: int) -> list[int]:
        """Begin anew from `position`, reached by `plies` plies; return what `stones` lacked at each place."""
        later, side = self.open[:], self.position.to_move
        for _ in range(plies):
            if later and later[0].side is side:
                del later[0]
            side = side.opponent
        while later and (plies == 0 or not _begins(later[0], position)):
            del later[0]
        before, self.stones = self.stones, list(stones_due(position))
        for turn in later:
            turn.apply(self.stones)
        self.open, self.position = later, position
        return [after - then for after, then in zip(self.stones, before, strict=True)]

    # --- stones go up ------------------------------------------------------------------------------------

    def down(self, shift: Shift, amount: Amount, dip: float, touched: When) -> list[SowingEvent]:
        """Stones have left a place; `dip` is by how much it was lighter still on the way.

        A hand that captures may come down before the last stone has come to rest: then its fall was
        not seen for itself, and it happened when the place was first `touched`.
        """
        place = shift.place
        turn = self.open[-1] if self.open else None
        if turn is not None and amount.stones == self.stones[place] and self._falls_last(turn, place):
            hidden = When(touched.at_us, touched.early_us, shift.when.late_us)
            events: list[SowingEvent] = [turn.fall(hidden, place, Amount(1, 1, 1))]
            all_of_it = Amount(amount.stones + 1, amount.low + 1, amount.high + 1)
            events.append(turn.capture(shift.when, place, all_of_it))
            self.stones[place] = 0
            return events
        back = 0 if is_kazan(place) or dip < PASSED else max(1, round(dip))
        back = max(0, min(back, self.stones[place] - amount.stones))
        lifted = Amount(amount.stones + back, amount.low + back, amount.high + back)
        when = shift.when
        if back and shift.fell is not None:
            when = shift.fell
        events = [self._taken(when, place, lifted)]
        self.stones[place] -= lifted.stones
        if back:
            fell = shift.rose or When(shift.rest_us, when.late_us, shift.rest_us)
            self.stones[place] += back
            turn = self.open[-1]
            events.append(turn.fall(fell, place, Amount(back, back, back)))
        return events

    def _taken(self, when: When, place: int, amount: Amount) -> SowingEvent:
        turn = self.open[-1] if self.open else None
        if is_kazan(place):
            if turn is None:
                turn = self._begin(owner_of(place), when)
            return turn.take_up(when, place, amount, tuzdyk=False)
        owner = side_of(place)
        if turn is None:
            return self._begin(owner, when).lift(when, place, amount)
        if place in tuzdyk_places(self.position) and turn.lies(place) > 0:
            return turn.take_up(when, place, amount, tuzdyk=True)
        if owner is not turn.side and self._captures(turn, place, when):
            return turn.capture(when, place, amount)
        laid = turn.lies(place)
        if laid >= amount.low and self.stones[place] - amount.stones >= 0 and turn.pressed_us is None:
            return turn.take_up(when, place, amount, tuzdyk=False)
        if owner is turn.side:
            return turn.lift(when, place, amount)
        return self._begin(owner, when).lift(when, place, amount)

    def _captures(self, turn: OpenTurn, place: int, when: When) -> bool:
        """Whether stones taken from the other's row are a capture, and not the other's turn."""
        if turn.pressed_us is not None and turn.pressed_us < when.early_us:
            return False
        if place in turn.carried or any(item.place == place for item in turn.captured):
            return True
        if turn.in_hand - turn.slack > 0 or place not in turn.last_places:
            return False
        there = self.stones[place]
        return there % 2 == 0 or there == 3

    def _falls_last(self, turn: OpenTurn, place: int) -> bool:
        """Whether the one stone in hand is due at `place`, in the other's row, and may have fallen unseen."""
        if is_kazan(place) or turn.in_hand != 1 or turn.pressed_us is not None or side_of(place) is turn.side:
            return False
        tuzdyks = tuzdyk_places(self.position)
        last = max(turn.fell, key=lambda fall: fall.when.at_us, default=None)
        due = ((last or turn.lifted[0]).place + 1) % PITS if last or turn.lifted else place
        while due in tuzdyks:
            due = (due + 1) % PITS
        return due == place

    def _begin(self, side: Side, when: When) -> OpenTurn:
        pressed_us = self.open[-1].pressed_us if self.open else 0
        early = pressed_us is None or when.late_us < pressed_us
        turn = OpenTurn(side, early)
        self.open.append(turn)
        return turn

    # --- stones come down ----------------------------------------------------------------------------------

    def up(self, shift: Shift, amount: Amount) -> list[SowingEvent]:
        """Take it that stones have come to a place, at most as many as hands may hold."""
        place = shift.place
        if is_kazan(place):
            return [*self._was_captured(place, amount), self._into_kazan(shift, amount)]
        turn = next((turn for turn in reversed(self.open) if turn.in_hand), None)
        if turn is None:
            turn = self._not_captured(place) or next(
                turn for turn in reversed(self.open) if turn.holds + turn.slack
            )
        self.stones[place] += amount.stones
        return [turn.fall(shift.when, place, amount)]

    def _not_captured(self, place: int) -> OpenTurn | None:
        """Stones thought to be captured fall into a pit: it was the other player's turn that began."""
        turn = self.open[-1]
        if not turn.captured or turn.banked or turn.captured[-1].place == place:
            return None
        item = turn.captured[-1]
        turn.is_a_lift()
        other = self._begin(turn.side.opponent, item.when)
        other.lift(item.when, item.place, item.amount)
        return other

    def _was_captured(self, kazan: int, amount: Amount) -> list[SowingEvent]:
        """See that what seemed the other player's lift was a capture: it goes into the first one's kazan.

        One stone more than was lifted is the last of the sowing, on which the hand came down at once.
        """
        if len(self.open) < 2:
            return []
        turn, later = self.open[-2:]
        if turn.side.index != kazan - PITS or later.side is turn.side or later.fell or len(later.lifted) != 1:
            return []
        item = later.lifted[0]
        if turn.pressed_us is not None and turn.pressed_us < item.when.early_us:
            return []
        del self.open[-1]
        events: list[SowingEvent] = []
        hidden = max(0, min(turn.in_hand, amount.stones - item.amount.stones))
        if hidden:
            when = When(turn.since_us, turn.since_us, item.when.late_us)
            events.append(turn.fall(when, item.place, Amount(hidden, 0, hidden)))
        taken = item.amount
        taken = Amount(taken.stones + hidden, taken.low, taken.high + hidden)
        return [*events, turn.capture(item.when, item.place, taken)]

    def _into_kazan(self, shift: Shift, amount: Amount) -> Banked:
        kazan = owner_of(shift.place)
        carrying = [turn for turn in self.open if any(side_of(place) is not kazan for place in turn.carried)]
        holding = [turn for turn in self.open if turn.holds + turn.slack]
        turn = (carrying or holding)[-1]
        carried = sum(stones for place, stones in turn.carried.items() if side_of(place) is not kazan)
        if carried and amount.low <= carried <= amount.high:
            amount = Amount(carried, amount.low, amount.high)
        if amount.stones > self.most_in_hand:
            amount = Amount(self.most_in_hand, amount.low, amount.high)
        self.stones[shift.place] += amount.stones
        return turn.bank(shift.when, kazan, amount)


def _begins(turn: OpenTurn, position: Position) -> bool:
    """Whether a turn can be the beginning of a ply from `position`: a whole pit lifted, but for one stone.

    What else was seen before a confirmation is not carried over: one misreading is not to spoil the next ply.
    """
    if turn.side is not position.to_move or not turn.lifted:
        return False
    place = turn.lifted[0].place
    low = sum(item.amount.low for item in turn.lifted if item.place == place)
    high = sum(item.amount.high for item in turn.lifted if item.place == place)
    return low <= position.pits[place] <= high + 1
