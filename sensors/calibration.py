"""From raw converter values to grams, and the text of a calibration file.

Pure: `calibration_file.py` reads and writes the files. What cannot be converted becomes a `Fault`,
never a number: a channel that is not calibrated, saturated, not ready, excluded or badly read.
"""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

from sensors import frames
from sensors.hx711 import RAW_MAX
from sensors.samples import ChannelStatus, Fault, FaultKind, Load, RawSample

FORMAT = 1
"""The number of the file format; a file with another one is refused."""
SATURATION_RAW = RAW_MAX
"""The end of a 24-bit converter's range. A constant value there means overload or an open wire,
even where the device did not notice (HX711 data sheet; bogde/HX711#132)."""

_BY_STATUS = {
    ChannelStatus.NOT_READY: FaultKind.NOT_READY,
    ChannelStatus.SATURATED: FaultKind.SATURATED,
    ChannelStatus.EXCLUDED: FaultKind.EXCLUDED,
    ChannelStatus.READ_ERROR: FaultKind.READ_ERROR,
}


class CalibrationError(ValueError):
    """Raised when a calibration cannot be used; says which file, which key, which value, and why."""


class ChannelKind(Enum):
    """What a channel's raw value is; the values are those in the file."""

    LOAD = "load"
    """A converter's value: it weighs."""
    COUNT = "count"
    """A running number of pulses of a beam-break sensor: it counts what passes; see `pulses.py`."""


@dataclass(frozen=True, slots=True)
class ChannelCalibration:
    """One channel.

    Attributes:
        zero_raw: converter value with nothing on the cell; without meaning on a channel that counts.
        raw_per_g: converter units per gram; negative for a cell mounted upside down;
            between 1 and the end of the range; without meaning on a channel that counts.
        kind: whether it weighs or counts.
    """

    zero_raw: float
    raw_per_g: float
    kind: ChannelKind = ChannelKind.LOAD


COUNTER = ChannelCalibration(0.0, 1.0, ChannelKind.COUNT)
"""A channel that counts, which has nothing to calibrate."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A whole board.

    Attributes:
        board_id: of the device it was made on.
        unit_g: mass of one stone, the mean of many.
        mark_g: mass of a tuzdyk mark.
        channels: in the order of the device's channels.
    """

    board_id: str
    unit_g: float
    mark_g: float
    channels: tuple[ChannelCalibration, ...]


def to_loads(sample: RawSample, calibration: Calibration) -> tuple[Load, ...]:
    """Return grams per channel of the sample, or why there are none.

    A channel beyond those of the calibration is `UNCALIBRATED`.
    """
    raw = sample.raw
    channels = calibration.channels
    if (
        sample.status.count(ChannelStatus.OK) == len(raw) <= len(channels)
        and raw
        and max(raw) < SATURATION_RAW
        and min(raw) > -SATURATION_RAW
        and COUNTER not in channels
    ):
        return tuple([(value - c.zero_raw) / c.raw_per_g for value, c in zip(raw, channels, strict=False)])
    return tuple(
        [
            _to_load(channel, value, status, channels)
            for channel, (value, status) in enumerate(zip(raw, sample.status, strict=True))
        ]
    )


def _to_load(
    channel: int, value: int, status: ChannelStatus, channels: tuple[ChannelCalibration, ...]
) -> Load:
    """Return the grams of one channel, or its fault."""
    if status is ChannelStatus.OK and abs(value) >= SATURATION_RAW:
        status = ChannelStatus.SATURATED
    if status is not ChannelStatus.OK:
        return status_fault(status, channel)
    if channel >= len(channels):
        return Fault(FaultKind.UNCALIBRATED, channel)
    if channels[channel].kind is ChannelKind.COUNT:
        return Fault(FaultKind.COUNTS_ONLY, channel)
    return (value - channels[channel].zero_raw) / channels[channel].raw_per_g


@lru_cache(maxsize=512)
def status_fault(status: ChannelStatus, channel: int) -> Fault:
    """Return the fault of a status that is not OK; a broken channel gives the same one 80 times a second."""
    return Fault(_BY_STATUS[status], channel)


def mismatch(
    calibration: Calibration, board_id: str, channels: int, features: int | None = None
) -> Fault | None:
    """Return the fault of using this calibration with a device, or None if it fits.

    Args:
        calibration: of the board.
        board_id: the device's name.
        channels: how many it has.
        features: its `frames.FEATURE_x` bits; None where they are not known, and nothing is said of them.
    """
    if calibration.board_id != board_id:
        detail = f"the calibration is of board {calibration.board_id!r}, the device is {board_id!r}"
    elif len(calibration.channels) != channels:
        detail = f"the calibration has {len(calibration.channels)} channels, the device {channels}"
    elif features is not None and COUNTER in calibration.channels and not features & frames.FEATURE_COUNTERS:
        channel = calibration.channels.index(COUNTER)
        detail = f"channel {channel} counts, says the calibration, and the device has no count sensors"
    else:
        return None
    return Fault(FaultKind.WRONG_CALIBRATION, None, words=f"{detail}: calibrate this board")


