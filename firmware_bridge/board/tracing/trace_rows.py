"""What happens at a table as rows of a trace, and back (pure); `firmware_bridge/trace/TRACE.md`, section 5.

A sample stands for the look it led to; every other input is an object. What an input led to follows it: a row
`step` where something was decided, a row `watch` where the board is said to look otherwise than before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final

from firmware_bridge.board.inputs import (
    Acknowledge,
    Adjust,
    Assign,
    ButtonPressed,
    Command,
    DeviceArrived,
    DeviceGone,
    DeviceTrouble,
    Effect,
    End,
    Enter,
    Input,
    Late,
    Release,
    Resume,
    SetClock,
    Start,
    Step,
    Suspend,
    Watch,
)
from firmware_bridge.board.memory.rows import DeviceTime
from firmware_bridge.trace.errors import TraceError
from firmware_bridge.trace.rows import (
    ARRIVED,
    COMMAND,
    FAULT,
    GONE,
    LET_GO,
    PRESS,
    RESTORED,
    STEP,
    TROUBLE,
    WATCH,
)
from rules.control_text import format_control, parse_control
from rules.game import PressId, event_to_json
from rules.position import Side
from sensors.frames import Hello
from sensors.link_events import LinkEvent, LinkRestored
from sensors.samples import Fault, Press

OUTCOMES: Final = (STEP, WATCH)
"""Rows that tell what the input before them led to; all others came to the table, or only explain."""

_COMMANDS: Mapping[str, type[Command]] = {
    kind.__name__.lower(): kind
    for kind in (Assign, Start, Resume, Release, Suspend, End, Enter, Adjust, Late, SetClock)
}

_AS_PAIR = ("names", "delta_us", "dials_us", "moves")
"""Fields that are tuples; JSON makes lists of them."""


def arrived_row(event: DeviceArrived, device: DeviceTime, hello: Hello) -> dict[str, Any]:
    """Return the row of a device that said hello and is listened to."""
    return {
        "row": ARRIVED,
        "at_us": event.at_us,
        "restarted": event.restarted,
        "time_scale": event.time_scale,
        "boot": device.boot_id,
        "offset_us": device.offset_us,
        "rate_hz": hello.rate_centihz / 100,
        "channels": hello.channels,
        "board_id": hello.board_id,
        "firmware": hello.firmware,
    }


def input_row(event: Input) -> dict[str, Any]:
    """Return the row of an input that is neither a look nor an arrival."""
    match event:
        case ButtonPressed(at_us, button, press):
            row = {
                "row": PRESS,
                "at_us": at_us,
                "button": button,
                "boot": press.boot,
                "number": press.number,
            }
        case DeviceGone(reason):
            row = {"row": GONE, "reason": reason}
        case DeviceTrouble(detail):
            row = {"row": TROUBLE, "detail": detail}
        case _:
            told = {field.name: _plain(getattr(event, field.name)) for field in fields(event)}
            row = {"row": COMMAND, "do": type(event).__name__.lower(), **told}
    return row


def input_of(row: Mapping[str, Any]) -> Input | None:
    """Return the input a row stands for; None for one that only explains, or is of a later version.

    Raises:
        TraceError: The row says what no board can have written.
    """
    read = _READERS.get(row.get("row", ""))
    if read is None:
        return None
    try:
        return read(row)
    except (KeyError, TypeError, ValueError) as error:
        raise TraceError(f"a row of the trace has no meaning ({error!r}): {dict(row)!r:.200}") from error


def _plain(value: Any) -> Any:
    if isinstance(value, Side):
        return value.value
    if isinstance(value, tuple):
        return list(value)
    return value if value is None or isinstance(value, int | str) else format_control(value)


def _command(row: Mapping[str, Any]) -> Command:
    kind = _COMMANDS[row["do"]]
    told = {field.name: row[field.name] for field in fields(kind)}
    for name in _AS_PAIR:
        if name in told:
            told[name] = tuple(told[name])
    if "side" in told:
        told["side"] = Side(told["side"])
    if told.get("control") is not None:
        told["control"] = parse_control(told["control"])
    return kind(**told)


_READERS: Mapping[str, Callable[[Mapping[str, Any]], Input]] = {
    ARRIVED: lambda row: DeviceArrived(
        row["at_us"], row["restarted"], row["time_scale"], row.get("rate_hz", 0.0)
    ),
    PRESS: lambda row: ButtonPressed(row["at_us"], row["button"], PressId(row["boot"], row["number"])),
    GONE: lambda row: DeviceGone(row["reason"]),
    TROUBLE: lambda row: DeviceTrouble(row["detail"]),
    COMMAND: _command,
}


def heard_row(event: LinkEvent) -> dict[str, Any] | None:
    """Return the row of what the link said that is no input; None where another row tells it."""
    match event:
        case Press(down=False):
            return {"row": LET_GO, "button": event.button, "number": event.number, "time_us": event.time_us}
        case LinkRestored():
            return {"row": RESTORED}
        case Fault():
            return {
                "row": FAULT,
                "kind": event.kind.value,
                "channel": event.channel,
                "detail": event.detail,
            }
    return None


def outcome_rows(step: Step, before: Watch, after: Watch) -> list[dict[str, Any]]:
    """Return the rows of what an input led to; none where nothing was decided and all looks as before."""
    rows: list[dict[str, Any]] = []
    if step != Step():
        rows.append(
            {
                "row": STEP,
                "events": [event_to_json(event) for event in step.events],
                "effects": [_effect(effect) for effect in step.effects],
                "refusal": step.refusal,
                "refused": step.refused,
            }
        )
    if after != before:
        notes = [[note.code, note.place, note.detail] for note in after.notes]
        rows.append({"row": WATCH, "sensed": after.sensed, "notes": notes})
    return rows


def _effect(effect: Effect) -> dict[str, Any]:
    if isinstance(effect, Acknowledge):
        return {"do": "acknowledge", "boot": effect.press.boot, "number": effect.press.number}
    return {"do": "show_clock"}
