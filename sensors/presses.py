"""Button events of one boot of a device: each handed on once, in order, acknowledged when the caller says.

The wire repeats, loses and, at worst, reorders; the numbers decide. What is missing is waited for,
because the device sends everything unacknowledged again five times a second; only when it stays away
for `PATIENCE_US` is it declared lost, with its numbers. `PROTOCOL.md` section 7 has the reasons.

A number or a time that cannot be is not believed, but the press is: a player did press.
"""

from dataclasses import replace

from sensors.frames import FrameError
from sensors.samples import Fault, FaultKind, Press

PATIENCE_US = 2_000_000
"""How long a missing number is waited for, host time: ten rounds of the device."""
MAX_HELD = 64
"""Presses kept behind a missing one; twice the ring a device must have. The device repeats the rest."""

MAX_AHEAD = 1000
"""A number may be this far beyond those known; one further is no number a device can have reached."""
SLACK_US = 1_000_000
"""Device time by which a press may seem older than the one before it until that is worth a word: events
are numbered after debouncing."""
MAX_PER_SECOND = 10
"""Button events in a device second that are allowed for while nobody listened."""


def check_number(what: str, number: int, known: int, unheard_us: int = 0) -> None:
    """Refuse a number that cannot have been reached.

    Args:
        what: names it in the error.
        number: the number of an event.
        known: the highest number known.
        unheard_us: device time in which events could happen unheard.

    Raises:
        FrameError: if it is absurdly far ahead.
    """
    if number > known + MAX_AHEAD + unheard_us * MAX_PER_SECOND // 1_000_000:
        raise FrameError(f"{what} {number}, where {known} is the highest known")


