"""The eye of a board that only counts: what it may say, and when."""

from __future__ import annotations

from random import Random

from firmware_bridge.board.counting.belief import Belief
from firmware_bridge.board.watching.hearing import QUIET_US, SET_UP_AFTER_US, Listener
from firmware_bridge.board.watching.look import LOOK_AFTER_PRESS_US, LOOK_EVERY_US, BoardWatch, Look
from firmware_bridge.board.watching.reconciler import InProgress, Overheard, Unheard, Unmoved
from rules.position import START, Position, Side, Sowing, play
from tests.firmware_bridge.board.hands.falling import pulses_of
from tests.firmware_bridge.board.watching.listening import SEATING, SECOND, readings

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
STEP = SECOND // 20


class Table:
    """A board that only counts, with its stones laid out and confirmed."""

    def __init__(self) -> None:
        """Lay the stones out, wait, and confirm."""
        self.listener = Listener(SEATING)
        self.totals = [0] * 20
        self.at_us = 0
        self.position: Position = START
        self.pressed: list[tuple[Side, int]] = []
        self.wait(1)
        self.fall([9] * 18 + [0, 0])
        self.wait(SET_UP_AFTER_US // SECOND + 1)
        look = self.listener.look_at_setup(self.at_us, readings(self.totals))
        assert isinstance(look.verdict, Unmoved)
        self.listener.confirm(look.readings, look.verdict.weighed)

    def wait(self, seconds: float) -> None:
        """Let time go by."""
        until_us = self.at_us + round(seconds * SECOND)
        while self.at_us < until_us:
            self.at_us += STEP
            self.listener.looks_now(self.at_us, readings(self.totals))

    def fall(self, pulses: list[int]) -> None:
        """Let stones fall; the beams see all of them."""
        self.totals = [before + more for before, more in zip(self.totals, pulses, strict=True)]
        self.wait(0.1)

    def play(self, ply: Sowing) -> None:
        """Play a ply and press."""
        self.fall(pulses_of(ply, Random(1)))
        self.press(ply.side)

    def press(self, side: Side) -> None:
        """Press now, and wait until that is over."""
        self.pressed.append((side, self.at_us))
        self.wait(2 * QUIET_US / SECOND)

    def look(self, *, resting: bool = False) -> Look:
        """Look now."""
        sides, times = tuple(side for side, _ in self.pressed), [at_us for _, at_us in self.pressed]
        channels = readings(self.totals)
        return self.listener.look(self.at_us, channels, self.position, sides, times, resting=resting)

    def confirm(self, look: Look) -> None:
        """Take a look's plies as played."""
        assert isinstance(look.verdict, Overheard)
        self.listener.confirm(look.readings, look.verdict.weighed)
        self.position = look.verdict.plies[-1].after
        del self.pressed[: len(look.verdict.plies)]


def test_a_board_without_cells_is_watched_through_the_same_doors() -> None:
    """A board without cells has the same doors; nothing drifts, and nobody saw any hands."""
    watch: BoardWatch = Listener(SEATING)
    assert watch.drifted == ()
    assert watch.beam_faults == ()
    assert not watch.believe((play(START, 7),))
    assert watch.belief == Belief.empty()


def test_nobody_lays_out_stones_where_none_has_fallen_for_three_seconds() -> None:
    """How many lie where is not seen."""
    listener = Listener(SEATING)
    listener.looks_now(0, readings([0] * 20))
    listener.looks_now(STEP, readings([0] * 17 + [9, 0, 0]))
    early = listener.look_at_setup(SET_UP_AFTER_US, readings([0] * 20))
    assert early.verdict is None
    late = listener.look_at_setup(STEP + SET_UP_AFTER_US, readings([0] * 20))
    assert isinstance(late.verdict, Unmoved)
    assert listener.stones_at_setup(readings([0] * 20)) == (None,) * 20


def test_samples_are_worth_a_look_when_something_fell_or_time_has_passed() -> None:
    """Oftener while a press waits."""
    table = Table()
    table.look()
    soon = table.at_us + LOOK_AFTER_PRESS_US
    assert not table.listener.looks_now(soon, readings(table.totals))
    assert table.listener.looks_now(soon, readings(table.totals), pressed=True)
    assert table.listener.looks_now(soon, readings([count + 1 for count in table.totals]))
    late = table.at_us + LOOK_EVERY_US
    assert table.listener.looks_now(late, readings([count + 1 for count in table.totals]))


def test_a_ply_is_heard_once_it_is_pressed() -> None:
    """Before the press it is still being played; behind it the next begins from what it left."""
    table = Table()
    assert isinstance(table.look().verdict, Unmoved)
    for number in (7, 5, 3):
        ply = play(table.position, number)
        table.fall(pulses_of(ply, Random(1)))
        table.wait(1)
        assert isinstance(table.look().verdict, InProgress)
        table.press(ply.side)
        look = table.look()
        assert isinstance(look.verdict, Overheard)
        assert (look.verdict.plies, look.presses) == ((ply,), (ply.side,))
        table.confirm(look)
        assert isinstance(table.look().verdict, Unmoved)


def test_a_press_is_not_judged_before_what_was_let_go_has_fallen() -> None:
    """A third of a second."""
    table = Table()
    table.fall(pulses_of(play(START, 7), Random(1)))
    table.pressed.append((B, table.at_us))
    table.wait(QUIET_US / SECOND - 2 * STEP / SECOND)
    assert table.look().verdict is None
    table.wait(0.2)
    assert isinstance(table.look().verdict, Overheard)


def test_a_press_out_of_turn_or_in_a_hole_is_unheard() -> None:
    """Whose pulses they are nobody can tell."""
    table = Table()
    table.fall(pulses_of(play(START, 7), Random(1)))
    table.press(Q)
    assert table.look().verdict == Unheard(())
    table = Table()
    table.pressed.append((B, table.at_us + SECOND))
    table.at_us += 2 * SECOND
    table.totals = [a + b for a, b in zip(table.totals, pulses_of(play(START, 7), Random(1)), strict=True)]
    table.wait(1)
    assert table.look().verdict == Unheard(())


def test_what_falls_while_the_clocks_stand_is_no_play() -> None:
    """Stones are put right, and the position lies there by a person's word."""
    table = Table()
    table.fall([1] * 20)
    table.wait(1)
    assert isinstance(table.look().verdict, InProgress)
    assert isinstance(table.look(resting=True).verdict, Unmoved)
    assert isinstance(table.look().verdict, Unmoved)


def test_plies_entered_by_hand_take_their_pulses_with_them() -> None:
    """What falls behind their press is of the next."""
    table = Table()
    first = play(START, 7)
    table.press(B)  # and not one beam has seen it
    assert not isinstance(table.look().verdict, Overheard)
    table.listener.begin_anew((first,))
    table.position = first.after
    table.pressed.clear()
    assert isinstance(table.look().verdict, Unmoved)
    reply = play(first.after, 5)
    table.play(reply)
    look = table.look()
    assert isinstance(look.verdict, Overheard)
    assert look.verdict.plies == (reply,)
