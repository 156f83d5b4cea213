"""Simulated hands over simulated cells are seen to do what they do."""

import pytest

from firmware_bridge.emulator.pace import BLITZ, HUMAN, Pace
from sensors.simulator.profile import NOMINAL, SLOW, Profile
from tests.firmware_bridge.board.hands.handwatch import Bench, Watched
from tests.firmware_bridge.board.hands.strokes import plies


@pytest.mark.parametrize(
    ("pace", "profile", "surely"), [(HUMAN, NOMINAL, 0.98), (BLITZ, NOMINAL, 0.0), (HUMAN, SLOW, 0.0)]
)
def test_hands_are_seen_to_sow(pace: Pace, profile: Profile, surely: float) -> None:
    """Origin, counts and captures are right, and no order that is called certain is wrong."""
    watched = Bench(plies(37, 14), profile, pace, 2).run()
    assert all(one.origin_right and one.counts_right and one.agreement.agrees for one in watched)
    assert not any(one.surely_wrong for one in watched)
    certain = [one.certain for one in watched]
    assert sum(sure for sure, _ in certain) >= surely * sum(pairs for _, pairs in certain)


@pytest.mark.bench
@pytest.mark.parametrize("pace", [HUMAN, BLITZ])
def test_hundreds_of_plies_are_seen(pace: Pace) -> None:
    """Over five games of sixty plies at 80 samples a second: 98 of 100 plies in every respect.

    What is missed is what happens while somebody leans on the table; no chain of misreadings follows from it.
    """
    watched: list[Watched] = []
    for seed in range(5):
        watched += Bench(plies(37 * seed, 60), NOMINAL, pace, seed + 1).run()
    for right in (
        [one.origin_right for one in watched],
        [one.counts_right for one in watched],
        [one.agreement.agrees for one in watched],
    ):
        assert sum(right) >= 0.98 * len(right)
    assert sum(one.order_right for one in watched) >= 0.95 * len(watched)
    assert sum(one.surely_wrong for one in watched) <= 2
