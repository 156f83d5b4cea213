"""Sowing seen as it happens: what hands do between two confirmed positions (pure).

From the channels' readings in time and the last confirmed position to a stream of events: which pit
was lifted, where its stones fell and when, what is still in hand, what was captured and banked. It
decides nothing and accuses nobody: it says what was seen, with bounds where it is not exact, and
serves whoever has to choose between two explanations of one board (`HandWatch.follows`).

How it thinks. Each place is cut into rests and the steps between them (`trail.py`). Steps are
judged in the order of time: one waits while a place is in motion that began to move before it, though
not longer than `PATIENCE_US`. Every step is then read with what the hands can be holding: 162 stones
in all, so a rise of more than is in hands is a hand that rests there, and a fall is stones taken up.
Only differences of levels are used, divided by the mean mass of a stone, never an absolute weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor

from firmware_bridge.board.counting.belief import Units
from firmware_bridge.board.counting.lots import tuzdyk_places
from firmware_bridge.board.hands.agreement import Agreement, agreement
from firmware_bridge.board.hands.events import (
    Amount,
    Extra,
    HandRests,
    HandsEmpty,
    MarkLaid,
    Missing,
    Seen,
    SowingEvent,
    Touched,
    Unseen,
    When,
)
from firmware_bridge.board.hands.trail import KAZAN_STILL, STILL, Shift, Trail
from firmware_bridge.board.hands.turns import Turns
from firmware_bridge.layout import PLACES, is_kazan
from rules.position import Position, Side, Sowing
from sensors.period import SamplePeriod
from sensors.settle import ChannelReading, ReadingState

PATIENCE_US = 1_000_000
"""How long a step waits for places that began to move before it: a hand may rest on one for minutes."""

REST_AFTER_US = 400_000
"""How long everything must be at rest before hands are called empty; longer than between two stones."""

EXTRA_AFTER_US = 3_000_000
"""How long something too heavy must lie untouched to be called stones: a hand seldom rests so still."""

PIT_DOUBT = 0.30
"""Stones a pit's step may be from a whole number: rounding's half, less noise and ringing."""

KAZAN_DOUBT = 0.50
"""A kazan's step is never refused for its fraction: its cell is coarse (hysteresis of 0.2 to 0.9 stones)."""

ODD_STONE = (0.5, 1.5)
"""What weighs no whole number of stones, but about one, may be an odd one while stones are in hand."""

ODD_AFTER_US = 800_000
"""How long everything must be still before it is taken for one: the sowing has stalled, and a hand that
weighs so little seldom lies so still."""

HEAP_AFTER_US = 2_000_000
"""How long several stones that came slowly must lie still to be stones; a leaning hand has gone or moved."""

OWED_US = 500_000
"""How long after a rest began its level may still be one of ringing, and not the stones' own."""

LEANT_PLACES = (3, 6)
"""Places on which something rests, or that move at once, when it is the table that is leant on: two players
have four hands, of which one sows and seldom more than one rests."""

SLOW_US = 400_000
"""A level that takes so long to come to rest is no falling stone's while the table is leant on; a stone
takes 0.15 s, twice that with its ringing."""

SAME = 0.40
"""Stones a place may be from what a confirmed position makes due there; as the count tolerates."""

MASS_DOUBT = 0.03
"""Of each stone moved: unequal stones and a sensitivity that is not exact."""


def amount_of(weight: float, doubt: float) -> Amount:
    """Return how many stones weigh `weight` stones, give or take `doubt` and what unequal stones add."""
    near = round(weight)
    give = doubt + MASS_DOUBT * abs(weight)
    return Amount(near, min(near, ceil(weight - give)), max(near, floor(weight + give)))


def is_whole(weight: float, doubt: float) -> bool:
    """Whether so many stones can be a whole number of them."""
    return abs(weight - round(weight)) <= doubt + MASS_DOUBT / 2 * abs(weight)


