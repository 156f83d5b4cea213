"""How device time keeps up with the wall."""

from firmware_bridge.emulator.pacing import (
    LARGEST_LAG_US,
    LINE_FULL,
    LONGEST_WAIT_US,
    PLAY_ON_US,
    LineGate,
    Pacer,
)


def test_samples_follow_the_wall_at_the_given_speed() -> None:
    """80 a second at speed 1, 1,600 at speed 20, none twice."""
    for speed, expected in ((1, 80), (20, 1600)):
        pacer, made = Pacer(speed, 12_500, 1_000), 0
        for wall_us in range(1_000, 1_001_001, 5_000):
            due = pacer.due(wall_us)
            pacer.made(due)
            made += due
        assert abs(made - expected) <= 1


def test_the_next_sample_is_one_period_away_after_each() -> None:
    """So the loop knows how long it may sleep."""
    pacer = Pacer(2, 12_500, 0)
    assert round(pacer.next_us(0)) == 6_250
    assert pacer.due(7_000) == 1
    pacer.made(1)
    assert round(pacer.next_us(7_000)) == 5_500


def test_a_long_stall_is_not_caught_up() -> None:
    """After ten seconds without a turn half a second is made up for; time was slower, nothing is skipped."""
    pacer = Pacer(20, 12_500, 0)
    due = pacer.due(10_000_000)
    assert due == LARGEST_LAG_US * 20 // 12_500
    pacer.made(due)
    assert pacer.due(10_000_000) == 0
    assert pacer.due(10_100_000) == 160


def gate_opens(gate: LineGate, queued: int, **changes: int) -> bool:
    """Ask the gate, by default with a living host on an open port at time 0."""
    state = {"wall_us": 0, "world_us": 0, "host_lost": 0, "port_open": 1} | changes
    return gate.may_sample(
        queued,
        host_lost=bool(state["host_lost"]),
        port_open=bool(state["port_open"]),
        wall_us=state["wall_us"],
        world_us=state["world_us"],
    )


def test_a_fast_device_waits_for_a_host_that_is_behind() -> None:
    """At most half a second, then it goes on and drops."""
    gate = LineGate(20)
    assert gate_opens(gate, LINE_FULL - 1)
    assert not gate_opens(gate, LINE_FULL)
    assert not gate_opens(gate, LINE_FULL, wall_us=LONGEST_WAIT_US - 1)
    assert gate_opens(gate, LINE_FULL, wall_us=LONGEST_WAIT_US)
    assert gate_opens(gate, 0, wall_us=LONGEST_WAIT_US)
    assert not gate_opens(gate, LINE_FULL, wall_us=LONGEST_WAIT_US)


def test_a_fast_device_does_not_play_on_behind_a_closed_port() -> None:
    """Two seconds go unwatched, as at real speed; then it stands until someone opens or the lamp is lit."""
    gate = LineGate(20)
    assert gate_opens(gate, 0, port_open=0, world_us=5)
    assert gate_opens(gate, 0, port_open=0, world_us=PLAY_ON_US)
    assert not gate_opens(gate, 0, port_open=0, world_us=PLAY_ON_US + 5)
    assert gate_opens(gate, 0, world_us=PLAY_ON_US + 5)
    assert gate_opens(gate, 0, port_open=0, world_us=PLAY_ON_US + 5)
    assert not gate_opens(gate, 0, port_open=0, world_us=2 * PLAY_ON_US + 5)
    assert gate_opens(gate, 0, port_open=0, host_lost=1, world_us=2 * PLAY_ON_US + 5)


def test_nobody_waits_at_real_speed() -> None:
    """Metal does not wait."""
    assert gate_opens(LineGate(1), 1000)
    assert gate_opens(LineGate(1), 0, port_open=0, world_us=10 * PLAY_ON_US)
