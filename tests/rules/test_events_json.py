"""Events as JSON."""

import copy
import json
import math
import re
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules.events
import rules.incidents
from rules import (
    EVENT_KINDS,
    JSON,
    ClockPressed,
    EventFormatError,
    GameAssigned,
    GameEnded,
    GameEvent,
    GameSuspended,
    MovePlayed,
    PressId,
    SetupChecked,
    SetupStarted,
    Side,
    TimeControl,
    event_from_json,
    event_to_json,
)
from rules.events_json import _FIELDS, MAX_DEPTH, MAX_TEXT, copy_json
from tests.rules.occurrences import EVENT_EXAMPLES, events

MOVE: dict[str, Any] = {
    "kind": "move_played",
    "at_us": 12,
    "side": "bastaushy",
    "number": 7,
    "text": "7:6",
    "confirmed_by": "press",
    "evidence": {"loads_g": [1.5, None], "sure": True},
}
ASSIGNED: dict[str, Any] = {
    "kind": "game_assigned",
    "at_us": 0,
    "game_id": "final-3",
    "names": ["Aigerim", "Дәурен"],
    "starter_seat": "b",
    "control": {"base_ms": 1000, "increment_ms": 0},
}
PRESSED: dict[str, Any] = {
    "kind": "clock_pressed",
    "at_us": 12,
    "side": "qostaushy",
    "press": {"boot": 4294967295, "number": 1},
}
ADJUSTED: dict[str, Any] = {"kind": "clock_adjusted", "at_us": 5, "delta_us": [-1, 0], "reason": "2.4.8"}
PERIOD: dict[str, Any] = {"time_ms": 1, "moves": None, "increment_ms": 0, "delay_ms": 0}
ENDED: dict[str, Any] = {"kind": "game_ended", "at_us": 9, "result": "1/2-1/2", "reason": ""}


INFRACTION: dict[str, Any] = {
    "kind": "infraction_seen",
    "at_us": 5,
    "infraction": 1,
    "side": "bastaushy",
    "faults": ["skipped_pit"],
    "evidence": {},
}


def test_events_are_written_by_kind_and_field() -> None:
    """Sides by their value, pairs as lists, nothing left out."""
    move = MovePlayed(
        at_us=12,
        side=Side.BASTAUSHY,
        number=7,
        text="7:6",
        confirmed_by="press",
        evidence={"loads_g": [1.5, None], "sure": True},
    )
    assert event_to_json(move) == MOVE
    control = TimeControl.simple(1000, 0)
    names = ("Aigerim", "Дәурен")
    assigned = GameAssigned(at_us=0, game_id="final-3", names=names, starter_seat="b", control=control)
    assert event_to_json(assigned) == ASSIGNED
    pressed = ClockPressed(at_us=12, side=Side.QOSTAUSHY, press=PressId(4294967295, 1))
    assert event_to_json(pressed) == PRESSED
    assert event_to_json(ClockPressed(at_us=12, side=Side.QOSTAUSHY, press=None)) == {
        **PRESSED,
        "press": None,
    }
    assert event_to_json(GameEnded(at_us=9, result="1/2-1/2", reason="")) == ENDED
    assert event_to_json(SetupStarted(at_us=1)) == {"kind": "setup_started", "at_us": 1}


def test_every_kind_has_a_name_an_example_and_a_way_for_each_field() -> None:
    """None is forgotten when a new one is added."""
    modules = (rules.events, rules.incidents)
    defined = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
    assert {kind for kind in defined if GameEvent in kind.__bases__} == set(EVENT_KINDS.values())
    assert {type(event) for event in EVENT_EXAMPLES} == set(EVENT_KINDS.values())
    assert {field.name for kind in EVENT_KINDS.values() for field in fields(kind)} == set(_FIELDS)
    assert [kind for kind, event in EVENT_KINDS.items() if event.kind != kind] == []


