"""Whole games in virtual time, scored by where the stones lie."""

from __future__ import annotations

import pytest

from firmware_bridge.bench.made import made_game
from firmware_bridge.bench.scene import Scene
from firmware_bridge.bench.table import BenchTable
from firmware_bridge.emulator.pace import PACES
from firmware_bridge.emulator.records import bundled_record
from sensors.simulator.profile import PROFILES


@pytest.mark.parametrize("profile", ["clean", "nominal"])
def test_a_game_is_counted_from_the_set_up_to_its_last_ply(profile: str) -> None:
    """Every ply is final, none wrong, nothing asked, and both baselines judge the same plies."""
    sowings = bundled_record("2009").sowings[:20]
    scene = Scene(name="2009", sowings=sowings, profile=PROFILES[profile], pace=PACES["brisk"], seed=2)
    score = BenchTable(scene).run()
    assert (score.plies, score.confirmed, score.never) == (20, 20, 0)
    assert not score.wrong
    assert not score.asks
    assert score.baseline_plies == 20


def test_a_scene_begins_in_the_middle_of_a_game_and_ends_with_it() -> None:
    """The plies before are not played; the end on the board is seen."""
    sowings = made_game(0)
    scene = Scene(
        name="made:0",
        sowings=sowings,
        profile=PROFILES["nominal"],
        pace=PACES["brisk"],
        first=len(sowings) - 4,
    )
    score = BenchTable(scene).run()
    assert (score.plies, score.confirmed) == (4, 4)
    assert score.ended
    assert not score.wrong
