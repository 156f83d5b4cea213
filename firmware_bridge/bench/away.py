"""While nobody listens to the device: a pulled cable, or a board's process that is down (pure).

The device goes on by itself meanwhile: it keeps its presses, drives the dials, and shows that its host is
lost.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.board.inputs import ButtonPressed
from firmware_bridge.emulator.actions import Signals

UNPLUGGED_US = 3_000_000
"""How long a pulled cable stays out."""

RESTART_US = 1_000_000
"""How long after the press a process that was down is back."""


@dataclass(slots=True)
class Away:
    """What the device does by itself.

    Attributes:
        how: `unplugged` or `down`; empty while somebody listens.
        back_us: When it is over; None: not known yet.
        dial: The running dial: 0 none, 1 or 2.
        kept: Presses that nobody has taken.
    """

    how: str = ""
    back_us: int | None = None
    dial: int = 0
    kept: list[ButtonPressed] = field(default_factory=list)

    def begin(self, how: str, back_us: int | None, dial: int) -> None:
        """Begin to be alone."""
        self.how, self.back_us, self.dial = how, back_us, dial

    def press(self, pressed: ButtonPressed) -> None:
        """Keep a press, and switch the dials by it."""
        self.kept.append(pressed)
        if self.dial == pressed.button + 1:
            self.dial = 2 - pressed.button

    def ply_over(self, at_us: int) -> None:
        """Hear that the ply which nobody watched is pressed for: the process will be back soon."""
        if self.how == "down":
            self.back_us = at_us + RESTART_US

    def ends(self, now_us: int) -> bool:
        """Whether it is over now."""
        return self.back_us is not None and now_us >= self.back_us

    def end(self) -> list[ButtonPressed]:
        """End it; return the presses kept."""
        kept, self.kept = self.kept, []
        self.how, self.back_us = "", None
        return kept

    @property
    def signals(self) -> Signals:
        """What the players see; who is to play on while the process is down must not heed the lamp."""
        return Signals(host_lost=self.how == "unplugged", running=self.dial)
