"""What the channels of a simulated board are accused of, and that whole boards are accused of nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.doctor.channels import EMPTY, SET_UP, Place, judge_channels
from firmware_bridge.doctor.findings import Finding
from rules import START, legal_moves, outcome, play
from sensors.calibration import Calibration
from sensors.samples import ChannelStatus, RawSample
from sensors.simulator.measure import measure_calibration
from sensors.simulator.profile import PROFILES
from sensors.simulator.world import CellWorld, ChannelFault
from sensors.survey import Survey, SurveyReport

PLACES = tuple(Place(channel=n, name=f"cell {n}", stack=n) for n in range(20))
SETTLED_US = 3_000_000
SECONDS = 3.0


def simulated(profile: str, seed: int, stones: Sequence[int] = SET_UP) -> tuple[CellWorld, Calibration]:
    """Return a board on which these stones have lain for a while, and its calibration."""
    world = CellWorld(PROFILES[profile].kinds(), PROFILES[profile], seed)
    calibration = measure_calibration(world, "board")
    world.lay_out({place: count for place, count in enumerate(stones) if count})
    return world, calibration


def watched(world: CellWorld, seconds: float = SECONDS) -> SurveyReport:
    """Return what the doctor hears of a board in some seconds."""
    survey = Survey(world.profile.rate_hz)
    now_us = begin_us = world.time_us + SETTLED_US
    while now_us - begin_us < seconds * 1e6:
        reading = world.read(now_us)
        survey.take(RawSample(now_us, reading.raw, tuple(ChannelStatus(status) for status in reading.status)))
        now_us += round(world.period_us)
    return survey.report()


def quiet() -> tuple[SurveyReport, Calibration]:
    """Return what is heard of a board set up in a laboratory, and its calibration."""
    world, calibration = simulated("clean", 1)
    return watched(world), calibration


QUIET = quiet()


def accusations(findings: Sequence[Finding]) -> list[tuple[str, object]]:
    """Return what is accused, by code and channel; notes accuse nobody."""
    return [
        (each.code, each.values.get("channel"))
        for each in findings
        if each.code not in ("channels_not_compared", "channel_not_quiet")
    ]


@pytest.mark.parametrize("profile", PROFILES)
def test_a_whole_board_is_accused_of_nothing(profile: str) -> None:
    """Set up or empty, whatever its cells, its stones and its room are like."""
    for seed, stones in ((1, SET_UP), (2, EMPTY), (3, SET_UP)):
        world, calibration = simulated(profile, seed, stones)
        found = list(judge_channels(watched(world), calibration, PLACES, None))
        assert accusations(found) == []


def test_a_board_in_play_is_accused_of_nothing() -> None:
    """Nobody knows what lies there, and that is said; whoever knows can say more."""
    stones = (3, 0, 12, 1, 10, 10, 2, 0, 10, 9, 9, 0, 1, 11, 11, 11, 2, 10, 28, 22)
    world, calibration = simulated("nominal", 4, stones)
    survey = watched(world)
    assert [each.code for each in judge_channels(survey, calibration, PLACES, None)] == [
        "channels_not_compared"
    ]
    assert accusations(list(judge_channels(survey, calibration, PLACES, stones))) == []


FAULTY = {
    ChannelFault.SATURATED: "channel_saturated",
    ChannelFault.STUCK: "channel_stuck",
    ChannelFault.NOT_READY: "channel_dead",
    ChannelFault.DEAD: "channel_weighs_wrong",
    ChannelFault.HALF_GAIN: "channel_weighs_wrong",
    ChannelFault.QUARTER_GAIN: "channel_weighs_wrong",
}


@pytest.mark.parametrize("fault", ChannelFault)
def test_each_fault_of_a_cell_is_named_and_its_neighbours_are_not(fault: ChannelFault) -> None:
    """As the simulator breaks them: a pit of the middle of a row."""
    world, calibration = simulated("nominal", 5)
    world.set_fault(7, fault)
    found = list(judge_channels(watched(world), calibration, PLACES, None))
    assert accusations(found) == [(FAULTY[fault], 7)]


def test_swapped_wires_show_on_cells_that_differ() -> None:
    """Of a board that was calibrated before; cells that are alike weigh rightly either way."""
    world, calibration = simulated("nominal", 6)
    survey, named = watched(world), 0
    for one, other in combinations(range(20), 2):
        rows = [*survey.channels]
        rows[one], rows[other] = replace(rows[other], channel=one), replace(rows[one], channel=other)
        crossed = replace(survey, channels=tuple(rows))
        found = accusations(list(judge_channels(crossed, calibration, PLACES, None)))
        assert found in ([], [("channels_swapped", one)]) or len(found) == 1, (one, other, found)
        named += ("channels_swapped", one) in found
    assert named > 150  # of 190 pairs


@pytest.mark.parametrize("pit", range(1, 10))
def test_the_first_move_of_a_game_is_not_taken_for_a_wrong_calibration(pit: int) -> None:
    """Nearly all pits hold nine or ten then: about the same, and as it should be."""
    after = play(START, pit).after
    assert (
        accusations(list(judge_channels(lying((*after.pits, *after.kazans)), QUIET[1], PLACES, None))) == []
    )


def test_a_load_that_grows_faster_than_any_drift_is_a_hand() -> None:
    """That leans on the board more and more."""
    survey, calibration = QUIET
    rows = [*survey.channels]
    slope = 40 * calibration.unit_g * calibration.channels[5].raw_per_g / 60
    rows[5] = replace(rows[5], drift_raw_per_s=slope)
    found = list(judge_channels(replace(survey, channels=tuple(rows)), calibration, PLACES, None))
    assert [(each.code, each.values.get("channel")) for each in found] == [("channel_not_quiet", 5)]


def test_a_board_whose_stones_all_lie_in_the_kazans_is_not_called_empty() -> None:
    """After a game: nobody is accused of the stones that were won."""
    stones = (0,) * 18 + (90, 72)
    assert accusations(list(judge_channels(lying(stones), QUIET[1], PLACES, None))) == []


@pytest.mark.parametrize("profile", ["nominal", "slow"])
@pytest.mark.parametrize("stones", [-9, -1, 1, 100])
@pytest.mark.parametrize(("begins", "ends"), [(0.3, 0.5), (0.5, 1), (0.4, 1), (0.65, 1), (0, 0.8)])
def test_a_hand_on_the_board_is_no_fault_of_a_cell(
    profile: str, stones: int, begins: float, ends: float
) -> None:
    """Taking, laying, leaning: weights are not compared then, and it is said which cell moved."""
    world, calibration = simulated(profile, 10)
    survey = Survey(world.profile.rate_hz)
    now_us = world.time_us + SETTLED_US
    count = round(SECONDS * world.profile.rate_hz)
    own = calibration.channels[6]
    for index in range(count):
        reading, now_us = world.read(now_us), now_us + round(world.period_us)
        touched = begins * count <= index < ends * count
        pressed = round(touched * stones * calibration.unit_g * own.raw_per_g)
        raw = (*reading.raw[:6], reading.raw[6] + pressed, *reading.raw[7:])
        survey.take(RawSample(now_us, raw, (ChannelStatus.OK,) * 20))
    found = list(judge_channels(survey.report(), calibration, PLACES, None))
    assert [(each.code, each.values.get("channel")) for each in found] == [("channel_not_quiet", 6)]


def test_without_a_calibration_only_what_the_chips_say_is_judged() -> None:
    """Nothing is weighed by one that is not there."""
    world, _ = simulated("nominal", 7)
    world.set_fault(2, ChannelFault.NOT_READY)
    assert accusations(list(judge_channels(watched(world), None, PLACES, None))) == [("channel_dead", 2)]


def test_too_few_samples_say_nothing() -> None:
    """A device that has just come is not called stuck for its first value."""
    world, calibration = simulated("nominal", 8)
    assert list(judge_channels(watched(world, 0.1), calibration, PLACES, None)) == []


def test_a_cell_that_gives_way_drifts() -> None:
    """Two stones a minute and more, clearly out of the noise."""
    survey = watched(simulated("clean", 9)[0])
    calibration = simulated("clean", 9)[1]
    slope = 4 * calibration.unit_g * calibration.channels[5].raw_per_g / 60
    rows = [*survey.channels]
    rows[5] = replace(rows[5], drift_raw_per_s=slope)
    found = list(judge_channels(replace(survey, channels=tuple(rows)), calibration, PLACES, None))
    assert accusations(found) == [("channel_drifting", 5)]


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(0, 300))
def test_no_position_of_a_game_is_taken_for_a_wrong_calibration(seed: int, plies: int) -> None:
    """Whatever was played, and however far: nobody told the doctor that a game is on."""
    _, calibration = QUIET
    position, random = START, Random(seed)
    for _ in range(plies):
        moves = list(legal_moves(position))
        if moves and outcome(position) is None:
            position = play(position, random.choice(moves)).after
    assert (
        accusations(
            list(judge_channels(lying((*position.pits, *position.kazans)), calibration, PLACES, None))
        )
        == []
    )


def lying(stones: Sequence[int]) -> SurveyReport:
    """Return a survey of a board on which so many stones lie, to the gram."""
    survey, calibration = QUIET
    rows = [
        replace(row, mean_raw=own.zero_raw + count * calibration.unit_g * own.raw_per_g)
        for row, own, count in zip(survey.channels, calibration.channels, stones, strict=True)
    ]
    return replace(survey, channels=tuple(rows))
