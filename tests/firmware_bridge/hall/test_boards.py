"""The registry: newest wins, broken changes nothing, freshness is told."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.hall.boards import MAX_BOARDS, BoardRegistry
from firmware_bridge.wire.payloads import (
    MetaPayload,
    WatchPart,
    encode,
)
from firmware_bridge.wire.records import RecordPayload
from firmware_bridge.wire.topics import build
from rules import Phase
from tests.firmware_bridge.hall.known_boards import WALL_MS, registry_of, take, version_of
from tests.firmware_bridge.hall.plays import (
    EVENT,
    avail,
    clock_part,
    diag,
    message,
    position_part,
    result,
    sowings,
    state,
)
from tests.firmware_bridge.hall.test_records import told


def test_a_snapshot_holds_the_latest_state_in_json_values() -> None:
    """What a page gets can be written as JSON and says where the game stands."""
    snapshot = json.loads(json.dumps(registry_of(avail(online=True), state(7)).snapshot("b01", 1.0)))
    assert snapshot["state"]["position"]["pits"] == list(sowings()[6].after.pits)
    assert snapshot["state"]["ply"] == 7
    assert snapshot["presence"] == {"online": True, "stale": False, "reason": "fresh", "age_ms": 1000}


def test_an_older_state_changes_nothing() -> None:
    """An event that arrives late cannot turn the board back."""
    registry = registry_of(state(7))
    assert take(registry, state(6)) is None
    assert take(registry, state(7)) is None
    assert registry.snapshot("b01", 0.0)["state"]["ply"] == 7


def test_the_same_state_told_again_is_no_change() -> None:
    """A board repeats itself every two seconds; a clock that has run on is no news, and it is right."""
    registry = registry_of(state(0))
    version = version_of(registry)
    for second in range(2, 60, 2):
        left = clock_part(sowings()[0].before, remaining_ms=(1_800_000 - 1000 * second, 900_000))
        again = state(0, n=second, ts=1_000_000 + 1000 * second, clock=left)
        assert take(registry, again, float(second), wall_ms=WALL_MS + 1000 * second) is None
    assert version_of(registry) == version
    assert registry.presence("b01", 58.0).age_ms == 0
    shown = registry.snapshot("b01", 58.0)["state"]
    assert shown["clock"]["remaining_ms"] == [1_742_000, 900_000]
    assert (shown["n"], shown["ts"]) == (58, 1_058_000)


@pytest.mark.parametrize(
    "change",
    [
        {"seq": 11},
        {"phase": "suspended"},
        {"pause": "presses_lost"},
        {"watch": WatchPart(sensed="moving")},
        {"ready": (True, False)},
        {"clock": None},
        {"clock": clock_part(sowings()[0].before, running=False, remaining_ms=(1_798_000, 900_000))},
        {"clock": clock_part(sowings()[0].before, remaining_ms=(1_798_000, 900_000), rate=2.0)},
        {"clock": clock_part(sowings()[0].before, remaining_ms=(1_798_000, 900_000), flagged=(True, False))},
        {"clock": clock_part(sowings()[0].before, remaining_ms=(1_797_500, 900_000))},
        {"clock": clock_part(sowings()[0].before, remaining_ms=(1_798_000, 900_500))},
    ],
    ids="-".join,
)
def test_whatever_else_has_changed_is_a_change(change: dict[str, Any]) -> None:
    """A row in the journal, a phase, the hands, the other clock, a clock that jumped."""
    registry = registry_of(state(0))
    due = clock_part(sowings()[0].before, remaining_ms=(1_798_000, 900_000))
    facts = {"n": 1, "ts": 1_002_000, "clock": due}
    assert take(registry, state(0, **{**facts, **change}), 2.0, wall_ms=WALL_MS + 2000) == "b01"


def test_a_clock_that_stands_may_not_move_at_all() -> None:
    """An arbiter's second is news even if no row came with it."""
    still = clock_part(sowings()[0].before, running=False)
    registry = registry_of(state(0, clock=still))
    assert take(registry, state(0, n=1, clock=still), 9.0) is None
    moved = clock_part(sowings()[0].before, running=False, remaining_ms=(1_800_001, 900_000))
    assert take(registry, state(0, n=2, clock=moved), 9.5) == "b01"


