"""The outbox loses nothing, keeps the order, and never has too much on its way."""

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.wire.outbox import ACK_TIMEOUT_US, Outbox, Row


class Rows:
    """A journal in memory whose numbers may have gaps."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers

    def rows_after(self, seq: int, limit: int) -> list[Row]:
        """Return the rows that follow."""
        return [(n, str(n).encode()) for n in self.numbers if n > seq][:limit]


def send_all(outbox: Outbox, generation: int, start: int = 1, now_us: int = 0) -> dict[int, int]:
    """Send what the window allows; returns mid -> seq."""
    mids: dict[int, int] = {}
    while (row := outbox.next_to_send()) is not None:
        mid = start + len(mids)
        outbox.sent(generation, mid, now_us)
        mids[mid] = row[0]
    return mids


def test_no_more_than_a_window_is_on_its_way() -> None:
    """The 21st row waits for an acknowledgement."""
    outbox = Outbox(Rows(list(range(1, 100))))
    assert list(send_all(outbox, 1).values()) == list(range(1, 21))
    assert outbox.acked(1, 1)
    assert outbox.next_to_send() == (21, b"21")


def test_the_cursor_waits_for_the_oldest() -> None:
    """Acknowledged out of order, it moves only over what is complete."""
    outbox = Outbox(Rows([3, 5, 9]))
    send_all(outbox, 1)
    assert not outbox.acked(1, 2)
    assert outbox.confirmed == 0
    assert outbox.acked(1, 1)
    assert outbox.confirmed == 5


def test_an_acknowledgement_of_an_older_connection_means_nothing() -> None:
    """A message id counts only with its generation."""
    outbox = Outbox(Rows([1, 2]))
    send_all(outbox, 1)
    outbox.reconnected()
    assert list(send_all(outbox, 2, start=50).values()) == [1, 2]
    assert not outbox.acked(1, 1)
    assert outbox.acked(2, 50)
    assert outbox.confirmed == 1


def test_a_row_is_overdue_after_fifteen_seconds() -> None:
    """And an acknowledged one never is."""
    outbox = Outbox(Rows([1, 2]))
    send_all(outbox, 1, now_us=1_000)
    assert not outbox.overdue(1_000 + ACK_TIMEOUT_US - 1)
    assert outbox.overdue(1_000 + ACK_TIMEOUT_US)
    outbox.acked(1, 1)
    outbox.acked(1, 2)
    assert not outbox.overdue(10**12)


def test_a_row_that_cannot_be_sent_is_passed_over() -> None:
    """One bad row never holds up the rest."""
    outbox = Outbox(Rows([1, 2]))
    assert outbox.next_to_send() == (1, b"1")
    outbox.skip()
    assert outbox.confirmed == 1
    assert outbox.next_to_send() == (2, b"2")


def test_a_cursor_ahead_of_the_journal_starts_over() -> None:
    """It belonged to another journal; better twice than never."""
    assert Outbox(Rows([1, 2, 3]), confirmed=7).next_to_send() == (1, b"1")
    assert Outbox(Rows([1, 2, 3]), confirmed=3).next_to_send() is None


def test_rows_written_later_are_found() -> None:
    """The journal is read as it grows."""
    rows = Rows([])
    outbox = Outbox(rows)
    assert outbox.next_to_send() is None
    rows.numbers.append(1)
    assert outbox.next_to_send() == (1, b"1")


@given(
    numbers=st.lists(st.integers(1, 500), unique=True, max_size=60).map(sorted),
    steps=st.lists(st.tuples(st.sampled_from(["send", "ack", "lose"]), st.integers(0, 19)), max_size=80),
)
def test_whatever_happens_everything_arrives_in_order(
    numbers: list[int], steps: list[tuple[str, int]]
) -> None:
    """Any mix of sending, acknowledgements and lost connections, and then a quiet line."""
    outbox = Outbox(Rows(numbers))
    arrived: list[int] = []
    flying: list[int] = []
    generation, mid, acked = 1, 0, set[int]()
    for what, which in [*steps, *[("send", 0), ("ack", 0)] * 200]:
        row = outbox.next_to_send()
        if what == "send" and row is not None:
            mid += 1
            outbox.sent(generation, mid, 0)
            flying.append(mid)
            arrived.append(row[0])
        elif what == "ack" and flying:
            got = flying.pop(which % len(flying))
            outbox.acked(generation, got)
            acked.add(got)
        elif what == "lose":
            outbox.reconnected()
            generation, flying = generation + 1, []
        assert outbox.unacknowledged <= 20
    first_seen = list(dict.fromkeys(arrived))
    assert first_seen == numbers
    assert outbox.confirmed == (numbers[-1] if numbers else 0)
