"""Ways of a turn that are no sowing of one pit: nothing sown, a reply before the press, the board swept."""

from __future__ import annotations

from collections.abc import Iterator

from rules.infractions.evidence import PLACES, Evidence, kazan_of
from rules.infractions.kinds import Fault, Infraction
from rules.infractions.ways import OUTSIDE, PITS, Table, Way, followed, ways
from rules.position import EndReason, Position, Side, Sowing, apply, board_of, legal_moves, outcome, pit_index

_NOTHING_SOWN = 1.0
"""Nats for a turn without a sowing: stones were pushed about before anything was played."""


def turn_ways(evidence: Evidence) -> tuple[Way, ...]:
    """Return every way with a name in which the turn can have gone."""
    return (
        unmoved(evidence.before),
        *ways(evidence.before),
        *_early(evidence),
        *_swept(evidence),
    )


def unmoved(position: Position) -> Way:
    """Return the way of a turn in which nothing was sown."""
    board = (*board_of(position), 0)
    return Way(side=position.to_move, board=board, cost=_NOTHING_SOWN)


def _early(evidence: Evidence) -> Iterator[Way]:
    """Yield: the due move and the opponent's reply, whole or still in his hand, before the press."""
    before = evidence.before
    if evidence.early is not before.to_move.opponent:
        return
    table = Table(before)
    for number in legal_moves(before):
        due = apply(before, number)
        after = Table(due.after)
        for answer in legal_moves(due.after):
            reply = apply(due.after, answer)
            pit = pit_index(reply.side, answer)
            said = Infraction(Fault.MOVED_BEFORE_PRESS, reply.side, pit, reply.stones)
            whole = followed(table, due, after, reply, said, cost=0.0)
            yield whole
            yield from _in_the_air(whole, due, pit, said)


def _in_the_air(whole: Way, due: Sowing, pit: int, said: Infraction) -> Iterator[Way]:
    """Yield: the opponent has lifted his pit, the first stone left lying or not, and has sown nothing yet."""
    for left in (0, 1):
        lifted = due.after.pits[pit] - left
        if not lifted:
            continue
        board = [*board_of(due.after), lifted]
        board[pit] = left
        yield Way(
            side=whole.side,
            infraction=said,
            lifted=(whole.lifted[0], (pit, lifted)),
            path=whole.path[: due.stones],
            board=tuple(board),
            due=due,
            delivered=whole.delivered,
            moved=whole.moved,
        )


def _swept(evidence: Evidence) -> Iterator[Way]:
    """Yield: after the due move, or without one, all stones of the board gathered into one kazan."""
    if any(stones != 0 for stones in evidence.seen[:PITS]):
        return
    before = evidence.before
    table = Table(before)
    for number in legal_moves(before):
        due = apply(before, number)
        way = table.way(None, ((pit_index(due.side, number), due.stones),), due.path, due)
        moved = ((due.last_index, kazan_of(due.side), due.captured),) if due.captured else ()
        yield from _gathered(way, due.after, moved)
    yield from _gathered(unmoved(before), before, ())


def _gathered(way: Way, after: Position, moved: tuple[tuple[int, int, int], ...]) -> Iterator[Way]:
    """Yield: the stones of a position in either kazan; without a fault where there is an atsyrau (1.5.1)."""
    left = sum(after.pits)
    over = outcome(after)
    for side in Side:
        right = over is not None and over.reason is EndReason.ATSYRAU and after.to_move is not side
        said = None if right else Infraction(Fault.SWEPT_WITHOUT_RIGHT, side, kazan_of(side), left)
        board = [0] * (OUTSIDE + 1)
        board[PITS:PLACES] = after.kazans
        board[kazan_of(side)] += left
        swept = tuple((pit, kazan_of(side), stones) for pit, stones in enumerate(after.pits) if stones)
        yield Way(
            side=way.side,
            infraction=said,
            lifted=way.lifted,
            path=way.path,
            board=tuple(board),
            due=way.due,
            delivered=way.delivered,
            moved=(*moved, *swept),
            cost=0.0 if right else 3.0,
        )
