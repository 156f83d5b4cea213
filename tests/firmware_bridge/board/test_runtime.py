"""What the runtime makes of the link's words, without a port."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.board.inputs import End, Suspend
from firmware_bridge.board.memory.journal import JournalError
from firmware_bridge.board.memory.records import News, Records
from firmware_bridge.board.runtime import BEHIND_S
from firmware_bridge.wire.records import join
from rules.game import Phase, PressId
from rules.position import Side
from rules.record.json_form import parse_record_json
from sensors import frames
from sensors.samples import ChannelStatus, Fault, FaultKind
from tests.firmware_bridge.board.test_table import settings
from tests.firmware_bridge.board.wired import BOOT, HELLO, NINES, SECOND, Wired, seated_at_b

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


@pytest.fixture
def wired(tmp_path: Path) -> Iterator[Wired]:
    """A board not yet plugged in."""
    board = Wired(tmp_path)
    yield board
    board.journal.close()


def kinds(wired: Wired) -> list[str]:
    """Return the kinds of what lies on disk."""
    return [str(record.event["kind"]) for record in wired.journal.records]


# --- durable first ------------------------------------------------------------------------------------


def test_a_press_is_on_disk_before_the_device_may_forget_it(
    wired: Wired, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the link nor the line hears of it earlier, whether it means anything or not."""
    link, order = wired.board._link, list[tuple[str, int]]()
    acknowledge = link.acknowledge

    def watched(*words: Any) -> None:
        order.append(("link", len(wired.journal.path.read_bytes().splitlines())))
        acknowledge(*words)

    def line(kind: int) -> None:
        if kind == frames.BUTTON_ACK:
            order.append(("line", len(wired.journal.path.read_bytes().splitlines())))

    async def scene() -> None:
        await wired.plugged()
        before = wired.journal.seq
        monkeypatch.setattr(link, "acknowledge", watched)
        wired.port.on_frame = line
        await wired.press(1, 0, SECOND)
        await wired.let_go(2, 0, SECOND + 1)
        assert order == [
            ("link", before + 1),
            ("line", before + 1),
            ("link", before + 2),
            ("line", before + 2),
        ]

    asyncio.run(scene())
    assert wired.port.acknowledged() == [1, 2]


@pytest.mark.parametrize("down", [True, False])
def test_while_the_journal_refuses_the_device_keeps_its_presses(
    wired: Wired, monkeypatch: pytest.MonkeyPatch, *, down: bool
) -> None:
    """Nothing is acknowledged, shown or published of it; once the disk gives in, all of it is."""
    monkeypatch.setattr("firmware_bridge.board.table.RETRY_S", 0.0)
    append: Callable[..., Awaitable[Any]] = wired.journal.append
    refusing, refused = asyncio.Event(), asyncio.Semaphore(0)

    async def refuse(*words: Any, **more: Any) -> Any:
        if refusing.is_set():
            refused.release()
            raise JournalError("the card is full")
        return await append(*words, **more)

    async def scene() -> None:
        await wired.plugged()
        monkeypatch.setattr(wired.journal, "append", refuse)
        sent, told = len(wired.port.sent), wired.published.notified
        refusing.set()
        pressing = asyncio.create_task((wired.press if down else wired.let_go)(1, 0, SECOND))
        for _ in range(3):
            await refused.acquire()
        assert not pressing.done()
        assert len(wired.port.sent) == sent
        assert wired.published.notified == told
        assert [note.code for note in wired.published.states[-1].watch.notes] == ["journal"]
        refusing.clear()
        await pressing

    asyncio.run(scene())
    assert wired.port.acknowledged() == [1]
    assert kinds(wired)[-1] == "press_taken"
    assert "journal" not in [note.code for note in wired.published.states[-1].watch.notes]


# --- what the link says -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "sensed", "phase"),
    [
        (FaultKind.MALFORMED, "matches", Phase.PLAYING),
        (FaultKind.CHANNEL_COUNT, "unreadable", Phase.PLAYING),
        (FaultKind.INCOMPATIBLE, "no_device", Phase.PLAYING),
        (FaultKind.PRESSES_LOST, "matches", Phase.SUSPENDED),
    ],
)
def test_each_fault_of_the_link_has_its_consequence(
    wired: Wired, kind: FaultKind, sensed: str, phase: Phase
) -> None:
    """One bad frame is no lost device; a lost press stops the clocks."""

    async def scene() -> None:
        await wired.playing()
        await wired.board._link_events([Fault(kind, None, words="so it is")])

    asyncio.run(scene())
    assert wired.table.session.watch.sensed == sensed
    assert wired.table.session.game.phase is phase
    if phase is Phase.SUSPENDED:
        assert wired.published.states[-1].pause == "presses_lost"
        assert wired.port.dials().running == 0


