"""How fast the emulated players move, and how they behave at a table, as plain numbers of seconds.

Durations are device seconds, drawn evenly between two bounds. No source gives them: they are estimates from
watching people play; only their order and their spread matter to the reader.
"""

from dataclasses import dataclass

Span = tuple[float, float]
"""Shortest and longest, seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """One player's tempo."""

    name: str
    think_s: Span
    """From the opponent's press to the hand above the pit."""
    lift_s: Span
    """Gathering the stones of a pit."""
    stone_s: Span
    """From one stone let fall to the next."""
    carry_s: Span
    """From a pit to the kazan, or to the box for a mark."""
    press_s: Span
    """From the last stone to the clock."""


LEISURELY = Pace(
    name="leisurely",
    think_s=(4.0, 20.0),
    lift_s=(0.8, 1.4),
    stone_s=(0.45, 0.7),
    carry_s=(0.8, 1.2),
    press_s=(0.4, 0.8),
)
HUMAN = Pace(
    name="human",
    think_s=(2.0, 9.0),
    lift_s=(0.5, 0.9),
    stone_s=(0.28, 0.45),
    carry_s=(0.5, 0.8),
    press_s=(0.25, 0.5),
)
BRISK = Pace(
    name="brisk",
    think_s=(0.8, 2.5),
    lift_s=(0.35, 0.6),
    stone_s=(0.18, 0.28),
    carry_s=(0.35, 0.55),
    press_s=(0.2, 0.35),
)
BLITZ = Pace(
    name="blitz",
    think_s=(0.2, 0.9),
    lift_s=(0.25, 0.4),
    stone_s=(0.12, 0.18),
    carry_s=(0.25, 0.4),
    press_s=(0.12, 0.25),
)

PACES = {pace.name: pace for pace in (LEISURELY, HUMAN, BRISK, BLITZ)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """What the players do around the moves."""

    wait_for_clock: bool = True
    """Move only while the own dial runs; False at a table whose host drives no clock."""
    setup_check_s: Span = (4.0, 6.0)
    """From the host's first word to the presses that say "ready"."""
    go_on_s: float = 2.0
    """From the host-lost lamp going out to the next movement."""
    press_again_s: float = 20.0
    """A press that did nothing is repeated after this long."""
    sweep_after_s: Span = (3.0, 5.0)
    """From the end of the game to the sweeping of what is left."""
    sweep_at_latest_s: float = 60.0
    """When no dial tells the players that the game has been seen to end."""
    confirm_after_s: float | None = None
    """From the end of the game to both players' presses that confirm the result; None: nobody presses."""
    tuzdyk_touch: float = 0.3
    """How often a stone for a tuzdyk is laid into the pit first and fetched from there: a share of 1."""
    handful: int = 8
    """More captured stones than this may go to the kazan in two handfuls."""
