"""What a plot shows, gathered from a replay in one pass and bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.board.counting.lots import stones_due, tuzdyk_places
from firmware_bridge.board.inputs import Note
from firmware_bridge.board.memory.telling import OF_CELLS
from firmware_bridge.board.tracing.replay import Replay, Taken, taken_again
from firmware_bridge.trace.header import TraceHeader
from firmware_bridge.trace.reader import Ending, Hole
from firmware_bridge.trace.rows import PRESS, STEP, WATCH, Row
from rules.game import Phase
from sensors.calibration import SATURATION_RAW
from sensors.samples import ChannelStatus, Fault, RawSample

MOST_BUCKETS: Final = 2400
"""Points of a line: more than a picture has pixels beside each other."""

FIRST_BUCKET_US: Final = 10_000

_UNCOUNTED = (Phase.UNASSIGNED, Phase.ASSIGNED, Phase.SETTING_UP)


@dataclass(slots=True)
class Bucket:
    """A short time on one channel: lowest, highest and all stones weighed in it."""

    low: float
    high: float
    total: float
    samples: int

    def join(self, other: Bucket) -> None:
        """Take in what another holds."""
        self.low = min(self.low, other.low)
        self.high = max(self.high, other.high)
        self.total += other.total
        self.samples += other.samples


@dataclass(slots=True)
class Line:
    """One place over time: buckets by number, those that hold nothing left out.

    Attributes:
        buckets: What was weighed.
        bad: How many readings of a place that is not broken could not be used, by number of the bucket.
    """

    buckets: dict[int, Bucket] = field(default_factory=dict)
    bad: dict[int, int] = field(default_factory=dict)

    def miss(self, number: int) -> None:
        """Add one reading that cannot be used."""
        self.bad[number] = self.bad.get(number, 0) + 1

    def add(self, number: int, stones: float) -> None:
        """Add one sample."""
        bucket = self.buckets.get(number)
        if bucket is None:
            self.buckets[number] = Bucket(stones, stones, stones, 1)
        else:
            bucket.join(Bucket(stones, stones, stones, 1))

    def widen(self) -> None:
        """Make two buckets of old one of new."""
        old, self.buckets = self.buckets, {}
        for number, bucket in old.items():
            there = self.buckets.get(number // 2)
            if there is None:
                self.buckets[number // 2] = bucket
            else:
                there.join(bucket)
        old_bad, self.bad = self.bad, {}
        for number, count in old_bad.items():
            self.bad[number // 2] = self.bad.get(number // 2, 0) + count


@dataclass(slots=True)
class Breaking:
    """A place that is broken, or not believed.

    Attributes:
        from_us: Since when; table time.
        to_us: Until when, or the end of what is shown.
        fault: What is wrong; None where nobody knows.
    """

    from_us: int
    to_us: int
    fault: Fault | None


@dataclass(slots=True)
class Picture:
    """Everything a plot shows; times are table time.

    Attributes:
        header: Of the trace.
        places: The places shown, 0..19.
        from_us: Where it begins; that of the first sample once there is one.
        to_us: Table time of the last sample.
        bucket_us: Length of a bucket.
        lines: What each place weighs, in stones from the zero of the calibration.
        counted: Stones of the twenty places as confirmed, whenever they changed.
        presses: Time and button of each press.
        moves: Time and text of each ply.
        others: Time and kind of each other event.
        seen: How the board was said to look, whenever that changed.
        channels: The channel of each of the twenty places.
        buttons: Button of bastaushy and of qostaushy.
        marked: The places that were a tuzdyk at any time that is shown.
        broken: For each place when it was broken, oldest first.
        hole: What ended the trace before the stretch that was asked for had ended; None: nothing.
        reached_us: Table time up to which the trace was taken again.
    """

    header: TraceHeader
    places: Sequence[int]
    from_us: int = -1
    to_us: int = -1
    bucket_us: int = FIRST_BUCKET_US
    lines: dict[int, Line] = field(default_factory=dict)
    counted: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    presses: list[tuple[int, int]] = field(default_factory=list)
    moves: list[tuple[int, str]] = field(default_factory=list)
    others: list[tuple[int, str]] = field(default_factory=list)
    seen: list[tuple[int, str]] = field(default_factory=list)
    channels: tuple[int, ...] = ()
    buttons: tuple[int, int] = (0, 1)
    marked: set[int] = field(default_factory=set)
    broken: dict[int, list[Breaking]] = field(default_factory=dict)
    hole: Hole | None = None
    reached_us: int = 0
    _now: dict[int, Breaking] = field(default_factory=dict)

    @property
    def ends_early(self) -> bool:
        """Whether the trace goes on behind what is shown, and cannot be taken again there."""
        return self.hole is not None and not self.hole.tail

    def sample(self, at_us: int, sample: RawSample) -> None:
        """Add one sample; a channel that cannot be read leaves a gap, one at the end of its range too."""
        if self.from_us < 0:
            self.from_us = at_us
        self.to_us = max(self.to_us, at_us)
        while (at_us - self.from_us) // self.bucket_us >= MOST_BUCKETS:
            self.bucket_us *= 2
            for line in self.lines.values():
                line.widen()
        number = (at_us - self.from_us) // self.bucket_us
        calibration = self.header.calibration
        for place in self.places:
            channel = self.channels[place]
            line = self.lines.setdefault(place, Line())
            if _read(sample, channel):
                cell = calibration.channels[channel]
                grams = (sample.raw[channel] - cell.zero_raw) / cell.raw_per_g
                line.add(number, grams / calibration.unit_g)
            elif place not in self._now:
                line.miss(number)

    def breaks(self, at_us: int, standing: Iterable[Note]) -> None:
        """Follow what is broken after an input."""
        now = {
            note.place: note.fault for note in standing if note.code in OF_CELLS and note.place is not None
        }
        for place in [place for place in self._now if place not in now]:
            del self._now[place]
        for place, fault in now.items():
            known = self._now.get(place)
            if known is None or known.fault != fault:
                self._now[place] = Breaking(at_us, at_us, fault)
                self.broken.setdefault(place, []).append(self._now[place])
            self._now[place].to_us = at_us

    def outcome(self, taken: Taken) -> None:
        """Add what an input led to."""
        if isinstance(taken.row, Mapping) and taken.row.get("row") == PRESS:
            self.presses.append((taken.at_us, taken.row["button"]))
        for row in taken.found:
            if row["row"] == WATCH:
                self.seen.append((taken.at_us, row["sensed"]))
            elif row["row"] == STEP:
                for event in row["events"]:
                    if event["kind"] == "move_played":
                        self.moves.append((taken.at_us, event["text"]))
                    elif event["kind"] != "clock_pressed":
                        self.others.append((taken.at_us, event["kind"]))


def _read(sample: RawSample, channel: int) -> bool:
    """Whether a channel was read: a value at the end of the range is none, whatever the device says."""
    if channel >= len(sample.raw) or sample.status[channel] is not ChannelStatus.OK:
        return False
    return abs(sample.raw[channel]) < SATURATION_RAW


def gather(
    header: TraceHeader,
    rows: Iterable[Row | Hole | Ending],
    places: Sequence[int],
    stretch: tuple[int, int],
) -> Picture:
    """Return what a plot of these places shows between two table times, up to the first damage.

    Raises:
        TraceError: A row says what no board can have written.
    """
    replay = Replay(header)
    picture = Picture(header, places, channels=replay.session.seating.channel_of_place)
    from_us, to_us = stretch
    for taken in taken_again(replay, rows):
        if isinstance(taken, Hole):
            picture.hole = taken
        if not isinstance(taken, Taken):
            continue
        if taken.at_us > to_us:
            break
        if taken.at_us < from_us:
            picture.seen = [(from_us, replay.session.watch.sensed)]
            continue
        if taken.found or not picture.counted:
            _count(picture, replay, taken.at_us)
        picture.outcome(taken)
        picture.breaks(taken.at_us, replay.session.standing)
        if isinstance(taken.row, RawSample):
            picture.sample(taken.at_us, taken.row)
    picture.reached_us = replay.at_us
    return picture


def _count(picture: Picture, replay: Replay, at_us: int) -> None:
    """Note the confirmed stones, and who sits where, if that has changed."""
    session = replay.session
    seating = session.seating
    picture.channels = seating.channel_of_place
    wiring = seating.wiring
    a_first = seating.starter_seat == "a"
    picture.buttons = (wiring.button_a, wiring.button_b) if a_first else (wiring.button_b, wiring.button_a)
    if session.game.phase in _UNCOUNTED:
        return
    position = session.game.position
    picture.marked |= tuzdyk_places(position)
    due = stones_due(position)
    if not picture.counted or picture.counted[-1][1] != due:
        picture.counted.append((at_us, due))