def test_a_board_heard_again_after_silence_is_a_change() -> None:
    """Viewers were warned, and must not wait for the next beat to hear that all is well."""
    registry = registry_of(state(0, clock=None))
    assert take(registry, state(0, n=1, clock=None), 9.0) is None
    assert take(registry, diag(), 19.1) == "b01"
    assert take(registry, diag(), 19.2) is None


def test_a_newer_start_of_the_board_beats_a_higher_number() -> None:
    """The order is boot first, then seq."""
    registry = registry_of(state(7, boot=1, seq=900))
    assert take(registry, state(8, boot=2, seq=1)) == "b01"
    assert take(registry, state(9, boot=1, seq=901, ts=900_000)) is None
    assert registry.snapshot("b01", 0.0)["state"]["ply"] == 8


def test_what_the_sensors_see_may_change_within_one_number() -> None:
    """Of two states with the same seq the one told later is newer, whatever the wall clock says."""
    moving = WatchPart(sensed="moving")
    assert take(registry_of(state(7, n=5, ts=9)), state(7, n=6, ts=2, watch=moving)) == "b01"
    assert take(registry_of(state(7, n=6, ts=2)), state(7, n=5, ts=9, watch=moving)) is None
    assert take(registry_of(state(7, n=900)), state(7, seq=18, n=3)) == "b01"


@given(st.permutations(range(8)), st.integers(1, 3))
def test_the_order_of_arrival_does_not_matter(order: list[int], boot: int) -> None:
    """Whatever way eight states are shuffled, the last one is on show."""
    registry = registry_of(*[state(ply, boot=boot) for ply in order])
    assert registry.snapshot("b01", 0.0)["state"]["ply"] == 7


def test_an_offline_of_an_earlier_start_is_ignored() -> None:
    """A broker sends the old will when a restarted board takes over."""
    registry = registry_of(avail(online=True, boot=1), state(3), avail(online=True, boot=2))
    assert take(registry, avail(online=False, boot=1)) is None
    assert registry.presence("b01", 0.0).reason == "fresh"


def test_the_will_of_this_start_takes_the_board_offline() -> None:
    """It is told at once, not after the time of silence."""
    registry = registry_of(avail(online=True), state(3))
    assert take(registry, avail(online=False)) == "b01"
    seen = registry.presence("b01", 2.0)
    assert (seen.online, seen.stale, seen.reason, seen.age_ms) == (False, True, "offline", 2000)


def test_a_board_that_speaks_after_its_will_is_back() -> None:
    """A lost "online" must not leave a living board offline for ever."""
    registry = registry_of(avail(online=True), state(3), avail(online=False))
    version = registry.snapshot("b01", 0.0)["version"]
    take(registry, diag())
    assert registry.presence("b01", 0.0).reason == "fresh"
    assert registry.snapshot("b01", 0.0)["version"] > version


def test_a_board_that_lost_its_memory_may_begin_again() -> None:
    """A new SD card starts counting at one; its live "online" with a later ts is believed."""
    registry = registry_of(avail(online=True, boot=40), state(9, boot=40, ts=2000))
    assert take(registry, avail(online=True, boot=1, ts=1999)) is None
    assert take(registry, avail(online=True, boot=1, ts=3_000_000), retained=True) is None
    assert take(registry, avail(online=True, boot=1, ts=3_000_000)) == "b01"
    assert take(registry, state(1, boot=1, ts=3_000_001)) == "b01"
    assert registry.snapshot("b01", 0.0)["state"]["ply"] == 1


