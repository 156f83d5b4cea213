"""What follows from loads: ideal cells are found exactly, and progress is kept as it was."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.calibrating.judging import (
    judged,
    raw_per_stone,
    spread,
    stones_at_nines,
    stones_in_split,
    zero,
)
from firmware_bridge.calibrating.progress import (
    Progress,
    ProgressError,
    format_progress,
    parse_progress,
)
from firmware_bridge.calibrating.steps import LOADS, ORDER, Measured, Step
from firmware_bridge.calibrating.verdict import verdict
from firmware_bridge.layout import PITS, PLACES
from sensors.calibration import COUNTER

GAINS = st.lists(
    st.tuples(st.floats(0.8, 1.25), st.sampled_from((1, -1))).map(lambda pair: 15_000 * pair[0] * pair[1]),
    min_size=PLACES,
    max_size=PLACES,
)
ZEROS = st.lists(st.floats(-4e5, 4e5), min_size=PLACES, max_size=PLACES)


def measured(
    step: Step, gains: list[float], zeros: list[float], leak: float = 0.0, drift: float = 0.0
) -> Measured:
    """Return what straight cells say of a step, with a `leak` from neighbours and a `drift` in stones."""
    stones = LOADS[step]
    gone = ORDER.index(step) / ORDER.index(Step.EMPTY_AGAIN)
    raw = []
    for place, (gain, zero_raw) in enumerate(zip(gains, zeros, strict=True)):
        beside = [other for other in (place - 1, place + 1) if place < PITS and 0 <= other < PITS]
        felt = stones[place] + leak * sum(stones[other] for other in beside)
        if step is Step.MARKS and place == 4:
            felt += 2.5
        raw.append(zero_raw + gain * (felt + drift * gone))
    return Measured(tuple(raw), (20.0,) * PLACES)


def finished(
    gains: list[float], zeros: list[float], *, leak: float = 0.0, drift: float = 0.0, channels: int = PLACES
) -> Progress:
    """Return the progress of a whole procedure on such cells; no step is complained of."""
    progress = Progress("b", channels, tuple(range(PLACES)))
    for step in ORDER:
        if step is Step.TOUCH:
            progress = progress.done(step, None)
            continue
        load = measured(step, gains, zeros, leak, drift)
        assert judged(progress, step, load) == [], step
        progress = progress.done(step, load)
    return progress


@settings(max_examples=20)
@given(GAINS, ZEROS)
def test_straight_cells_are_found_exactly_whatever_their_gains_and_zeros(
    gains: list[float], zeros: list[float]
) -> None:
    """Also upside down; no gain need be known to judge."""
    progress = finished(gains, zeros)
    found = verdict(progress, None).calibration
    for place in range(PLACES):
        assert raw_per_stone(progress, place) == pytest.approx(gains[place])
        assert found.channels[place].raw_per_g == pytest.approx(gains[place])
        assert found.channels[place].zero_raw == pytest.approx(zeros[place], abs=1e-6)
    assert found.mark_g == pytest.approx(2.5)
    assert spread(progress) == pytest.approx(0.0, abs=1e-9)


@settings(max_examples=20)
@given(GAINS, ZEROS, st.floats(0.0, 0.01))
def test_what_comes_through_the_plate_is_taken_off(
    gains: list[float], zeros: list[float], leak: float
) -> None:
    """Nine stones in each neighbour would seem to be a fifth of a stone more."""
    progress = finished(gains, zeros, leak=leak)
    for pit in range(PITS):
        assert stones_at_nines(progress, pit) == pytest.approx(9.0)
        assert raw_per_stone(progress, pit) == pytest.approx(gains[pit])
    assert stones_in_split(progress, 18) == pytest.approx(72.0)


@settings(max_examples=20)
@given(GAINS, ZEROS, st.floats(-0.45, 0.45))
def test_a_drift_from_the_empty_board_to_the_empty_board_is_taken_off(
    gains: list[float], zeros: list[float], drift: float
) -> None:
    """By the number of steps; the zeros are those of the end."""
    progress = finished(gains, zeros, drift=drift)
    for place in range(PLACES):
        assert raw_per_stone(progress, place) == pytest.approx(gains[place])
        assert zero(progress, place, Step.MARKS) == pytest.approx(zeros[place] + gains[place] * drift)


def test_channels_that_no_place_uses_are_counters_where_the_device_counts() -> None:
    """Else they weigh something that nobody looks at; either way the file has one for each."""
    progress = finished([15_000.0] * PLACES, [0.0] * PLACES, channels=24)
    assert verdict(progress, None, counters=True).calibration.channels[20:] == (COUNTER,) * 4
    assert {row.kind.value for row in verdict(progress, None).calibration.channels} == {"load"}


def test_a_cell_unlike_the_others_is_remarked() -> None:
    """A converter that fell back to half its gain would be calibrated so, and be wrong when it is back."""
    gains = [15_000.0] * PLACES
    gains[3] /= 2
    found = verdict(finished(gains, [0.0] * PLACES), None)
    assert {row.place: row.remarks for row in found.channels if row.remarks} == {3: ("odd_gain",)}


@settings(max_examples=20)
@given(GAINS, ZEROS, st.sampled_from([*ORDER, None]), st.none() | st.floats(1.0, 900.0))
def test_progress_is_read_as_it_was_written(
    gains: list[float], zeros: list[float], step: Step | None, total_g: float | None
) -> None:
    """At every step, with all that was measured."""
    progress = replace(
        finished(gains, zeros), total_g=total_g, heard=((3,), (), (4, 5)), recounted=frozenset({2, 3})
    )
    progress = progress if step is None else progress.back_at(step)
    assert parse_progress(format_progress(progress)) == progress


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": 2}, "format 2, this program reads 1"),
        ({"step": "dance"}, "damaged"),
        ({"channels": [1, 2]}, "lacks steps or places"),
        ({"channels": [-1] * 20}, "-1 is no channel"),
        ({"loads": {}}, "lacks steps or places"),
        ({"heard": [[20]]}, "20 is no place"),
        ({"recounted": [-1]}, "-1 is no channel"),
        ({"total_g": -3}, "all stones weigh -3 g"),
        ({"board_id": 5}, "board_id 5 is no text"),
        ({"loads": {"empty": {"raw": [1], "noise": [1]}}}, "damaged"),
        ({"loads": {"empty": {"raw": [True] * 20, "noise": [1] * 20}}}, "True is no number"),
    ],
)
def test_progress_that_cannot_be_is_refused(change: dict[str, object], said: str) -> None:
    """Whatever lies on the card: it is begun anew, never gone on with wrongly."""
    told = json.loads(format_progress(finished([9_000.0] * PLACES, [0.0] * PLACES)))
    with pytest.raises(ProgressError) as raised:
        parse_progress(json.dumps(told | change))
    assert said in str(raised.value)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"format": NaN}', "[" * 100_000])
def test_what_is_no_progress_is_refused(text: str) -> None:
    """A torn file, another file."""
    with pytest.raises(ProgressError):
        parse_progress(text)
