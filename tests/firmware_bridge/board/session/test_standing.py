"""A broken cell stands in what an arbiter reads until it is whole again, whatever hands do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.board.inputs import DeviceArrived, DeviceGone, End, Note, Watch
from firmware_bridge.board.session.notes import with_standing
from firmware_bridge.board.session.standing import WHOLE_AFTER_US, Standing
from rules.position import START, play
from sensors.readings import ChannelReading, ReadingState
from sensors.samples import Fault, FaultKind
from tests.firmware_bridge.board.paper import PaperBoard, playing

CUT = Fault(FaultKind.SATURATED, 4)
DEAD = 4


def standing(board: PaperBoard) -> list[tuple[str, int | None]]:
    """Return the remarks that stand, whatever the board looks like."""
    return [(note.code, note.place) for note in board.session.standing]


def test_a_broken_cell_stands_while_hands_are_on_the_board() -> None:
    """Stones in a hand hide it from the look; the arbiter reads it first all the same."""
    board = playing()
    board.broken = {DEAD: CUT}
    board.wait(0.5)
    assert standing(board) == [("unreadable", DEAD)]
    board.put([9, 0, *[9] * 16, 0, 0])
    board.wait(0.5)
    board.moving = {2, 3}
    board.wait(0.5)
    board.moving = set()
    board.wait(1)
    assert board.session.watch.notes == ()
    told = with_standing(board.session.watch, board.session.standing)
    assert [(note.code, note.place, note.fault) for note in told.notes] == [("unreadable", DEAD, CUT)]


def test_a_broken_cell_stands_when_a_ply_has_just_been_confirmed() -> None:
    """Then the board matches, and its look says nothing else."""
    board = playing()
    board.broken = {DEAD: CUT}
    board.wait(0.5)
    ply = play(START, 7)
    board.show(ply.after)
    board.wait(0.5)
    board.press(ply.side)
    seen = set()
    while not any(event.kind == "move_played" for event in board.events):
        board.wait(0.1)
        seen.add(tuple(standing(board)))
    assert seen == {(("unreadable", DEAD),)}


def test_a_cell_that_is_not_believed_stands_while_a_hand_is_over_it() -> None:
    """What a hand does there hides what the cell said; that it lied is known."""
    board = playing()
    board.wait(1)
    board.add(DEAD, -40.0)
    board.wait(4)
    assert [note.fault for note in board.session.standing] == [Fault(FaultKind.BELOW_NOTHING, None)]
    board.moving = {DEAD}
    board.wait(1)
    assert board.session.watch == Watch("moving")
    assert standing(board) == [("unreadable", DEAD)]
    board.moving = set()
    board.add(DEAD, 40.0)
    board.wait(1)
    assert standing(board) == [("unreadable", DEAD)]
    board.wait(1.5)
    assert standing(board) == []


def test_a_loose_contact_is_one_breaking() -> None:
    """It is whole again when it has read well for a while, and not before; its numbers are the first ones."""
    board = playing()
    for value in range(8):
        board.broken = {DEAD: Fault(FaultKind.UNCONFIRMED, DEAD, (value, 0))}
        board.wait(0.3)
        board.broken = {}
        board.since[DEAD] = board.now_us
        board.wait(0.5)
        assert [note.fault for note in board.session.standing] == [Fault(FaultKind.UNCONFIRMED, DEAD, (0, 0))]
    board.wait(WHOLE_AFTER_US / 1e6)
    assert standing(board) == []


def test_a_place_is_whole_when_it_has_read_well_for_so_long() -> None:
    """Not a microsecond sooner, and not while it moves."""
    standing_now = Standing()
    standing_now.look(0, [ChannelReading(ReadingState.FAULT, None, None, CUT)], {})
    moving = ChannelReading(ReadingState.MOVING, None, None, "")
    well = ChannelReading(ReadingState.QUIET, 0.0, 1_000, "")
    for at_us, reading in ((9_000_000, moving), (1_000 + WHOLE_AFTER_US - 1, well)):
        standing_now.look(at_us, [reading], {})
        assert standing_now.broken == ((0, CUT),)
    standing_now.look(1_000 + WHOLE_AFTER_US, [well], {})
    assert standing_now.broken == ()


def test_how_it_is_broken_follows_what_breaks_further() -> None:
    """A converter that is given up is another matter than one at its end; a single reading is none."""
    board = playing()
    board.broken = {DEAD: CUT}
    board.wait(0.3)
    board.broken = {DEAD: replace(CUT, kind=FaultKind.EXCLUDED)}
    board.wait(0.3)
    assert [note.fault for note in board.session.standing] == [Fault(FaultKind.EXCLUDED, DEAD)]
    board.broken = {DEAD: Fault(FaultKind.UNCONFIRMED, DEAD, (7, 9))}
    board.wait(0.3)
    assert [note.fault for note in board.session.standing] == [Fault(FaultKind.EXCLUDED, DEAD)]


def test_it_stands_after_the_game_and_goes_with_the_device() -> None:
    """Nothing is judged then, and the cell has to be mended before the next game."""
    board = playing()
    board.broken = {DEAD: CUT}
    board.take(End(board.now_us, "1-0", "resignation"))
    board.wait(0.5)
    assert board.session.watch == Watch("idle")
    assert standing(board) == [("unreadable", DEAD)]
    board.take(DeviceGone("pulled"))
    assert standing(board) == []
    board.broken = {}
    board.take(DeviceArrived(board.now_us, restarted=False))
    board.wait(0.5)
    assert standing(board) == []


@pytest.mark.parametrize("place", [4, 5])
def test_each_thing_is_said_once_and_the_broken_first(place: int) -> None:
    """What a look says of it too is left out; of another place it stays."""
    known = Note("unreadable", 4, "as it broke")
    watch = Watch("matches", (Note("drift", 4), Note("unreadable", place, "as it is now")))
    told = with_standing(watch, (known,)).notes
    assert told == (known, *(note for note in watch.notes if (note.code, note.place) != ("unreadable", 4)))
    assert with_standing(watch, ()) is watch
