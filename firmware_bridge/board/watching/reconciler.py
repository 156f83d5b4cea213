"""What the board shows now, explained from the last position: the one judgement of the table (pure).

A quiet board is compared with the position itself, then with every position one legal ply away,
then, when presses tell that more was played than was seen, with those two and three plies away.
The presses decide how many plies there may be: with bastaushy to move, a last press by bastaushy
means one ply or three, by qostaushy two.

Before the press nothing is a fault (house law 5): stones are put right, captures come in
handfuls. So a board that nothing explains is work in progress until somebody has pressed.

A verdict is sure, not yet, or asks. Sure are `Same` and `Played`; not yet is `InProgress`; all others ask a
person: which line it was, which pit to count, which cell to mend. No board is bent into a legal one: a
line explains a reading only when every board one stone away from it is far less likely.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from firmware_bridge.board.counting.lots import change_of, stones_due, swept_stones, tuzdyk_places, unchanged
from firmware_bridge.board.counting.observation import Observation, Unread
from firmware_bridge.board.counting.weighing import SURE, Weighed
from rules.position import Position, Side, Sowing, legal_moves, outcome, play

UNFORESEEN = 2
"""Plies at the end of a foreseen line that may have been seen by nobody."""

MAX_PLIES = 3
"""How many unseen plies are searched: beyond that asking is the right answer (house law 6)."""

LONGEST_LINE = 8
"""Plies that are followed along what was foreseen: whoever has not been read for so long is to be asked, and
each ply more makes every line that is weighed as much longer."""

KEPT_SEARCHES = 8
"""Searches remembered: one position to three depths, and some foreseen ones; a few hundred lines each."""

MOST_UNREAD = 1
"""Places that may be dead: what lies in one of them is told by the other nineteen, as there are 162 stones.
With two, nobody can tell in which of them a stone lies, unless a count sensor sees what falls there."""

MOST_DARK = 2
"""The same where count sensors serve the dead places."""

LIKELIER = 7.0
"""Nats by which one legal board must be likelier than another: a thousand to one."""

STONES_IN_HAND = 0.6
"""Stones that may be missing or over in all before somebody must be holding or adding one."""


@dataclass(frozen=True, slots=True)
class Same:
    """The board shows the last position."""

    weighed: Weighed


@dataclass(frozen=True, slots=True)
class InProgress:
    """Stones are in a hand, or a sowing is not finished.

    Attributes:
        in_hand: Stones missing from the board; negative when there are too many; None when unread.
    """

    in_hand: int | None


@dataclass(frozen=True, slots=True)
class Played:
    """Exactly one line of legal plies leads from the last position to the board.

    Attributes:
        plies: The sowings, oldest first; at least one.
        weighed: How well the board agrees with the last of them.
        swept: The loser's opponent has already taken the stones left after an atsyrau.
    """

    plies: tuple[Sowing, ...]
    weighed: Weighed
    swept: bool = False


@dataclass(frozen=True, slots=True)
class Unmoved(Same):
    """Nothing has fallen since the last position. Count sensors alone cannot see that it lies there."""


@dataclass(frozen=True, slots=True)
class Overheard(Played):
    """The legal plies whose stones fell as count sensors heard it; what was taken away nobody saw."""


@dataclass(frozen=True, slots=True)
class Unheard:
    """Count sensors heard no legal ply.

    Attributes:
        nearest: The plies that come nearest; empty where the presses or the pulses tell of none.
    """

    nearest: tuple[Sowing, ...]


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """More than one line of legal plies leads to the board: asking is the right answer."""

    lines: tuple[tuple[Sowing, ...], ...]


@dataclass(frozen=True, slots=True)
class Unsure:
    """A board and the one beside it are both likely: somebody has to count.

    Attributes:
        plies: The line that leads to the likeliest legal board; empty when it is the last position.
        places: The places in doubt, with the stones due there and what else it may be.
    """

    plies: tuple[Sowing, ...]
    places: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Differs:
    """All stones are there, and no legal play explains where.

    Attributes:
        wrong: The places that differ from the last position, or from the nearest legal one.
        nearest: The legal ply the board comes nearest to; None when the position itself is nearest.
    """

    wrong: tuple[int, ...]
    nearest: Sowing | None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """More places have no load, for another reason than movement, than the others can make up for."""

    places: tuple[Unread, ...]


Verdict = Same | InProgress | Played | Ambiguous | Unsure | Differs | Unreadable | Unheard


def too_dark(seen: Observation) -> bool:
    """Whether more places are dead than the others, and count sensors, can make up for."""
    return len(seen.broken) > (MOST_DARK if seen.told_by_beams else MOST_UNREAD)


def reconcile(
    position: Position,
    seen: Observation,
    presses: tuple[Side, ...] = (),
    hint: tuple[Sowing, ...] = (),
) -> Verdict:
    """Explain the observation `seen` from `position`, the last one confirmed.

    Args:
        position: The last confirmed position.
        seen: One look at the whole board.
        presses: Who has pressed since, oldest first.
        hint: Plies seen lying on the board before or at their presses; they decide between lines that
            end on the same board, and lead to lines too long to be searched for.
    """
    if too_dark(seen):
        return Unreadable(seen.broken)
    if seen.moving:
        return InProgress(None)
    same = seen.compare(unchanged(position))
    if same.sure:
        return Same(same)
    near: list[Played] = []
    if hint and 1 < len(presses) <= LONGEST_LINE and (line := _along(seen, presses, hint)) is not None:
        return line
    for depth, ending in _depths(position, presses):
        found = [line for line in _explanations(position, seen, depth) if not ending or _is_over(line)]
        near.extend(found)
        lines = _sure(seen, found)
        if len(lines) > 1:
            lines = [line for line in lines if line.plies[: len(hint)] == hint and hint] or lines
        if len(lines) == 1:
            return lines[0]
        if lines:
            return Ambiguous(tuple(line.plies for line in lines))
    return _unexplained(position, seen, same, near)


def _along(seen: Observation, presses: tuple[Side, ...], hint: tuple[Sowing, ...]) -> Played | None:
    """Return the one line of as many plies as were pressed that begins as foreseen and leads to the board.

    Lines of this length are not searched for from the beginning; but each of the first plies was seen as it
    was pressed, and at most two after them were not.
    """
    plies = len(presses)
    if presses[0] is not hint[0].side or any(a is b for a, b in pairwise(presses)):
        return None
    before = stones_due(hint[0].before)
    for known in range(min(len(hint), plies), max(0, plies - UNFORESEEN - 1), -1):
        found: list[Played] = []
        for rest in _lines(hint[known - 1].after, plies - known):
            line = (*hint[:known], *rest)
            after = line[-1].after
            if not seen.excludes(before, stones_due(after), tuzdyk_places(after)):
                found.append(Played(line, seen.compare(change_of(line))))
        lines = _sure(seen, found)
        if lines:
            return lines[0] if len(lines) == 1 else None
    return None


def _sure(seen: Observation, found: list[Played]) -> list[Played]:
    """Return the lines that are sure, and no less likely than others.

    With two dead cells lines may differ in these only, and pulses alone tell them apart: there a line that is
    nearly as likely counts even if it is not sure, since one missed stone makes the one of the other.
    """
    if len(seen.broken) <= MOST_UNREAD:
        return _likeliest([line for line in found if line.weighed.sure])
    lines = _likeliest(found)
    return lines if any(line.weighed.sure for line in lines) else []


def _likeliest(lines: list[Played]) -> list[Played]:
    """Leave out the lines to boards that are far less likely than another line's; equal boards both stay."""
    if len(lines) < 2:
        return lines
    best = max(lines, key=lambda line: line.weighed.likelihood).weighed
    return [
        line
        for line in lines
        if line.weighed.change.after == best.change.after
        or line.weighed.likelihood > best.likelihood - LIKELIER
    ]


