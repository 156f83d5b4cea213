"""Quiet boards one after another, without the seconds between them: what a sweep shows to methods (pure).

The world's own physics moves the stones, ages and answers; only the sampling is left out. What a method would
average over a quiet stretch is drawn as one reading, of a world whose noise is less by the square root of the
samples averaged. Fingers, knocks and bad samples are left out too: they end long before a stretch is quiet.

Behind a stated share of the plies one stone too many, too few or in the wrong place is put and read; then it
is put right again and read once more. A method must not take the first board for a legal one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any

from firmware_bridge.bench.scene import REACH, SEATING, STONES, lay_out
from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.emulator.actions import BESIDE
from firmware_bridge.layout import PITS, PLACES, is_kazan
from rules.position import START, Position, Sowing, pit_index, tuzdyk_owner
from sensors.calibration import Calibration, to_loads
from sensors.samples import ChannelStatus, RawSample
from sensors.simulator.measure import measure_calibration
from sensors.simulator.profile import Profile
from sensors.simulator.world import CellWorld

AVERAGED = 32
"""Samples in a quiet stretch: 0.4 s at 80 a second, between the 0.3 s it takes at least and the 0.5 s that
are averaged at most."""

THINK_S = (5.0, 60.0)
"""From one ply to the next: the board drifts meanwhile."""

ILLEGAL_SHARE = 0.05
"""Share of the plies with a stone in the wrong place."""

HAND = 4
"""A hand that no player uses: the stone that is put in the wrong place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quiet:
    """One quiet board.

    Attributes:
        before: The position before the ply.
        sowing: The ply that was played.
        lying: What truly lies on the twenty places.
        loads_g: What they weigh.
        noise_g: Standard deviation of each of these means, as a stretch would have measured it.
    """

    before: Position
    sowing: Sowing
    lying: tuple[int, ...]
    loads_g: tuple[float, ...]
    noise_g: tuple[float, ...]

    @property
    def legal(self) -> bool:
        """Whether the ply's own board lies there."""
        return self.lying == stones_due(self.sowing.after)


def stretched(profile: Profile, axis: str, factor: float) -> Profile:
    """Return a quiet profile of which one property is `factor` times as bad.

    Args:
        profile: What is made worse.
        axis: `noise` of single samples, `spread` of the stones' masses or `drift` of the zeros.
        factor: By how much.

    Raises:
        KeyError: There is no such axis.
    """
    worse: Mapping[str, Any] = {
        "noise": {"noise_factor": profile.noise_factor * factor},
        "spread": {"unit_cv": profile.unit_cv * factor},
        "drift": {
            "zero_tc_fs_per_c": profile.zero_tc_fs_per_c * factor,
            "creep": profile.creep * factor,
        },
    }[axis]
    changed = replace(profile, impact=0.0, touch_g=0.0, bad_samples=0.0, heavy_tails=False, **worse)
    return replace(changed, noise_factor=changed.noise_factor / sqrt(AVERAGED))


class Board:
    """A simulated board from which only quiet readings are taken.

    Args:
        profile: as `stretched` gives it.
        seed: of everything random.
    """

    def __init__(self, profile: Profile, seed: int) -> None:
        self.world = CellWorld(profile.kinds(), profile, seed, stones=STONES)
        self.world.calm()
        self.world.lay_out(dict.fromkeys(REACH.pits, 9))
        self.calibration: Calibration = measure_calibration(self.world, "sweep", seed)
        self._rng = Random(f"sweep {seed}")
        self._now_us = self.world.time_us
        self._noise_g = self._measure_noise()

    def _measure_noise(self) -> tuple[float, ...]:
        """Return the noise of a mean, as every stretch measures its own."""
        loads = [self._loads_g(0.1) for _ in range(200)]
        noise = []
        for channel in zip(*loads, strict=True):
            steps = [(b - a) ** 2 for a, b in pairwise(channel)]
            noise.append(sqrt(sum(steps) / len(steps) / 2))
        return tuple(noise)

    def _loads_g(self, after_s: float) -> tuple[float, ...]:
        """Read the twenty places once, `after_s` seconds later."""
        self._now_us += round(after_s * 1e6)
        raw = self.world.read(self._now_us).raw
        sample = RawSample(self._now_us, raw, (ChannelStatus.OK,) * len(raw))
        loads = to_loads(sample, self.calibration)
        found = [loads[channel] for channel in SEATING.channel_of_place]
        return tuple(load if isinstance(load, float) else 0.0 for load in found)

    def begin(self) -> tuple[float, ...]:
        """Lay the start of a game out; return what it weighs."""
        lay_out(self.world, START)
        return self._loads_g(60.0)

    def quiets(self, sowings: Iterable[Sowing], illegal_share: float = ILLEGAL_SHARE) -> Iterator[Quiet]:
        """Play a game; yield the quiet board behind each ply, and before it the same one made illegal."""
        for sowing in sowings:
            self._sow(sowing)
            if self._rng.random() < illegal_share:
                undo = self._spoil(sowing)
                yield self._look(sowing)
                self._move(*undo)
            yield self._look(sowing)

    def _look(self, sowing: Sowing) -> Quiet:
        return Quiet(
            before=sowing.before,
            sowing=sowing,
            lying=tuple(self.world.stones(channel) for channel in SEATING.channel_of_place),
            loads_g=self._loads_g(self._rng.uniform(*THINK_S)),
            noise_g=self._noise_g,
        )

    def _sow(self, sowing: Sowing) -> None:
        world, at_us = self.world, self._now_us
        world.lift(REACH.pits[pit_index(sowing.side, sowing.number)], 0, at_us, sowing.stones)
        for index in sowing.path:
            owner = tuzdyk_owner(index, sowing.before.tuzdyks)
            world.drop(REACH.pits[index] if owner is None else REACH.kazans[owner.index], 0, at_us)
        if sowing.captured:
            last = REACH.pits[sowing.last_index]
            world.lift(last, 0, at_us, sowing.captured)
            world.drop(REACH.kazans[sowing.side.index], 0, at_us, sowing.captured)
        if sowing.tuzdyk is not None:
            world.place_mark(REACH.pits[sowing.last_index], at_us)

    def _spoil(self, sowing: Sowing) -> tuple[int | None, int | None]:
        """Put one stone where it does not belong; return the move that puts it right."""
        due = stones_due(sowing.after)
        source = self._rng.choice([None, *(place for place, stones in enumerate(due) if stones)])
        targets: list[int | None] = [None, *range(PLACES)]
        if source is not None and not is_kazan(source):
            targets = [None, (source + 1) % PITS, PITS + self._rng.randrange(2)]
        target = self._rng.choice([each for each in targets if each != source])
        self._move(source, target)
        return (target, source)

    def _move(self, source: int | None, target: int | None) -> None:
        """Carry one stone from a place to another; None is the table beside the board."""
        channels, at_us = SEATING.channel_of_place, self._now_us
        hand = BESIDE if source is None or target is None else HAND
        if source is not None:
            self.world.lift(channels[source], hand, at_us)
        if target is not None:
            self.world.drop(channels[target], hand, at_us)
