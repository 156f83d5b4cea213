"""What a script of the hands is made of: actions, pauses and waits for a signal."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from firmware_bridge.emulator.actions import Action, Signals


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing happens for so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Until:
    """Wait for a signal, or until `at_latest_s` has run out; the script is sent whether the signal came."""

    seen: Callable[[Signals], bool]
    at_latest_s: float | None = None


Step = Action | Pause | Until

Motion = Iterator[Action | Pause]
"""Movements that ask nobody."""

Script = Generator[Step, bool | None]
"""Movements that wait for what the device shows."""
