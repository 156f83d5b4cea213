"""The gate: who may command a board, and what is fresh."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from firmware_bridge.wire.gate import REMEMBERED, Accepted, Gate, Refused, Repeated
from firmware_bridge.wire.signing import ACCEPTED, Ack, SignedCommand
from tests.firmware_bridge.wire.signed import KEY, NONCE, OTHER, REVOKED, command, gate


def let_in(at: Gate, sent: SignedCommand) -> SignedCommand:
    """Let a command through the first question."""
    found = at.read(sent.written(), retained=False)
    assert isinstance(found, SignedCommand), found
    return found


def done(at: Gate, sent: SignedCommand, ply: int = 0) -> Ack:
    """Let a command in, take it, and answer that it was carried out."""
    found = let_in(at, sent)
    assert at.take(found, ply) == Accepted(sent)
    return at.answer(found, ply)


def test_a_signed_command_is_taken_once_and_answered_with_its_own_key() -> None:
    """The answer names the command, what came of it, and the last number."""
    at, sent = gate(), command(key=OTHER, seq=7)
    ack = done(at, sent)
    assert ack.is_of(OTHER)
    assert not ack.is_of(KEY)
    assert (ack.id, ack.answers, ack.seq, ack.code, ack.last) == (sent.id, sent.mac, 7, ACCEPTED, 7)


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (command(event="e2"), "foreign_event"),
        (command(board="b2"), "foreign_board"),
        (command(key=REVOKED), "unknown_key"),
        (command(sign_with=OTHER), "bad_signature"),
        (command().model_copy(update={"key": "nobodys"}), "unknown_key"),
        (command().model_copy(update={"mac": "0" * 64}), "bad_signature"),
    ],
)
def test_who_has_no_key_is_refused_and_uses_no_number_up(sent: SignedCommand, code: str) -> None:
    """Whatever he claims: the next command of the true holder is taken."""
    at = gate()
    refused = at.read(sent.written(), retained=False)
    assert isinstance(refused, Refused)
    assert refused.code == code
    done(at, command())


def test_a_retained_command_is_none_however_well_it_is_signed() -> None:
    """The broker may have kept it for days."""
    refused = gate().read(command().written(), retained=True)
    assert isinstance(refused, Refused)
    assert refused.code == "retained"


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data: bytes) -> None:
    """And nothing is raised."""
    assert isinstance(gate().read(data, retained=False), Refused)


def test_the_same_command_once_more_gets_the_same_answer() -> None:
    """It is not done twice, even when others came in between."""
    at, first = gate(), command()
    ack = done(at, first)
    done(at, command(seq=2))
    assert at.take(let_in(at, first), 5) == Repeated(first, ack)


@pytest.mark.parametrize("seq", [1, 4, 5])
def test_another_command_of_a_used_number_is_replayed(seq: int) -> None:
    """A gap is none: what was not sent after all is never due any more."""
    at = gate()
    done(at, command(seq=5))
    refused = at.take(let_in(at, command(seq=seq)), 0)
    assert isinstance(refused, Refused)
    assert (refused.code, refused.detail) == ("replayed", f"number {seq} is used up; the last was 5")
    done(at, command(seq=6))


def test_each_key_has_numbers_of_its_own() -> None:
    """Two halls do not wait for each other."""
    at = gate()
    done(at, command(seq=9))
    done(at, command(key=OTHER, seq=1))


@pytest.mark.parametrize("former", [{"boot_id": "1" * 32}, {"nonce": "1" * 32}])
def test_a_command_of_a_former_start_is_stale_in_the_next(former: dict[str, Any]) -> None:
    """Whole as it is: boot and nonce are drawn anew each time, so nothing heard can be used again."""
    sent = command(**former)
    before = gate(**{"boot_id": "b0" * 16, "nonce": NONCE, **former})
    done(before, sent)
    after = gate()
    refused = after.take(let_in(after, sent), 0)
    assert isinstance(refused, Refused)
    assert refused.code == "stale_nonce"
    done(after, command())


def test_a_command_for_another_ply_is_used_up_by_its_refusal() -> None:
    """It must not be let in again when that ply has come."""
    at, sent = gate(), command(ply=4)
    refused = at.take(let_in(at, sent), 3)
    assert refused == Refused("wrong_ply", "it is for ply 4, and 3 were played")
    ack = at.answer(sent, 3, "wrong_ply")
    assert at.take(let_in(at, sent), 4) == Repeated(sent, ack)
    fresh = gate()
    fresh.take(let_in(fresh, sent), 3)
    again = fresh.take(let_in(fresh, sent), 4)  # and if the answer never got so far
    assert isinstance(again, Refused)
    assert again.code == "replayed"


def test_a_command_that_holds_at_any_ply_names_none() -> None:
    """None is not ply 0."""
    at = gate()
    done(at, command(ply=None), ply=40)


def test_answers_are_kept_within_bounds_and_refused_ones_crowd_nobody_out() -> None:
    """Somebody who plays old commands off must not make a board forget the last ones."""
    at, first = gate(), command()
    ack = done(at, first)
    for number in range(2 * REMEMBERED):
        old = command(nonce="1" * 32, seq=number + 1)
        refused = at.take(let_in(at, old), 0)
        assert isinstance(refused, Refused)
        at.answer(old, 0, refused.code)
    assert at.take(let_in(at, first), 0) == Repeated(first, ack)
    for number in range(REMEMBERED):
        done(at, command(seq=number + 2))
    forgotten = at.take(let_in(at, first), 0)
    assert isinstance(forgotten, Refused)
    assert forgotten.code == "replayed"


def test_the_offer_names_what_a_command_must_and_the_keys_that_open() -> None:
    """A revoked key is not among them."""
    offer = gate().offer
    assert (offer.boot_id, offer.nonce, offer.keys) == ("b0" * 16, NONCE, (KEY.id, OTHER.id))


@pytest.mark.parametrize("word", ["", "short", "G" * 32])
def test_a_start_without_a_proper_nonce_is_none(word: str) -> None:
    """It would be known at the table's first word, not in the middle of a game."""
    with pytest.raises(ValidationError):
        gate(nonce=word)


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 2), st.booleans()), max_size=30))
def test_no_number_is_ever_carried_out_twice(tries: list[tuple[int, int, bool]]) -> None:
    """Whatever comes in whatever order, answered or not."""
    at, carried_out = gate(), []
    commands: dict[Any, SignedCommand] = {}
    for seq, ply, answers in tries:
        sent = commands.setdefault((seq, ply), command(seq=seq, ply=ply))
        if isinstance(at.take(let_in(at, sent), 1), Accepted):
            carried_out.append(seq)
            if answers:
                at.answer(sent, 1)
    assert carried_out == sorted(set(carried_out))
