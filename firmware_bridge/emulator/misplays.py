"""The ways of each offence at a ply: which stone, which pit, which side, as things to do with `Work`.

A variant may turn out to lack stones, or to end on the very board that was due: whoever carries it out looks.
"""

from collections.abc import Callable, Iterator
from functools import partial

from firmware_bridge.emulator.strokes import KAZANS, Gap, Hold, Work
from firmware_bridge.layout import PITS
from rules.position import Sowing, pit_index, side_of, tuzdyk_owner

Variant = Callable[[Work], None]
Variants = Callable[[Sowing], Iterator[Variant]]


def _next(index: int, step: int = 1) -> int:
    return (index + step) % PITS


def _on_way(work: Work, way: tuple[int, ...], *, capture: bool) -> None:
    """Sow another way than the due one; take the last pit if asked to and its count allows it."""
    work.marked = False
    work.sow(way)
    if not capture:
        return
    last = way[-1]
    stones = work.stones[last]
    wins = side_of(last) is not work.sowing.side and work.home(last) == last and stones % 2 == 0
    work.feasible = work.feasible and wins
    work.carry(last, stones, work.own_kazan)


def _ways(*ways: tuple[int, ...]) -> Iterator[Variant]:
    for way in ways:
        yield partial(_on_way, way=way, capture=False)
        yield partial(_on_way, way=way, capture=True)


def neighbour(sowing: Sowing) -> Iterator[Variant]:
    """Yield: each stone of the sowing into the pit before or after its own."""

    def one(work: Work, nth: int, step: int) -> None:
        places = [work.home(index) for index in sowing.path]
        places[nth] = _next(sowing.path[nth], step)
        work.gather()
        for place in places:
            work.lay(place)
        work.capture()

    for nth in range(len(sowing.path)):
        yield partial(one, nth=nth, step=1)
        yield partial(one, nth=nth, step=-1)


def stolen(hold: Hold) -> Variants:
    """Return: one stone of some pit gone into a hand, before the ply or after it."""

    def one(work: Work, pit: int, *, first: bool) -> None:
        if first:
            work.take(pit, 1, hold)
        work.play()
        if not first:
            work.take(pit, 1, hold)

    def variants(_sowing: Sowing) -> Iterator[Variant]:
        for pit in range(PITS):
            yield partial(one, pit=pit, first=True)
            yield partial(one, pit=pit, first=False)

    return variants


def extra_from_box(sowing: Sowing) -> Iterator[Variant]:
    """Yield: one stone more for each pit on the way."""

    def one(work: Work, nth: int) -> None:
        work.gather()
        for n, index in enumerate(sowing.path):
            work.lay(work.home(index))
            if n == nth:
                work.lay(work.home(index), 1, Hold.BESIDE)
        work.capture()

    for nth in range(len(sowing.path)):
        yield partial(one, nth=nth)


def extra_from_pit(sowing: Sowing) -> Iterator[Variant]:
    """Yield: one stone of each other own pit sown along."""

    def one(work: Work, pit: int) -> None:
        work.take(pit, 1)
        work.marked = False
        work.sow((*sowing.path, _next(sowing.last_index)))

    for number in range(1, 10):
        if number != sowing.number:
            yield partial(one, pit=pit_index(sowing.side, number))


def captured(sowing: Sowing, taken: int, *, to_other: bool = False, more: bool = False) -> Iterator[Variant]:
    """Yield: `taken` stones of the last pit carried off, with one of a pit beside or to the other side."""

    def one(work: Work, step: int) -> None:
        work.marked = work.marked and taken == sowing.captured
        work.sow(sowing.path)
        kazan = work.other_kazan if to_other else work.own_kazan
        work.take(sowing.last_index, taken, gap=Gap.CARRY)
        if more:
            work.take(_next(sowing.last_index, step), 1)
        work.lay(kazan, taken + more, gap=Gap.CARRY)

    if sowing.captured and taken:
        yield partial(one, step=1)
        yield partial(one, step=-1)


def not_taken(sowing: Sowing) -> Iterator[Variant]:
    """Yield: nothing is captured."""
    if sowing.captured:
        yield partial(_on_way, way=sowing.path, capture=False)


def wrongly(*, own: bool) -> Variants:
    """Return: the last pit emptied where the rules give nothing, in the own row or the opponent's."""

    def one(work: Work) -> None:
        last = work.sowing.last_index
        work.sow(work.sowing.path)
        work.carry(last, work.stones[last], work.own_kazan)

    def variants(sowing: Sowing) -> Iterator[Variant]:
        last = sowing.last_index
        free = tuzdyk_owner(last, sowing.before.tuzdyks) is None
        if free and not sowing.captured and own == (side_of(last) is sowing.side):
            yield one

    return variants


