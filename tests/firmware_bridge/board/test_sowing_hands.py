"""Simulated hands over simulated cells are seen to do what they do."""

import pytest

from firmware_bridge.emulator.pace import BLITZ, HUMAN, Pace
from sensors.simulator.profile import NOMINAL, SLOW, Profile
from tests.firmware_bridge.board.handwatch import Bench
from tests.firmware_bridge.board.test_sowing import plies


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
def test_hundreds_of_plies_are_seen_right(pace: Pace) -> None:
    """Over five games of sixty plies nothing is seen wrong at 80 samples a second."""
    for seed in range(5):
        watched = Bench(plies(37 * seed, 60), NOMINAL, pace, seed + 1).run()
        assert all(one.origin_right and one.counts_right and one.agreement.agrees for one in watched)
        right = sum(one.order_right for one in watched)
        assert right >= 0.95 * len(watched)
