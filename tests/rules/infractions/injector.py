"""Every fault of `Fault` committed on purpose at a position, with what is to be found."""

import random
from collections.abc import Callable

from rules import Position, Sowing, apply, legal_moves, outcome
from rules.infractions.kinds import Fault
from rules.position import board_of, number_of
from tests.rules.infractions import acting_wrongly, sowing_wrongly, taking_wrongly
from tests.rules.infractions.hands_at_play import Impossible, Injected, Played, Table

Injector = Callable[[Table, Sowing], Played]
"""Plays a turn at a table; returns the place to be named and the sowing due."""

INJECTORS: dict[Fault, Injector] = {
    Fault.STONE_SKIPPED: sowing_wrongly.skipped,
    Fault.TWO_IN_ONE: sowing_wrongly.two_in_one,
    Fault.STONE_IN_NEIGHBOUR: sowing_wrongly.neighbour,
    Fault.WRONG_WAY: sowing_wrongly.wrong_way,
    Fault.FIRST_NOT_LEFT: sowing_wrongly.first_not_left,
    Fault.SINGLE_MISMOVED: sowing_wrongly.single,
    Fault.SOWN_SHORT: sowing_wrongly.short,
    Fault.SOWN_PAST_END: sowing_wrongly.past,
    Fault.TWO_PITS_SOWN: sowing_wrongly.two_pits,
    Fault.STONE_FROM_OTHER_PIT: sowing_wrongly.from_other_pit,
    Fault.PART_TAKEN: sowing_wrongly.part,
    Fault.OPPONENTS_PIT: sowing_wrongly.opponents_pit,
    Fault.OUT_OF_TURN: sowing_wrongly.out_of_turn,
    Fault.MOVED_TWICE: sowing_wrongly.twice,
    Fault.CAPTURE_NOT_TAKEN: taking_wrongly.not_taken,
    Fault.CAPTURED_ODD: taking_wrongly.odd,
    Fault.CAPTURED_OWN_SIDE: taking_wrongly.own_side,
    Fault.CAPTURED_WRONG_PIT: taking_wrongly.wrong_pit,
    Fault.CAPTURED_TOO_FEW: taking_wrongly.too_few,
    Fault.CAPTURED_TOO_MANY: taking_wrongly.too_many,
    Fault.CAPTURE_TO_OPPONENT: taking_wrongly.to_opponent,
    Fault.CAPTURE_KEPT: taking_wrongly.capture_kept,
    Fault.TUZDYK_ON_NINE: taking_wrongly.claimed(lambda _table, due: number_of(due.last_index) == 9),
    Fault.TUZDYK_SAME_NUMBER: taking_wrongly.claimed(
        lambda table, due: number_of(due.last_index) != 9 and not taking_wrongly.has_tuzdyk(table, due)
    ),
    Fault.TUZDYK_SECOND: taking_wrongly.claimed(
        lambda table, due: number_of(due.last_index) != 9 and taking_wrongly.has_tuzdyk(table, due)
    ),
    Fault.TUZDYK_NOT_CLAIMED: taking_wrongly.not_claimed,
    Fault.TUZDYK_NOT_MARKED: taking_wrongly.not_marked,
    Fault.TUZDYK_MARK_WRONG: taking_wrongly.mark_wrong,
    Fault.TUZDYK_STONES_LEFT: taking_wrongly.tuzdyk_left,
    Fault.TUZDYK_WRONG_KAZAN: taking_wrongly.tuzdyk_wrong_kazan,
    Fault.TUZDYK_NOT_DELIVERED: taking_wrongly.tuzdyk_kept,
    Fault.KAZAN_ADDED: acting_wrongly.kazan_added,
    Fault.KAZAN_TAKEN: acting_wrongly.kazan_taken,
    Fault.KAZAN_SHIFTED: acting_wrongly.kazan_shifted,
    Fault.SWEPT_WITHOUT_RIGHT: acting_wrongly.swept,
    Fault.STONES_DISPLACED: acting_wrongly.displaced,
    Fault.STONE_LOST: acting_wrongly.lost,
    Fault.FOREIGN_OBJECT: acting_wrongly.foreign,
    Fault.TOUCH_MOVE_BROKEN: acting_wrongly.touch_move,
    Fault.ADJUSTED_BY_HAND: acting_wrongly.by_hand,
    Fault.ADJUSTED_OUT_OF_TURN: acting_wrongly.adjusted_out_of_turn,
    Fault.PRESSED_WITHOUT_MOVE: acting_wrongly.no_move,
    Fault.PRESSED_OUT_OF_TURN: acting_wrongly.for_the_other,
    Fault.BOTH_PRESSED: acting_wrongly.both,
    Fault.MOVED_BEFORE_PRESS: acting_wrongly.before_press,
    Fault.STONES_IN_HAND: acting_wrongly.in_hand,
}
"""Every fault that can be committed in a position that is not over."""


def inject(fault: Fault, position: Position, rng: random.Random, tries: int = 20) -> Injected | None:
    """Return the fault committed at a position; None where some tries found no way, or it offended nobody."""
    if outcome(position) is not None:
        return None
    for _ in range(tries):
        due = apply(position, rng.choice(legal_moves(position)))
        table = Table(position, rng)
        try:
            pit, meant = INJECTORS[fault](table, due)
        except Impossible:
            continue
        if _offends(fault, table):
            return table.told((fault,), pit, meant)
    return None


LEAVES_STONES_RIGHT = frozenset(
    {
        Fault.TUZDYK_NOT_MARKED,
        Fault.TUZDYK_MARK_WRONG,
        Fault.TOUCH_MOVE_BROKEN,
        Fault.ADJUSTED_BY_HAND,
        Fault.ADJUSTED_OUT_OF_TURN,
        Fault.PRESSED_WITHOUT_MOVE,
        Fault.PRESSED_OUT_OF_TURN,
        Fault.BOTH_PRESSED,
        Fault.MOVED_BEFORE_PRESS,
        Fault.STONES_IN_HAND,
    }
)
"""Faults after which the stones may lie as they should."""


def _offends(fault: Fault, table: Table) -> bool:
    """Return whether the board that was left is one that no legal move leaves."""
    if fault in LEAVES_STONES_RIGHT:
        return True
    board = tuple(table.stones)
    plies = [apply(table.before, number) for number in legal_moves(table.before)]
    legal = [board_of(ply.after) for ply in plies]
    return board != board_of(table.before) and board not in legal