class PressInbox:
    """Orders the button events of one boot.

    Args:
        boot_id: the boot.
        last: the last number known to be safe already; 0 for none.
        unknown_up_to: on first contact with a running device, the last event that happened before:
            if these do not come, nobody has lost them, an earlier program may have had them.

    Attributes:
        boot_id: as given.
        acknowledged: all numbers up to this one are safe.
        known: the highest number that is known to exist.
        repeated: events received again.
        lost: events declared lost.
    """

    def __init__(self, boot_id: int, last: int = 0, *, unknown_up_to: int = 0) -> None:
        self.boot_id = boot_id
        self.acknowledged = last
        self.repeated = 0
        self.lost = 0
        self.known = last
        self._last = last
        self._handed_on = last
        self._given_up = range(0)
        self._earliest_us = 0
        self._fresh_from = 0
        self._fresh_us = 0
        self._held: dict[int, tuple[Press, int]] = {}
        self._missing_since_us: int | None = None
        self._unknown_up_to = unknown_up_to
        self._repeat_acknowledgement = False

    def awaits(self, number: int) -> bool:
        """Return whether this event has not been received yet and can still be handed on."""
        return number > self._handed_on and number not in self._held

    def offer(self, press: Press, now_us: int, arrived_us: int = 0) -> list[Press | Fault]:
        """Take an event from the wire; return those that may now be handed on, in order.

        Args:
            press: the event.
            now_us: host time.
            arrived_us: the device time it is now, for an event whose own time cannot be believed.

        Raises:
            FrameError: if its number is absurdly far beyond those known.
        """
        check_number("BUTTON: number", press.number, self.known)
        if not self.awaits(press.number):
            self.repeated += 1
            self._repeat_acknowledgement |= press.number <= self.acknowledged
            if press.number not in self._given_up:
                return []
            self._given_up = range(press.number + 1, self._given_up.stop)
            return [_late(press.number)]
        # Given up, but nothing later was handed on: it can still take its place.
        self._last = min(self._last, press.number - 1)
        self._held[press.number] = (press, arrived_us)
        if len(self._held) > MAX_HELD:
            del self._held[max(self._held)]
        self.known = max(self.known, press.number)
        return self._release(now_us)

    def begin_time(self, time_us: int) -> None:
        """Device time begins anew: what is handed on from here is of this time or later."""
        self._earliest_us = time_us
        self._fresh_from = 0
        self._fresh_us = 0

    def none_from(self, number: int, time_us: int) -> None:
        """Take note that at this device time the event of this number, and later ones, had not happened."""
        if time_us >= self._fresh_us:
            self._fresh_from, self._fresh_us = number, time_us

    def exists_up_to(self, number: int, now_us: int) -> None:
        """Take note that all events up to this number have happened; those not here are waited for."""
        self.known = max(self.known, number)
        if self.known > self._last and self._missing_since_us is None:
            self._missing_since_us = now_us

    def stop_waiting(self) -> None:
        """Suspend the patience: the device cannot be heard, or it has not said who it is."""
        self._missing_since_us = None

    def give_up(self, now_us: int) -> list[Press | Fault]:
        """Return the fault for what has been missing too long, then the events behind it; mostly nothing."""
        if self._missing_since_us is None or now_us - self._missing_since_us < PATIENCE_US:
            return []
        first = self._last + 1
        self._last = min(self._held) - 1 if self._held else self.known
        found: list[Press | Fault] = []
        first = max(first, self._unknown_up_to + 1)
        if first <= self._last:
            self.lost += self._last - first + 1
            self._given_up = range(first, self._last + 1)
            self._unknown_up_to = self._last
            found.append(_lost(first, self._last))
        found += self._release(now_us)
        return found

    def acknowledge(self, number: int) -> None:
        """Note that this event and all before it are safe.

        Raises:
            ValueError: if it was never handed on.
        """
        if number > self._last:
            raise ValueError(f"press {number} cannot be acknowledged: the last one handed on is {self._last}")
        self.acknowledged = max(self.acknowledged, number)

    def acknowledgement_due(self) -> bool:
        """Return whether an acknowledged event came again since the last call: the device missed it."""
        due = self._repeat_acknowledgement
        self._repeat_acknowledgement = False
        return due

    def _release(self, now_us: int) -> list[Press | Fault]:
        """Return the events that follow the last one without a hole; restart the waiting if it moved."""
        released: list[Press | Fault] = []
        while self._last + 1 in self._held:
            self._last += 1
            self._handed_on = self._last
            released += self._dated(*self._held.pop(self._last))
        if self.known == self._last:
            self._missing_since_us = None
        elif released or self._missing_since_us is None:
            self._missing_since_us = now_us
        return released

    def _dated(self, press: Press, arrived_us: int) -> list[Press | Fault]:
        """Return the press with a time it can have, behind a fault if its own was far from it."""
        stale = press.number >= self._fresh_from and press.time_us < self._fresh_us
        if not stale and press.time_us >= self._earliest_us - SLACK_US:
            self._earliest_us = max(self._earliest_us, press.time_us)
            return [replace(press, time_us=self._earliest_us)]
        self._earliest_us = max(self._earliest_us, arrived_us)
        fault = press_time_fault(press, self._earliest_us, "before something that came earlier")
        return [fault, replace(press, time_us=self._earliest_us)]


def press_time_fault(press: Press, taken_us: int, why: str) -> Fault:
    """Return the fault that names a time not believed and the one taken instead."""
    return Fault(
        FaultKind.PRESS_TIME,
        None,
        words=f"press {press.number} of button {press.button} is dated {press.time_us / 1e6:.3f} s, {why}: "
        f"it is taken as of {taken_us / 1e6:.3f} s. Check both clocks, then look at the device.",
    )


def _late(number: int) -> Fault:
    """Return the fault for a press that came after a later one had been handed on."""
    return Fault(
        FaultKind.PRESSES_LOST,
        None,
        words=f"press {number} came after it had been given up, and after later ones: it is not acted on. "
        "Either the line is very bad, or the device numbers its presses wrongly. Check both clocks.",
    )


def _lost(first: int, last: int) -> Fault:
    """Return the fault that names the lost numbers."""
    which = f"press {first} was" if first == last else f"presses {first} to {last} were"
    return Fault(
        FaultKind.PRESSES_LOST,
        None,
        words=f"{which} never received: the device no longer keeps them. It keeps the last ones only while "
        "nobody listens; or an earlier program took them without a note in this journal. Check both clocks.",
    )
