"""The same quiet boards, shown to every method."""

from __future__ import annotations

import pytest

from firmware_bridge.bench.lanes import Task
from firmware_bridge.bench.made import made_game
from firmware_bridge.bench.stretches import Board, stretched
from firmware_bridge.bench.sweep import Tally, breaking_point, gather, grid, perform_piece, sweep_tasks
from firmware_bridge.board.counting.lots import stones_due
from sensors.simulator.profile import CLEAN, NOMINAL


def test_quiet_boards_follow_the_game_and_illegal_ones_are_put_right() -> None:
    """Each ply's own board comes in order; before some of them one stone is elsewhere."""
    board = Board(stretched(CLEAN, "noise", 1), 3)
    board.begin()
    sowings = made_game(151)[:12]
    quiets = list(board.quiets(sowings, illegal_share=0.5))
    assert [quiet.sowing for quiet in quiets if quiet.legal] == list(sowings)
    illegal = [quiet for quiet in quiets if not quiet.legal]
    assert illegal
    for quiet in illegal:
        due = stones_due(quiet.sowing.after)
        assert sum(abs(a - b) for a, b in zip(quiet.lying, due, strict=True)) <= 2


def test_an_axis_makes_one_property_worse_and_the_mean_of_many_samples_quieter() -> None:
    """Thirty-two samples are averaged, and nothing falls, knocks or presses."""
    noisy = stretched(NOMINAL, "noise", 8)
    assert noisy.noise_factor == pytest.approx(NOMINAL.noise_factor * 8 / 32**0.5)
    assert (noisy.unit_cv, noisy.impact, noisy.bad_samples) == (NOMINAL.unit_cv, 0, 0)
    assert stretched(NOMINAL, "spread", 2).unit_cv == NOMINAL.unit_cv * 2
    assert stretched(NOMINAL, "drift", 2).zero_tc_fs_per_c == NOMINAL.zero_tc_fs_per_c * 2
    with pytest.raises(KeyError):
        stretched(NOMINAL, "colour", 2)


def test_nobody_is_wrong_in_the_laboratory_and_rounding_is_on_uneven_stones() -> None:
    """Stones that differ by a tenth are too much for rounding."""
    easy = perform_piece(Task(lane="sweep", profile="clean", axis="noise", factor=1.0, plies=60))
    assert {name: counts["wrong"] + counts["missed"] for name, counts in easy.items()} == dict.fromkeys(
        easy, 0
    )
    assert all(counts["plies"] + counts["illegal"] >= 60 for counts in easy.values())
    hard = perform_piece(Task(lane="sweep", profile="nominal", axis="spread", factor=8.0, plies=60))
    assert hard["tare"]["wrong"] > hard["tracked"]["wrong"] >= hard["tracked and rules"]["wrong"]


def test_pieces_add_up_and_the_first_broken_factor_is_found() -> None:
    """One wrong ply in a thousand is a method that breaks; so is one ask in fifty."""
    tasks = sweep_tasks("clean", {"noise": [1.0, 2.0, 4.0]}, plies=1500, piece=1000, games_file=None)
    assert [(task.factor, task.plies) for task in tasks[:2]] == [(1.0, 1000), (1.0, 500)]
    assert len({task.key for task in tasks}) == 6
    errors = {1.0: 0, 2.0: 1, 4.0: 9}
    lines = [
        {
            "task": {"axis": "noise", "factor": task.factor},
            "tallies": {
                "sharp": {
                    "plies": task.plies,
                    "illegal": 0,
                    "wrong": errors[task.factor],
                    "asks": 0,
                    "missed": 0,
                },
                "shy": {"plies": task.plies, "illegal": 0, "wrong": 0, "asks": 20, "missed": 0},
                "good": {"plies": task.plies, "illegal": 0, "wrong": 0, "asks": 2, "missed": 0},
            },
        }
        for task in tasks
    ]
    factors = gather(lines)["noise"]
    assert factors[2.0]["sharp"].wrong == 2
    assert [breaking_point(factors, method) for method in ("sharp", "shy", "good")] == [2.0, 1.0, None]


def test_a_tally_counts_a_missed_illegal_board_as_silent() -> None:
    """It stands beside wrong answers to legal ones."""
    tally = Tally(plies=900, illegal=100, wrong=1, missed=2)
    assert tally.silent_rate == pytest.approx(0.003)
    assert tally.broken


def test_a_grid_goes_up_by_equal_steps() -> None:
    """Three to each doubling."""
    assert grid(4) == [1.0, 1.26, 1.59, 2.0, 2.52, 3.17, 4.0]
