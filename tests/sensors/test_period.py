"""The period of the samples is measured, whatever was declared."""

from sensors.period import LONGEST_STEP_US, SamplePeriod


def test_the_first_step_is_taken_for_the_period_and_later_ones_move_it_slowly() -> None:
    """Nothing is known before; then a step counts a twentieth."""
    period = SamplePeriod()
    assert period.us == 0.0
    period.take(12_000)
    assert period.us == 12_000
    period.take(14_000)
    assert period.us == 12_100


def test_what_was_declared_is_left_step_by_step() -> None:
    """A declared period weighs like a measured one."""
    period = SamplePeriod(100_000, share=0.1)
    period.take(90_000)
    assert period.us == 99_000


def test_a_hole_and_time_that_stands_still_or_goes_back_are_no_step() -> None:
    """The longest step still counts."""
    period = SamplePeriod(12_500)
    for step_us in (LONGEST_STEP_US + 1, 0, -12_500):
        period.take(step_us)
    assert period.us == 12_500
    period.take(LONGEST_STEP_US)
    assert period.us > 12_500
