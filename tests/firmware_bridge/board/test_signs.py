"""Buttons, lamps, sounds and the page of a running board: bytes in, frames and views out."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge.board.alerts import Alert, Alerts, Kind, Said
from firmware_bridge.board.incident_inputs import AnswerCall
from firmware_bridge.board.inputs import Watch
from firmware_bridge.board.memory.journal import Journal, JournalError
from firmware_bridge.board.settings import BoardSettings
from firmware_bridge.board.table import Table
from firmware_bridge.layout import Wiring
from firmware_bridge.wire.table_view import TableView
from rules.conduct.options import Conducts
from rules.game import PressId
from rules.position import Side
from sensors import frames
from tests.firmware_bridge.board.test_table import settings
from tests.firmware_bridge.board.wired import BOOT, HELLO, NINES, SECOND, Wired

BUTTONS = Wiring(button_call_a=3, button_call_b=4, button_draw_a=5, button_draw_b=6)
CALL_A, DRAW_A, DRAW_B = 3, 5, 6
NEW = HELLO._replace(
    minor=1, buttons=7, features=HELLO.features | frames.FEATURE_ARBITER_LAMP | frames.FEATURE_BUZZER
)
ATTENTION, ARBITER, SIDE_B = frames.LAMP_ATTENTION, frames.LAMP_ARBITER, frames.LAMP_SIDE_B


def told(folder: Path, **routes: set[str]) -> BoardSettings:
    """Return what a board with all buttons is told."""
    named = {name: frozenset(route) for name, route in routes.items()}
    return replace(settings(folder), wiring=BUTTONS, routes=named)


def lenient(folder: Path) -> BoardSettings:
    """Return the same for an event that lets an offer stand at any moment."""
    found = told(folder)
    conduct = replace(found.plan.conducts.classical, misplaced_offer="stands")
    return replace(found, plan=replace(found.plan, conducts=Conducts.alike(conduct)))


def kinds(wired: Wired) -> list[str]:
    """Return the kinds of what lies on disk since the game began."""
    found = [str(record.event["kind"]) for record in wired.journal.records]
    return found[found.index("game_started") + 1 :]


def lit(wired: Wired) -> frames.Lamps:
    """Return what the lamps were told last."""
    return frames.unpack_lamps(wired.port.of(frames.LAMPS)[-1][1])


async def started(wired: Wired, hello: frames.Hello = NEW) -> None:
    """Begin a game on a device that says so of itself; the next press is the third."""
    await wired.plugged(hello)
    await wired.show(NINES, SECOND // 10, 2 * SECOND)
    for number, button in ((1, 0), (2, 1)):
        await wired.press(number, button, (1 + number) * SECOND)


async def told_again(wired: Wired) -> None:
    """Let the state be due, as it is every two seconds."""
    wired.board._announcer._told_at_s = 0.0
    await wired.board._tick()


def test_a_call_is_on_disk_with_its_press_before_the_device_may_forget_it(tmp_path: Path) -> None:
    """In one row, behind the stop of the dials: no power cut keeps one and loses the other."""
    wired = Wired(tmp_path, told(tmp_path))
    order: list[int] = []

    def line(kind: int) -> None:
        if kind == frames.BUTTON_ACK:
            order.append(len(wired.journal.path.read_bytes().splitlines()))

    async def scene() -> None:
        await started(wired)
        before = wired.journal.seq
        wired.port.on_frame = line
        await wired.press(3, CALL_A, 5 * SECOND)
        assert order == [before + 2]

    asyncio.run(scene())
    wired.journal.close()
    (event,) = [r.event for r in wired.journal.records if r.event["kind"] == "arbiter_called"]
    assert (event["side"], event["press"]) == ("bastaushy", {"boot": BOOT, "number": 3})
    assert wired.port.acknowledged()[-1] == 3


def test_a_program_started_again_calls_nobody_twice(tmp_path: Path) -> None:
    """The press comes again when its acknowledgement was lost; it is known by the call that names it."""
    wired = Wired(tmp_path, told(tmp_path))

    async def scene() -> None:
        await started(wired)
        await wired.press(3, CALL_A, 5 * SECOND)

    asyncio.run(scene())
    wired.journal.close()
    again = Wired(tmp_path, told(tmp_path))

    async def repeated() -> None:
        await again.plugged(NEW._replace(next_event=4, uptime_us=6 * SECOND))
        await again.press(3, CALL_A, 5 * SECOND)

    asyncio.run(repeated())
    again.journal.close()
    assert again.table.last_press == PressId(BOOT, 3)
    assert kinds(again).count("arbiter_called") == 1
    assert 3 in again.port.acknowledged()


def test_an_offer_torn_from_its_press_is_made_once(tmp_path: Path) -> None:
    """The power failed between the two rows: the press comes again, and the offer stands already."""
    wired = Wired(tmp_path, lenient(tmp_path))

    async def scene() -> None:
        await started(wired)
        await wired.press(3, DRAW_A, 5 * SECOND)

    asyncio.run(scene())
    assert kinds(wired)[-2:] == ["draw_offered", "press_taken"]
    wired.journal.close()
    lines = wired.journal.path.read_bytes().splitlines(keepends=True)
    wired.journal.path.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
    again = Wired(tmp_path, lenient(tmp_path))

    async def repeated() -> None:
        await again.plugged(NEW._replace(next_event=4, uptime_us=6 * SECOND))
        await again.press(3, DRAW_A, 5 * SECOND)

    asyncio.run(repeated())
    again.journal.close()
    assert again.table.session.game.draw_offers == (1, 0)
    assert again.table.session.game.draw_open is Side.BASTAUSHY
    assert kinds(again)[-1] == "press_taken"
    assert again.port.acknowledged()[-1] == 3


def test_a_draw_is_agreed_by_two_buttons_and_blinks_before_who_is_to_answer(tmp_path: Path) -> None:
    """The lamp of his side, until he has answered."""
    wired = Wired(tmp_path, lenient(tmp_path))

    async def scene() -> None:
        await started(wired)
        await wired.press(3, DRAW_A, 5 * SECOND)
        await told_again(wired)
        assert lit(wired) == frames.Lamps(0, SIDE_B)
        await wired.press(4, DRAW_B, 7 * SECOND)
        await told_again(wired)
        assert lit(wired) == frames.Lamps(0, 0)

    asyncio.run(scene())
    wired.journal.close()
    assert wired.table.session.game.result == "1/2-1/2"
    assert wired.port.acknowledged()[-1] == 4


def test_requirement_15_a_void_offer_is_told_to_who_made_it(tmp_path: Path) -> None:
    """His own lamp burns, the page says why, the hall's arbiter has it in the state; the press is kept."""
    wired = Wired(tmp_path, told(tmp_path))
    views: list[TableView] = []
    wired.board._signs.page = views.append

    async def scene() -> None:
        await started(wired)
        await wired.press(3, DRAW_B, 5 * SECOND)
        await told_again(wired)
        assert lit(wired) == frames.Lamps(SIDE_B, 0)
        wired.table.timeline.table_us(16 * SECOND)
        await told_again(wired)

    asyncio.run(scene())
    wired.journal.close()
    void = [view for view in views if [alert.kind for alert in view.alerts] == ["offer_void"]]
    assert {view.alerts[0].side for view in void} == {"qostaushy"}
    assert "offer_void" not in [alert.kind for alert in views[-1].alerts]
    assert lit(wired) == frames.Lamps(0, 0)
    assert kinds(wired)[0] == "press_taken"
    assert "draw_offered" not in kinds(wired)
    assert wired.port.acknowledged()[-1] == 3


