"""After the game: stones are poured, positions laid, moves tried; none is lost and nothing counts."""

from collections import Counter
from random import Random

from firmware_bridge.emulator.actions import Button, PlaceMark, PostMortem, RemoveMark
from firmware_bridge.emulator.afterwards import Aftermath
from firmware_bridge.emulator.fingers import Fingers
from firmware_bridge.emulator.pace import BLITZ, LIVELY
from rules.position import tuzdyk_owner
from tests.firmware_bridge.emulator.random_games import random_sowings
from tests.firmware_bridge.emulator.true_board import WIRING, TrueBoard


def test_the_stones_go_through_many_hands_and_none_is_lost() -> None:
    """A hundred scenes of every kind, with clocks hit and marks taken off and laid again."""
    kinds = Counter[object]()
    for seed in range(10):
        sowings = tuple(random_sowings(seed))
        last = sowings[-1].after
        board = TrueBoard()
        board.set_up(last)
        marks = frozenset(index for index in range(18) if tuzdyk_owner(index, last.tuzdyks) is not None)
        board.marks = {WIRING.pits[index] for index in marks}
        fingers = Fingers(WIRING, BLITZ, LIVELY, Random(seed))
        played = [sowing.after for sowing in sowings]
        aftermath = Aftermath(fingers, last.pits + last.kazans, marks, played)
        for step in board.carry_out(aftermath.scenes(10)):
            kinds[step.scene if isinstance(step, PostMortem) else type(step)] += 1
        assert board.at_rest
    assert min(kinds["pour"], kinds["lay"], kinds["play on"]) > 20
    assert min(kinds[PlaceMark], kinds[RemoveMark], kinds[Button]) > 5
