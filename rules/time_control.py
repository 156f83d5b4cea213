"""How much time a player gets: periods, increments, delays, limits, and the presets of the regulations.

A control is one period after another (2.7.4): the time of a period is for its quota of moves, the last one
is for the rest of the game, and what is left of one goes into the next (2.7.16). `rules.control_text` writes
a control as a short text, `rules.clock` lets it run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType

from rules.errors import ClockError, shown

MAX_BASE_MS = 24 * 60 * 60 * 1000
"""Longest time for a game, all periods together: one day; the regulations know two hours at most (2.7.4)."""

MAX_INCREMENT_MS = 60 * 60 * 1000
"""Longest increment or delay: one hour, so that 400 moves still fit into the 32-bit dials of a device."""

MAX_PERIODS = 8
"""Most periods of a control; the regulations know two (2.7.4)."""

MAX_QUOTA = 500
"""Most moves of one period; the longest known games have about 200."""

_MINUTE_MS = 60_000

_BLITZ_MS = 7 * _MINUTE_MS
_RAPID_MS = 20 * _MINUTE_MS
"""A player's time in blitz and in rapid play (2.9.3)."""

_USUAL_MOVES = 35
"""Moves of one player in a game: half the mean of 69 plies in 552 games of tournaments."""


class ClockMode(Enum):
    """Whose clock counts."""

    OWN = "own"
    """The board's own: its dials flag."""
    OBSERVED = "observed"
    """Another clock is the truth: presses and readings of it are recorded, our dials never flag."""
    NONE = "none"
    """There is no clock: presses confirm moves, and nothing is counted."""


@dataclass(frozen=True, slots=True)
class Period:
    """One stretch of a time control.

    Attributes:
        time_ms: Time added when it begins, in milliseconds, 1..MAX_BASE_MS.
        moves: How many moves have to be made in it, 1..MAX_QUOTA; None: the rest of the game.
        increment_ms: Time added by each press in it, in milliseconds, 0..MAX_INCREMENT_MS.
        delay_ms: How long the dial still stands at the start of each move in it, 0..MAX_INCREMENT_MS.

    Raises:
        ClockError: A value is out of its range.
    """

    time_ms: int
    moves: int | None = None
    increment_ms: int = 0
    delay_ms: int = 0

    def __post_init__(self) -> None:
        _check("time_ms", self.time_ms, 1, MAX_BASE_MS, " ms")
        if self.moves is not None:
            _check("moves", self.moves, 1, MAX_QUOTA, "")
        _check("increment_ms", self.increment_ms, 0, MAX_INCREMENT_MS, " ms")
        _check("delay_ms", self.delay_ms, 0, MAX_INCREMENT_MS, " ms")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time each player gets.

    Attributes:
        periods: The periods in order, 1..MAX_PERIODS; each but the last has a quota, the last has none. None
            at all with mode NONE.
        mode: Whose clock counts.
        move_limit_ms: The longest time for a single move in milliseconds, 1..MAX_BASE_MS; None: no limit.

    Raises:
        ClockError: The periods do not follow from each other, or a value is out of its range.
    """

    periods: tuple[Period, ...]
    mode: ClockMode = ClockMode.OWN
    move_limit_ms: int | None = None

    def __post_init__(self) -> None:
        if self.mode is ClockMode.NONE:
            if self.periods or self.move_limit_ms is not None:
                raise ClockError("a game without a clock has neither periods nor a limit for a move")
            return
        if not 1 <= len(self.periods) <= MAX_PERIODS:
            raise ClockError(f"{len(self.periods)} periods are not 1 to {MAX_PERIODS}")
        for number, period in enumerate(self.periods[:-1], 1):
            if period.moves is None:
                raise ClockError(
                    f"period {number} has no quota of moves, so period {number + 1} cannot follow"
                )
        if self.periods[-1].moves is not None:
            raise ClockError(
                "the last period has a quota of moves: another has to follow for the rest of the game"
            )
        _check(
            "the time of all periods", sum(period.time_ms for period in self.periods), 1, MAX_BASE_MS, " ms"
        )
        if self.move_limit_ms is not None:
            _check("move_limit_ms", self.move_limit_ms, 1, MAX_BASE_MS, " ms")

    @classmethod
    def simple(cls, base_ms: int, increment_ms: int = 0) -> TimeControl:
        """Return one period for the whole game.

        Raises:
            ClockError: A value is out of its range.
        """
        return cls((Period(base_ms, increment_ms=increment_ms),))

    @property
    def is_simple(self) -> bool:
        """Whether `simple` could have made it: our own clock, one period, neither delay nor limit."""
        return self.mode is ClockMode.OWN and self == TimeControl.simple(self.base_ms, self.increment_ms)

    @property
    def base_ms(self) -> int:
        """Milliseconds on both dials at the start; 0 without a clock."""
        return self.periods[0].time_ms if self.periods else 0

    @property
    def increment_ms(self) -> int:
        """Milliseconds a press adds in the first period; 0 without a clock."""
        return self.periods[0].increment_ms if self.periods else 0

    def observed(self) -> TimeControl:
        """Return the same times on another clock that is only observed.

        Raises:
            ClockError: There is no clock to observe.
        """
        if self.mode is ClockMode.NONE:
            raise ClockError("no clock cannot be observed")
        return replace(self, mode=ClockMode.OBSERVED)


def _check(name: str, value: int, least: int, most: int, unit: str) -> None:
    if not least <= value <= most:
        raise ClockError(f"{name} {shown(value)} is not {least} to {most}{unit}")


NO_CLOCK = TimeControl((), ClockMode.NONE)
"""A game that is played without a clock."""


def is_blitz(control: TimeControl) -> bool:
    """Whether a control is blitz, as 2.9.3 has it: seven minutes for each player, where rapid has twenty.

    The regulations name no other times, and leave extra time to the arbiter. So a control is taken for the
    one of the two that it is nearer to by ratio (the border lies at 11 min 50 s), with what 35 moves bring
    in increments and delays, and no more than a limit for each move lets a player use.
    """
    if control.mode is ClockMode.NONE:
        return False
    has_ms, moves_left = 0, _USUAL_MOVES
    for period in control.periods:
        if not moves_left:
            break
        moves = moves_left if period.moves is None else min(period.moves, moves_left)
        has_ms += period.time_ms + moves * (period.increment_ms + period.delay_ms)
        moves_left -= moves
    if control.move_limit_ms is not None:
        has_ms = min(has_ms, _USUAL_MOVES * control.move_limit_ms)
    return has_ms**2 < _BLITZ_MS * _RAPID_MS


def _minutes(minutes: int, moves: int | None = None) -> Period:
    return Period(minutes * _MINUTE_MS, moves)


PRESETS: Mapping[str, TimeControl] = MappingProxyType(
    {
        "classical-2h": TimeControl((_minutes(120),)),
        "classical-90m-30m": TimeControl((_minutes(90, 30), _minutes(30))),
        "classical-60m-30m": TimeControl((_minutes(60, 20), _minutes(30))),
        "classical-90m": TimeControl((_minutes(90),)),
        "classical-60m": TimeControl((_minutes(60),)),
        "rapid": TimeControl((_minutes(20),)),
        "blitz": TimeControl((_minutes(7),)),
    }
)
"""The controls of the regulations by name: the five of 2.7.4 in their order, rapid and blitz of 2.9.3."""
