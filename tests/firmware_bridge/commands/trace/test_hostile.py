"""Whatever one value of a trace is replaced by, whoever reads it has a result or is told what is wrong."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.board.tracing.replay import Replay
from firmware_bridge.commands.trace.gathering import gather
from firmware_bridge.trace.blocks import END, HEADER, PREFACE, ROWS, VERSION, encode_block
from firmware_bridge.trace.columns import pack_samples, put_number
from firmware_bridge.trace.errors import TraceError
from firmware_bridge.trace.header import header_to_json
from firmware_bridge.trace.reader import Ending, Hole, TraceReader
from firmware_bridge.trace.rows import SAMPLES, TOLD
from rules.game import Phase
from sensors.samples import RawSample
from tests.firmware_bridge.board.played import traced_game
from tests.firmware_bridge.commands.trace.test_verbs import run
from tests.firmware_bridge.trace.small import small_trace

Part = dict[str, Any] | RawSample

COMMANDS: tuple[dict[str, Any], ...] = (
    {"do": "adjust", "at_us": 90_000_000, "delta_us": [1_000_000, 0], "reason": "2.4.8"},
    {"do": "late", "at_us": 90_000_000, "side": "bastaushy", "late_us": 1, "reason": "2.7.6"},
    {"do": "setclock", "at_us": 90_000_000, "dials_us": [None, 5], "control": "7m", "reason": "2.7.11"},
    {"do": "enter", "at_us": 90_000_000, "moves": ["9-8"]},
    {"do": "suspend", "at_us": 90_000_000, "reason": "arbiter"},
    {"do": "resume", "at_us": 90_000_000},
    {"do": "end", "at_us": 90_000_000, "score": "1-0", "reason": "agreement"},
    {"do": "release", "at_us": 90_000_000},
    {
        "do": "assign",
        "at_us": 90_000_000,
        "game_id": "g",
        "names": ["x", "y"],
        "starter_seat": "a",
        "control": "7m",
    },
)


@lru_cache(maxsize=1)
def parts() -> tuple[Part, ...]:
    """Return a short trace that begins within a game: its header, then rows of every kind, few samples."""
    with TemporaryDirectory() as name:
        path = Path(name) / "game.trace"
        path.write_bytes(traced_game())
        with TraceReader.open(path) as reader:
            rows = [row for row in reader.rows() if not isinstance(row, Hole | Ending)]
            replay = Replay(reader.header)
    begins = 0
    while replay.session.game.phase is not Phase.PLAYING:
        replay.take(rows[begins])
        begins += 1
    assert replay.arrived is not None
    header = header_to_json(replay.header_now({"of_wall_ms": 1, "of_begun_us": 2}))
    kept: list[Any] = [header, dict(replay.arrived)]
    for before, row in zip(rows[begins:], rows[begins + 1 :], strict=False):
        if isinstance(row, dict):
            kept += [*([before] if isinstance(before, RawSample) else []), row]
    kept += [{"row": "command", **told} for told in COMMANDS]
    kept += [{"row": "trouble", "detail": "x"}, {"row": "gone", "reason": "x"}]
    return tuple(kept)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every value in a JSON value; of a list to the first two."""
    inner = (
        value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    )
    for key, found in inner:
        yield (*path, key)
        yield from places(found, (*path, key))


ANYTHING = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.sampled_from([10**30, -(10**30), 10**400, 2**63, 2**64, -(2**63), 1e308, 5e-324]),
        st.floats(),
        st.text(max_size=5),
        st.sampled_from(["\ud800", "\n", "\0", "step", "arrived", "a", "none"]),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


def replaced(number: int, way: tuple[Any, ...], value: Any) -> list[Part]:
    """Return the trace with one value replaced."""
    found = list(parts())
    outer = found[number] = copy.deepcopy(found[number])
    for key in way[:-1]:
        outer = outer[key]  # type: ignore[index] # a way leads through objects and lists
    outer[way[-1]] = value  # type: ignore[index]
    return found


