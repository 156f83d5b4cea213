"""What hands do because they are told to, step by step: a line of text becomes their movements. Pure.

Such hands know no rules: whoever tells them what to do knows what is played, and may let them do anything
that stones allow. Places are those of `firmware_bridge.layout`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from firmware_bridge.emulator.actions import Drop, Lift, PlaceMark, RemoveMark, ToldDone, Touch
from firmware_bridge.emulator.fingers import Fingers
from firmware_bridge.emulator.steps import Motion, Pause, Script
from firmware_bridge.layout import PITS, PLACES
from rules.position import STONES, Side

HAND = 0
"""One hand does it all: no cell feels whose it is."""

LONGEST_WAIT_S = 3600.0

TOUCH_S, LET_GO_S = 0.5, 0.8
"""How long a finger presses, and how long it is away until the next: slow enough for 10 samples a second."""


class ToldError(ValueError):
    """Raised when steps are none, or cannot be done with the stones there are; the message says which."""


@dataclass(frozen=True, slots=True)
class Take:
    """Stones are lifted from a place and stay in the hand."""

    place: int
    stones: int = 1


@dataclass(frozen=True, slots=True)
class Lay:
    """Stones of the hand are let fall on a place."""

    place: int
    stones: int = 1


@dataclass(frozen=True, slots=True)
class Mark:
    """A tuzdyk's mark is laid on a pit, or taken off it."""

    pit: int
    on: bool = True


@dataclass(frozen=True, slots=True)
class Press:
    """A player hits his clock."""

    side: Side


@dataclass(frozen=True, slots=True)
class Wait:
    """Nobody moves for so many device seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Finger:
    """A finger presses on a place for a moment, and nothing is taken or laid."""

    place: int


ToldStep = Take | Lay | Mark | Press | Wait | Finger

FORMS = (
    *("take PLACE [STONES]", "lay PLACE [STONES]", "mark PIT", "unmark PIT", "press SIDE", "wait SECONDS"),
    "touch PLACE",
)
"""The steps that `parse_steps` reads."""


def parse_steps(text: str) -> tuple[ToldStep, ...]:
    """Return the steps of a line such as `take 6 9, lay 6, lay 7, press bastaushy`.

    Raises:
        ToldError: A step is none of `FORMS`; it is quoted.
    """
    return tuple(_step(each.split(), each) for each in text.split(","))


def _step(words: Sequence[str], quoted: str) -> ToldStep:
    try:
        match words:
            case ["take" | "lay" as what, place, *stones] if len(stones) <= 1:
                kind = Take if what == "take" else Lay
                return kind(_within(place, PLACES), *(_within(each, STONES + 1, 1) for each in stones))
            case ["mark" | "unmark" as what, pit]:
                return Mark(_within(pit, PITS), on=what == "mark")
            case ["press", side]:
                return Press(Side(side))
            case ["touch", place]:
                return Finger(_within(place, PLACES))
            case ["wait", seconds] if 0 <= float(seconds) <= LONGEST_WAIT_S:
                return Wait(float(seconds))
    except ValueError:
        pass
    raise ToldError(f"{quoted.strip()[:40]!r} is no step of hands; known are: {', '.join(FORMS)}")


def _within(text: str, end: int, start: int = 0) -> int:
    number = int(text)
    if number not in range(start, end):
        raise ValueError(text)
    return number


def format_steps(steps: Iterable[ToldStep]) -> str:
    """Return the line that `parse_steps` reads as these steps."""
    return ", ".join(map(_written, steps))


def _written(step: ToldStep) -> str:
    match step:
        case Take(place, stones):
            return f"take {place} {stones}"
        case Lay(place, stones):
            return f"lay {place} {stones}"
        case Mark(pit, on):
            return f"{'mark' if on else 'unmark'} {pit}"
        case Press(side):
            return f"press {side.value}"
        case Wait(seconds):
            return f"wait {seconds:g}"
        case Finger(place):
            return f"touch {place}"


def check_steps(
    steps: Iterable[ToldStep], stones: Sequence[int], marks: Sequence[int], held: int, box: int
) -> None:
    """Refuse steps that these stones and marks do not allow.

    Args:
        steps: What is to be done, in order.
        stones: What lies at the twenty places.
        marks: How many marks lie on each of the eighteen pits.
        held: Stones in the hand.
        box: Marks that lie on no pit.

    Raises:
        ToldError: A step cannot be done.
    """
    there, marked = list(stones), list(marks)
    for step in steps:
        match step:
            case Take(place, number):
                there[place] -= number
                held += number
                _refuse(there[place] < 0, step, f"only {there[place] + number} stones lie there")
            case Lay(place, number):
                there[place] += number
                held -= number
                _refuse(held < 0, step, f"the hand holds {held + number} stones")
            case Mark(pit, on):
                change = 1 if on else -1
                marked[pit] += change
                box -= change
                _refuse(box < 0, step, "both marks are laid")
                _refuse(marked[pit] < 0, step, "no mark lies there")
            case _:
                pass


def _refuse(impossible: bool, step: ToldStep, why: str) -> None:  # noqa: FBT001 - reads as a sentence
    if impossible:
        raise ToldError(f"hands cannot `{_written(step)}`: {why}")


def script_of(steps: Iterable[ToldStep], fingers: Fingers, number: int) -> Script:
    """Do the steps one after another, at the pace of the fingers, and say so at the end.

    Args:
        steps: What to do; what cannot be done was refused before.
        fingers: Of both players.
        number: Which line of steps it is.
    """
    for step in steps:
        yield from _motion(step, fingers)
    yield ToldDone(number)


def _motion(step: ToldStep, fingers: Fingers) -> Motion:
    wiring, pace = fingers.wiring, fingers.pace
    match step:
        case Take(place, stones):
            channel = wiring.channel(place)
            yield Touch(channel, fingers.firmness())
            yield fingers.pause(pace.lift_s)
            yield Lift(channel, HAND, stones)
            yield Touch(channel, 0.0)
        case Lay(place, stones):
            yield fingers.pause(pace.stone_s if stones == 1 else pace.carry_s)
            yield Drop(wiring.channel(place), HAND, stones)
        case Mark(pit, on):
            yield fingers.pause(pace.carry_s)
            yield (PlaceMark if on else RemoveMark)(wiring.pits[pit])
        case Press(side):
            yield fingers.pause(pace.press_s)
            yield from fingers.press(side)
        case Wait(seconds):
            yield Pause(seconds)
        case Finger(place):
            channel = wiring.channel(place)
            yield Touch(channel, 1.0)
            yield Pause(TOUCH_S)
            yield Touch(channel, 0.0)
            yield Pause(LET_GO_S)