def _since_rested(shift: Shift, first: Shift, began: Shift) -> Shift:
    """Return a step by which stones came, told from when they can have come.

    Args:
        shift: The step that shows them.
        first: The step before it with which something rested there; else `shift`.
        began: The step with which that something came; it may have weighed this and that since.
    """
    only_rang = shift.when.early_us <= first.rest_us + OWED_US
    if only_rang and began is first:
        return replace(shift, when=first.when)
    # somewhere under the hand that rested there
    at_us = first.when.at_us if only_rang else shift.when.at_us
    return replace(shift, when=When(at_us, began.when.early_us, shift.when.late_us))


class HandWatch:
    """The eye on the hands of one table; give it every sample's readings."""

    def __init__(
        self, units: Units, position: Position, at_us: int, marked: frozenset[int] = frozenset()
    ) -> None:
        """Begin from `position`, confirmed at `at_us`; on the places `marked` a mark lies already."""
        self._unit_g = units.stone_g
        self._mark = units.mark_g / units.stone_g
        self._trails = [Trail(place, KAZAN_STILL if is_kazan(place) else STILL) for place in range(PLACES)]
        self._faults: set[int] = set()
        self._waiting: list[Shift] = []
        self._refs: list[float] = [0.0] * PLACES
        self._owed: list[tuple[float, int]] = [(0.0, at_us)] * PLACES
        self._resting: dict[int, Shift] = {}
        self._began: dict[int, Shift] = {}
        self._extra: set[int] = set()
        self._turns = Turns(position)
        self._touched: set[int] = set()
        self._marked = set(marked)
        self._last_us = at_us
        self._period = SamplePeriod()
        self._told_empty = self._told_missing = True
        self._late: list[SowingEvent] = []
        self._since_us = at_us

    # --- what comes in ------------------------------------------------------------------------------

    def update(self, at_us: int, readings: Sequence[ChannelReading]) -> tuple[SowingEvent, ...]:
        """Take the readings of the twenty places, in their order; return what that shows.

        Args:
            at_us: Table time of the sample.
            readings: One for each place.
        """
        events, self._late = self._late, []
        self._period.take(at_us - self._last_us)
        for place, reading in enumerate(readings):
            level_g = reading.load_g if reading.level_g is None else reading.level_g
            if (reading.state is ReadingState.FAULT) is not (place in self._faults):
                self._faults ^= {place}
                if place in self._faults:
                    events.append(Unseen(When(at_us, self._last_us, at_us), place, str(reading.reason)))
            if place in self._faults:
                level_g = None
            level = None if level_g is None else level_g / self._unit_g
            shift = self._trails[place].take(at_us, level, self._period.us)
            if shift is not None:
                self._waiting.append(shift)
        self._last_us = at_us
        if self._waiting:
            for shift in self._ripe(at_us):
                events.extend(self._judge(shift))
        if self._resting:
            events.extend(self._judge_again(at_us))
        events.extend(self._look_around(at_us))
        return tuple(events)

    def pressed(self, side: Side, at_us: int) -> None:
        """Hear that `side` has pressed: a turn of the other that begins later is not early."""
        if self._turns.pressed(side, at_us):
            self._told_missing = False

    def confirm(self, position: Position, at_us: int, plies: int = 1) -> None:
        """Begin anew from `position`; turns that belong to what comes after it are carried over.

        Args:
            position: What is confirmed now.
            at_us: Table time now.
            plies: How many plies were confirmed with it; 0 when stones were put right.
        """
        for shift in sorted(self._waiting, key=lambda shift: shift.when.at_us):
            self._late.extend(self._judge(shift))
        self._waiting.clear()
        wrong = self._turns.confirm(position, plies)
        for place in list(self._resting):
            # What rests there may be stones after all: those that are confirmed now.
            self._refs[place] += wrong[place]
            level = self._trails[place].level
            if level is not None and abs(level - self._refs[place]) <= SAME:
                self._settle(self._resting[place], 0.0)
        self._since_us = at_us
        self._touched.clear()
        self._told_empty, self._told_missing = not self._turns.open, True
        self._marked &= tuzdyk_places(position)

    # --- what can be asked ---------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The last confirmed position."""
        return self._turns.position

    @property
    def seen(self) -> Seen:
        """All that hands have done since the last confirmed position."""
        return Seen(
            since_us=self._since_us,
            turns=tuple(turn.frozen() for turn in self._turns.open),
            touched=frozenset(self._touched),
            resting=frozenset(self._resting),
            unseen=frozenset(self._faults),
            moving=frozenset(trail.place for trail in self._trails if trail.moving_since_us is not None),
        )

    def follows(self, sowing: Sowing) -> Agreement:
        """Return how well what was seen agrees with this ply; several may be compared."""
        return agreement(self.seen, sowing)

    # --- steps in the order of time --------------------------------------------------------------------

    def _ripe(self, at_us: int) -> list[Shift]:
        """Return the steps before which nothing else can have begun, oldest first."""
        moving = [since for trail in self._trails if (since := trail.moving_since_us) is not None]
        oldest = min((since for since in moving if at_us - since <= PATIENCE_US), default=None)
        ripe = [shift for shift in self._waiting if oldest is None or shift.when.early_us <= oldest]
        self._waiting = [shift for shift in self._waiting if shift not in ripe]
        return sorted(ripe, key=lambda shift: shift.when.at_us)

    def _judge(self, shift: Shift, *, patient: bool = False) -> list[SowingEvent]:
        """Say what one step means; a place on which something rests is judged from before that.

        Args:
            shift: The step.
            patient: Whether it has lain there for so long that it can be stones however it came.
        """
        place = shift.place
        first = self._resting.get(place, shift)
        began = self._began.get(place, first)
        if place not in self._resting:
            owed, until_us = self._owed[place]
            self._refs[place] = shift.before - (owed if shift.when.early_us <= until_us else 0.0)
        delta = shift.level - self._refs[place]
        doubt = KAZAN_DOUBT if is_kazan(place) else PIT_DOUBT
        if abs(delta) <= doubt:
            self._settle(shift, delta)
            self._touched.add(place)
            return [Touched(shift.when, place, shift.rest_us)]
        if self._is_mark(place, delta):
            self._settle(shift, 0.0)
            self._marked.add(place)
            return [MarkLaid(shift.when, place)]
        if place in self._marked and abs(delta + self._mark) <= doubt and not is_kazan(place):
            self._settle(shift, 0.0)
            self._marked.discard(place)
            return [Touched(shift.when, place, shift.rest_us)]
        amount = amount_of(abs(delta), doubt)
        if not is_whole(delta, doubt) or (
            delta > 0 and max(1, amount.low) > self._turns.may_fall(first.when)
        ):
            return self._rest(shift, delta)
        slow = shift.rest_us - first.when.early_us >= SLOW_US
        if slow and delta > 0 and (self._leant_on or self._is_heap(place, delta)) and not patient:
            return self._rest(shift, delta)
        self._settle(shift, delta - round(delta))
        self._told_empty = False
        if delta < 0:
            return self._turns.down(shift, amount, shift.level - shift.low, first.when)
        return self._turns.up(_since_rested(shift, first, began), amount)

    def _is_heap(self, place: int, delta: float) -> bool:
        """Whether it is more than falls into a pit at once; a hand that leans there comes as slowly."""
        return not is_kazan(place) and delta > ODD_STONE[1]

    @property
    def _leant_on(self) -> bool:
        """Whether somebody leans on the table: more places at once weigh or move than hands can be at."""
        moving = sum(trail.moving_since_us is not None for trail in self._trails)
        return len(self._resting) >= LEANT_PLACES[0] or moving >= LEANT_PLACES[1]

    def _settle(self, shift: Shift, owed: float) -> None:
        """Take a new level as it is; what it lacks to a whole number is owed while it may still ring."""
        self._resting.pop(shift.place, None)
        self._began.pop(shift.place, None)
        self._extra.discard(shift.place)
        self._owed[shift.place] = (owed, shift.rest_us + OWED_US)

    def _rest(self, shift: Shift, delta: float) -> list[SowingEvent]:
        told = shift.place in self._resting
        self._resting[shift.place] = shift
        self._began.setdefault(shift.place, shift)
        self._extra.discard(shift.place)
        return [] if told else [HandRests(shift.when, shift.place, round(delta, 2))]

    def _judge_again(self, at_us: int) -> list[SowingEvent]:
        """Look again at what rests somewhere: its level is known better, or more is known to be in hands."""
        events: list[SowingEvent] = []
        waiting = {shift.place for shift in self._waiting}
        for place, shift in tuple(self._resting.items()):
            level = self._trails[place].level
            if level is None or place in waiting or self._trails[place].moving_since_us is not None:
                continue
            delta = level - self._refs[place]
            doubt = KAZAN_DOUBT if is_kazan(place) else PIT_DOUBT
            amount = amount_of(abs(delta), doubt)
            if self._leant_on and abs(delta) > doubt:
                continue
            known = delta < doubt or max(1, amount.low) <= self._turns.may_fall(shift.when)
            age_us = at_us - shift.rest_us
            if (
                known
                and is_whole(delta, doubt)
                and (not self._is_heap(place, delta) or age_us >= HEAP_AFTER_US)
            ):
                events.extend(self._judge(replace(shift, level=level), patient=age_us >= HEAP_AFTER_US))
            elif known and ODD_STONE[0] <= delta <= ODD_STONE[1] and self._rests_us(at_us) >= ODD_AFTER_US:
                came = _since_rested(shift, shift, self._began[place])
                self._settle(shift, 0.0)
                events.extend(self._turns.up(came, Amount(1, 0, 1)))
        return events

    def _rests_us(self, at_us: int) -> int:
        """Return for how long nothing has happened anywhere."""
        moving = any(trail.moving_since_us is not None for trail in self._trails)
        return 0 if moving else at_us - max(trail.rest_us for trail in self._trails)

    def _is_mark(self, place: int, delta: float) -> bool:
        """Whether a mark can be what was laid there: on a tuzdyk, new or old, that has none yet."""
        if place in self._marked or not self._mark or abs(delta - self._mark) > PIT_DOUBT:
            return False
        stones = is_whole(delta, PIT_DOUBT) and self._turns.most_in_hand > 0
        return place in self._turns.won and not stones

    # --- everything at rest ---------------------------------------------------------------------------

    def _look_around(self, at_us: int) -> list[SowingEvent]:
        """Say what only time tells: hands empty, stones missing, stones too many."""
        events: list[SowingEvent] = []
        for place, shift in self._resting.items():
            delta = shift.level - self._refs[place]
            if (
                place in self._extra
                or at_us - shift.rest_us < EXTRA_AFTER_US
                or not is_whole(delta, PIT_DOUBT)
            ):
                continue
            if self._trails[place].moving_since_us is None:
                self._extra.add(place)
                events.append(Extra(shift.when, place, amount_of(delta, PIT_DOUBT)))
        if (self._told_empty and self._told_missing) or self._waiting or not self._turns.open:
            return events
        last_us = max(turn.since_us for turn in self._turns.open)
        if at_us - last_us < REST_AFTER_US or any(
            trail.moving_since_us is not None for trail in self._trails
        ):
            return events
        when = When(last_us, last_us, at_us)
        if not self._told_empty and not any(turn.holds_surely for turn in self._turns.open):
            self._told_empty = True
            events.append(HandsEmpty(when))
        if not self._told_missing and not self._resting:
            self._told_missing = True
            for turn in self._turns.open:
                if turn.pressed_us is not None and turn.holds_surely:
                    missing = Amount(turn.holds, turn.holds_surely, turn.holds + turn.slack)
                    events.append(Missing(when, turn.side, missing))
        return events