def as_bytes(trace: list[Part]) -> bytes:
    """Return the bytes of a trace whose checksums are right, whatever its values are."""
    payload = bytearray()
    for row in trace[1:]:
        told = isinstance(row, dict)
        body = json.dumps(row).encode() if isinstance(row, dict) else pack_samples([row])
        put_number(payload, TOLD if told else SAMPLES)
        put_number(payload, len(body))
        payload += body
    blocks = ((HEADER, json.dumps(trace[0]).encode()), (ROWS, bytes(payload)), (END, b'{"why":"asked"}'))
    return (
        PREFACE
        + bytes([VERSION])
        + b"".join(encode_block(kind, number, body) for number, (kind, body) in enumerate(blocks))
    )


def used(data: bytes) -> list[str]:
    """Let every verb read a trace; return what each complains of, with the file, empty where it does not."""
    with TemporaryDirectory() as name:
        path = Path(name) / "t"
        path.write_bytes(data)
        told = []
        for words in (("info", path), ("replay", path, "--verdicts"), ("cut", path, Path(name) / "piece")):
            result = run(*words)
            assert result.exception is None or isinstance(result.exception, SystemExit), words[0]
            told.append(result.stderr)
        left = ["piece", "t"] if result.exit_code == 0 else ["t"]
        assert sorted(each.name for each in Path(name).iterdir()) == left
        try:
            with TraceReader.open(path) as reader:
                gather(reader.header, reader.rows(), range(20), (0, 1 << 62))
            told.append("")
        except TraceError as error:
            told.append(str(error))
        return told


def test_the_trace_that_is_changed_is_a_good_one() -> None:
    """It plays on, and is cut; only what its few samples lead to is another matter."""
    told = used(as_bytes(list(parts())))
    assert [told[number] for number in (0, 2, 3)] == ["", "", ""]
    assert "lead to something else" in told[1]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 10_000), ANYTHING)
def test_any_value_replaced_by_anything_is_a_result_or_an_error(row: int, place: int, value: Any) -> None:
    """For `info`, `replay`, `cut` and what `plot` gathers; a cut that fails leaves nothing behind."""
    objects = [number for number, part in enumerate(parts()) if isinstance(part, dict)]
    number = objects[row % len(objects)] if row % 4 else 0
    ways = list(places(parts()[number]))
    used(as_bytes(replaced(number, ways[place % len(ways)], value)))


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(-(2**40), 2**40), max_size=25), st.integers(0, 2**64))
def test_any_sample_is_a_result_or_an_error(raw: list[int], time_us: int) -> None:
    """However many channels, whatever they say, whenever."""
    found = list(parts())
    number = next(number for number, part in enumerate(found) if isinstance(part, RawSample))
    status = found[number].status[0]  # type: ignore[union-attr]
    found[number] = RawSample(time_us, tuple(raw), (status,) * len(raw))
    used(as_bytes(found))


def place_of(row: str, key: str) -> tuple[int, tuple[Any, ...]]:
    """Return where the first row of a kind has a key."""
    return next(
        (number, (key,))
        for number, part in enumerate(parts())
        if isinstance(part, dict) and part.get("row") == row
    )


