"""How fast games are played: ratios within one run, since machines differ and so do their hours."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from rules import START, Line, perft
from rules.packed import PACKED_START, after, moves
from rules.position import apply, play
from tests.rules.boards import random_game
from tests.rules.endings import generate
from tests.rules.endings.games import FILE
from tests.rules.second_opinion import StoneBoard
from tests.rules.turntable import Turntable

Game = list[int]

COUNTS = [9, 73, 613, 5199, 43184, 360035, 3003052, 25166174]


def by_stones(game: Game) -> None:
    """Walk every stone about: the second program."""
    stones = StoneBoard.laid_out()
    for number in game:
        stones.move(number)


def by_table(game: Game) -> None:
    """Turn the table: the third program, which is written to be quick."""
    table = Turntable.laid_out()
    for number in game:
        table.move(number)


def by_play(game: Game) -> None:
    """Make a checked `Sowing` of every move, stone by stone."""
    position = START
    for number in game:
        position = play(position, number).after


def by_apply(game: Game) -> None:
    """The same, trusting."""
    position = START
    for number in game:
        position = apply(position, number).after


def by_line(game: Game) -> None:
    """Play a line, checked, and take it back: twice as much as the others do."""
    line = Line()
    for number in game:
        line.play(number)
    for _ in game:
        line.undo()


def by_packed(game: Game) -> None:
    """Reckon with integers, trusting."""
    packed = PACKED_START
    for number in game:
        packed = after(packed, number)


def by_packed_and_moves(game: Game) -> None:
    """The same, and ask before every move what may be played."""
    packed = PACKED_START
    for number in game:
        assert number in moves(packed)
        packed = after(packed, number)


WAYS: tuple[Callable[[Game], None], ...] = (
    by_stones,
    by_table,
    by_play,
    by_apply,
    by_line,
    by_packed_and_moves,
    by_packed,
)


@pytest.mark.bench
def test_packed_positions_are_far_faster_than_the_second_programs() -> None:
    """The same random games by every way, by turns; the best of five runs counts."""
    games = [[number for _, number in random_game(seed)] for seed in range(40)]
    plies = sum(map(len, games))
    best = dict.fromkeys(WAYS, float("inf"))
    for _ in range(5):
        for way in WAYS:
            began = time.perf_counter()
            for game in games:
                way(game)
            best[way] = min(best[way], time.perf_counter() - began)
    print(f"\n{len(games)} random games, {plies} plies")  # noqa: T201 - a bench is read
    for way, took in best.items():
        by = best[by_stones] / took, best[by_table] / took
        print(  # noqa: T201 - a bench is read
            f"{way.__name__:>20} {plies / took:>12,.0f} plies/s {by[0]:7.1f} x stones {by[1]:6.2f} x table"
        )
    assert best[by_packed] * 2 < best[by_table]
    assert best[by_packed] * 10 < best[by_stones]
    assert best[by_line] < best[by_play]


@pytest.mark.bench
def test_perft_goes_eight_plies_deep_in_a_breath() -> None:
    """Every count is the one that everybody has."""
    print()  # noqa: T201 - a bench is read
    for depth, count in enumerate(COUNTS, 1):
        began = time.perf_counter()
        assert perft(START, depth) == count
        took = time.perf_counter() - began
        print(f"perft {depth} {count:>12,} {took:8.3f} s {count / took:>14,.0f}/s")  # noqa: T201 - a bench is read


@pytest.mark.bench
def test_the_generated_games_can_be_generated_again() -> None:
    """The committed file is what its generator makes, to the byte."""
    assert "\n".join(generate.lines(0)) + "\n" == FILE.read_text(encoding="ascii")
