"""What a fallen flag gives: a proposal for the arbiter, never a decision of ours.

A flag loses nothing by itself: it has to be called by the arbiter or by one of the two players (2.9.9), and
on an electronic clock at zero the arbiter announces it (2.9.10). A move under way is completed first (2.9.8),
so the question is asked of the kazans after it. What the articles say of the kazan of the player whose flag
fell:

    | his kazan | his flag alone is down          | article      |
    | --------- | ------------------------------- | ------------ |
    | below 81  | he has lost                     | 2.7.12       |
    | 81        | not said; a draw as in `000`    | option       |
    | 82 and up | he has won: the game is over    | 2.6.7, 1.3.5 |

With 81 in both kazans no stone is left, and the game is a draw whoever's flag is down (2.6.5).

At a quota the arbiter stops the clocks and checks the moves made (2.7.13). If all were, he enters what the
board has not seen, and the fold raises the flag: it has only ended the period, and may fall again in the
next. A flag that is still down has its moves not made.

If both flags are down, the one that fell first decides; where nobody knows which, the arbiter may give both
five minutes (2.7.14), and if he does not, the decision is his.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from rules.position import STONES, WINNING_STONES, Points, Side, won_by

HALF_STONES = STONES // 2
"""81 stones: half of all, neither lost by a flag (2.7.12: below 81) nor won (2.6.7: 82)."""

EvenKazan = Literal["draw", "loses", "discretion"]
"""What a fallen flag gives with exactly 81 in the kazan; the regulations are silent, `000` says a draw."""


class FlagOutcome(Enum):
    """What a flag gives."""

    LOSES = "loses"
    """The player whose flag fell has lost (2.7.12), or had already (1.3.5)."""
    WINS = "wins"
    """He has won all the same: 82 or more lie in his kazan (2.6.7)."""
    DRAW = "draw"
    """81 lie in his kazan (silent; `000`), or in both (2.6.5)."""
    DISCRETION = "discretion"
    """The arbiter decides: five minutes for each (2.7.14), or what he finds right."""


@dataclass(frozen=True, slots=True)
class FlagVerdict:
    """What the arbiter is asked to confirm.

    Attributes:
        outcome: What the flag gives.
        side: Whose flag it is; None: both are down and their order is not known.
        result: The score that follows; None: the arbiter decides.
        articles: What it rests on, as the regulations number it, `000` for the explanatory source; () where
            they are silent and the event chose.
    """

    outcome: FlagOutcome
    side: Side | None
    result: Points | None
    articles: tuple[str, ...]


def flag_verdict(
    kazans: tuple[int, int],
    flags: tuple[bool, bool],
    *,
    first: Side | None = None,
    even: EvenKazan = "draw",
) -> FlagVerdict | None:
    """Return what the fallen flags give, if somebody calls them; None: no flag is down.

    Args:
        kazans: Stones in both kazans after the move under way was completed (2.9.8).
        flags: Whose flag is down.
        first: Whose fell first, as an electronic clock knows; None: nobody knows. Ignored with one flag.
        even: What exactly 81 stones give while others still lie on the board.
    """
    down = tuple(side for side in Side if flags[side.index])
    if not down:
        return None
    won = next((side for side in Side if kazans[side.index] >= WINNING_STONES), None)
    if won is not None:
        return _decided(won, down)
    if kazans == (HALF_STONES, HALF_STONES):
        return FlagVerdict(FlagOutcome.DRAW, down[0] if len(down) == 1 else first, "1/2-1/2", ("2.6.5",))
    if len(down) == 1:
        return _of(down[0], kazans, even)
    if first is None:
        return FlagVerdict(FlagOutcome.DISCRETION, None, None, ("2.7.14",))
    return _of(first, kazans, even)


def _of(side: Side, kazans: tuple[int, int], even: EvenKazan) -> FlagVerdict:
    """Return what the flag of `side` gives with at most 81 in either kazan."""
    if kazans[side.index] < HALF_STONES:
        return FlagVerdict(FlagOutcome.LOSES, side, won_by(side.opponent), ("2.7.12", "2.6.3"))
    if even == "draw":
        return FlagVerdict(FlagOutcome.DRAW, side, "1/2-1/2", ("000",))
    if even == "loses":
        return FlagVerdict(FlagOutcome.LOSES, side, won_by(side.opponent), ())
    return FlagVerdict(FlagOutcome.DISCRETION, side, None, ())


def _decided(won: Side, down: tuple[Side, ...]) -> FlagVerdict:
    """Return what a flag gives in a game that 82 stones have decided already, whoever's fell first."""
    if won in down:
        return FlagVerdict(FlagOutcome.WINS, won, won_by(won), ("2.6.7", "1.3.5"))
    return FlagVerdict(FlagOutcome.LOSES, won.opponent, won_by(won), ("1.3.5",))
