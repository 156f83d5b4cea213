"""The options of an event, their defaults and their JSON."""

from dataclasses import fields, replace
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import ConductFormatError, parse_control
from rules.conduct.options import (
    BLITZ,
    CLASSICAL,
    MAX_GRACE_MS,
    MAX_PENALTY_MS,
    PRESETS,
    RAPID,
    Conduct,
    Conducts,
    SowingPolicy,
    preset_for,
)
from rules.conduct.options_json import (
    conduct_from_json,
    conduct_to_json,
    conducts_from_json,
    conducts_to_json,
)


def _any_of(kind: Any, name: str) -> st.SearchStrategy[Any]:
    if kind is bool:
        return st.booleans()
    if name == "stones_in_hand_grace_ms":
        return st.integers(0, MAX_GRACE_MS)
    if name.startswith("penalty_"):
        return st.none() | st.integers(0, MAX_PENALTY_MS)
    return st.sampled_from(get_args(kind))


def _options(kind: type[Any], **more: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind)
    drawn = {name: _any_of(hint, name) for name, hint in hints.items() if name not in more}
    return st.builds(kind, **drawn, **more)


CONDUCTS: st.SearchStrategy[Conduct] = _options(Conduct, sowing=_options(SowingPolicy))
JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = [each.name for each in fields(Conduct)] + ["preset", "touchmove"]


def test_requirement_16_29_30_31_36_43_45_94_the_defaults_are_those_stated() -> None:
    """Where the regulations leave a choice, an event that says nothing gets the stated one."""
    assert conduct_from_json({}) == CLASSICAL == Conduct()
    assert CLASSICAL.draw_offer_lasts == "until_move"
    assert (CLASSICAL.even_kazan, CLASSICAL.completed_move) == ("draw", "counts")
    assert (CLASSICAL.both_flags, CLASSICAL.both_flags_declined) == ("by_order", "discretion")
    assert (CLASSICAL.groundless_stop, CLASSICAL.bad_sealed_move) == ("warning", "panel")
    assert (CLASSICAL.penalty_takes_ms, CLASSICAL.penalty_gives_ms) == (None, None)
    assert (CLASSICAL.warning_scope, CLASSICAL.flag_callers) == ("event", "arbiter_and_players")
    assert CLASSICAL.sowing == SowingPolicy(
        clock="stops",
        remedy="correct",
        on_offenders_time=True,
        window="until_reply",
        first_warns=True,
        repeated_warns=True,
    )


@pytest.mark.parametrize("fast", [RAPID, BLITZ])
def test_requirements_38_to_42_and_94_rapid_and_blitz_differ_so(fast: Conduct) -> None:
    """No sheets, both ready, no complaints, touch-move off, own time; nothing else differs."""
    assert not any((fast.touch_move, fast.score_sheets, fast.setup_complaints))
    assert (fast.adjusting_by_hand, fast.start) == (True, "both_ready")
    assert (fast.sowing.clock, fast.sowing.remedy, fast.sowing.on_offenders_time) == ("runs", "restore", True)
    differ = {
        each.name for each in fields(Conduct) if getattr(fast, each.name) != getattr(CLASSICAL, each.name)
    }
    assert differ == {
        "touch_move",
        "adjusting_by_hand",
        "score_sheets",
        "start",
        "setup_complaints",
        "stones_in_hand_grace_ms",
        "sowing",
    }


def test_the_grace_for_stones_in_hand_grows_with_haste() -> None:
    """None in a classical game, which has the time."""
    graces = [conduct.stones_in_hand_grace_ms for conduct in PRESETS.values()]
    assert list(PRESETS) == ["classical", "rapid", "blitz"]
    assert graces == [0, 2000, 3000]


