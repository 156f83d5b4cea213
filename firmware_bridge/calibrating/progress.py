"""How far a calibration has come, as a value that survives a power cut (pure; `keeping.py` has the file)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from firmware_bridge.calibrating.steps import ORDER, Measured, Step
from firmware_bridge.layout import PLACES

FORMAT: Final = 1
MOST_GRAMS: Final = 100_000.0
"""No set of stones weighs more; a number beyond is a slip."""


class ProgressError(ValueError):
    """Raised when kept progress cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What has been found so far.

    Attributes:
        board_id: what the device calls itself.
        device_channels: how many it has.
        channels: the channel of each of the twenty places.
        step: what is asked now; None: everything is measured.
        loads: what each step that is done has measured.
        heard: for each place touched so far, the places by whose channels it was felt.
        skipped: the steps that were left out.
        total_g: mass of all 162 stones in grams, from a kitchen scale; None: nobody has said it.
        recounted: places whose stones were counted again because they seemed too many or too few.
    """

    board_id: str
    device_channels: int
    channels: tuple[int, ...]
    step: Step | None = Step.EMPTY
    loads: Mapping[Step, Measured] = field(default_factory=dict)
    heard: tuple[tuple[int, ...], ...] = ()
    skipped: frozenset[Step] = frozenset()
    total_g: float | None = None
    recounted: frozenset[int] = frozenset()

    def done(self, step: Step, measured: Measured | None) -> Progress:
        """Return the progress after a step; `measured` is None for one that measured nothing."""
        loads = dict(self.loads) if measured is None else {**self.loads, step: measured}
        after = ORDER[ORDER.index(step) + 1 :]
        return replace(self, loads=loads, step=after[0] if after else None)

    def back_at(self, step: Step) -> Progress:
        """Return the progress with that step to be done again, and all behind it."""
        before = ORDER[: ORDER.index(step)]
        return replace(
            self,
            step=step,
            loads={each: measured for each, measured in self.loads.items() if each in before},
            heard=self.heard if Step.TOUCH in before else (),
            skipped=frozenset(self.skipped & set(before)),
        )

    @property
    def calm(self) -> Measured | None:
        """The empty board; None before it was measured."""
        return self.loads.get(Step.EMPTY)


def format_progress(progress: Progress) -> str:
    """Return progress as text; `parse_progress` gives the same value back."""
    told = {
        "format": FORMAT,
        "board_id": progress.board_id,
        "device_channels": progress.device_channels,
        "channels": progress.channels,
        "step": None if progress.step is None else progress.step.value,
        "loads": {
            step.value: {"raw": load.raw, "noise": load.noise} for step, load in progress.loads.items()
        },
        "heard": progress.heard,
        "skipped": sorted(progress.skipped),
        "total_g": progress.total_g,
        "recounted": sorted(progress.recounted),
    }
    return json.dumps(told, ensure_ascii=False) + "\n"


def parse_progress(text: str) -> Progress:
    """Return the progress in a text.

    Raises:
        ProgressError: it is damaged, or another version wrote it.
    """
    try:
        return _progress(json.loads(text, parse_constant=_no_constant))
    except ProgressError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ProgressError(f"damaged: {error!a:.80}") from error


def _no_constant(name: str) -> float:
    raise ProgressError(f"{name} is no number")


def _progress(told: Mapping[str, Any]) -> Progress:
    if told["format"] != FORMAT:
        raise ProgressError(f"format {told['format']!a:.20}, this program reads {FORMAT}")
    channels = tuple([_whole(each) for each in told["channels"]])
    heard = tuple([tuple([_place(each) for each in felt]) for felt in told["heard"]])
    step = None if told["step"] is None else Step(told["step"])
    loads = {
        Step(name): Measured(
            tuple([_number(each) for each in load["raw"]]), tuple([_number(each) for each in load["noise"]])
        )
        for name, load in told["loads"].items()
    }
    skipped = frozenset([Step(name) for name in told["skipped"]])
    needed = set(ORDER if step is None else ORDER[: ORDER.index(step)]) - {Step.TOUCH} - skipped
    if len(channels) != PLACES or len(heard) > PLACES or not needed <= set(loads):
        raise ProgressError("it lacks steps or places that it says are done")
    total_g = None if told["total_g"] is None else _number(told["total_g"])
    if total_g is not None and not 0 < total_g <= MOST_GRAMS:
        raise ProgressError(f"all stones weigh {total_g:g} g")
    board_id = told["board_id"]
    if not isinstance(board_id, str):
        raise ProgressError(f"board_id {board_id!a:.40} is no text")
    return Progress(
        board_id=board_id,
        device_channels=_whole(told["device_channels"]),
        channels=channels,
        step=step,
        loads=loads,
        heard=heard,
        skipped=skipped,
        total_g=total_g,
        recounted=frozenset([_place(each) for each in told.get("recounted", ())]),
    )


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ProgressError(f"{value!a:.40} is no channel or place")
    return value


def _place(value: object) -> int:
    place = _whole(value)
    if place >= PLACES:
        raise ProgressError(f"{place} is no place")
    return place


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ProgressError(f"{value!a:.40} is no number")
    return float(value)
