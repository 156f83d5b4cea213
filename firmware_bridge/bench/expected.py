"""What is to be told of each offence, and what the board should have been (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from firmware_bridge.emulator.breaches import Breach
from firmware_bridge.emulator.offences import Kind, Offence, OffendedPly
from rules.infractions.kinds import Fault
from rules.position import apply, board_of, number_of

KINDS: Mapping[str, Kind] = MappingProxyType({each.value: each for each in (*Offence, *Breach)})
"""All kinds of injected faults by name; no two have the same."""

_NAMES: Mapping[Kind, tuple[Fault, ...]] = MappingProxyType(
    {
        Offence.NEIGHBOUR: (Fault.STONE_IN_NEIGHBOUR, Fault.SINGLE_MISMOVED),
        Offence.KEPT_IN_HAND: (Fault.STONES_IN_HAND,),
        Offence.OFF_BOARD: (Fault.STONE_LOST,),
        Offence.EXTRA_FROM_BOX: (Fault.FOREIGN_OBJECT,),
        Offence.EXTRA_FROM_PIT: (Fault.STONE_FROM_OTHER_PIT,),
        Offence.CAPTURED_OWN: (Fault.CAPTURED_OWN_SIDE,),
        Offence.CAPTURED_ONE_FEWER: (Fault.CAPTURED_TOO_FEW,),
        Offence.CAPTURED_ONE_MORE: (Fault.CAPTURED_TOO_MANY,),
        Offence.CAPTURED_TO_OPPONENT: (Fault.CAPTURE_TO_OPPONENT,),
        Offence.LEFT_IN_TUZDYK: (Fault.TUZDYK_STONES_LEFT,),
        Offence.TUZDYK_TO_WRONG_KAZAN: (Fault.TUZDYK_WRONG_KAZAN,),
        Offence.KAZAN_ONE: (Fault.KAZAN_SHIFTED,),
        Offence.KAZAN_SEVERAL: (Fault.KAZAN_SHIFTED,),
        Offence.SKIPPED_PIT: (Fault.STONE_SKIPPED,),
        Offence.ONE_SHORT: (Fault.SOWN_SHORT,),
        Offence.ONE_PAST: (Fault.SOWN_PAST_END, Fault.SINGLE_MISMOVED),
        Offence.MOVED_AFTERWARDS: (Fault.STONES_DISPLACED,),
        Offence.BANKED_AFTERWARDS: (Fault.KAZAN_ADDED,),
        Offence.PALMED_AFTERWARDS: (Fault.KAZAN_TAKEN,),
        Breach.DROPPED_TOGETHER: (Fault.SOWN_SHORT,),
        Breach.KAZAN_TO_PIT: (Fault.KAZAN_TAKEN,),
        Breach.SWEPT: (Fault.SWEPT_WITHOUT_RIGHT,),
        Breach.DISPLACED_SEVERAL: (Fault.STONES_DISPLACED,),
        Breach.FOREIGN_STONE: (Fault.FOREIGN_OBJECT,),
        Breach.CAPTURE_AFTER_PRESS: (Fault.STONES_IN_HAND,),
        Breach.LAST_AFTER_PRESS: (Fault.STONES_IN_HAND,),
    }
)
"""The names of kinds that are not called as the fault is."""

_NOTHING_DUE = frozenset({Breach.OPPONENTS_PIT, Breach.OUT_OF_TURN, Breach.PRESSED_WITHOUT_MOVE})
"""Kinds after which the position before stands: no sowing of the player to move is to be finished."""


def names_of(offended: OffendedPly) -> tuple[str, ...]:
    """Return the codes of faults, each of which names exactly what was done."""
    kind = offended.offence
    if kind is Offence.CAPTURE_NOT_TAKEN and offended.sowing.tuzdyk is not None:
        return (Fault.TUZDYK_NOT_CLAIMED.value,)
    if _whole_first(offended):
        return (Fault.TWO_PITS_SOWN.value, Fault.STONE_FROM_OTHER_PIT.value)
    if kind is Offence.WRONG_WAY and offended.sowing.stones == 1:
        return (Fault.WRONG_WAY.value, Fault.SINGLE_MISMOVED.value)
    return tuple(fault.value for fault in _NAMES.get(kind) or (Fault(kind.value),))


def due_after(offended: OffendedPly) -> tuple[int, ...]:
    """Return the stones of the twenty places that the correction has to lead to."""
    before = offended.sowing.before
    if offended.offence in _NOTHING_DUE:
        return board_of(before)
    if offended.offence is Breach.TOUCH_MOVE_BROKEN or _whole_first(offended):
        return board_of(apply(before, number_of(offended.strokes[0].place)).after)
    return board_of(offended.sowing.after)


def _whole_first(offended: OffendedPly) -> bool:
    """Return whether what was sown along was a whole pit: the first that is taken up obliges (1.3.4)."""
    first = offended.strokes[0].place if offended.strokes else 0
    return offended.offence is Offence.EXTRA_FROM_PIT and offended.sowing.before.pits[first] == 1


def counts_or_presses_differ(offended: OffendedPly) -> bool:
    """Return whether stones or presses are others than due: then the board has to detect it."""
    return not offended.as_due or offended.presses != (offended.sowing.side,)
