"""Holds messages and answers to the shipped documents; for every test that has some at hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from firmware_bridge.wire.payloads import Payload

DOCUMENTS = files("firmware_bridge") / "contract" / "documents"


@cache
def document(name: str) -> dict[str, Any]:
    """Return a shipped document."""
    found: dict[str, Any] = json.loads((DOCUMENTS / name).read_text("utf-8"))
    return found


@cache
def schema_of(kind: str) -> Draft202012Validator:
    """Return what the shipped schema of a kind of message accepts."""
    return Draft202012Validator(document(f"{kind}.schema.json"))


@cache
def answer_schema(name: str) -> Draft202012Validator:
    """Return what one of the hall's answers may be, as its OpenAPI document says."""
    ref = {"$ref": f"#/components/schemas/{name}"}
    return Draft202012Validator({**ref, "components": document("openapi.json")["components"]})


@cache
def known_kinds() -> frozenset[str]:
    """Return the kinds of events that the shipped schema describes."""
    inside = document("ev.schema.json")["$defs"].values()
    return frozenset(
        schema["properties"]["kind"]["const"]
        for schema in inside
        if "const" in schema.get("properties", {}).get("kind", {})
    )


def fault(validator: Draft202012Validator, value: object) -> str:
    """Say what a schema has against a value; nothing when it accepts it."""
    error = best_match(validator.iter_errors(value))
    if error is None:
        return ""
    return f"{'.'.join(map(str, error.absolute_path)) or 'message'}: {error.message[:300]}"


def check_message(kind: str, value: Mapping[str, Any]) -> None:
    """Assert that a message is one that the contract describes; unknown kinds of events are not."""
    wrong = fault(schema_of(kind), value)
    assert not wrong, f"{kind}: {wrong}"
    if kind == "ev":
        assert value["data"]["kind"] in known_kinds(), f"ev: kind {value['data']['kind']!r} is not described"


def check_payload(payload: Payload, data: bytes) -> None:
    """Assert that what is written of a payload is what the contract describes."""
    wrong = fault(schema_of(payload.kind), json.loads(data))
    assert not wrong, f"{payload.kind}: {wrong}"