def format_calibration(calibration: Calibration) -> str:
    """Return the text of a calibration file; `parse_calibration` gives the same value back."""
    rows = ["    " + json.dumps(_row(channel)) for channel in calibration.channels]
    head = {
        "format": FORMAT,
        "board_id": calibration.board_id,
        "unit_g": calibration.unit_g,
        "mark_g": calibration.mark_g,
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]
    return "\n".join(["{", *lines, '  "channels": [', ",\n".join(rows), "  ]", "}", ""])


def _row(channel: ChannelCalibration) -> dict[str, object]:
    if channel.kind is ChannelKind.COUNT:
        return {"kind": channel.kind.value}
    return {"zero_raw": channel.zero_raw, "raw_per_g": channel.raw_per_g}


def parse_calibration(text: str, source: str) -> Calibration:
    """Return the calibration in the text of a file.

    Args:
        text: JSON as `format_calibration` writes it.
        source: name of the file, for messages.

    Raises:
        CalibrationError: if anything is missing, unknown, of the wrong type or out of range.
    """
    try:
        document = json.loads(text, object_pairs_hook=_without_repetition, parse_constant=_no_constant)
        return _calibration(document)
    except _ValueProblem as problem:
        raise CalibrationError(f"calibration {source}: {problem}") from None
    except (ValueError, RecursionError) as error:
        raise CalibrationError(f"calibration {source}: not JSON: {error}") from None


class _ValueProblem(Exception):  # noqa: N818 - a message on its way to a CalibrationError
    """Carries what is wrong to the one place that knows the file's name."""


def _without_repetition(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object, refusing a key that stands in it twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _ValueProblem(f"{key}: stands there twice")
        found[key] = value
    return found


def _no_constant(name: str) -> float:
    raise _ValueProblem(f"{name} is no number")


def _calibration(document: object) -> Calibration:
    """Return the calibration in a parsed document."""
    fields = _fields(document, "", ("format", "board_id", "unit_g", "mark_g", "channels"))
    if fields["format"] != FORMAT or isinstance(fields["format"], bool):
        raise _ValueProblem(f"format: {fields['format']!r}, this program reads {FORMAT}")
    board_id = fields["board_id"]
    if not isinstance(board_id, str):
        raise _ValueProblem(f"board_id: {board_id!r} is no text")
    rows = fields["channels"]
    if not isinstance(rows, list) or not rows:
        raise _ValueProblem("channels: not a list with an entry per channel")
    return Calibration(
        board_id=board_id,
        unit_g=_number(fields["unit_g"], "unit_g", above=0.0),
        mark_g=_not_negative(fields["mark_g"], "mark_g"),
        channels=tuple(_channel(row, f"channels[{index}]") for index, row in enumerate(rows)),
    )


_LOAD_FIELDS = ("zero_raw", "raw_per_g")


def _channel(row: object, where: str) -> ChannelCalibration:
    """Return one channel of a parsed document; one that does not say its kind weighs."""
    kinds = [kind.value for kind in ChannelKind]
    kind = row.get("kind", ChannelKind.LOAD.value) if isinstance(row, dict) else ChannelKind.LOAD.value
    if kind not in kinds:
        raise _ValueProblem(f"{where}.kind: {kind!r}, known are {', '.join(kinds)}")
    if kind == ChannelKind.COUNT.value:
        _fields(row, f"{where}: ", ("kind",))
        return COUNTER
    names = ("kind", *_LOAD_FIELDS) if isinstance(row, dict) and "kind" in row else _LOAD_FIELDS
    fields = _fields(row, f"{where}: ", names)
    zero_raw = _number(fields["zero_raw"], f"{where}.zero_raw")
    raw_per_g = _number(fields["raw_per_g"], f"{where}.raw_per_g")
    if abs(zero_raw) >= SATURATION_RAW:
        raise _ValueProblem(
            f"{where}.zero_raw: {zero_raw!r} is at or beyond the end of the converter's range"
        )
    if not 1 <= abs(raw_per_g) <= SATURATION_RAW:
        raise _ValueProblem(
            f"{where}.raw_per_g: {raw_per_g!r}, so a gram would be less than one unit or more than all"
        )
    return ChannelCalibration(zero_raw, raw_per_g)


def _fields(value: object, where: str, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the object, which must have exactly these keys."""
    if not isinstance(value, dict):
        raise _ValueProblem(f"{where}{value!r} is no object with {', '.join(names)}")
    for name in names:
        if name not in value:
            raise _ValueProblem(f"{where}{name}: missing")
    for name in value:
        if name not in names:
            raise _ValueProblem(f"{where}{name}: unknown; known are {', '.join(names)}")
    return value


def _not_negative(value: object, where: str) -> float:
    number = _number(value, where)
    if number < 0:
        raise _ValueProblem(f"{where}: {value!r} is less than 0")
    return number


def _number(value: object, where: str, above: float = -math.inf) -> float:
    """Return the finite number, which must be greater than `above`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _ValueProblem(f"{where}: {value!r} is no number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise _ValueProblem(f"{where}: too large")
    if number <= above:
        raise _ValueProblem(f"{where}: {value!r} is not greater than {above:g}")
    return number
