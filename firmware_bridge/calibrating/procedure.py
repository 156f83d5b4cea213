"""Calibrating, step by step: a machine that is fed samples and words, and says what is to be done (pure).

```
            next            still            measured well
ASKING ----------> WAITING --------> (judged) ------------> ASKING (the next step) ... JUDGED -- next --> DONE
   ^                  |                  |
   |  repeat, next    | 15 s of motion   | cannot be trusted
   +---- REFUSED <----+------------------+
```

`TABLE` has all transitions of words; a word that is not in it is refused and changes nothing. What a step
has measured is in `progress`, a value: whoever runs the procedure keeps it, and begins again with it after a
power cut. Time is the host's, an argument; samples carry the device's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Final

from firmware_bridge.calibrating import judging, measuring, touching
from firmware_bridge.calibrating.progress import MOST_GRAMS, Progress
from firmware_bridge.calibrating.steps import ORDER, SKIPPABLE, Complaint, Step
from firmware_bridge.calibrating.verdict import Verdict, verdict
from firmware_bridge.layout import PLACES, Wiring
from sensors import frames
from sensors.calibration import Calibration
from sensors.frames import Hello
from sensors.samples import RawSample

PATIENCE_S: Final = 15.0
"""How long motion is waited out before the person is told what moves (host time)."""
LOOK_EVERY: Final = 16
"""Samples between two looks at a full window: it costs as much as a hundred samples."""
RECOUNTED: Final = ("uneven", "kazan_short")
"""Complaints after which a person counts again, and is believed then."""
SILENT_S: Final = 5.0
"""A device that says nothing for so long is said to be silent."""


class State(StrEnum):
    """What the procedure waits for."""

    ASKING = "asking"
    """The person does what the step asks, and says `next`."""
    WAITING = "waiting"
    """The board is to lie still, and is measured."""
    REFUSED = "refused"
    """It was measured, and cannot be trusted: see the complaints."""
    JUDGED = "judged"
    """All is measured; `next` keeps the calibration."""
    DONE = "done"
    CANCELLED = "cancelled"


class Word(StrEnum):
    """What the person says."""

    NEXT = "next"
    REPEAT = "repeat"
    """The step again, or the one that a complaint names; while places are touched, the last place again."""
    BACK = "back"
    """The step before."""
    SKIP = "skip"
    CANCEL = "cancel"


class WordRefusedError(ValueError):
    """Raised when a word has no meaning now; nothing has changed. `code` names the reason for programs."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class Procedure:
    """The calibration of one board.

    Args:
        wiring: where its places are soldered; it has cells.
        hello: what the device says of itself.
        previous: the calibration until now; None: there is none.
        progress: how far it had come before; None: it begins.

    Attributes:
        state: what it waits for.
        progress: how far it has come; whoever runs it keeps it whenever it is another one.
        complaints: why the last step is refused; empty in every other state.
        moving: the places that did not lie still when they were looked at last.
        felt: where the last touch was felt; None: no place was touched since the step began.
        verdict: what came of it; None before all is measured.
    """

    def __init__(
        self,
        wiring: Wiring,
        hello: Hello,
        previous: Calibration | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._hello = hello
        self._previous = previous
        fresh = Progress(hello.board_id, hello.channels, wiring.channels)
        believed = progress is not None and fits(progress, hello, wiring) and holds(progress)
        self.progress = progress if progress is not None and believed else fresh
        self.resumed = self.progress is progress and progress != fresh
        self.state = State.ASKING
        self.complaints: tuple[Complaint, ...] = ()
        self.moving: tuple[int, ...] = ()
        self.felt: tuple[int, ...] | None = None
        self.verdict: Verdict | None = None
        self._touches: touching.Touches | None = None
        self._heard_us: int | None = None
        self._asked_us = self._samples = 0
        self._begin_step()

    # --- what happens -------------------------------------------------------------------------------

    def take(self, sample: RawSample, now_us: int) -> None:
        """Take one sample of the device."""
        self._heard_us = now_us
        self._window.take(sample)
        if self.state is State.ASKING and self._touches is not None:
            self._touched(self._touches.take(sample))
        if self.state is not State.WAITING:
            return
        self._samples += 1
        if self._samples % LOOK_EVERY == 0 and self._window.full:
            self._look(late=now_us - self._asked_us > PATIENCE_S * 1e6)

    def poll(self, now_us: int) -> None:
        """Let time pass: a device that is silent while it should be measured, or touched, is told."""
        if self._heard_us is None:
            self._heard_us = now_us
        since_us = max(self._heard_us, self._asked_us)
        felt = self.state is State.ASKING and self._touches is not None  # a finger is waited for
        if (felt or self.state is State.WAITING) and now_us - since_us > SILENT_S * 1e6:
            self._refuse(Complaint("silent"))

    def arrived(self, hello: Hello) -> None:
        """Take what a device says of itself: one that began anew is measured anew, another one is refused."""
        other = (hello.board_id, hello.channels) != (self.progress.board_id, self.progress.device_channels)
        if other and self.state in (State.ASKING, State.WAITING, State.REFUSED):
            self._refuse(Complaint("other_device", values={"board": hello.board_id}))
        elif hello.boot_id != self._hello.boot_id:
            self._window = measuring.Window(hello.rate_centihz / 100)
        if not other:
            self._hello = hello

    def seen(self) -> tuple[float | None, ...]:
        """Return how many stones each place seems to hold now; None where that is not known yet."""
        progress, step = self.progress, self.progress.step
        if progress.calm is None or step is None:
            return (None,) * PLACES
        found: list[float | None] = []
        for place, raw in enumerate(self._window.newest(progress.channels)):
            one = judging.raw_per_stone(progress, place)
            found.append(
                None if raw is None or not one else (raw - judging.zero(progress, place, step)) / one
            )
        return tuple(found)

    # --- what is said -------------------------------------------------------------------------------

    def say(self, word: Word, now_us: int) -> None:
        """Take a word of the person.

        Raises:
            WordRefusedError: it has no meaning now.
        """
        act = TABLE.get((self.state, word))
        if act is None:
            raise WordRefusedError("calib_word", f"`{word}` has no meaning while calibrating is {self.state}")
        act(self, now_us)

    def weighed(self, total_g: float) -> None:
        """Take the mass of all 162 stones, in grams.

        Raises:
            WordRefusedError: no set of stones weighs so much, or it is all over.
        """
        if not 0 < total_g <= MOST_GRAMS:  # which no NaN is; a whole number may be too large for a float
            raise WordRefusedError(
                "calib_grams",
                f"{total_g!r:.40} is no mass of 162 stones: above 0 and up to {MOST_GRAMS:g} g",
            )
        if self.state in (State.DONE, State.CANCELLED):
            raise WordRefusedError("calib_word", f"calibrating is {self.state}")
        self.progress = replace(self.progress, total_g=float(total_g))
        if self.state is State.JUDGED:
            self._judge()

    def _next(self, now_us: int) -> None:
        if self.progress.step is Step.TOUCH:
            self._next_place(())
            return
        self.state, self.complaints, self.moving = State.WAITING, (), ()
        self._asked_us, self._samples = now_us, 0
        self._window = measuring.Window(self._hello.rate_centihz / 100)

    def _again(self, now_us: int) -> None:
        """Measure a refused step anew, touching from the first place."""
        if self.progress.step is Step.TOUCH:
            self._repeat(now_us)
        else:
            self._next(now_us)

    def _repeat(self, _now_us: int) -> None:
        step = self._step()
        asked = [each.back_to for each in self.complaints if each.back_to is not None]
        if step is Step.TOUCH and self.state is State.ASKING:
            self.progress = replace(self.progress, heard=self.progress.heard[:-1])
            self.felt = None
            return
        again = {place for each in self.complaints if each.code in RECOUNTED for place in each.places}
        self.progress = replace(
            self.progress.back_at(min([step, *asked], key=ORDER.index)),
            recounted=self.progress.recounted | again,
        )
        self._begin_step()

    def _back(self, _now_us: int) -> None:
        at = len(ORDER) if self.progress.step is None else ORDER.index(self.progress.step)
        if not at:
            raise WordRefusedError("calib_first", "this is the first step")
        self.progress = self.progress.back_at(ORDER[at - 1])
        self._begin_step()

    def _skip(self, _now_us: int) -> None:
        step = self._step()
        if step not in SKIPPABLE:
            raise WordRefusedError("calib_needed", f"the step `{step}` cannot be left out")
        self.progress = replace(self.progress, skipped=self.progress.skipped | {step}, heard=())
        self.progress = self.progress.done(step, None)
        self._begin_step()

    def _cancel(self, _now_us: int) -> None:
        self.state, self.complaints = State.CANCELLED, ()

    def _keep(self, _now_us: int) -> None:
        self.state = State.DONE

    # --- inside -------------------------------------------------------------------------------------

    def _step(self) -> Step:
        assert self.progress.step is not None, "there is a step until all is judged"
        return self.progress.step

    def _begin_step(self) -> None:
        self.state, self.complaints, self.moving, self.felt = State.ASKING, (), (), None
        self._heard_us = None
        self._asked_us = self._samples = 0
        self._window = measuring.Window(self._hello.rate_centihz / 100)
        step, calm = self.progress.step, self.progress.calm
        self._touches = None
        self.verdict = None
        if step is None:
            self._judge()
        elif step is Step.TOUCH and calm is not None:
            rate_hz = self._hello.rate_centihz / 100
            self._touches = touching.Touches(self.progress.channels, calm, rate_hz)

    def _judge(self) -> None:
        counters = bool(self._hello.features & frames.FEATURE_COUNTERS)
        self.verdict = verdict(self.progress, self._previous, counters=counters)
        self.state = State.JUDGED

    def _refuse(self, *complaints: Complaint) -> None:
        self.state, self.complaints = State.REFUSED, complaints

    def _touched(self, felt: tuple[int, ...] | None) -> None:
        if felt is not None:
            self._next_place(felt)

    def _next_place(self, felt: tuple[int, ...]) -> None:
        self.felt = felt
        self.progress = replace(self.progress, heard=(*self.progress.heard, felt))
        if len(self.progress.heard) < PLACES:
            return
        found = touching.wiring_complaints(self.progress.heard)
        if found:
            self._refuse(*found)
        else:
            self.progress = self.progress.done(Step.TOUCH, None)
            self._begin_step()

    def _look(self, *, late: bool) -> None:
        """Judge the window: broken at once, moving when it was waited for long enough, else the load."""
        report, step = self._window.report(), self._step()
        channels = self.progress.channels
        found = measuring.lasting(report, channels)
        if not found:
            self.moving = measuring.moving(report, channels, self.progress.calm)
            restless = measuring.restless(report, channels)
            if self.moving or restless:
                if late:
                    self._refuse(Complaint("moving" if self.moving else "restless", self.moving or restless))
                return
            if step is Step.EMPTY:
                found = measuring.noisy(report, channels)
        if not found:
            load = measuring.measured(report, channels)
            found = judging.judged(self.progress, step, load)
            if not found:
                self.progress = self.progress.done(step, load)
                self._begin_step()
                return
        self._refuse(*found)


def fits(progress: Progress, hello: Hello, wiring: Wiring) -> bool:
    """Whether kept progress is of this device, wired as it is now."""
    return (progress.board_id, progress.device_channels, progress.channels) == (
        hello.board_id,
        hello.channels,
        wiring.channels,
    )


def holds(progress: Progress) -> bool:
    """Whether every load that was kept would be taken again: a damaged file names loads that cannot be."""
    done = replace(progress, loads={})
    try:
        for step in ORDER:
            load = progress.loads.get(step)
            if load is None:
                continue
            if judging.judged(done, step, load):
                return False
            done = done.done(step, load)
    except ArithmeticError:
        return False
    return True


TABLE: Final[Mapping[tuple[State, Word], Callable[[Procedure, int], None]]] = {
    (State.ASKING, Word.NEXT): Procedure._next,  # noqa: SLF001 - the machine's own table
    (State.ASKING, Word.REPEAT): Procedure._repeat,  # noqa: SLF001 - ditto
    (State.ASKING, Word.BACK): Procedure._back,  # noqa: SLF001 - ditto
    (State.ASKING, Word.SKIP): Procedure._skip,  # noqa: SLF001 - ditto
    (State.ASKING, Word.CANCEL): Procedure._cancel,  # noqa: SLF001 - ditto
    (State.WAITING, Word.REPEAT): Procedure._repeat,  # noqa: SLF001 - ditto
    (State.WAITING, Word.CANCEL): Procedure._cancel,  # noqa: SLF001 - ditto
    (State.REFUSED, Word.NEXT): Procedure._again,  # noqa: SLF001 - ditto
    (State.REFUSED, Word.REPEAT): Procedure._repeat,  # noqa: SLF001 - ditto
    (State.REFUSED, Word.BACK): Procedure._back,  # noqa: SLF001 - ditto
    (State.REFUSED, Word.SKIP): Procedure._skip,  # noqa: SLF001 - ditto
    (State.REFUSED, Word.CANCEL): Procedure._cancel,  # noqa: SLF001 - ditto
    (State.JUDGED, Word.NEXT): Procedure._keep,  # noqa: SLF001 - ditto
    (State.JUDGED, Word.BACK): Procedure._back,  # noqa: SLF001 - ditto
    (State.JUDGED, Word.CANCEL): Procedure._cancel,  # noqa: SLF001 - ditto
}
"""What each word does in each state."""
