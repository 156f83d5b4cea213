"""A trace taken again: the session from its header, every row through it, every decision compared.

What an input leads to is compared as canonical JSON, so floats bit for bit. A hole in the trace ends the
comparison, for nobody knows what was decided there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from firmware_bridge.board.hands.events import SowingEvent
from firmware_bridge.board.inputs import DeviceArrived, Input, Looked, Step
from firmware_bridge.board.memory.rows import Record
from firmware_bridge.board.memory.telling import Chronicle
from firmware_bridge.board.session.eye import Eye, session_of
from firmware_bridge.board.tracing.trace_rows import OUTCOMES, input_of, outcome_rows
from firmware_bridge.trace.errors import TraceError
from firmware_bridge.trace.header import TraceHeader
from firmware_bridge.trace.reader import Ending, Hole
from firmware_bridge.trace.rows import STEP, Row, Told, canonical
from rules.errors import RulesError
from sensors.samples import RawSample

_TROUBLE = (
    RulesError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What the table can raise of values that each might be, and that no board can have met together."""


def _why(error: Exception) -> str:
    if isinstance(error, RulesError | ValueError):
        return str(error)
    return f"{error} is missing" if isinstance(error, KeyError) else f"{type(error).__name__}: {error}"


@dataclass(frozen=True, slots=True)
class Taken:
    """One input of a trace, taken again.

    Attributes:
        at_us: Table time; that of the row before where the row has none.
        row: As it stands in the trace.
        look: What a sample was judged as; None for other rows.
        due: What it led to according to the trace; None where the trace ends before telling.
        found: What it led to now.
        hands: What hands were seen to do; () for rows that are no sample.
    """

    at_us: int
    row: Row
    look: Looked | None
    due: tuple[Told, ...] | None
    found: tuple[Told, ...]
    hands: tuple[SowingEvent, ...] = ()

    @property
    def same(self) -> bool:
        """Whether the same was decided, bit for bit."""
        return self.due is None or canonical(self.due) == canonical(self.found)


class Replay:
    """A table set up from the header of a trace.

    Attributes:
        header: The header.
        session: The life of the table so far.
        chronicle: The fold over its events, as a journal's.
        arrived: The row of the device that is here; None without one.
        at_us: Table time of the newest row.
    """

    def __init__(self, header: TraceHeader) -> None:
        """Set the table up as a program started at the beginning of the trace does.

        Raises:
            TraceError: The header's events cannot follow from one another, or its evidence is none.
        """
        self.header = header
        self.at_us = header.begun_us
        self.arrived: Told | None = None
        self.events: list[Told] = []
        self.chronicle = Chronicle()
        try:
            for event in header.events:
                self._remember(event)
            self.chronicle.evidence = dict(header.evidence)
            self.session = session_of(
                wiring=header.wiring,
                calibration=header.calibration,
                start_when_ready=header.start_when_ready,
                conducts=header.conducts,
                game=self.chronicle.game,
                evidence=header.evidence,
            )
        except _TROUBLE as error:
            raise TraceError(
                f"no table can be set up from its header ({_why(error)}); {header.software:.60} wrote it"
            ) from error
        self._eye = Eye(header.calibration)

    def take(self, row: Row) -> tuple[Looked | None, tuple[Told, ...]]:
        """Take one row; return the look if it is a sample, and what it led to.

        A row that only explains leads to nothing.

        Raises:
            TraceError: The row says what no board can have written; names the time of the row before.
        """
        try:
            return self._take(row)
        except TraceError as error:
            raise TraceError(f"{self._place}: {error}") from error
        except _TROUBLE as error:
            raise TraceError(
                f"{self._place}: nothing can follow from {row!r:.200} ({_why(error)})"
            ) from error

    @property
    def _place(self) -> str:
        return f"{(self.at_us - self.header.begun_us) / 1e6:.3f} s after its beginning"

    def _take(self, row: Row) -> tuple[Looked | None, tuple[Told, ...]]:
        event = self._input(row)
        if event is None:
            return None, ()
        self.at_us = getattr(event, "at_us", self.at_us)
        before = self.session.watch
        try:
            step = self.session.handle(event)
        except RulesError:
            step = Step()  # the board left it out, too, and said so in its log
        rows = tuple(outcome_rows(step, before, self.session.watch))
        for outcome in rows:
            if outcome["row"] == STEP:
                for told in outcome["events"]:
                    self._remember(told)
        return (event if isinstance(event, Looked) else None), rows

    def _input(self, row: Row) -> Input | None:
        if isinstance(row, RawSample):
            if self.arrived is None:
                raise TraceError("a sample before any device has arrived: no board writes such a trace")
            known = len(self.header.calibration.channels)
            if len(row.raw) != known:
                raise TraceError(f"a sample of {len(row.raw)} channels, of {known} in the header")
            return self._eye.look(max(0, row.time_us + self.arrived["offset_us"]), row)
        event = input_of(row)
        if isinstance(event, DeviceArrived):
            self._eye.arrived(event.rate_hz, restarted=event.restarted)
            self.arrived = row
        return event

    def _remember(self, event: Mapping[str, Any]) -> None:
        self.chronicle.take(Record(len(self.events) + 1, 0, 0, None, dict(event), ""))
        if event["kind"] == "game_assigned":
            self.events.clear()
        self.events.append(event)

    def header_now(self, cut: Mapping[str, Any]) -> TraceHeader:
        """Return the header of a trace that begins here, as after a restart of the program."""
        return replace(
            self.header,
            begun_us=self.at_us,
            events=tuple(self.events),
            evidence=self.chronicle.evidence,
            cut=cut,
        )


def taken_again(replay: Replay, rows: Iterable[Row | Hole | Ending]) -> Iterator[Taken | Hole | Ending]:
    """Yield every input of a trace, taken again by `replay`, and what is said of its end.

    A hole that is not the torn end is the last that comes.

    Raises:
        TraceError: A row says what no board can have written.
    """
    waiting: Taken | None = None
    due: list[Told] = []
    for row in rows:
        if isinstance(row, Mapping) and row.get("row") in OUTCOMES:
            due.append(row)
            continue
        if waiting is not None:
            # Where a trace ends, nobody may have come to write down what the last input led to.
            torn = isinstance(row, Hole | Ending) and not due
            yield replace(waiting, due=None if torn else tuple(due))
            waiting = None
        due = []
        if isinstance(row, Hole | Ending):
            yield row
            if isinstance(row, Hole):
                return
            continue
        look, found = replay.take(row)
        hands = () if look is None else replay.session.hands
        waiting = Taken(replay.at_us, row, look, None, found, hands)
    if waiting is not None:
        yield replace(waiting, due=tuple(due) or None)
