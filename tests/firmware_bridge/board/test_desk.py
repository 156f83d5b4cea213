"""Signed commands at a table: done like those of the socket, once, and answered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from firmware_bridge.board.desk import Desk
from firmware_bridge.wire.command_line import CommandLine
from firmware_bridge.wire.signing import WITHOUT_PLY, Ack, SignedCommand
from rules.errors import RulesError
from rules.game import Phase
from tests.firmware_bridge.board.wired import Wired
from tests.firmware_bridge.wire.signed import KEY, NONCE, command, gate

T = TypeVar("T")


async def at_once(work: Callable[[], Awaitable[T]]) -> T:
    """Do a piece of work, for nothing else is to be done."""
    return await work()


@pytest.fixture
def wired(tmp_path: Path) -> Iterator[Wired]:
    """A board not yet plugged in, which is commanded on a line."""
    board = Wired(tmp_path, line=CommandLine(gate()))
    yield board
    board.journal.close()


def line_of(wired: Wired) -> CommandLine:
    """Return the line of a board."""
    line = wired.board._line
    assert isinstance(line, CommandLine)
    return line


def desk_of(wired: Wired) -> Desk:
    """Return a desk as the board makes it."""
    return Desk(line_of(wired), wired.board._command, lambda: len(wired.table.session.game.plies))


def played(wired: Wired, *commands: SignedCommand) -> list[Ack]:
    """Start a game, carry these out, and return the answers."""

    async def scene() -> list[Ack]:
        await wired.playing()
        desk = desk_of(wired)
        return [await desk.one(each, at_once) for each in commands]

    return asyncio.run(scene())


def body(**words: Any) -> str:
    """Return the body of a command."""
    return json.dumps(words)


def test_a_signed_command_does_what_the_socket_does_and_is_answered(wired: Wired) -> None:
    """It is on disk before it is answered, with the ply that is played then."""
    (ack,) = played(wired, command(ply=0, body=body(do="enter", moves="7:6 9-8")))
    assert (ack.code, ack.ply, ack.detail) == ("accepted", 2, "")
    assert ack.is_of(KEY)
    game = wired.table.session.game
    assert [ply.text for ply in game.plies] == ["7:6", "9-8"]
    assert [record.event["kind"] for record in wired.journal.records][-2:] == ["move_played"] * 2


def test_who_decided_is_whom_the_key_speaks_for(wired: Wired) -> None:
    """Whatever the body says of it: it stands in the journal."""
    signed = command(ply=0, body=body(do="end", score="1-0", reason="flag", by="somebody else"))
    played(wired, signed)
    events = [record.event for record in wired.journal.records]
    assert [event["by"] for event in events if event["kind"] == "game_ended"] == [signed.who]


def test_the_same_command_once_more_is_answered_the_same_and_not_done_twice(wired: Wired) -> None:
    """An arbiter's five minutes are five, though the answer was lost."""
    sent = command(body=body(do="adjust", side="both", seconds=300, reason="2.7.14"))
    first, again = played(wired, sent, sent)
    assert first.code == "accepted"
    assert again == first
    kinds = [record.event["kind"] for record in wired.journal.records]
    assert kinds.count("clock_adjusted") == 1
    assert line_of(wired).refusals.counts == {"repeated": 1}  # who plays it off must not fill the log


def test_a_command_for_a_ply_that_has_passed_changes_nothing(wired: Wired) -> None:
    """Nor does it when that ply is not yet reached."""
    late = command(ply=1, body=body(do="enter", moves="7:6"))
    (ack,) = played(wired, late)
    assert (ack.code, ack.ply) == ("wrong_ply", 0)
    assert wired.table.session.game.plies == ()
    assert line_of(wired).refusals.counts == {"wrong_ply": 1}


@pytest.mark.parametrize("words", [{"do": "enter", "moves": "7:6"}, {"do": "end", "score": "1-0"}])
def test_what_changes_the_game_must_name_its_ply(wired: Wired, words: dict[str, Any]) -> None:
    """Its giver saw a position, and it is meant for that one."""
    refused, accepted = played(
        wired, command(ply=None, body=body(**words)), command(seq=2, ply=0, body=body(**words))
    )
    assert (refused.code, accepted.code) == ("ply_needed", "accepted")


@pytest.mark.parametrize("do", sorted(WITHOUT_PLY))
def test_what_does_not_holds_at_any(wired: Wired, do: str) -> None:
    """Whatever the table says to it, it is not the ply."""
    words = {"side": "both", "seconds": 60} if do == "adjust" else {"bastaushy": "5m"}
    if do == "assign":
        words = {"game": "r1-b1", "bastaushy": "x", "qostaushy": "y", "seat": "a", "control": "7m"}
    (ack,) = played(wired, command(ply=None, body=body(do=do, **words)))
    assert ack.code in ("accepted", "phase")


