"""The page for people says what the documents say, and its examples are messages."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from importlib.resources import files
from typing import Any, get_args

import pytest

from firmware_bridge.contract.documents import shipped
from firmware_bridge.wire import topics
from firmware_bridge.wire.payloads import decode
from firmware_bridge.wire.records import decode_record, join
from firmware_bridge.wire.signing import (
    Ack,
    Key,
    RefusalCode,
    Signed,
    SignedCommand,
    netstrings,
    read_signed,
)
from firmware_bridge.wire.version import CONTRACT_VERSION
from rules.game import Phase
from rules.record.json_form import parse_record_json
from tests.firmware_bridge.contract.shapes import check_message, document, fault, known_kinds, schema_of

PAGE = (files("firmware_bridge") / "contract" / "CONTRACT.md").read_text("utf-8")
EXAMPLES = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
NAMED = set(re.findall(r"`([^`\n]+)`", PAGE))


def _example(kind: str) -> dict[str, Any]:
    (found,) = [each for each in EXAMPLES if each.get("kind") == kind]
    return dict(found)


@pytest.mark.parametrize(
    "kind", ["avail", "meta", "state", "ev", "diag", "record", "cmd", "ack", "snapshot", "beat"]
)
def test_each_message_has_an_example_that_is_one(kind: str) -> None:
    """By the schema, and read by our own reader where there is one."""
    message = _example(kind)
    check_message(kind, message)
    data = json.dumps(message).encode()
    base = f"tk/1/{message.get('event')}/board/{message['board']}"
    if kind == "record":
        part = decode_record(f"{base}/record/{message['game']}/1", data)
        assert parse_record_json(join([part])).signed == (False, False)
    elif kind in topics.LEAVES:
        decode(f"{base}/{kind}", data)


def test_the_record_of_the_example_is_what_its_parts_make() -> None:
    """A reader can check his own joining on it."""
    (record,) = [each for each in EXAMPLES if "format" in each]
    assert json.loads(str(_example("record")["text"])) == record
    assert fault(schema_of("game_record"), record) == ""


@pytest.mark.parametrize(
    "kind", ["avail", "meta", "state", "ev", "diag", "record", "cmd", "ack", "game_record"]
)
def test_every_field_of_a_message_is_named(kind: str) -> None:
    """At the top and in its parts; the sheet's head and an event's evidence explain themselves."""
    schema = document(f"{kind}.schema.json")
    named = NAMED | {word for text in NAMED for word in re.findall(r"\w+", text)}
    parts = [schema, *schema.get("$defs", {}).values()]
    missing = {
        f"{part['title']}.{name}"
        for part in parts
        for name in part.get("properties", {})
        if part["title"] not in ("RecordTags", "RecordRuling", "RecordComment") and name not in named
    }
    assert missing == set()


@pytest.mark.parametrize(("kind", "model"), [("cmd", SignedCommand), ("ack", Ack)])
def test_the_example_of_signing_is_right_to_the_byte(kind: str, model: type[Signed]) -> None:
    """Key, signed bytes and signature as the page prints them: by our code, and by hand."""
    message = _example(kind)
    (secret,) = re.findall(r"`([0-9a-f]{64})`", PAGE)
    (signed,) = re.findall(rf"```text\n(11:togyz-{kind}-1,.*)\n```", PAGE)
    found = read_signed(model, json.dumps(message).encode())
    assert found.signed_bytes() == signed.encode()
    assert found.is_of(Key(message["key"], message["event"], message["board"], bytes.fromhex(secret)))
    by_hand = hmac.new(bytes.fromhex(secret), signed.encode(), hashlib.sha256).hexdigest()
    assert message["mac"] == by_hand


def test_the_page_names_every_refusal_and_what_is_signed_in_order() -> None:
    """A stranger must not have to guess."""
    assert set(get_args(RefusalCode)) <= NAMED
    for kind, model in (("cmd", SignedCommand), ("ack", Ack)):
        message, tag = _example(kind), f"togyz-{kind}-1"
        (listed,) = re.findall(rf"`{tag}`((?:, `\w+`)+)", PAGE)
        texts = [tag, *(str(message[name]) for name in re.findall(r"`(\w+)`", listed))]
        assert netstrings(texts) == read_signed(model, json.dumps(message).encode()).signed_bytes()


def test_every_kind_of_event_and_every_phase_is_named() -> None:
    """A new one is told of on the page."""
    assert known_kinds() <= NAMED
    assert {phase.value for phase in Phase} <= NAMED


def test_every_address_is_named() -> None:
    """Topics of the broker, routes of the hall."""
    for channel in document("asyncapi.json")["channels"].values():
        address = channel["address"]
        spelled = address if address.startswith("/ws") else re.sub(r"\{(\w+)\}", r"<\1>", address)
        assert spelled in PAGE
    for path in document("openapi.json")["paths"]:
        assert path.replace("{board_id}", "{board}").replace("{game}", "{key}") in PAGE


def test_the_page_is_of_this_version_and_names_what_lies_beside_it() -> None:
    """Nothing is named that is not shipped."""
    minor = CONTRACT_VERSION.rpartition(".")[0]
    assert PAGE.startswith(f"# What a Togyz Bridge tells the world, version {minor}\n")
    assert document("asyncapi.json")["info"]["version"] == CONTRACT_VERSION
    beside = {name for name in NAMED if re.fullmatch(r"\w+(\.schema)?\.(json|py|mjs)", name)}
    assert beside <= set(shipped())
    assert {"asyncapi.json", "openapi.json", "follow.py", "follow.mjs"} <= beside
