"""The eye on one board: what lies there now, what lay there at a press, and what that means (pure).

A verdict counts only from places that are quiet. What makes a verdict final is not decided here but in
`decisions.py`; this file keeps what the decision needs: what was known of every place when the position was
confirmed, how long the board has been quiet, and from which press on nothing has been explained yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from firmware_bridge.board.counting.belief import Belief, Units
from firmware_bridge.board.counting.learning import predicted
from firmware_bridge.board.counting.lots import change_of, laid_out, rearranged, stones_due
from firmware_bridge.board.counting.observation import MOVING, Observation, PlaceReading, observe
from firmware_bridge.board.counting.weighing import Weighed
from firmware_bridge.board.watching.doubted_cells import DoubtedCells
from firmware_bridge.board.watching.failing_cells import FailingCells, failing
from firmware_bridge.board.watching.foreseen import foresee
from firmware_bridge.board.watching.laying import nearly
from firmware_bridge.board.watching.look import LOOK_AFTER_PRESS_US, LOOK_EVERY_US, Look
from firmware_bridge.board.watching.pulse_log import BesideCells
from firmware_bridge.board.watching.reconciler import (
    Differs,
    InProgress,
    Played,
    Same,
    Unsure,
    Verdict,
    reconcile,
    too_dark,
)
from firmware_bridge.board.watching.replies import lifted_early, under_way
from firmware_bridge.board.watching.snapshot import YOUNG_SAMPLES, YOUNG_US, as_of, present
from firmware_bridge.board.watching.strain import Strain
from firmware_bridge.layout import PLACES, Seating
from rules.position import START, Position, Side, Sowing
from sensors.period import LONGEST_STEP_US, SamplePeriod
from sensors.readings import MAX_PAST
from sensors.samples import Fault
from sensors.settle import ChannelReading

SLOWEST_US = LONGEST_STEP_US - 1
"""The longest step between two samples that is a rate, and no hole."""

MOST_PRESSES = MAX_PAST
"""Presses that are looked at, the newest ones: no more stretches of a place are known
(`sensors/readings.py`), and a board that nothing explains for so long would keep the program busy."""

NONE = -1
"""No place."""

FINE = 20
"""Weights are rounded to this part of a stone to see whether anything has changed since the last verdict."""


class Watcher:
    """Turns the channels' readings of a seated board into looks: the `BoardWatch` of one with cells.

    Attributes:
        belief: What is known of every place since the last confirmed position.
        hint: Plies seen lying quietly on the board before a press, or most probably at their presses.
    """

    def __init__(self, seating: Seating, units: Units, belief: Belief | None = None) -> None:
        """Watch a board seated as `seating`, after `belief`; None: nothing was ever confirmed on it."""
        self._channels = seating.channel_of_place
        self._units = units
        self._mark = units.mark_g / units.stone_g
        self._begun = belief is not None
        self.belief = Belief.empty() if belief is None else belief
        self.hint: tuple[Sowing, ...] = ()
        self._explained_presses = 0
        self._signature: tuple[int | None, ...] = ()
        self._sampled_us: int | None = None
        self._period = SamplePeriod(longest_us=SLOWEST_US)
        self._last_look_us: int | None = None
        self._answers: dict[tuple[int, int], tuple[tuple[object, ...], Verdict]] = {}
        self._cells = DoubtedCells(units)
        self._failing = FailingCells()
        self._strain = Strain()
        self._beams = BesideCells.of(seating)

    # --- when to look -------------------------------------------------------------------------------

    def looks_now(self, at_us: int, channels: Sequence[ChannelReading], *, pressed: bool = False) -> bool:
        """Whether this sample is worth a judgement: something changed, or it is time again."""
        if self._sampled_us is not None:
            self._period.take(at_us - self._sampled_us)
        self._sampled_us = at_us
        self._beams.hear(at_us, channels)
        signature = tuple([channels[channel].since_us for channel in self._channels])
        if signature != self._signature:
            self._signature = signature
            return True
        every_us = LOOK_AFTER_PRESS_US if pressed else LOOK_EVERY_US
        return self._last_look_us is None or at_us - self._last_look_us >= every_us

    @property
    def young_us(self) -> int:
        """How long a stretch must go on after a press before it proves what lay there."""
        return max(YOUNG_US, round(YOUNG_SAMPLES * self._period.us))

    def _places(self, channels: Sequence[ChannelReading]) -> list[ChannelReading]:
        return [channels[channel] for channel in self._channels]

    def _observation(self, readings: tuple[PlaceReading, ...], moment_us: int | None = None) -> Observation:
        passed = self._beams.passed(self.belief.beams, moment_us)
        return observe(self._cells.without(readings), self.belief, self._units, passed)

    # --- before a game ------------------------------------------------------------------------------

    def look_at_setup(self, at_us: int, channels: Sequence[ChannelReading]) -> Look:
        """Judge whether the start position lies there: from an empty board, or as confirmed before."""
        if self._begun:
            return self.look(at_us, channels, START, (), ())
        self._last_look_us = at_us
        readings = present(self._places(channels))
        seen = self._observation(readings)
        if seen.moving or seen.broken:
            return Look(at_us, None, readings, None, seen.broken, ())
        weighed = seen.compare(laid_out(START))
        doubtful = nearly(weighed)
        if weighed.sure:
            verdict: Verdict = Same(weighed)
        else:
            verdict = Unsure((), doubtful) if doubtful else Differs(weighed.wrong, None)
        return Look(at_us, _since(readings), readings, verdict, (), (), weighed=weighed)

    def stones_at_setup(self, channels: Sequence[ChannelReading]) -> tuple[int | None, ...]:
        """Return the nearest whole number of stones at each place before a game; None where unread."""
        before = stones_due(START) if self._begun else (0,) * PLACES
        return self._observation(present(self._places(channels))).stones(before)

    # --- during a game ------------------------------------------------------------------------------

    def look(
        self,
        at_us: int,
        channels: Sequence[ChannelReading],
        position: Position,
        pending: tuple[Side, ...],
        pressed_us: Sequence[int],
        *,
        resting: bool = False,
    ) -> Look:
        """Judge the board against `position`: see `BoardWatch.look`."""
        self._last_look_us = at_us
        if resting:
            self._beams.rest()
        if not pending:
            self._explained_presses = 0
        places = self._places(channels)
        self._failing.look(at_us, places)
        presses = pending[self._explained_presses :]
        times = pressed_us[self._explained_presses :]
        pressed = self._look_at_presses(at_us, places, position, presses, times)
        return pressed or self._look_at_present(at_us, places, position, pending, times)

    def _look_at_presses(
        self,
        at_us: int,
        places: Sequence[ChannelReading],
        position: Position,
        presses: tuple[Side, ...],
        times: Sequence[int],
    ) -> Look | None:
        """Return the play that lay there at one of the presses, the oldest first; None: not yet any."""
        for number in range(max(1, len(presses) - MOST_PRESSES + 1), len(presses) + 1):
            moment_us = times[number - 1] + self.young_us
            if at_us < moment_us:
                return None
            readings = self._failing.then(at_us, places, as_of(places, moment_us), moment_us)
            seen = self._observation(readings, moment_us)
            verdict = self._judge((number, NONE), position, seen, presses[:number])
            if not (isinstance(verdict, Played) and verdict.plies[-1].side is presses[number - 1]):
                under = self._under_reply(places, readings, position, presses[:number], moment_us)
                if under is None:
                    self._foresee(number, position, presses, seen)
                    continue
                readings, verdict = under
            now = present(places)
            broken = self._observation(now).broken
            since_us = None if _moving(now) else _since(now)
            if not self._strain.rested(verdict, now, at_us) or self._strain.leaned:
                return None
            return Look(at_us, since_us, readings, verdict, broken, presses[:number], young=True)
        return None

    def _under_reply(
        self,
        places: Sequence[ChannelReading],
        readings: tuple[PlaceReading, ...],
        position: Position,
        presses: tuple[Side, ...],
        moment_us: int,
    ) -> tuple[tuple[PlaceReading, ...], Played] | None:
        """Return the board of a press before which the reply had begun, once that reply is under way."""
        stone_g = self._units.stone_g
        early = lifted_early(places, readings, presses[-1].opponent, moment_us, stone_g)
        for place, before in early:
            seen = self._observation(before, moment_us)
            if seen.moving:
                continue
            verdict = self._judge((len(presses), place), position, seen, presses)
            if isinstance(verdict, Played) and verdict.plies[-1].side is presses[-1]:
                after = verdict.plies[-1].after
                if under_way(places, before, after, place, stone_g):
                    return before, verdict
        return None

    def _foresee(self, number: int, position: Position, presses: tuple[Side, ...], seen: Observation) -> None:
        """Remember what was most probably played before a press, if all before it is remembered too."""
        if len(self.hint) != number - 1 or self._explained_presses:
            return
        mover = self.hint[-1].after.to_move if self.hint else position.to_move
        if presses[number - 1] is mover:
            ply = foresee(position, self.hint, seen)
            if ply is not None:
                self.hint = (*self.hint, ply)

    def _look_at_present(
        self,
        at_us: int,
        places: Sequence[ChannelReading],
        position: Position,
        pending: tuple[Side, ...],
        times: Sequence[int],
    ) -> Look:
        said = present(places)
        readings = self._failing.now(at_us, places, said, times[-1] if times else 0)
        presses = pending[self._explained_presses :]
        self._cells.revive(readings, self.belief, at_us)
        seen = self._observation(readings, at_us)
        unread = failing(said, seen)
        if seen.moving or too_dark(seen):
            return Look(at_us, None, readings, None, unread, presses)
        verdict = self._judge((0, NONE), position, seen, presses)
        if not isinstance(verdict, Same | Played) and not seen.broken:
            verdict, seen = self._doubt(position, readings, seen, presses, times, at_us) or (verdict, seen)
            unread = failing(said, seen)
        young = not times or at_us - times[-1] >= self.young_us
        if isinstance(verdict, Same):
            self._same(verdict, seen)
            if presses and young and len(pending) % 2 == 0:
                # Both pressed and nothing was played: those presses explain no ply to come.
                self._explained_presses = len(pending)
        if not presses:
            self._strain.look(seen, verdict)
        if isinstance(verdict, Played) and not self._strain.rested(verdict, readings, at_us):
            young, doubtful = False, self._strain.doubtful(verdict.weighed)
            if presses and doubtful:
                verdict = Unsure(verdict.plies, doubtful)
        if isinstance(verdict, Played) and not presses:
            self.hint = verdict.plies
        return Look(at_us, _since(readings), readings, verdict, unread, presses, young=young)

    def _judge(
        self, asked: tuple[int, int], position: Position, seen: Observation, presses: tuple[Side, ...]
    ) -> Verdict:
        """Reconcile, or give the last verdict again while nothing it rests on has changed.

        `asked` is what was asked: of which press (0: of now), and of which place's reply (-1: of none). An
        unexplained board may lie there for minutes; searching it anew ten times a second would
        heat the machine for nothing. A weight counts as changed by a twentieth of a stone.
        """
        if seen.moving:
            return InProgress(None)
        weights = tuple([None if weight is None else round(weight * FINE) for weight in seen.weights])
        # What was foreseen after a press tells nothing of it.
        hint = self.hint[: len(presses)] if asked[0] else self.hint
        question = (position, weights, seen.unread, presses, hint, self.belief.marked, seen.passed)
        known = self._answers.get(asked)
        if known is not None and known[0] == question:
            return known[1]
        verdict = reconcile(position, seen, presses, hint)
        self._answers[asked] = (question, verdict)
        return verdict

    def _doubt(
        self,
        position: Position,
        readings: tuple[PlaceReading, ...],
        seen: Observation,
        presses: tuple[Side, ...],
        times: Sequence[int],
        at_us: int,
    ) -> tuple[Verdict, Observation] | None:
        """Return what is seen without a cell that must be broken; None if none must be."""

        def judge(place: int, trial: Observation) -> Verdict:
            return self._judge((0, place), position, trial, presses)

        still_us = at_us - max(_since(readings), *times, 0)
        return self._cells.doubt(readings, seen, judge, times, at_us, still_us)

    def _same(self, verdict: Same, seen: Observation) -> None:
        """Let the levels follow; a place that could not be read is anchored anew."""
        returned = any(
            known.blind and weight is not None
            for known, weight in zip(self.belief.places, seen.weights, strict=True)
        )
        if returned:
            self.belief = seen.confirm(verdict.weighed)
        else:
            self.belief = seen.follow(verdict.weighed)

    # --- what is confirmed --------------------------------------------------------------------------

    @property
    def beam_faults(self) -> tuple[tuple[int, str], ...]:
        """The places whose count sensor is not to be believed, with what is wrong."""
        return self._beams.faults(self.belief.beams)

    @property
    def doubted(self) -> Mapping[int, Fault]:
        """The places that are not believed although they read, with what is wrong."""
        return self._cells.doubted

    @property
    def drifted(self) -> tuple[int, ...]:
        """The places whose zero is about to be followed no longer."""
        return self.belief.drifted(self._mark)

    def begin_anew(self, plies: Sequence[Sowing] = ()) -> None:
        """Take plies as played that were entered by hand, and forget what was seen before them."""
        if plies:
            self.belief = predicted(self.belief, change_of(plies), self._mark)
        self._forget()

    def ruled(self, before: Position, after: Position) -> None:
        """Take another position as the one that holds: see `BoardWatch.ruled`."""
        self.belief = predicted(self.belief, rearranged(before, after), self._mark)
        self._forget()

    def stones_seen(self, channels: Sequence[ChannelReading], position: Position) -> tuple[int | None, ...]:
        """Return the nearest whole number of stones at each place: see `BoardWatch.stones_seen`."""
        return self._observation(present(self._places(channels))).stones(stones_due(position))

    def strays(self, channels: Sequence[ChannelReading]) -> bool:
        """Whether somebody leans on the table: see `BoardWatch.strays`."""
        return self._observation(present(self._places(channels))).strays

    def _forget(self) -> None:
        self._beams.begin_anew()
        self.hint = ()
        self._explained_presses = 0
        self._answers.clear()
        self._strain.clear()

    def believe(self, line: tuple[Sowing, ...]) -> bool:
        """Take the word of whoever saw the hands: the next look tries this line first."""
        self.hint = line
        return True

    def confirm(self, readings: tuple[PlaceReading, ...], weighed: Weighed) -> None:
        """Take `readings` as what the confirmed stones weigh, and begin to watch for what comes next."""
        belief = self._observation(readings).confirm(weighed)
        self.belief = replace(belief, beams=self._beams.confirmed(belief.beams, weighed.change))
        self._begun = True
        self.hint = ()
        self._explained_presses = 0
        self._answers.clear()
        self._strain.clear()


def _moving(readings: Sequence[PlaceReading]) -> bool:
    return any(reading.reason == MOVING for reading in readings)


def _since(readings: Sequence[PlaceReading]) -> int:
    return max(reading.since_us or 0 for reading in readings)
