"""What players can do against the rules at a board, each with its articles of the regulations.

A value of `Fault` is a stable key: texts in any language are kept under it. The regulations say how stones
are sown, taken and banked, but prescribe no procedure for a sowing that went wrong; what follows from a fault
is for the arbiter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from rules.position import Side


class Fault(Enum):
    """A way to offend, by what it is called."""

    STONE_SKIPPED = "stone_skipped"
    """A pit on the way got no stone, and the sowing ended one pit further on (1.3.1)."""
    TWO_IN_ONE = "two_in_one"
    """A pit on the way got two stones at once, and the sowing ended one pit earlier (1.3.1)."""
    STONE_IN_NEIGHBOUR = "stone_in_neighbour"
    """One stone was laid into the pit beside its own; the others are right (1.3.1)."""
    WRONG_WAY = "wrong_way"
    """The stones were sown clockwise (1.3.1)."""
    FIRST_NOT_LEFT = "first_not_left"
    """The first stone was not left in the pit that was played (1.3.1)."""
    SINGLE_MISMOVED = "single_mismoved"
    """A single stone was moved elsewhere than into the next pit (1.3.3)."""
    SOWN_SHORT = "sown_short"
    """The last stones were not laid out one by one: they were kept, banked or dropped together (1.3.1)."""
    SOWN_PAST_END = "sown_past_end"
    """The last stone was laid past the pit where it was due (1.3.1)."""
    TWO_PITS_SOWN = "two_pits_sown"
    """The stones of two pits were sown as one (1.3.1)."""
    STONE_FROM_OTHER_PIT = "stone_from_other_pit"
    """Stones of another pit were sown along (1.3.1)."""
    PART_TAKEN = "part_taken"
    """Only a part of the stones of a pit was taken up and sown (1.3.1)."""
    OPPONENTS_PIT = "opponents_pit"
    """The player sowed a pit of the opponent's row (1.3.1)."""
    OUT_OF_TURN = "out_of_turn"
    """A player moved while it was the other's turn (1.3.5)."""
    MOVED_TWICE = "moved_twice"
    """A player made two moves in one turn (1.3.5)."""

    CAPTURE_NOT_TAKEN = "capture_not_taken"
    """Stones that were won were left where they lie (1.3.2)."""
    CAPTURED_ODD = "captured_odd"
    """An odd pit of the opponent was emptied (1.3.2)."""
    CAPTURED_OWN_SIDE = "captured_own_side"
    """The last stone fell into the player's own row, and he took that pit (1.3.2)."""
    CAPTURED_WRONG_PIT = "captured_wrong_pit"
    """A pit was emptied in which the last stone did not fall (1.3.2)."""
    CAPTURED_TOO_FEW = "captured_too_few"
    """Only a part of the stones that were won was banked (1.3.2)."""
    CAPTURED_TOO_MANY = "captured_too_many"
    """Stones of another pit went along with those that were won (1.3.2)."""
    CAPTURE_TO_OPPONENT = "capture_to_opponent"
    """Stones that were won were put into the opponent's kazan (1.1.2, 1.3.2)."""
    CAPTURE_KEPT = "capture_kept"
    """Stones that were won were taken up and lie in no kazan (1.1.2, 1.3.2)."""

    TUZDYK_ON_NINE = "tuzdyk_on_nine"
    """A tuzdyk was claimed on the ninth pit (1.4.1, 1.4.3)."""
    TUZDYK_SAME_NUMBER = "tuzdyk_same_number"
    """A tuzdyk was claimed on the number of the opponent's tuzdyk (1.4.3)."""
    TUZDYK_SECOND = "tuzdyk_second"
    """A tuzdyk was claimed by a player who has one (1.4.3)."""
    TUZDYK_NOT_CLAIMED = "tuzdyk_not_claimed"
    """Three stones that win a tuzdyk were left lying (1.4.1)."""
    TUZDYK_NOT_MARKED = "tuzdyk_not_marked"
    """A tuzdyk was won and no mark was laid (1.4.2)."""
    TUZDYK_MARK_WRONG = "tuzdyk_mark_wrong"
    """A mark was laid on a pit that is no tuzdyk (1.4.1, 1.4.2)."""
    TUZDYK_STONES_LEFT = "tuzdyk_stones_left"
    """Stones were left in a tuzdyk (1.4.2, 1.4.4)."""
    TUZDYK_WRONG_KAZAN = "tuzdyk_wrong_kazan"
    """Stones of a tuzdyk were put into the kazan of the player who does not own it (1.4.2)."""
    TUZDYK_NOT_DELIVERED = "tuzdyk_not_delivered"
    """Stones of a tuzdyk reached no kazan and lie in no pit (1.4.2)."""

    KAZAN_ADDED = "kazan_added"
    """Stones that nobody won were put into a kazan (1.1.2, 1.3.2)."""
    KAZAN_TAKEN = "kazan_taken"
    """Stones were taken out of a kazan (1.1.2)."""
    KAZAN_SHIFTED = "kazan_shifted"
    """Stones went from one kazan to the other (1.1.2)."""
    SWEPT_WITHOUT_RIGHT = "swept_without_right"
    """The board was emptied into a kazan where there is no atsyrau, or by the wrong player (1.5.1)."""
    STONES_DISPLACED = "stones_displaced"
    """Stones were moved from one pit to another, and no sowing explains it (1.3.1, 1.3.4)."""
    STONE_LOST = "stone_lost"
    """Stones of a pit are no longer on the board (1.1.2)."""
    FOREIGN_OBJECT = "foreign_object"
    """More lies on the board than its 162 stones (1.1.2)."""
    MOVED_AFTER_END = "moved_after_end"
    """Stones were moved after the game had ended (1.3.5, 1.5.1)."""

    TOUCH_MOVE_BROKEN = "touch_move_broken"
    """A pit was lifted and put back, and another one was played (1.3.4; not in blitz and rapid: 2.9.6)."""
    ADJUSTED_BY_HAND = "adjusted_by_hand"
    """Stones were put right by hand instead of with a pen (1.3.4)."""
    ADJUSTED_OUT_OF_TURN = "adjusted_out_of_turn"
    """Stones were put right in the other's turn (1.3.4)."""

    PRESSED_WITHOUT_MOVE = "pressed_without_move"
    """The clock was pressed and no move had been made (2.7.9)."""
    PRESSED_OUT_OF_TURN = "pressed_out_of_turn"
    """The clock was pressed by the player whose turn it was not (2.7.7)."""
    BOTH_PRESSED = "both_pressed"
    """Both players pressed where one press was due (2.7.7, 2.7.9)."""
    MOVED_BEFORE_PRESS = "moved_before_press"
    """A player moved before the opponent had pressed (2.7.17)."""
    STONES_IN_HAND = "stones_in_hand"
    """Stones were still in hand when the clock was pressed (2.7.7)."""


