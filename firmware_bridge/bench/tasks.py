"""How a task is done (a worker process imports this file), and which tasks a run has."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from firmware_bridge import __version__
from firmware_bridge.bench.games import games_mark
from firmware_bridge.bench.lanes import Task, scene_of
from firmware_bridge.bench.score import score_to_json
from firmware_bridge.bench.sweep import perform_piece
from firmware_bridge.bench.table import BenchTable
from sensors.simulator.profile import NOMINAL


def measured_with(games_file: str | None) -> dict[str, str]:
    """Return what a result says of how it was measured: by which program, on which games."""
    return {"version": __version__, "games": games_mark(None if games_file is None else Path(games_file))}


def perform(task: Task) -> dict[str, Any]:
    """Do a task; return its line of the results."""
    began_s = time.process_time()
    about = {"key": task.key, **measured_with(task.games_file), "task": asdict(task)}
    if task.lane == "sweep":
        tallies = perform_piece(task)
        return {**about, "tallies": tallies, "cpu_s": round(time.process_time() - began_s, 4)}
    scene = scene_of(task)
    score = BenchTable(scene).run()
    score.cpu_s = round(time.process_time() - began_s, 4)
    return {
        **about,
        "scene": {"game": scene.name, "first": scene.first, "board": scene.seed},
        "score": score_to_json(score),
    }


def game_tasks(
    lane: str,
    games: Sequence[str],
    settings: Iterable[tuple[str, str, str]],
    seeds: Iterable[int],
    games_file: str | None,
) -> list[Task]:
    """Return a task for each seed, game and setting; a run that is cut short has some of each setting.

    Args:
        lane: The lane.
        games: Names of games.
        settings: Profile, pace and manners.
        seeds: Of boards and hands.
        games_file: File of tournament games.
    """
    settings = list(settings)
    return [
        Task(lane=lane, game=name, profile=profile, pace=pace, manners=how, seed=seed, games_file=games_file)
        for seed in seeds
        for name in games
        for profile, pace, how in settings
    ]


def referee_tasks(
    kinds: Sequence[str], positions: int, paces: Sequence[str], games_file: str | None
) -> list[Task]:
    """Return so many positions for each kind of fault, paces in turn, half of them with habits."""
    return [
        Task(
            lane="referee",
            kind=kind,
            profile=NOMINAL.name,
            pace=paces[seed % len(paces)],
            manners="lively" if seed % 2 else "plain",
            seed=seed,
            games_file=games_file,
        )
        for seed in range(positions)
        for kind in kinds
    ]


def legal_tasks(games: Sequence[str], paces: Sequence[str], games_file: str | None) -> list[Task]:
    """Return each game at each pace, of hands with habits on a nominal board."""
    settings = [(NOMINAL.name, pace, "lively") for pace in paces]
    return game_tasks("legal", games, settings, [1], games_file)


def offence_tasks(
    lane: str, how_many: int, profiles: Sequence[str], paces: Sequence[str], games_file: str | None
) -> list[Task]:
    """Return so many offended scenes for each profile, paces in turn, half of them with habits."""
    return [
        Task(
            lane=lane,
            profile=profile,
            pace=paces[seed % len(paces)],
            manners="lively" if seed % 2 else "plain",
            seed=seed,
            games_file=games_file,
        )
        for seed in range(how_many)
        for profile in profiles
    ]
