"""What every answer of the law of conduct is made of: a proposal, and who is to confirm it.

A proposal is never a decision of ours, whatever it says. It rests on `articles`: those of the regulations,
`000` for the explanatory source, () where they are silent and the event chose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Literal, TypeAlias

from rules.clock import Pair
from rules.conduct.codes import Code
from rules.position import Points, Result, Side, won_by

Score: TypeAlias = Literal["1-0", "0-1", "1/2-1/2", "+/-", "-/+", "-/-"]
"""What is written for a game: the score, or who was there (+) and who was not (-) (2.6.4)."""


class Decider(Enum):
    """Whose decision it is."""

    ARBITER = "arbiter"
    """The arbiter at the board."""
    ARBITER_WITH_CHIEF = "arbiter_with_chief"
    """The arbiter, after he has asked the chief arbiter (2.4.8)."""
    PANEL = "panel"
    """The chief panel (2.4.7, 2.8.1), by vote where the rules have a gap (2.4.5)."""


class Speaker(Enum):
    """Who says something at a board."""

    BASTAUSHY = "bastaushy"
    QOSTAUSHY = "qostaushy"
    ARBITER = "arbiter"
    BOARD = "board"
    """The electronic board or clock itself."""
    OTHER = "other"
    """A spectator, coach or representative: not to be heard about a game (2.3.11, 2.3.12)."""

    @property
    def side(self) -> Side | None:
        """Which player he is; None: none."""
        return Side(self.value) if self in (Speaker.BASTAUSHY, Speaker.QOSTAUSHY) else None


class ClockAction(Enum):
    """What is proposed to be done with the clock."""

    KEEP = "keep"
    """It stays as it is, running or standing."""
    STOP = "stop"
    """Both dials stand."""
    RUN = "run"
    """The dial that the proposal names runs, and the other stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What the one who decides is asked to confirm.

    Attributes:
        code: What is proposed, stable, the key of a text.
        articles: What it rests on; () where the regulations are silent and the event chose.
        decider: Whose decision it is.
        side: Whom it is about; None: both, or neither.
        score: The score that follows; None: the game has none by this.
        warns: Who is to be warned; which step of the ladder that is, `rules.conduct.ladder` knows.
        adds_us: What both dials are given in microseconds, negative what is taken [bastaushy, qostaushy].
        clock: What is done with the clock.
        runs: Whose dial runs; None unless `clock` is RUN.
        alternatives: What else lies in the hand of the one who decides.
    """

    code: Code
    articles: tuple[str, ...]
    decider: Decider = Decider.ARBITER
    side: Side | None = None
    score: Score | None = None
    warns: tuple[Side, ...] = ()
    adds_us: Pair = (0, 0)
    clock: ClockAction = ClockAction.KEEP
    runs: Side | None = None
    alternatives: tuple[Proposal, ...] = ()

    @property
    def result(self) -> Result | None:
        """The score as a game keeps it, who was there winning, 0-0 where nobody was; None: none."""
        return None if self.score is None else _RESULTS[self.score]

    @property
    def reason(self) -> str | None:
        """What ended the game, as records name it (`rules.record.model.REASONS`); None: nothing did."""
        return None if self.score is None else _REASONS.get(self.code, "arbiter")


_RESULTS: Mapping[Score, Result] = MappingProxyType(
    {
        "1-0": "1-0",
        "0-1": "0-1",
        "1/2-1/2": "1/2-1/2",
        "+/-": "1-0",
        "-/+": "0-1",
        "-/-": "0-0",
    }
)

_REASONS: Mapping[Code, str] = MappingProxyType(
    {
        Code.RESIGNED: "resignation",
        Code.DRAW_AGREED: "agreement",
        Code.FLAG_LOSES: "flag",
        Code.FLAG_WINS: "flag",
        Code.FLAG_DRAWS: "flag",
        Code.BOTH_FLAGS_DRAW: "flag",
        Code.LATE_LOSES: "forfeit",
        Code.BOTH_LATE: "forfeit",
    }
)
"""Every other end is the arbiter's word."""


def protocol_score(result: Result) -> Score:
    """Return a game's score as the protocol of an event writes it: who have both lost get `-/-` (2.6.4)."""
    return "-/-" if result == "0-0" else result


def lost_by(side: Side) -> Points:
    """Return the score of a game that `side` has lost."""
    return won_by(side.opponent)


def for_side(side: Side, value: int) -> Pair:
    """Return a pair with `value` for `side` and nothing for the other."""
    return (value, 0) if side is Side.BASTAUSHY else (0, value)
