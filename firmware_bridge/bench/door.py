"""Where the bench touches the board's own machinery: its session, and what that is rebuilt from (pure).

Everything that depends on how the board keeps what it knows of its cells stands here, so that it changes in
one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from firmware_bridge.bench.scene import SEATING, WIRING
from firmware_bridge.board.counting.belief import Belief
from firmware_bridge.board.counting.lots import laid_out
from firmware_bridge.board.counting.observation import observe
from firmware_bridge.board.session.eye import units_of
from firmware_bridge.board.session.session import Session
from firmware_bridge.board.watching.snapshot import present
from firmware_bridge.layout import Wiring
from rules.events import JSON
from rules.game import GameEvent, MovePlayed, SetupChecked, fold
from rules.position import Position
from sensors.calibration import Calibration
from sensors.settle import ChannelReading

Evidence = Mapping[str, JSON]


def new_session(calibration: Calibration, wiring: Wiring = WIRING) -> Session:
    """Return the session of a board that has never had a game."""
    return Session(wiring=wiring, units=units_of(calibration), start_when_ready=True)


def evidence_of(readings: Sequence[ChannelReading], position: Position, calibration: Calibration) -> Evidence:
    """Return what the journal would hold of the cells if `position` had just been confirmed."""
    places = present([readings[channel] for channel in SEATING.channel_of_place])
    seen = observe(places, Belief.empty(), units_of(calibration))
    return {"cells": seen.confirm(seen.compare(laid_out(position))).to_json()}


def rebuilt(events: Iterable[GameEvent], calibration: Calibration, wiring: Wiring = WIRING) -> Session:
    """Return the session that a process makes of its journal: the fold, and what it knew of the cells."""
    events = list(events)
    evidence: Mapping[str, JSON] = {}
    for event in events:
        if isinstance(event, MovePlayed | SetupChecked) and "cells" in event.evidence:
            evidence = event.evidence
    cells = evidence.get("cells")
    belief = Belief.from_json(cells) if isinstance(cells, dict) else None
    return Session(
        wiring=wiring, units=units_of(calibration), game=fold(events), belief=belief, start_when_ready=True
    )


def with_evidence(events: list[GameEvent], evidence: Evidence) -> list[GameEvent]:
    """Return the events with `evidence` at the last of them that can carry it."""
    for index in range(len(events) - 1, -1, -1):
        event = events[index]
        if isinstance(event, MovePlayed | SetupChecked):
            return [*events[:index], replace(event, evidence=evidence), *events[index + 1 :]]
    return events
