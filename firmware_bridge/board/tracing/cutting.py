"""A piece of a trace that is a trace by itself. Pure but for the file it is handed.

The whole is replayed up to the cut; what the game is then becomes the head of the piece, as if the program
had been started there. From there on both are replayed side by side: the piece holds its own decisions, and
its last block says how far they are those of the whole. Drifts followed and hands seen since the last
evidence are in no journal, so the digits of the evidence may differ; what is decided may only until the
piece has seen the board at rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from firmware_bridge.board.inputs import Looked
from firmware_bridge.board.tracing.replay import Replay, Taken, taken_again
from firmware_bridge.trace.header import TraceHeader
from firmware_bridge.trace.reader import Ending, Hole
from firmware_bridge.trace.rows import ARRIVED, STEP, Row, Told, canonical
from firmware_bridge.trace.writer import TraceWriter
from sensors.samples import RawSample
from sensors.settle import ReadingState

SNAP_US = 1_000_000
"""How long the end of a block is waited for: twenty blocks, or ten samples of a slow device."""

BLOCK_ROWS = 800
"""Rows of one block, as a running board writes them."""


@dataclass(slots=True)
class CutFacts:
    """What a piece came to.

    Attributes:
        from_us: Table time at which it begins; None: the trace has nothing there.
        to_us: Table time of its last row.
        samples: Samples in it.
        quiet_us: When it first saw every channel at rest; None: never.
        differs: Inputs that led to something else than in the whole, bit for bit.
        other: Those of them where not only times and evidence are different.
        last_us: Table time of the last of them; None without any.
        hole: What ended the trace before the piece was complete; None: nothing.
        whole: The piece begins with the trace itself.
        reached_us: Table time up to which the trace was taken again.
    """

    from_us: int | None = None
    to_us: int = 0
    samples: int = 0
    quiet_us: int | None = None
    differs: int = 0
    other: int = 0
    last_us: int | None = None
    hole: Hole | None = None
    whole: bool = False
    reached_us: int = 0


class Cutter:
    """Writes the rows of a piece, and compares.

    Attributes:
        facts: What it has come to so far.
    """

    def __init__(self, header: TraceHeader, arrived: Told | None, writer: TraceWriter) -> None:
        """Begin a piece with `header`, where the device of the row `arrived` is here."""
        self.facts = CutFacts(header.begun_us, header.begun_us)
        self._replay = Replay(header)
        self._writer = writer
        self._rows: list[Row] = []
        if arrived is not None:
            row = {**arrived, "at_us": header.begun_us, "restarted": False}
            self._rows += [row, *self._replay.take(row)[1]]

    def take(self, taken: Taken) -> None:
        """Take one input of the whole."""
        look, found = self._replay.take(taken.row)
        self._rows += [taken.row, *found]
        facts = self.facts
        facts.to_us = taken.at_us
        facts.samples += isinstance(taken.row, RawSample)
        if facts.quiet_us is None and look is not None:
            channels = [look.channels[channel] for channel in self._replay.header.wiring.channels]
            if all(reading.state is ReadingState.QUIET for reading in channels):
                facts.quiet_us = taken.at_us
        due = taken.found if taken.due is None else taken.due
        if _steps(found) != _steps(due):
            facts.differs += 1
            facts.other += _decided(found) != _decided(due)
            facts.last_us = taken.at_us
        if len(self._rows) >= BLOCK_ROWS:
            self._write()

    def _write(self) -> None:
        self._writer.write(self._rows)
        self._rows = []

    def end(self) -> CutFacts:
        """Write the rest and what was found."""
        if self._rows:
            self._write()
        facts = self.facts
        found = {"differs": facts.differs, "other": facts.other, "last_us": facts.last_us}
        self._writer.end("cut", {**found, "quiet_us": facts.quiet_us})
        return facts


def _steps(rows: Iterable[Told]) -> str:
    """Return what was decided; how the board was said to look may differ until it has been seen at rest."""
    return canonical([row for row in rows if row["row"] == STEP])


def _decided(rows: Iterable[Told]) -> str:
    """Return what was decided without the exact time and the evidence of it."""
    return canonical(
        [
            [{**event, "at_us": 0, "evidence": {}} for event in row["events"]]
            for row in rows
            if row["row"] == STEP and row["events"]
        ]
    )


def first_sample_us(rows: Iterable[Row | Hole | Ending]) -> int | None:
    """Return the table time of the first sample of a trace; None where damage or its end comes before one."""
    offset_us = 0
    for row in rows:
        if isinstance(row, RawSample):
            return max(0, row.time_us + offset_us)
        if isinstance(row, Hole | Ending):
            return None
        if row["row"] == ARRIVED:
            told = row.get("offset_us")
            offset_us = told if isinstance(told, int) else 0
    return None


def next_piece(
    whole: Replay, rows: Iterable[Row | Hole | Ending], from_us: int, to_us: int
) -> Iterable[Taken | Hole]:
    """Yield the inputs from `from_us` to `to_us`, in table time, and the hole that ends them, if one does.

    With the first of them `whole` stands where the piece begins: behind it. Where `from_us` is 0 the piece
    begins with the trace, and all of it is yielded.

    Samples are judged in blocks of about 50 ms. So that those of the piece are those of the whole, it begins
    where the whole has just ended one, up to `SNAP_US` later than asked.

    Raises:
        TraceError: A row says what no board can have written.
    """
    begun = not from_us
    before: Looked | None = None
    for taken in taken_again(whole, rows):
        if isinstance(taken, Ending):
            continue
        if isinstance(taken, Hole):
            yield taken
        elif taken.at_us > to_us:
            return
        elif taken.at_us >= from_us:
            begun = begun or _block_ended(before, taken.look) or taken.at_us >= from_us + SNAP_US
            if begun:
                yield taken
        if isinstance(taken, Taken) and taken.look is not None:
            before = taken.look


def _block_ended(before: Looked | None, after: Looked | None) -> bool:
    """Whether this sample was the last of a block: most quiet channels have another load than before it."""
    if before is None or after is None:
        return False
    pairs = [
        (was.load_g, now.load_g)
        for was, now in zip(before.channels, after.channels, strict=False)
        if was.state is ReadingState.QUIET is now.state and now.pulses is None
    ]
    return 2 * sum(was != now for was, now in pairs) > len(pairs)
