"""The head of a trace: all that decisions rest on beside the rows. Pure; TRACE.md, section 3."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from firmware_bridge.layout import Wiring, WiringError
from firmware_bridge.trace.errors import TraceError
from sensors.calibration import Calibration, CalibrationError, format_calibration, parse_calibration


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceHeader:
    """What stood fast when a trace began.

    Attributes:
        board_id: Identifier of the board.
        event_id: Identifier of the event.
        software: The program that wrote the trace, with its version.
        wall_ms: UTC milliseconds of its beginning: a label.
        begun_us: Table time of its beginning; rows lie after it.
        calibration: Of the cells.
        wiring: Channels and buttons.
        start_when_ready: Whether bastaushy's clock starts by itself.
        events: The events of the game on the board so far, as JSON, oldest first; empty without one.
        evidence: The newest evidence in the journal; what the board is counted from. Empty before any.
        cut: Of a piece: what it was cut from and where; None for a whole trace.
    """

    board_id: str
    event_id: str
    software: str
    wall_ms: int
    begun_us: int
    calibration: Calibration
    wiring: Wiring
    start_when_ready: bool
    events: tuple[Mapping[str, Any], ...]
    evidence: Mapping[str, Any]
    cut: Mapping[str, Any] | None = None


def header_to_json(header: TraceHeader) -> dict[str, Any]:
    """Return the header as a JSON object."""
    return {
        "board": header.board_id,
        "event": header.event_id,
        "software": header.software,
        "wall_ms": header.wall_ms,
        "begun_us": header.begun_us,
        "calibration": json.loads(format_calibration(header.calibration)),
        "wiring": _wired(header.wiring),
        "start_when_ready": header.start_when_ready,
        "events": list(header.events),
        "evidence": dict(header.evidence),
        "cut": header.cut,
    }


def _wired(wiring: Wiring) -> dict[str, Any]:
    """Return the wiring as a JSON object; of a board without count sensors it says nothing of them."""
    return {
        key: value for key, value in asdict(wiring).items() if key[:5] != "beam_" or value not in ((), None)
    }


def header_from_json(found: Mapping[str, Any], source: str) -> TraceHeader:
    """Return the header in a JSON object; keys that are not known are passed over.

    Args:
        found: The object.
        source: Name of the file, for messages.

    Raises:
        TraceError: Something in it is missing or cannot be used, though the block was whole.
    """
    try:
        wiring: dict[str, Any] = {key: _frozen(value) for key, value in found["wiring"].items()}
        return TraceHeader(
            board_id=_of(str, found["board"]),
            event_id=_of(str, found["event"]),
            software=_of(str, found["software"]),
            wall_ms=_of(int, found["wall_ms"]),
            begun_us=_of(int, found["begun_us"]),
            calibration=parse_calibration(json.dumps(found["calibration"]), source),
            wiring=Wiring(**wiring),
            start_when_ready=_of(bool, found["start_when_ready"]),
            events=tuple(_of(dict, event) for event in _of(list, found["events"])),
            evidence=_of(dict, found["evidence"]),
            cut=None if found["cut"] is None else _of(dict, found["cut"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError, CalibrationError, WiringError) as error:
        raise TraceError(
            f"{source}: the header of the trace cannot be used ({error!r}); nothing can be replayed from it"
        ) from error


def _of(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{value!r:.60} is no {kind.__name__}")
    return value


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
