"""The ways of each breach of conduct at a ply: hands that touch, presses, stones laid too late."""

from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType

from firmware_bridge.emulator.breaches import Breach
from firmware_bridge.emulator.misplays import Variant, Variants
from firmware_bridge.emulator.strokes import Gap, Work
from rules.position import Side, Sowing, pit_index


def put_back(*, whole: bool, other: bool) -> Variants:
    """Return: stones of a pit are taken up and laid back before the due ply: all of them or some."""

    def one(work: Work, pit: int, stones: int, by: Side) -> None:
        work.take(pit, stones, by=by)
        work.lay(pit, stones, gap=Gap.CARRY, by=by)
        work.play()

    def variants(sowing: Sowing) -> Iterator[Variant]:
        side = sowing.side.opponent if other else sowing.side
        on_way = {pit_index(sowing.side, sowing.number), *sowing.path}
        for number in range(1, 10):
            pit = pit_index(side, number)
            there = sowing.before.pits[pit]
            if whole and there > 1 and number != sowing.number:
                yield partial(one, pit=pit, stones=there, by=side)
            elif not whole and there > 2 and pit not in on_way:
                yield partial(one, pit=pit, stones=min(2, there - 2), by=side)

    return variants


def only_pressed(sowing: Sowing) -> Iterator[Variant]:
    """Yield: nothing but the press."""

    def one(work: Work) -> None:
        work.marked = False
        work.press(sowing.side)

    yield one


def pressed(*, both: bool) -> Variants:
    """Return: after the due ply the other player presses; then the mover too, or not."""

    def one(work: Work) -> None:
        work.play()
        work.mark_now()
        work.press(work.sowing.side.opponent)
        if both:
            work.press(work.sowing.side)

    def variants(_sowing: Sowing) -> Iterator[Variant]:
        yield one

    return variants


def before_press(_sowing: Sowing) -> Iterator[Variant]:
    """Yield: the due ply; the hands let the other player come early."""
    yield Work.play


def capture_late(sowing: Sowing) -> Iterator[Variant]:
    """Yield: what was won goes into the kazan after the press."""

    def one(work: Work) -> None:
        work.sow(sowing.path)
        work.take(sowing.last_index, sowing.captured, gap=Gap.CARRY)
        work.mark_now()
        work.press(sowing.side)
        work.lay(work.own_kazan, sowing.captured, gap=Gap.LATER)

    if sowing.captured:
        yield one


def last_late(sowing: Sowing) -> Iterator[Variant]:
    """Yield: the last stone is laid after the press."""

    def one(work: Work) -> None:
        work.gather()
        for index in sowing.path[:-1]:
            work.lay(work.home(index))
        work.press(sowing.side)
        work.lay(work.home(sowing.last_index), gap=Gap.LATER)

    if not sowing.captured and sowing.stones > 1:
        yield one


VARIANTS: Mapping[Breach, Variants] = MappingProxyType(
    {
        Breach.TOUCH_MOVE_BROKEN: put_back(whole=True, other=False),
        Breach.ADJUSTED_BY_HAND: put_back(whole=False, other=False),
        Breach.ADJUSTED_OUT_OF_TURN: put_back(whole=False, other=True),
        Breach.PRESSED_WITHOUT_MOVE: only_pressed,
        Breach.PRESSED_OUT_OF_TURN: pressed(both=False),
        Breach.BOTH_PRESSED: pressed(both=True),
        Breach.MOVED_BEFORE_PRESS: before_press,
        Breach.CAPTURE_AFTER_PRESS: capture_late,
        Breach.LAST_AFTER_PRESS: last_late,
    }
)
"""What each breach of conduct can look like at a ply."""
