"""Play on a board with a dead cell, and what a board knows after its program was started again."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.board.counting.belief import Belief
from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.inputs import DeviceArrived, Enter
from firmware_bridge.board.session.eye import belief_of
from firmware_bridge.board.session.session import Session
from firmware_bridge.layout import Wiring
from rules.game import MovePlayed, Phase, SetupChecked, fold
from rules.notation.moves import format_short
from rules.position import Sowing, legal_moves, play
from tests.firmware_bridge.board.paper import UNITS, PaperBoard, moves, notes, phase, playing, sensed

DEAD = "converter does not answer"


def play_on(board: PaperBoard, rng: random.Random, plies: int) -> list[str]:
    """Play at random on the board as it is; return what was played, a mark laid for every tuzdyk."""
    played: list[str] = []
    while len(played) < plies and phase(board) is Phase.PLAYING:
        number = rng.choice(legal_moves(board.session.game.position))
        ply = play(board.session.game.position, number)
        if ply.tuzdyk is not None:
            board.add(ply.last_index, UNITS.mark_g)
        board.play(number)
        board.wait(2 if not legal_moves(ply.after) else 0)
        played.append(format_short(ply))
    return played


@pytest.mark.parametrize("place", range(20))
def test_a_game_is_read_with_one_dead_cell(place: int) -> None:
    """Any place, from the first ply on: what lies there follows from the other nineteen."""
    board = playing()
    board.broken = {place: DEAD}
    played = play_on(board, random.Random(place), 30)
    assert moves(board) == played
    assert len(played) == 30
    board.wait(0.5)
    assert notes(board) == [("unreadable", place)]
    masses = [known.mass for known in board.session.belief.places]
    assert sum(masses) == pytest.approx(162, abs=0.01)
    assert masses == pytest.approx([float(n) for n in stones_due(board.session.game.position)], abs=0.01)


@settings(max_examples=40)
@given(dead=st.integers(0, 19), source=st.integers(0, 17), target=st.integers(0, 19), press=st.booleans())
def test_a_dead_cell_hides_no_stone_that_moved_elsewhere(
    dead: int, source: int, target: int, *, press: bool
) -> None:
    """Neither while nothing is played nor with a ply, not even a stone that went into the unread place."""
    if source in {target, dead}:
        return
    board = playing()
    board.broken = {dead: DEAD}
    board.wait(0.3)
    stones = [*map(float, stones_due(board.session.game.position))]
    ply = play(board.session.game.position, 7)
    if press:
        stones = [*map(float, stones_due(ply.after))]
    if not stones[source]:
        return
    stones[source] -= 1
    stones[target] += 1
    board.put(stones)
    board.wait(0.5)
    if press:
        board.press(ply.side)
    board.wait(11)
    assert format_short(ply) not in moves(board)
    assert sensed(board) == "differs"


@pytest.mark.parametrize("dead", [(3, 4), (0, 18), (18, 19), (7, 15)])
def test_two_dead_cells_are_told_of_and_nothing_is_read(dead: tuple[int, int]) -> None:
    """A stone in the one or in the other looks alike, so nobody guesses; mended, the play counts."""
    board = playing()
    board.broken = dict.fromkeys(dead, DEAD)
    board.play(7)
    board.wait(12)
    assert moves(board) == []
    assert sensed(board) == "unreadable"
    assert notes(board) == [("unreadable", place) for place in dead]
    del board.broken[dead[0]]
    board.wait(0.5)
    assert moves(board) == ["7:6"]


@pytest.mark.parametrize("plies", [2, 12, 60])
@pytest.mark.parametrize(("place", "by"), [(4, 0.0), (4, 0.3), (12, -0.35), (18, 0.3)])
def test_a_cell_that_comes_back_is_anchored_anew_however_long_it_was_away(
    place: int, by: float, plies: int
) -> None:
    """Its zero may have moved by a fraction of a stone meanwhile; the game goes on with all cells."""
    board = playing()
    board.broken = {place: DEAD}
    rng = random.Random(plies)
    play_on(board, rng, plies)
    board.broken.clear()
    board.add(place, by * UNITS.stone_g)
    board.wait(1)
    assert sensed(board) == "matches"
    assert notes(board) == []
    belief = board.session.belief
    assert not belief.places[place].blind
    assert belief.zero(place, UNITS.mark_g / UNITS.stone_g) == pytest.approx(by, abs=0.02)
    before = len(moves(board))
    played = play_on(board, rng, 4)
    assert moves(board)[before:] == played


@pytest.mark.parametrize("plies", [1, 12, 60])
@pytest.mark.parametrize(("place", "by"), [(4, -1), (4, 1), (2, -2), (18, -1)])
def test_a_cell_that_comes_back_with_another_number_of_stones_is_asked_about(
    place: int, by: int, plies: int
) -> None:
    """Somebody has taken a stone there while nobody could see it, or laid one down."""
    board = playing()
    board.broken = {place: DEAD}
    play_on(board, random.Random(7), plies)
    if board.stones[place] + by < 0:
        return
    board.broken.clear()
    board.add(place, by * UNITS.stone_g)
    board.wait(1)
    assert sensed(board) != "matches"
    board.wait(11)
    assert sensed(board) == "differs"
    assert notes(board)
    assert board.session.belief.places[place].blind
    board.add(place, -by * UNITS.stone_g)
    board.wait(1)
    assert sensed(board) == "matches"


def test_a_board_is_believed_again_after_many_plies_that_were_entered() -> None:
    """Entered one by one through a whole outage, they leave every level unsure, but not beyond belief."""
    board = playing()
    rng = random.Random(5)
    for _ in range(40):
        ply: Sowing = play(board.session.game.position, rng.choice(legal_moves(board.session.game.position)))
        assert board.take(Enter(board.now_us, (format_short(ply),))).refusal == ""
    board.show(board.session.game.position)
    board.wait(1)
    assert sensed(board) == "matches"


def evidence(event: object) -> Mapping[str, Any] | None:
    """Return what an event says was known of the cells; None: it says nothing of them."""
    return event.evidence if isinstance(event, MovePlayed | SetupChecked) and event.evidence else None


@pytest.mark.parametrize("dead", [None, 5])
def test_what_a_restart_knows_is_what_the_board_knew(dead: int | None) -> None:
    """Killed after any event, the next program knows of the cells what this one did, and reads on."""
    board = playing()
    rng = random.Random(11)
    for place in range(20):
        board.add(place, rng.gauss(0, 0.08))
    board.wait(5)
    knew: list[Belief] = []
    take = board.session.handle

    def handle(event: Any) -> Any:
        step = take(event)
        knew.extend([board.session.belief] * len(step.events))
        return step

    board.session.handle = handle  # type: ignore[method-assign] # listens in
    first = len(board.events)
    if dead is not None:
        board.broken = {dead: DEAD}
    play_on(board, rng, 12)
    assert len(knew) == len(board.events) - first
    for cut in range(first, len(board.events)):
        told = board.events[: cut + 1]
        found = evidence(board.events[cut])
        if found is None:
            continue
        belief = belief_of(found)
        assert belief == knew[cut - first]
        session = Session(wiring=Wiring(), units=UNITS, game=fold(told), belief=belief)
        assert session.belief == belief
        again = PaperBoard(session, extra_g=[*board.extra_g], now_us=board.now_us, presses=board.presses)
        again.broken = {**board.broken}
        again.take(DeviceArrived(again.now_us, restarted=False))
        again.show(session.game.position)
        again.wait(0.5)
        assert session.watch.sensed == "matches"
        again.play(legal_moves(session.game.position)[0])
        assert len(moves(again)) == 1