def test_a_board_that_began_again_while_the_hall_was_away_is_shown() -> None:
    """Its "online" is among what the broker had kept, which proves nothing; its next state does."""
    registry = registry_of(avail(online=True, boot=40), state(9, boot=40, ts=2_000_000))
    assert take(registry, avail(online=True, boot=1, ts=3_000_000), 60.0, retained=True) is None
    assert take(registry, state(1, boot=1, ts=3_000_001), 60.0, retained=True) is None
    assert take(registry, state(1, boot=1, ts=1_999_999, n=1), 61.0) is None
    assert take(registry, state(1, boot=1, ts=3_000_003, n=2), 62.0) == "b01"
    assert registry.snapshot("b01", 62.0)["state"]["ply"] == 1
    assert registry.presence("b01", 62.0).reason == "fresh"


def test_the_result_counts_the_stones_swept_at_atsyrau() -> None:
    """The position is not swept; the final totals are."""
    part = position_part(sowings()[0].before).model_copy(
        update={"pits": (0,) * 9 + (3, 0, 0, 0, 0, 0, 0, 0, 20), "kazans": (70, 69)}
    )
    registry = registry_of(state(0, position=part, result=result("0-1", "atsyrau")))
    assert registry.snapshot("b01", 0.0)["state"]["result"]["kazans"] == [70, 92]


def test_the_summary_names_each_board_once_in_order() -> None:
    """The list of boards is by id, however they came."""
    registry = registry_of(state(2, board="b9"), state(3, board="b10"), avail(online=True, board="a"))
    lines = [(line["board"], line["ply"]) for line in registry.summary(0.0)]
    assert lines == [("a", None), ("b10", 3), ("b9", 2)]


def test_a_diagnosis_makes_no_board_known() -> None:
    """The doctor tries with one whether the broker takes a board's words."""
    registry = registry_of(diag(board="b7"))
    assert registry.boards == ()
    assert registry.problems == 0


def test_a_description_is_kept() -> None:
    """Software and device are part of the snapshot."""
    meta = MetaPayload(
        event=EVENT, board="b01", game=None, boot=1, seq=0, ply=0, ts=1, software="togyz 0.1", protocol="1.0",
        language="kk", device=None,
    )  # fmt: skip
    registry = registry_of(state(1))
    assert take(registry, meta) == "b01"
    assert registry.snapshot("b01", 0.0)["meta"]["software"] == "togyz 0.1"


def test_clearing_the_availability_takes_a_board_away() -> None:
    """At the end of an event the retained topics are cleared."""
    registry = registry_of(avail(online=True), state(1))
    for leaf, left in (("state", ("b01",)), ("meta", ("b01",)), ("ev", ("b01",)), ("avail", ())):
        topic = build(EVENT, "b01", leaf)  # type: ignore[arg-type] # all four are leaves
        registry.receive(topic, b"", retained=False, now_s=0.0, wall_ms=WALL_MS)
        assert registry.boards == left
    assert registry.problems == 0


def test_a_record_that_has_become_whole_is_a_change() -> None:
    """The snapshot says what can be fetched."""
    registry = registry_of(state(1))
    parts = told()
    for part in parts[:-1]:
        assert _receive(registry, part) is None
    assert registry.snapshot("b01", 0.0)["record"] is None
    version = version_of(registry)
    assert _receive(registry, parts[-1]) == "b01"
    assert registry.snapshot("b01", 0.0)["record"]["key"] == "g1"
    assert version_of(registry) == version + 1
    assert _receive(registry, parts[-1]) is None


def _receive(registry: BoardRegistry, part: RecordPayload) -> str | None:
    return registry.receive(part.topic, encode(part), retained=True, now_s=0.0, wall_ms=WALL_MS)


def test_a_record_may_come_before_anything_else_of_its_board() -> None:
    """The broker tells retained messages in any order; a record alone makes no board."""
    registry = registry_of()
    assert [_receive(registry, part) for part in told()][-1] == "b01"
    assert registry.boards == ()
    take(registry, state(1))
    assert registry.snapshot("b01", 0.0)["record"]["key"] == "g1"


