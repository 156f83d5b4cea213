"""Signed messages: the bytes, the keys, and what is no message."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.wire.signing import (
    MAX_BODY_LETTERS,
    MAX_SIGNED_BYTES,
    UNSIGNED,
    Ack,
    Key,
    Keyring,
    SignedCommand,
    SigningError,
    netstrings,
    read_object,
    read_signed,
)
from tests.firmware_bridge.wire.signed import KEY, command

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
PRINTABLE = TEXTS.filter(lambda text: text.isprintable() and text)
COUNTS = st.integers(0, 2**53 - 1)
TOKENS = st.from_regex(r"[0-9a-f]{32}", fullmatch=True)
COMMANDS = st.builds(
    SignedCommand,
    event=st.just("e"),
    board=st.just("b"),
    key=st.just(KEY.id),
    mac=st.just(UNSIGNED),
    id=TOKENS,
    who=PRINTABLE,
    boot_id=TOKENS,
    nonce=TOKENS,
    seq=st.integers(1, 2**53 - 1),
    ply=st.none() | COUNTS,
    body=TEXTS.filter(lambda text: len(text) > 1),
).map(lambda each: each.sealed(KEY))


@given(st.lists(TEXTS), st.lists(TEXTS))
def test_two_lists_of_texts_never_give_the_same_bytes(first: list[str], second: list[str]) -> None:
    """Else a signature made for one command would hold for another."""
    assert (netstrings(first) == netstrings(second)) == (first == second)


def test_a_text_that_looks_like_two_is_signed_as_one() -> None:
    """Lengths are counted in bytes, and what stands in a text ends nothing."""
    assert netstrings(["ә", ""]) == "2:ә,0:,".encode()
    assert netstrings(["1:a,", "b"]) != netstrings(["", "1:a,b"])


@given(COMMANDS)
def test_a_signed_command_is_read_back_the_same(sent: SignedCommand) -> None:
    """And its signature is that of the standard library over the bytes that the contract describes."""
    found = read_signed(SignedCommand, sent.written())
    assert found == sent
    assert found.is_of(KEY)
    assert found.mac == hmac.new(KEY.secret, sent.signed_bytes(), hashlib.sha256).hexdigest()


@given(COMMANDS, st.data())
def test_no_bit_of_a_command_can_be_turned(sent: SignedCommand, data: st.DataObject) -> None:
    """Wherever it stands: what comes out is no message, or one that is not signed."""
    written = bytearray(sent.written())
    place = data.draw(st.integers(0, 8 * len(written) - 1))
    written[place // 8] ^= 1 << place % 8
    try:
        found = read_signed(SignedCommand, bytes(written))
    except SigningError:
        return
    assert not found.is_of(KEY)


CHANGED: dict[str, Any] = {
    "event": "e2",
    "board": "b2",
    "key": "other",
    "id": "f" * 32,
    "who": "somebody",
    "boot_id": "f" * 32,
    "nonce": "e" * 32,
    "seq": 2,
    "ply": None,
    "body": "{}",
}


@pytest.mark.parametrize("name", CHANGED)
def test_no_field_can_be_changed(name: str) -> None:
    """Every field that says something is signed; a test that knows them all says when one is added."""
    assert set(CHANGED) == set(SignedCommand.model_fields) - {"v", "kind", "mac"}
    sent = command()
    changed = sent.model_copy(update={name: CHANGED[name]})
    assert changed != sent
    assert sent.is_of(KEY)
    assert not changed.is_of(KEY)


@pytest.mark.parametrize(
    "name", ["event", "board", "key", "id", "answers", "seq", "code", "detail", "ply", "last"]
)
def test_no_field_of_an_answer_can_be_changed(name: str) -> None:
    """A refusal cannot be made an acceptance, nor be moved to another command."""
    assert {"event", "board", "key", "id", "answers", "seq", "code", "detail", "ply", "last"} == set(
        Ack.model_fields
    ) - {"v", "kind", "mac"}
    ack = Ack(
        event="e",
        board="b",
        key=KEY.id,
        mac=UNSIGNED,
        id="0" * 32,
        answers="1" * 64,
        seq=1,
        code="phase",
        detail="",
        ply=3,
        last=1,
    ).sealed(KEY)
    changed = 9 if name in ("seq", "ply", "last") else "accepted"
    assert ack.is_of(KEY)
    assert not ack.model_copy(update={name: changed}).is_of(KEY)
    assert read_signed(Ack, ack.written()) == ack


def test_no_order_and_no_blanks_of_json_are_signed() -> None:
    """Whoever writes in another language writes it another way."""
    sent = command(who="Төреші Б.")
    fields = json.loads(sent.written())
    other = json.dumps(dict(reversed(fields.items())), indent=3, ensure_ascii=True).encode()
    assert other != sent.written()
    assert read_signed(SignedCommand, other) == sent


def altered(**changes: Any) -> bytes:
    """Return a command with other fields; None takes one out."""
    fields = json.loads(command().written())
    return json.dumps({k: v for k, v in {**fields, **changes}.items() if v is not Ellipsis}).encode()


MALFORMED = {
    "nothing": b"",
    "no UTF-8": b'{"mac": "\xff"}',
    "no JSON": b"suspend!",
    "deep": b"[" * 4000,
    "a number of too many digits": b'{"mac":' + b"9" * 5000 + b"}",
    "no object": b"[1]",
    "a name twice": command().written()[:-1] + b',"seq":1}',
    "a field too many": altered(more=1),
    "a field too few": altered(who=...),
    "another version": altered(v=2),
    "a version that is a truth": altered(v=True),
    "a version with a point": altered(v=1.0),
    "an answer": altered(kind="ack"),
    "a number that is a text": altered(seq="1"),
    "a number that is a truth": altered(seq=True),
    "a number with a point": altered(seq=1.0),
    "a number below the first": altered(seq=0),
    "a number above the last": altered(seq=2**53),
    "not a number": command().written().replace(b'"seq":1', b'"seq":NaN'),
    "half a character": altered(body="\ud800\ud800"),
    "half a character in a name": altered(who="\ud800"),
    "a name with a line's end": altered(who="a\nb"),
    "a name with a steering letter": altered(who="a\u202eb"),
    "a board above": altered(board="../b"),
    "a signature in capitals": altered(mac="A" * 64),
    "a signature that is none": altered(mac=None),
    "a command that is an object": altered(body={"do": "suspend"}),
    "a command too long": altered(body="x" * (MAX_BODY_LETTERS + 1)),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_no_command_is_malformed(name: str) -> None:
    """Nothing is guessed and nothing is repaired; the error holds one short line."""
    with pytest.raises(SigningError) as told:
        read_signed(SignedCommand, MALFORMED[name])
    assert told.value.code == "malformed"
    assert len(str(told.value)) <= 200
    assert str(told.value).isprintable()


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_what_json_does_not_know_is_no_number(word: str) -> None:
    """Python reads it all the same, unless it is told not to."""
    with pytest.raises(SigningError, match=f"{word} is no number"):
        read_object(f'{{"seconds":{word}}}')


def test_unsigned_and_too_large_have_names_of_their_own() -> None:
    """What the control socket takes is unsigned here; what is too long is not even read."""
    for data, code in ((b'{"do":"suspend"}', "unsigned"), (altered(mac=...), "unsigned")):
        with pytest.raises(SigningError) as told:
            read_signed(SignedCommand, data)
        assert told.value.code == code
    with pytest.raises(SigningError, match=f"more than {MAX_SIGNED_BYTES}") as told:
        read_signed(SignedCommand, altered() + b" " * MAX_SIGNED_BYTES)
    assert told.value.code == "too_large"


@given(st.binary(max_size=300) | st.text(max_size=100).map(str.encode))
def test_any_bytes_are_an_object_or_an_error(data: bytes) -> None:
    """Nothing else comes out."""
    try:
        found = read_object(data)
    except SigningError:
        return
    assert isinstance(found, dict)


def test_a_key_shows_no_secret_and_signs_only_in_its_name() -> None:
    """Logs hold what `repr` says."""
    assert KEY.secret.hex() not in repr(KEY)
    assert repr(KEY.secret) not in repr(Keyring((KEY,)))
    with pytest.raises(ValueError, match="'board-b-1' cannot sign for 'other'"):
        command().model_copy(update={"key": "other"}).sealed(KEY)


@pytest.mark.parametrize(
    ("changes", "why"),
    [({"secret": b"short"}, "has 5 bytes"), ({"id": "A"}, "misnamed"), ({"board": "#"}, "misnamed")],
)
def test_what_is_no_key_is_refused(changes: dict[str, Any], why: str) -> None:
    """A short secret would be found, a wildcard would reach other boards."""
    fields = {"id": "k", "event": "e", "board": "b", "secret": bytes(32)}
    with pytest.raises(ValueError, match=why):
        Key(**{**fields, **changes})


def test_a_ring_gives_the_newest_key_of_a_board_that_still_opens_it() -> None:
    """Never that of another event or board, never a revoked one."""
    keys = [Key(f"k{n}", "e", "b", bytes([n] * 32), revoked=n == 3) for n in range(1, 4)]
    ring = Keyring((*keys, Key("k4", "e", "b2", bytes(32)), Key("k5", "e2", "b", bytes(32))))
    found = ring.of_board("e", "b")
    assert found is not None
    assert found.id == "k2"
    assert ring.of_board("e3", "b") is None
    assert ring.find("k3") is keys[2]