_BY_ARTICLES: tuple[tuple[tuple[str, ...], tuple[Fault, ...]], ...] = (
    (
        ("1.3.1",),
        (
            Fault.STONE_SKIPPED,
            Fault.TWO_IN_ONE,
            Fault.STONE_IN_NEIGHBOUR,
            Fault.WRONG_WAY,
            Fault.FIRST_NOT_LEFT,
            Fault.SOWN_SHORT,
            Fault.SOWN_PAST_END,
            Fault.TWO_PITS_SOWN,
            Fault.STONE_FROM_OTHER_PIT,
            Fault.PART_TAKEN,
            Fault.OPPONENTS_PIT,
        ),
    ),
    (("1.3.3",), (Fault.SINGLE_MISMOVED,)),
    (("1.3.5",), (Fault.OUT_OF_TURN, Fault.MOVED_TWICE)),
    (
        ("1.3.2",),
        (
            Fault.CAPTURE_NOT_TAKEN,
            Fault.CAPTURED_ODD,
            Fault.CAPTURED_OWN_SIDE,
            Fault.CAPTURED_WRONG_PIT,
            Fault.CAPTURED_TOO_FEW,
            Fault.CAPTURED_TOO_MANY,
        ),
    ),
    (("1.1.2", "1.3.2"), (Fault.CAPTURE_TO_OPPONENT, Fault.CAPTURE_KEPT, Fault.KAZAN_ADDED)),
    (("1.4.1", "1.4.3"), (Fault.TUZDYK_ON_NINE,)),
    (("1.4.3",), (Fault.TUZDYK_SAME_NUMBER, Fault.TUZDYK_SECOND)),
    (("1.4.1",), (Fault.TUZDYK_NOT_CLAIMED,)),
    (("1.4.1", "1.4.2"), (Fault.TUZDYK_MARK_WRONG,)),
    (("1.4.2", "1.4.4"), (Fault.TUZDYK_STONES_LEFT,)),
    (("1.4.2",), (Fault.TUZDYK_NOT_MARKED, Fault.TUZDYK_WRONG_KAZAN, Fault.TUZDYK_NOT_DELIVERED)),
    (("1.1.2",), (Fault.KAZAN_TAKEN, Fault.KAZAN_SHIFTED, Fault.STONE_LOST, Fault.FOREIGN_OBJECT)),
    (("1.5.1",), (Fault.SWEPT_WITHOUT_RIGHT,)),
    (("1.3.1", "1.3.4"), (Fault.STONES_DISPLACED,)),
    (("1.3.5", "1.5.1"), (Fault.MOVED_AFTER_END,)),
    (("1.3.4",), (Fault.TOUCH_MOVE_BROKEN, Fault.ADJUSTED_BY_HAND, Fault.ADJUSTED_OUT_OF_TURN)),
    (("2.7.9",), (Fault.PRESSED_WITHOUT_MOVE,)),
    (("2.7.7", "2.7.9"), (Fault.BOTH_PRESSED,)),
    (("2.7.7",), (Fault.PRESSED_OUT_OF_TURN, Fault.STONES_IN_HAND)),
    (("2.7.17",), (Fault.MOVED_BEFORE_PRESS,)),
)

ARTICLES: Mapping[Fault, tuple[str, ...]] = MappingProxyType(
    {fault: articles for articles, faults in _BY_ARTICLES for fault in faults}
)
"""The articles that each fault offends against, the most telling first."""


@dataclass(frozen=True, slots=True)
class Infraction:
    """One fault, with who committed it and where.

    Attributes:
        fault: What was done.
        offender: Who did it, as far as stones and clock tell.
        pit: The pit of index 0..17 that the fault is about: the one skipped, taken, left; 18 or 19 where it
            is bastaushy's or qostaushy's kazan; None where no place is to be named.
        stones: How many stones it is about; None where it is about none.
        places: Other places it is about, such as where the stones went to.
    """

    fault: Fault
    offender: Side
    pit: int | None = None
    stones: int | None = None
    places: tuple[int, ...] = ()

    @property
    def articles(self) -> tuple[str, ...]:
        """The articles of the regulations offended against."""
        return ARTICLES[self.fault]


OF_PRESSES = frozenset({Fault.PRESSED_WITHOUT_MOVE, Fault.PRESSED_OUT_OF_TURN, Fault.BOTH_PRESSED})
"""Faults of who has pressed: the position before them gives the dial back to whoever is to move."""


def fault_of(code: str) -> Fault | None:
    """Return the fault of a code in a journal; None: this program has none of that name."""
    return next((fault for fault in Fault if fault.value == code), None)
