"""What goes wrong between an order and a board: broker, card, two arbiters at once, forged messages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.hall.commanding import Sent, UnsendableError
from firmware_bridge.hall.console import rounds
from firmware_bridge.hall.console.desk import Desk
from firmware_bridge.hall.console.evidence import sound
from firmware_bridge.hall.console.orders import OrderError, read_order
from firmware_bridge.hall.ledger import notes
from firmware_bridge.hall.ledger.store import LedgerError
from firmware_bridge.hall.ledger.values import Fixture
from firmware_bridge.wire.mqtt import Received
from rules.events import ClockPressed
from rules.events_json import event_from_json
from rules.position import Side
from tests.firmware_bridge.hall.console.desks import CHIEF, GAME, LINE, OTHER, Board, desk_in_play, order
from tests.firmware_bridge.hall.console.scenes import SEEN, heard
from tests.firmware_bridge.hall.plays import NAMES, message, state

MINUTE: dict[str, Any] = {"do": "adjust", "side": "bastaushy", "seconds": 60, "reason": "2.4.8"}


class GoesAway(Board):
    """A board whose broker goes away while an order is out: it may have been carried out."""

    async def send(
        self, _board: str, command: Mapping[str, Any], *, who: str, ply: int | None = None
    ) -> Sent:
        """Take the command, and answer nothing."""
        del who, ply
        self.told.append(dict(command))
        return Sent(cast("Any", None), "unknown")

    async def ask_again(self, sent: Sent) -> Sent:
        """Find no broker."""
        del sent
        raise UnsendableError("no_broker", "connection refused")


@pytest.mark.asyncio
async def test_an_order_whose_broker_went_away_is_unknown_and_not_refused(tmp_path: Path) -> None:
    """It was sent, and the board may have done it: nobody is told that nothing has happened."""
    async with desk_in_play(tmp_path) as (at, _board):
        at._sender = GoesAway()
        done = await order(at, LINE, MINUTE, key="order-0001")
        assert (done.outcome, done.code) == ("unknown", "no_broker")
        assert (await order(at, LINE, MINUTE, key="order-0001")).outcome == "unknown"
        assert len(at._sender.told) == 1


@pytest.mark.asyncio
async def test_two_arbiters_who_tap_the_same_undo_undo_once(tmp_path: Path) -> None:
    """A minute that was given is taken back, and no minute more."""
    async with desk_in_play(tmp_path) as (at, board):
        given = await order(at, LINE, MINUTE, key="order-0001")
        assert given.undo is not None
        await order(at, LINE, *given.undo, key="order-0002", undoes=given.id)
        with pytest.raises(OrderError) as caught:
            await order(at, CHIEF, *given.undo, key="order-0003", undoes=given.id)
        assert caught.value.code == "taken_back"
        assert [each["seconds"] for each in board.told] == [60, -60]


@pytest.mark.asyncio
async def test_what_was_never_done_here_is_not_undone(tmp_path: Path) -> None:
    """Neither an order that nobody gave, nor an undo."""
    async with desk_in_play(tmp_path) as (at, board):
        given = await order(at, LINE, MINUTE, key="order-0001")
        back = {**MINUTE, "seconds": -60}
        await order(at, LINE, back, key="order-0002", undoes=given.id)
        for name in ("order-none", "order-0002"):
            with pytest.raises(OrderError, match="no order"):
                await order(at, OTHER, MINUTE, key="order-0004", undoes=name)
        assert len(board.told) == 2


@pytest.mark.asyncio
async def test_what_a_board_has_done_is_told_though_the_card_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order was written down before; that its end was not makes no order undone."""

    def full(*_: Any) -> None:
        raise LedgerError("database or disk is full")

    async with desk_in_play(tmp_path) as (at, _board):
        monkeypatch.setattr(notes, "end_ruling", full)
        done = await order(at, LINE, MINUTE, key="order-0001")
        assert done.outcome == "accepted"
        assert at.view("b01")["rulings"][0]["outcome"] == "accepted"
        again = await order(at, LINE, MINUTE, key="order-0001")
        assert again.outcome == "accepted"


@pytest.mark.asyncio
async def test_presses_after_an_infraction_outlive_the_hall(tmp_path: Path) -> None:
    """A hall that is started again in the middle of a game knows that the claim is late (94)."""
    async with desk_in_play(tmp_path) as (at, board):
        await board.tell(event_from_json(SEEN))
        for side in (Side.BASTAUSHY, Side.QOSTAUSHY, Side.BASTAUSHY):
            await board.tell(ClockPressed(at_us=6, side=side, press=None))
        assert at._attention["b01"].infractions[0].presses == 2
        again = Desk(at.hub, at.ledger, board)
        await again.open()
        assert again._attention["b01"].infractions[0].presses == 2
        assert again.view("b01")["infractions"][0]["drawn"]["offers"][0]["code"] == "stands"


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = (*SEEN["evidence"], "clock")


