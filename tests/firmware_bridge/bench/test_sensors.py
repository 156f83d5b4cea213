"""Whole pieces of games on boards with count sensors, alone and beside cells."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.bench.scene import WIRINGS, Broken, Mishaps, Scene
from firmware_bridge.bench.table import BenchTable
from firmware_bridge.emulator.pace import PACES
from firmware_bridge.emulator.records import bundled_record
from sensors.samples import ChannelStatus
from sensors.simulator.profile import PROFILES
from sensors.simulator.world import ChannelFault


def table(sensors: str, plies: int, pace: str = "brisk", mishaps: Mishaps | None = None) -> BenchTable:
    """Return a table at which the bundled record's first plies are played."""
    return BenchTable(
        Scene(
            name="2009",
            sowings=bundled_record("2009").sowings[:plies],
            profile=PROFILES["nominal"],
            pace=PACES[pace],
            seed=2,
            mishaps=Mishaps() if mishaps is None else mishaps,
            sensors=sensors,
        )
    )


def test_beside_cells_beams_disturb_nothing() -> None:
    """Every ply is confirmed by itself."""
    score = table("both", 16).run()
    assert (score.confirmed, score.together, len(score.asks), len(score.wrong)) == (16, 0, 0, 0)


@pytest.mark.parametrize("pace", ["brisk", "blitz"])
def test_alone_they_confirm_or_ask_and_are_never_wrong(pace: str) -> None:
    """From the set-up, which nobody counts, through plies told by their falls."""
    played = table("beams", 24, pace)
    score = played.run()
    assert (len(score.wrong), score.never) == (0, 0)
    assert score.confirmed + score.entered == 24
    assert score.confirmed >= 15  # sixteen with this seed; six in ten over whole games


def test_alone_they_say_that_nothing_is_weighed() -> None:
    """A board that cannot see what lies there says so while it waits."""
    played = table("beams", 2)
    seen = set()
    while not played.over:
        played.step()
        seen |= {(note.code) for note in played.session.watch.notes}
    assert "counts_only" in seen


def test_with_beams_two_dead_cells_need_not_stop_the_game() -> None:
    """What falls into either is seen; without beams every ply is asked about."""
    dead = tuple(Broken(place=place, fault=ChannelFault.SATURATED, from_ply=3) for place in (3, 12))
    with_beams = table("both", 8, mishaps=Mishaps(broken=dead)).run()
    without = table("cells", 8, mishaps=Mishaps(broken=dead)).run()
    assert (len(with_beams.wrong), len(without.wrong)) == (0, 0)
    assert without.confirmed == 2  # those before the cells died
    assert with_beams.confirmed >= 5  # six with this seed
    assert (len(with_beams.asks), len(without.asks)) == (1, 3)


@pytest.mark.parametrize(("sensors", "plies"), [("both", 16), ("beams", 24)])
def test_a_beam_that_dies_is_noticed_by_what_it_does_not_see(sensors: str, plies: int) -> None:
    """It has a good status and never counts again; its place is named, and nothing is read wrongly."""
    played = table(sensors, plies)
    place = 13
    played.world._beams[place]._profile = replace(PROFILES["nominal"], beam_miss=1.0)
    seen = set()
    while not played.over:
        played.step()
        seen |= {(note.code, note.place) for note in played.session.watch.notes}
    assert ("beam_blind", place) in seen
    assert not played.judge.finish().wrong


def test_a_beam_that_cannot_be_read_is_named_at_once() -> None:
    """Its wire is off: the device gives its channel up, and the game goes on by weights."""
    played = table("both", 4)
    channel = WIRINGS["both"].beam_b[4]
    seen = set()
    played._all_ok = tuple(
        ChannelStatus.EXCLUDED if number == channel else ChannelStatus.OK for number in range(40)
    )
    while not played.over:
        played.step()
        seen |= {(note.code, note.place) for note in played.session.watch.notes}
    assert ("beam_fault", 13) in seen
    assert len(played.session.game.plies) == 4