def test_the_records_of_a_board_that_begins_anew_or_leaves_are_forgotten() -> None:
    """Its games are counted from one again, and would be taken for the old ones."""
    registry = registry_of(avail(online=True, boot=40, ts=1))
    for part in told(boot=40):
        _receive(registry, part)
    assert take(registry, avail(online=True, boot=1, ts=3_000_000)) == "b01"
    assert registry.records.whole("b01") == []
    assert [_receive(registry, part) for part in told(boot=1)][-1] == "b01"
    registry.receive(build(EVENT, "b01", "avail"), b"", retained=False, now_s=0.0, wall_ms=WALL_MS)
    assert registry.records.whole("b01") == []


def test_a_record_of_another_event_or_of_a_board_too_many_is_a_problem() -> None:
    """And a part that is none is told as every broken message."""
    registry = registry_of(state(1))
    part = told()[0]
    for topic in (part.topic.replace(EVENT, "other"), part.topic[:-1] + "0", part.topic[:-1] + "2"):
        assert registry.receive(topic, encode(part), retained=False, now_s=0.0, wall_ms=WALL_MS) is None
    assert registry.problems == 3
    full = registry_of(*[avail(online=True, board=f"b{number}") for number in range(MAX_BOARDS)])
    assert _receive(full, told(board="one-more")[0]) is None
    assert "one-more is one more than 512" in full.last_problem


def _problem(topic: str, data: bytes) -> str:
    registry = registry_of(state(1))
    before = registry.snapshot("b01", 0.0)
    assert registry.receive(topic, data, retained=False, now_s=0.0, wall_ms=WALL_MS) is None
    assert registry.snapshot("b01", 0.0) == before
    assert registry.boards == ("b01",)
    assert registry.problems == 1
    return registry.last_problem


def test_bytes_that_are_no_payload_change_nothing_and_are_told() -> None:
    """The problem names topic and field."""
    topic, data = message(state(2))
    assert "state" in _problem(topic, data.replace(b'"ply":2', b'"ply":-2'))
    assert "tk/2" in _problem("tk/2/x/board/b01/state", data)
    assert "b02" in _problem(build(EVENT, "b02", "state"), data)
    assert "JSON" in _problem(topic, b"\xff\x00garbage")


def test_a_foreign_event_or_an_impossible_position_changes_nothing() -> None:
    """Well-formed is not enough."""
    assert "other" in _problem(*message(state(2, event="other")))
    part = state(2).position.model_copy(update={"kazans": (90, 90)})
    assert "instead of 162" in _problem(*message(state(2, position=part)))


@given(st.binary(max_size=80), st.sampled_from(["avail", "meta", "state", "ev", "diag", "cmd", "#"]))
def test_random_bytes_never_raise(data: bytes, leaf: str) -> None:
    """The registry survives whatever the broker delivers."""
    registry = registry_of(state(1))
    registry.receive(f"tk/1/{EVENT}/board/b01/{leaf}", data, retained=False, now_s=0.0, wall_ms=WALL_MS)
    assert registry.problems <= 1


def test_the_number_of_boards_is_bounded() -> None:
    """A flood of ids cannot fill the memory."""
    registry = registry_of(*[avail(online=True, board=f"b{number}") for number in range(MAX_BOARDS)])
    assert take(registry, state(1, board="one-more")) is None
    assert len(registry.boards) == MAX_BOARDS
    assert "one-more" in registry.last_problem


@pytest.mark.parametrize("phase", [phase.value for phase in Phase])
def test_every_phase_of_a_table_can_be_shown(phase: str) -> None:
    """The registry does not care in which phase a table is."""
    assert registry_of(state(0, phase=phase)).summary(0.0)[0]["phase"] == phase