def test_a_call_blinks_for_the_arbiter_until_he_has_come(tmp_path: Path) -> None:
    """And burns on the table, so that the player sees that it was heard; no sound unless it is configured."""
    wired = Wired(tmp_path, told(tmp_path))

    async def scene() -> None:
        await started(wired)
        await told_again(wired)
        await wired.press(3, CALL_A, 6 * SECOND)
        assert lit(wired) == frames.Lamps(ATTENTION, ARBITER)
        await wired.board._take(AnswerCall(at_us=7 * SECOND))
        wired.board._flush()
        assert lit(wired) == frames.Lamps(0, 0)

    asyncio.run(scene())
    wired.journal.close()
    assert wired.port.of(frames.BUZZER) == []


def test_what_may_sound_sounds_once(tmp_path: Path) -> None:
    """Not again with every state that is told."""
    wired = Wired(tmp_path, told(tmp_path, call={"sound"}))

    async def scene() -> None:
        await started(wired)
        await wired.press(3, CALL_A, 5 * SECOND)
        for _ in range(3):
            await told_again(wired)
        assert lit(wired) == frames.Lamps(0, 0)

    asyncio.run(scene())
    wired.journal.close()
    assert [frames.unpack_buzzer(payload) for _, payload in wired.port.of(frames.BUZZER)] == [
        frames.Buzzer(frames.SOUND_TONE, 300)
    ]


def test_a_device_of_before_hears_of_no_lamp_it_does_not_have(tmp_path: Path) -> None:
    """Its shared button calls all the same."""
    wired = Wired(tmp_path, told(tmp_path))

    async def scene() -> None:
        await started(wired, HELLO)
        await told_again(wired)
        await wired.press(3, 2, 6 * SECOND)

    asyncio.run(scene())
    wired.journal.close()
    assert kinds(wired)[-1] == "arbiter_called"
    assert lit(wired) == frames.Lamps(ATTENTION, 0)


def test_the_page_is_told_what_happens_and_that_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each state as it is published; a full card too, while the press waits."""
    wired = Wired(tmp_path, told(tmp_path))
    views: list[TableView] = []
    wired.board._signs.page = views.append
    monkeypatch.setattr("firmware_bridge.board.table.RETRY_S", 0.0)
    append = wired.journal.append
    full = [False]

    async def refuse(*words: object, **more: object) -> object:
        if full[0] and len(views) > 3:
            full[0] = False
        if full[0]:
            raise JournalError("the card is full")
        return await append(*words, **more)  # type: ignore[arg-type] # as it was called

    async def scene() -> None:
        await started(wired)
        assert views[-1].phase == "playing"
        monkeypatch.setattr(wired.journal, "append", refuse)
        views.clear()
        full[0] = True
        await wired.press(3, CALL_A, 5 * SECOND)

    asyncio.run(scene())
    wired.journal.close()
    assert "unsafe" in [alert.kind for alert in views[0].alerts]
    assert [alert.kind for alert in views[-1].alerts] == ["call"]


def test_a_board_started_again_after_a_ruling_knows_that_it_is_still_owed(tmp_path: Path) -> None:
    """From its journal."""
    wired = Wired(tmp_path, told(tmp_path))

    async def scene() -> None:
        await started(wired)
        assert await wired.board._command({"do": "rule", "decision": "restored"}) == {"ok": True}

    asyncio.run(scene())
    wired.journal.close()
    journal = Journal.open(tmp_path / "journal.jsonl")
    again = Table(told(tmp_path), journal)
    journal.close()
    assert again.ruled
    assert [alert.kind for alert in owing(again)] == [Kind.RESTORE]


def owing(table: Table) -> tuple[Alert, ...]:
    """Return what a board that has not looked yet tells of this table."""
    return Alerts().raised(table.session.game, Watch("moving"), Said(ruled=table.ruled))
