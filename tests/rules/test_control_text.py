"""Controls as short texts."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules import NO_CLOCK, PRESETS, Period, TimeControl, TimeControlError, format_control, parse_control
from rules.control_text import format_time, parse_time
from tests.rules.occurrences import LONG_CONTROL, controls

M = 60_000


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("7m", TimeControl.simple(7 * M)),
        ("20m+10s", TimeControl.simple(20 * M, 10_000)),
        ("2h", PRESETS["classical-2h"]),
        ("90m/30+30m", PRESETS["classical-90m-30m"]),
        ("1h/20+30m", PRESETS["classical-60m-30m"]),
        ("90m+10s/30+30m+20s", TimeControl((Period(90 * M, 30, 10_000), Period(30 * M, None, 20_000)))),
        ("20m~5s", TimeControl((Period(20 * M, delay_ms=5_000),))),
        ("1h<2m", TimeControl((Period(60 * M),), move_limit_ms=2 * M)),
        ("observed:2h", PRESETS["classical-2h"].observed()),
        ("observed:90s+500ms~250ms/2+30s<20s", LONG_CONTROL),
        ("none", NO_CLOCK),
    ],
)
def test_a_control_is_written_shortly_and_read_again(text: str, control: TimeControl) -> None:
    """Each time in its largest exact unit, nothing that is zero."""
    assert format_control(control) == text or text == "observed:90s+500ms~250ms/2+30s<20s"
    assert parse_control(text) == control
    assert parse_control(format_control(control)) == control


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (" 1H30M / 30 + 30 m ", "90m/30+30m"),
        ("120m", "2h"),
        ("1m30s+0s~0s", "90s"),
        ("1h1m1s1ms", "3661001ms"),
        ("classical-60m-30m", "1h/20+30m"),
        ("Observed: Blitz", "observed:7m"),
        ("7M\n", "7m"),
        ("NONE", "none"),
    ],
)
def test_what_a_person_writes_is_understood(text: str, canonical: str) -> None:
    """Blanks, capitals, several units and the names of presets."""
    assert format_control(parse_control(text)) == canonical


def test_a_text_may_be_long_but_not_longer() -> None:
    """400 characters are read; 401 are a flood."""
    assert parse_control("7m" + " " * 398) == PRESETS["blitz"]


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_read_by_its_name(name: str) -> None:
    """And is its control."""
    assert parse_control(name) == PRESETS[name]


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 1, "`none`, a time such as 90m or 1h30m, or one of classical-2h, "),
        ("sixty", 1, "`none`, a time"),
        ("60", 1, "`none`, a time"),
        ("60min", 1, "`none`, a time"),
        ("7m 5", 4, "`+`, `~`, `/`, `<` or its end"),
        ("5m1h", 3, "`+`, `~`, `/`, `<` or its end"),
        ("20m+", 5, "the increment, such as 10s"),
        ("20m + x", 7, "the increment, such as 10s"),
        ("20m~", 5, "the delay, such as 5s"),
        ("90m/", 5, "a number of moves"),
        ("90m/30", 7, "`+` and the period after that quota"),
        ("90m/30+", 8, "`none`, a time"),
        ("90m/30+30m+10s+5s", 15, "`+`, `~`, `/`, `<` or its end"),
        ("7m<", 4, "the limit for a move"),
        ("7m<10s+1s", 7, "`+`, `~`, `/`, `<` or its end"),
        ("25h", 1, "at most 24h"),
        ("observed:none", 10, "`none`, a time"),
        ("observed:", 10, "`none`, a time"),
        ("90m/0+1m", 1, "other values: moves 0 is not 1 to 500"),
        ("1m+2h", 1, "other values: increment_ms 7200000 is not 0 to 3600000 ms"),
        ("0s", 1, "other values: time_ms 0 is not 1 to 86400000 ms"),
        ("1m/1+" * 8 + "1m", 1, "other values: 9 periods are not 1 to 8"),
        ("7m" + " " * 399, 401, "at most 400 characters"),
        ("\u0130m", 1, "`none`, a time"),
    ],
)
def test_a_text_that_means_none_is_refused_at_the_character(text: str, column: int, expected: str) -> None:
    """With what was expected there."""
    with pytest.raises(TimeControlError) as caught:
        parse_control(text)
    error = caught.value
    assert (error.text, error.column, error.what) == (text, column, "time control")
    assert error.expected.startswith(expected)
    assert f" is no time control: at character {column} expected " in str(error)


@pytest.mark.parametrize(
    ("text", "time_ms"),
    [("12m30s", 750_000), ("0s", 0), ("9M", 540_000), ("1500ms", 1500), ("24h", 86_400_000)],
)
def test_a_time_is_read(text: str, time_ms: int) -> None:
    """As an arbiter reads it off a dial."""
    assert parse_time(text) == time_ms


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("12:30", "'12:30' is no time: at character 1 expected a time"),
        ("9m!", "'9m!' is no time: at character 3 expected its end"),
        ("25h", "'25h' is no time: at character 1 expected at most 24h"),
    ],
)
def test_what_is_no_time_is_refused(text: str, message: str) -> None:
    """With the character."""
    with pytest.raises(TimeControlError) as caught:
        parse_time(text)
    assert str(caught.value) == message


@given(st.integers(0, 86_400_000))
def test_reading_a_time_is_the_inverse_of_writing(time_ms: int) -> None:
    """For every millisecond of a day."""
    assert parse_time(format_time(time_ms)) == time_ms


@given(controls())
@example(LONG_CONTROL)
def test_reading_a_control_is_the_inverse_of_writing(control: TimeControl) -> None:
    """For every control; what is written is canonical and short."""
    text = format_control(control)
    assert parse_control(text) == control
    assert format_control(parse_control(text)) == text
    assert len(text) <= 400


@given(st.text(max_size=30) | st.text("0123456789hms+~/<: observedn", max_size=40))
def test_no_text_makes_anything_but_the_named_error(text: str) -> None:
    """However hostile."""
    try:
        control = parse_control(text)
    except TimeControlError as error:
        column, message = error.column, str(error)
    else:
        column, message = 1, ""
        assert parse_control(format_control(control)) == control
    assert 1 <= column <= len(text) + 1
    assert len(message) < 400
