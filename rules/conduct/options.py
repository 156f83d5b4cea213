"""What an event chooses where the regulations leave a choice, and the presets.

Numbers in brackets are requirements of the specification; a preset `classical` holds the stated defaults.
What is not said for rapid and blitz holds there as well. Where an option says "the arbiter" he may always do
otherwise: every result is a proposal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, TypeAlias

from rules.errors import ConductFormatError
from rules.flags import EvenKazan
from rules.time_control import TimeControl, is_blitz

MAX_GRACE_MS = 60_000
"""Longest grace for stones in hand: a minute, more than any capture takes to be carried off."""

MAX_PENALTY_MS = 24 * 60 * 60 * 1000
"""Most time a penalty can move: one day, the longest control."""

SowingClock: TypeAlias = Literal["stops", "runs"]
Remedy: TypeAlias = Literal["correct", "restore"]
ClaimWindow: TypeAlias = Literal["until_reply", "until_reply_begun", "whole_game"]
Start: TypeAlias = Literal["announcement", "both_ready"]
OfferLasts: TypeAlias = Literal["until_move", "until_refused"]
MisplacedOffer: TypeAlias = Literal["void", "stands"]
FlagCallers: TypeAlias = Literal["arbiter_and_players", "arbiter"]
CompletedMove: TypeAlias = Literal["counts", "does_not_count"]
BothFlags: TypeAlias = Literal["by_order", "discretion"]
Declined: TypeAlias = Literal["discretion", "draw"]
GroundlessStop: TypeAlias = Literal["warning", "time", "none"]
BadSealedMove: TypeAlias = Literal["panel", "loses"]
WarningScope: TypeAlias = Literal["event", "round", "game"]
LateWarning: TypeAlias = Literal["may", "always", "never"]
BothLate: TypeAlias = Literal["both_lose", "panel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SowingPolicy:
    """What happens to an illegal sowing (94): the regulations prescribe nothing.

    Attributes:
        clock: Whether the clock stops for the ruling, or runs on.
        remedy: Whether the sowing is put right with the same pit, or the position before it is restored.
        on_offenders_time: Whether it is put right while the offender's dial runs; else both dials stand.
        window: How long it can be claimed: until the opponent has completed his reply, until he has begun it,
            or as long as the game lasts.
        first_warns: Whether the first offence earns a warning.
        repeated_warns: Whether every further one does.
    """

    clock: SowingClock = "stops"
    remedy: Remedy = "correct"
    on_offenders_time: bool = True
    window: ClaimWindow = "until_reply"
    first_warns: bool = True
    repeated_warns: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """The options of an event.

    Attributes:
        touch_move: Whether lifted stones have to be played (10); off in rapid and blitz (42).
        adjusting_by_hand: Whether stones may be put in order by hand (10); in rapid and blitz they may, on
            one's own time (42).
        score_sheets: Whether the players write sheets (1); not in rapid and blitz (38).
        arbiter_writes_for_both: Whether the arbiter may write when both are short of time (9, `000`).
        relief_in_every_period: Whether five minutes left of any period free a player from writing, or only of
            his last one (9; the text speaks of the time of the game and of being short of time alike).
        start: Whether clocks start on the arbiter's announcement (23), or at each board when both are ready
            (40).
        setup_complaints: Whether a wrong set-up may be complained of after the start (41).
        stones_in_hand_grace_ms: How long after a press stones may still be on their way into the kazan,
            0..MAX_GRACE_MS; the regulations name none.
        late_warning: Whether lateness may, always or never is to earn a warning beside the time (24).
        both_late: What two players give who are both too late, or absent (13, 74).
        draw_offer_lasts: Until the opponent moves or refuses, or until he refuses (16).
        misplaced_offer: Whether an offer at the wrong moment stands (15).
        flag_callers: Who may call a flag (44).
        completed_move: Whether the move during which a flag fell counts for the kazans (43).
        even_kazan: What a flag gives with exactly 81 stones (29).
        both_flags: Whether the order of two flags decides where it is known (30).
        both_flags_declined: What two flags give if the arbiter adds no time (30).
        groundless_stop: What follows for stopping the clock without need (31).
        penalty_takes_ms: What is proposed to be taken from an offender, 0..MAX_PENALTY_MS; None: the arbiter
            names it (33).
        penalty_gives_ms: What is proposed to be given to his opponent, likewise.
        bad_sealed_move: What an illegal or unreadable sealed move gives (36).
        warning_scope: Within what warnings add up (45).
        sowing: What happens to an illegal sowing (94).

    Raises:
        ConductFormatError: A number is out of its range.
    """

    touch_move: bool = True
    adjusting_by_hand: bool = False
    score_sheets: bool = True
    arbiter_writes_for_both: bool = True
    relief_in_every_period: bool = True
    start: Start = "announcement"
    setup_complaints: bool = True
    stones_in_hand_grace_ms: int = 0
    late_warning: LateWarning = "may"
    both_late: BothLate = "both_lose"
    draw_offer_lasts: OfferLasts = "until_move"
    misplaced_offer: MisplacedOffer = "void"
    flag_callers: FlagCallers = "arbiter_and_players"
    completed_move: CompletedMove = "counts"
    even_kazan: EvenKazan = "draw"
    both_flags: BothFlags = "by_order"
    both_flags_declined: Declined = "discretion"
    groundless_stop: GroundlessStop = "warning"
    penalty_takes_ms: int | None = None
    penalty_gives_ms: int | None = None
    bad_sealed_move: BadSealedMove = "panel"
    warning_scope: WarningScope = "event"
    sowing: SowingPolicy = field(default_factory=SowingPolicy)

    def __post_init__(self) -> None:
        _within("stones_in_hand_grace_ms", self.stones_in_hand_grace_ms, MAX_GRACE_MS)
        for name, value in (
            ("penalty_takes_ms", self.penalty_takes_ms),
            ("penalty_gives_ms", self.penalty_gives_ms),
        ):
            if value is not None:
                _within(name, value, MAX_PENALTY_MS)


def _within(name: str, value: int, most: int) -> None:
    if not 0 <= value <= most:
        raise ConductFormatError(f"conduct.{name}", value, f"an integer from 0 to {most}")


CLASSICAL = Conduct()
"""The stated defaults."""

RAPID = replace(
    CLASSICAL,
    touch_move=False,
    adjusting_by_hand=True,
    score_sheets=False,
    start="both_ready",
    setup_complaints=False,
    stones_in_hand_grace_ms=2000,
    sowing=SowingPolicy(clock="runs", remedy="restore"),
)
"""What 2.9 says of rapid play. Two seconds of grace are ours: a capture of a dozen stones by hand."""

BLITZ = replace(RAPID, stones_in_hand_grace_ms=3000)
"""As rapid; haste leaves stones in the hand a little longer, and the arbiter less time to look."""

LEAST_CLASSICAL_MS = 60 * 60 * 1000
"""What a player of a classical game has at least (39, `000`)."""

PRESETS: Mapping[str, Conduct] = MappingProxyType({"classical": CLASSICAL, "rapid": RAPID, "blitz": BLITZ})
"""The options by name."""


def preset_for(control: TimeControl) -> str:
    """Return the name of the preset that a game of this control is played under, if nothing else is said.

    Blitz is what `is_blitz` says; classical, what gives a player an hour or more, or has no clock (39,
    `000`); everything between is rapid.
    """
    if not control.periods or sum(period.time_ms for period in control.periods) >= LEAST_CLASSICAL_MS:
        return "classical"
    return "blitz" if is_blitz(control) else "rapid"


@dataclass(frozen=True, slots=True)
class Conducts:
    """What an event has chosen for each kind of game; of which kind a game is, its control says (39, `000`).

    Attributes:
        classical: For classical games, and those without a clock.
        rapid: For rapid games.
        blitz: For blitz games.
    """

    classical: Conduct = CLASSICAL
    rapid: Conduct = RAPID
    blitz: Conduct = BLITZ

    @classmethod
    def alike(cls, conduct: Conduct) -> Conducts:
        """Return the same options for every kind of game: an event that has named its preset."""
        return cls(conduct, conduct, conduct)

    def under(self, control: TimeControl | None) -> Conduct:
        """Return the options of a game with this control; None: no game is known yet, classical ones."""
        name = "classical" if control is None else preset_for(control)
        return {"classical": self.classical, "rapid": self.rapid, "blitz": self.blitz}[name]
