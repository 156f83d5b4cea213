"""Time controls as short texts, both ways: `90m/30+30m`, `20m+10s`, `7m`, `none`.

The grammar, as it stands in records, configuration and messages:

    control = "none" | ["observed:"] (preset | periods ["<" time])
    periods = quota *("+" quota) "+" period | period
    quota   = period "/" moves                  the moves that have to be made in it
    period  = time ["+" time] ["~" time]        increment of each press, then delay of each move
    time    = (number ("h" | "m" | "s" | "ms"))+        units from large to small, as in 1h30m

`<` is the longest time for a single move. A quota ends its period, so the `+` behind one begins the next
and every other `+` is an increment. Blanks and capitals do not matter. What is written uses one unit for a
time, the largest that fits exactly, and leaves out what is zero.
"""

from __future__ import annotations

import re

from rules.errors import ClockError, TimeControlError
from rules.time_control import MAX_BASE_MS, NO_CLOCK, PRESETS, ClockMode, Period, TimeControl

_UNITS = (("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1))
_TIME = re.compile("".join(rf"(?:([0-9]{{1,9}}){unit}(?![a-z]))?" for unit, _ in _UNITS), re.ASCII)
_MOVES = re.compile(r"[0-9]{1,4}", re.ASCII)
_OBSERVED = "observed:"
_MAX_TEXT = 400
"""Longest text of a control: eight periods with all their parts to the millisecond need about 300."""


def format_time(time_ms: int) -> str:
    """Return a time as one number and its largest exact unit: `90m`, `2h`, `1500ms`; `0s` for none."""
    for unit, size_ms in _UNITS:
        if time_ms and time_ms % size_ms == 0:
            return f"{time_ms // size_ms}{unit}"
    return "0s"


def parse_time(text: str) -> int:
    """Return the milliseconds of a time such as `90m`, `1h30m` or `45s`.

    Raises:
        TimeControlError: It is no time, or longer than MAX_BASE_MS.
    """
    reader = _Reader(text, "time")
    time_ms = reader.time("a time")
    reader.end("its end")
    return time_ms


def format_control(control: TimeControl) -> str:
    """Return the text of a control; `parse_control` reads exactly the same control from it."""
    if control.mode is ClockMode.NONE:
        return "none"
    text = "+".join(_format_period(period) for period in control.periods)
    if control.move_limit_ms is not None:
        text += f"<{format_time(control.move_limit_ms)}"
    return f"{_OBSERVED}{text}" if control.mode is ClockMode.OBSERVED else text


def _format_period(period: Period) -> str:
    text = format_time(period.time_ms)
    if period.increment_ms:
        text += f"+{format_time(period.increment_ms)}"
    if period.delay_ms:
        text += f"~{format_time(period.delay_ms)}"
    return text if period.moves is None else f"{text}/{period.moves}"


def parse_control(text: str) -> TimeControl:
    """Return the control a text means: a preset's name or the grammar above.

    Raises:
        TimeControlError: It means none; says at which character, and what was expected there.
    """
    reader = _Reader(text, "time control")
    observed = reader.take(_OBSERVED)
    if not observed and reader.rest() == "none":
        return NO_CLOCK
    found = PRESETS.get(reader.rest())
    try:
        control = _periods(reader) if found is None else found
        return control.observed() if observed else control
    except ClockError as error:
        raise TimeControlError("time control", text, 1, f"other values: {error}") from error


def _periods(reader: _Reader) -> TimeControl:
    periods = [_period(reader)]
    while periods[-1].moves is not None:
        if not reader.take("+"):
            raise reader.wrong("`+` and the period after that quota")
        periods.append(_period(reader))
    limit_ms = reader.time("the limit for a move") if reader.take("<") else None
    reader.end("`+`, `~`, `/`, `<` or its end")
    return TimeControl(tuple(periods), move_limit_ms=limit_ms)


def _period(reader: _Reader) -> Period:
    time_ms = reader.time("`none`, a time such as 90m or 1h30m, or one of " + ", ".join(PRESETS))
    increment_ms = reader.time("the increment, such as 10s") if reader.take("+") else 0
    delay_ms = reader.time("the delay, such as 5s") if reader.take("~") else 0
    moves = reader.number("a number of moves") if reader.take("/") else None
    return Period(time_ms, moves, increment_ms, delay_ms)


def _small(character: str) -> str:
    """Return the small letter, one for one: a capital of two small characters stays."""
    small = character.lower()
    return small if len(small) == 1 else character


class _Reader:
    """Reads a text from left to right, without blanks and capitals, knowing where each character stood."""

    def __init__(self, text: str, what: str) -> None:
        self._what = what
        self._text = text
        kept = [(character, place) for place, character in enumerate(text, 1) if not character.isspace()]
        self._letters = "".join(_small(character) for character, _ in kept)
        self._places = [*(place for _, place in kept), len(text) + 1]
        self._next = 0
        if len(text) > _MAX_TEXT:
            raise TimeControlError(what, text, _MAX_TEXT + 1, f"at most {_MAX_TEXT} characters")

    def wrong(self, expected: str) -> TimeControlError:
        return TimeControlError(self._what, self._text, self._places[self._next], expected)

    def rest(self) -> str:
        return self._letters[self._next :]

    def take(self, word: str) -> bool:
        found = self._letters.startswith(word, self._next)
        self._next += len(word) if found else 0
        return found

    def time(self, expected: str) -> int:
        match = _TIME.match(self._letters, self._next)
        if match is None or not match.group():
            raise self.wrong(expected)
        sizes = (size_ms for _, size_ms in _UNITS)
        time_ms = sum(
            int(number or 0) * size_ms for number, size_ms in zip(match.groups(), sizes, strict=True)
        )
        if time_ms > MAX_BASE_MS:
            raise self.wrong(f"at most {format_time(MAX_BASE_MS)}")
        self._next = match.end()
        return time_ms

    def number(self, expected: str) -> int:
        match = _MOVES.match(self._letters, self._next)
        if match is None:
            raise self.wrong(expected)
        self._next = match.end()
        return int(match.group())

    def end(self, expected: str) -> None:
        if self.rest():
            raise self.wrong(expected)
