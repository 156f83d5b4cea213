"""What an infraction of a board is called by the law of conduct: from its codes to offences.

A board names what was done to stones and clock (`rules.infractions.kinds.Fault`). What people said or wrote
against the rules stands in its journal by the code of the offence itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rules.conduct.offences import Offence
from rules.infractions.kinds import ARTICLES, Fault, fault_of

OF_PEOPLE: Final = frozenset(
    {
        Offence.REPEATED_DRAW_OFFER,
        Offence.STOPPED_CLOCK_GROUNDLESSLY,
        Offence.SEALED_MOVE_NOT_PLAYED,
        Offence.SEALED_MOVE_BAD,
    }
)
"""Infractions that no stones tell: their codes are those of the offences."""

_OF_HANDS: Final[Mapping[Fault, Offence]] = MappingProxyType(
    {
        Fault.TOUCH_MOVE_BROKEN: Offence.TOUCH_MOVE,
        Fault.ADJUSTED_BY_HAND: Offence.ADJUSTED_BY_HAND,
        Fault.ADJUSTED_OUT_OF_TURN: Offence.ADJUSTED_OUT_OF_TURN,
        Fault.PRESSED_WITHOUT_MOVE: Offence.PRESSED_WITHOUT_MOVE,
        Fault.PRESSED_OUT_OF_TURN: Offence.PRESSED_WITHOUT_MOVE,
        Fault.BOTH_PRESSED: Offence.PRESSED_WITHOUT_MOVE,
        Fault.MOVED_BEFORE_PRESS: Offence.MOVED_BEFORE_PRESS,
        Fault.STONES_IN_HAND: Offence.STONES_IN_HAND,
    }
)
"""What hands did to stones that lie right all the same, and to the clock."""

_OF_STONES: Final[Mapping[str, Offence]] = MappingProxyType(
    {
        "1.3.2": Offence.ILLEGAL_CAPTURE,
        "1.1.2": Offence.ILLEGAL_CAPTURE,
        "1.4.1": Offence.ILLEGAL_TUZDYK,
        "1.4.3": Offence.ILLEGAL_TUZDYK,
        "1.4.2": Offence.STONES_IN_TUZDYK,
    }
)
"""What stones that lie wrong are called, by the first article offended against; else an illegal sowing."""

SOWINGS: Final = frozenset({Offence.ILLEGAL_SOWING, *_OF_STONES.values()})
"""The offences for which an event has a policy (requirement 94)."""


def offence_of(code: str) -> Offence:
    """Return what the law of conduct calls an infraction; an illegal sowing where the code is not known."""
    people = next((offence for offence in OF_PEOPLE if offence.value == code), None)
    if people is not None:
        return people
    fault = fault_of(code)
    if fault is None:
        return Offence.ILLEGAL_SOWING
    return _OF_HANDS.get(fault) or _OF_STONES.get(ARTICLES[fault][0], Offence.ILLEGAL_SOWING)


def by_people(faults: Sequence[str]) -> bool:
    """Return whether words or a seal tell an infraction, and no stones: only an arbiter puts that right."""
    return bool(faults) and offence_of(faults[0]) in OF_PEOPLE
