"""How fast the emulated players move, and how they behave at a table, as plain numbers.

Durations are device seconds, drawn evenly between two bounds; habits are shares of 1. No source gives either:
they are estimates of how people play, not measurements; only their order and their spread matter to the
reader.
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
    lapse_s: Span | None = None
    """Thinking before `think_s` in which nothing happens at all (see `Lapse`); None: there is none."""


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
CLASSICAL = Pace(
    name="classical",
    think_s=(2.0, 6.0),
    lift_s=(0.6, 1.2),
    stone_s=(0.35, 0.65),
    carry_s=(0.6, 1.1),
    press_s=(0.4, 1.0),
    # An hour for some 35 moves gives 100 s a ply on the average.
    lapse_s=(5.0, 195.0),
)
RAPID = Pace(
    name="rapid",
    think_s=(1.0, 4.0),
    lift_s=(0.4, 0.8),
    stone_s=(0.22, 0.4),
    carry_s=(0.4, 0.7),
    press_s=(0.2, 0.5),
    # A quarter of an hour for as many gives 25 s.
    lapse_s=(0.0, 50.0),
)


PACES = {pace.name: pace for pace in (LEISURELY, HUMAN, BRISK, BLITZ, CLASSICAL, RAPID)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """What the players do around the moves and with the stones.

    Habits are shares of 1: of plies unless something else is said.
    """

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
    mend_after_s: float | None = None
    """From the press of an offended ply until the players put the board into the position that was due, as an
    arbiter would have them do, and go on; sooner where they are told before; None: they wait for ever."""
    post_mortem: int = 0
    """So many scenes after the end of a game: stones are poured, positions laid, moves tried."""

    rest: float = 0.0
    """While he thinks, a hand rests on some place, now more, now less firmly."""
    adjust: float = 0.0
    """Before his move a player adjusts stones with a pen, which changes no count (1.3.4)."""
    two_handed: float = 0.0
    """Of pits above `both_hands`: they are taken up with both hands, one after the other."""
    both_hands: int = 10
    """More stones than this are too many for one hand of somebody with such a habit."""
    pairs: float = 0.0
    """The stones are laid two at a time, by two fingers into two pits."""
    slips: float = 0.0
    """Of stones: it slips from the fingers right after the one before."""
    overshoot: float = 0.0
    """Of stones for an ordinary pit: it falls one pit too far and is put right, at once or after the last."""
    rim: float = 0.0
    """Of stones for an ordinary pit: it stays on the rim or between two pits until it is put right."""
    relay: float = 0.0
    """Of stones for an ordinary pit: it is picked up again and laid back."""
    tuzdyk_touch: float = 0.3
    """Of stones for a tuzdyk banked at once: it is laid into the pit first and fetched from there."""
    tuzdyk_late: float = 0.0
    """Stones for a tuzdyk lie in it until the sowing is over; they are banked before the press (1.4.2)."""
    tuzdyk_held: float = 0.0
    """Stones for a tuzdyk stay in the hand until the sowing is over."""
    tuzdyk_by_owner: float = 0.0
    """Of plies whose tuzdyk stones lie until the end: their owner banks them, not the one who sowed."""
    handful: int = 8
    """More captured stones than this may go to the kazan in more than one handful."""
    two_handfuls: float = 0.6
    """Of captures above a handful: they go in two."""
    three_handfuls: float = 0.0
    """Of captures above a handful: they go in three."""
    mark_late: float = 0.0
    """Of tuzdyks won: the mark is laid only after the press."""
    linger: float = 0.0
    """A finger rests on the last pit until after the press."""
    early: float = 0.0
    """The opponent reaches into his pit before the press; only where what he plays is known by then."""


PLAIN = Manners()
LIVELY = Manners(
    rest=0.1,
    adjust=0.05,
    two_handed=0.5,
    pairs=0.15,
    slips=0.05,
    overshoot=0.005,
    rim=0.005,
    relay=0.005,
    tuzdyk_late=0.25,
    tuzdyk_held=0.1,
    tuzdyk_by_owner=0.2,
    three_handfuls=0.1,
    mark_late=0.3,
    linger=0.05,
    early=0.02,
)
"""People who are not thinking of the board."""
UNRULY = Manners(
    rest=0.5,
    adjust=0.3,
    two_handed=0.8,
    pairs=0.3,
    slips=0.2,
    overshoot=0.05,
    rim=0.05,
    relay=0.05,
    tuzdyk_late=0.4,
    tuzdyk_held=0.2,
    tuzdyk_by_owner=0.5,
    three_handfuls=0.3,
    mark_late=0.5,
    linger=0.3,
    early=0.1,
    post_mortem=3,
)
"""Everything at once, far more often than at any table: for trials."""

MANNERS = {"plain": PLAIN, "lively": LIVELY, "unruly": UNRULY}
