"""Holds what the table tells of a fault against what hands have done (pure)."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.bench.expected import due_after, names_of
from firmware_bridge.bench.score import Told
from firmware_bridge.emulator.offences import OffendedPly
from firmware_bridge.layout import PLACES
from rules.events import JSON
from rules.game import InfractionSeen
from rules.infractions.diagnose import Diagnosis

EXACT, ALIKE, SECOND, WRONG = "exact", "alike", "second", "wrong"
"""How a fault was named: as itself; as one of a class that nothing seen tells apart; by the second of the
explanations, or one of its class; not at all."""


def told_of(
    offended: OffendedPly, event: InfractionSeen, found: Sequence[Diagnosis], after_ms: int | None
) -> Told:
    """Return how well an event tells what was done.

    Args:
        offended: What was done.
        event: What the table has told.
        found: All its explanations, the likeliest first.
        after_ms: From the press to the event; None: unknown.
    """
    back = event.evidence.get("to_due")
    return Told(
        faults=event.faults,
        named=_named(names_of(offended), event.faults, found),
        corrected=carried(offended.stones, back) == due_after(offended),
        seen=event.evidence.get("seen") == list(offended.stones),
        after_ms=after_ms,
    )


def _named(names: Sequence[str], faults: Sequence[str], found: Sequence[Diagnosis]) -> str:
    if len(faults) == 1 and faults[0] in names:
        return EXACT
    for nth, one in enumerate(found[:2]):
        lists = one.alike if nth == 0 else (one.faults, *one.alike)
        if any(len(each) == 1 and each[0].fault.value in names for each in lists):
            return SECOND if nth else ALIKE
    return WRONG


def carried(board: Sequence[int], way: JSON) -> tuple[int, ...]:
    """Return the twenty places after the stones were carried as an event's list says; () where it is none."""
    after = list(board)
    if not isinstance(way, list):
        return ()
    for carry in way:
        if not isinstance(carry, list) or len(carry) != 3:
            return ()
        source, target, stones = carry
        assert isinstance(stones, int)
        if isinstance(source, int):
            after[source] -= stones
        if isinstance(target, int):
            after[target] += stones
    return tuple(after[:PLACES])
