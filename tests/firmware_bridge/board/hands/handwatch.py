"""Simulated hands on simulated cells, watched: what really happened beside what was seen of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise, permutations

from firmware_bridge.board.counting.belief import Units
from firmware_bridge.board.hands.agreement import Agreement
from firmware_bridge.board.hands.events import Seen, SowingEvent, When
from firmware_bridge.board.hands.hand_watch import HandWatch
from firmware_bridge.emulator.actions import (
    Button,
    Drop,
    Lift,
    Perch,
    PlaceMark,
    PlyDone,
    Reach,
    RemoveMark,
    Signals,
    Timed,
    Touch,
)
from firmware_bridge.emulator.hands import Hands
from firmware_bridge.emulator.pace import PLAIN, Manners, Pace
from rules.position import Side, Sowing, pit_index, tuzdyk_owner
from sensors.samples import ChannelStatus, RawSample
from sensors.senses import Senses
from sensors.simulator.measure import measure_calibration
from sensors.simulator.profile import Profile
from sensors.simulator.world import CellWorld

WIRING = Reach(pits=tuple(range(18)), kazans=(18, 19), buttons=(0, 1))
CONFIRMED_AFTER_US = 600_000
"""From the press to the confirmation: what a sure count takes at 80 samples a second."""
LEANT_ON_US = 4_000_000
"""So much longer while something rests on the board that is no stones."""


@dataclass
class Watched:
    """One ply as it was played and as it was seen."""

    sowing: Sowing
    seen: Seen
    agreement: Agreement
    dropped: list[tuple[int, int]]
    events: list[SowingEvent] = field(default_factory=list)

    @property
    def origin_right(self) -> bool:
        """The pit lifted was seen, and by whom."""
        turns = [turn for turn in self.seen.turns if turn.side is self.sowing.side and turn.lifted]
        return bool(turns) and turns[0].lifted[0].place == pit_index(self.sowing.side, self.sowing.number)

    @property
    def counts_right(self) -> bool:
        """Every stone was seen where it fell, and what was banked."""
        turn = next((turn for turn in self.seen.turns if turn.side is self.sowing.side), None)
        if turn is None:
            return False
        net: Counter[int] = Counter()
        for item in turn.fell:
            net[item.place] += item.amount.stones
        for taken in turn.taken_up:
            net[taken.place] -= taken.amount.stones
        for banked in turn.banked:
            net[18 + banked.kazan.index] += banked.amount.stones
        for captured in turn.captured:
            net[captured.place] -= captured.amount.stones
        for lifted in turn.lifted:
            net[lifted.place] -= lifted.amount.stones
        before = (*self.sowing.before.pits, *self.sowing.before.kazans)
        after = (*self.sowing.after.pits, *self.sowing.after.kazans)
        return all(before[place] + net[place] == after[place] for place in range(20))

    @property
    def falls(self) -> list[tuple[int, When]]:
        """The falls seen into pits that are no tuzdyk, one stone each, most probable order."""
        before = self.sowing.before.tuzdyks
        turns = [turn for turn in self.seen.turns if turn.side is self.sowing.side]
        return [
            (item.place, item.when)
            for turn in turns[:1]
            for item in turn.fell
            for _ in range(item.amount.stones)
            if tuzdyk_owner(item.place, before) is None
        ]

    @property
    def truth(self) -> list[int]:
        """The pits in which stones really fell, in order; without those of tuzdyks."""
        before = self.sowing.before.tuzdyks
        return [place for _, place in self.dropped if place < 18 and tuzdyk_owner(place, before) is None]

    @property
    def surely_wrong(self) -> int:
        """Of all pairs of falls whose order is certain, how many happened the other way round."""
        if Counter(place for place, _ in self.falls) != Counter(self.truth):
            return 0  # something was put right, or never left: which is which cannot be told
        times: dict[int, list[int]] = {}
        for at_us, place in self.dropped:
            times.setdefault(place, []).append(at_us)
        timed = [(times[place].pop(0), when) for place, when in self.falls]
        return sum(
            one.surely_before(two) and at_us > then_us
            for (at_us, one), (then_us, two) in permutations(timed, 2)
        )

    @property
    def order_right(self) -> bool:
        """The most probable order of the falls is the true one."""
        seen, truth = [place for place, _ in self.falls], self.truth
        return seen == truth or (seen == truth[1:] and len(truth) > 1)

    @property
    def certain(self) -> tuple[int, int]:
        """Of all neighbours in the order seen, how many are certain, and how many there are."""
        pairs = list(pairwise(when for _, when in self.falls))
        return sum(one.surely_before(two) for one, two in pairs), len(pairs)


class Bench:
    """A board under simulated hands, and the eye on it."""

    def __init__(
        self, sowings: Iterable[Sowing], profile: Profile, pace: Pace, seed: int, manners: Manners = PLAIN
    ) -> None:
        """Set the board up for the first of `sowings`."""
        plies = list(sowings)
        kinds = (*(profile.pit_cell,) * 18, *(profile.kazan_cell,) * 2)
        self.world = CellWorld(kinds, profile, seed)
        self.calibration = measure_calibration(self.world, "bench")
        first = plies[0].before
        stones = dict(enumerate((*first.pits, *first.kazans)))
        self.world.lay_out({place: number for place, number in stones.items() if number})
        units = Units(self.calibration.unit_g, self.calibration.mark_g)
        self.senses = Senses(self.calibration, profile.rate_hz)
        self.watching = HandWatch(units, first, 0)
        manners = replace(manners, wait_for_clock=False, setup_check_s=(1.0, 1.0))
        self.hands = Hands(plies, WIRING, pace, manners, seed)
        self.watched: list[Watched] = []
        self._dropped: list[tuple[int, int]] = []
        self._events: list[SowingEvent] = []
        self._done: list[tuple[int, Sowing, list[tuple[int, int]]]] = []

    def run(self) -> list[Watched]:
        """Play everything; return what was seen of each ply."""
        period_us = self.world.period_us
        status = (ChannelStatus.OK,) * 20
        index = 0
        while not self.hands.done or self._done:
            index += 1
            now_us = round(index * period_us)
            while (
                timed := self.hands.next_action(now_us, lambda: Signals(host_lost=False, running=0))
            ) is not None:
                self._carry_out(timed)
            reading = self.world.read(now_us)
            readings = self.senses.update(now_us, RawSample(now_us, reading.raw, status))
            self._events += self.watching.update(now_us, readings)
            if self._done and now_us >= self._done[0][0] + self._patience_us():
                self._confirm(now_us)
        return self.watched

    def _patience_us(self) -> int:
        """From the press to the confirmation: a board that somebody leans on does not match."""
        return CONFIRMED_AFTER_US + (LEANT_ON_US if self.watching.seen.resting else 0)

    def _confirm(self, now_us: int) -> None:
        _, sowing, dropped = self._done.pop(0)
        watching = self.watching
        self.watched.append(Watched(sowing, watching.seen, watching.follows(sowing), dropped, self._events))
        self._events = []
        watching.confirm(sowing.after, now_us)

    def _carry_out(self, timed: Timed) -> None:
        world, at_us = self.world, timed.at_us
        match timed.action:
            case Touch(channel, firmness):
                world.touch(channel, firmness, at_us)
            case Lift(channel, hand, stones):
                world.lift(channel, hand, at_us, stones)
            case Drop(channel, hand, stones):
                world.drop(channel, hand, at_us, stones)
                self._dropped += [(at_us, channel)] * stones
            case Perch(channel, hand):
                world.drop(channel, hand, at_us)
                self._dropped.append((at_us, channel))
            case PlaceMark(channel):
                world.place_mark(channel, at_us)
            case RemoveMark(channel):
                world.remove_mark(channel, at_us)
            case Button(button, down=True):
                self.watching.pressed((Side.BASTAUSHY, Side.QOSTAUSHY)[button], at_us)
            case PlyDone(_, sowing):
                self._done.append((at_us, sowing, self._dropped))
                self._dropped = []
            case _:
                pass
