"""Who stops the players when the board asks or owes an answer, and enters what was played (pure).

The players stop between two plies only. If the board does not come to a judgement by itself while they wait,
the plies truly played are entered, as an arbiter would who has watched.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.bench.judge import Judge
from firmware_bridge.board.inputs import Enter, Watch
from firmware_bridge.board.watching.reconciler import MAX_PLIES
from rules.notation.moves import format_short

OVERDUE_US = 8_000_000
"""A press unanswered for so long stops the players even if the board asks nothing."""

ANSWER_AFTER_US = 4_000_000
"""How long an arbiter watches a quiet board before he enters what was played."""


@dataclass(slots=True)
class Arbiter:
    """The arbiter of one scene; all times are device times.

    Attributes:
        judge: Knows what was played, and whether the board asks.
        held_us: How long the players have been held up so far.
        since_us: Since when they wait; None: they play.
    """

    judge: Judge
    held_us: int = 0
    since_us: int | None = None

    @property
    def holds(self) -> bool:
        """Whether the players wait."""
        return self.since_us is not None

    def look(self, watch: Watch, now_us: int, *, played_out: bool) -> None:
        """Stop the players if the board asks, or owes an answer for too long.

        Args:
            watch: What the board shows.
            now_us: Now, between two plies.
            played_out: The last ply is played: then one that nobody presses for is waited for too.
        """
        waiting = self.judge.open_plies if played_out else self.judge.waiting
        if not waiting:
            return
        since_us = waiting[-1].pressed_us or waiting[-1].touched_us
        self.judge.watches(watch, now_us)
        if now_us - since_us >= OVERDUE_US or len(waiting) > MAX_PLIES:
            self.judge.overdue(now_us)
        if self.judge.asking:
            self.since_us = now_us

    def entry(self, now_us: int) -> Enter | None:
        """Return what is entered now, while the players wait; None: nothing yet."""
        assert self.since_us is not None, "called while the players wait"
        waiting = self.judge.open_plies
        if not waiting or now_us - self.since_us < ANSWER_AFTER_US:
            return None
        return Enter(now_us, tuple(format_short(truth.sowing) for truth in waiting))

    def let_go_on(self, now_us: int) -> None:
        """Let the players go on if nothing is waited for any more."""
        assert self.since_us is not None, "called while the players wait"
        if not self.judge.open_plies or self.judge.lost:
            self.held_us += now_us - self.since_us
            self.since_us = None
