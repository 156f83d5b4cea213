"""The eye on one board: when is it quiet, since when, and what does it show then.

A verdict counts only from a board that is quiet now. What makes a verdict final is not decided
here but in `session.py`; this file keeps what the decision needs: how long the board has been
quiet, what lay there before the press, and from which press on nothing has been explained yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_bridge.board.counting import (
    MOVING,
    Anchor,
    Observation,
    PlaceReading,
    Units,
    drifted,
    observe,
    reanchor,
    stones_due,
    tuzdyk_places,
)
from firmware_bridge.board.reconciler import Played, Same, Verdict, reconcile
from firmware_bridge.layout import Seating
from rules.position import Position, Side, Sowing
from sensors.settle import ChannelReading, ReadingState

LOOK_EVERY_US = 100_000
"""A board that stays quiet is judged again this often (device time)."""

CONFIRM_AFTER_US = 250_000
"""How long a board must have stayed quiet after a press before the press counts: longer than the four
conversions over which a HX711 shows a step at 80 samples per second (datasheet: settling time)."""

DRIFT_STEP = 0.005
"""Stones a zero may follow per look while the confirmed position lies there: 0.05 stones a second."""


@dataclass(frozen=True, slots=True)
class Look:
    """One judgement of a quiet board, or that it is not quiet.

    Attributes:
        at_us: Table time of the newest sample in it.
        quiet_since_us: Table time since when every place has been quiet; None while one is not.
        readings: What the twenty places weigh.
        verdict: What that means; None while the board moves.
        unread: Places that cannot be read for another reason than movement.
        presses: The presses that nothing has explained yet.
    """

    at_us: int
    quiet_since_us: int | None
    readings: tuple[PlaceReading, ...]
    verdict: Verdict | None
    unread: tuple[tuple[int, str], ...]
    presses: tuple[Side, ...]


def _of_place(reading: ChannelReading) -> PlaceReading:
    reason = MOVING if reading.state is ReadingState.MOVING else reading.reason
    return PlaceReading(reading.load_g, reading.since_us, reason)


class Watcher:
    """Turns the channels' readings of a seated board into looks."""

    def __init__(self, seating: Seating, units: Units, anchor: Anchor) -> None:
        """Watch a board seated as `seating`, counting from `anchor`."""
        self._channels = seating.channel_of_place
        self._units = units
        self.anchor = anchor
        self.hint: tuple[Sowing, ...] = ()
        self._explained_presses = 0
        self._signature: tuple[int | None, ...] = ()
        self._last_look_us: int | None = None
        self._question: tuple[object, ...] = ()
        self._answer: Verdict | None = None

    def looks_now(self, at_us: int, channels: Sequence[ChannelReading]) -> bool:
        """Whether this sample is worth a judgement: something changed, or it is time again."""
        signature = tuple(channels[channel].since_us for channel in self._channels)
        if signature != self._signature:
            self._signature = signature
            return True
        return self._last_look_us is None or at_us - self._last_look_us >= LOOK_EVERY_US

    def readings(self, channels: Sequence[ChannelReading]) -> tuple[PlaceReading, ...]:
        """Return the readings in the order of places."""
        return tuple(_of_place(channels[channel]) for channel in self._channels)

    def observe(self, channels: Sequence[ChannelReading]) -> Observation:
        """Return what the channels say in stones, from the present anchor."""
        return observe(self.readings(channels), self.anchor, self._units)

    def look(
        self,
        at_us: int,
        channels: Sequence[ChannelReading],
        position: Position,
        pending: tuple[Side, ...],
        last_press_us: int,
    ) -> Look:
        """Judge the board against `position`, with `pending` presses since it was confirmed.

        Args:
            at_us: Table time of the sample.
            channels: A reading for every channel.
            position: The last confirmed position.
            pending: Who has pressed since, oldest first.
            last_press_us: Table time of the last of them; ignored when there is none.
        """
        self._last_look_us = at_us
        readings = self.readings(channels)
        seen = observe(readings, self.anchor, self._units)
        broken = tuple(item for item in seen.unread if item[1] != MOVING)
        if not pending:
            self._explained_presses = 0
        if seen.moving or broken:
            return Look(at_us, None, readings, None, broken, pending[self._explained_presses :])
        since = max(reading.since_us or 0 for reading in readings)
        presses = pending[self._explained_presses :]
        verdict = self._judge(position, seen, presses)
        if isinstance(verdict, Same):
            self._follow_drift(readings, position)
            if presses and at_us - last_press_us > CONFIRM_AFTER_US and len(pending) % 2 == 0:
                # Both pressed and nothing was played: those presses explain no ply to come.
                self._explained_presses = len(pending)
        if isinstance(verdict, Played) and not presses:
            self.hint = verdict.plies
        return Look(at_us, since, readings, verdict, (), presses)

    def _judge(self, position: Position, seen: Observation, presses: tuple[Side, ...]) -> Verdict:
        """Reconcile, or give the last verdict again while nothing it rests on has changed.

        An unexplained board may lie there for minutes; searching it anew ten times a second would
        heat the machine for nothing. A weight counts as changed by a twentieth of a stone.
        """
        weights = tuple(None if weight is None else round(weight * 20) for weight in seen.weights)
        question = (position, weights, presses, self.hint)
        if question != self._question:
            self._question, self._answer = question, reconcile(position, seen, presses, self.hint)
        assert self._answer is not None, "the first question has no predecessor"
        return self._answer

    def _follow_drift(self, readings: tuple[PlaceReading, ...], position: Position) -> None:
        due, tuzdyks = stones_due(position), tuzdyk_places(position)
        target = reanchor(readings, self.anchor, self._units, due, tuzdyks)
        step = DRIFT_STEP * self._units.stone_g
        zeros = tuple(
            aim if place in target.marked ^ self.anchor.marked else zero + max(-step, min(step, aim - zero))
            for place, (zero, aim) in enumerate(zip(self.anchor.zeros_g, target.zeros_g, strict=True))
        )
        self.anchor = Anchor(zeros, target.marked)

    @property
    def drifted(self) -> tuple[int, ...]:
        """The places whose zero is about to be followed no longer."""
        return drifted(self.anchor, self._units)

    def begin_anew(self) -> None:
        """Forget what was seen before plies were entered by hand; the zeros stay as they are."""
        self.hint = ()
        self._explained_presses = 0
        self._question = ()

    def confirm(
        self, readings: tuple[PlaceReading, ...], due: Sequence[int], tuzdyks: frozenset[int]
    ) -> None:
        """Take `readings` as what the stones `due` weigh, and begin to watch for what comes next."""
        self.anchor = reanchor(readings, self.anchor, self._units, due, tuzdyks)
        self.hint = ()
        self._explained_presses = 0
