"""Inputs as rows of a trace, and back."""

from __future__ import annotations

import json

import pytest

from firmware_bridge.board.inputs import (
    Adjust,
    Assign,
    ButtonPressed,
    DeviceArrived,
    DeviceGone,
    DeviceTrouble,
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
from firmware_bridge.board.tracing.trace_rows import arrived_row, heard_row, input_of, input_row, outcome_rows
from rules.control_text import parse_control
from rules.game import PressId
from rules.position import Side
from rules.time_control import PRESETS
from sensors.link_events import LinkEvent, LinkRestored
from sensors.samples import Fault, FaultKind, Press
from tests.firmware_bridge.board.wired import HELLO

INPUTS: list[Input] = [
    ButtonPressed(5, 1, PressId(2**32 - 1, 7)),
    DeviceGone("кабель"),
    DeviceTrouble("no samples"),
    *(
        Assign(at_us=5, game_id="g", names=("Айдос", "Әсел"), starter_seat="b", control=control)
        for control in (
            *PRESETS.values(),
            parse_control("observed:90m/30+30m+10s~2s<5m"),
            parse_control("none"),
        )
    ),
    Start(5),
    Suspend(5, "arbiter"),
    Resume(5),
    End(5, "1/2-1/2", "agreement"),
    Release(5),
    Enter(5, ("3:2", "9-8")),
    Adjust(5, (-60_000_000, 0), "2.4.8"),
    Late(5, Side.QOSTAUSHY, 90_000_000, "2.7.6"),
    SetClock(5, (None, 3_000_000), None, "2.7.11"),
    SetClock(5, (1, None), parse_control("7m"), "2.7.11"),
]


@pytest.mark.parametrize("event", INPUTS, ids=lambda event: type(event).__name__)
def test_every_input_is_read_as_it_was_written(event: Input) -> None:
    """Through JSON, which knows no tuples and no sides."""
    assert input_of(json.loads(json.dumps(input_row(event)))) == event


def test_an_arrival_keeps_what_samples_need() -> None:
    """Where its time lies, and how often it samples."""
    event = DeviceArrived(9, restarted=True, time_scale=20, rate_hz=10.0)
    row = arrived_row(event, DeviceTime(3, -7, 20), HELLO)
    assert input_of(row) == event
    assert (row["offset_us"], row["rate_hz"], row["boot"]) == (-7, 10.0, 3)


def test_what_only_explains_is_no_input() -> None:
    """Nor is a row of a later version."""
    told: list[LinkEvent] = [
        LinkRestored(),
        Press(1, 2, 0, 5, down=False),
        Fault(FaultKind.MALFORMED, None, words="x"),
    ]
    rows = [heard_row(event) for event in told]
    assert all(row is not None and input_of(row) is None for row in rows)
    assert heard_row(Press(1, 2, 0, 5, down=True)) is None
    assert input_of({"row": "dream"}) is None


def test_nothing_decided_and_nothing_changed_is_no_row() -> None:
    """Eighty times a second."""
    assert outcome_rows(Step(), Watch("matches"), Watch("matches")) == []
    assert [row["row"] for row in outcome_rows(Step(refusal="no"), Watch("idle"), Watch("moving"))] == [
        "step",
        "watch",
    ]
