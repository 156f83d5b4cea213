"""The event's law at the arbiters' desk: the ladder, repeated offences, lateness, signatures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.hall.console import event_orders
from firmware_bridge.hall.console.desk import Desk, wall_ms
from firmware_bridge.hall.console.event import unsigned_of
from firmware_bridge.hall.console.orders import OrderError
from firmware_bridge.hall.ledger.people import enter
from firmware_bridge.wire.mqtt import Received
from rules.conduct.options import BLITZ, CLASSICAL, RAPID, SowingPolicy
from rules.control_text import parse_control
from rules.events import ClockAdjusted, GameAssigned, GameEnded
from rules.game import ResultConfirmed
from rules.incidents import GameAdjourned, InfractionClosed, InfractionSeen
from rules.position import Side
from rules.tournament.entries import Entry
from tests.firmware_bridge.hall.console.desks import (
    CHIEF,
    GAME,
    LINE,
    OTHER,
    assigned,
    desk_in_play,
    order,
)
from tests.firmware_bridge.hall.console.scenes import SEEN
from tests.firmware_bridge.hall.plays import NAMES, message, state

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
WARN: dict[str, Any] = {"do": "warn", "side": "bastaushy", "article": "2.3.9", "reason": "disturbed"}
RULE: dict[str, Any] = {"do": "rule", "decision": "corrected", "number": 7}
MINUTES = 60_000


def seen(number: int = 1, side: Side = B) -> InfractionSeen:
    """Return a missed capture."""
    return InfractionSeen(
        at_us=5, infraction=number, side=side, faults=("capture_not_taken",), evidence=SEEN["evidence"]
    )


def first_offer(desk: Desk) -> dict[str, Any]:
    """Return the button that stands first for the infraction that waits."""
    (waiting,) = [each for each in desk.view("b01")["infractions"] if each["settled"] is None]
    offers: list[dict[str, Any]] = waiting["drawn"]["offers"]
    assert [offer["proposed"] for offer in offers] == [True] + [False] * (len(offers) - 1)
    return offers[0]


# --- the ladder (45, 46) --------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_requirement_45_the_next_step_is_proposed_over_all_games_of_the_event(tmp_path: Path) -> None:
    """The third comes before the panel, the fourth stands against the representative, each by 2.4.6."""
    async with desk_in_play(tmp_path) as (at, board):
        await at.ledger.do(lambda db: enter(db, [Entry(name=NAMES[0], representative="Жаттықтырушы")], 1))
        await at.refresh()
        steps = []
        for number in range(1, 5):
            steps.append(at.view("b01")["ladder"][0])
            await order(at, LINE, WARN, key=f"order-{number:04}")
            if number == 2:
                await assigned(board, "r2-b01")  # another game, another round
                await assigned(board)
        assert [step["level"] for step in steps] == [1, 2, 3, 4]
        assert {tuple(step["articles"]) for step in steps} == {("2.4.6",)}
        assert [step["to_panel"] for step in steps] == [False, False, True, False]
        assert [step["against"] for step in steps] == ["", "", "", "Жаттықтырушы"]
        assert [(each.level, each.against) for each in at.warnings] == [
            (1, ""), (2, ""), (3, ""), (4, "Жаттықтырушы"),
        ]  # fmt: skip
        fifth = at.view("b01")["ladder"][0]
        assert (fifth["level"], fifth["decider"], fifth["code"]) == (5, "panel", "warning_expulsion")
        assert [step["level"] for step in at.view("b01")["ladder"]] == [5, 1]


@pytest.mark.asyncio
async def test_requirement_45_the_fifth_step_is_given_by_nobody_but_the_panel(tmp_path: Path) -> None:
    """Also where the order names no step, and the ladder is what says that it is the fifth."""
    async with desk_in_play(tmp_path) as (at, board):
        for number in range(1, 5):
            await order(at, LINE, WARN, key=f"order-{number:04}")
        told = len(board.told)
        with pytest.raises(OrderError, match="line may not warn"):
            await order(at, LINE, WARN, key="order-0005")
        assert len(board.told) == told
        assert (await order(at, CHIEF, WARN, key="order-0006")).outcome == "accepted"
        assert at.warnings[-1].level == 5


@pytest.mark.asyncio
async def test_requirement_45_within_what_warnings_add_up_is_the_events_choice(tmp_path: Path) -> None:
    """Within a game the ladder begins anew with the next."""
    async with desk_in_play(tmp_path, replace(CLASSICAL, warning_scope="game")) as (at, board):
        await order(at, LINE, WARN)
        assert at.view("b01")["steps"] == [2, 1]
        await assigned(board, "r2-b01")
        await event_orders.warn(at, {"person": NAMES[0], "article": "2.3.9"}, LINE)
        assert [each.level for each in at.warnings] == [1, 1]


@pytest.mark.asyncio
async def test_requirement_45_a_name_written_carelessly_is_the_same_person(tmp_path: Path) -> None:
    """Boards have names from their own files too, and a blank more makes nobody another one."""
    async with desk_in_play(tmp_path) as (at, board):
        await event_orders.warn(at, {"person": f" {NAMES[0]} "}, LINE)
        careless = NAMES[0].replace(" ", "  ")
        topic, data = message(state(0, names=(careless, NAMES[1]), seq=11))
        at.hub.take(Received(topic, data, retained=False))
        assert at.view("b01")["steps"] == [2, 1]
        given = GameAssigned(
            at_us=0,
            game_id="r3-b01",
            names=(careless, NAMES[1]),
            starter_seat="a",
            control=parse_control("1h"),
        )
        await board.tell(given, game="r3-b01")
        assert {each.bastaushy for each in at.fixtures} == {NAMES[0]}


@pytest.mark.asyncio
async def test_requirement_46_a_ruling_that_is_taken_back_takes_its_warning_back(tmp_path: Path) -> None:
    """By whoever gave it; the next step is again the one that it was, and the list keeps the line."""
    async with desk_in_play(tmp_path) as (at, _board):
        given = await order(at, LINE, RULE, WARN, key="order-0001")
        assert at.view("b01")["steps"] == [2, 1]
        assert given.undo is not None
        await order(at, LINE, *given.undo, key="order-0002", undoes="order-0001")
        assert at.view("b01")["steps"] == [1, 1]
        (kept,) = at.warnings
        assert (kept.ruling, kept.taken_back_by) == ("order-0001", LINE.name)
        again = await order(at, LINE, RULE, WARN, key="order-0003")
        assert again.outcome == "accepted"
        assert [each.taken_back is None for each in at.warnings] == [False, True]


@pytest.mark.asyncio
async def test_requirement_46_a_warning_heard_after_its_ruling_was_taken_back_counts_not(
    tmp_path: Path,
) -> None:
    """Orders and events come on two ways, and the event may be late."""
    async with desk_in_play(tmp_path) as (at, board):
        board.tells = False
        given = await order(at, LINE, RULE, WARN, key="order-0001")
        assert given.undo is not None
        await order(at, LINE, *given.undo, key="order-0002", undoes="order-0001")
        await board.catch_up()
        assert [each.taken_back_by for each in at.warnings] == [LINE.name]


@pytest.mark.asyncio
async def test_requirement_46_another_arbiter_takes_no_warning_back_with_a_ruling(tmp_path: Path) -> None:
    """Nor by itself; the chief panel may (2.4.8)."""
    async with desk_in_play(tmp_path) as (at, board):
        given = await order(at, LINE, RULE, WARN, key="order-0001")
        assert given.undo is not None
        told = len(board.told)
        with pytest.raises(OrderError) as refused:
            await order(at, OTHER, *given.undo, key="order-0002", undoes="order-0001")
        assert (refused.value.code, refused.value.articles) == ("another_arbiter", ("2.4.8",))
        assert len(board.told) == told
        with pytest.raises(OrderError) as refused:
            await event_orders.take_back_warning(at, at.warnings[0].key, {}, OTHER)
        assert (refused.value.code, refused.value.articles) == ("another_arbiter", ("2.4.8",))
        await order(at, CHIEF, *given.undo, key="order-0003", undoes="order-0001")
        assert at.warnings[0].taken_back_by == CHIEF.name


# --- illegal sowings (94) -------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_requirement_94_the_first_ruling_is_what_the_event_chose(tmp_path: Path) -> None:
    """Classical play stops the clocks and corrects; rapid restores while the clock runs."""
    async with desk_in_play(tmp_path / "classical") as (at, board):
        await board.tell(seen())
        offer = first_offer(at)
        assert (offer["code"], offer["warns"]) == ("corrected", True)
        assert [command["do"] for command in offer["commands"]] == ["suspend", "rule"]
        assert offer["articles"][:2] == ["1.3.2", "2.4.5"]
    async with desk_in_play(tmp_path / "rapid", RAPID) as (at, board):
        await board.tell(seen())
        offer = first_offer(at)
        assert (offer["code"], [command["do"] for command in offer["commands"]]) == ("restored", ["rule"])
        assert "2.9.7" in offer["articles"]


@pytest.mark.asyncio
async def test_requirement_94_a_second_offence_in_another_game_is_a_repeated_one(tmp_path: Path) -> None:
    """Where the event spares the first, the next of the same person is warned; dismissed ones count not."""
    conduct = replace(CLASSICAL, sowing=SowingPolicy(first_warns=False))
    async with desk_in_play(tmp_path, conduct) as (at, board):
        await board.tell(seen())
        assert not first_offer(at)["warns"]
        await board.tell(InfractionClosed(at_us=6, infraction=1, closing="dismissed", by="Марат", reason=""))
        await board.tell(seen(2))
        assert not first_offer(at)["warns"]
        await board.tell(InfractionClosed(at_us=7, infraction=2, closing="warned", by="Марат", reason=""))
        await board.tell(seen(3, Q))
        assert not first_offer(at)["warns"]  # his opponent's is his first
        await assigned(board, "r0-b01")
        await board.tell(InfractionClosed(at_us=7, infraction=9, closing="warned", by="Марат", reason=""))
        await assigned(board)
        await board.tell(seen(4))
        assert first_offer(at)["warns"]


@pytest.mark.asyncio
async def test_requirement_94_a_claim_that_comes_too_late_is_proposed_to_be_left(tmp_path: Path) -> None:
    """The opponent has completed his reply; the arbiter may restore all the same."""
    async with desk_in_play(tmp_path) as (at, board):
        await board.tell(seen())
        topic, data = message(state(2))
        at.hub.take(Received(topic, data, retained=False))
        (first, *others) = at.view("b01")["infractions"][0]["drawn"]["offers"]
        assert (first["code"], first["proposed"]) == ("dismissed", True)
        assert "restored" in [offer["code"] for offer in others]


# --- lateness, time, signatures (24, 33, 19) ------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.parametrize(("chosen", "told"), [("may", [False]), ("always", [True]), ("never", [])])
async def test_requirement_24_a_charged_lateness_proposes_the_warning_that_the_event_chose(
    tmp_path: Path, chosen: Any, told: list[bool]
) -> None:
    """Preselected, offered or neither; once it is given it is not proposed again (2.3.3)."""
    async with desk_in_play(tmp_path, replace(CLASSICAL, late_warning=chosen)) as (at, board):
        assert at.view("b01")["proposals"] == []
        await board.tell(ClockAdjusted(at_us=9, delta_us=(0, -5 * 60_000_000), reason="2.7.6", by="Марат"))
        proposals = at.view("b01")["proposals"]
        assert [each["warns"] for each in proposals] == told
        for each in proposals:
            assert (each["side"], each["person"], each["articles"]) == (
                "qostaushy", NAMES[1], ["2.7.6", "2.3.3"],
            )  # fmt: skip
            await order(at, LINE, *each["commands"])
        assert at.view("b01")["proposals"] == []
        assert [each.article for each in at.warnings] == ["2.3.3"] * len(told)


@pytest.mark.asyncio
async def test_requirement_33_the_amounts_that_the_event_names_are_proposed(tmp_path: Path) -> None:
    """For either offender, as commands; where it names none, the arbiter does."""
    chosen = replace(CLASSICAL, penalty_takes_ms=2 * MINUTES, penalty_gives_ms=60 * MINUTES)
    async with desk_in_play(tmp_path / "a", chosen) as (at, _board):
        told = at.view("b01")["penalty"]
        assert told["bastaushy"]["commands"] == [
            {"do": "adjust", "side": "bastaushy", "seconds": -120.0, "reason": "2.4.8"},
            {"do": "adjust", "side": "qostaushy", "seconds": 3600.0, "reason": "2.4.8"},
        ]
        assert (told["qostaushy"]["takes_s"], told["qostaushy"]["decider"]) == (120.0, "arbiter_with_chief")
        assert (await order(at, LINE, *told["bastaushy"]["commands"])).outcome == "accepted"
    async with desk_in_play(tmp_path / "b") as (at, _board):
        assert at.view("b01")["penalty"]["bastaushy"]["commands"] == []
        assert at.view("b01")["penalty"]["bastaushy"]["takes_s"] is None


@pytest.mark.asyncio
async def test_requirement_19_who_has_not_signed_after_thirty_minutes_is_proposed_for_a_warning(
    tmp_path: Path,
) -> None:
    """Not who signed, not before, not after a protest, and not twice (2.10.9)."""
    async with desk_in_play(tmp_path) as (at, board):
        await board.tell(GameEnded(at_us=9, result="1-0", reason="resignation"))
        await board.tell(ResultConfirmed(at_us=10, side=B))
        (fixture,) = at.fixtures
        ended = fixture.ended_ms or 0
        assert abs(ended - wall_ms()) < MINUTES
        assert unsigned_of(at.book, fixture, ended + 30 * MINUTES) == []
        (due,) = unsigned_of(at.book, fixture, ended + 30 * MINUTES + 1)
        assert (due["person"], due["articles"], due["game"]) == (NAMES[1], ["2.10.9", "2.4.6"], GAME)

        await event_orders.warn(at, {"person": NAMES[1], "game": GAME, "article": "2.10.9"}, LINE)
        assert unsigned_of(at.book, fixture, ended + 31 * MINUTES) == []
        await event_orders.take_back_warning(at, at.warnings[0].key, {"reason": "қол қойды"}, LINE)
        assert unsigned_of(at.book, fixture, ended + 31 * MINUTES) == [due]

        await event_orders.protest(at, GAME, {"filed_by": "Өкіл", "reason": "уақыт"}, LINE)
        assert unsigned_of(at.book, fixture, ended + 31 * MINUTES) == []


@pytest.mark.asyncio
async def test_requirement_19_a_signature_on_paper_is_noted(tmp_path: Path) -> None:
    """By who collects the sheets; the board view proposes with the order that warns."""
    async with desk_in_play(tmp_path) as (at, board):
        await board.tell(GameEnded(at_us=9, result="1-0", reason="resignation"))
        await at.ledger.do(lambda db: db.execute("UPDATE games SET ended_ms = ended_ms - ?", (31 * MINUTES,)))
        await at.refresh()
        before = at.stamp("b01")
        assert [(each["code"], each["side"]) for each in at.view("b01")["proposals"]] == [
            ("sheet_not_signed", "bastaushy"), ("sheet_not_signed", "qostaushy"),
        ]  # fmt: skip
        await event_orders.sign(at, GAME, {"side": "bastaushy"}, LINE)
        (left,) = at.view("b01")["proposals"]
        assert (left["side"], left["warns"]) == ("qostaushy", True)
        assert at.stamp("b01") != before
        await order(at, LINE, *left["commands"])
        assert at.view("b01")["proposals"] == []


# --- adjourning, sheets (34, 37, 38) --------------------------------------------------------------


@pytest.mark.asyncio
async def test_requirement_34_only_the_panel_adjourns_and_postpones(tmp_path: Path) -> None:
    """Nobody else's order reaches the board or the ledger; the refusal names 2.8.1."""
    async with desk_in_play(tmp_path) as (at, board):
        adjourn = {"do": "adjourn", "seal": "0" * 64}
        with pytest.raises(OrderError) as refused:
            await order(at, LINE, adjourn)
        assert (refused.value.code, refused.value.articles) == ("postponed_by_panel_only", ("2.8.1",))
        with pytest.raises(OrderError) as refused:
            await event_orders.postpone(at, GAME, {"reason": "ауырды"}, LINE)
        assert refused.value.articles == ("2.8.1",)
        assert board.told == []
        assert at.fixtures[0].postponed is None
        assert (await order(at, CHIEF, adjourn)).outcome == "accepted"
        assert (await event_orders.postpone(at, GAME, {"reason": "ауырды"}, CHIEF)).postponed == "ауырды"


