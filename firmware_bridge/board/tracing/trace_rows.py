"""What happens at a table as rows of a trace, and back (pure); `firmware_bridge/trace/TRACE.md`, section 5.

A sample stands for the look it led to; every other input is an object. What an input led to follows it: a row
`step` where something was decided, a row `watch` where the board is said to look otherwise than before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any, Final, get_args

from firmware_bridge.board.incident_inputs import IncidentCommand
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
from firmware_bridge.layout import Seat
from firmware_bridge.trace.errors import TraceError
from firmware_bridge.trace.header import LATEST_US
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
from rules.conduct.ladder import LAST_LEVEL
from rules.conduct.proposal import Speaker
from rules.control_text import format_control, parse_control
from rules.events_json import MAX_INFRACTIONS
from rules.game import PressId, event_to_json
from rules.position import Position, Side
from rules.position_json import position_from_json, position_to_json
from rules.record.model import MAX_PLIES
from rules.time_control import TimeControl
from sensors.frames import MAX_TIME_SCALE, Hello
from sensors.link_events import LinkEvent, LinkRestored
from sensors.samples import Fault, Press

OUTCOMES: Final = (STEP, WATCH)
"""Rows that tell what the input before them led to; all others came to the table, or only explain."""

_COMMANDS: Mapping[str, type[Command]] = {
    kind.__name__.lower(): kind
    for kind in (
        *(Assign, Start, Resume, Release, Suspend, End, Enter, Adjust, Late, SetClock),
        *get_args(IncidentCommand),
    )
}

MOST_RATE_HZ = 655.35
"""Samples a second as a hello can name them: a hundredth of 16 bits (`sensors/PROTOCOL.md`)."""


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
    kind = row.get("row")
    read = _READERS.get(kind) if isinstance(kind, str) else None
    if read is None:
        return None
    try:
        return read(row)
    except (KeyError, TypeError, ValueError) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else error
        raise TraceError(f"a row `{kind}` has no meaning: {why}: {dict(row)!r:.200}") from error


def _plain(value: Any) -> Any:
    match value:
        case Side() | Speaker():
            return value.value
        case tuple():
            return list(value)
        case Position():
            return position_to_json(value)
        case PressId(boot=boot, number=number):
            return {"boot": boot, "number": number}
        case TimeControl():
            return format_control(value)
    return value


def _whole(least: int, most: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and least <= value <= most


def _pair(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and len(value) == 2 and all(map(fits, value))


def _text(value: Any) -> bool:
    return isinstance(value, str)


_TIME = _whole(0, LATEST_US)
_SPAN = _whole(-LATEST_US, LATEST_US)
_U32 = _whole(0, 2**32 - 1)

_FITS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "at_us": _TIME,
    "restarted": lambda value: type(value) is bool,
    "time_scale": _whole(1, MAX_TIME_SCALE),
    "rate_hz": lambda value: type(value) in (int, float) and 0 <= value <= MOST_RATE_HZ,
    "offset_us": _SPAN,
    "button": _whole(0, 255),
    "boot": _U32,
    "number": _U32,
    "reason": _text,
    "detail": _text,
    "do": _text,
    "game_id": _text,
    "names": _pair(_text),
    "starter_seat": lambda value: value in get_args(Seat),
    "control": lambda value: value is None or _text(value),
    "score": _text,
    "moves": lambda value: isinstance(value, list) and all(map(_text, value)),
    "delta_us": _pair(_SPAN),
    "side": _text,
    "late_us": _SPAN,
    "dials_us": _pair(lambda value: value is None or _TIME(value)),
}
"""What each key of an input can hold."""

_COMMAND_FITS: Final[Mapping[str, Callable[[Any], bool]]] = {
    **_FITS,
    **dict.fromkeys(("by", "text", "seal", "salt", "article", "closing", "decision", "caller"), _text),
    "side": lambda value: value is None or _text(value),
    "number": lambda value: value is None or _whole(1, 9)(value),
    "infraction": lambda value: value is None or _whole(1, MAX_INFRACTIONS)(value),
    "take_back": _whole(0, MAX_PLIES),
    "level": _whole(1, LAST_LEVEL),
    "position": lambda value: value is None or isinstance(value, dict),
    "press": lambda value: value is None or isinstance(value, dict),
    **dict.fromkeys(("accepted", "groundless", "heard", "resumes"), lambda value: type(value) is bool),
}
"""The same for a command."""


def _told(row: Mapping[str, Any], key: str, fits: Mapping[str, Callable[[Any], bool]] = _FITS) -> Any:
    """Return what a row says under `key`.

    Raises:
        KeyError: Nothing.
        ValueError: What no board can have written there.
    """
    if not fits[key](row[key]):
        raise ValueError(f"`{key}` cannot be {row[key]!r:.60}")
    return row[key]


def _arrived(row: Mapping[str, Any]) -> DeviceArrived:
    _told(row, "offset_us")
    at_us, restarted, time_scale, rate_hz = (
        _told(row, key) for key in ("at_us", "restarted", "time_scale", "rate_hz")
    )
    return DeviceArrived(at_us, restarted, time_scale, float(rate_hz))


def _pressed(row: Mapping[str, Any]) -> ButtonPressed:
    press = PressId(_told(row, "boot"), _told(row, "number"))
    return ButtonPressed(_told(row, "at_us"), _told(row, "button"), press)


def _command(row: Mapping[str, Any]) -> Command:
    kind = _COMMANDS.get(_told(row, "do"))
    if kind is None:
        raise ValueError(f"`{row['do']:.40}` is no command")
    # What an older board did not write is as it was then: nobody was named.
    told = {
        field.name: _told(row, field.name, _COMMAND_FITS)
        for field in fields(kind)
        if field.name in row or field.default is MISSING
    }
    for name, value in told.items():
        if value is not None and name in _MADE:
            told[name] = _MADE[name](value)
    return kind(**told)


_MADE: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("names", "delta_us", "dials_us", "moves"), tuple),
    "side": Side,
    "caller": Speaker,
    "control": parse_control,
    "position": position_from_json,
    "press": lambda value: PressId(_told(value, "boot"), _told(value, "number")),
}
"""How the values are made of which JSON knows no such kind."""


_READERS: Mapping[str, Callable[[Mapping[str, Any]], Input]] = {
    ARRIVED: _arrived,
    PRESS: _pressed,
    GONE: lambda row: DeviceGone(_told(row, "reason")),
    TROUBLE: lambda row: DeviceTrouble(_told(row, "detail")),
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
