"""Two players' turns are kept apart, and carried over a confirmation where they belong behind it."""

from __future__ import annotations

from firmware_bridge.board.hands.events import HandRests, Lifted
from rules.position import START, play
from tests.firmware_bridge.board.hands.strokes import FIRST, ONE, SECOND, Table, of, sown


def test_an_early_opponent_is_told_and_carried_over() -> None:
    """A lift before the press is early; after the confirmation the turn goes on from there."""
    table = Table(START)
    reply = play(ONE.after, 3)
    strokes = sown(reply, 300, 400)
    table.play(sown(ONE, 200, 400))
    said = table.play(strokes[:4])
    (lifted,) = of(said, Lifted)
    assert isinstance(lifted, Lifted)
    assert (lifted.side, lifted.place, lifted.early) == (SECOND, 11, True)
    assert table.watching.follows(ONE).agrees
    assert table.watching.follows(ONE).more == 1
    table.watching.confirm(ONE.after, table.now_us)
    assert [turn.side for turn in table.watching.seen.turns] == [SECOND]
    table.play([(at_ms - 1500, place, change) for at_ms, place, change in strokes[4:]])
    assert table.watching.follows(reply).agrees


def test_an_opponent_who_waits_for_the_press_is_not_early() -> None:
    """The same lift behind the press is nothing to tell."""
    table = Table(START)
    table.play(sown(ONE, 200, 400))
    table.watching.pressed(FIRST, table.now_us)
    said = table.play(sown(play(ONE.after, 3), 300, 400)[:3])
    (lifted,) = of(said, Lifted)
    assert isinstance(lifted, Lifted)
    assert (lifted.side, lifted.early) == (SECOND, False)


def test_plies_confirmed_together_are_both_let_go() -> None:
    """Two plies confirmed at once leave only what the next player has begun."""
    table = Table(START)
    reply = play(ONE.after, 3)
    third = play(reply.after, 8)
    for ply in (ONE, reply):
        table.play(sown(ply, 200, 300))
    table.play(sown(third, 200, 300)[:3])
    assert [turn.side for turn in table.watching.seen.turns] == [FIRST, SECOND, FIRST]
    table.watching.confirm(reply.after, table.now_us, plies=2)
    assert [turn.lifted[0].place for turn in table.watching.seen.turns] == [7]


def test_what_is_no_beginning_of_a_ply_is_not_carried_over() -> None:
    """Two stones of ten taken up and laid back before the confirmation spoil nothing behind it."""
    table = Table(START)
    reply = play(ONE.after, 3)
    table.play(sown(ONE, 200, 300))
    table.play([(300, 11, -2), (1200, 11, 2)])
    assert [turn.side for turn in table.watching.seen.turns] == [FIRST, SECOND]
    table.watching.confirm(ONE.after, table.now_us)
    assert not table.watching.seen.turns
    table.play(sown(reply, 300, 300))
    assert table.watching.follows(reply).agrees


def test_a_step_still_waiting_at_the_confirmation_belongs_to_the_ply() -> None:
    """A hand that moves on one place does not let a fall slip behind the confirmation."""
    table = Table(START)
    shaking = [(1700 + 50 * nth, 0, 3.0 if nth % 2 else -3.0) for nth in range(1, 60)]
    strokes = sown(play(START, 5), 200, 200)
    table.play([*strokes, (1700, 0, 3.0), *shaking], rest_ms=-2300)
    table.watching.confirm(play(START, 5).after, table.now_us)
    said = table.play([], 3000)
    assert not [event for event in said if isinstance(event, HandRests) and event.place != 0]
    assert not table.watching.seen.turns


def test_a_ply_and_a_whole_reply_are_two_turns() -> None:
    """A reply that nobody pressed for is seen as a turn of its own."""
    table = Table(START)
    reply = play(ONE.after, 1)
    table.play(sown(ONE, 200, 400))
    table.play(sown(reply, 200, 400))
    assert [turn.side for turn in table.watching.seen.turns] == [FIRST, SECOND]
    assert table.watching.follows(ONE).more == 1
