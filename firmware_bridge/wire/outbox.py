"""The outbox: a window over the journal of what the broker has not yet acknowledged.

The journal is the only store; what is here are numbers. Rows go out in order, at most a window
of them unacknowledged; the cursor stands at the last row up to which everything was
acknowledged. After a lost connection everything behind the cursor goes out again: receivers
drop what they know by its number, so twice is harmless and never is impossible.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

WINDOW: Final = 20
ACK_TIMEOUT_US: Final = 15_000_000
"""Microseconds; electing a new leader took a clustered broker ten seconds."""

Row: TypeAlias = tuple[int, bytes]


class RowSource(Protocol):
    """The journal, as the outbox sees it."""

    def rows_after(self, seq: int, limit: int) -> Sequence[Row]:
        """Return the rows that follow, oldest first.

        Called from the event loop, so it must not wait for a disk.

        Args:
            seq: Journal number; 0 means from the beginning.
            limit: At most so many rows.

        Returns:
            Pairs of journal number, rising, and encoded EventPayload. Only durable rows. The
            bytes of a row stay the same for ever, its `boot` too: receivers know it by them.
        """
        ...


@dataclass(slots=True)
class _Sent:
    """A row on its way."""

    seq: int
    generation: int
    mid: int
    at_us: int
    acked: bool = False


class Outbox:
    """Decides what to send next and how far the broker has everything.

    Args:
        source: The rows.
        confirmed: Journal number up to which everything was acknowledged earlier.
        window: Rows that may be unacknowledged at once.

    Attributes:
        confirmed: The cursor.
    """

    def __init__(self, source: RowSource, confirmed: int = 0, window: int = WINDOW) -> None:
        self._source = source
        self._window = window
        self._ready: deque[Row] = deque()
        self._sent: deque[_Sent] = deque()
        self.confirmed = confirmed
        if confirmed and not source.rows_after(confirmed - 1, 1):
            self.confirmed = 0  # the cursor is ahead of this journal: it belonged to another one
        self._last_sent = self.confirmed

    @property
    def unacknowledged(self) -> int:
        """How many rows are on their way."""
        return len(self._sent)

    def next_to_send(self) -> Row | None:
        """Return the next row; None while the window is full or nothing is left.

        Asking again returns the same row until `sent` is called for it.
        """
        room = self._window - len(self._sent)
        if room <= 0:
            return None
        if not self._ready:
            self._ready.extend(self._source.rows_after(self._last_sent, room))
        return self._ready[0] if self._ready else None

    def sent(self, generation: int, mid: int, now_us: int) -> None:
        """Note that the row of `next_to_send` went out.

        Args:
            generation: Connection it went out on.
            mid: Its message id there.
            now_us: Monotonic host time, microseconds.
        """
        seq, _ = self._ready.popleft()
        self._last_sent = seq
        self._sent.append(_Sent(seq, generation, mid, now_us))

    def skip(self) -> None:
        """Pass over the row of `next_to_send`: it can never be sent."""
        seq, _ = self._ready.popleft()
        self._last_sent = seq
        self._sent.append(_Sent(seq, 0, 0, 0, acked=True))
        self._move_cursor()

    def acked(self, generation: int, mid: int) -> bool:
        """Note an acknowledgement; tell whether the cursor moved. Unknown ones are ignored."""
        for row in self._sent:
            if (row.generation, row.mid) == (generation, mid):
                row.acked = True
                break
        return self._move_cursor()

    def overdue(self, now_us: int) -> bool:
        """Tell whether a row has been waiting for its acknowledgement for 15 s or longer."""
        return any(not row.acked and now_us - row.at_us >= ACK_TIMEOUT_US for row in self._sent)

    def reconnected(self) -> None:
        """Forget what is on its way: everything behind the cursor goes out again."""
        self._sent.clear()
        self._ready.clear()
        self._last_sent = self.confirmed

    def _move_cursor(self) -> bool:
        before = self.confirmed
        while self._sent and self._sent[0].acked:
            self.confirmed = self._sent.popleft().seq
        return self.confirmed != before
