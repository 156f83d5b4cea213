"""Periods, modes and presets."""

import pytest

from rules import NO_CLOCK, PRESETS, ClockError, ClockMode, Period, TimeControl, is_blitz
from rules.control_text import parse_control

MINUTE_MS = 60_000
OWN, OBSERVED, NONE = ClockMode


class TestRanges:
    """What is no control."""

    @pytest.mark.parametrize(
        ("values", "message"),
        [
            ((0,), "time_ms 0 is not 1 to 86400000 ms"),
            ((-1,), "time_ms -1 is not"),
            ((86_400_001,), "time_ms 86400001 is not"),
            ((1, 0), "moves 0 is not 1 to 500"),
            ((1, 501), "moves 501 is not 1 to 500"),
            ((1, None, -1), "increment_ms -1 is not 0 to 3600000 ms"),
            ((1, None, 3_600_001), "increment_ms 3600001 is not"),
            ((1, None, 0, -1), "delay_ms -1 is not 0 to 3600000 ms"),
            ((1, None, 0, 3_600_001), "delay_ms 3600001 is not"),
        ],
    )
    def test_values_of_a_period_out_of_range_are_refused_by_name(
        self, values: tuple[int, ...], message: str
    ) -> None:
        """The message holds the value and the range."""
        with pytest.raises(ClockError, match=f"^{message}"):
            Period(*values)

    def test_what_is_not_said_is_nothing(self) -> None:
        """No quota, no increment, no delay, no limit."""
        assert Period(1) == Period(1, None, 0, 0)
        assert TimeControl.simple(1) == TimeControl((Period(1, None, 0, 0),), OWN, None)

    def test_the_limits_themselves_are_allowed(self) -> None:
        """One millisecond to a day, up to an hour for a move, and 500 moves."""
        assert Period(1, 1, 0, 0).moves == 1
        assert Period(86_400_000, 500, 3_600_000, 3_600_000).delay_ms == 3_600_000
        assert TimeControl((Period(86_400_000),), move_limit_ms=86_400_000).base_ms == 86_400_000
        assert TimeControl((*[Period(1, 1)] * 7, Period(1)), move_limit_ms=1).move_limit_ms == 1

    @pytest.mark.parametrize(
        ("periods", "mode", "limit_ms", "message"),
        [
            ((), OWN, None, "0 periods are not 1 to 8"),
            ((*[Period(1, 1)] * 8, Period(1)), OBSERVED, None, "9 periods are not 1 to 8"),
            ((Period(1, 1), Period(1), Period(1)), OWN, None, "period 2 has no quota of moves"),
            ((Period(1, 30),), OWN, None, "the last period has a quota of moves"),
            ((Period(86_400_000, 1), Period(1)), OWN, None, "the time of all periods 86400001 is not 1 to"),
            ((Period(1),), OWN, 0, "move_limit_ms 0 is not 1 to 86400000 ms"),
            ((Period(1),), OWN, 86_400_001, "move_limit_ms 86400001 is not"),
            ((Period(1),), NONE, None, "a game without a clock has neither periods"),
            ((), NONE, 5, "a game without a clock has neither periods nor a limit"),
        ],
    )
    def test_periods_that_do_not_follow_are_refused(
        self, periods: tuple[Period, ...], mode: ClockMode, limit_ms: int | None, message: str
    ) -> None:
        """Each but the last has a quota, and no clock has nothing at all."""
        with pytest.raises(ClockError, match=f"^{message}"):
            TimeControl(periods, mode, limit_ms)


class TestPresets:
    """The controls of the regulations."""

    @pytest.mark.parametrize(
        ("name", "periods", "article"),
        [
            ("classical-2h", ((120, None),), "2.7.4 a: two hours each"),
            ("classical-90m-30m", ((90, 30), (30, None)), "2.7.4 b: 30 moves in 1 h 30 min, then 30 min"),
            ("classical-60m-30m", ((60, 20), (30, None)), "2.7.4 c: 20 moves in 1 h, then 30 min"),
            ("classical-90m", ((90, None),), "2.7.4 d: 1 h 30 min each"),
            ("classical-60m", ((60, None),), "2.7.4 e: one hour each"),
            ("rapid", ((20, None),), "2.9.3: rapid, twenty minutes each"),
            ("blitz", ((7, None),), "2.9.3: blitz, seven minutes each"),
        ],
    )
    def test_a_preset_is_what_its_article_says(
        self, name: str, periods: tuple[tuple[int, int | None], ...], article: str
    ) -> None:
        """Without increment or delay, which the regulations do not know (requirement 22)."""
        expected = tuple(Period(minutes * MINUTE_MS, moves) for minutes, moves in periods)
        assert PRESETS[name] == TimeControl(expected), article

    def test_there_are_no_others(self) -> None:
        """2.7.4 f, another measure, is whatever an event writes."""
        assert len(PRESETS) == 7


