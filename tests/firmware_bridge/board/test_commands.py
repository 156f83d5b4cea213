"""Requests from the control socket, as commands."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_bridge.board.commands import CommandError, parse_command
from firmware_bridge.board.inputs import Command, End, Enter, Release, Resume, Start, Suspend


@pytest.mark.parametrize(
    ("request_", "command"),
    [
        ({"do": "start"}, Start(5)),
        ({"do": "suspend"}, Suspend(5, "arbiter")),
        ({"do": "suspend", "reason": "жарық"}, Suspend(5, "жарық")),
        ({"do": "resume"}, Resume(5)),
        ({"do": "end", "score": "1/2-1/2", "reason": "agreed"}, End(5, "1/2-1/2", "agreed")),
        ({"do": "release"}, Release(5)),
        ({"do": "enter", "moves": " 7:6  9-8 "}, Enter(5, ("7:6", "9-8"))),
        ({"do": "enter"}, Enter(5, ())),
    ],
)
def test_each_word_is_its_command(request_: dict[str, Any], command: Command) -> None:
    """With the table's time, and the reason as given."""
    assert parse_command(request_, 5) == command


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({}, "`None` is no command; known are: status, start"),
        ({"do": "fly"}, "`'fly'` is no command"),
        ({"do": "\ud800"}, "is no command"),
        ({"do": "suspend", "reason": "\udcf3"}, "write it in UTF-8"),
        ({"do": "suspend", "reason": "a\nb"}, "write it in UTF-8"),
        ({"do": ["resume"]}, "is no command"),
        ({"do": "end"}, "is no result: 1-0, 0-1 or 1/2-1/2"),
        ({"do": "end", "score": "2-0"}, "`score` '2-0' is no result"),
        ({"do": "suspend", "reason": 7}, "`reason` is a text"),
        ({"do": "suspend", "reason": "x" * 201}, "at most 200 letters"),
        ({"do": "end", "score": "1-0", "reason": "\udc00"}, "write it in UTF-8"),
    ],
)
def test_what_is_none_is_refused_with_what_would_be_one(request_: dict[str, Any], told: str) -> None:
    """Nothing reaches the table."""
    with pytest.raises(CommandError) as caught:
        parse_command(request_, 0)
    assert told in str(caught.value)
