"""Games in virtual time, scored by where the stones lie."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.bench.away import UNPLUGGED_US
from firmware_bridge.bench.lanes import Task, scene_of
from firmware_bridge.bench.made import made_game
from firmware_bridge.bench.scene import Broken, Mishaps, Scene
from firmware_bridge.bench.table import BenchTable
from firmware_bridge.emulator.offences import Offence
from firmware_bridge.emulator.pace import LIVELY, PACES
from rules.game import MovePlayed
from sensors.simulator.profile import PROFILES
from sensors.simulator.world import ChannelFault


def scene(**changes: object) -> Scene:
    """Return a game of sixteen plies."""
    plain = Scene(
        name="made:151", sowings=made_game(151), profile=PROFILES["nominal"], pace=PACES["blitz"], seed=5
    )
    return replace(plain, **changes)  # type: ignore[arg-type] # what a test names


@pytest.mark.parametrize(
    ("game", "profile", "pace"),
    [("made:151", "clean", "classical"), ("made:298", "nominal", "rapid"), ("made:205", "glass", "blitz")],
)
def test_a_game_is_counted_from_the_set_up_to_its_end(game: str, profile: str, pace: str) -> None:
    """No position is wrong, nothing is asked, every ply is final, and the end is seen."""
    task = Task(lane="games", game=game, profile=profile, pace=pace, manners="lively", seed=2)
    score = BenchTable(scene_of(task)).run()
    assert not score.wrong
    assert not score.asks
    assert (score.confirmed, score.never) == (score.plies, 0)
    assert score.ended
    assert score.baseline_plies > score.plies * 0.8


def test_a_seed_plays_the_same_game_again() -> None:
    """To the sample and to the millisecond: what went wrong can be looked at."""
    first, again, other = (BenchTable(scene(seed=seed, last=4)).run() for seed in (5, 5, 6))
    assert first == again
    assert other != first


def test_a_piece_begins_in_the_middle_of_a_game() -> None:
    """The plies before it are not played; the end is seen all the same."""
    score = BenchTable(scene(first=13)).run()
    assert (score.plies, score.confirmed, score.ended) == (3, 3, True)


def test_thinking_costs_no_samples() -> None:
    """A hundred seconds a ply age the world and are hardly sampled."""
    table = BenchTable(scene(pace=PACES["classical"], last=4, first=1))
    score = table.run()
    assert score.samples < 80 * 25 * score.plies
    assert table.world.time_us < 25_000_000 * score.plies


def test_an_offence_is_asked_about() -> None:
    """The scene ends with the question; no ply is claimed."""
    score = BenchTable(scene(first=3, last=4, offences={4: Offence.NEIGHBOUR})).run()
    (offended,) = score.offended
    assert offended.outcome == "asked"
    assert (score.confirmed, score.wrong) == (0, [])


def test_an_offence_that_is_put_right_ends_as_the_ply_due() -> None:
    """The players notice, and the board goes on from there."""
    manners = replace(LIVELY, mend_after_s=6.0, early=0.0)
    score = BenchTable(scene(first=3, last=5, offences={4: Offence.OFF_BOARD}, manners=manners)).run()
    assert [offended.mended for offended in score.offended] == [True]
    assert (score.confirmed, score.wrong) == (2, [])


def test_a_cable_pulled_in_a_sowing_costs_nothing_but_time() -> None:
    """Nobody reads it for three seconds; the device keeps the press, and the ply is final once it is back."""
    table = BenchTable(scene(last=5, mishaps=Mishaps(unplugged=frozenset({2, 4}))))
    out_us: dict[int, list[int]] = {}
    while not table.over:
        table.step()
        if table.session.watch.sensed == "no_device":
            out_us.setdefault(len(table.judge.plies), []).append(table.now_us)
    score = table.judge.finish()
    assert (score.confirmed, score.wrong, score.never) == (5, [], 0)
    assert out_us.keys() == {2, 4}
    for times in out_us.values():
        assert times[-1] - times[0] == pytest.approx(UNPLUGGED_US, abs=100_000)


def test_samples_are_those_that_were_taken() -> None:
    """While nobody reads the device none is."""
    table = BenchTable(scene(last=3, mishaps=Mishaps(unplugged=frozenset({2}))))
    steps = away = 0
    before = table.samples
    while not table.over:
        table.step()
        steps += 1
        away += table.session.watch.sensed == "no_device"
    assert away > 100
    assert table.samples - before == pytest.approx(steps - away, abs=2)


def test_a_process_that_was_down_goes_on_from_its_journal() -> None:
    """It has seen neither hand nor stone of the ply, only what lies there and the press."""
    table = BenchTable(scene(last=4, mishaps=Mishaps(unwatched=frozenset({3}))))
    before = table.session
    score = table.run()
    assert table.session is not before
    assert not score.wrong
    assert score.confirmed + score.entered == 4


def test_a_cell_breaks_and_is_mended_at_the_beginning_of_its_plies() -> None:
    """Each ply says whether the place was read for it; no position is wrong meanwhile."""
    broken = Broken(place=8, fault=ChannelFault.NOT_READY, from_ply=2, until_ply=4)
    table = BenchTable(scene(last=6, mishaps=Mishaps(broken=(broken,))))
    score = table.run()
    assert not score.wrong
    assert score.confirmed == 6
    moves = [event for event in table.events if isinstance(event, MovePlayed)]
    assert [move.evidence["unread"] for move in moves] == [[], [8], [8], [], [], []]


def test_a_game_that_the_board_does_not_see_set_up_is_begun_by_hand() -> None:
    """It counts as a question, and what comes after is measured all the same."""
    table = BenchTable(scene(last=2))
    table.world.add_weight(0, 30.0, table.now_us)
    score = table.run()
    assert score.asks[0].reason == "not_set_up"
    assert score.plies == 2