@pytest.mark.parametrize(
    ("row", "key", "value", "why"),
    [
        ("press", "at_us", "x", "a row `press` has no meaning: `at_us` cannot be 'x'"),
        ("press", "at_us", 2**63, "a row `press` has no meaning: `at_us` cannot be 9223372036854775808"),
        ("press", "number", "", "a row `press` has no meaning: `number` cannot be ''"),
        ("arrived", "at_us", "x", "a row `arrived` has no meaning: `at_us` cannot be 'x'"),
        ("arrived", "rate_hz", 1e308, "a row `arrived` has no meaning: `rate_hz` cannot be 1e+308"),
        ("arrived", "offset_us", 1.5, "a row `arrived` has no meaning: `offset_us` cannot be 1.5"),
    ],
)
def test_a_row_that_says_what_no_board_can_is_told_with_file_and_time(
    row: str, key: str, value: Any, why: str
) -> None:
    """Of any verb that takes the decisions again; `info` only counts, but for the arrivals that it reads."""
    counted, *others = used(as_bytes(replaced(*place_of(row, key), value)))
    assert (why in counted) is (row == "arrived")
    for told in others:
        assert f"/t: 0.000 s after its beginning: {why}" in told or f" s after its beginning: {why}" in told
        assert "/t: " in told


@pytest.mark.parametrize("value", [[None], "80", {}, None, True, -1, 655.36])
def test_a_rate_that_is_none_is_told_by_every_verb(value: Any) -> None:
    """`info` shows it, so it reads it as the others do; it was once formatted whatever it was."""
    why = f"a row `arrived` has no meaning: `rate_hz` cannot be {value!r}"
    for told in used(as_bytes(replaced(*place_of("arrived", "rate_hz"), value))):
        assert "/t: " in told
        assert why in told


@pytest.mark.parametrize(
    ("row", "key", "value", "why"),
    [
        ("press", "number", float("nan"), "NaN is no number"),
        ("press", "at_us", 10**30, "1000000000000000000000000000000 needs more than 64 bits"),
        ("arrived", "offset_us", float("inf"), "Infinity is no number"),
        ("press", "row", [], "an object that does not say what row it is"),
        ("step", "events", 0, "a row `step` whose events are no list of objects"),
        ("step", "events", [[1]], "a row `step` whose events are no list of objects"),
        ("step", "refusal", float("nan"), "NaN is no number"),
        ("watch", "sensed", "\ud800", "surrogates not allowed"),
    ],
)
def test_a_block_with_what_no_trace_holds_is_damaged(row: str, key: str, value: Any, why: str) -> None:
    """It cannot be written again, so nobody is to work with it."""
    data = as_bytes(replaced(*place_of(row, key), value))
    with TemporaryDirectory() as name:
        path = Path(name) / "t"
        path.write_bytes(data)
        assert why in run("info", path).stdout
    used(data)


@pytest.mark.parametrize(
    ("way", "value", "why"),
    [
        (("wiring", "kazan_b"), 200, "channel 200 is wired as `load`, and none is calibrated there"),
        (("wiring", "kazan_b"), True, "kazan_b: True is no number of a channel or button"),
        (("wiring", "side_a"), None, "side_a has neither cells nor count sensors"),
        (("begun_us",), -1, "-1 is no table time"),
        (("begun_us",), 10**400, "needs more than 64 bits"),
    ],
)
def test_a_header_that_no_board_can_have_is_an_error(way: tuple[str, ...], value: Any, why: str) -> None:
    """As `togyz board` refuses such a layout."""
    for told in used(as_bytes(replaced(0, way, value))):
        assert why in told
        assert "/t: the header" in told


def test_a_calibration_of_too_few_channels_is_an_error() -> None:
    """Wherever the stones would have been."""
    found = list(parts())
    header = found[0] = copy.deepcopy(found[0])
    assert isinstance(header, dict)
    del header["calibration"]["channels"][5:]
    for told in used(as_bytes(found)):
        assert "channel 5 is wired as `load`, and none is calibrated there" in told


def test_a_header_that_leads_to_no_table_names_file_and_program() -> None:
    """As that of the smallest trace, which only a reader is to understand."""
    with TemporaryDirectory() as name:
        path = Path(name) / "t"
        path.write_bytes(small_trace())
        told = run("replay", path)
    assert told.exit_code == 2
    assert "/t: no table can be set up from its header (" in told.stderr
    assert "togyz-bridge 0.1.0 wrote it" in told.stderr
    assert "Error(" not in told.stderr
