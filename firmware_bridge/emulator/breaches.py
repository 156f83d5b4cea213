"""Further ways to break the rules: sowings of no pit that was due, claims, and conduct of hands and clock.

They stand beside `Offence`, whose kinds and their order the measured lanes of the bench were drawn from.
"""

from enum import Enum


class Breach(Enum):
    """A way to break the rules; of some the stones end as they should."""

    SINGLE_MISMOVED = "single_mismoved"
    """A single stone is moved elsewhere than into the next pit."""
    TWO_PITS_SOWN = "two_pits_sown"
    """The stones of two own pits are taken up and sown as one."""
    PART_TAKEN = "part_taken"
    """Only some stones of the pit are taken up and sown."""
    DROPPED_TOGETHER = "dropped_together"
    """The last stones are dropped together into the pit before."""
    OPPONENTS_PIT = "opponents_pit"
    """A pit of the opponent's row is sown."""
    OUT_OF_TURN = "out_of_turn"
    """The other player moves and presses."""
    MOVED_TWICE = "moved_twice"
    """After the due ply another pit is played before the press."""
    CAPTURED_WRONG_PIT = "captured_wrong_pit"
    """A pit beside the last one is emptied instead."""
    CAPTURE_KEPT = "capture_kept"
    """The stones won are taken up and stay in the hand."""
    TUZDYK_ON_NINE = "tuzdyk_on_nine"
    """Three stones of a ninth pit are claimed as a tuzdyk, with a mark."""
    TUZDYK_SAME_NUMBER = "tuzdyk_same_number"
    """So are three stones in a pit with the number of the opponent's tuzdyk."""
    TUZDYK_SECOND = "tuzdyk_second"
    """So are three stones by a player who has one."""
    TUZDYK_NOT_CLAIMED = "tuzdyk_not_claimed"
    """Three stones that win a tuzdyk are left lying."""
    TUZDYK_NOT_MARKED = "tuzdyk_not_marked"
    """A tuzdyk is won and no mark is laid."""
    TUZDYK_MARK_WRONG = "tuzdyk_mark_wrong"
    """After the due ply a mark is laid on a pit that is no tuzdyk."""
    TUZDYK_NOT_DELIVERED = "tuzdyk_not_delivered"
    """A stone for a tuzdyk stays in the hand."""
    KAZAN_TO_PIT = "kazan_to_pit"
    """After a correct sowing one or two stones of a kazan go into a pit."""
    SWEPT = "swept"
    """After a correct sowing all stones of the pits are gathered into one kazan."""
    DISPLACED_SEVERAL = "displaced_several"
    """After a correct sowing two or three stones are pushed into the pit beside."""
    FOREIGN_STONE = "foreign_stone"
    """After a correct sowing one stone from beside the board is laid on it."""

    TOUCH_MOVE_BROKEN = "touch_move_broken"
    """A pit is lifted and put back, and the due one is played."""
    ADJUSTED_BY_HAND = "adjusted_by_hand"
    """Some stones of another pit are taken up and laid back, then the due ply is played."""
    ADJUSTED_OUT_OF_TURN = "adjusted_out_of_turn"
    """The other player takes up some stones of his row and lays them back, then the due ply is played."""
    PRESSED_WITHOUT_MOVE = "pressed_without_move"
    """The clock is pressed and nothing is played."""
    PRESSED_OUT_OF_TURN = "pressed_out_of_turn"
    """The due ply is played, and the other player presses."""
    BOTH_PRESSED = "both_pressed"
    """The due ply is played, and both players press, the other one first."""
    MOVED_BEFORE_PRESS = "moved_before_press"
    """The other player takes up the pit of his answer well before the press."""
    CAPTURE_AFTER_PRESS = "capture_after_press"
    """The stones won are in the hand at the press, and are banked after it."""
    LAST_AFTER_PRESS = "last_after_press"
    """The last stone is in the hand at the press, and is laid after it."""


AS_DUE = frozenset(
    {
        Breach.TUZDYK_NOT_MARKED,
        Breach.TUZDYK_MARK_WRONG,
        Breach.TOUCH_MOVE_BROKEN,
        Breach.ADJUSTED_BY_HAND,
        Breach.ADJUSTED_OUT_OF_TURN,
        Breach.PRESSED_OUT_OF_TURN,
        Breach.BOTH_PRESSED,
        Breach.MOVED_BEFORE_PRESS,
        Breach.CAPTURE_AFTER_PRESS,
        Breach.LAST_AFTER_PRESS,
    }
)
"""Breaches after which the stones lie as they should."""
