"""A reply begun before the press: the board of the press, seen under the hand that has gone on (pure).

Some players reach into their pit while the other's hand is still on its way to the clock. Then the board of
the press never lies still as a whole: one pit, the reply's own, was lifted before. What lay in it is known
from its last stretch of quiet. It is taken for the board of the press only once the reply is plainly under
way: the pit has given up all its stones but the first, and the next place of its path has got one. A stone
moved before the press by the one who pressed does not look like that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_bridge.board.counting.observation import PlaceReading
from firmware_bridge.board.watching.snapshot import ended_before
from rules.position import Position, Side, number_of, play, tuzdyk_owner
from sensors.settle import ChannelReading

FEWEST = 3
"""Stones that a pit must have held to be known for a reply: of two, one moved to the next pit looks alike."""

GONE = 0.5
"""Stones within which a lifted pit must hold what a reply leaves there."""

FALLEN = 0.65
"""Stones by which the next place must have grown."""


def lifted_early(
    places: Sequence[ChannelReading],
    readings: tuple[PlaceReading, ...],
    side: Side,
    moment_us: int,
    stone_g: float,
) -> Iterator[tuple[int, tuple[PlaceReading, ...]]]:
    """Yield each pit of `side` that held much more before the moment, and the readings with that in it.

    Args:
        places: The readings of now.
        readings: The board as of the moment.
        side: Who may have begun a reply.
        moment_us: The moment, table time.
        stone_g: Mass of a stone in grams.
    """
    for place in range(9 * side.index, 9 * side.index + 9):
        earlier = ended_before(places[place], moment_us)
        now_g = readings[place].load_g
        if earlier is None or earlier.load_g is None:
            continue
        if now_g is None or earlier.load_g - now_g > (FEWEST - 1 - GONE) * stone_g:
            yield place, (*readings[:place], earlier, *readings[place + 1 :])


def under_way(
    places: Sequence[ChannelReading],
    readings: Sequence[PlaceReading],
    position: Position,
    place: int,
    stone_g: float,
) -> bool:
    """Whether the reply from a pit is plainly under way.

    Args:
        places: The readings of now.
        readings: What lay there before the reply.
        position: The position before the reply.
        place: The pit it began at.
        stone_g: Mass of a stone in grams.
    """
    stones = position.pits[place]
    if stones < FEWEST or tuzdyk_owner(place, position.tuzdyks) is not None:
        return False
    following = play(position, number_of(place)).path[1]
    if tuzdyk_owner(following, position.tuzdyks) is not None:
        return False
    given = _risen(places[place], readings[place], stone_g)
    fallen = _risen(places[following], readings[following], stone_g)
    return given is not None and fallen is not None and abs(given + stones - 1) < GONE and fallen > FALLEN


def _risen(reading: ChannelReading, before: PlaceReading, stone_g: float) -> float | None:
    """Return by how many stones a place has grown since; None where it cannot be read."""
    if reading.level_g is None or before.load_g is None:
        return None
    return (reading.level_g - before.load_g) / stone_g
