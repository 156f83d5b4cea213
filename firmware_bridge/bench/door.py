"""Where the bench touches the board's own machinery: senses, session, what one is rebuilt from (pure).

Everything that depends on how the board keeps its zeros stands here, so that it changes in one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from firmware_bridge.bench.scene import SEATING, WIRING
from firmware_bridge.board.counting import Anchor, PlaceReading, Units, reanchor, stones_due, tuzdyk_places
from firmware_bridge.board.session import Session
from rules.events import JSON
from rules.game import GameEvent, MovePlayed, SetupChecked, fold
from rules.position import Position
from sensors.calibration import Calibration
from sensors.settle import ChannelReading

Evidence = Mapping[str, JSON]


def units_of(calibration: Calibration) -> Units:
    """Return the masses that a board's process takes from its calibration."""
    return Units(calibration.unit_g, calibration.mark_g)


def new_session(calibration: Calibration) -> Session:
    """Return the session of a board that has never had a game."""
    return Session(wiring=WIRING, units=units_of(calibration))


def evidence_of(readings: Sequence[ChannelReading], position: Position, calibration: Calibration) -> Evidence:
    """Return what the journal would hold of the zeros if `position` had just been confirmed."""
    places = [
        PlaceReading(reading.load_g, reading.since_us, reading.reason)
        for reading in (readings[channel] for channel in SEATING.channel_of_place)
    ]
    due, tuzdyks = stones_due(position), tuzdyk_places(position)
    anchor = reanchor(places, Anchor(), units_of(calibration), due, tuzdyks)
    return {"zeros_g": [*anchor.zeros_g], "marked": [*sorted(anchor.marked)]}


def rebuilt(events: Iterable[GameEvent], calibration: Calibration) -> Session:
    """Return the session that a process makes of its journal: the fold, and the newest zeros in it."""
    events = list(events)
    evidence: Mapping[str, JSON] = {}
    for event in events:
        if isinstance(event, MovePlayed | SetupChecked) and "zeros_g" in event.evidence:
            evidence = event.evidence
    anchor = None
    if evidence:
        zeros, marked = evidence["zeros_g"], evidence["marked"]
        assert isinstance(zeros, list)
        assert isinstance(marked, list)
        anchor = Anchor(tuple(map(_number, zeros)), frozenset(int(_number(place)) for place in marked))
    return Session(wiring=WIRING, units=units_of(calibration), game=fold(events), anchor=anchor)


def with_evidence(events: list[GameEvent], evidence: Evidence) -> list[GameEvent]:
    """Return the events with `evidence` at the last of them that can carry it."""
    for index in range(len(events) - 1, -1, -1):
        event = events[index]
        if isinstance(event, MovePlayed | SetupChecked):
            return [*events[:index], replace(event, evidence=evidence), *events[index + 1 :]]
    return events


def _number(value: JSON) -> float:
    assert isinstance(value, int | float)
    return float(value)