def test_who_decided_is_written_only_where_somebody_is_named() -> None:
    """What the first versions wrote is read, and what names nobody is written as they did."""
    named = GameEnded(at_us=9, result="1/2-1/2", reason="", by="Aigerim")
    assert event_to_json(named) == {**ENDED, "by": "Aigerim"}
    assert event_from_json({**ENDED, "by": "Aigerim"}) == named
    assert event_from_json(ENDED) == event_from_json({**ENDED, "by": ""}) == replace(named, by="")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"faults": []}, "infraction_seen.faults: expected a list of 1 to 8 items"),
        ({"faults": ["two words"]}, "infraction_seen.faults[0]: expected a code of small letters"),
        ({"faults": [7]}, "infraction_seen.faults[0]: expected a code of small letters"),
        ({"infraction": 0}, "infraction_seen.infraction: expected an integer from 1 to 10000"),
        ({"by": "me"}, "infraction_seen: expected only the fields"),
    ],
)
def test_a_false_infraction_is_refused(changed: dict[str, Any], message: str) -> None:
    """By the field that is wrong."""
    data = {**INFRACTION, **changed}
    with pytest.raises(EventFormatError, match=re.escape(message)):
        event_from_json(data)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"position": {"pits": [9] * 18}}, "position_ruled.position: expected a position ("),
        ({"decision": "fudged"}, "position_ruled.decision: expected one of stands, restored, "),
        ({"number": 10}, "position_ruled.number: expected an integer from 1 to 9"),
        ({"kept": -1}, "position_ruled.kept: expected an integer from 0 to "),
    ],
)
def test_a_false_ruling_is_refused(changed: dict[str, Any], message: str) -> None:
    """A position on which nobody can play is none."""
    ruled = next(event for event in EVENT_EXAMPLES if event.kind == "position_ruled")
    with pytest.raises(EventFormatError, match=re.escape(message)):
        event_from_json({**event_to_json(ruled), **changed})


def test_a_seal_is_a_digest() -> None:
    """And nothing from which a move could be read."""
    sealed = next(event for event in EVENT_EXAMPLES if event.kind == "game_adjourned")
    with pytest.raises(EventFormatError, match="64 hexadecimal digits"):
        event_from_json({**event_to_json(sealed), "seal": "7:6"})


def test_a_salt_is_hexadecimal() -> None:
    """As the commitment was made with it."""
    opened = next(event for event in EVENT_EXAMPLES if event.kind == "seal_opened")
    for salt in ("salty", 7, "0"):
        with pytest.raises(EventFormatError, match="hexadecimal"):
            event_from_json({**event_to_json(opened), "salt": salt})
    assert event_to_json(event_from_json({**event_to_json(opened), "salt": "0f1e"}))["salt"] == "0f1e"


@pytest.mark.parametrize("event", EVENT_EXAMPLES, ids=lambda event: event.kind)
def test_each_kind_survives_a_journal(event: GameEvent) -> None:
    """Through real JSON text in UTF-8 and back."""
    line = json.dumps(event_to_json(event), ensure_ascii=False, allow_nan=False).encode()
    assert event_from_json(json.loads(line)) == event


@given(events())
def test_reading_is_the_inverse_of_writing(event: GameEvent) -> None:
    """For any values a field may have."""
    line = json.dumps(event_to_json(event), ensure_ascii=False, allow_nan=False).encode()
    assert event_from_json(json.loads(line)) == event


