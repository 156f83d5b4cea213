"""Button events of one boot of a device: each handed on once, in order, acknowledged when the caller says.

The wire repeats, loses and, at worst, reorders; the numbers decide. What is missing is waited for,
because the device sends everything unacknowledged again five times a second; only when it stays away
for `PATIENCE_US` is it declared lost, with its numbers. `PROTOCOL.md` section 7 has the reasons.
"""

from sensors.samples import Fault, FaultKind, Press

PATIENCE_US = 2_000_000
"""How long a missing number is waited for, host time: ten rounds of the device."""
MAX_HELD = 64
"""Presses kept behind a missing one; twice the ring a device must have. The device repeats the rest."""


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
        repeated: events received again.
        lost: events declared lost.
    """

    def __init__(self, boot_id: int, last: int = 0, *, unknown_up_to: int = 0) -> None:
        self.boot_id = boot_id
        self.acknowledged = last
        self.repeated = 0
        self.lost = 0
        self._last = last
        self._known = last
        self._held: dict[int, Press] = {}
        self._missing_since_us: int | None = None
        self._unknown_up_to = unknown_up_to
        self._repeat_acknowledgement = False

    def offer(self, press: Press, now_us: int) -> list[Press]:
        """Take an event from the wire; return those that may now be handed on, in order."""
        if press.number <= self._last or press.number in self._held:
            self.repeated += 1
            self._repeat_acknowledgement |= press.number <= self.acknowledged
            return []
        self._held[press.number] = press
        if len(self._held) > MAX_HELD:
            del self._held[max(self._held)]
        self._known = max(self._known, press.number)
        return self._release(now_us)

    def exists_up_to(self, number: int, now_us: int) -> None:
        """Take note that all events up to this number have happened; those not here are waited for."""
        self._known = max(self._known, number)
        if self._known > self._last and self._missing_since_us is None:
            self._missing_since_us = now_us

    def stop_waiting(self) -> None:
        """Suspend the patience: the device cannot be heard, or it has not said who it is."""
        self._missing_since_us = None

    def give_up(self, now_us: int) -> list[Press | Fault]:
        """Return the fault for what has been missing too long, then the events behind it; mostly nothing."""
        if self._missing_since_us is None or now_us - self._missing_since_us < PATIENCE_US:
            return []
        first = self._last + 1
        self._last = min(self._held) - 1 if self._held else self._known
        found: list[Press | Fault] = []
        first = max(first, self._unknown_up_to + 1)
        if first <= self._last:
            self.lost += self._last - first + 1
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

    def _release(self, now_us: int) -> list[Press]:
        """Return the events that follow the last one without a hole; restart the waiting if it moved."""
        released: list[Press] = []
        while self._last + 1 in self._held:
            self._last += 1
            released.append(self._held.pop(self._last))
        if self._known == self._last:
            self._missing_since_us = None
        elif released or self._missing_since_us is None:
            self._missing_since_us = now_us
        return released


def _lost(first: int, last: int) -> Fault:
    """Return the fault that names the lost numbers."""
    which = f"press {first} was" if first == last else f"presses {first} to {last} were"
    return Fault(
        FaultKind.PRESSES_LOST,
        None,
        f"{which} never received: the device no longer keeps them. It keeps the last ones only while nobody "
        "listens; or an earlier program took them without a note in this journal. Check both clocks.",
    )
