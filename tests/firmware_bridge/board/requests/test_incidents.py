"""Requests about incidents, as commands."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_bridge.board.incident_inputs import (
    Adjourn,
    AnswerCall,
    AnswerDraw,
    Call,
    CallFlag,
    Close,
    OfferDraw,
    Rule,
    Unseal,
    Warn,
)
from firmware_bridge.board.inputs import Command, Resume
from firmware_bridge.board.requests.commands import KNOWN, parse_command
from firmware_bridge.board.requests.incidents import _PARSERS
from firmware_bridge.board.requests.words import CommandError
from rules.position import START, Side, play
from rules.position_json import position_to_json

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
SEAL = "0f" * 32


@pytest.mark.parametrize(
    ("request_", "command"),
    [
        ({"do": "rule", "decision": "restored"}, Rule(at_us=5, decision="restored")),
        (
            {
                "do": "rule",
                "decision": "corrected",
                "take_back": 2,
                "number": 7,
                "position": position_to_json(play(START, 7).after),
                "dials": ["1m", None],
                "infraction": 3,
                "by": "Сәуле",
                "reason": "94",
            },
            Rule(
                at_us=5,
                decision="corrected",
                take_back=2,
                number=7,
                position=play(START, 7).after,
                dials_us=(60_000_000, None),
                infraction=3,
                by="Сәуле",
                reason="94",
            ),
        ),
        (
            {"do": "close", "infraction": 1, "closing": "dismissed"},
            Close(at_us=5, infraction=1, closing="dismissed"),
        ),
        (
            {"do": "warn", "side": "qostaushy", "level": 2, "article": "1.3.4"},
            Warn(at_us=5, side=Q, level=2, article="1.3.4"),
        ),
        ({"do": "offer_draw", "side": "bastaushy"}, OfferDraw(at_us=5, side=B)),
        (
            {"do": "answer_draw", "side": "qostaushy", "accepted": False},
            AnswerDraw(at_us=5, side=Q, accepted=False),
        ),
        ({"do": "call"}, Call(at_us=5)),
        ({"do": "call", "side": "bastaushy"}, Call(at_us=5, side=B)),
        ({"do": "answer_call", "by": "Сәуле"}, AnswerCall(at_us=5, by="Сәуле")),
        ({"do": "call_flag", "side": "bastaushy"}, CallFlag(at_us=5, side=B)),
        ({"do": "adjourn", "seal": SEAL}, Adjourn(at_us=5, seal=SEAL)),
        ({"do": "unseal", "text": " 9-8 "}, Unseal(at_us=5, text="9-8")),
        ({"do": "resume", "by": "Сәуле"}, Resume(5, by="Сәуле")),
    ],
)
def test_each_word_is_its_command(request_: dict[str, Any], command: Command) -> None:
    """With the table's time, and who gave it."""
    assert parse_command(request_, 5) == command


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({"do": "rule"}, "`decision` None is none of: stands, restored, corrected, set, taken_back"),
        ({"do": "rule", "decision": "set", "take_back": -1}, "`take_back` -1 is no whole number from 0"),
        ({"do": "rule", "decision": "set", "number": 0}, "`number` 0 is no whole number from 1 to 9"),
        ({"do": "rule", "decision": "set", "number": True}, "`number` True is no whole number"),
        ({"do": "rule", "decision": "set", "position": [9] * 18}, "`position` is none to play on: "),
        ({"do": "rule", "decision": "set", "dials": "1m"}, "`dials` '1m' are not two"),
        ({"do": "rule", "decision": "set", "dials": ["soon", None]}, "soon"),
        ({"do": "rule", "decision": "set", "by": 7}, "`by` is a text of at most 200 letters"),
        ({"do": "close", "closing": "dismissed"}, "`infraction` None is no whole number from 1"),
        ({"do": "warn", "side": "both", "level": 1}, "`side` 'both' is nobody"),
        ({"do": "warn", "side": "qostaushy", "level": 6}, "`level` 6 is no whole number from 1 to 5"),
        ({"do": "answer_draw", "side": "qostaushy"}, "`accepted` None is neither true nor false"),
        ({"do": "call", "side": "arbiter"}, "`side` 'arbiter' is nobody"),
        ({"do": "adjourn", "seal": "7:6"}, "`seal` '7:6' is no seal: 64 hexadecimal digits"),
        ({"do": "unseal", "text": " "}, "`text` is empty"),
        ({"do": ["rule"]}, "is no command; known are: "),
    ],
)
def test_what_is_no_command_is_refused(request_: dict[str, Any], told: str) -> None:
    """Naming the word that is wrong, and what would be right."""
    with pytest.raises(CommandError) as caught:
        parse_command(request_, 5)
    assert told in str(caught.value)


def test_every_word_is_said_to_be_known() -> None:
    """Nobody has to read the source."""
    assert set(_PARSERS) <= set(KNOWN.split(", "))
