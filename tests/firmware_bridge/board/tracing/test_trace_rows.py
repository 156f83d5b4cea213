"""Inputs as rows of a trace, and back."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from firmware_bridge.board.incident_inputs import (
    Adjourn,
    AnswerCall,
    AnswerDraw,
    Call,
    CallFlag,
    Close,
    Complain,
    OfferDraw,
    Rule,
    Unseal,
    Warn,
)
from firmware_bridge.board.inputs import (
    Adjust,
    Assign,
    ButtonPressed,
    Command,
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
from firmware_bridge.trace.errors import TraceError
from rules.conduct.proposal import Speaker
from rules.control_text import parse_control
from rules.game import PressId
from rules.position import START, Side, play
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
    Late(5, None, 90_000_000, "2.7.6"),
    SetClock(5, (None, 3_000_000), None, "2.7.11"),
    SetClock(5, (1, None), parse_control("7m"), "2.7.11", by="Сәуле"),
    Rule(at_us=5, decision="stands"),
    Rule(
        at_us=5,
        decision="corrected",
        take_back=2,
        number=7,
        position=play(START, 7).after,
        dials_us=(None, 3_000_000),
        infraction=1,
        by="Сәуле",
        reason="94",
    ),
    Close(at_us=5, infraction=1, closing="dismissed"),
    Warn(at_us=5, side=Side.QOSTAUSHY, level=2, article="1.3.4"),
    OfferDraw(at_us=5, side=Side.BASTAUSHY, heard=True),
    Complain(at_us=5, side=Side.BASTAUSHY),
    AnswerDraw(at_us=5, side=Side.QOSTAUSHY, accepted=False),
    Call(at_us=5),
    Call(at_us=5, side=Side.BASTAUSHY, press=PressId(3, 4)),
    AnswerCall(at_us=5, by="Сәуле", groundless=True, resumes=False),
    CallFlag(at_us=5, side=Side.BASTAUSHY, caller=Speaker.QOSTAUSHY, by="Сәуле"),
    Adjourn(at_us=5, seal="0f" * 32, by="Сәуле"),
    Unseal(at_us=5, text="9-8", salt="0f" * 16, reason="the salt was lost"),
]


def test_every_command_is_among_them() -> None:
    """None is forgotten when a new one is added."""
    assert {type(event) for event in INPUTS if isinstance(event, Command)} == set(get_args(Command))


def test_a_command_of_a_board_that_named_nobody_is_read() -> None:
    """A trace of an older board is no less true."""
    row = input_row(Suspend(5, "arbiter"))
    del row["by"]
    assert input_of(row) == Suspend(5, "arbiter")


@pytest.mark.parametrize(
    "wrong",
    [{"number": 0}, {"position": {"pits": []}}, {"take_back": -1}, {"infraction": "1"}, {"position": 7}],
)
def test_a_ruling_that_no_board_wrote_is_refused(wrong: dict[str, Any]) -> None:
    """By the row that holds it."""
    with pytest.raises(TraceError, match="a row `command` has no meaning"):
        input_of({**input_row(Rule(at_us=5, decision="stands")), **wrong})


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