@pytest.mark.asyncio
async def test_requirement_37_a_game_adjourned_at_its_board_is_postponed(
    tmp_path: Path,
) -> None:
    """So that the next pairing counts it as a draw, until its result is there."""
    async with desk_in_play(tmp_path) as (at, board):
        await board.tell(GameAdjourned(at_us=9, seal="0" * 64, by="Марат", reason="түнгі үзіліс"))
        assert at.fixtures[0].postponed == "түнгі үзіліс"
        await board.tell(GameEnded(at_us=10, result="1-0", reason="resignation"))
        assert (at.fixtures[0].score, at.fixtures[0].postponed) == ("1-0", "түнгі үзіліс")


@pytest.mark.asyncio
async def test_requirement_38_the_console_says_whether_sheets_are_written(tmp_path: Path) -> None:
    """Not in rapid and blitz (2.9.2)."""
    told = []
    for number, conduct in enumerate((CLASSICAL, RAPID, BLITZ)):
        async with desk_in_play(tmp_path / str(number), conduct) as (at, _board):
            told.append((at.view("b01")["sheets"]["written"], at.view("b01")["sheets"]["articles"]))
    assert told == [(True, ["1.6.1", "2.3.5"]), (False, ["2.9.2"]), (False, ["2.9.2"])]