@given(st.sampled_from(KEYS), JUNK)
def test_evidence_of_another_form_is_left_out(key: str, value: Any) -> None:
    """Whatever is in it, what is left can be written as JSON, and its lists hold what pages read of them."""
    kept = sound({**SEEN["evidence"], key: value})
    assert json.dumps(kept, allow_nan=False)
    assert all(isinstance(each["fault"], str) for each in kept.get("faults", [{"fault": ""}]))
    assert set(SEEN["evidence"]) - {key} - set(kept) <= {"alike"}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("due", "7" * 201),
        ("seen", [9] * 7),
        ("to_due", [[14, 18, 10]] * 61),
        ("confidence", 2),
        ("confidence", float("nan")),
        ("clock", {"running": None, "remaining_ms": [2**60, 0]}),
    ],
)
def test_evidence_that_no_board_can_have_is_left_out(key: str, value: Any) -> None:
    """It has the form, and is more than there is: the rest is shown without it."""
    there = {**SEEN["evidence"], "clock": {"running": None, "remaining_ms": [0, 0]}}
    assert key in sound(there)
    assert set(sound({**there, key: value})) == set(sound(there)) - {key}


@pytest.mark.parametrize(
    "evidence",
    [
        {"seen": ["a"] * 20},
        {"seen": [0.5] * 20},
        {"seen": [{}] * 20},
        {"faults": [{"fault": {}}]},
        {"faults": [{"fault": "x", "offender": "bastaushy", "places": 5}]},
        {"faults": []},
        {"confidence": "sure"},
        {"second": 5},
        {"to_due": [[1, 2]]},
        {"clock": {"running": 5, "remaining_ms": "soon"}},
        {"due": ["7:6"]},
        {"before": [1]},
    ],
)
@pytest.mark.asyncio
async def test_who_poses_as_a_board_ends_nobodys_line(tmp_path: Path, evidence: dict[str, Any]) -> None:
    """The board is shown with what makes sense of it, now and after the hall was started again."""
    async with desk_in_play(tmp_path) as (at, _board):
        data = {**SEEN, "evidence": {**SEEN["evidence"], **evidence}}
        await at.hear(heard(data, 300, game=GAME))
        shown = at.view("b01")
        (told,) = shown["infractions"]
        assert told["faults"][0]["fault"] == "capture_not_taken"
        assert json.dumps(shown, allow_nan=False)


@pytest.mark.parametrize(
    "changed",
    [
        {"ply": 2**70},
        {"commands": [{"do": "end", "score": {"toString": 1}}]},
        {"commands": [{"do": "suspend", "reason": "x" * 100_000}]},
        {"commands": [{"do": "rule", "position": {"pits": [9] * 10_000}}]},
    ],
)
def test_an_order_that_no_page_could_show_is_malformed(changed: dict[str, Any]) -> None:
    """Every page is sent the orders of a board."""
    body = {"id": "order-0001", "game": "g", "ply": 0, "commands": [{"do": "suspend"}]}
    assert read_order(body).ply == 0
    with pytest.raises(OrderError) as caught:
        read_order({**body, **changed})
    assert caught.value.code == "malformed"


@pytest.mark.asyncio
async def test_a_round_is_not_started_with_the_players_of_a_former_pairing(tmp_path: Path) -> None:
    """A game was given to its board, then paired anew: it is given again before its clock runs."""
    async with desk_in_play(tmp_path) as (at, board):
        topic, data = message(state(0, phase="ready", seq=50))
        at.hub.take(Received(topic, data, retained=False))
        others = Fixture(
            key=GAME, round=1, board="b01", bastaushy="Ерлан", qostaushy="Дана", seat="a", control="1h"
        )
        await rounds.plan(at, [others])
        assert await rounds.start_round(at, 1, CHIEF) == []
        same = replace(others, bastaushy=NAMES[0], qostaushy=NAMES[1])
        await rounds.plan(at, [same])
        assert len(await rounds.start_round(at, 1, CHIEF)) == 1
        assert [each["do"] for each in board.told] == ["start"]


@pytest.mark.asyncio
async def test_pairings_are_loaded_though_the_boards_have_their_games_already(tmp_path: Path) -> None:
    """The ledger was lost in the middle of a round: the games stay as far as they are, in their round."""
    async with desk_in_play(tmp_path) as (at, _board):
        (there,) = at.fixtures
        assert (there.key, there.round, there.status) == (GAME, 0, "assigned")
        same = replace(there, round=1, status="planned")
        await rounds.plan(at, [same])
        assert [(each.round, each.status) for each in at.fixtures] == [(1, "assigned")]
