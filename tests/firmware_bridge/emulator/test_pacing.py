"""How device time keeps up with the wall."""

from firmware_bridge.emulator.pacing import LARGEST_LAG_US, LINE_FULL, LONGEST_WAIT_US, LineGate, Pacer


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


def test_a_fast_device_waits_for_a_host_that_is_behind() -> None:
    """At most half a second, then it goes on and drops."""
    gate = LineGate(20)
    assert gate.open(LINE_FULL - 1, host_lost=False, wall_us=0)
    assert not gate.open(LINE_FULL, host_lost=False, wall_us=0)
    assert not gate.open(LINE_FULL, host_lost=False, wall_us=LONGEST_WAIT_US - 1)
    assert gate.open(LINE_FULL, host_lost=False, wall_us=LONGEST_WAIT_US)
    assert gate.open(0, host_lost=False, wall_us=LONGEST_WAIT_US)
    assert not gate.open(LINE_FULL, host_lost=False, wall_us=LONGEST_WAIT_US)


def test_nobody_waits_at_real_speed_or_without_a_host() -> None:
    """Metal does not wait."""
    assert LineGate(1).open(1000, host_lost=False, wall_us=0)
    assert LineGate(20).open(1000, host_lost=True, wall_us=0)
