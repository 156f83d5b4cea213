"""Every event of the hands, and everything that is decided, has its line."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from firmware_bridge.board.hands.events import (
    Amount,
    Banked,
    Captured,
    Extra,
    Fell,
    HandRests,
    HandsEmpty,
    Lifted,
    MarkLaid,
    Missing,
    SowingEvent,
    TakenUp,
    Touched,
    Unseen,
    When,
)
from firmware_bridge.commands.trace.words import event_said, hand_said, note_read, refusal_said, remark_said
from rules.game import (
    ArbiterCalled,
    CallAnswered,
    ClockAdjusted,
    ClockPressed,
    ClockSet,
    DrawAnswered,
    DrawOffered,
    FlagCalled,
    FlagFell,
    GameAdjourned,
    GameAssigned,
    GameEnded,
    GameEvent,
    GameReleased,
    GameResumed,
    GameStarted,
    GameSuspended,
    InfractionClosed,
    InfractionSeen,
    MovePlayed,
    PlayerReady,
    PlayerWarned,
    PositionRuled,
    ResultConfirmed,
    SealOpened,
    SetupChecked,
    SetupLost,
    SetupStarted,
)
from rules.position import START, Side
from rules.time_control import TimeControl
from sensors.samples import CELL_TEXTS, Fault, FaultKind

NOW, NINE, ONE = When(1, 0, 2), Amount(9, 9, 9), Amount(1, 0, 1)
B, Q = Side.BASTAUSHY, Side.QOSTAUSHY

LINES: dict[SowingEvent, str] = {
    Lifted(NOW, B, 3, NINE): "Bastaushy lifts 9 from: Bastaushy, pit 4",
    Lifted(NOW, Q, 9, NINE, early=True): (
        "Qostaushy lifts 9 from: Qostaushy, pit 1, before the other's turn was over"
    ),
    Fell(NOW, B, 4, ONE): "1 (0..1) into: Bastaushy, pit 5",
    TakenUp(NOW, B, 4, ONE): "Bastaushy takes 1 (0..1) up again from: Bastaushy, pit 5",
    TakenUp(NOW, B, 12, NINE, tuzdyk=True): "Bastaushy takes 9 out of the tuzdyk: Qostaushy, pit 4",
    Captured(NOW, B, 17, NINE): "Bastaushy captures 9 from: Qostaushy, pit 9",
    Banked(NOW, B, Q, NINE, None): "9 into: kazan of Qostaushy",
    MarkLaid(NOW, 11): "a mark is laid on: Qostaushy, pit 3",
    HandRests(NOW, 18, -0.42): "something rests on: kazan of Bastaushy, -0.4",
    Touched(NOW, 0, 3): "touched: Bastaushy, pit 1",
    Extra(NOW, 0, NINE): "9 too many on: Bastaushy, pit 1",
    Missing(NOW, Q, ONE): "Qostaushy has pressed the clock, missing: 1 (0..1)",
    Unseen(NOW, 19, "not calibrated"): "kazan of Qostaushy: cannot be read: it is not calibrated",
    HandsEmpty(NOW): "hands are empty",
}


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOGYZ_LANGUAGE", "en")


@pytest.mark.parametrize("event", LINES, ids=lambda event: type(event).__name__)
def test_an_event_of_the_hands_is_a_line(event: SowingEvent) -> None:
    """With bounds where the number is not exact."""
    assert hand_said(event) == LINES[event]


def test_no_event_of_the_hands_is_without_a_line() -> None:
    """All kinds are above."""
    assert {type(event) for event in LINES} == set(get_args(SowingEvent))


@pytest.mark.parametrize("kind", list(CELL_TEXTS))
@pytest.mark.parametrize("channel", [None, 4])
def test_a_fault_is_known_again_from_the_english_words_in_a_trace(
    kind: FaultKind, channel: int | None
) -> None:
    """With its channel and all its numbers, as it was before it was written down."""
    numbers = (-18510, 4711) if "{1}" in CELL_TEXTS[kind] else (0.25,)
    fault = Fault(kind, channel, numbers[: CELL_TEXTS[kind].count("{")])
    assert note_read("unreadable", 4, f"bastaushy 5: {fault}").fault == fault


@pytest.mark.parametrize(
    ("detail", "told"),
    [
        (
            "bastaushy 5: channel 4: excluded by the device: it has given this channel up",
            "Bastaushy, pit 5 (channel 4): cannot be read: the device has given this channel up",
        ),
        ("bastaushy 5: of a later kind", "Bastaushy, pit 5: cannot be read: of a later kind"),
        ("", "unreadable"),
    ],
)
def test_a_remark_of_a_trace_is_told_as_the_status_tells_it(detail: str, told: str) -> None:
    """A reason that has no text of ours in the board's words; without any, by its code."""
    assert remark_said(note_read("unreadable", 4 if detail else None, detail)) == told


