"""What the hands of an emulated board are told while it is calibrated."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.calibrating.steps import LOADS, Step
from firmware_bridge.emulator.told import Finger, Lay, Mark, Take, ToldStep, format_steps
from firmware_bridge.layout import PLACES
from rules.position import START, board_of

AT_FIRST = board_of(START)
"""An emulated board begins set up for a game."""
MARKED = (3, 14)


def laying(before: Sequence[int], after: Sequence[int]) -> list[ToldStep]:
    """Return the steps from one load to another; what is too much stays in the hand."""
    steps: list[ToldStep] = []
    for place, (is_there, due) in enumerate(zip(before, after, strict=True)):
        if is_there > due:
            steps.append(Take(place, is_there - due))
    for place, (is_there, due) in enumerate(zip(before, after, strict=True)):
        if due > is_there:
            steps.append(Lay(place, due - is_there))
    return steps


class ToldHands:
    """Knows what lies on the board, and what each step asks.

    Attributes:
        stones: what lies at the twenty places.
    """

    def __init__(self) -> None:
        """Begin before a board that is set up."""
        self.stones: Sequence[int] = AT_FIRST

    def line(self, step: Step) -> str:
        """Return the emulator's command that does what a step asks."""
        if step is Step.TOUCH:
            steps: list[ToldStep] = [Finger(place) for place in range(PLACES)]
        elif step is Step.MARKS:
            steps = [Mark(pit) for pit in MARKED]
        else:
            steps = laying(self.stones, LOADS[step])
            self.stones = LOADS[step]
        return f"hands {format_steps(steps)}" if steps else "hands wait 0.1"
