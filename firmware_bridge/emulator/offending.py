"""How hands carry a plan against the rules out, and how they put the board right afterwards."""

from firmware_bridge.emulator.actions import BESIDE, Drop, Lift, PlaceMark, RemoveMark, Touch
from firmware_bridge.emulator.fingers import Fingers
from firmware_bridge.emulator.offences import OffendedPly
from firmware_bridge.emulator.pace import Span
from firmware_bridge.emulator.steps import Motion, Pause
from firmware_bridge.emulator.strokes import Gap, Hold
from rules.position import Side, board_of

LATER_S: Span = (1.0, 2.5)
"""From a press to the stones that were in the hand then: longer than any haste (estimate)."""


def commit(offended: OffendedPly, fingers: Fingers) -> Motion:
    """Do what the plan says, up to the moment of the press."""
    pace = fingers.pace
    spans = {Gap.LIFT: pace.lift_s, Gap.STONE: pace.stone_s, Gap.CARRY: pace.carry_s, Gap.LATER: LATER_S}
    for done, stroke in enumerate(offended.strokes):
        if done == offended.mark_after:
            yield from _mark(offended, fingers)
        yield from _asides(offended, done, fingers)
        channel = fingers.wiring.channel(stroke.place)
        hand = _hand(stroke.hold, stroke.by or offended.sowing.side)
        if stroke.change > 0:
            yield fingers.pause(spans[stroke.gap])
            yield Drop(channel, hand, stroke.change)
        else:
            yield Touch(channel, fingers.firmness())
            yield fingers.pause(spans[stroke.gap])
            yield Lift(channel, hand, -stroke.change)
            yield Touch(channel, 0.0)
    if offended.mark_after == len(offended.strokes):
        yield from _mark(offended, fingers)
    yield from _asides(offended, len(offended.strokes), fingers)
    if any(aside.press is not None for aside in offended.asides):
        return
    if offended.before_press_s is None:
        yield fingers.pause(pace.press_s)
    else:
        yield Pause(offended.before_press_s)


def _asides(offended: OffendedPly, done: int, fingers: Fingers) -> Motion:
    """Press, and lay marks, as far as the plan has it after so many strokes."""
    for aside in offended.asides:
        if aside.after != done:
            continue
        if aside.press is not None:
            yield fingers.pause(fingers.pace.press_s)
            yield from fingers.press(aside.press)
        elif aside.mark is not None:
            yield fingers.pause(fingers.pace.carry_s)
            yield PlaceMark(fingers.wiring.pits[aside.mark])


def mend(offended: OffendedPly, fingers: Fingers) -> Motion:
    """Bring the board into the position that was due, stone by stone where each lies wrongly."""
    side, carry_s = offended.sowing.side, fingers.pace.carry_s
    marked = [aside.mark for aside in offended.asides if aside.mark is not None]
    won = offended.sowing.last_index if offended.sowing.tuzdyk is not None else None
    for pit in marked:
        if pit != won:
            yield fingers.pause(carry_s)
            yield RemoveMark(fingers.wiring.pits[pit])
    hand = _hand(offended.held_by, side)
    held, due = offended.in_hand, board_of(offended.sowing.after)
    owed = [want - there for want, there in zip(due, offended.stones, strict=True)]
    for place, stones in enumerate(owed):
        channel = fingers.wiring.channel(place)
        for _ in range(-stones):
            # What came from beside the board goes back there; the rest is wanted elsewhere.
            into = BESIDE if offended.boxed < 0 and held >= sum(n for n in owed if n > 0) else hand
            yield fingers.pause(carry_s)
            yield Lift(channel, into, 1)
            held += into != BESIDE
    for place, stones in enumerate(owed):
        for _ in range(stones):
            yield fingers.pause(carry_s)
            yield Drop(fingers.wiring.channel(place), hand if held else BESIDE, 1)
            held -= held > 0
    if won is not None and offended.mark_after is None and won not in marked:
        yield from _mark(offended, fingers)


def _mark(offended: OffendedPly, fingers: Fingers) -> Motion:
    yield fingers.pause(fingers.pace.carry_s)
    yield PlaceMark(fingers.wiring.pits[offended.sowing.last_index])


def _hand(hold: Hold, side: Side) -> int:
    return {Hold.SOWING: side.index, Hold.OTHER: side.index + 2, Hold.BESIDE: BESIDE}[hold]
