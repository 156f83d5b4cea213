"""The head of a trace: all that decisions rest on beside the rows. Pure; TRACE.md, section 3."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from firmware_bridge.layout import Wiring, WiringError
from firmware_bridge.trace.errors import TraceError
from rules.conduct.options import CLASSICAL, Conducts
from rules.conduct.options_json import conduct_from_json, conducts_from_json, conducts_to_json
from sensors.calibration import (
    Calibration,
    CalibrationError,
    ChannelKind,
    format_calibration,
    parse_calibration,
)

LATEST_US = (1 << 63) - 1
"""The last table time that an event of a game can have (`rules.events_json`)."""


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
        start_when_ready: In traces of before, whether bastaushy's clock starts by itself; None: as chosen.
        conducts: What the event has chosen where the regulations leave a choice.
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
    start_when_ready: bool | None
    conducts: Conducts
    events: tuple[Mapping[str, Any], ...]
    evidence: Mapping[str, Any]
    cut: Mapping[str, Any] | None = None


OF_BEFORE = Conducts.alike(CLASSICAL)
"""What every game was judged by where a header says nothing."""


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
        **({} if header.conducts == OF_BEFORE else {"conducts": conducts_to_json(header.conducts)}),
        "events": list(header.events),
        "evidence": dict(header.evidence),
        "cut": header.cut,
    }


def _wired(wiring: Wiring) -> dict[str, Any]:
    """Return the wiring as a JSON object; it says nothing of count sensors and buttons that are not there."""
    later = ("beam_", "button_call_", "button_draw_")  # a reader of before would not know them
    return {
        key: value
        for key, value in asdict(wiring).items()
        if not key.startswith(later) or value not in ((), None)
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
        calibration = parse_calibration(json.dumps(found["calibration"]), source)
        return TraceHeader(
            board_id=_of(str, found["board"]),
            event_id=_of(str, found["event"]),
            software=_of(str, found["software"]),
            wall_ms=_of(int, found["wall_ms"]),
            begun_us=_time_us(found["begun_us"]),
            calibration=calibration,
            wiring=_wiring(_of(dict, found["wiring"]), calibration),
            start_when_ready=_chosen(found["start_when_ready"]),
            conducts=_conducts(found),
            events=tuple(_of(dict, event) for event in _of(list, found["events"])),
            evidence=_of(dict, found["evidence"]),
            cut=None if found["cut"] is None else _of(dict, found["cut"]),
        )
    except (KeyError, TypeError, ValueError, CalibrationError) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else error
        raise TraceError(
            f"{source}: the header of the trace cannot be used ({why}); nothing can be replayed from it"
        ) from error


def _chosen(start: object) -> bool | None:
    return None if start is None else _of(bool, start)


def _conducts(found: Mapping[str, Any]) -> Conducts:
    """Return what the event had chosen; older headers hold the options of the game on the board alone."""
    if "conducts" in found:
        return conducts_from_json(found["conducts"])
    return Conducts.alike(conduct_from_json(found["conduct"])) if "conduct" in found else OF_BEFORE


def _wiring(found: Mapping[str, Any], calibration: Calibration) -> Wiring:
    """Return the wiring, whose channels the calibration has, each as the kind of sensor it is wired as.

    Raises:
        ValueError: It has not, or a channel or button is no number.
        TypeError: There is no such place.
    """
    told: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in found.items()
    }
    for key, value in told.items():
        numbers = value if isinstance(value, tuple) else () if value is None else (value,)
        wrong = [number for number in numbers if type(number) is not int]
        if wrong:
            raise ValueError(f"{key}: {wrong[0]!r:.60} is no number of a channel or button")
    wiring, known = Wiring(**told), calibration.channels
    cells = (*wiring.side_a, *wiring.side_b, wiring.kazan_a, wiring.kazan_b)
    beams = (*wiring.beam_a, *wiring.beam_b, wiring.beam_kazan_a, wiring.beam_kazan_b)
    for kind, channels in ((ChannelKind.LOAD, cells), (ChannelKind.COUNT, beams)):
        for channel in channels:
            if channel is not None and (channel >= len(known) or known[channel].kind is not kind):
                there = f"one of kind `{known[channel].kind.value}`" if channel < len(known) else "none"
                raise WiringError(
                    f"channel {channel} is wired as `{kind.value}`, and {there} is calibrated there"
                )
    return wiring


def _time_us(value: Any) -> int:
    found: int = _of(int, value)
    if not 0 <= found <= LATEST_US:
        raise ValueError(f"{found} is no table time")
    return found


def _of(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{value!r:.60} is no {kind.__name__}")
    return value
