"""Payloads: golden bytes, hostile bytes, and the 4 KiB of a state."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.wire import payloads
from firmware_bridge.wire.payloads import (
    AvailPayload,
    ClockPart,
    DevicePart,
    DiagPayload,
    EventPayload,
    LastMovePart,
    MetaPayload,
    NotePart,
    Payload,
    PayloadError,
    PositionPart,
    ResultPart,
    StatePayload,
    WatchPart,
)

GOLDEN = Path(__file__).parent / "golden"
POSITION = PositionPart(
    pits=(9, 9, 1, 10, 10, 10, 10, 10, 10, 10, 0, 9, 9, 9, 9, 9, 9, 9),
    kazans=(10, 0),
    tuzdyks=(None, None),
    to_move="qostaushy",
)
CLOCK = ClockPart(
    running="qostaushy",
    remaining_ms=(3_599_120, 3_600_000),
    rate=1.0,
    base_ms=3_600_000,
    increment_ms=10_000,
    flagged=(False, False),
)
STATE = StatePayload(
    event="almaty-2009",
    board="b01",
    game="r1-b01",
    boot=7,
    seq=41,
    ply=1,
    ts=1_795_000_000_123,
    phase="playing",
    names=("Әлия Нұрлан", "Qanat O'Neil"),
    starter_seat="a",
    position=POSITION,
    clock=CLOCK,
    moves="3:2",
    moves_from=1,
    last=LastMovePart(
        side="bastaushy", number=3, path=(2, 3, 4, 5, 6, 7, 8, 9, 10), captured=10, tuzdyk=None
    ),
    ready=(True, True),
    result=None,
    watch=WatchPart(sensed="differs", notes=(NotePart(code="pit-differs", pit=12, detail="8 тас, 9 керек"),)),
)
EXAMPLES: dict[str, Payload] = {
    "avail": AvailPayload(
        event="almaty-2009", board="b01", game=None, boot=7, seq=0, ply=0, ts=1_795_000_000_000, online=False
    ),
    "meta": MetaPayload(
        event="almaty-2009",
        board="b01",
        game="r1-b01",
        boot=7,
        seq=41,
        ply=1,
        ts=1_795_000_000_001,
        software="togyz-bridge 0.1.0",
        protocol="TOGYZ link 1.0",
        language="kk",
        device=DevicePart(board_id="board-a", firmware="pico 0.1.0", boot_id=3_735_928_559),
    ),
    "state": STATE,
    "state-ended": STATE.model_copy(
        update={
            "phase": "ended",
            "clock": CLOCK.model_copy(update={"running": None, "flagged": (True, False)}),
            "result": ResultPart(score="0-1", reason="flag"),
            "watch": WatchPart(sensed="idle"),
        }
    ),
    "ev": EventPayload(
        event="almaty-2009",
        board="b01",
        game="r1-b01",
        boot=7,
        seq=41,
        ply=1,
        ts=1_795_000_000_100,
        data={
            "kind": "move_played",
            "at_us": 912_345_678,
            "side": "bastaushy",
            "number": 3,
            "text": "3:2",
            "confirmed_by": "press",
            "evidence": {"stones": [9, 9, 1], "confidence": 0.999},
        },
        position=POSITION,
        clock=CLOCK,
    ),
    "diag": DiagPayload(
        event="almaty-2009",
        board="b01",
        game=None,
        boot=7,
        seq=41,
        ply=1,
        ts=1_795_000_000_200,
        values={"temperature_c": 48.5, "queue": 0, "safe": True, "port": "usb-1", "fan": None},
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_payload_has_its_golden_bytes(name: str) -> None:
    """What goes over the wire changes only on purpose, and reads back the same."""
    golden = (GOLDEN / f"{name}.json").read_bytes()
    payload = EXAMPLES[name]
    assert payloads.encode(payload) == golden
    assert payloads.decode(f"tk/1/almaty-2009/board/b01/{payload.kind}", golden) == payload


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_newer_boards_extra_fields_are_skipped(name: str) -> None:
    """Minor versions only add; an older reader goes on."""
    payload = EXAMPLES[name]
    document = json.loads((GOLDEN / f"{name}.json").read_bytes())
    document["new_in_1_7"] = {"x": [1, 2]}
    topic = f"tk/1/almaty-2009/board/b01/{payload.kind}"
    assert payloads.decode(topic, json.dumps(document).encode()) == payload


HOSTILE = [
    b"",
    b"\xff\xfe",
    b"null",
    b"[]",
    b"NaN",
    b"{}",
    b"[" * 60_000,
    b'{"a":' * 10_000,
    b"9" * 60_000,
    b" " * 70_000,
    b'"\\ud800"',
    (GOLDEN / "state.json").read_bytes()[:-1],
]


@pytest.mark.parametrize("data", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("leaf", ["avail", "meta", "state", "ev", "diag"])
def test_hostile_bytes_are_a_payload_error_that_names_the_topic(leaf: str, data: bytes) -> None:
    """Nothing but PayloadError, and the text stays readable."""
    topic = f"tk/1/almaty-2009/board/b01/{leaf}"
    with pytest.raises(PayloadError, match=f"^{topic}: ") as caught:
        payloads.decode(topic, data)
    assert len(str(caught.value)) < 600


@given(st.binary(max_size=200))
def test_random_bytes_raise_nothing_else(data: bytes) -> None:
    """Any bytes whatever are an error in words."""
    with pytest.raises(PayloadError):
        payloads.decode_state(data)


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("clock.rate", float("nan"), "clock.rate"),
        ("clock.remaining_ms", [1, -5], "clock.remaining_ms.1"),
        ("position.pits", [9] * 17, "position.pits"),
        ("position.pits", [True] * 18, "position.pits.0"),
        ("position.tuzdyks", [10, None], "position.tuzdyks.0"),
        ("seq", 2**60, "seq"),
        ("seq", "41", "seq"),
        ("v", 2, "v"),
        ("board", "../b", "board"),
        ("kind", "ev", "kind"),
        ("moves", "3:2\n", "moves"),
    ],
)
def test_a_bad_value_is_named_with_its_field(path: str, value: object, field: str) -> None:
    """The error says where it is and what stands there."""
    document = json.loads((GOLDEN / "state.json").read_bytes())
    *outer, last = path.split(".")
    inner = document
    for step in outer:
        inner = inner[step]
    inner[last] = value
    with pytest.raises(PayloadError, match=rf"^state: {field} = "):
        payloads.decode_state(json.dumps(document).encode())


@pytest.mark.parametrize("deep", [float("nan"), float("-inf"), "nested"])
def test_an_events_data_holds_no_nan_and_no_abyss(deep: object) -> None:
    """Free-form data is bounded too."""
    if deep == "nested":
        deep = 1
        for _ in range(50):
            deep = [deep]
    document = json.loads((GOLDEN / "ev.json").read_bytes())
    document["data"]["evidence"] = deep
    with pytest.raises(PayloadError, match="ev: data = "):
        payloads.decode_event(json.dumps(document).encode())


@pytest.mark.parametrize(("event", "board"), [("other", "b01"), ("almaty-2009", "b02")])
def test_a_board_cannot_speak_on_anothers_topic(event: str, board: str) -> None:
    """Topic and payload must agree."""
    with pytest.raises(PayloadError, match="inside"):
        payloads.decode(f"tk/1/{event}/board/{board}/state", (GOLDEN / "state.json").read_bytes())


def test_a_topic_of_nobody_is_a_payload_error() -> None:
    """The consumer needs one except clause only."""
    with pytest.raises(PayloadError, match="topic"):
        payloads.decode("tk/1/almaty/cmd/b01/reset", b"{}")


def test_a_simple_clock_says_no_more_than_it_always_did() -> None:
    """What a control of several periods adds is there only where it says something."""
    assert set(json.loads(CLOCK.model_dump_json())) == {
        "running",
        "remaining_ms",
        "rate",
        "base_ms",
        "increment_ms",
        "flagged",
    }
    more = {"control": "90m/30+30m", "period": (2, 1), "moves_to_quota": (None, 7), "delay_ms": 5}
    full = CLOCK.model_copy(update=more)
    written = full.model_dump_json()
    assert ClockPart.model_validate_json(written) == full
    assert json.loads(written)["moves_to_quota"] == [None, 7]


def test_the_longest_state_stays_within_four_kibibytes() -> None:
    """The oldest moves give way and moves_from says so; then notes."""
    worst = STATE.model_copy(
        update={
            "names": ("Ә" * 80, "Ұ" * 80),
            "moves": " ".join(["9:9"] * 799 + ["2:7x"]),
            "last": LastMovePart(side="bastaushy", number=1, path=(17,) * 162, captured=0, tuzdyk=None),
        }
    )
    data = payloads.encode(worst)
    read = payloads.decode_state(data)
    assert len(data) <= payloads.MAX_STATE_BYTES
    assert read.moves.endswith("9:9 2:7x")
    assert len(read.moves.split()) == 800 - (read.moves_from - 1) <= payloads.MAX_MOVES
    notes = tuple(NotePart(code="x" * 40, pit=17, detail="Ә" * 160) for _ in range(20))
    noted = payloads.encode(worst.model_copy(update={"watch": WatchPart(sensed="differs", notes=notes)}))
    assert len(noted) <= payloads.MAX_STATE_BYTES
    assert payloads.decode_state(noted).watch.notes


def test_text_for_eyes_is_cut_and_cleaned_instead_of_refused() -> None:
    """A name too long or with control characters never stops a board."""
    note = NotePart(code="x", pit=None, detail="two\nlines" + "x" * 500)
    assert note.detail.startswith("two lines")
    assert len(note.detail) == 160


def test_an_event_of_more_than_64_kib_is_not_sent() -> None:
    """Our own size limit is ours to keep."""
    event = EXAMPLES["ev"].model_copy(update={"data": {"kind": "x", "evidence": "x" * 70_000}})
    with pytest.raises(PayloadError, match="64 KiB"):
        payloads.encode(event)
