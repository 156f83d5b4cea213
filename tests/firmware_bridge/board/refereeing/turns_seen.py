"""Turns as they would have been seen: strokes with their moments, in milliseconds of table time."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.board.hands.events import Amount, Banked, Captured, Fell, Lifted, Seen, Turn, When
from rules.position import Position, Side, Sowing, pit_index, play, tuzdyk_owner

FIRST, SECOND = Side
SPAN_MS = 70

TUZDYK = play(Position((2, 2, *(9,) * 7, 4, *(9,) * 7, 1), (14, 7), (None, None), SECOND), 9)
"""Qostaushy's last pit wins bastaushy's first for a tuzdyk."""

Stroke = tuple[int, int, int]
"""When in ms, at which place, how many stones."""


def when(at_ms: int, span_ms: int = SPAN_MS) -> When:
    """Return a moment that is known to `span_ms`."""
    return When(at_ms * 1000, (at_ms - span_ms) * 1000, (at_ms + span_ms) * 1000)


def turn(
    side: Side,
    lifted: Sequence[Stroke] = (),
    fell: Sequence[Stroke] = (),
    captured: Sequence[Stroke] = (),
    banked: Sequence[tuple[int, Side, int]] = (),
    in_hand: int = 0,
) -> Turn:
    """Return what hands did in one turn."""
    return Turn(
        side=side,
        lifted=tuple(Lifted(when(ms), side, place, Amount(n, n, n)) for ms, place, n in lifted),
        fell=tuple(Fell(when(ms), side, place, Amount(n, n, n)) for ms, place, n in fell),
        taken_up=(),
        captured=tuple(Captured(when(ms), side, place, Amount(n, n, n)) for ms, place, n in captured),
        banked=tuple(Banked(when(ms), side, kazan, Amount(n, n, n), None) for ms, kazan, n in banked),
        in_hand=in_hand,
        carried=0,
        since_us=None,
        early=False,
    )


def seen(*turns: Turn) -> Seen:
    """Return turns as all that was seen."""
    none: frozenset[int] = frozenset()
    return Seen(-10_000_000, turns, touched=none, resting=none, unseen=none, moving=none)


def played(sowing: Sowing, begin_ms: int, every_ms: int = 200, *, taken: bool = True) -> Turn:
    """Return a ply as hands play it; without `taken` nothing is captured."""
    origin = pit_index(sowing.side, sowing.number)
    falls: list[Stroke] = []
    banked: list[tuple[int, Side, int]] = []
    at_ms = begin_ms
    for place in sowing.path:
        at_ms += every_ms
        owner = tuzdyk_owner(place, sowing.before.tuzdyks)
        if owner is None:
            falls.append((at_ms, place, 1))
        else:
            banked.append((at_ms, owner, 1))
    captured: list[Stroke] = []
    if sowing.captured and taken:
        captured.append((at_ms + every_ms, sowing.last_index, sowing.captured))
        banked.append((at_ms + 2 * every_ms, sowing.side, sowing.captured))
    return turn(sowing.side, [(begin_ms, origin, sowing.stones)], falls, captured, banked)