@given(CONDUCTS)
def test_options_survive_json(conduct: Conduct) -> None:
    """All of them are written, and read back as they were."""
    told = conduct_to_json(conduct)
    assert set(told) == {each.name for each in fields(Conduct)}
    assert conduct_from_json(told) == conduct


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_named_and_overlaid(name: str) -> None:
    """Also within the policy of illegal sowing."""
    assert conduct_from_json({"preset": name}) == PRESETS[name]
    read = conduct_from_json({"preset": name, "late_warning": "never", "sowing": {"window": "whole_game"}})
    expected = replace(
        PRESETS[name], late_warning="never", sowing=replace(PRESETS[name].sowing, window="whole_game")
    )
    assert read == expected


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (None, "conduct: expected an object, got None"),
        ([], "conduct: expected an object, got a list of 0 items"),
        (
            {"touchmove": True},
            "conduct: expected only the options touch_move, adjusting_by_hand, score_sheets",
        ),
        ({"preset": "bullet"}, "conduct.preset: expected one of classical, rapid, blitz, got 'bullet'"),
        ({"preset": ["blitz"]}, "conduct.preset: expected one of classical, rapid, blitz, got a list"),
        ({"touch_move": 1}, "conduct.touch_move: expected true or false, got 1"),
        ({"even_kazan": "wins"}, "conduct.even_kazan: expected one of draw, loses, discretion, got 'wins'"),
        ({"sowing": 3}, "conduct.sowing: expected an object, got 3"),
        ({"sowing": {"preset": "blitz"}}, "conduct.sowing: expected only the options clock, remedy"),
        ({"sowing": {"clock": "halts"}}, "conduct.sowing.clock: expected one of stops, runs, got 'halts'"),
        (
            {"stones_in_hand_grace_ms": 60001},
            "conduct.stones_in_hand_grace_ms: expected an integer from 0 to 60000, got 60001",
        ),
        (
            {"stones_in_hand_grace_ms": None},
            "conduct.stones_in_hand_grace_ms: expected an integer from 0 to 60000, got None",
        ),
        (
            {"penalty_takes_ms": -1},
            "conduct.penalty_takes_ms: expected an integer from 0 to 86400000, got -1",
        ),
    ],
)
def test_what_is_no_option_is_refused_by_name(data: object, text: str) -> None:
    """The path, what was expected, and what stood there."""
    with pytest.raises(ConductFormatError) as caught:
        conduct_from_json(data)
    assert str(caught.value).startswith(text)


@given(JSON_VALUES | st.dictionaries(st.sampled_from(NAMES), JSON_VALUES, max_size=4))
def test_hostile_options_are_read_or_refused(data: object) -> None:
    """No other error, and none that floods a log."""
    try:
        conduct_from_json(data)
    except ConductFormatError as error:
        told = str(error)
    else:
        return
    assert told.startswith("conduct")
    assert len(told) < 900


def test_numbers_are_held_to_their_range_in_memory_too() -> None:
    """A minute of grace, a day of penalty, and not a millisecond more."""
    most = replace(CLASSICAL, stones_in_hand_grace_ms=MAX_GRACE_MS, penalty_gives_ms=MAX_PENALTY_MS)
    assert (most.stones_in_hand_grace_ms, most.penalty_gives_ms) == (60_000, 86_400_000)
    with pytest.raises(ConductFormatError, match=r"conduct.stones_in_hand_grace_ms: .* got 60001"):
        replace(CLASSICAL, stones_in_hand_grace_ms=MAX_GRACE_MS + 1)
    with pytest.raises(ConductFormatError, match=r"conduct.penalty_gives_ms: .* got 86400001"):
        replace(CLASSICAL, penalty_gives_ms=MAX_PENALTY_MS + 1)


@pytest.mark.parametrize(
    ("text", "preset"),
    [
        ("7m", "blitz"),
        ("5m+3s", "blitz"),
        ("20m", "rapid"),
        ("40m", "rapid"),
        ("60m", "classical"),
        ("2h", "classical"),
        ("90m/30+30m", "classical"),
        ("none", "classical"),
    ],
)
def test_requirement_39_the_control_says_under_which_preset_a_game_is_played(text: str, preset: str) -> None:
    """Unless the event says otherwise."""
    assert preset_for(parse_control(text)) == preset


def test_an_event_chooses_for_every_kind_of_game() -> None:
    """The control says which kind a game is; without one it is played as a classical one."""
    told = Conducts(blitz=replace(BLITZ, flag_callers="arbiter"))
    assert told.under(parse_control("7m")).flag_callers == "arbiter"
    assert told.under(parse_control("20m")) == RAPID
    assert told.under(parse_control("120m")) == told.under(None) == CLASSICAL
    assert Conducts.alike(RAPID).under(parse_control("7m")) == RAPID


def test_what_an_event_chooses_for_every_kind_survives_json() -> None:
    """A kind that is not named has its preset; what is no kind of game is refused."""
    told = Conducts(rapid=replace(RAPID, touch_move=True))
    assert conducts_from_json(conducts_to_json(told)) == told
    assert conducts_from_json({}) == Conducts()
    with pytest.raises(ConductFormatError, match="bullet"):
        conducts_from_json({"bullet": {}})