class TestSimple:
    """What the first journals knew."""

    def test_a_simple_control_is_one_period_on_our_clock(self) -> None:
        """And says its two numbers."""
        control = TimeControl.simple(60_000, 2_000)
        assert control == TimeControl((Period(60_000, None, 2_000),))
        assert (control.base_ms, control.increment_ms, control.is_simple) == (60_000, 2_000, True)

    @pytest.mark.parametrize(
        "control",
        [
            NO_CLOCK,
            TimeControl.simple(1).observed(),
            TimeControl((Period(1, delay_ms=1),)),
            TimeControl((Period(1),), move_limit_ms=1),
            PRESETS["classical-60m-30m"],
        ],
    )
    def test_anything_more_is_not_simple(self, control: TimeControl) -> None:
        """It needs the longer form."""
        assert not control.is_simple

    def test_no_clock_has_no_time(self) -> None:
        """And cannot be observed."""
        assert (NO_CLOCK.base_ms, NO_CLOCK.increment_ms) == (0, 0)
        with pytest.raises(ClockError, match="no clock cannot be observed"):
            NO_CLOCK.observed()


class TestBlitz:
    """Which controls are blitz (2.9.3)."""

    def test_of_the_presets_only_blitz_is(self) -> None:
        """Rapid has twenty minutes, everything else more."""
        assert [name for name, control in PRESETS.items() if is_blitz(control)] == ["blitz"]

    @pytest.mark.parametrize(
        ("written", "blitz"),
        [
            ("5m", True),
            ("11m49s", True),
            ("11m50s", False),
            ("12m", False),
            # Thirty-five moves of five seconds are not quite three minutes.
            ("7m+5s", True),
            ("10m+5s", False),
            # An increment may make a game of no time at all.
            ("1m+30s", False),
        ],
    )
    def test_it_is_nearer_to_seven_minutes_than_to_twenty(self, written: str, *, blitz: bool) -> None:
        """By ratio, with what the increments bring."""
        assert is_blitz(parse_control(written)) is blitz

    def test_a_delay_is_time_too(self) -> None:
        """It is not on the dial, but a player has it."""
        assert is_blitz(TimeControl((Period(7 * MINUTE_MS, delay_ms=5_000),)))
        assert not is_blitz(TimeControl((Period(7 * MINUTE_MS, delay_ms=10_000),)))

    def test_only_periods_that_are_reached_count(self) -> None:
        """Thirty-five moves are made in the first one here, or ten of them."""
        long = Period(20 * MINUTE_MS)
        assert is_blitz(TimeControl((Period(7 * MINUTE_MS, 35), long)))
        assert not is_blitz(TimeControl((Period(7 * MINUTE_MS, 34), long)))
        second = Period(MINUTE_MS, increment_ms=20_000)
        assert is_blitz(TimeControl((Period(2 * MINUTE_MS, 10, 1_000), second)))
        assert not is_blitz(TimeControl((Period(2 * MINUTE_MS, 3, 1_000), second)))

    def test_a_game_may_reach_the_last_period_or_end_before_it(self) -> None:
        """Two minutes, then ninety for whoever plays more than the usual thirty-five moves."""
        last = Period(90 * MINUTE_MS)
        assert is_blitz(TimeControl((Period(2 * MINUTE_MS, 35), last)))
        assert not is_blitz(TimeControl((Period(2 * MINUTE_MS, 20), last)))

    def test_a_limit_for_each_move_makes_blitz_of_any_time(self) -> None:
        """Nobody can think longer."""
        assert is_blitz(TimeControl((Period(60 * MINUTE_MS),), move_limit_ms=20_000))
        assert not is_blitz(TimeControl((Period(60 * MINUTE_MS),), move_limit_ms=60_000))

    def test_whose_clock_it_is_changes_nothing(self) -> None:
        """And without a clock there is no hurry."""
        assert is_blitz(PRESETS["blitz"].observed())
        assert not is_blitz(NO_CLOCK)
