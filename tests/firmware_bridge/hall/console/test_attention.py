"""What waits for a person: a fold over events, and how urgent it is."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.hall.console.attention import NOTHING, Attention, taken
from firmware_bridge.hall.console.urgency import LOUD, RANKS, Need, need_of, waiting_since
from firmware_bridge.hall.ledger.values import Heard
from tests.firmware_bridge.hall.console.scenes import CORRECTED, SEEN, heard, shown

FRESH = {"reason": "fresh", "stale": False}


def after(*events: dict[str, Any]) -> Attention:
    """Return what is known after some events of one game."""
    attention = NOTHING
    for seq, data in enumerate(events, start=1):
        attention = taken(attention, heard(data, seq))
    return attention


def need(attention: Attention, state: dict[str, Any] | None = None, **more: Any) -> str:
    """Return what a board needs that is fresh and in play."""
    return need_of(
        attention, shown() if state is None else state, more.get("presence", FRESH), more.get("status")
    )


def test_an_infraction_waits_until_it_is_decided() -> None:
    """By a ruling, by its closing, or by the board that sees it put right."""
    waiting = after(SEEN)
    assert [each.number for each in waiting.open] == [1]
    assert need(waiting) == "infraction"
    closed = {
        "kind": "infraction_closed",
        "at_us": 9,
        "infraction": 1,
        "closing": "put_right",
        "by": "",
        "reason": "",
    }
    for decided, how in ((CORRECTED, "corrected"), (closed, "put_right")):
        settled = after(SEEN, decided)
        assert (settled.open, settled.infractions[0].settled) == ((), how)


def test_a_ruling_taken_back_opens_it_again_without_its_number() -> None:
    """The number is used up; the next ruling that names none decides it."""
    back = {**CORRECTED, "decision": "taken_back", "infraction": None, "number": None, "kept": 0}
    reopened = after(SEEN, CORRECTED, back)
    assert [(each.number, each.reopened) for each in reopened.open] == [(1, True)]
    again = after(SEEN, CORRECTED, back, {**CORRECTED, "infraction": None})
    assert (again.open, again.infractions[0].settled) == ((), "corrected")


def test_another_game_forgets_everything() -> None:
    """Also where its assignment was not heard."""
    waiting = after(SEEN)
    assert taken(waiting, heard({"kind": "setup_started", "at_us": 1}, 9, game="r2-b01")).infractions == ()


def test_calls_offers_and_confirmations() -> None:
    """Each stands until it is answered."""
    call = {"kind": "arbiter_called", "at_us": 1, "side": "qostaushy", "press": None}
    offer = {"kind": "draw_offered", "at_us": 1, "side": "bastaushy"}
    called, offered = after(call), after(offer)
    assert called.called is not None
    assert (called.called.side, need(called), need(offered)) == ("qostaushy", "called", "draw")
    assert (
        after(call, {"kind": "call_answered", "at_us": 2, "by": "Сәуле", "groundless": False}).called is None
    )
    answered = {"kind": "draw_answered", "at_us": 2, "side": "qostaushy", "accepted": False}
    assert after(offer, answered).draw_open is None
    assert after(offer, answered, offer).draw_open is None  # only the first asks anything (2.6.9)
    confirmed = {"kind": "result_confirmed", "at_us": 2, "side": "qostaushy"}
    assert after(confirmed).confirmed == (False, True)


@given(st.lists(st.integers(1, 6), max_size=20))
def test_what_is_heard_again_or_too_late_changes_nothing(order: list[int]) -> None:
    """Whatever order it comes in, only what is newer than all before counts."""
    attention, newest = NOTHING, 0
    for seq in order:
        before = attention
        attention = taken(attention, heard({"kind": "setup_started", "at_us": 1}, seq))
        assert (attention is before) == (seq <= newest)
        newest = max(newest, seq)


@given(
    st.dictionaries(
        st.sampled_from(["kind", "side", "infraction", "faults", "at_us"]), st.integers() | st.text()
    )
)
def test_a_message_without_sense_is_passed_over(data: dict[str, Any]) -> None:
    """A console must not end over one row."""
    assert taken(NOTHING, Heard(board="b", boot=1, seq=1, game="", ply=0, at_ms=0, data=data)).open == ()


@pytest.mark.parametrize(
    ("more", "presence", "due"),
    [
        ({}, FRESH, "playing"),
        ({"flagged": [True, False]}, FRESH, "flag"),
        ({}, {"reason": "silent", "stale": True}, "offline"),
        ({"sensed": "unreadable"}, FRESH, "unread"),
        ({"sensed": "differs"}, FRESH, "playing"),
        ({"phase": "suspended"}, FRESH, "suspended"),
        ({"phase": "ready"}, FRESH, "not_started"),
        ({"phase": "released"}, FRESH, "idle"),
        ({"phase": "ended"}, FRESH, "result"),
    ],
)
def test_what_a_board_needs_most(more: dict[str, Any], presence: dict[str, Any], due: str) -> None:
    """From its state alone."""
    assert need(NOTHING, shown(**more), presence=presence) == due


def test_the_order_is_that_of_who_must_get_up_first() -> None:
    """Infraction, call, flag, trouble, result, play; what rings comes before what does not."""
    wanted: list[Need] = [
        "infraction",
        "called",
        "flag",
        "unread",
        "put_right",
        "result",
        "not_started",
        "playing",
    ]
    ranks = [RANKS[kind] for kind in wanted]
    assert ranks == sorted(ranks)
    assert max(rank for each, rank in RANKS.items() if each in LOUD) < min(
        rank for each, rank in RANKS.items() if each not in LOUD
    )
    ruled = after(SEEN, CORRECTED)
    assert need(ruled, shown(sensed="differs")) == "put_right"
    assert need(ruled, shown(sensed="matches")) == "playing"
    assert need(NOTHING, shown(phase="ended"), status="official") == "release"


ADJOURNED = {"kind": "game_adjourned", "at_us": 3, "seal": "ab" * 32, "by": "Сәуле", "reason": "жарық сөнді"}
OPENED = {"kind": "seal_opened", "at_us": 4, "number": 7, "text": "7:6", "by": "Сәуле"}


MOVED = {
    "kind": "move_played", "at_us": 5, "side": "bastaushy", "number": 7, "text": "7:6",
    "confirmed_by": "press", "evidence": {}, "by": "",
}  # fmt: skip


def test_a_postponed_game_waits_for_its_envelope_and_then_for_its_move() -> None:
    """It needs nobody until it goes on; what was opened is said until a move was made (2.8.4)."""
    suspended = shown(phase="suspended")
    sealed = after(ADJOURNED)
    assert sealed.sealed is not None
    assert (sealed.sealed.by, sealed.sealed.reason, need(sealed, suspended)) == (
        "Сәуле", "жарық сөнді", "adjourned",
    )  # fmt: skip
    opened = after(ADJOURNED, OPENED)
    assert opened.opened is not None
    assert (opened.sealed, opened.opened.number, need(opened, suspended)) == (None, 7, "suspended")
    assert after(ADJOURNED, OPENED, MOVED).opened is None


@pytest.mark.parametrize(
    ("events", "wanted", "since"),
    [
        ([SEEN], "infraction", 1001),
        ([{"kind": "arbiter_called", "at_us": 1, "side": None, "press": None}], "called", 1001),
        ([SEEN, CORRECTED], "put_right", 1002),
        ([ADJOURNED], "adjourned", 1001),
        ([{"kind": "draw_offered", "at_us": 1, "side": "bastaushy"}], "draw", 1001),
        ([SEEN], "playing", None),
        ([], "flag", None),
    ],
)
def test_since_when_a_board_waits(events: list[dict[str, Any]], wanted: Need, since: int | None) -> None:
    """By the board's own wall clock, from the event with which it began; what nobody heard is not guessed."""
    assert waiting_since(after(*events), wanted) == since
