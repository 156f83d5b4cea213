"""What the board shows now, explained from the last position: the one judgement of the table.

A quiet board is compared with the position itself, then with every position one legal ply away,
then, when presses tell that more was played than was seen, with those two and three plies away.
The presses decide how many plies there may be: with bastaushy to move, a last press by bastaushy
means one ply or three, by qostaushy two.

Before the press nothing is a fault (house law 5): stones are put right, captures come in
handfuls. So a board that nothing explains is work in progress until somebody has pressed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from firmware_bridge.board.counting import MOVING, Fit, Observation, stones_due, tuzdyk_places
from rules.position import Position, Side, Sowing, legal_moves, outcome, play

MAX_PLIES = 3
"""How many unseen plies are searched: beyond that asking is the right answer (house law 6)."""

STONES_IN_HAND = 0.6
"""Stones that may be missing or over in all before somebody must be holding or adding one."""


@dataclass(frozen=True, slots=True)
class Same:
    """The board shows the last position."""

    fit: Fit


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
        fit: How well the board agrees with the last of them.
        swept: The loser's opponent has already taken the stones left after an atsyrau.
    """

    plies: tuple[Sowing, ...]
    fit: Fit
    swept: bool = False


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """More than one line of legal plies leads to the board: asking is the right answer."""

    lines: tuple[tuple[Sowing, ...], ...]


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
    """Some place has no load for another reason than movement."""

    places: tuple[tuple[int, str], ...]


Verdict = Same | InProgress | Played | Ambiguous | Differs | Unreadable


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
        hint: Plies seen lying quietly on the board before a press; they decide between lines that
            end on the same board.
    """
    broken = tuple(item for item in seen.unread if item[1] != MOVING)
    if broken:
        return Unreadable(broken)
    if seen.moving:
        return InProgress(None)
    same = seen.fit(stones_due(position), tuzdyk_places(position))
    if same.ok:
        return Same(same)
    for depth, ending in _depths(position, presses):
        lines = [line for line in _explanations(position, seen, depth) if not ending or _is_over(line)]
        if len(lines) > 1:
            lines = [line for line in lines if line.plies[: len(hint)] == hint and hint] or lines
        if len(lines) == 1:
            return lines[0]
        if lines:
            return Ambiguous(tuple(line.plies for line in lines))
    return _unexplained(position, seen, same)


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
    for line in _lines(position, depth):
        after = line[-1].after
        tuzdyks = tuzdyk_places(after)
        fit = seen.fit(stones_due(after), tuzdyks)
        if fit.ok:
            yield Played(line, fit)
            continue
        swept = swept_stones(after)
        if swept is not None and (fit := seen.fit(swept, tuzdyks)).ok:
            yield Played(line, fit, swept=True)


def _lines(position: Position, depth: int) -> Iterator[tuple[Sowing, ...]]:
    for number in legal_moves(position):
        sowing = play(position, number)
        if depth == 1:
            yield (sowing,)
        else:
            for rest in _lines(sowing.after, depth - 1):
                yield (sowing, *rest)


def swept_stones(position: Position) -> tuple[int, ...] | None:
    """Return the stones of each place once an atsyrau has been swept; None when there is nothing to sweep."""
    end = outcome(position)
    if end is None or end.kazans == position.kazans:
        return None
    return (*(0 for _ in position.pits), *end.kazans)


def _unexplained(position: Position, seen: Observation, same: Fit) -> Verdict:
    total = seen.total
    assert total is not None, "an unread board was answered above"
    if abs(total - 162) > STONES_IN_HAND:
        return InProgress(162 - round(total))
    fits: list[tuple[Fit, Sowing | None]] = [(same, None)]
    for number in legal_moves(position):
        sowing = play(position, number)
        fits.append((seen.fit(stones_due(sowing.after), tuzdyk_places(sowing.after)), sowing))
    fit, nearest = min(fits, key=lambda item: (len(item[0].wrong), item[0].worst))
    return Differs(fit.wrong, nearest)
