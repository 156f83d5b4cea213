"""What is told of a window of samples and of touches, complaint by complaint."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from firmware_bridge.calibrating.measuring import Window, lasting, moving, noisy, restless
from firmware_bridge.calibrating.steps import Complaint, Measured
from firmware_bridge.calibrating.touching import Touches, channels_as_heard, wiring_complaints
from firmware_bridge.layout import PLACES
from sensors.samples import ChannelStatus, RawSample

CHANNELS = tuple(range(PLACES))
CALM = Measured((0.0,) * PLACES, (30.0,) * PLACES)


def window(
    *,
    statuses: dict[int, ChannelStatus] | None = None,
    raw: dict[int, Any] | None = None,
    lost: int = 0,
    channels: int = PLACES,
) -> Window:
    """Return three seconds at 80 a second of noise, with some channels saying something else.

    Args:
        statuses: of channels that are not ok.
        raw: functions of the sample's number for channels of their own.
        lost: of every ten samples.
        channels: how many the device has.
    """
    rng, found = Random(1), Window(80.0)
    for number in range(330):
        values = [rng.gauss(0.0, 30.0) for _ in range(channels)]
        for channel, value in (raw or {}).items():
            values[channel] = value(number, values[channel])
        status = [(statuses or {}).get(channel, ChannelStatus.OK) for channel in range(channels)]
        if number % 10 >= lost:
            found.take(RawSample(number * 12_500, tuple(map(round, values)), tuple(status)))
    return found


def told(complaints: list[Complaint]) -> list[tuple[Any, ...]]:
    """Return codes and places."""
    return [(each.code, *each.places) for each in complaints]


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (ChannelStatus.EXCLUDED, "excluded"),
        (ChannelStatus.READ_ERROR, "read_error"),
        (ChannelStatus.NOT_READY, "not_ready"),
        (ChannelStatus.SATURATED, "saturated"),
    ],
)
def test_each_status_that_lasts_is_a_complaint_of_its_own(status: ChannelStatus, code: str) -> None:
    """The device says itself what is wrong with the channel."""
    assert told(lasting(window(statuses={7: status}).report(), CHANNELS)) == [(code, 7)]


def test_a_whole_board_is_complained_of_nowhere() -> None:
    """And lies still."""
    report = window().report()
    assert window().full
    assert lasting(report, CHANNELS) == []
    assert (moving(report, CHANNELS, CALM), restless(report, CHANNELS), noisy(report, CHANNELS)) == (
        (),
        (),
        [],
    )


def test_samples_that_are_lost_are_told_as_a_share() -> None:
    """Two of ten."""
    (complaint,) = lasting(window(lost=2).report(), CHANNELS)
    assert (complaint.code, complaint.values) == ("lost", {"percent": 20})


def test_a_place_whose_channel_the_device_does_not_have_is_told() -> None:
    """The layout names more than there are."""
    (complaint,) = lasting(window(channels=19).report(), CHANNELS)
    assert (complaint.code, complaint.places, complaint.values) == ("no_channel", (19,), {"channel": 19})


def test_a_channel_full_of_impossible_readings_is_restless() -> None:
    """A fifth of them, as a preempted host reads; its mean is not to be had honestly."""
    report = window(raw={3: lambda number, value: 2**20 - 1 if number % 5 == 0 else value}).report()
    assert (lasting(report, CHANNELS), restless(report, CHANNELS)) == ([], (3,))


@pytest.mark.parametrize(
    "course",
    [
        lambda number, value: value + number * 2,
        lambda _number, value: value * 6,
        lambda number, value: value + (400 if number > 200 else 0),
    ],
    ids=["drifts", "trembles", "steps"],
)
def test_what_does_not_lie_still_is_named(course: Any) -> None:
    """A slow hand, a trembling one, and a stone that was laid meanwhile."""
    assert moving(window(raw={11: course}).report(), CHANNELS, CALM) == (11,)


def test_a_window_begins_anew_with_a_device_that_does() -> None:
    """Times of two boots are never put together."""
    found = window()
    found.take(RawSample(5, (0,) * PLACES, (ChannelStatus.OK,) * PLACES))
    assert not found.full
    assert found.report().samples == 1
    assert found.newest((0, 99)) == (0, None)


AS_WIRED: list[tuple[int, ...]] = [(place,) for place in range(PLACES)]


def felt(**places: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return where each place was felt, some otherwise: `p3=(5,)`."""
    found = list(AS_WIRED)
    for name, where in places.items():
        found[int(name[1:])] = where
    return found


@pytest.mark.parametrize(
    ("heard", "complaints"),
    [
        (AS_WIRED, []),
        (felt(p3=(5,), p5=(3,)), [("swapped", 3, 5)]),
        (felt(p3=()), [("dead", 3)]),
        (felt(p3=(3, 5), p5=()), [("doubled", 3, 5), ("dead", 5)]),
        (felt(p3=(3, 5), p5=(5, 3)), [("doubled", 3, 5), ("doubled", 5, 3)]),
        (felt(p5=(3,)), [("shared", 3, 5)]),
        (felt(p0=(1,), p1=(2,), p2=(0,)), [("elsewhere", 0, 1), ("elsewhere", 1, 2), ("elsewhere", 2, 0)]),
        (felt(p18=(19,), p19=(18,)), [("swapped", 18, 19)]),
    ],
)
def test_what_was_felt_tells_how_the_wires_go(
    heard: list[tuple[int, ...]], complaints: list[tuple[Any, ...]]
) -> None:
    """Exchanged, joined, dead, or in a ring: each once, with its places."""
    assert told(wiring_complaints(heard)) == complaints


@pytest.mark.parametrize("pressed", [{5}, {5, 6}, set(CHANNELS)], ids=["a finger", "joined wires", "a knock"])
def test_a_finger_is_felt_in_one_place_and_a_knock_in_none(pressed: set[int]) -> None:
    """Whatever shakes the whole table is no touch."""
    touches, rng, found = Touches(CHANNELS, CALM, 80.0), Random(2), []
    for number in range(160):
        held = 20 <= number < 70
        raw = [rng.gauss(0.0, 30.0) + 60_000 * (held and channel in pressed) for channel in CHANNELS]
        sample = RawSample(number * 12_500, tuple(map(round, raw)), (ChannelStatus.OK,) * PLACES)
        touch = touches.take(sample)
        if touch is not None:
            found.append(set(touch))
    assert found == ([] if len(pressed) == PLACES else [pressed])


def test_a_layout_is_told_only_where_every_place_was_felt_by_one_channel_of_its_own() -> None:
    """Half a layout would be copied into a configuration."""
    channels = tuple(range(100, 120))
    assert channels_as_heard(channels, felt(p3=(5,), p5=(3,)))[3:6] == (105, 104, 103)  # type: ignore[index] # there is one
    for heard in (felt(p3=()), felt(p3=(3, 5)), felt(p5=(3,)), AS_WIRED[:19]):
        assert channels_as_heard(channels, heard) is None
