"""Cells that fail, or seem to, at the wrong moment: no stone that is missing may be thought to lie there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware_bridge.board.counting.belief import Units
from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.inputs import Assign, DeviceArrived
from firmware_bridge.board.session.session import Session
from firmware_bridge.board.watching.failing_cells import HEARD_US, PASSES_US
from firmware_bridge.layout import Wiring
from rules.position import START, Position, Side, play
from tests.firmware_bridge.board.lines import random_position
from tests.firmware_bridge.board.paper import CONTROL, SECOND, UNITS, PaperBoard, moves, notes, sensed

B = Side.BASTAUSHY
CUT_OFF_G = -0.7525
"""What the cells of this board read when cut off: two thirds of a stone less than an empty pit."""

DEAD = "no conversion in time"
OVERLOADED = "saturated: overload"


def playing() -> PaperBoard:
    """Return a board whose game has just started, and whose broken cells are known by what they read."""
    units = Units(UNITS.stone_g, UNITS.mark_g, (CUT_OFF_G,) * 20)
    board = PaperBoard(Session(wiring=Wiring(), units=units), "a")
    board.take(DeviceArrived(0, restarted=False))
    board.take(Assign(at_us=0, game_id="g", names=("A", "B"), starter_seat="a", control=CONTROL))
    board.wait(0.5)
    for side in Side:
        board.press(side)
    board.wait(0.5)
    return board


def sow(board: PaperBoard, number: int, missing: int | None = None) -> None:
    """Play a pit and press; at the place `missing` one stone is not laid."""
    sowing = play(board.session.game.position, number)
    stones = list(stones_due(sowing.after))
    if missing is not None:
        stones[missing] -= 1
    board.put(stones)
    board.wait(0.5)
    board.press(sowing.side)


def lying(fits: Callable[[Position], bool]) -> Position:
    """Return a position of a game in which bastaushy is to move, and that fits."""
    positions = (random_position(seed, 2 * (seed % 20)) for seed in range(4000))
    return next(each for each in positions if each.to_move is B and fits(each))


def empty_behind_stones(position: Position) -> int | None:
    """Return an empty pit of bastaushy's into which the pit before it can be sown; None: there is none."""
    pits = position.pits
    return next((place for place in range(1, 9) if not pits[place] and pits[place - 1] >= 2), None)


class TestACellThatFailsForAMoment:
    """On a board that was seen to lack a stone."""

    @pytest.mark.parametrize("reason", [DEAD, OVERLOADED])
    @pytest.mark.parametrize("after_s", [1, 3, 8])
    @pytest.mark.parametrize("for_s", [0.1, 1, 4])
    def test_does_not_make_it_legal(self, reason: str, after_s: float, for_s: float) -> None:
        """Whenever it fails, and whether it comes back at once or only later."""
        board = playing()
        sow(board, 7, missing=7)
        board.wait(after_s)
        board.fail(7, reason)
        board.wait(for_s)
        lasting = for_s * SECOND > PASSES_US and after_s * SECOND < HEARD_US
        assert bool(moves(board)) is lasting  # then nobody can tell it from a cell that died before the stone
        board.heal(7)
        board.wait(3)
        if not lasting:
            assert moves(board) == []
            assert sensed(board) == "differs"

    def test_and_comes_back_holds_up_no_move(self) -> None:
        """Where the stone lies, its last word is as good."""
        board = playing()
        sow(board, 7)
        board.fail(7)
        board.wait(0.5)
        assert moves(board) == ["7:6"]

    def test_and_fails_again_is_waited_for_once(self) -> None:
        """A loose plug would keep the game waiting for ever."""
        board = playing()
        sow(board, 7)
        board.wait(0.1)
        board.moving = {3}
        for _ in range(8):
            board.fail(7)
            board.wait(0.4)
            board.heal(7)
            board.wait(0.1)
        board.moving = set()
        board.fail(7)
        board.wait(0.3)
        assert moves(board) == ["7:6"]

    def test_a_cell_that_dies_while_stones_are_sown_is_made_up_for(self) -> None:
        """After it was waited for: what fell there since it has not seen."""
        board = playing()
        board.wait(1)
        board.fail(7)
        sow(board, 7)
        board.wait(1)
        assert moves(board) == []
        board.wait(3)
        assert moves(board) == ["7:6"]


class TestAHandOnAPit:
    """It may weigh what a broken cell reads, for as long as it lies there."""

    def test_is_no_cell_at_a_wrong_gain_when_both_have_pressed(self) -> None:
        """Half a stone's weight where a stone is missing, not still for long."""
        board = playing()
        first = play(START, 7)
        second = play(first.after, 3)
        board.moving.add(0)  # the first ply is not read at its press
        board.put(stones_due(first.after))
        board.wait(0.4)
        board.press(first.side)
        board.wait(0.5)
        stones = list(stones_due(second.after))
        stones[15] -= 1
        board.add(15, UNITS.stone_g / 2)
        board.put(stones)
        board.moving.clear()
        board.since[0] = board.now_us
        board.wait(0.4)
        board.press(second.side)
        board.wait(1)
        assert len(moves(board)) < 2, notes(board)

    def test_is_judged_by_what_is_due_after_the_ply(self) -> None:
        """A quarter of what lay there before is no reading of a cell on which one stone is due."""
        board = playing()
        position = lying(lambda each: 3 <= each.pits[5] <= 4)
        board.stand(position)
        board.show(position)
        board.wait(1)
        stones = position.pits[5]
        board.add(5, CUT_OFF_G + (stones * UNITS.stone_g - CUT_OFF_G) / 4)
        sow(board, 6, missing=5)
        board.wait(4)
        assert moves(board) == [], notes(board)

    def test_leaves_a_cell_that_is_believed_again(self) -> None:
        """On an empty pit it read as twice the gain; then the pit lacks a stone, which no such cell reads."""
        board = playing()
        position = lying(lambda each: empty_behind_stones(each) is not None)
        pit = empty_behind_stones(position)
        assert pit is not None
        board.stand(position)
        board.show(position)
        board.wait(1)
        board.add(pit, -CUT_OFF_G)
        board.wait(4)
        sow(board, pit, missing=pit)
        board.wait(0.5)
        board.add(pit, CUT_OFF_G)
        board.wait(10)
        assert not moves(board) or sensed(board) != "matches", notes(board)


def test_a_cell_that_fails_just_now_is_named_at_once() -> None:
    """Even while it is waited for: who is to mend it need not wait."""
    board = playing()
    board.wait(0.2)
    board.fail(7)
    board.moving = {3}
    board.wait(0.2)
    assert [(note.code, note.place) for note in board.session.watch.notes] == [("unreadable", 7)]
