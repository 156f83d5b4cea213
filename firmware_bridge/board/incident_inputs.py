"""Commands about infractions, positions, warnings, offers, calls, complaints and sealed moves (pure).

Who gives one is named in its `by`: an arbiter, or a player's side; empty: nobody said.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.conduct.proposal import Speaker
from rules.game import Closing, Decision, PressId
from rules.position import Position, Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Command: this position holds from now on, and the dials show this (regulations 94, 2.4.8).

    Attributes:
        at_us: Table time.
        decision: What is decided.
        take_back: How many of the final plies do not stay, 0 or more.
        number: The pit 1..9 of the ply that stands or is corrected; None: no ply, or unknown.
        position: What holds; None: what follows from the decision: the position before, the one that was
            due, or what is seen to lie there.
        dials_us: What bastaushy's and qostaushy's dial show, in microseconds; None: as it stands.
        infraction: What it decides; None: no infraction.
        by: Who decides.
        reason: Why, in words.
    """

    at_us: int
    decision: Decision
    take_back: int = 0
    number: int | None = None
    position: Position | None = None
    dials_us: tuple[int | None, int | None] = (None, None)
    infraction: int | None = None
    by: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """Command: an infraction is done with, and the position is the same as before."""

    at_us: int
    infraction: int
    closing: Closing
    by: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Warn:
    """Command: `side` is warned, for the time `level` in this event (2.4.6)."""

    at_us: int
    side: Side
    level: int
    article: str = ""
    by: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferDraw:
    """Command: `side` offers a draw (2.6.8), or agrees to the one his opponent has offered (2.6.6).

    Attributes:
        at_us: Table time.
        side: Who.
        heard: An arbiter has heard it at its moment, whatever the board sees now.
    """

    at_us: int
    side: Side
    heard: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDraw:
    """Command: `side` answers the offer; accepted it ends the game (2.6.6)."""

    at_us: int
    side: Side
    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Command: a player calls the arbiter (2.7.15); `press` names the press of his button, if it was one."""

    at_us: int
    side: Side | None = None
    press: PressId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCall:
    """Command: an arbiter has come (2.7.15).

    Attributes:
        at_us: Table time.
        by: Who.
        groundless: He found no reason for the call.
        resumes: Dials that the call stopped may run again.
    """

    at_us: int
    by: str = ""
    groundless: bool = False
    resumes: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Complain:
    """Command: `side` complains about how the stones lay at the start (2.9.5)."""

    at_us: int
    side: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFlag:
    """Command: the fallen flag of `side` is called (2.9.9).

    Attributes:
        at_us: Table time.
        side: Whose flag.
        caller: Who has called it.
        by: The arbiter who says so.
    """

    at_us: int
    side: Side
    caller: Speaker = Speaker.ARBITER
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjourn:
    """Command: the game rests until another day; `seal` commits to the sealed move (2.8.2)."""

    at_us: int
    seal: str
    by: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseal:
    """Command: the sealed move is read; it has to be played (2.8.4).

    Attributes:
        at_us: Table time.
        text: The move as it stands in the envelope.
        salt: What the commitment was made with beside it, in hexadecimal digits; empty: nobody knows it.
        by: Who opens it.
        reason: Why the move is to hold although it is not what was committed to; empty: it has to be that.
    """

    at_us: int
    text: str
    salt: str = ""
    by: str = ""
    reason: str = ""


IncidentRuling = Rule | Close | Warn | AnswerDraw | Adjourn
"""What is carried out as it is said, if the game has a place for it."""

Saying = OfferDraw | Call | AnswerCall | Complain | CallFlag | Unseal
"""What the law of conduct has its own answer to."""

IncidentCommand = IncidentRuling | Saying
"""All of them."""
