"""Requests from the control socket, as commands."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_bridge.board.inputs import (
    Adjust,
    Assign,
    Command,
    End,
    Enter,
    Late,
    Release,
    Resume,
    SetClock,
    Start,
    Suspend,
)
from firmware_bridge.board.requests.commands import KNOWN, parse_command
from firmware_bridge.board.requests.words import CommandError
from rules.control_text import parse_control
from rules.position import Side


@pytest.mark.parametrize(
    ("request_", "command"),
    [
        ({"do": "start"}, Start(5)),
        (
            {
                "do": "assign",
                "game": "r1-b1",
                "bastaushy": "Айдос",
                "qostaushy": "Әсел",
                "seat": "b",
                "control": "20m+10s",
            },
            Assign(
                at_us=5,
                game_id="r1-b1",
                names=("Айдос", "Әсел"),
                starter_seat="b",
                control=parse_control("20m+10s"),
            ),
        ),
        ({"do": "suspend"}, Suspend(5, "arbiter")),
        ({"do": "suspend", "reason": "жарық"}, Suspend(5, "жарық")),
        ({"do": "resume"}, Resume(5)),
        ({"do": "end", "score": "1/2-1/2", "reason": "agreed"}, End(5, "1/2-1/2", "agreed")),
        ({"do": "release"}, Release(5)),
        ({"do": "enter", "moves": " 7:6  9-8 "}, Enter(5, ("7:6", "9-8"))),
        ({"do": "enter"}, Enter(5, ())),
        (
            {"do": "adjust", "side": "bastaushy", "seconds": 60, "reason": "2.4.8"},
            Adjust(5, (60_000_000, 0), "2.4.8"),
        ),
        ({"do": "adjust", "side": "qostaushy", "seconds": -1.5}, Adjust(5, (0, -1_500_000), "arbiter")),
        ({"do": "adjust", "side": "both", "seconds": 300}, Adjust(5, (300_000_000,) * 2, "arbiter")),
        ({"do": "adjust", "side": "both", "seconds": 86_400}, Adjust(5, (86_400_000_000,) * 2, "arbiter")),
        (
            {"do": "adjust", "side": "qostaushy", "late": "12m"},
            Late(5, Side.QOSTAUSHY, 720_000_000, "2.7.6"),
        ),
        (
            {"do": "clock", "bastaushy": "12m30s", "reason": "2.7.10"},
            SetClock(5, (750_000_000, None), None, "2.7.10"),
        ),
        (
            {"do": "clock", "qostaushy": "0s", "control": "observed:blitz"},
            SetClock(5, (None, 0), parse_control("observed:7m"), "arbiter"),
        ),
    ],
)
def test_each_word_is_its_command(request_: dict[str, Any], command: Command) -> None:
    """With the table's time, and the reason as given."""
    assert parse_command(request_, 5) == command


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({}, "`None` is no command; known are: status, trace, survey, calibrate, start"),
        ({"do": "fly"}, "`'fly'` is no command"),
        ({"do": "\ud800"}, "is no command"),
        ({"do": "suspend", "reason": "\udcf3"}, "write it in UTF-8"),
        ({"do": "suspend", "reason": "a\nb"}, "write it in UTF-8"),
        ({"do": ["resume"]}, "is no command"),
        ({"do": "assign", "game": "R1/2", "control": "7m"}, "`game` 'R1/2' is no id of a game"),
        ({"do": "assign", "game": "r1", "control": "7m"}, "`seat` None is none of: a, b"),
        ({"do": "assign", "game": "r1", "control": "soon"}, "time control"),
        ({"do": "end"}, "is no result: 1-0, 0-1, 1/2-1/2 or 0-0"),
        ({"do": "end", "score": "2-0"}, "`score` '2-0' is no result"),
        ({"do": "suspend", "reason": 7}, "`reason` is a text"),
        ({"do": "suspend", "reason": "x" * 201}, "at most 200 letters"),
        ({"do": "end", "score": "1-0", "reason": "\udc00"}, "write it in UTF-8"),
        ({"do": "adjust", "seconds": 60}, "`side` None is nobody: bastaushy, qostaushy or both"),
        ({"do": "adjust", "side": ["both"], "seconds": 60}, "`side` ['both'] is nobody"),
        ({"do": "adjust", "side": "all", "late": "5m"}, "`side` 'all' is nobody who is late"),
        ({"do": "adjust", "side": "bastaushy", "late": "5"}, "time"),
        ({"do": "adjust", "side": "bastaushy", "late": 5}, "`late` is a text"),
        ({"do": "adjust", "side": "both"}, "`seconds` None is no time: up to 86400, negative to take it"),
        ({"do": "adjust", "side": "both", "seconds": True}, "`seconds` True is no time"),
        ({"do": "adjust", "side": "both", "seconds": "60"}, "`seconds` '60' is no time"),
        ({"do": "adjust", "side": "both", "seconds": 0}, "`seconds` 0 is no time"),
        ({"do": "adjust", "side": "both", "seconds": float("nan")}, "`seconds` nan is no time"),
        ({"do": "adjust", "side": "both", "seconds": -86_401}, "`seconds` -86401 is no time"),
        ({"do": "adjust", "side": "both", "seconds": 1, "reason": 7}, "`reason` is a text"),
        ({"do": "clock"}, "`clock` needs what it shows: `bastaushy`, `qostaushy` or a `control`"),
        ({"do": "clock", "bastaushy": "12:30"}, "'12:30' is no time: at character 1 expected a time"),
        ({"do": "clock", "control": "7"}, "'7' is no time control: at character 1 expected"),
        ({"do": "clock", "bastaushy": 7}, "`bastaushy` is a text"),
    ],
)
def test_what_is_none_is_refused_with_what_would_be_one(request_: dict[str, Any], told: str) -> None:
    """Nothing reaches the table."""
    with pytest.raises(CommandError) as caught:
        parse_command(request_, 0)
    assert told in str(caught.value)


@pytest.mark.parametrize("word", KNOWN.split(", "))
def test_every_word_that_is_called_known_is_one(word: str) -> None:
    """The first four are answered before anything is a command; some want more words."""
    told = ""
    try:
        parse_command({"do": word}, 0)
    except CommandError as error:
        told = str(error)
    assert ("no command" in told) is (word in {"status", "trace", "survey", "calibrate"})
