"""A game is counted by a calibration that a person has made as well as by the ideal one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.bench import scene as scenes
from firmware_bridge.bench.lanes import Task, scene_of
from firmware_bridge.bench.scene import Scene
from firmware_bridge.bench.score import Score
from firmware_bridge.bench.table import BenchTable
from sensors.calibration import Calibration
from sensors.simulator.world import CellWorld
from tests.firmware_bridge.calibrating.person import Person

TOLD = ("plies", "confirmed", "wrong", "asks", "never", "ended")


def made_by_hand(scene: Scene) -> Calibration:
    """Return what calibrating the board of a scene, step by step, comes to."""
    world, _ = scenes.board(scene.profile, scene.seed, scene.sensors)
    person = Person(scene.profile, scene.seed + 1000, world=world)
    person.until(None)
    assert person.procedure.verdict is not None
    return person.procedure.verdict.calibration


def played(scene: Scene, calibration: Calibration, monkeypatch: pytest.MonkeyPatch) -> Score:
    """Return how a game is counted by a calibration."""
    world, _ = scenes.board(scene.profile, scene.seed, scene.sensors)

    def board(*_what: object) -> tuple[CellWorld, Calibration]:
        return world, calibration

    with monkeypatch.context() as patch:
        patch.setattr(scenes, "board", board)
        return BenchTable(scene).run()


def told(score: Score) -> dict[str, object]:
    """Return what of a game is compared."""
    return {name: getattr(score, name) for name in TOLD}


@pytest.mark.parametrize(
    ("game", "profile", "seed"),
    [
        ("made:205", "nominal", 5),
        pytest.param("made:298", "nominal", 2, marks=pytest.mark.bench),
        pytest.param("made:205", "glass", 3, marks=pytest.mark.bench),
        pytest.param("made:151", "slow", 4, marks=pytest.mark.bench),
        pytest.param("made:298", "tails", 6, marks=pytest.mark.bench),
    ],
)
def test_a_game_is_counted_as_with_the_ideal_calibration(
    game: str, profile: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every ply is confirmed, nothing is wrong, and nothing is asked that test weights would not ask."""
    task = Task(lane="games", game=game, profile=profile, pace="blitz", manners="plain", seed=seed)
    scene = replace(scene_of(task), last=8 if profile == "nominal" and seed == 5 else None)
    mine = played(scene, made_by_hand(scene), monkeypatch)
    _, ideal = scenes.board(scene.profile, scene.seed, scene.sensors)
    assert told(mine) == told(played(scene, ideal, monkeypatch))
    assert not mine.wrong
    assert mine.confirmed == mine.plies