def _depths(position: Position, presses: tuple[Side, ...]) -> tuple[tuple[int, bool], ...]:
    """Return how many plies the presses allow, fewest first, and whether only a finished game counts.

    Nobody presses after the ply that ends the game, so one ply more than was pressed may lie there.
    """
    if not presses:
        return ((1, False),)
    odd = presses[-1] is position.to_move
    most = min(len(presses), MAX_PLIES)
    pressed = [(depth, False) for depth in range(1, most + 1) if (depth % 2 == 1) == odd]
    unpressed = [(depth + 1, True) for depth, _ in pressed if depth < MAX_PLIES]
    return (*pressed, *unpressed)


def _is_over(line: Played) -> bool:
    return outcome(line.plies[-1].after) is not None


def _explanations(position: Position, seen: Observation, depth: int) -> Iterator[Played]:
    before = stones_due(position)
    for ending in _endings(position, depth):
        if not seen.excludes(before, ending.stones, ending.tuzdyks):
            yield Played(ending.line, seen.compare(change_of(ending.line)))
        if ending.swept is not None and not seen.excludes(before, ending.swept, ending.tuzdyks):
            yield Played(ending.line, seen.compare(change_of(ending.line, swept=True)), swept=True)


@dataclass(frozen=True, slots=True)
class _Ending:
    line: tuple[Sowing, ...]
    stones: tuple[int, ...]
    tuzdyks: frozenset[int]
    swept: tuple[int, ...] | None


@lru_cache(maxsize=KEPT_SEARCHES)
def _endings(position: Position, depth: int) -> tuple[_Ending, ...]:
    """Return all lines of `depth` plies with the boards they end on.

    The same few positions are asked about at every look until a ply is confirmed.
    """
    return tuple(
        _Ending(line, stones_due(line[-1].after), tuzdyk_places(line[-1].after), swept_stones(line[-1].after))
        for line in _lines(position, depth)
    )


def _lines(position: Position, depth: int) -> Iterator[tuple[Sowing, ...]]:
    if not depth:
        yield ()
        return
    for number in legal_moves(position):
        sowing = play(position, number)
        for rest in _lines(sowing.after, depth - 1):
            yield (sowing, *rest)


def _unexplained(position: Position, seen: Observation, same: Weighed, near: list[Played]) -> Verdict:
    """Return what to say of a board that no line explains surely."""
    likeliest = max(near, key=lambda line: line.weighed.likelihood, default=None)
    best: Weighed = same
    plies: tuple[Sowing, ...] = ()
    if likeliest is not None and likeliest.weighed.likelihood > same.likelihood:
        best, plies = likeliest.weighed, likeliest.plies
    if best.margin > -SURE:
        due = best.change.after
        doubtful = tuple(
            (place, due[place], due[place] + (1 if place == best.doubt.more else -1))
            for place in best.doubt.places
        )
        return Unsure(plies, doubtful)
    if not seen.broken and abs(seen.in_hand) > STONES_IN_HAND:
        return InProgress(round(seen.in_hand) or (1 if seen.in_hand > 0 else -1))
    fits: list[tuple[Weighed, Sowing | None]] = [(same, None)]
    for number in legal_moves(position):
        sowing = play(position, number)
        fits.append((seen.compare(change_of((sowing,))), sowing))
    weighed, nearest = min(fits, key=lambda item: (len(item[0].wrong), item[0].worst))
    return Differs(weighed.wrong or weighed.doubt.places, nearest)