def test_a_command_that_is_not_known_needs_a_ply_too() -> None:
    """So one that is added later is on the safe side until somebody thinks about it."""
    assert set(WITHOUT_PLY) == {"assign", "start", "suspend", "resume", "adjust", "clock", "release"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "no JSON object"),
        ("{]", "no JSON"),
        ('{"do":"suspend","do":"end"}', "a name stands there twice"),
        ('{"do":"dance"}', "'dance'` is no command"),
        ('{"do":["suspend"]}', "is no command"),
        ('{"do":"status"}', "'status'` is no command"),
        ('{"do":"trace"}', "'trace'` is no command"),
        ('{"do":"end","score":"2-0"}', "is no result"),
        ('{"do":"adjust","side":"both","seconds":1e999}', "is no time"),
    ],
)
def test_a_body_that_says_nothing_is_refused_with_the_reason(wired: Wired, text: str, why: str) -> None:
    """It is signed, so its giver is told; nothing has changed."""
    before: list[int] = []

    async def scene() -> Ack:
        await wired.playing()
        before.append(wired.journal.seq)
        return await desk_of(wired).one(command(ply=0, body=text), at_once)

    ack = asyncio.run(scene())
    assert ack.code == "no_command"
    assert why in ack.detail
    assert wired.journal.seq == before[0]


def test_what_the_table_refuses_is_told_with_its_code(wired: Wired) -> None:
    """As on the socket."""
    (ack,) = played(wired, command(body=body(do="resume")))
    assert ack.code == "phase"
    assert ack.detail != ""


@pytest.mark.parametrize(
    ("sent", "code"),
    [(command(nonce="1" * 32), "stale_nonce"), (command(boot_id="1" * 32), "stale_nonce")],
)
def test_a_command_of_a_former_boot_changes_nothing_and_is_reported(
    wired: Wired, sent: SignedCommand, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    """It is answered, for its giver is known; log and counts have it."""
    (ack,) = played(wired, sent)
    assert ack.code == code
    assert wired.table.session.game.phase is Phase.PLAYING
    assert line_of(wired).refusals.counts == {code: 1}
    assert f"command refused: {code}: " in caplog.text


def test_a_number_that_was_used_changes_nothing(wired: Wired) -> None:
    """Whichever command it was used for."""
    resumed, replayed = played(
        wired, command(seq=2, body=body(do="resume")), command(seq=2, body=body(do="suspend"))
    )
    assert (resumed.code, replayed.code, replayed.last) == ("phase", "replayed", 2)
    assert wired.table.session.game.phase is Phase.PLAYING


def test_a_rule_that_breaks_is_answered_too(wired: Wired) -> None:
    """Nobody waits for ever."""

    async def broken(_: dict[str, Any]) -> dict[str, Any]:
        raise RulesError("that cannot be")

    desk = Desk(line_of(wired), broken, lambda: 7)
    ack = asyncio.run(desk.one(command(ply=7), at_once))
    assert (ack.code, ack.detail, ack.ply) == ("failed", "that cannot be", 7)


def test_the_meta_says_what_a_command_must_name(wired: Wired) -> None:
    """A board without keys says nothing of it."""

    async def scene() -> None:
        await wired.plugged()

    asyncio.run(scene())
    offer = wired.published.metas[-1].commands
    assert offer is not None
    assert offer.nonce == NONCE


def test_refusals_are_told_as_a_diagnosis_but_seldom(wired: Wired) -> None:
    """With all counts, and once for many."""

    async def scene() -> None:
        await wired.plugged()
        for _ in range(100):
            line_of(wired).refusals.add("unsigned", "no mac")
            await wired.board._tick()

    asyncio.run(scene())
    (diag,) = wired.published.diags
    assert diag.values == {"commands_unsigned": 1}


def test_commands_take_their_turn_among_samples_one_at_a_time(wired: Wired) -> None:
    """However many wait, the board's queue holds one of them."""
    line = line_of(wired)

    async def scene() -> None:
        await wired.plugged()
        serving = asyncio.create_task(desk_of(wired).serve(wired.board._inbox.in_turn))
        for number in range(1, 6):
            line._waiting.put_nowait(command(seq=number))
        for number in range(1, 6):
            for _ in range(20):
                await asyncio.sleep(0)
            assert wired.board._inbox.qsize() == 1
            await (await wired.board._inbox.get())()
            assert line.gate._last[KEY.id] == number
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    asyncio.run(scene())


def test_a_request_on_the_socket_that_breaks_a_rule_is_answered(
    wired: Wired, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has waited for ever once, for the loop alone heard of it."""

    async def broken(_: dict[str, Any]) -> dict[str, Any]:
        raise RulesError("that cannot be")

    async def scene() -> dict[str, Any]:
        monkeypatch.setattr(wired.board, "_command", broken)
        asking = asyncio.create_task(wired.board._answer({"do": "start"}))
        work = await wired.board._inbox.get()
        with pytest.raises(RulesError):
            await work()
        async with asyncio.timeout(10):
            return await asking

    assert asyncio.run(scene()) == {"ok": False, "why": "that cannot be"}
