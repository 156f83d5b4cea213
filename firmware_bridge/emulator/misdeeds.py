"""The ways of each breach at a ply, as things to do with `Work`; see `misplays` for those of the offences."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from firmware_bridge.emulator import misconduct
from firmware_bridge.emulator.breaches import Breach
from firmware_bridge.emulator.misplays import Variant, Variants, not_taken
from firmware_bridge.emulator.strokes import KAZANS, Gap, Hold, Work
from firmware_bridge.layout import PITS
from rules.position import Side, Sowing, apply, legal_moves, number_of, pit_index, side_of, tuzdyk_owner

MOST_SWEPT = 60
"""Most stones that are gathered from the whole board: more would take a player minutes."""

SINGLE_STEPS = (2, 3, -1, -2)
"""How far a single stone is moved instead of one pit."""


def _next(index: int, step: int = 1) -> int:
    return (index + step) % PITS


def _lay_along(work: Work, start: int, stones: int) -> None:
    """Lay so many stones one by one from a pit on; a tuzdyk's go to its owner's kazan."""
    for nth in range(stones):
        work.lay(work.home(_next(start, nth)))


def _play_whole(work: Work, sowing: Sowing, by: Side | None = None) -> None:
    """Play a ply that is not the due one, from the board as it lies."""
    work.take(pit_index(sowing.side, sowing.number), sowing.stones, by=by)
    for index in sowing.path:
        work.lay(work.home(index), by=by)
    if sowing.captured:
        work.take(sowing.last_index, sowing.captured, gap=Gap.CARRY, by=by)
        work.lay(KAZANS + sowing.side.index, sowing.captured, gap=Gap.CARRY, by=by)


# --- sowings ----------------------------------------------------------------------------------------


def single(sowing: Sowing) -> Iterator[Variant]:
    """Yield: a single stone two or three pits on, or backwards."""

    def one(work: Work, step: int) -> None:
        work.marked = False
        work.gather()
        work.lay(work.home(_next(pit_index(sowing.side, sowing.number), step)))

    if sowing.stones == 1:
        for step in SINGLE_STEPS:
            yield partial(one, step=step)


def two_pits(sowing: Sowing) -> Iterator[Variant]:
    """Yield: each other own pit taken up after the due one, all sown from there on."""
    origin = pit_index(sowing.side, sowing.number)

    def one(work: Work, other: int) -> None:
        work.marked = False
        stones = work.stones[other]
        work.gather()
        work.take(other, stones)
        _lay_along(work, origin, sowing.stones + stones)

    for number in range(1, 10):
        other = pit_index(sowing.side, number)
        if other != origin and sowing.before.pits[other]:
            yield partial(one, other=other)


def part(sowing: Sowing) -> Iterator[Variant]:
    """Yield: two stones or more of the pit sown from it on, but not all."""
    origin = pit_index(sowing.side, sowing.number)

    def one(work: Work, stones: int) -> None:
        work.marked = False
        work.take(origin, stones)
        _lay_along(work, origin, stones)

    for stones in range(2, sowing.stones):
        yield partial(one, stones=stones)


def dropped_together(sowing: Sowing) -> Iterator[Variant]:
    """Yield: the last two or three stones fall into the pit before them at once."""

    def one(work: Work, together: int) -> None:
        work.marked = False
        work.gather()
        for index in sowing.path[: -together - 1]:
            work.lay(work.home(index))
        work.lay(work.home(sowing.path[-together - 1]), together + 1)

    for together in (1, 2):
        if sowing.stones > together + 1:
            yield partial(one, together=together)


def opponents_pit(sowing: Sowing) -> Iterator[Variant]:
    """Yield: each pit of the other row, sown by the player to move; nothing is taken."""

    def one(work: Work, pit: int) -> None:
        work.marked = False
        stones = work.stones[pit]
        work.take(pit, stones)
        _lay_along(work, pit if stones > 1 else _next(pit), stones)

    for number in range(1, 10):
        pit = pit_index(sowing.side.opponent, number)
        if sowing.before.pits[pit]:
            yield partial(one, pit=pit)


def out_of_turn(sowing: Sowing) -> Iterator[Variant]:
    """Yield: each ply of the other player, who presses then."""
    turned = replace(sowing.before, to_move=sowing.side.opponent)

    def one(work: Work, number: int) -> None:
        other = apply(turned, number)
        work.marked = False
        work.feasible = work.feasible and other.tuzdyk is None
        _play_whole(work, other, by=other.side)
        work.press(other.side)

    for number in legal_moves(turned):
        yield partial(one, number=number)


def twice(sowing: Sowing) -> Iterator[Variant]:
    """Yield: a second ply of the same player after the due one."""
    again = replace(sowing.after, to_move=sowing.side)

    def one(work: Work, number: int) -> None:
        second = apply(again, number)
        work.feasible = work.feasible and second.tuzdyk is None
        work.play()
        _play_whole(work, second)

    if sowing.tuzdyk is None:
        for number in legal_moves(again):
            yield partial(one, number=number)


# --- captures and tuzdyks ----------------------------------------------------------------------------


def wrong_pit(sowing: Sowing) -> Iterator[Variant]:
    """Yield: a pit beside the last one is emptied, and what was won is left."""

    def one(work: Work, pit: int) -> None:
        work.marked = False
        work.sow(sowing.path)
        work.feasible = work.feasible and work.stones[pit] > 0
        work.carry(pit, work.stones[pit], work.own_kazan)

    if sowing.captured:
        for step in (1, -1):
            pit = _next(sowing.last_index, step)
            if tuzdyk_owner(pit, sowing.before.tuzdyks) is None and side_of(pit) is not sowing.side:
                yield partial(one, pit=pit)


def capture_kept(sowing: Sowing) -> Iterator[Variant]:
    """Yield: what was won is taken up and kept."""

    def one(work: Work) -> None:
        work.marked = False
        work.sow(sowing.path)
        work.take(sowing.last_index, sowing.captured, gap=Gap.CARRY)

    if sowing.captured:
        yield one


def claimed(allowed: Callable[[Sowing], bool]) -> Variants:
    """Return: three stones that win nothing are taken and a mark is laid, where `allowed`."""

    def one(work: Work) -> None:
        last = work.sowing.last_index
        work.sow(work.sowing.path)
        work.carry(last, 3, work.own_kazan)
        if None in work.sowing.before.tuzdyks:  # there are two marks, one for each player
            work.lay_mark(last)

    def variants(sowing: Sowing) -> Iterator[Variant]:
        last = sowing.last_index
        free = tuzdyk_owner(last, sowing.before.tuzdyks) is None
        three = free and not sowing.captured and sowing.after.pits[last] == 3
        if three and side_of(last) is not sowing.side and allowed(sowing):
            yield one

    return variants


def _on_nine(sowing: Sowing) -> bool:
    return number_of(sowing.last_index) == 9


def _has_one(sowing: Sowing) -> bool:
    return sowing.before.tuzdyks[sowing.side.index] is not None


def not_claimed(sowing: Sowing) -> Iterator[Variant]:
    """Yield: the three stones of a tuzdyk are left."""
    return not_taken(sowing) if sowing.tuzdyk is not None else iter(())


def not_marked(sowing: Sowing) -> Iterator[Variant]:
    """Yield: the tuzdyk that is won gets no mark."""

    def one(work: Work) -> None:
        work.marked = False
        work.play()

    if sowing.tuzdyk is not None:
        yield one


def mark_wrong(sowing: Sowing) -> Iterator[Variant]:
    """Yield: a mark on each pit of the other row that is no tuzdyk, after the due ply."""

    def one(work: Work, pit: int) -> None:
        work.marked = False
        work.play()
        work.lay_mark(pit)

    for number in range(1, 10):
        pit = pit_index(sowing.side.opponent, number)
        if tuzdyk_owner(pit, sowing.after.tuzdyks) is None and None in sowing.after.tuzdyks:
            yield partial(one, pit=pit)


def not_delivered(sowing: Sowing) -> Iterator[Variant]:
    """Yield: each stone for a tuzdyk is kept."""

    def one(work: Work, kept: int) -> None:
        work.gather()
        for nth, index in enumerate(sowing.path):
            if nth != kept:
                work.lay(work.home(index))
        work.capture()

    for nth, index in enumerate(sowing.path):
        if tuzdyk_owner(index, sowing.before.tuzdyks) is not None:
            yield partial(one, kept=nth)


# --- stones carried about ------------------------------------------------------------------------------


def kazan_to_pit(_sowing: Sowing) -> Iterator[Variant]:
    """Yield: one or two stones of either kazan into each pit that is no tuzdyk."""

    def one(work: Work, kazan: int, pit: int, stones: int) -> None:
        work.play()
        work.feasible = work.feasible and work.home(pit) == pit
        work.carry(kazan, stones, pit, Hold.OTHER)

    for kazan in (KAZANS, KAZANS + 1):
        for pit in range(PITS):
            for stones in (1, 2):
                yield partial(one, kazan=kazan, pit=pit, stones=stones)


def swept(sowing: Sowing) -> Iterator[Variant]:
    """Yield: all stones of the pits into either kazan, after the due ply."""

    def one(work: Work, kazan: int) -> None:
        work.play()
        for pit in range(PITS):
            if work.stones[pit]:
                work.carry(pit, work.stones[pit], kazan)

    if sum(sowing.after.pits) <= MOST_SWEPT:
        for kazan in (KAZANS, KAZANS + 1):
            yield partial(one, kazan=kazan)


def displaced_several(sowing: Sowing) -> Iterator[Variant]:
    """Yield: two or three stones of each pit to either neighbour, after the due ply."""

    def one(work: Work, pit: int, step: int, stones: int) -> None:
        work.play()
        work.feasible = work.feasible and work.home(_next(pit, step)) == _next(pit, step)
        work.carry(pit, stones, _next(pit, step), Hold.OTHER)

    for pit in range(PITS):
        for stones in (2, 3):
            if sowing.after.pits[pit] >= stones:
                yield partial(one, pit=pit, step=1, stones=stones)
                yield partial(one, pit=pit, step=-1, stones=stones)


def foreign_stone(_sowing: Sowing) -> Iterator[Variant]:
    """Yield: a stone from beside the board into each pit, after the due ply."""

    def one(work: Work, pit: int) -> None:
        work.play()
        work.feasible = work.feasible and work.home(pit) == pit
        work.lay(pit, 1, Hold.BESIDE, Gap.CARRY)

    for pit in range(PITS):
        yield partial(one, pit=pit)


VARIANTS: Mapping[Breach, Variants] = MappingProxyType(
    {
        Breach.SINGLE_MISMOVED: single,
        Breach.TWO_PITS_SOWN: two_pits,
        Breach.PART_TAKEN: part,
        Breach.DROPPED_TOGETHER: dropped_together,
        Breach.OPPONENTS_PIT: opponents_pit,
        Breach.OUT_OF_TURN: out_of_turn,
        Breach.MOVED_TWICE: twice,
        Breach.CAPTURED_WRONG_PIT: wrong_pit,
        Breach.CAPTURE_KEPT: capture_kept,
        Breach.TUZDYK_ON_NINE: claimed(_on_nine),
        Breach.TUZDYK_SAME_NUMBER: claimed(lambda sowing: not _on_nine(sowing) and not _has_one(sowing)),
        Breach.TUZDYK_SECOND: claimed(lambda sowing: not _on_nine(sowing) and _has_one(sowing)),
        Breach.TUZDYK_NOT_CLAIMED: not_claimed,
        Breach.TUZDYK_NOT_MARKED: not_marked,
        Breach.TUZDYK_MARK_WRONG: mark_wrong,
        Breach.TUZDYK_NOT_DELIVERED: not_delivered,
        Breach.KAZAN_TO_PIT: kazan_to_pit,
        Breach.SWEPT: swept,
        Breach.DISPLACED_SEVERAL: displaced_several,
        Breach.FOREIGN_STONE: foreign_stone,
        **misconduct.VARIANTS,
    }
)
"""What each breach can look like at a ply."""
