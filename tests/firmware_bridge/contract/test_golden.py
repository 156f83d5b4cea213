"""Messages that boards and halls have sent once: they are read for as long as the major version stands.

The files are never edited and never removed; CONTRIBUTING says how some are added. Each holds a note, the
topic, the message, and what version 1.0 has read in it.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.contract.schemas import ON_THE_BROKER, ON_THE_SOCKET, SIGNED
from firmware_bridge.wire import topics
from firmware_bridge.wire.payloads import Envelope, decode
from firmware_bridge.wire.records import decode_record
from firmware_bridge.wire.signing import Ack, Key, SignedCommand, SigningError, read_signed
from rules.events_json import EVENT_KINDS, event_from_json, event_to_json
from rules.record.json_form import format_record_json, record_from_json
from tests.firmware_bridge.contract.shapes import fault, known_kinds, schema_of

FOLDER = Path(__file__).parent / "golden" / "v1"
GOLDEN = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
WHOLE = "game_record"


def kind_of(golden: dict[str, Any]) -> str:
    """Return whose schema a golden message must obey."""
    return WHOLE if golden["topic"] == WHOLE else str(golden["message"]["kind"])


def read(golden: dict[str, Any], message: dict[str, Any]) -> Any:
    """Return what today's code reads in a message, as JSON values."""
    topic = golden["topic"]
    data = json.dumps(message).encode()
    if topic == WHOLE:
        return json.loads(format_record_json(record_from_json(message)))
    if topic is None:
        return ON_THE_SOCKET[message["kind"]].model_validate_json(data).model_dump(mode="json")
    if (signed := topics.command_topic(topic)) is not None:
        model = SignedCommand if signed.leaf == "cmd" else Ack
        return read_signed(model, data).model_dump(mode="json")
    payload: Envelope = decode_record(topic, data) if topics.is_record(topic) else decode(topic, data)
    return payload.model_dump(mode="json")


def lacks(found: Any, due: Any, where: str = "") -> str:
    """Say what of `due` is not in `found`; fields that came later may stand in it."""
    if isinstance(due, dict) and isinstance(found, dict):
        return next((text for key in due if (text := lacks(found.get(key), due[key], f"{where}.{key}"))), "")
    return "" if found == due else f"{where}: {found!r} instead of {due!r}"


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_message_is_read_to_the_same_values(name: str) -> None:
    """As version 1.0 has read it."""
    golden = GOLDEN[name]
    assert lacks(read(golden, golden["message"]), golden["reads"]) == ""


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_message_obeys_todays_schema(name: str) -> None:
    """What was right once stays right."""
    golden = GOLDEN[name]
    assert fault(schema_of(kind_of(golden)), golden["message"]) == ""


CLOSED = (WHOLE, *SIGNED)


@pytest.mark.parametrize("name", [name for name, golden in GOLDEN.items() if kind_of(golden) not in CLOSED])
def test_a_golden_message_with_fields_of_a_later_version_is_read_the_same(name: str) -> None:
    """At the top and in every part; by code and by schema."""
    golden = GOLDEN[name]
    newer = _with_more(golden["message"])
    assert newer != golden["message"]
    assert fault(schema_of(kind_of(golden)), newer) == ""
    if kind_of(golden) == "ev":
        newer["data"] = golden["message"]["data"]  # kept as it came, so more in it is more read
    assert lacks(read(golden, newer), golden["reads"]) == ""


@pytest.mark.parametrize("name", [name for name, golden in GOLDEN.items() if kind_of(golden) in SIGNED])
def test_a_golden_signature_holds_and_takes_no_more_fields(name: str) -> None:
    """The bytes that are signed stay the same for as long as the major version stands."""
    message = GOLDEN[name]["message"]
    secret = bytes.fromhex(GOLDEN[name]["secret"])
    model = SignedCommand if message["kind"] == "cmd" else Ack
    signed = read_signed(model, json.dumps(message).encode())
    assert signed.is_of(Key(message["key"], message["event"], message["board"], secret))
    with pytest.raises(SigningError, match="new_in_1_7"):
        read_signed(model, json.dumps(_with_more(message)).encode())


def _with_more(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_more(inner) for inner in value]
    if isinstance(value, dict):
        inner = {key: value[key] if key == "values" else _with_more(value[key]) for key in value}
        return {**inner, "new_in_1_7": {"x": [1, None]}}
    return value


@pytest.mark.parametrize("name", [name for name, golden in GOLDEN.items() if kind_of(golden) == "ev"])
def test_a_golden_event_of_the_rulebook_is_an_event_still(name: str) -> None:
    """An old journal is folded by new code; what it does not know it says."""
    data = GOLDEN[name]["message"]["data"]
    if data["kind"] in EVENT_KINDS:
        assert event_to_json(event_from_json(data)) == data
    else:
        assert data["kind"] in known_kinds() or name == "ev-of-a-later-version"


def test_there_are_several_of_each_kind_and_one_of_each_event() -> None:
    """A kind that is added brings its golden messages."""
    kinds = [kind_of(golden) for golden in GOLDEN.values()]
    for kind in (*ON_THE_BROKER, *SIGNED, *ON_THE_SOCKET, WHOLE):
        assert kinds.count(kind) >= (1 if kind == "beat" else 2), kind
    events = {g["message"]["data"]["kind"] for g in GOLDEN.values() if kind_of(g) == "ev"}
    assert known_kinds() <= events


def test_no_golden_file_was_edited() -> None:
    """Whoever needs another form adds a file, and its line in SHA256SUMS."""
    lines = (FOLDER / "SHA256SUMS").read_text("utf-8").splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FOLDER.glob("*.json")}
    assert found == listed
