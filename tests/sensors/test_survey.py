"""What a survey says of the channels of a device."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.calibration import ChannelKind
from sensors.link_events import LinkStatistics
from sensors.samples import ChannelStatus, RawSample
from sensors.simulator.profile import CELL_100_G, NOMINAL
from sensors.simulator.world import CellWorld, ChannelFault
from sensors.survey import (
    Survey,
    SurveyError,
    expected_noise_raw,
    rate_fits,
    survey_from_json,
    survey_of,
    survey_to_json,
)

OK = ChannelStatus.OK


def sample(at_us: int, *raw: int, status: ChannelStatus = OK) -> RawSample:
    """Return a sample whose channels all have one status."""
    return RawSample(at_us, raw, (status,) * len(raw))


def noisy(seed: int, *, sigma: float, slope: float = 0.0, samples: int = 240) -> list[RawSample]:
    """Return samples of one channel at 80 a second about 5000, rising by `slope` units a second."""
    rng = Random(seed)
    return [sample(n * 12_500, round(5000 + slope * n / 80 + rng.gauss(0.0, sigma))) for n in range(samples)]


def test_a_quiet_channel_is_told_by_its_mean_noise_and_drift() -> None:
    """Three seconds are enough to know each of them."""
    report = survey_of(noisy(1, sigma=40.0, slope=10.0), nominal_hz=80.0)
    (row,) = report.channels
    assert (report.samples, report.gaps, report.missing) == (240, 0, 0)
    assert report.rate_hz == pytest.approx(80.0)
    assert report.span_s == pytest.approx(239 / 80)
    assert row.mean_raw == pytest.approx(5015, abs=10)
    assert row.noise_raw == pytest.approx(40, rel=0.15)
    assert row.drift_raw_per_s == pytest.approx(10, abs=6)
    assert (row.usable, row.statuses, row.strays) == (240, {"ok": 240}, 0)


def test_readings_that_cannot_be_true_are_counted_and_move_no_mean() -> None:
    """One value at 2^22-1 among 240 would move a plain mean by 17 000 units."""
    samples = noisy(2, sigma=40.0)
    clean = survey_of(samples).channels[0]
    samples[100] = sample(samples[100].time_us, 2**22 - 1)
    samples[150] = sample(samples[150].time_us, -1)
    row = survey_of(samples).channels[0]
    assert row.strays == 2
    assert (row.min_raw, row.max_raw) == (-1, 2**22 - 1)
    assert clean.mean_raw is not None
    assert row.mean_raw == pytest.approx(clean.mean_raw, abs=3)
    assert row.noise_raw == pytest.approx(40, rel=0.15)


def test_a_stuck_converter_has_one_value() -> None:
    """Its noise is 0, and it is told from a calm one by the number of its values."""
    row = survey_of([sample(n * 12_500, 777) for n in range(80)]).channels[0]
    assert (row.distinct, row.noise_raw, row.mean_raw, row.strays) == (1, 0.0, 777, 0)
    assert row.stuck
    assert not survey_of([sample(n * 12_500, 777) for n in range(19)]).channels[0].stuck


def test_a_calm_converter_that_repeats_itself_is_no_stray_and_has_a_noise() -> None:
    """Most values are the same, so their median deviation is 0: that is not its noise."""
    row = survey_of([sample(n * 12_500, 777 + (n % 3 == 0)) for n in range(240)]).channels[0]
    assert (row.distinct, row.strays) == (2, 0)
    assert row.noise_raw == pytest.approx(0.47, abs=0.05)


def test_every_status_is_counted_and_the_end_of_the_range_is_saturated_whoever_says_ok() -> None:
    """An open wire gives the end of the range, and firmware may not notice."""
    said = [
        sample(0, 0, status=ChannelStatus.NOT_READY),
        sample(1, 8_388_607, status=ChannelStatus.SATURATED),
        sample(2, 0, status=ChannelStatus.EXCLUDED),
        sample(3, 5, status=ChannelStatus.READ_ERROR),
        sample(4, -8_388_608),
        sample(5, 9),
    ]
    row = survey_of(said).channels[0]
    assert row.statuses == {"not_ready": 1, "saturated": 2, "excluded": 1, "read_error": 1, "ok": 1}
    assert (row.usable, row.mean_raw, row.noise_raw, row.drift_raw_per_s) == (1, 9, None, None)


def test_a_converters_own_clock_is_no_other_rate_and_a_strap_is() -> None:
    """A fifth off and more was measured; 10 for 80 is another pin."""
    assert all(rate_fits(*pair) for pair in ((93.0, 80.0), (64.0, 80.0), (11.7, 10.0)))
    assert not any(rate_fits(*pair) for pair in ((10.0, 80.0), (80.0, 10.0), (40.0, 80.0)))


def test_two_channels_on_one_converter_are_named() -> None:
    """Noise forbids that two converters agree in every sample; a stuck or silent pair tells nothing."""
    rng = Random(4)
    rows = [(rng.randrange(100), 5, 7, value, value) for value in (rng.randrange(100) for _ in range(40))]
    report = survey_of([sample(n, *row) for n, row in enumerate(rows)])
    assert [row.same_as for row in report.channels] == [None, None, None, None, 3]
    few = survey_of([sample(n, *row) for n, row in enumerate(rows[:19])])
    assert {row.same_as for row in few.channels} == {None}


def test_a_channel_without_a_good_sample_has_no_numbers() -> None:
    """Unknown is a value; it is never zero."""
    row = survey_of([sample(n, 0, status=ChannelStatus.NOT_READY) for n in range(9)]).channels[0]
    assert (row.usable, row.mean_raw, row.noise_raw, row.min_raw, row.max_raw) == (0, None, None, None, None)


def test_a_counter_may_stand_beyond_a_converters_range() -> None:
    """A running number of pulses is no load, and saturates nowhere."""
    survey = Survey(80.0, [ChannelKind.COUNT])
    for n in range(3):
        survey.take(sample(n, 9_000_000 + n))
    (row,) = survey.report().channels
    assert (row.kind, row.usable, row.max_raw) == (ChannelKind.COUNT, 3, 9_000_002)


def test_the_rate_is_measured_and_what_is_missing_is_counted() -> None:
    """A wrong strap samples at 10 where 80 are declared; a hole in the samples does not change the rate."""
    times = [n * 100_000 for n in range(40) if n not in (11, 12, 13, 30)]
    report = survey_of([sample(at_us, 5) for at_us in times], nominal_hz=80.0)
    assert report.rate_hz == pytest.approx(10.0)
    assert (report.nominal_hz, report.gaps, report.missing) == (80.0, 2, 4)
    assert report.longest_gap_s == pytest.approx(0.4)


def test_the_links_counters_are_told_as_what_was_added_meanwhile() -> None:
    """What was lost long ago is no fault of this window; a device that restarted counts from 0."""
    survey = Survey()
    assert survey.report().lost_frames is None
    survey.heard(LinkStatistics(lost_frames=100, bad_frames=7, device_dropped_data=50))
    survey.heard(LinkStatistics(lost_frames=103, bad_frames=7, device_dropped_data=2))
    report = survey.report()
    assert (report.lost_frames, report.bad_frames, report.dropped_data) == (3, 0, 2)


@pytest.mark.parametrize("after", [sample(5, 1), sample(99, 1, 2)], ids=["earlier", "another number"])
def test_a_device_that_began_anew_begins_the_window_anew(after: RawSample) -> None:
    """Samples of two boots, or of two devices, are never put into one mean."""
    report = survey_of([sample(10, 1), sample(20, 1), after])
    assert (report.samples, len(report.channels)) == (1, len(after.raw))


def test_of_no_samples_the_report_says_that_there_were_none() -> None:
    """A device that is silent can be surveyed as well."""
    report = survey_of([], nominal_hz=80.0)
    assert (report.samples, report.span_s, report.rate_hz, report.channels) == (0, 0.0, None, ())


def test_each_broken_channel_of_a_simulated_board_shows_in_its_numbers() -> None:
    """The device calls dead and stuck readings good: only numbers tell."""
    world = CellWorld([CELL_100_G] * 5, NOMINAL, seed=5)
    world.calm()
    for channel, fault in ((1, ChannelFault.STUCK), (2, ChannelFault.SATURATED), (3, ChannelFault.NOT_READY)):
        world.set_fault(channel, fault)
    survey = Survey(80.0)
    for n in range(1, 240):
        at_us = round(n * world.period_us)
        raw, status = world.read(at_us)
        survey.take(RawSample(at_us, raw, tuple(map(ChannelStatus, status))))
    whole, stuck, open_wire, gone, other = survey.report().channels
    assert stuck.distinct == 1
    assert open_wire.statuses == {"saturated": 239}
    assert gone.statuses == {"not_ready": 239}
    for row in (whole, other):
        assert row.noise_raw == pytest.approx(3 * 38.7, rel=0.25)
        assert row.distinct > 100


@given(
    st.lists(
        st.tuples(
            st.integers(1, 300_000), st.integers(-(2**23), 2**23 - 1), st.sampled_from(list(ChannelStatus))
        ),
        max_size=30,
    ),
    st.sampled_from([(), (ChannelKind.LOAD,), (ChannelKind.COUNT,)]),
)
def test_whatever_was_sampled_is_told_and_read_back_the_same(
    steps: list[tuple[int, int, ChannelStatus]], kinds: tuple[ChannelKind, ...]
) -> None:
    """A report goes through JSON unchanged, and no sample makes it fail."""
    survey, at_us = Survey(10.0, kinds), 0
    for step_us, raw, status in steps:
        at_us += step_us
        survey.take(sample(at_us, raw, status=status))
    report = survey.report()
    assert survey_from_json(json.loads(json.dumps(survey_to_json(report)))) == report
    for row in report.channels:
        assert sum(row.statuses.values()) == report.samples
        if row.mean_raw is not None and row.min_raw is not None and row.max_raw is not None:
            assert row.min_raw <= row.mean_raw <= row.max_raw


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"samples": "many"}, "samples: 'many' is no number"),
        ({"span_s": None}, "span_s: None is no number"),
        ({"channels": 7}, "`channels` 7 is no list"),
        ({"channels": [{}]}, "channels[0]: {} has no channel, kind"),
    ],
)
def test_what_is_no_report_is_refused_by_name(change: dict[str, Any], said: str) -> None:
    """Whoever reads one learns which key is wrong."""
    told = survey_to_json(survey_of(noisy(3, sigma=9.0, samples=5))) | change
    with pytest.raises(SurveyError) as raised:
        survey_from_json(told)
    assert said in str(raised.value)


def test_what_a_newer_version_adds_is_left_out() -> None:
    """A report of tomorrow's board can be read today."""
    report = survey_of(noisy(3, sigma=9.0, samples=5))
    assert survey_from_json(survey_to_json(report) | {"mood": "good"}) == report


def test_the_converters_own_noise_follows_its_rate() -> None:
    """The chip has two rates; what is not known counts as the fast one, which is the noisier."""
    assert (expected_noise_raw(10.0), expected_noise_raw(80.0), expected_noise_raw(0.0)) == (32.5, 58.6, 58.6)
