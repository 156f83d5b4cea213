"""How a game comes to its end and goes on after a rest, with everything that is shown and kept of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import pytest

from firmware_bridge.board.counting.belief import Belief
from firmware_bridge.board.counting.lots import stones_due, swept_stones
from firmware_bridge.board.inputs import Effect, End, Resume, ShowClock, Step, Suspend
from rules.game import GameEnded, MovePlayed, Phase, SetupChecked, SetupLost
from rules.position import START, Position, Side, play
from tests.firmware_bridge.board.paper import UNITS, PaperBoard, assigned, moves, phase, playing


def cells(event: MovePlayed | SetupChecked) -> Belief:
    """Return what an event says was known of the cells."""
    return Belief.from_json(cast("Mapping[str, Any]", event.evidence["cells"]))


def zeros(belief: Belief) -> list[float]:
    """Return the zero of every place, in stones."""
    return [belief.zero(place, UNITS.mark_g / UNITS.stone_g) for place in range(20)]


B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
NEARLY = Position((*(0,) * 6, 1, 1, *(0,) * 10), (80, 80), (None, None), B)
"""Whichever of the two stones bastaushy plays, it is atsyrau, and swept both look alike."""


def nearly_over() -> PaperBoard:
    """Return a board that lacks only the last ply."""
    board = playing()
    board.stand(NEARLY)
    board.show(NEARLY)
    board.wait(0.5)
    return board


def effects_of(board: PaperBoard, monkeypatch: pytest.MonkeyPatch) -> list[Effect]:
    """Return a list that fills with what the table wants done."""
    found: list[Effect] = []
    handle: Callable[..., Step] = board.session.handle

    def listen(event: object) -> Step:
        step = handle(event)
        found.extend(step.effects)
        return step

    monkeypatch.setattr(board.session, "handle", listen)
    return found


@pytest.mark.parametrize("number", [7, 8])
def test_a_last_ply_seen_before_the_sweep_is_the_one_that_counts(number: int) -> None:
    """After the sweep two plies look alike: what lay there quietly decides, and nobody need be asked."""
    board = nearly_over()
    after = play(NEARLY, number).after
    board.show(after)
    board.wait(0.5)
    swept = swept_stones(after)
    assert swept is not None
    board.put(swept)
    board.wait(3)
    assert phase(board) is Phase.ENDED
    assert [ply.number for ply in board.session.game.plies] == [number]


def test_a_swept_board_keeps_its_zeros() -> None:
    """It is counted as swept: what was taken away is no drift."""
    board = playing()
    position = Position((*(0,) * 7, 2, *(0,) * 10), (80, 80), (None, None), B)
    board.stand(position)
    board.show(position)
    board.wait(0.5)
    swept = swept_stones(play(position, 8).after)
    assert swept is not None
    board.put(swept)
    board.wait(3)
    assert phase(board) is Phase.ENDED
    (move,) = [event for event in board.events if isinstance(event, MovePlayed)]
    assert zeros(cells(move)) == pytest.approx([0.0] * 20, abs=0.01)


def test_the_dials_stand_once_the_arbiter_has_ended_the_game() -> None:
    """Nobody's time runs on a game that is over."""
    board = playing()
    step = board.take(End(board.now_us, "1-0", "resignation"))
    assert step.effects == (ShowClock(),)


def test_the_dials_stand_once_the_stones_have_ended_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody presses after the last ply, so only the board can stop them."""
    board = nearly_over()
    shown = effects_of(board, monkeypatch)
    board.show(play(NEARLY, 8).after)
    board.wait(3)
    assert isinstance(board.events[-1], GameEnded)
    assert shown == [ShowClock()]


def test_after_a_rest_the_clock_runs_of_whoever_it_ran_of() -> None:
    """A ply pressed but not yet read: the opponent's clock ran, though the position says otherwise."""
    board = playing()
    board.play(7, press=False)
    board.press(B)
    board.take(Suspend(board.now_us, "arbiter"))
    assert moves(board) == []
    assert board.session.game.position.to_move is B
    board.wait(0.5)
    assert board.take(Resume(board.now_us)).refusal == ""
    clock = board.session.game.clock
    assert clock is not None
    assert clock.running is Q
    board.wait(0.5)
    assert moves(board) == ["7:6"]


def test_a_checked_set_up_is_kept_with_the_zeros_it_was_counted_from() -> None:
    """Whoever doubts a count later finds what the empty cells showed."""
    board = assigned()
    board.extra_g = [0.01 * place for place in range(20)]
    board.wait(0.5)
    (checked,) = [event for event in board.events if isinstance(event, SetupChecked)]
    known = cells(checked)
    assert [place.level for place in known.places] == pytest.approx(
        [n + 0.01 * place / UNITS.stone_g for place, n in enumerate(stones_due(START))], abs=1e-4
    )
    assert known.marked == frozenset()


def test_a_set_up_that_is_undone_takes_its_zeros_with_it() -> None:
    """The next one is counted from the calibration, not from what lay there before."""
    board = assigned()
    board.extra_g[0] = 0.2 * UNITS.stone_g
    board.wait(0.5)
    assert board.session.belief.places[0].level == pytest.approx(9.2)
    board.put([10.0, 8.0, *stones_due(START)[2:]])
    board.wait(0.1)
    assert isinstance(board.events[-1], SetupLost)
    assert board.session.belief == Belief.empty()


def test_a_move_is_kept_with_how_well_it_fitted() -> None:
    """In stones, of the place that fitted worst, before its zero was set anew."""
    board = playing()
    board.play(7, press=False)
    board.extra_g[5] = 0.12 * UNITS.stone_g
    board.press(B)
    board.wait(0.5)
    (move,) = [event for event in board.events if isinstance(event, MovePlayed)]
    assert move.evidence["worst"] == pytest.approx(0.12)
    assert zeros(cells(move)) == pytest.approx([0.0] * 5 + [0.12] + [0.0] * 14, abs=0.03)