def test_neither_way_shares_anything_with_its_source() -> None:
    """Who changes one afterwards does not change the other."""
    data = copy.deepcopy(MOVE)
    event = event_from_json(data)
    written = event_to_json(event)
    data["evidence"]["loads_g"].append(7)
    assert event_to_json(event) == written == MOVE
    assert isinstance(written["evidence"], dict)
    written["evidence"]["sure"] = False
    assert event_to_json(event) == MOVE


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "event: expected an object, got None"),
        ([MOVE], "event: expected an object, got a list of 1 items"),
        ({}, "event: expected the field kind, got an object of 0 keys"),
        ({"kind": "castled"}, "event.kind: expected one of game_assigned, setup_started, "),
        ({"kind": ["move_played"]}, "event.kind: expected one of game_assigned, setup_started, "),
        (
            {**ENDED, "at_us": "9"},
            "game_ended.at_us: expected an integer from 0 to 9223372036854775807, got '9'",
        ),
        (
            {**ENDED, "at_us": -1},
            "game_ended.at_us: expected an integer from 0 to 9223372036854775807, got -1",
        ),
        (
            {**ENDED, "at_us": 2**63},
            "game_ended.at_us: expected an integer from 0 to 9223372036854775807, got",
        ),
        (
            {**ENDED, "at_us": 1.0},
            "game_ended.at_us: expected an integer from 0 to 9223372036854775807, got 1.0",
        ),
        (
            {**ENDED, "at_us": True},
            "game_ended.at_us: expected an integer from 0 to 9223372036854775807, got True",
        ),
        ({**ENDED, "result": "2-0"}, "game_ended.result: expected one of 1-0, 0-1, 1/2-1/2, 0-0, got '2-0'"),
        ({**ENDED, "result": None}, "game_ended.result: expected one of 1-0, 0-1, 1/2-1/2, 0-0, got None"),
        ({**ENDED, "reason": 5}, f"game_ended.reason: expected a text of 0 to {MAX_TEXT} characters, got 5"),
        ({**ENDED, "reason": "z" * 501}, f"game_ended.reason: expected a text of 0 to {MAX_TEXT} characters"),
        (
            {**ENDED, "reason": "\udc00"},
            r"game_ended.reason: expected a text of whole characters, got '\udc00'",
        ),
        (
            {**ENDED, "side": "bastaushy"},
            "game_ended: expected only the fields kind, at_us, result, reason, got",
        ),
        (
            {"kind": "game_ended", "at_us": 9, "reason": ""},
            "game_ended: expected the field result, got an object",
        ),
        ({**MOVE, "side": "white"}, "move_played.side: expected one of bastaushy, qostaushy, got 'white'"),
        ({**MOVE, "number": 0}, "move_played.number: expected an integer from 1 to 9, got 0"),
        ({**MOVE, "number": 10}, "move_played.number: expected an integer from 1 to 9, got 10"),
        ({**MOVE, "text": ""}, f"move_played.text: expected a text of 1 to {MAX_TEXT} characters, got ''"),
        (
            {**MOVE, "confirmed_by": "me"},
            "move_played.confirmed_by: expected one of press, settled, arbiter, got",
        ),
        ({**MOVE, "evidence": []}, "move_played.evidence: expected an object, got a list of 0 items"),
        ({**MOVE, "evidence": {"a": b""}}, "move_played.evidence['a']: expected a value of JSON, got"),
        (
            {**MOVE, "evidence": {"a": [0, float("nan")]}},
            "move_played.evidence['a'][1]: expected a value of JSON",
        ),
        (
            {**MOVE, "evidence": {"a": float("inf")}},
            "move_played.evidence['a']: expected a value of JSON, got inf",
        ),
        ({**MOVE, "evidence": {"a": 2**63}}, "move_played.evidence['a']: expected an integer from -922"),
        (
            {**MOVE, "evidence": {"a": "\ud800"}},
            "move_played.evidence['a']: expected a text of whole characters",
        ),
        (
            {**MOVE, "evidence": {"\ud800": 1}},
            "a key of move_played.evidence: expected a text of whole characters",
        ),
        (
            {**MOVE, "evidence": {5: 1}},
            "a key of move_played.evidence: expected a text of whole characters, got 5",
        ),
        ({**ASSIGNED, "names": "AB"}, "game_assigned.names: expected a list of 2 items, got 'AB'"),
        (
            {**ASSIGNED, "names": ["A"]},
            "game_assigned.names: expected a list of 2 items, got a list of 1 items",
        ),
        (
            {**ASSIGNED, "names": ["A", 2]},
            "game_assigned.names[1]: expected a text of 0 to 500 characters, got 2",
        ),
        (
            {**ASSIGNED, "game_id": ""},
            "game_assigned.game_id: expected a text of 1 to 500 characters, got ''",
        ),
        ({**ASSIGNED, "starter_seat": "A"}, "game_assigned.starter_seat: expected one of a, b, got 'A'"),
        ({**ASSIGNED, "control": 60}, "game_assigned.control: expected an object, got 60"),
        (
            {**ASSIGNED, "control": {"base_ms": 1}},
            "game_assigned.control: expected the field increment_ms, got",
        ),
        (
            {**ASSIGNED, "control": {"base_ms": 0, "increment_ms": 0}},
            "game_assigned.control.base_ms: expected an integer from 1 to 86400000, got 0",
        ),
        (
            {**ASSIGNED, "control": {"base_ms": 1, "increment_ms": 3_600_001}},
            "game_assigned.control.increment_ms: expected an integer from 0 to 3600000, got 3600001",
        ),
        (
            {**ASSIGNED, "control": {"base_ms": 1, "increment_ms": 0, "delay_ms": 0}},
            "game_assigned.control: expected only the fields base_ms, increment_ms, got 'delay_ms'",
        ),
        *(
            (
                {**ASSIGNED, "control": {"periods": [PERIOD], "mode": "own", "move_limit_ms": None, **wrong}},
                told,
            )
            for wrong, told in (
                ({"periods": {}}, "game_assigned.control.periods: expected a list of 0 to 8 items, got"),
                ({"periods": [PERIOD] * 9}, "game_assigned.control.periods: expected a list of 0 to 8"),
                ({"periods": [5]}, "game_assigned.control.periods[0]: expected an object, got 5"),
                ({"periods": [{}]}, "game_assigned.control.periods[0]: expected the field time_ms, got"),
                (
                    {"periods": [{**PERIOD, "moves": 0}]},
                    "game_assigned.control.periods[0].moves: expected an integer from 1 to 500, got 0",
                ),
                (
                    {"periods": [{**PERIOD, "delay_ms": -1}]},
                    "game_assigned.control.periods[0].delay_ms: expected an integer from 0 to 3600000",
                ),
                (
                    {"periods": [{**PERIOD, "moves": 9}]},
                    "game_assigned.control: expected a time control (the last period has a quota of moves: ",
                ),
                (
                    {"periods": []},
                    "game_assigned.control: expected a time control (0 periods are not 1 to 8)",
                ),
                ({"mode": "ours"}, "game_assigned.control.mode: expected one of own, observed, none, got"),
                ({"move_limit_ms": 0}, "game_assigned.control.move_limit_ms: expected an integer from 1 to"),
                ({"base_ms": 1}, "game_assigned.control: expected only the fields periods, mode, move_limit"),
            )
        ),
        ({**ADJUSTED, "delta_us": 5}, "clock_adjusted.delta_us: expected a list of 2 items, got 5"),
        (
            {**ADJUSTED, "delta_us": [5]},
            "clock_adjusted.delta_us: expected a list of 2 items, got a list",
        ),
        (
            {**ADJUSTED, "delta_us": [0, 0.5]},
            "clock_adjusted.delta_us[1]: expected an integer from -25920000",
        ),
        ({**PRESSED, "press": 5}, "clock_pressed.press: expected an object, got 5"),
        (
            {**PRESSED, "press": {"boot": 0, "number": 1}},
            "clock_pressed.press.boot: expected an integer from 1 to 4294967295, got 0",
        ),
        (
            {**PRESSED, "press": {"boot": 1, "number": 2**32}},
            "clock_pressed.press.number: expected an integer from 1 to 4294967295, got 4294967296",
        ),
    ],
)
def test_what_is_no_event_is_refused_by_the_place_that_is_wrong(data: object, message: str) -> None:
    """And by what was expected there."""
    with pytest.raises(EventFormatError) as caught:
        event_from_json(data)
    assert str(caught.value).startswith(message)


