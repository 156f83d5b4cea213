"""One place in time: from the levels of a channel to the steps between its rests (pure).

A rest is a level that has stayed for `REST_US`, shorter than the settler's quiet: between two stones
of a blitz game lie 0.12 s, and captured stones are taken up before their pit is quiet. A step is the
way from one rest to another, with what was passed between them: a pit that is lifted and gets its
first stone back at once has been empty for a moment only.

Levels here are in stones, from a zero that means nothing: only differences count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeGuard

from firmware_bridge.board.hands.events import When

REST_US = 90_000
"""How long a level stays to be a rest: three blocks of 50 ms, from the first's end to the last's."""

DELAY_SAMPLES = 2.5
"""A step is half through the converter's filter after two samples (data sheet: four in all), and is read half
a sample later; the moment that is told is before that."""

LEAST_SPAN_US = 50_000
"""A moment is not told more exactly than a block, even where a single sample showed the motion."""

HIDDEN_US = 60_000
"""How long ringing may hide that a stone has fallen: once it has died away to a third (measured on simulated
cells: 1 fall in 100 is seen 0.1 s late)."""

EARLY_SAMPLES, LATE_SAMPLES = 1.0, 0.5
"""By how much a moment may be off because converters run on clocks of their own (up to a fifth)."""

REST_BLOCKS = 3
"""Blocks that a rest has at least; at 10 samples a second a step is spread over four of them, one each."""

BLOCK_US = 95_000
"""The same level again within this is the same block of 50 ms, told again with a later sample."""

STILL = 0.25
"""Stones a level may move within a rest: half of what separates it from a wrong whole number."""

KAZAN_STILL = 0.40
"""The same for a kazan, whose cell is coarser: ten times its noise is 0.08 stones a block."""

PASSED = 0.5
"""Stones beyond both ends that a level must have been for somebody to have done something on the way."""

REFINED = 10
"""Blocks over which a new rest's level is averaged: half a second, in which ringing has died away."""

DRIFT_PER_S = 0.05
"""Stones a second that a rest's level may follow after that; the watcher follows zeros as fast."""


@dataclass(frozen=True, slots=True)
class Shift:
    """One place has gone from one rest to the next.

    Attributes:
        place: Which.
        before: The level it left.
        level: The level it has come to.
        when: When it left, or for a clean step when the stones moved.
        low: The lowest level on the way.
        high: The highest level on the way.
        fell: When it first was more than half a stone below the level it left; None if never.
        rose: When it rose again from the lowest level by half a stone; None if it did not.
        rest_us: When the new rest began.
        hole: It could not be read for a part of the way.
    """

    place: int
    before: float
    level: float
    when: When
    low: float
    high: float
    fell: When | None
    rose: When | None
    rest_us: int
    hole: bool


@dataclass(slots=True)
class _Motion:
    """The way from a rest to the next, so far."""

    early_us: int
    late_us: int
    first: float | None
    low: float
    high: float
    fell: When | None = None
    low_us: int = 0
    rose: When | None = None
    hole: bool = False
    like: float = 0.0
    like_us: int = 0
    blocks: int = 0


