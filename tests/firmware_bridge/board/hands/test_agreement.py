"""What was seen of the hands is held against one ply, and only that ply agrees."""

from __future__ import annotations

from dataclasses import replace

from rules.position import START, apply, play
from tests.firmware_bridge.board.hands.strokes import ONE, Table, sown


def test_a_first_stone_left_lying_is_as_good_as_laid_back() -> None:
    """Eight stones lifted of nine agree with the ply as well."""
    table = Table(START)
    strokes = sown(ONE, 200, 400)
    table.play([(200, 5, -8), *strokes[2:]])
    assert table.watching.follows(ONE).agrees


def test_eighteen_stones_with_none_left_are_told_from_the_ply() -> None:
    """The last stone into the pit it came from ends on the same board, in another order."""
    position = replace(START, pits=(0, 18, *(9,) * 14, 0, 0), kazans=(18, 0))
    sowing = apply(position, 2)
    assert not sowing.captured
    right = Table(position)
    right.play(sown(sowing, 200, 300))
    assert right.watching.follows(sowing).agrees
    wrong = Table(position)
    path = [(place + 1) % 18 for place in sowing.path]
    wrong.play([(200, 1, -18), *((500 + 300 * nth, place, 1) for nth, place in enumerate(path))])
    verdict = wrong.watching.follows(sowing)
    assert verdict.disorder
    assert not verdict.clean


def test_another_pit_does_not_follow() -> None:
    """A ply that was not played is contradicted by the pit that was lifted."""
    table = Table(START)
    table.play(sown(ONE, 200, 400))
    other = table.watching.follows(play(START, 7))
    assert other.origin is False
    assert not other.clean
    assert table.watching.follows(ONE).agrees


def test_a_capture_not_taken_does_not_follow() -> None:
    """Everything sown and nothing banked speaks against a ply that captures."""
    table = Table(START)
    table.play(sown(ONE, 200, 400)[:-2])
    assert table.watching.follows(ONE).captured is False