def tuzdyk(*, wrong_kazan: bool) -> Variants:
    """Return: each stone of a tuzdyk left in it, or put into the wrong kazan."""

    def one(work: Work, nth: int) -> None:
        work.gather()
        for n, index in enumerate(work.sowing.path):
            home = work.home(index)
            if n == nth:
                home = 2 * KAZANS + 1 - home if wrong_kazan else index
            work.lay(home)
        work.capture()

    def variants(sowing: Sowing) -> Iterator[Variant]:
        for nth, index in enumerate(sowing.path):
            if tuzdyk_owner(index, sowing.before.tuzdyks) is not None:
                yield partial(one, nth=nth)

    return variants


def between_kazans(fewest: int, most: int) -> Variants:
    """Return: so many stones from either kazan to the other."""

    def one(work: Work, stones: int, source: int) -> None:
        work.play()
        work.carry(source, stones, 2 * KAZANS + 1 - source)

    def variants(_sowing: Sowing) -> Iterator[Variant]:
        for stones in range(fewest, most + 1):
            yield partial(one, stones=stones, source=KAZANS)
            yield partial(one, stones=stones, source=KAZANS + 1)

    return variants


def wrong_way(sowing: Sowing) -> Iterator[Variant]:
    """Yield: sown clockwise."""
    origin = pit_index(sowing.side, sowing.number)
    start = origin if sowing.stones > 1 else _next(origin, -1)
    return _ways(tuple(_next(start, -nth) for nth in range(sowing.stones)))


def first_not_left(sowing: Sowing) -> Iterator[Variant]:
    """Yield: sown from the next pit on."""
    if sowing.stones > 1:
        yield from _ways(tuple(_next(index) for index in sowing.path))


def skipped(sowing: Sowing) -> Iterator[Variant]:
    """Yield: each pit on the way but the first and the last passed over."""
    path = sowing.path
    for nth in range(1, len(path) - 1):
        yield from _ways(path[:nth] + tuple(_next(index) for index in path[nth:]))


def two_in_one(sowing: Sowing) -> Iterator[Variant]:
    """Yield: two stones in each pit on the way but the last."""
    path = sowing.path
    for nth in range(len(path) - 1):
        yield from _ways((*path[: nth + 1], *path[nth:-1]))


def one_short(sowing: Sowing) -> Iterator[Variant]:
    """Yield: the last stone kept, or banked."""

    def one(work: Work, *, banked: bool) -> None:
        work.marked = False
        work.sow(sowing.path[:-1])
        if banked:
            work.lay(work.own_kazan, gap=Gap.CARRY)

    yield partial(one, banked=False)
    yield partial(one, banked=True)


def one_past(sowing: Sowing) -> Iterator[Variant]:
    """Yield: the last stone laid one pit further on."""
    return _ways((*sowing.path[:-1], _next(sowing.last_index)))


def moved_afterwards(sowing: Sowing) -> Iterator[Variant]:
    """Yield: each pit's stone to either neighbour, after the due ply."""

    def one(work: Work, pit: int, step: int) -> None:
        work.play()
        work.carry(pit, 1, _next(pit, step), Hold.OTHER)

    for pit in range(PITS):
        if sowing.after.pits[pit]:
            yield partial(one, pit=pit, step=1)
            yield partial(one, pit=pit, step=-1)


def banked_afterwards(sowing: Sowing) -> Iterator[Variant]:
    """Yield: each pit's stone into the own kazan, after the due ply."""

    def one(work: Work, pit: int) -> None:
        work.play()
        work.carry(pit, 1, work.own_kazan, Hold.OTHER)

    for pit in range(PITS):
        if sowing.after.pits[pit]:
            yield partial(one, pit=pit)


def palmed(_sowing: Sowing) -> Iterator[Variant]:
    """Yield: a stone of either kazan gone, after the due ply."""

    def one(work: Work, kazan: int, hold: Hold) -> None:
        work.play()
        work.take(kazan, 1, hold, Gap.CARRY)

    for kazan in (KAZANS, KAZANS + 1):
        yield partial(one, kazan=kazan, hold=Hold.OTHER)
        yield partial(one, kazan=kazan, hold=Hold.BESIDE)
