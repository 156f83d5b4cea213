"""The schemas of events say what the rulebook's own checks say."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from firmware_bridge.board.inputs import ButtonPressed
from firmware_bridge.board.memory.telling import HOST_STARTED, OWN_KINDS, press_taken, time_mark
from firmware_bridge.contract import events
from firmware_bridge.contract.described import UndescribedError
from rules.clock import MAX_DIAL_US
from rules.errors import EventFormatError
from rules.events_json import EVENT_KINDS, MAX_FAULTS, MAX_INFRACTIONS, event_from_json
from rules.game import GameEvent, PressId
from rules.position import START
from rules.position_json import position_to_json
from rules.time_control import MAX_BASE_MS, MAX_INCREMENT_MS
from tests.firmware_bridge.contract.shapes import document, known_kinds, schema_of

_INSIDE = document("ev.schema.json")["$defs"]
DATA = Draft202012Validator({"$ref": "#/$defs/EventData", "$defs": _INSIDE})

GOOD: dict[str, Any] = {
    "at_us": 5,
    "game_id": "g",
    "names": ["A", ""],
    "starter_seat": "a",
    "control": {"base_ms": 1, "increment_ms": 0},
    "side": "bastaushy",
    "press": {"boot": 1, "number": 1},
    "number": 9,
    "text": "9:9",
    "confirmed_by": "press",
    "evidence": {"any": [1, None]},
    "reason": "",
    "running": "qostaushy",
    "result": "1/2-1/2",
    "delta_us": [-1, 0],
    "remaining_us": [0, 1],
    "by": "",
    "infraction": 1,
    "faults": ["skipped_pit"],
    "closing": "warned",
    "decision": "set",
    "kept": 0,
    "position": position_to_json(START),
    "level": 5,
    "article": "1.3.4",
    "accepted": True,
    "groundless": False,
    "seal": "0f" * 32,
    "salt": "0f" * 16,
    "draw_lasts": "until_refused",
}
"""A good value of every field; probes put others in its place."""

PERIOD = {"time_ms": 1, "moves": None, "increment_ms": 0, "delay_ms": 0}
CONTROLS = (
    *(
        {"periods": [PERIOD], "mode": mode, "move_limit_ms": None}
        for mode in ("none", "observed", "own", "x")
    ),
    *({"periods": [PERIOD], "mode": "own", "move_limit_ms": limit} for limit in (0, 1, MAX_BASE_MS + 1, "1")),
    *({"periods": [{**PERIOD, "delay_ms": delay}], "mode": "own"} for delay in (0, 1)),
    *(
        {"periods": [{**PERIOD, name: value}], "mode": "own", "move_limit_ms": None}
        for name in PERIOD
        for value in (None, -1, 0, 1, MAX_INCREMENT_MS + 1, MAX_BASE_MS + 1, "1", 1.5)
    ),
    {"periods": [{}], "mode": "own", "move_limit_ms": None},
)

PROBES: tuple[object, ...] = (
    *(None, True, False, "", "x", "x" * 500, "x" * 501, "bastaushy", "press", "1-0", "a", "b"),
    *(0, 1, 9, 10, -1, 0.5, 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**63, [], {}, ["A"], ["A", "B", "C"]),
    *(["A", None], ["", "x" * 501], [0, -1], [MAX_DIAL_US, -MAX_DIAL_US], [0, MAX_DIAL_US + 1], [1, True]),
    *([-MAX_DIAL_US - 1, 0], *CONTROLS),
    *(["a"], ["a"] * MAX_FAULTS, ["a"] * (MAX_FAULTS + 1), ["a" * 40], ["a" * 41], ["_a"], [1]),
    *(5, 6, "0f" * 32, "0F" * 32, "0f" * 31, MAX_INFRACTIONS, MAX_INFRACTIONS + 1),
    *("stands", "put_right", 2**31 - 1, 2**31, [9] * 18, [162] * 18, [163] + [0] * 17, [9] * 17),
    *([None, None], [8, None], [9, None], [None, 0], [81, 81]),
)


def _event(kind: str) -> dict[str, Any]:
    names = _INSIDE[events._name(kind)]["properties"]
    return {name: kind if name == "kind" else copy.deepcopy(GOOD[name]) for name in names}


def _changed(value: object, probe: object) -> Iterator[object]:
    """Yield the probe in the place of the value, and in the place of each part of it."""
    yield probe
    if isinstance(value, dict):
        for key in value:
            yield {**value, key: probe}
            yield {other: value[other] for other in value if other != key}


def _rulebook_takes(data: object) -> bool:
    try:
        event_from_json(data)
    except EventFormatError as error:
        # How periods follow each other and stones add up is beyond a schema.
        return "a time control (" in str(error) or "a possible one (" in str(error)
    return True


OPTIONAL = {
    **{kind: {"by"} for kind in EVENT_KINDS},
    "game_assigned": {"draw_lasts"},
    "seal_opened": {"salt", "reason"},
}
"""What is written only where it says something."""


@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_schema_and_rulebook_take_and_refuse_the_same(kind: str) -> None:
    """Every field with values at and beyond each bound, of each type, and left out."""
    assert _rulebook_takes(_event(kind))
    assert DATA.is_valid(_event(kind))
    for field in _event(kind):
        if field == "kind":
            continue
        missing = {name: value for name, value in _event(kind).items() if name != field}
        assert DATA.is_valid(missing) == _rulebook_takes(missing), f"{field} left out"
        assert not DATA.is_valid(missing) or field in OPTIONAL[kind]
        for probe in PROBES:
            for value in _changed(GOOD[field], probe):
                data = {**_event(kind), field: value}
                if field == "evidence" and isinstance(value, dict) and value.get("any") == 2**63:
                    continue  # the rulebook bounds the numbers inside, the schema leaves evidence free
                assert DATA.is_valid(data) == _rulebook_takes(data), f"{field} = {value!r:.80}"


def test_the_kinds_described_are_all_there_are() -> None:
    """The rulebook's and the board's own."""
    assert known_kinds() == {*EVENT_KINDS, *OWN_KINDS}
    assert set(events.BOARD_KINDS) == set(OWN_KINDS)


def test_the_boards_own_events_are_as_described() -> None:
    """What the journal holds beside a game."""
    pressed = ButtonPressed(at_us=7, button=0, press=PressId(1, 2))
    for data in (HOST_STARTED, press_taken(pressed), time_mark(7)):
        assert DATA.is_valid(data)
        assert data["kind"] in known_kinds()
    assert not DATA.is_valid({"kind": "time_mark"})
    assert not DATA.is_valid({**press_taken(pressed), "press": None})


def test_a_kind_of_a_later_version_is_accepted_with_whatever_it_brings() -> None:
    """A reader skips it; a known kind with bad fields cannot pass for one."""
    assert DATA.is_valid({"kind": "stones_poured", "at_us": "soon"})
    assert not DATA.is_valid({"kind": "move_played"})
    assert not DATA.is_valid({})
    assert DATA.is_valid({**_event("flag_fell"), "new_in_1_7": 1})


def test_every_event_message_holds_one_of_them() -> None:
    """The message's schema asks for it."""
    assert schema_of("ev").schema["properties"]["data"]["$ref"] == "#/$defs/EventData"


def test_a_field_nobody_described_stops_the_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new event of the rulebook cannot slip out undescribed."""

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Poured(GameEvent):
        """Stones were poured.

        Attributes:
            stones: How many.
        """

        stones: int

    monkeypatch.setattr(events, "EVENT_KINDS", {"poured": Poured})
    with pytest.raises(UndescribedError, match=r"event poured: field stones"):
        events.event_schemas("{model}")