def test_presses_that_the_device_no_longer_keeps_stop_the_clocks(wired: Wired) -> None:
    """As they are found out: a number jumps, and what lies between never comes."""

    async def scene() -> None:
        await wired.playing()
        await wired.hello(HELLO._replace(next_event=5, uptime_us=4 * SECOND))
        later = wired.board._link._now_us + 60 * SECOND
        await wired.board._link_events(wired.board._link.poll(later))

    asyncio.run(scene())
    assert wired.table.session.game.phase is Phase.SUSPENDED
    assert wired.table.session.game.suspended_reason == "presses_lost"


@pytest.mark.parametrize("other", [HELLO._replace(board_id="c"), HELLO._replace(channels=19)])
def test_a_device_that_the_calibration_is_not_of_is_not_listened_to(
    wired: Wired, other: frames.Hello
) -> None:
    """No load, no press and no clock of it: its cells would be counted with another board's numbers."""

    async def scene() -> None:
        await wired.plugged(other)
        await wired.show(NINES[: other.channels], SECOND // 10, 2 * SECOND)
        await wired.press(1, 0, 2 * SECOND)

    asyncio.run(scene())
    watch = wired.table.session.watch
    assert watch.sensed == "no_device"
    assert [note.detail.startswith("the calibration ") for note in watch.notes] == [True]
    assert kinds(wired) == ["host_started", "game_assigned", "setup_started"]
    assert wired.port.acknowledged() == []
    assert wired.port.of(frames.CLOCK) == []
    assert [meta.device for meta in wired.published.metas] == []


def test_the_right_device_after_a_wrong_one_is_read(wired: Wired) -> None:
    """Somebody plugged the neighbour's cable, and then his own."""

    async def scene() -> None:
        await wired.plugged(HELLO._replace(board_id="c", boot_id=4))
        await wired.hello(HELLO)
        await wired.show(NINES, SECOND // 10, 2 * SECOND)

    asyncio.run(scene())
    assert wired.table.session.watch.sensed == "matches"
    assert kinds(wired)[-1] == "setup_checked"


# --- the dials ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", ["a", "b"])
def test_each_dial_shows_the_time_of_whoever_sits_before_it(tmp_path: Path, seat: str) -> None:
    """Bastaushy thinks for half a second and presses: his own dial says so, whichever side is his."""
    wired = Wired(tmp_path, None if seat == "a" else seated_at_b(tmp_path))
    own = 0 if seat == "a" else 1

    async def scene() -> None:
        await wired.playing()
        dials = wired.port.dials()
        assert (dials.running, dials.armed) == (own + 1, 1)
        assert dials.at_us == 3 * SECOND
        await wired.press(3, own, 3 * SECOND + SECOND // 2)

    asyncio.run(scene())
    wired.journal.close()
    dials = wired.port.dials()
    assert dials.running == 2 - own
    assert dials.at_us == 3 * SECOND + SECOND // 2
    assert dials.remaining_ms[own] == 604_500
    assert dials.remaining_ms[1 - own] == 600_000
    assert dials.increment_ms == (5_000, 5_000)


def test_the_dials_hear_which_presses_are_counted_in(wired: Wired) -> None:
    """The device applies every later one again, so a number too low would switch it twice."""

    async def scene() -> None:
        await wired.playing()
        assert wired.port.dials().events_seen == 2
        await wired.press(3, 0, 4 * SECOND)
        assert wired.port.dials().events_seen == 3
        await wired.let_go(4, 0, 5 * SECOND)
        await wired.press(5, 1, 6 * SECOND)
        assert wired.port.dials().events_seen == 5

    asyncio.run(scene())


def test_a_device_that_has_restarted_counts_its_presses_anew(wired: Wired) -> None:
    """With the old count its next presses would not switch its dials."""

    async def scene() -> None:
        await wired.playing()
        await wired.press(3, 0, 4 * SECOND)
        await wired.hello(HELLO._replace(boot_id=BOOT + 1))

    asyncio.run(scene())
    dials = wired.port.dials()
    assert (dials.events_seen, dials.running, dials.armed) == (0, 0, 0)
    assert wired.table.session.game.phase is Phase.SUSPENDED


def test_a_program_started_again_knows_which_presses_are_counted_in(tmp_path: Path) -> None:
    """From its journal: the device tells them again only if they were never acknowledged."""
    wired = Wired(tmp_path)
    asyncio.run(wired.playing())
    wired.journal.close()
    again = Wired(tmp_path)
    asyncio.run(again.plugged(HELLO._replace(next_event=3, uptime_us=5 * SECOND)))
    again.journal.close()
    assert again.table.last_press == PressId(BOOT, 2)
    assert again.port.dials().events_seen == 2
    assert again.port.dials().running == 1


# --- the plan -----------------------------------------------------------------------------------------


def test_a_board_without_a_game_is_given_the_planned_one(wired: Wired) -> None:
    """Once: asked again, nothing changes."""

    async def scene() -> None:
        await wired.board._assign_if_free()
        first = wired.table.session.game.game_id
        await wired.board._assign_if_free()
        assert wired.table.session.game.game_id == first

    asyncio.run(scene())
    assert kinds(wired) == ["game_assigned", "setup_started"]
    assert wired.table.session.game.names == ("x", "y")


@pytest.mark.parametrize("stage", ["playing", "suspended", "ended"])
def test_a_game_begun_is_not_replaced_by_another_plan(tmp_path: Path, stage: str) -> None:
    """Whoever edits the configuration and restarts the program loses no game by it."""
    wired = Wired(tmp_path)

    async def scene() -> None:
        await wired.playing()
        now_us = wired.table.timeline.latest_us
        if stage == "suspended":
            await wired.table.take(Suspend(now_us, "arbiter"))
        if stage == "ended":
            await wired.table.take(End(now_us, "1-0", "resignation"))

    asyncio.run(scene())
    wired.journal.close()
    told = settings(tmp_path)
    again = Wired(tmp_path, replace(told, plan=replace(told.plan, names=("p", "q"))))
    asyncio.run(again.plugged(HELLO._replace(next_event=3, uptime_us=5 * SECOND)))
    again.journal.close()
    assert again.table.session.game.names == ("x", "y")
    assert again.table.session.game.phase.value == stage
    assert kinds(again).count("game_assigned") == 1


def test_a_game_not_begun_gives_way_to_another_plan(tmp_path: Path) -> None:
    """The names were wrong, the file was mended, the program started again."""
    wired = Wired(tmp_path)
    asyncio.run(wired.plugged())
    wired.journal.close()
    told = settings(tmp_path)
    again = Wired(tmp_path, replace(told, plan=replace(told.plan, names=("p", "q"))))
    asyncio.run(again.board._assign_if_free())
    again.journal.close()
    assert again.table.session.game.names == ("p", "q")
    assert kinds(again)[-3:] == ["game_released", "game_assigned", "setup_started"]


def test_a_game_that_the_hall_gave_outlives_a_restart(tmp_path: Path) -> None:
    """The file's own names must not take it away: the hall knows of no other game here."""
    wired = Wired(tmp_path)

    async def scene() -> None:
        await wired.plugged()
        given = {"bastaushy": "x", "qostaushy": "y", "seat": "b", "control": "7m"}
        assert await wired.board._command({"do": "assign", "game": "r1-b1", **given}) == {"ok": True}

    asyncio.run(scene())
    wired.journal.close()
    again = Wired(tmp_path, settings(tmp_path))
    asyncio.run(again.board._assign_if_free())
    again.journal.close()
    assert (again.table.session.game.game_id, again.table.session.game.starter_seat) == ("r1-b1", "b")


# --- the loop -----------------------------------------------------------------------------------------


def test_the_arbiter_is_answered_in_words_and_in_turn(wired: Wired) -> None:
    """A refusal changes nothing; what is obeyed reaches the dials."""

    async def ask(**request: str | int) -> dict[str, Any]:
        answering = asyncio.create_task(wired.board._answer(request))
        work = await wired.board._inbox.get()
        await work()
        return await answering

    async def scene() -> None:
        await wired.playing()
        refused = await ask(do="dance")
        assert (refused["ok"], "known are: status, trace, survey, calibrate, start" in refused["why"]) == (
            False,
            True,
        )
        refused = await ask(do="start")
        assert "not possible" in refused["why"]
        assert (refused["code"], refused["phase"]) == ("phase", "playing")
        assert refused["watch"]["notes"] == []
        unmoved = (await ask(do="enter", moves="9-9"))["move"]
        assert (unmoved["kind"], unmoved["number"], unmoved["position"]["kazans"]) == ("illegal", 9, [0, 0])
        assert await ask(do="adjust", side="bastaushy", seconds=-60, reason="2.4.8") == {"ok": True}
        assert wired.port.dials().remaining_ms == (540_000, 600_000)
        assert "no dial shows less" in (await ask(do="adjust", side="bastaushy", seconds=-541))["why"]
        assert await ask(do="clock", qostaushy="9m30s") == {"ok": True}
        assert wired.port.dials().remaining_ms == (540_000, 570_000)
        assert await ask(do="suspend", reason="tea") == {"ok": True}
        assert wired.port.dials().running == 0
        status = await ask(do="status")
        assert (status["state"]["phase"], status["state"]["pause"]) == ("suspended", "tea")

    asyncio.run(scene())


# --- records ------------------------------------------------------------------------------------------


def test_a_game_that_has_ended_is_told_whole_and_told_again_by_the_next_start(
    wired: Wired, tmp_path: Path
) -> None:
    """The same bytes from the journal alone."""

    async def scene() -> None:
        await wired.playing()
        assert wired.published.records == []
        await wired.board._take(End(wired.table.timeline.latest_us, "1-0", "resignation"))

    asyncio.run(scene())
    ((game, parts),) = wired.published.records
    assert (game, parts[0].parts) == ("b-1", len(parts))
    assert parse_record_json(join(parts)).reason == "resignation"
    wired.journal.close()
    again = Wired(tmp_path)
    again.board._announcer.records()
    again.journal.close()
    assert again.published.records == [(game, parts)]


def test_a_record_that_cannot_be_made_is_logged_and_takes_nothing_away(
    wired: Wired, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An earlier one is better than none."""
    monkeypatch.setattr(Records, "news", lambda _self: [News("g1", trouble="no reason"), News("g0")])
    wired.board._announcer.records()
    assert wired.published.records == [("g0", ())]
    assert "game g1: its record cannot be told, please report it: no reason" in caplog.text


def test_a_board_that_is_behind_its_device_says_so_once(
    wired: Wired, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever waits for an answer learns that the machine is too busy, not that the board is gone."""
    heard_s = time.monotonic()
    for late_s in (0.0, BEHIND_S + 1, BEHIND_S + 9):
        asyncio.run(wired.board._received(b"", heard_s - late_s))
    assert [record.getMessage()[:35] for record in caplog.records] == ["the board is 4 s behind its device:"]


# --- what is broken -----------------------------------------------------------------------------------


def test_a_broken_cell_is_told_and_logged_once_however_often_hands_pass(
    wired: Wired, caplog: pytest.LogCaptureFixture
) -> None:
    """Lifting and laying stones beside it makes no new breaking of it."""
    broken = [0] * 20
    broken[3] = ChannelStatus.SATURATED.value

    async def scene() -> None:
        await wired.playing()
        now_us = 4 * SECOND
        for hand in range(12):
            stones = [9, 9 * (hand % 2), *[9] * 16, 0, 0]
            for tick in range(8):
                raw = tuple(1000 * number + tick * 7 % 5 for number in stones)  # no converter is so calm
                await wired._frame(frames.DATA, frames.pack_data(frames.Data(now_us, tuple(broken), raw)))
                now_us += SECOND // 10
                wired.board._announcer.state()

    asyncio.run(scene())
    told = [[note.code for note in state.watch.notes] for state in wired.published.states[-80:]]
    assert all(codes[:1] == ["unreadable"] for codes in told)
    assert wired.published.states[-1].watch.notes[0].channel == 3
    lines = [record.getMessage() for record in caplog.records if "saturated" in record.getMessage()]
    assert lines == ["unreadable: bastaushy 4: channel 3: saturated: overload, or a wire of the cell is open"]