FIVE = TimeControl.simple(300_000, 0)

DECIDED: dict[GameEvent, str] = {
    GameAssigned(at_us=0, game_id="g1", names=("A", "B"), starter_seat="a", control=FIVE): "game g1: A – B",
    SetupStarted(at_us=0): "the stones are being set up",
    SetupChecked(at_us=0, evidence={}): "nine stones lie in each pit",
    SetupLost(at_us=0): "the stones do not lie as at the start any more",
    PlayerReady(at_us=0, side=B): "Bastaushy is ready",
    GameStarted(at_us=0): "the game begins",
    ClockPressed(at_us=0, side=Q, press=None): "Qostaushy pressed the clock",
    MovePlayed(at_us=0, side=Q, number=9, text="9-8", confirmed_by="press", evidence={}): (
        "Qostaushy played 9-8 (clock pressed)"
    ),
    FlagFell(at_us=0, side=B): "Bastaushy: flag down",
    ClockAdjusted(
        at_us=0, delta_us=(60_000_000, 0), reason="2.4.8"
    ): "clock adjusted by +60 s and +0 s: 2.4.8",
    ClockSet(at_us=0, control=FIVE, remaining_us=(5_000_000, 0), reason="2.7.10"): (
        "clock set to 5 s and 0 s (5m): 2.7.10"
    ),
    GameSuspended(at_us=0, reason="device_restarted"): "game suspended: The board's device has restarted",
    GameResumed(at_us=0, running=B): "the game goes on",
    GameEnded(at_us=0, result="1-0", reason="flag"): "the game has ended 1-0: Out of time",
    ResultConfirmed(at_us=0, side=B): "Bastaushy confirms the result",
    GameReleased(at_us=0): "the board is free",
    InfractionSeen(at_us=0, infraction=2, side=B, faults=("stone_skipped", "capture_not_taken")): (
        "infraction 2, Bastaushy: A pit was skipped in the sowing, Stones that were won were left lying"
    ),
    InfractionClosed(at_us=0, infraction=2, closing="put_right", by="", reason=""): (
        "infraction 2 is done with: put right on the board"
    ),
    PositionRuled(
        at_us=0,
        decision="restored",
        infraction=2,
        kept=0,
        number=None,
        position=START,
        remaining_us=(1, 1),
        running=B,
        by="Сәуле",
        reason="94",
    ): "the arbiter rules: Illegal move undone",
    PlayerWarned(at_us=0, side=B, level=2, article="1.3.4", by="Сәуле", reason="қолмен"): (
        "Bastaushy is warned (2): қолмен"
    ),
    DrawOffered(at_us=0, side=B): "Bastaushy offers a draw",
    DrawAnswered(at_us=0, side=B, accepted=False): "Bastaushy answers the offer of a draw",
    ArbiterCalled(at_us=0, side=B, press=None): "the arbiter is called",
    CallAnswered(at_us=0, by="Сәуле", groundless=False): "the arbiter has come (Сәуле)",
    FlagCalled(at_us=0, side=B, by="Сәуле"): "the flag is called: Bastaushy",
    GameAdjourned(at_us=0, seal="0f" * 32, by="Сәуле", reason="2.8.1"): (
        "the game is adjourned, a move is sealed: 2.8.1"
    ),
    SealOpened(at_us=0, number=7, text="7:6", by="Сәуле"): "the sealed move is opened: 7:6",
}


@pytest.mark.parametrize("event", DECIDED, ids=lambda event: type(event).__name__)
def test_what_was_decided_is_a_line(event: GameEvent) -> None:
    """Also an arbiter's own reason."""
    assert event_said(event) == DECIDED[event]


def test_nothing_that_is_decided_is_without_a_line() -> None:
    """All kinds are above."""
    assert {event.kind for event in DECIDED} == {kind.kind for kind in GameEvent.__subclasses__()}


@pytest.mark.parametrize("language", ["kk", "ru"])
def test_lines_of_a_replay_are_in_the_language(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands, decisions, refusals and remarks alike: no word of them is English."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", language)
    told = [hand_said(event) for event in LINES]
    told += [event_said(event) for event in DECIDED if not isinstance(event, GameAssigned)]
    told += [refusal_said({"refused": "no_device", "refusal": "the board cannot be read"})]
    told += [remark_said(note_read("unreadable", 4, "bastaushy 5: channel 4: not calibrated"))]
    assert [words for words in told if re.search("[A-Za-z]{2}", words)] == []
