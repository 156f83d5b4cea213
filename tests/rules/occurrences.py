"""Events for the tests: an example of each kind, any at all, and ways through a game."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable

import pytest
from hypothesis import strategies as st

from rules import (
    START,
    ArbiterCalled,
    CallAnswered,
    ClockAdjusted,
    ClockMode,
    ClockPressed,
    ClockSet,
    DrawAnswered,
    DrawOffered,
    EventError,
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
    Period,
    Phase,
    PlayerReady,
    PlayerWarned,
    PositionRuled,
    PressId,
    ResultConfirmed,
    SealOpened,
    SetupChecked,
    SetupLost,
    SetupStarted,
    Side,
    TimeControl,
    advance,
    fold,
    format_short,
    play,
)
from rules.clock import MAX_DIAL_US

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
CONTROL = TimeControl.simple(60_000, 1_000)
SECOND = 1_000_000
LONG_CONTROL = TimeControl(
    (Period(90_000, 2, 500, 250), Period(30_000)), ClockMode.OBSERVED, move_limit_ms=20_000
)
"""A control that has everything a control can have."""


def assigned(at_us: int = 0, game_id: str = "g1") -> GameAssigned:
    """Return a game being given to the board."""
    return GameAssigned(
        at_us=at_us, game_id=game_id, names=("Aigerim", "Дәурен"), starter_seat="b", control=CONTROL
    )


def move(number: int, at_us: int, side: Side = B, text: str | None = None) -> MovePlayed:
    """Return a move; without a text it is one from the start position."""
    text = format_short(play(START, number)) if text is None else text
    return MovePlayed(at_us=at_us, side=side, number=number, text=text, confirmed_by="press", evidence={})


def pressed(side: Side, at_us: int, press: PressId | None = None) -> ClockPressed:
    """Return a press, of no device unless named."""
    return ClockPressed(at_us=at_us, side=side, press=press)


READY: tuple[GameEvent, ...] = (
    assigned(),
    SetupStarted(at_us=1),
    SetupChecked(at_us=2),
    PlayerReady(at_us=3, side=Q),
    PlayerReady(at_us=4, side=B),
)
"""The events that make a board ready."""

STARTED: tuple[GameEvent, ...] = (*READY, GameStarted(at_us=10 * SECOND))
"""The events that start a game ten seconds after the origin of time."""

EVENT_EXAMPLES: tuple[GameEvent, ...] = (
    *STARTED,
    SetupLost(at_us=5),
    pressed(B, 11 * SECOND, PressId(7, 1)),
    MovePlayed(
        at_us=11 * SECOND,
        side=B,
        number=7,
        text="7:6",
        confirmed_by="arbiter",
        evidence={"stones": [9, 8, None], "sure": True, "why": {"жүріс": "7:6", "g": -1.25e-3}},
    ),
    FlagFell(at_us=71 * SECOND, side=Q),
    ClockAdjusted(at_us=71 * SECOND, delta_us=(-1, 300 * SECOND), reason="2.4.8"),
    ClockSet(at_us=71 * SECOND, control=LONG_CONTROL, remaining_us=(0, 90 * SECOND), reason="2.7.10"),
    GameSuspended(at_us=72 * SECOND, reason="байланыс үзілді"),
    GameResumed(at_us=80 * SECOND, running=Q),
    GameEnded(at_us=90 * SECOND, result="0-1", reason="flag"),
    ResultConfirmed(at_us=91 * SECOND, side=Q),
    GameReleased(at_us=2**63 - 1),
    InfractionSeen(
        at_us=12 * SECOND, infraction=1, side=B, faults=("skipped_pit",), evidence={"seen": [9, None]}
    ),
    InfractionClosed(at_us=13 * SECOND, infraction=1, closing="dismissed", by="Сәуле", reason=""),
    PositionRuled(
        at_us=14 * SECOND,
        decision="corrected",
        infraction=1,
        kept=0,
        number=7,
        position=play(START, 7).after,
        remaining_us=(50 * SECOND, 60 * SECOND),
        running=Q,
        by="Сәуле",
        reason="1.3.1",
        evidence={"why": "шұңқыр қалып қойды"},
    ),
    PlayerWarned(at_us=15 * SECOND, side=B, level=1, article="1.3.4", by="Сәуле", reason="қолмен түзеді"),
    DrawOffered(at_us=16 * SECOND, side=B),
    DrawAnswered(at_us=17 * SECOND, side=Q, accepted=False),
    ArbiterCalled(at_us=18 * SECOND, side=None, press=PressId(7, 9)),
    CallAnswered(at_us=19 * SECOND, by="Сәуле", groundless=True),
    FlagCalled(at_us=72 * SECOND, side=Q, by="bastaushy"),
    GameAdjourned(at_us=73 * SECOND, seal="0f" * 32, by="Сәуле", reason="2.8.1"),
    SealOpened(at_us=74 * SECOND, number=None, text="7:5", by="Сәуле"),
)
"""At least one event of every kind."""

SUSPENDED = (*STARTED, GameSuspended(at_us=12 * SECOND, reason="link lost"))
ENDED = (*STARTED, GameEnded(at_us=12 * SECOND, result="1-0", reason="resigned"))
A_WAY_TO: dict[Phase, tuple[GameEvent, ...]] = {
    Phase.UNASSIGNED: (),
    Phase.ASSIGNED: READY[:1],
    Phase.SETTING_UP: READY[:2],
    Phase.READY: READY,
    Phase.PLAYING: STARTED,
    Phase.SUSPENDED: SUSPENDED,
    Phase.ENDED: ENDED,
    Phase.RELEASED: (*ENDED, GameReleased(at_us=13 * SECOND)),
}


def refused(told: Iterable[GameEvent], event: GameEvent) -> str:
    """Return why an event is refused after others; fails when it is not, or when the game was touched."""
    game = fold(told)
    before = copy.deepcopy(game)
    with pytest.raises(EventError) as caught:
        advance(game, event)
    assert game == before
    assert (caught.value.kind, caught.value.at_us, caught.value.where) == (event.kind, event.at_us, str(game))
    return caught.value.reason


_TEXT = st.text(max_size=30)
_FULL_TEXT = st.text(min_size=1, max_size=30)
_SEALS = st.from_regex("[0-9a-f]{64}", fullmatch=True)
_SIDES = st.sampled_from(Side)
_U32 = st.integers(1, 2**32 - 1)
_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=10,
)


_TIMES_MS = st.integers(1, 10_000_000)
_ADDED_MS = st.integers(0, 3_600_000)


@st.composite
def controls(draw: st.DrawFn) -> TimeControl:
    """Draw any time control at all."""
    mode = draw(st.sampled_from(ClockMode))
    if mode is ClockMode.NONE:
        return TimeControl((), mode)
    quotas = draw(st.lists(st.integers(1, 500), max_size=7))
    periods = [Period(draw(_TIMES_MS), moves, draw(_ADDED_MS), draw(_ADDED_MS)) for moves in quotas]
    last = Period(draw(_TIMES_MS), None, draw(_ADDED_MS), draw(_ADDED_MS))
    return TimeControl((*periods, last), mode, draw(st.none() | st.integers(1, 86_400_000)))


_DIALS_US = st.integers(0, MAX_DIAL_US)
_DELTAS_US = st.integers(-MAX_DIAL_US, MAX_DIAL_US)


def _incident_makers(draw: st.DrawFn, at_us: int, side: Side) -> list[Callable[[], GameEvent]]:
    """Return who draws the events of incidents."""
    incident = st.integers(1, 10_000)
    numbers = st.none() | st.integers(1, 9)
    codes = st.from_regex("[a-z][a-z0-9_]{0,39}", fullmatch=True)
    found = st.dictionaries(_TEXT, _JSON, max_size=3)
    return [
        lambda: InfractionSeen(
            at_us=at_us,
            infraction=draw(incident),
            side=side,
            faults=tuple(draw(st.lists(codes, min_size=1, max_size=8))),
            evidence=draw(found),
        ),
        lambda: InfractionClosed(
            at_us=at_us,
            infraction=draw(incident),
            closing=draw(st.sampled_from(("put_right", "dismissed", "warned"))),
            by=draw(_TEXT),
            reason=draw(_TEXT),
        ),
        lambda: PositionRuled(
            at_us=at_us,
            decision=draw(st.sampled_from(("stands", "restored", "corrected", "set", "taken_back"))),
            infraction=draw(st.none() | incident),
            kept=draw(st.integers(0, 500)),
            number=draw(numbers),
            position=play(START, draw(st.integers(1, 9))).after,
            remaining_us=(draw(_DIALS_US), draw(_DIALS_US)),
            running=side,
            by=draw(_TEXT),
            reason=draw(_TEXT),
            evidence=draw(found),
        ),
        lambda: PlayerWarned(
            at_us=at_us,
            side=side,
            level=draw(st.integers(1, 5)),
            article=draw(_TEXT),
            by=draw(_TEXT),
            reason=draw(_TEXT),
        ),
        lambda: DrawOffered(at_us=at_us, side=side),
        lambda: DrawAnswered(at_us=at_us, side=side, accepted=draw(st.booleans())),
        lambda: ArbiterCalled(
            at_us=at_us,
            side=draw(st.none() | _SIDES),
            press=draw(st.none() | st.builds(PressId, _U32, _U32)),
        ),
        lambda: CallAnswered(at_us=at_us, by=draw(_TEXT), groundless=draw(st.booleans())),
        lambda: FlagCalled(at_us=at_us, side=side, by=draw(_TEXT)),
        lambda: GameAdjourned(at_us=at_us, seal=draw(_SEALS), by=draw(_TEXT), reason=draw(_TEXT)),
        lambda: SealOpened(at_us=at_us, number=draw(numbers), text=draw(_FULL_TEXT), by=draw(_TEXT)),
    ]


@st.composite
def events(draw: st.DrawFn, least_us: int = 0, most_us: int = 2**63 - 1) -> GameEvent:
    """Draw any event at all."""
    at_us = draw(st.integers(least_us, most_us))
    side = draw(_SIDES)
    makers: list[Callable[[], GameEvent]] = [
        lambda: GameAssigned(
            at_us=at_us,
            game_id=draw(st.text(min_size=1, max_size=30)),
            names=(draw(_TEXT), draw(_TEXT)),
            starter_seat=draw(st.sampled_from(("a", "b"))),
            control=draw(controls()),
        ),
        lambda: SetupStarted(at_us=at_us),
        lambda: SetupChecked(at_us=at_us),
        lambda: SetupLost(at_us=at_us),
        lambda: PlayerReady(at_us=at_us, side=side),
        lambda: GameStarted(at_us=at_us),
        lambda: ClockPressed(at_us=at_us, side=side, press=draw(st.none() | st.builds(PressId, _U32, _U32))),
        lambda: MovePlayed(
            at_us=at_us,
            side=side,
            number=draw(st.integers(1, 9)),
            text=draw(st.text(min_size=1, max_size=30)),
            confirmed_by=draw(st.sampled_from(("press", "settled", "arbiter"))),
            evidence=draw(st.dictionaries(_TEXT, _JSON, max_size=3)),
        ),
        lambda: FlagFell(at_us=at_us, side=side),
        lambda: ClockAdjusted(at_us=at_us, delta_us=(draw(_DELTAS_US), draw(_DELTAS_US)), reason=draw(_TEXT)),
        lambda: ClockSet(
            at_us=at_us,
            control=draw(controls()),
            remaining_us=(draw(_DIALS_US), draw(_DIALS_US)),
            reason=draw(_TEXT),
        ),
        lambda: GameSuspended(at_us=at_us, reason=draw(_TEXT)),
        lambda: GameResumed(at_us=at_us, running=side),
        lambda: GameEnded(
            at_us=at_us, result=draw(st.sampled_from(("1-0", "0-1", "1/2-1/2"))), reason=draw(_TEXT)
        ),
        lambda: ResultConfirmed(at_us=at_us, side=side),
        lambda: GameReleased(at_us=at_us),
        *_incident_makers(draw, at_us, side),
    ]
    return draw(st.sampled_from(makers))()