class Trail:
    """One place; give it every reading.

    Attributes:
        level: Of the present or the last rest, in stones; None before the first.
        moving_since_us: When the motion was first seen that is under way; None at rest.
        rest_us: When the present or the last rest began.
    """

    __slots__ = (
        "_blocks",
        "_last",
        "_last_us",
        "_motion",
        "_period_us",
        "_still",
        "level",
        "place",
        "rest_us",
    )

    def __init__(self, place: int, still: float = STILL) -> None:
        """Begin with nothing known of `place`, whose rests may move by `still` stones."""
        self._still = still
        self.place = place
        self.level: float | None = None
        self._motion: _Motion | None = None
        self._blocks = 0
        self._last: float | None = None
        self._last_us: int | None = None
        self._period_us = 0.0
        self.rest_us = 0

    @property
    def moving_since_us(self) -> int | None:
        """When the motion began that is under way; None at rest and before the first rest."""
        return None if self._motion is None or self.level is None else self._motion.early_us

    def take(self, at_us: int, level: float | None, period_us: float = 0.0) -> Shift | None:
        """Take one level; return the step that it completes, None for none.

        Args:
            at_us: Table time of the reading.
            level: In stones; None while there is none.
            period_us: From one sample to the next; 0 where readings come without a converter's delay.
        """
        self._period_us = period_us
        last_us = self._last_us
        if last_us is not None and level == self._last and at_us - last_us < BLOCK_US:
            return None
        self._last, self._last_us = level, at_us
        early_us = at_us if last_us is None else last_us
        if self._motion is None and self._stays(level):
            self._refine(level, at_us - early_us)
            return None
        if self._motion is None:
            start = self.level if self.level is not None else level or 0.0
            self._motion = _Motion(early_us, at_us, level, start, start)
        return self._move(self._motion, early_us, at_us, level)

    def _stays(self, level: float | None) -> TypeGuard[float]:
        return level is not None and self.level is not None and abs(level - self.level) <= self._still

    def _refine(self, level: float, step_us: int) -> None:
        assert self.level is not None, "only a rest is refined"
        if self._blocks < REFINED:
            self._blocks += 1
            self.level += (level - self.level) / self._blocks
            return
        most = DRIFT_PER_S * step_us / 1e6
        self.level += max(-most, min(most, level - self.level))

    def _move(self, motion: _Motion, early_us: int, at_us: int, level: float | None) -> Shift | None:
        if level is None:
            motion.blocks, motion.hole = 0, True
            return None
        motion.high = max(motion.high, level)
        if level <= motion.low:
            motion.low, motion.low_us, motion.rose = level, at_us, None
        elif motion.rose is None and level > motion.low + PASSED:
            motion.rose = When((early_us + at_us) // 2, motion.low_us, at_us)
        if motion.fell is None and self.level is not None and level < self.level - PASSED:
            motion.fell = When((early_us + at_us) // 2, motion.early_us, at_us)
        if not motion.blocks or abs(level - motion.like) > self._still:
            motion.like, motion.like_us, motion.blocks = level, at_us, 1
            return None
        motion.blocks += 1
        motion.like = (motion.like + level) / 2
        if motion.blocks < REST_BLOCKS or at_us - motion.like_us < REST_US:
            return None
        before, self.level, self.rest_us = self.level, motion.like, motion.like_us
        self._motion, self._blocks = None, 1
        if before is None:
            return None
        return _shift(self.place, motion, before, self.level, self._period_us)


def _shift(place: int, motion: _Motion, before: float, level: float, period_us: float) -> Shift:
    clean = (
        motion.first is not None
        and not motion.hole
        and motion.low >= min(before, level) - PASSED
        and motion.high <= max(before, level) + PASSED
    )
    if clean and motion.first is not None:
        when = _moment(motion, motion.first, before, level)
    else:
        late_us = motion.like_us
        at_us = (motion.early_us + motion.late_us) // 2 if motion.fell is None else motion.fell.at_us
        when = When(min(at_us, late_us), motion.early_us, late_us)
    return Shift(
        place=place,
        before=before,
        level=level,
        when=_corrected(when, period_us),
        low=motion.low,
        high=motion.high,
        fell=None if motion.fell is None else _corrected(motion.fell, period_us),
        rose=None if motion.rose is None else _corrected(motion.rose, period_us),
        rest_us=motion.like_us,
        hole=motion.hole,
    )


def _moment(motion: _Motion, first: float, before: float, level: float) -> When:
    """Tell when a clean step happened from how much of it stands in the block it happened in."""
    span_us = motion.late_us - motion.early_us
    way = level - before
    share = 0.5 if abs(way) <= STILL else max(0.0, min(1.0, (first - before) / way))
    at_us = round(motion.late_us - share * span_us)
    margin_us = max(span_us, LEAST_SPAN_US)
    return When(at_us, at_us - margin_us, at_us + margin_us)


def _corrected(when: When, period_us: float) -> When:
    """Take the converter's delay off, and widen the bounds by what it is not known to."""
    delay_us = round(DELAY_SAMPLES * period_us)
    early_us = when.early_us - round(max(EARLY_SAMPLES * period_us, HIDDEN_US if period_us else 0))
    late_us = when.late_us + round(LATE_SAMPLES * period_us)
    return When(when.at_us - delay_us, early_us - delay_us, late_us - delay_us)
