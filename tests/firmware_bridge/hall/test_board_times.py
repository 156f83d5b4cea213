"""How old a board's picture is, and where its clocks stand: silence, outages, what the broker had kept."""

import pytest

from firmware_bridge.hall.boards import BoardRegistry
from tests.firmware_bridge.hall.known_boards import WALL_MS, registry_of, take
from tests.firmware_bridge.hall.plays import (
    EVENT,
    avail,
    clock_part,
    diag,
    sowings,
    state,
)


def test_silence_makes_a_board_stale_and_any_live_message_ends_it() -> None:
    """Age decides, and only what the board itself has just said counts."""
    registry = registry_of(avail(online=True), state(3))
    assert not registry.presence("b01", 10.0).stale
    assert registry.presence("b01", 10.1).reason == "silent"
    take(registry, state(3), 11.0, retained=True)
    assert registry.presence("b01", 11.0).reason == "silent"
    take(registry, diag(), 12.0)
    assert registry.presence("b01", 12.0).reason == "fresh"


def test_without_a_broker_nothing_is_fresh() -> None:
    """The hall's own blindness is told apart from a board's silence."""
    registry = registry_of(avail(online=True), state(3))
    registry.link(up=False, now_s=1.0)
    assert registry.presence("b01", 1.0).reason == "hall"
    registry.link(up=True, now_s=2.0)
    assert registry.presence("b01", 2.0).reason == "fresh"


def test_an_unknown_board_is_unseen() -> None:
    """It has a snapshot too, an empty one."""
    snapshot = registry_of().snapshot("b77", 0.0)
    assert (snapshot["state"], snapshot["presence"]["reason"]) == (None, "unseen")


def test_the_running_clock_goes_on_and_the_other_stands() -> None:
    """A snapshot's clocks are those of the moment it is sent."""
    snapshot = registry_of(state(0)).snapshot("b01", 2.5)
    assert snapshot["state"]["clock"]["remaining_ms"] == [1_797_500, 900_000]


def test_a_clock_stands_while_a_moves_delay_lasts() -> None:
    """And the page hears what is left of it."""
    registry = registry_of(state(0, clock=clock_part(sowings()[0].before, rate=2.0, delay_ms=3_000)))
    clock = registry.snapshot("b01", 1.0)["state"]["clock"]
    assert (clock["remaining_ms"], clock["delay_ms"]) == ([1_800_000, 900_000], 1_000)
    clock = registry.snapshot("b01", 2.5)["state"]["clock"]
    assert (clock["remaining_ms"], "delay_ms" in clock) == ([1_798_000, 900_000], False)


def test_scaled_time_runs_at_its_rate_and_never_below_zero() -> None:
    """An emulated board may run twenty times as fast."""
    registry = registry_of(state(0, clock=clock_part(sowings()[0].before, rate=20.0)))
    assert registry.snapshot("b01", 2.5)["state"]["clock"]["remaining_ms"] == [1_750_000, 900_000]
    assert registry.snapshot("b01", 1e6)["state"]["clock"]["remaining_ms"] == [0, 900_000]


def test_what_the_broker_had_kept_is_as_old_as_its_label_says() -> None:
    """A hall that starts in the middle of a game shows the right time."""
    registry = registry_of(state(0, ts=WALL_MS - 60_000), retained=True)
    assert registry.snapshot("b01", 0.0)["state"]["clock"]["remaining_ms"][0] == 1_740_000


@pytest.mark.parametrize("ts", [WALL_MS + 5000, 0])
def test_a_label_from_the_future_or_from_1970_is_no_age(ts: int) -> None:
    """A wall clock that is wrong must not eat a player's time."""
    registry = registry_of(state(0, ts=ts), retained=True)
    registry.take(state(1, ts=ts + 1), retained=True, now_s=0.0, wall_ms=1_795_000_000_000)
    assert registry.snapshot("b01", 0.0)["state"]["clock"]["remaining_ms"] == [1_800_000, 900_000]


def test_a_state_held_up_by_an_outage_is_dated_back_whatever_the_board_calls_the_time() -> None:
    """The board's wall clock is wrong; its usual delay is known from messages before."""
    wrong = 900_000
    registry = BoardRegistry(EVENT, stale_after_s=10.0)
    take(registry, state(0, ts=WALL_MS - wrong), wall_ms=WALL_MS)
    take(registry, state(0, ts=WALL_MS - wrong + 1000, seq=11), 4.0, wall_ms=WALL_MS + 4000)
    assert registry.snapshot("b01", 4.0)["state"]["clock"]["remaining_ms"][0] == 1_797_000


def test_the_age_of_what_the_broker_had_kept_is_corrected_by_the_first_live_message() -> None:
    """The board's wall clock is a quarter of an hour behind; the state was a minute old."""
    wrong = 900_000
    registry = registry_of(state(0, ts=WALL_MS - wrong - 60_000), retained=True)
    assert registry.snapshot("b01", 0.0)["state"]["clock"]["remaining_ms"][0] == 840_000
    assert take(registry, diag(ts=WALL_MS - wrong + 5000), 5.0, wall_ms=WALL_MS + 5000) == "b01"
    assert registry.snapshot("b01", 5.0)["state"]["clock"]["remaining_ms"][0] == 1_735_000


def test_a_repeated_state_does_not_set_the_clock_back() -> None:
    """After a broker's restart the same state comes again."""
    registry = registry_of(state(0))
    take(registry, state(0), 5.0)
    assert registry.snapshot("b01", 5.0)["state"]["clock"]["remaining_ms"][0] == 1_795_000