def test_evidence_has_a_deepest_level() -> None:
    """A flood of brackets must not exhaust the stack."""
    deep: JSON = 1
    for _ in range(MAX_DEPTH):
        deep = [deep]
    assert copy_json(deep, "x") == deep
    with pytest.raises(EventFormatError, match=rf"^x(\[0\]){{17}}: expected nesting of at most {MAX_DEPTH}"):
        copy_json([deep], "x")


def test_what_could_not_be_read_back_is_not_written() -> None:
    """Better now than when the journal is needed."""
    with pytest.raises(EventFormatError, match=r"game_suspended\.at_us: expected an integer from 0"):
        event_to_json(GameSuspended(at_us=-1, reason=""))
    with pytest.raises(EventFormatError, match=r"clock_pressed\.press\.boot: expected an integer from 1"):
        event_to_json(ClockPressed(at_us=1, side=Side.BASTAUSHY, press=PressId(0, 1)))
    with pytest.raises(EventFormatError, match=r"^evidence\['loads_g'\]: expected a value of JSON, got nan"):
        event_to_json(SetupChecked(at_us=1, evidence={"loads_g": math.nan}))


def test_an_event_of_no_known_kind_is_not_written() -> None:
    """Neither the base class nor a stranger's."""
    with pytest.raises(EventFormatError, match="event: expected one of the kinds game_assigned, "):
        event_to_json(GameEvent(at_us=1))


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(codec=None))
    | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.integers(), inner, max_size=4),
)


@given(st.sampled_from([MOVE, ASSIGNED, PRESSED, ENDED]), st.data())
def test_hostile_json_gives_nothing_but_the_named_error(good: dict[str, Any], data: st.DataObject) -> None:
    """In the place of the event, of each field, and of a field that does not exist."""
    key = data.draw(st.sampled_from([*good, "other"]))
    value = data.draw(ANYTHING)
    for hostile in (value, {**good, key: value}, {key: value}):
        try:
            event = event_from_json(hostile)
        except EventFormatError as error:
            message = str(error)
        else:
            message = ""
            assert event_from_json(event_to_json(event)) == event
        assert len(message) < 2000
