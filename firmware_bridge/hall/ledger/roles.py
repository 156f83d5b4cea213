"""Who may do what: the offices of 2.4.2 and what 2.4.11 to 2.4.15 give to each. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final


class Role(Enum):
    """An office (2.4.2); the value is the key of a text."""

    CHIEF = "chief"
    """Chief arbiter: oversees pairing, decides disputes on the rules (2.4.11)."""
    DEPUTY = "deputy"
    """His deputy: pairs (2.4.12)."""
    SECRETARY = "secretary"
    """Chief secretary: sets clocks, fills the table (2.4.13)."""
    DEPUTY_SECRETARY = "deputy_secretary"
    """His deputy: receives results, writes protocols (2.4.14)."""
    LINE = "line"
    """Line arbiter: watches time, submits results (2.4.15)."""


class Right(Enum):
    """Something that can be allowed."""

    RULE = "rule"
    """To decide at a board: stones, stops, calls, offers, warnings up to the fourth."""
    CLOCK = "clock"
    """To give, take or set time (2.4.8, 2.4.13)."""
    PAIR = "pair"
    """To load pairings, assign games, flip seats (2.4.11, 2.4.12)."""
    START = "start"
    """To start the clocks of a round (2.7.5)."""
    START_ONE = "start_one"
    """To start one pair that is ready (2.9.4)."""
    SUBMIT = "submit"
    """To end a game with a result, and to confirm what the board proposes (2.4.15)."""
    ACCEPT = "accept"
    """To make a result official (2.4.13, 2.4.14)."""
    RELEASE = "release"
    """To free a board whose game is over."""
    PANEL = "panel"
    """What is for the chief panel: to adjourn (2.8.1), the fifth warning and the penalties of 2.4.7."""
    ARBITERS = "arbiters"
    """To write down what the chief arbiter and the appeals committee impose on an arbiter (2.4.8)."""
    REGISTER = "register"
    """To write down who has entered (2.4.14)."""


_LINE: Final = frozenset({Right.RULE, Right.CLOCK, Right.START_ONE, Right.SUBMIT, Right.RELEASE})
_SECRETARY: Final = frozenset({Right.SUBMIT, Right.ACCEPT, Right.RELEASE, Right.REGISTER})

RIGHTS: Final[Mapping[Role, frozenset[Right]]] = MappingProxyType(
    {
        Role.CHIEF: frozenset(Right),
        Role.DEPUTY: frozenset(Right) - {Right.ARBITERS},
        Role.SECRETARY: _SECRETARY | {Right.CLOCK},
        Role.DEPUTY_SECRETARY: _SECRETARY,
        Role.LINE: _LINE,
    }
)
"""What each office may do; everybody who has an account may look at everything."""
