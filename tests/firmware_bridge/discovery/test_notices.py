"""Which hall a board follows, and what is believed of what the network says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.discovery.notices import (
    MAX_TEXT,
    Remembered,
    chosen,
    is_loopback,
    notice_in,
    remembered_in,
    txt_of,
)
from tests.firmware_bridge.discovery.halls import HALL, SECOND, STRANGER


def test_the_one_hall_of_the_event_is_followed() -> None:
    """Whatever other events are played in the house."""
    choice = chosen((STRANGER, HALL), "cup")
    assert choice.hall == HALL
    assert choice.others == ("open",)


def test_a_hall_of_another_event_is_never_followed() -> None:
    """Not even where it is the only one."""
    choice = chosen((STRANGER,), "cup")
    assert (choice.hall, choice.ours, choice.others) == (None, (), ("open",))


def test_of_two_halls_none_is_followed_but_the_one_before() -> None:
    """Or whoever announces a second one could take the boards from the first."""
    assert chosen((HALL, SECOND), "cup").hall is None
    assert chosen((HALL, SECOND), "cup", HALL.broker).hall == HALL
    assert chosen((HALL, SECOND), "cup", "192.0.2.44:1883").hall is None
    assert chosen((SECOND,), "cup", HALL.broker).hall == SECOND  # it has moved


def test_two_halls_with_one_broker_are_one_way() -> None:
    """A hall for the public beside that of the arbiters."""
    public = replace(HALL, port=8090)
    found = chosen((HALL, public), "cup").hall
    assert found is not None
    assert found.broker == HALL.broker


def test_a_hall_whose_broker_others_cannot_reach_is_not_followed() -> None:
    """And it is known that it was heard."""
    alone = replace(HALL, broker_host="")
    choice = chosen((alone,), "cup")
    assert (choice.hall, choice.ours) == (None, (alone,))


@pytest.mark.parametrize(
    ("broker_host", "for_others", "heard"),
    [
        ("192.0.2.50", True, "192.0.2.50"),
        ("127.0.0.1", True, "192.0.2.7"),
        ("localhost", True, "192.0.2.7"),
        ("127.0.0.1", False, ""),
    ],
)
def test_what_a_hall_tells_is_what_is_heard(*, broker_host: str, for_others: bool, heard: str) -> None:
    """A broker on the hall's own machine is where the hall is."""
    told = replace(HALL, broker_host=broker_host)
    txt = txt_of(told, broker_for_others=for_others)
    found = notice_in(f"{told.name}._togyz._tcp.local.", [told.host], told.port, txt)
    assert found == replace(told, broker_host=heard)
    assert found is not None
    assert found.url == "http://192.0.2.7:8080/"


TXT = txt_of(HALL, broker_for_others=True)


@pytest.mark.parametrize(
    ("txt", "addresses", "port"),
    [
        ({**TXT, "event": "no id!"}, ["192.0.2.7"], 8080),
        ({}, ["192.0.2.7"], 8080),
        (TXT, [], 8080),
        (TXT, ["192.0.2.7"], None),
        (TXT, ["192.0.2.7"], 0),
        (TXT, ["fe80::1%eth0"], 8080),
        ({**TXT, "event": None}, ["192.0.2.7"], 8080),
    ],
)
def test_what_is_no_hall_is_passed_over(txt: dict[str, str | None], addresses: list[str], port: int) -> None:
    """Anybody can announce anything."""
    assert notice_in("x", addresses, port, txt) is None


@settings(max_examples=60)
@given(st.dictionaries(st.sampled_from([*TXT, "x"]), st.none() | st.text(max_size=300)))
def test_whatever_a_stranger_announces_stays_within_bounds(txt: dict[str, str | None]) -> None:
    """Nothing raises, and what is shown is short and printable."""
    found = notice_in("x" * 300, ["192.0.2.7"], 8080, txt)
    if found is not None:
        texts = (found.name, found.event, found.contract, found.software, found.path, found.broker_host)
        assert all(len(text) <= MAX_TEXT and text.isprintable() for text in texts)
        assert found.path.startswith("/")
        assert 0 < found.broker_port < 65536


def test_an_address_is_remembered_for_its_event_alone() -> None:
    """A card that goes on to the next event must not carry the last one's broker along."""
    kept = Remembered("cup", "192.0.2.7", 1883)
    assert remembered_in(kept.written(), "cup") == kept
    assert remembered_in(kept.written(), "open") is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"event": "cup", "host": "", "port": 1}', "\x00", 9999 * "["]
)
def test_a_damaged_memory_is_none(text: str) -> None:
    """As a power cut may leave it."""
    assert remembered_in(text, "cup") is None


def test_loopback_is_known_by_number_and_name() -> None:
    """Nobody else can reach it."""
    assert all(map(is_loopback, ("127.0.0.1", "127.8.8.8", "::1", "localhost", "LOCALHOST")))
    assert not any(map(is_loopback, ("192.0.2.1", "0.0.0.0", "::", "hall.example")))
