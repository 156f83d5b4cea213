"""The scales that the board is compared with."""

from __future__ import annotations

from firmware_bridge.bench.baselines import Baselines

NINE = (9,) * 18 + (0, 0)
NONE = frozenset[int]()


def loads(stones: tuple[int, ...], zero_g: float = 0.0, unit_g: float = 1.0) -> list[float]:
    """Return what stones weigh on cells whose zeros have wandered."""
    return [count * unit_g + zero_g for count in stones]


def scales() -> Baselines:
    """Return both methods, tared."""
    baselines = Baselines(1.0, 3.0)
    baselines.tare(loads(NINE), NINE, NONE)
    return baselines


def test_rounding_is_right_up_to_half_a_stone() -> None:
    """Beyond it every place is wrong, and the ply counts once."""
    baselines = scales()
    assert baselines.judge(loads(NINE, 0.45), NINE, NONE) == {"tare": 0, "tracked": 0}
    assert scales().judge(loads(NINE, 0.55), NINE, NONE) == {"tare": 20, "tracked": 20}


def test_tracked_zeros_follow_what_the_tare_does_not() -> None:
    """Half a stone a ply is nothing to one and too much for the other at the second."""
    baselines = scales()
    for ply in range(1, 4):
        baselines.judge(loads(NINE, 0.4 * ply), NINE, NONE)
    assert baselines.wrong == {"tare": 2, "tracked": 0}
    assert baselines.plies == 3


def test_a_place_that_is_not_quiet_is_left_out() -> None:
    """No method is blamed for what nobody can read."""
    some: list[float | None] = [None, *loads(NINE)[1:]]
    assert scales().judge(some, NINE, NONE)["tare"] == 0


def test_a_mark_may_lie_in_a_tuzdyk_or_not() -> None:
    """Either way of reading it is right, there and nowhere else."""
    marked = loads(NINE)
    marked[4] += 3.0
    assert scales().judge(marked, NINE, frozenset({4})) == {"tare": 0, "tracked": 0}
    assert scales().judge(marked, NINE, NONE) == {"tare": 1, "tracked": 1}
