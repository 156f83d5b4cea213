"""Calibration: grams or a fault, and a file read strictly."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors import frames
from sensors.calibration import (
    COUNTER,
    SATURATION_RAW,
    Calibration,
    CalibrationError,
    ChannelCalibration,
    format_calibration,
    mismatch,
    parse_calibration,
    to_loads,
)
from sensors.samples import ChannelStatus, Fault, FaultKind, RawSample

OK = ChannelStatus.OK
CALIBRATION = Calibration(
    "ref-1", 1.15, 6.0, (ChannelCalibration(1000.0, 2000.0), ChannelCalibration(-500.5, -100.0))
)
positive = st.floats(min_value=1e-300, allow_infinity=False)
calibrations = st.builds(
    Calibration,
    st.text(max_size=8),
    positive,
    positive,
    st.lists(
        st.builds(
            ChannelCalibration,
            st.floats(-SATURATION_RAW + 1, SATURATION_RAW - 1),
            st.floats(1, SATURATION_RAW) | st.floats(-SATURATION_RAW, -1),
        )
        | st.just(COUNTER),
        min_size=1,
        max_size=4,
    ).map(tuple),
)


def kinds(loads: tuple[float | Fault, ...]) -> list[FaultKind | None]:
    """Return the fault kinds, None for a load."""
    return [load.kind if isinstance(load, Fault) else None for load in loads]


def test_loads_are_grams_above_the_zero() -> None:
    """Of a cell the right way up and of one upside down."""
    assert to_loads(RawSample(0, (5000, -600), (OK, OK)), CALIBRATION) == (2.0, 0.995)


@pytest.mark.parametrize(
    ("status", "kind", "text"),
    [
        (ChannelStatus.NOT_READY, FaultKind.NOT_READY, "channel 0: no conversion in time"),
        (ChannelStatus.SATURATED, FaultKind.SATURATED, "channel 0: saturated: overload, or a wire"),
        (ChannelStatus.EXCLUDED, FaultKind.EXCLUDED, "channel 0: excluded by the device"),
        (ChannelStatus.READ_ERROR, FaultKind.READ_ERROR, "channel 0: the device could not trust"),
    ],
)
def test_a_status_that_is_not_ok_is_a_fault(status: ChannelStatus, kind: FaultKind, text: str) -> None:
    """Never zero; the other channel is not harmed."""
    fault, load = to_loads(RawSample(0, (0, -600), (status, OK)), CALIBRATION)
    assert isinstance(fault, Fault)
    assert (fault.kind, fault.channel) == (kind, 0)
    assert fault.detail.startswith(text)
    assert load == pytest.approx(0.995)


@pytest.mark.parametrize("raw", [8_388_607, -8_388_607, -8_388_608, 1 << 30])
def test_the_end_of_the_range_is_saturation_whatever_the_status(raw: int) -> None:
    """An open wire often reads as constant full scale with status ok."""
    assert kinds(to_loads(RawSample(0, (0, raw), (OK, OK)), CALIBRATION)) == [None, FaultKind.SATURATED]


def test_one_unit_before_the_end_is_a_load() -> None:
    """The limit itself."""
    sample = RawSample(0, (8_388_606, -8_388_606), (OK, OK))
    assert kinds(to_loads(sample, CALIBRATION)) == [None, None]


def test_a_channel_without_calibration_is_a_fault() -> None:
    """The device has more channels than the file."""
    loads = to_loads(RawSample(0, (1000, 0, 0), (OK, OK, OK)), CALIBRATION)
    assert kinds(loads) == [None, None, FaultKind.UNCALIBRATED]
    assert loads[2] == Fault(FaultKind.UNCALIBRATED, 2)


def test_a_device_with_fewer_channels_has_fewer_loads() -> None:
    """Also none at all."""
    assert to_loads(RawSample(0, (3000,), (OK,)), CALIBRATION) == (1.0,)
    assert to_loads(RawSample(0, (), ()), CALIBRATION) == ()


def test_a_calibration_of_another_board_does_not_fit() -> None:
    """By name, then by size."""
    assert mismatch(CALIBRATION, "ref-1", 2) is None
    other = mismatch(CALIBRATION, "ref-2", 2)
    assert other == Fault(
        FaultKind.WRONG_CALIBRATION,
        None,
        words="the calibration is of board 'ref-1', the device is 'ref-2': calibrate this board",
    )
    size = mismatch(CALIBRATION, "ref-1", 20)
    assert size is not None
    assert size.detail == "the calibration has 2 channels, the device 20: calibrate this board"


def test_channels_that_count_need_a_device_with_count_sensors() -> None:
    """What weighs asks for nothing; what is not known of a device is not held against it."""
    counting = replace(CALIBRATION, channels=(CALIBRATION.channels[0], COUNTER))
    loads_only = frames.FEATURE_LOADS | frames.FEATURE_BUTTONS
    refused = mismatch(counting, "ref-1", 2, loads_only)
    assert refused == Fault(
        FaultKind.WRONG_CALIBRATION,
        None,
        words="channel 1 counts, says the calibration, and the device has no count sensors: "
        "calibrate this board",
    )
    assert mismatch(counting, "ref-1", 2, loads_only | frames.FEATURE_COUNTERS) is None
    assert mismatch(counting, "ref-1", 2) is None
    assert mismatch(CALIBRATION, "ref-1", 2, loads_only) is None


@given(calibrations)
def test_a_calibration_comes_back_from_its_text(calibration: Calibration) -> None:
    """To the last digit."""
    assert parse_calibration(format_calibration(calibration), "x") == calibration


def test_the_text_is_for_people_too() -> None:
    """One line per channel."""
    assert format_calibration(CALIBRATION).splitlines() == [
        "{",
        '  "format": 1,',
        '  "board_id": "ref-1",',
        '  "unit_g": 1.15,',
        '  "mark_g": 6.0,',
        '  "channels": [',
        '    {"zero_raw": 1000.0, "raw_per_g": 2000.0},',
        '    {"zero_raw": -500.5, "raw_per_g": -100.0}',
        "  ]",
        "}",
    ]


GOOD: dict[str, Any] = json.loads(format_calibration(CALIBRATION))
ROW = {"zero_raw": 0, "raw_per_g": 1}
BAD_VALUES: list[tuple[dict[str, Any], str]] = [
    ({"format": 2}, "format: 2, this program reads 1"),
    ({"format": True}, "format: True, this program reads 1"),
    ({"board_id": 7}, "board_id: 7 is no text"),
    ({"unit_g": 0}, "unit_g: 0 is not greater than 0"),
    ({"unit_g": "1"}, "unit_g: '1' is no number"),
    ({"unit_g": True}, "unit_g: True is no number"),
    ({"mark_g": -1.5}, "mark_g: -1.5 is less than 0"),
    ({"mark_g": None}, "mark_g: None is no number"),
    ({"unit_g": 10**400}, "unit_g: too large"),
    ({"channels": []}, "channels: not a list with an entry per channel"),
    ({"channels": {}}, "channels: not a list with an entry per channel"),
    ({"channels": [ROW, 3]}, "channels[1]: 3 is no object with zero_raw, raw_per_g"),
    ({"channels": [{"zero_raw": 0}]}, "channels[0]: raw_per_g: missing"),
    ({"channels": [ROW | {"zero": 0}]}, "channels[0]: zero: unknown; known are zero_raw, raw_per_g"),
    (
        {"channels": [ROW | {"raw_per_g": 0}]},
        "channels[0].raw_per_g: 0.0, so a gram would be less than one unit",
    ),
    ({"channels": [ROW | {"raw_per_g": -9e6}]}, "channels[0].raw_per_g: -9000000.0, so a gram"),
    ({"channels": [ROW, ROW | {"zero_raw": -8388607}]}, "channels[1].zero_raw: -8388607.0 is at or beyond"),
    ({"units_g": 1}, "units_g: unknown; known are format, board_id, unit_g, mark_g, channels"),
]


@pytest.mark.parametrize(("change", "message"), BAD_VALUES)
def test_a_bad_value_is_named_with_file_and_key(change: dict[str, Any], message: str) -> None:
    """Nothing is guessed, nothing is ignored."""
    with pytest.raises(CalibrationError) as caught:
        parse_calibration(json.dumps(GOOD | change), "board.json")
    assert str(caught.value).startswith(f"calibration board.json: {message}")


@pytest.mark.parametrize("key", list(GOOD))
def test_a_missing_key_is_named(key: str) -> None:
    """Each of them."""
    document = {name: value for name, value in GOOD.items() if name != key}
    with pytest.raises(CalibrationError, match=f"^calibration board.json: {key}: missing$"):
        parse_calibration(json.dumps(document), "board.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: Expecting value"),
        ("[" * 100_000, "not JSON: maximum recursion depth"),
        ('{"unit_g": ' + "9" * 5000 + "}", "not JSON: Exceeds the limit"),
        ('{"unit_g": NaN}', "NaN is no number"),
        ('{"unit_g": -Infinity}', "-Infinity is no number"),
        ('{"unit_g": 1, "unit_g": 2}', "unit_g: stands there twice"),
        ("[]", "[] is no object with format, board_id, unit_g, mark_g, channels"),
        (json.dumps(GOOD).replace("1.15", "1e999"), "unit_g: too large"),
    ],
)
def test_a_text_that_is_no_calibration_is_refused(text: str, message: str) -> None:
    """With the reason, whatever it is."""
    with pytest.raises(CalibrationError) as caught:
        parse_calibration(text, "board.json")
    assert str(caught.value).startswith(f"calibration board.json: {message}")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*GOOD, *ROW]), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(list(GOOD)), json_values))
def test_any_document_is_read_or_refused(change: dict[str, Any]) -> None:
    """Hostile files raise CalibrationError and nothing else."""
    try:
        parse_calibration(json.dumps(GOOD | change), "x")
    except CalibrationError as error:
        message = str(error)
    else:
        message = "calibration x: fine"
    assert message.startswith("calibration x: ")


def test_a_channel_may_count_instead_of_weighing() -> None:
    """It has nothing but its kind; one that does not say its kind weighs."""
    text = format_calibration(replace(CALIBRATION, channels=(CALIBRATION.channels[0], COUNTER)))
    assert '    {"kind": "count"}' in text.splitlines()
    assert parse_calibration(text, "x").channels == (CALIBRATION.channels[0], COUNTER)
    told = text.replace('{"zero_raw"', '{"kind": "load", "zero_raw"')
    assert parse_calibration(told, "x") == parse_calibration(text, "x")


def test_a_channel_that_counts_weighs_nothing() -> None:
    """Its number is no load."""
    counting = replace(CALIBRATION, channels=(CALIBRATION.channels[0], COUNTER))
    load, fault = to_loads(RawSample(0, (3000, 77), (OK, OK)), counting)
    assert load == 1.0
    assert fault == Fault(FaultKind.COUNTS_ONLY, 1)


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"kind": "weigh"}, "channels[0].kind: 'weigh', known are load, count"),
        ({"kind": ["count"]}, "channels[0].kind: ['count'], known are load, count"),
        ({"kind": "count", "zero_raw": 0}, "channels[0]: zero_raw: unknown; known are kind"),
        ({"kind": "load", "zero_raw": 0}, "channels[0]: raw_per_g: missing"),
        ({"kind": "load", **ROW, "x": 1}, "channels[0]: x: unknown; known are kind, zero_raw, raw_per_g"),
    ],
)
def test_a_wrong_kind_is_refused(row: dict[str, Any], complaint: str) -> None:
    """With its place and what is known."""
    with pytest.raises(CalibrationError, match=re.escape(f"calibration x: {complaint}")):
        parse_calibration(json.dumps({**GOOD, "channels": [row]}), "x")


def test_a_mark_that_does_not_lie_in_the_pit_weighs_nothing_there() -> None:
    """As the README says: `mark_g` 0 is a calibration like any other."""
    text = json.dumps(json.loads(format_calibration(CALIBRATION)) | {"mark_g": 0})
    assert parse_calibration(text, "board.json").mark_g == 0.0
