"""A person who calibrates a simulated board: lays stones, presses places, says words, and makes mistakes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from firmware_bridge.calibrating.procedure import Procedure, State, Word
from firmware_bridge.calibrating.progress import Progress, format_progress, parse_progress
from firmware_bridge.calibrating.steps import LOADS, Step
from firmware_bridge.calibrating.telling import told
from firmware_bridge.layout import PLACES, Wiring
from sensors import frames
from sensors.calibration import Calibration
from sensors.samples import ChannelStatus, RawSample
from sensors.simulator.profile import NOMINAL, Profile
from sensors.simulator.world import CellWorld

FEATURES = frames.FEATURE_LOADS | frames.FEATURE_BUTTONS
STATUSES = tuple(ChannelStatus)


def hello_of(profile: Profile, **changes: Any) -> frames.Hello:
    """Return what the device of such a board says of itself."""
    rate = round(profile.rate_hz * 100)
    hello = frames.Hello(1, 1, FEATURES, 5, 1, 0, 1, rate, PLACES, 3, 1, "club-7", "on paper")
    return hello._replace(**changes)


class Person:
    """Somebody at a simulated board.

    Attributes:
        world: the board.
        procedure: what he is guided by.
        solder: which channel of the world each channel of the device reads.
    """

    def __init__(
        self,
        profile: Profile = NOMINAL,
        seed: int = 1,
        *,
        stones: int = 162,
        previous: Calibration | None = None,
        hello: frames.Hello | None = None,
        world: CellWorld | None = None,
    ) -> None:
        """Sit down at a board that has been on for half an hour; nobody else is in the room.

        A `world` that is given is copied, and stays as it is.
        """
        self.profile = profile
        if world is None:
            self.world = CellWorld(profile.kinds(), profile, seed, stones=stones)
        else:
            self.world = world.copy(seed)
        self.world.calm()
        self.world.lapse(1800.0)
        self.hello = hello_of(profile) if hello is None else hello
        self.procedure = Procedure(Wiring(), self.hello, previous)
        self.solder = list(range(PLACES))
        self.samples = 0
        self.kept: Progress = self.procedure.progress
        self._previous = previous

    @property
    def now_us(self) -> int:
        """Device time and the host's clock, which go alike here."""
        return round(self.samples * self.world.period_us)

    def wait(self, seconds: float) -> None:
        """Let samples come for so long."""
        for _ in range(max(1, round(seconds * 1e6 / self.world.period_us))):
            self.samples += 1
            now_us = self.now_us
            raw, status = self.world.read(now_us)
            sample = RawSample(
                now_us,
                tuple([raw[channel] for channel in self.solder]),
                tuple([STATUSES[status[channel]] for channel in self.solder]),
            )
            self.procedure.take(sample, now_us)
            self.procedure.poll(now_us)
            self.kept = self.procedure.progress

    def lay(self, stones: Sequence[int], marks: Iterable[int] = ()) -> None:
        """Lay these stones at the twenty places; it takes half a minute, and the board ages."""
        self.world.lay_out(dict(enumerate(stones)), marks)
        self.world.lapse(30.0)
        self.wait(0.3)

    def touch(self, place: int, seconds: float = 0.4) -> None:
        """Press a place with a finger, and let go."""
        self.world.touch(place, 1.0, self.now_us)
        self.wait(seconds)
        self.world.touch(place, 0.0, self.now_us)
        self.wait(0.8)

    def touch_all(self, order: Sequence[int] = range(PLACES)) -> None:
        """Press all places in this order."""
        for place in order:
            self.touch(place)

    def say(self, word: Word) -> None:
        """Say a word."""
        self.procedure.say(word, self.now_us)
        self.kept = self.procedure.progress

    def next(self) -> State:
        """Say that it is done, and wait until it is judged."""
        self.say(Word.NEXT)
        for _ in range(200):
            if self.procedure.state is not State.WAITING:
                break
            self.wait(0.1)
        return self.procedure.state

    def do(self, step: Step) -> None:
        """Do what a step asks, rightly, and see it accepted."""
        assert self.procedure.progress.step is step, told(self.procedure)
        if step is Step.TOUCH:
            self.touch_all()
        else:
            self.lay(LOADS[step], (4, 13) if step is Step.MARKS else ())
            self.next()
        self.accepted(step)

    def accepted(self, step: Step) -> None:
        """See that nothing was complained of."""
        assert not self.procedure.complaints, self.complaints()
        assert self.procedure.progress.step is not step, told(self.procedure)

    def until(self, step: Step | None) -> None:
        """Do all steps before that one; None: all there are."""
        for each in Step:
            if each is step:
                return
            if self.procedure.progress.step is each:
                self.do(each)

    def complaints(self) -> list[tuple[Any, ...]]:
        """Return code and places of what is complained of."""
        return [(each.code, *each.places) for each in self.procedure.complaints]

    def killed_and_back(self) -> None:
        """Lose the power: all that is left is what was kept, as text."""
        kept = parse_progress(format_progress(self.kept))
        self.hello = self.hello._replace(boot_id=self.hello.boot_id + 1)
        self.procedure = Procedure(Wiring(), self.hello, self._previous, kept)

    def view(self) -> dict[str, Any]:
        """Return what a page is told, as it arrives there."""
        found: dict[str, Any] = json.loads(json.dumps(told(self.procedure), allow_nan=False))
        return found


def true_gains(world: CellWorld) -> list[float]:
    """Return the raw units of a gram of each cell, which nobody at the board can know."""
    return [cell.raw_per_g for cell in world.cells]
