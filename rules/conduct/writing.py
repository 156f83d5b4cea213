"""Who has to write the moves down (2.3.5, 2.7.17)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.clock import Pair
from rules.conduct.codes import Code
from rules.conduct.options import Conduct
from rules.conduct.proposal import Proposal
from rules.position import Side

RELIEF_US = 5 * 60 * 1_000_000
"""With five minutes left a player may stop writing (2.3.5, 2.7.17)."""

Both = tuple[bool, bool]
"""One answer for [bastaushy, qostaushy]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingDuty(Proposal):
    """Who writes.

    Attributes:
        must_write: Whether each player has to go on writing.
        arbiter_tracks: Whether the line arbiter follows the moves, because a player has stopped (2.7.17).
        arbiter_may_write: Whether he may write for both, as nobody else has to (`000`).
        completes: Who completes his sheet from his opponent's after the game (2.3.5).
    """

    must_write: Both
    arbiter_tracks: bool = False
    arbiter_may_write: bool = False
    completes: Both = (False, False)


def who_writes(conduct: Conduct, dials_us: Pair | None, last_period: Both = (True, True)) -> WritingDuty:
    """Return who has to write with this much time left; at five minutes sharp a player is free already.

    Args:
        conduct: The options.
        dials_us: What both dials show, in microseconds; None: the game has no clock.
        last_period: Whether each is in the last period of his control.
    """
    if not conduct.score_sheets:
        return WritingDuty(code=Code.NO_SHEETS, articles=("2.9.2",), must_write=(False, False))
    first, second = (
        dials_us is not None
        and dials_us[side.index] <= RELIEF_US
        and (conduct.relief_in_every_period or last_period[side.index])
        for side in Side
    )
    if not first and not second:
        return WritingDuty(code=Code.BOTH_WRITE, articles=("1.6.1", "2.3.5"), must_write=(True, True))
    both = first and second
    return WritingDuty(
        code=Code.NOBODY_HAS_TO_WRITE if both else Code.ONE_MAY_STOP_WRITING,
        articles=("2.3.5", "2.7.17", "000") if both else ("2.3.5", "2.7.17"),
        side=None if both else (Side.BASTAUSHY if first else Side.QOSTAUSHY),
        must_write=(not first, not second),
        arbiter_tracks=True,
        arbiter_may_write=both and conduct.arbiter_writes_for_both,
        completes=(first, second),
    )
