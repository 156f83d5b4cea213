"""What each place weighed at a moment, from its own stretches of quiet."""

from __future__ import annotations

import pytest

from firmware_bridge.board.counting.observation import MOVING, PlaceReading, observe
from firmware_bridge.board.watching.snapshot import as_of, present, standard_error
from sensors.settle import ChannelReading, ReadingState, Stretch
from tests.firmware_bridge.board.paper import UNITS
from tests.firmware_bridge.board.watching.test_watcher import watching

PAST = tuple(Stretch(since, since + 80, float(since), 0.5, 25) for since in (100, 200, 300))
"""Each from a hundred to the eighty after it; its load is its beginning, so that it can be told."""
QUIET = ChannelReading(ReadingState.QUIET, 400.0, 400, "", noise_g=0.8, samples=16, past=PAST)
MOVES = ChannelReading(ReadingState.MOVING, None, None, "spread", past=PAST)
FAULTY = ChannelReading(ReadingState.FAULT, None, None, "stuck", past=PAST)


@pytest.mark.parametrize(
    ("moment", "since"), [(50, 100), (100, 100), (180, 100), (181, 200), (280, 200), (300, 300), (381, 400)]
)
def test_the_first_stretch_that_holds_the_moment_or_begins_after_it_tells(moment: int, since: int) -> None:
    """Not a later one, in which other stones may lie already."""
    (then,) = as_of([QUIET], moment)
    error_g = 0.1 if since < 400 else 0.2
    assert (then.load_g, then.since_us, then.reason) == (float(since), since, "")
    assert then.noise_g == pytest.approx(error_g)


def test_a_place_of_which_nothing_is_known_since_the_moment_is_moving() -> None:
    """What lay there before is no evidence."""
    assert as_of([MOVES], 380)[0].load_g == 300.0
    assert as_of([MOVES], 381)[0] == PlaceReading(None, None, MOVING)


def test_a_place_that_is_faulty_now_is_not_believed_of_then() -> None:
    """A converter that has just died may not have told the truth before."""
    assert as_of([FAULTY], 150)[0] == PlaceReading(None, None, "stuck")
    assert present([FAULTY])[0] == PlaceReading(None, None, "stuck")


def test_a_place_says_what_it_weighs_now_whatever_lay_there_before() -> None:
    """Whatever lay there before."""
    now, moves = present([QUIET, MOVES])
    assert (now.load_g, now.since_us, now.reason) == (400.0, 400, "")
    assert now.noise_g == pytest.approx(0.2)
    assert moves == PlaceReading(None, None, MOVING)


def test_a_mean_is_the_surer_the_more_samples_stand_behind_it() -> None:
    """By the square root; of none nothing is known."""
    assert standard_error(0.6, 1) == 0.6
    assert standard_error(0.6, 9) == pytest.approx(0.2)
    assert standard_error(0.6, 0) == 0.0


def test_noise_is_counted_in_stones_within_what_cells_can_do() -> None:
    """No cell is perfect, and a stretch that were noisier would not have been quiet."""
    belief = watching().belief

    def noise(noise_g: float) -> float:
        readings = (PlaceReading(9 * UNITS.stone_g, 0, "", noise_g),) * 20
        return observe(readings, belief, UNITS).noise[7]

    assert noise(0.05) == pytest.approx((0.05 / UNITS.stone_g) ** 2)
    assert 0 < noise(0.0) == noise(0.001)
    assert noise(0.05) < noise(5.0) == noise(50.0) < 0.1
