"""The committed documents are those the code makes, whole, and sound by their own standards."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from firmware_bridge.contract import documents, generate
from firmware_bridge.contract.schemas import ON_THE_BROKER, ON_THE_SOCKET, SIGNED, WHOLE, message_schemas
from firmware_bridge.hall.gateway import create_app
from firmware_bridge.wire import topics
from firmware_bridge.wire.settings import BrokerSettings
from tests.firmware_bridge.contract.shapes import DOCUMENTS, document
from tests.firmware_bridge.hall.fake_feed import FakeFeed
from tests.firmware_bridge.hall.serving import settings

KINDS = [*ON_THE_BROKER, *SIGNED, *ON_THE_SOCKET]


def test_the_committed_documents_are_exactly_what_the_code_makes() -> None:
    """Whoever changes a model makes them anew, and so sees what strangers will see."""
    committed = {entry.name: entry.read_text("utf-8") for entry in DOCUMENTS.iterdir()}
    made = generate.made()
    differing = sorted(name for name in {*committed, *made} if committed.get(name) != made.get(name))
    assert differing == [], f"run `{generate.REMAKE}` and look at the difference"


def test_making_them_anew_takes_away_what_is_no_more(tmp_path: Path) -> None:
    """A message that was dropped leaves no schema behind."""
    (tmp_path / "old.schema.json").write_text("{}", encoding="utf-8")
    generate.remake(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(generate.made())


@pytest.mark.parametrize("kind", [*KINDS, *WHOLE])
def test_a_schema_is_a_schema_and_complete_in_itself(kind: str) -> None:
    """Draft 2020-12, every reference inside, every field described, and `null` not called None."""
    schema = document(f"{kind}.schema.json")
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:togyz-bridge:contract:1:{kind}"
    _check_references(schema)
    for inner in (schema, *schema.get("$defs", {}).values()):
        assert inner["description"]
        for name, described in inner.get("properties", {}).items():
            assert described.get("description") or _is_small(inner), f"{inner['title']}.{name}"
    assert "None" not in json.dumps(schema)


def _is_small(schema: dict[str, Any]) -> bool:
    """An event of a later version has nothing but its kind."""
    return bool(schema["title"] == "UnknownEvent")


def _references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from _references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _references(inner)


def _check_references(whole: dict[str, Any]) -> None:
    for reference in _references(whole):
        assert reference.startswith("#/"), reference
        found: Any = whole
        for step in reference.removeprefix("#/").split("/"):
            assert step in found, f"{reference} leads nowhere"
            found = found[step]


def test_the_asyncapi_document_is_whole() -> None:
    """Every reference leads somewhere; channels, operations and messages lack nothing and fit together."""
    whole = document("asyncapi.json")
    _check_references(whole)
    assert whole["asyncapi"] == "3.0.0"
    assert set(whole["components"]["messages"]) == set(KINDS)
    for name, channel in whole["channels"].items():
        spelled = {part[1:-1] for part in channel["address"].split("/") if part.startswith("{")}
        assert spelled == set(channel["parameters"]), name
        assert channel["messages"], name
        assert channel["servers"], name
    for name, message in whole["components"]["messages"].items():
        assert message["payload"], name
        assert message["summary"], name
    told = {operation["channel"]["$ref"].split("/")[-1] for operation in whole["operations"].values()}
    assert told == set(whole["channels"])
    for name, operation in whole["operations"].items():
        channel = operation["channel"]["$ref"]
        assert operation["action"] == ("receive" if channel == "#/channels/cmd" else "send")
        assert name.startswith(operation["action"])
        assert all(each["$ref"].startswith(f"{channel}/messages/") for each in operation["messages"])


@pytest.mark.parametrize("leaf", topics.LEAVES)
def test_the_asyncapi_document_says_how_a_topic_is_kept(leaf: topics.Leaf) -> None:
    """Addresses are those of the code; so are retention and quality of service."""
    whole = document("asyncapi.json")
    address = whole["channels"][leaf]["address"].format(event="e", board="b")
    assert topics.parse(address) == topics.BoardTopic("e", "b", leaf)
    binding = whole["operations"][f"send_{leaf}"]["bindings"]["mqtt"]
    assert binding["retain"] == (leaf in topics.RETAINED_LEAVES)
    assert binding["qos"] == (0 if leaf == "diag" else 1)


@pytest.mark.parametrize(("leaf", "operation"), [("cmd", "receive_cmd"), ("ack", "send_ack")])
def test_the_asyncapi_document_says_how_a_board_is_commanded(leaf: str, operation: str) -> None:
    """Neither a command nor its answer is ever retained."""
    whole = document("asyncapi.json")
    address = whole["channels"][leaf]["address"].format(event="e", board="b")
    assert topics.command_topic(address) == topics.CommandTopic("e", "b", leaf)  # type: ignore[arg-type] # a leaf
    assert whole["operations"][operation]["bindings"]["mqtt"] == {
        "qos": 1,
        "retain": False,
        "bindingVersion": "0.2.0",
    }


@pytest.mark.parametrize("kind", SIGNED)
def test_what_is_signed_is_closed_to_other_fields(kind: str) -> None:
    """Nobody would have signed them."""
    schema = document(f"{kind}.schema.json")
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) == set(schema["properties"])


def test_the_asyncapi_document_says_how_the_parts_of_a_record_are_kept() -> None:
    """Retained, each on a topic of its own, of which there are as many as the code takes."""
    whole = document("asyncapi.json")
    channel, most = whole["channels"]["record"], topics.MAX_PARTS
    address = channel["address"].format(event="e", board="b", game="g", part=most)
    assert topics.parse_record(address) == topics.RecordTopic("e", "b", "g", most)
    assert f"1 to {most}" in channel["parameters"]["part"]["description"]
    binding = whole["operations"]["send_record"]["bindings"]["mqtt"]
    assert (binding["retain"], binding["qos"]) == (True, 1)


def test_the_wills_example_is_a_message_of_its_kind() -> None:
    """What the server binding shows is no invention, and the broker waits as long for a board as it says."""
    binding = document("asyncapi.json")["servers"]["broker"]["bindings"]["mqtt"]
    assert binding["keepAlive"] == BrokerSettings("h", 1).keepalive_s
    will = binding["lastWill"]
    assert Draft202012Validator(document("avail.schema.json")).is_valid(json.loads(will["message"]))
    assert topics.parse(will["topic"]).leaf == "avail"


@pytest.mark.skipif("TOGYZ_ASYNCAPI_SCHEMA" not in os.environ, reason="TOGYZ_ASYNCAPI_SCHEMA names no file")
def test_the_asyncapi_document_obeys_the_official_schema() -> None:
    """With `schemas/3.0.0.json` of the AsyncAPI initiative's package of schemas at hand, it is asked too."""
    official = json.loads(Path(os.environ["TOGYZ_ASYNCAPI_SCHEMA"]).read_text(encoding="utf-8"))
    errors = [error.message for error in Draft7Validator(official).iter_errors(document("asyncapi.json"))]
    assert errors == []


def test_the_openapi_document_obeys_the_specification() -> None:
    """Judged by a checker that is not ours."""
    whole = document("openapi.json")
    OpenAPIV31SpecValidator(whole).validate()
    _check_references(whole)


def test_every_route_of_the_hall_that_answers_data_is_described() -> None:
    """The document has the routes of the application, and no other."""
    app = create_app(settings(), FakeFeed())
    routes = {path for path in app.openapi()["paths"] if path.startswith("/api/")}
    assert routes == set(document("openapi.json")["paths"])
    assert routes >= {"/api/boards", "/api/boards/{board_id}"}


def test_everything_is_shipped_and_written_where_one_asks(tmp_path: Path) -> None:
    """The package has page, documents and examples; a folder is made if need be."""
    written = documents.write_shipped(tmp_path / "new" / "folder")
    names = [path.name for path in written]
    assert names == sorted(names)
    assert {"CONTRACT.md", "RECORD.md", "asyncapi.json", "openapi.json", "state.schema.json"} <= set(names)
    assert all(path.read_text(encoding="utf-8") == documents.shipped()[path.name] for path in written)
    assert set(message_schemas()) == {name.removesuffix(".schema.json") for name in names if "schema" in name}
