"""A game as the fold over its events.

`TRANSITIONS` (in `rules.phases`) is the whole life of a table. What is not in it has no place, raises
`EventError` and changes nothing. One joint rule stands beside it: a board that is set up and whose players
both are ready is READY. The fold knows no present: every moment comes from an event, so that board, hall and
record all arrive at the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules import clock as clocks
from rules.clock import ClockState
from rules.errors import ClockError, EventError, IllegalMoveError, shown
from rules.events import (
    JSON,
    ClockAdjusted,
    ClockPressed,
    ClockSet,
    Confirmation,
    FlagFell,
    GameAssigned,
    GameEnded,
    GameEvent,
    GameReleased,
    GameResumed,
    GameStarted,
    GameSuspended,
    MovePlayed,
    PlayerReady,
    PressId,
    ResultConfirmed,
    Seat,
    SetupChecked,
    SetupLost,
    SetupStarted,
)
from rules.events_json import EVENT_KINDS, event_from_json, event_to_json
from rules.notation.moves import format_short
from rules.phases import TRANSITIONS, Phase
from rules.position import START, Position, Result, Side, play
from rules.time_control import TimeControl

__all__ = [
    "EMPTY",
    "EVENT_KINDS",
    "JSON",
    "TRANSITIONS",
    "ClockAdjusted",
    "ClockPressed",
    "ClockSet",
    "Confirmation",
    "FlagFell",
    "Game",
    "GameAssigned",
    "GameEnded",
    "GameEvent",
    "GameReleased",
    "GameResumed",
    "GameStarted",
    "GameSuspended",
    "MovePlayed",
    "Phase",
    "PlayerReady",
    "Ply",
    "PressId",
    "Result",
    "ResultConfirmed",
    "Seat",
    "SetupChecked",
    "SetupLost",
    "SetupStarted",
    "advance",
    "event_from_json",
    "event_to_json",
    "fold",
]


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of a game.

    Attributes:
        side: Who moved.
        number: The number 1..9 of the pit he played.
        text: The move in official short notation.
        at_us: When it became final, in table time.
        clock_after_us: What both dials showed at that moment, in microseconds.
    """

    side: Side
    number: int
    text: str
    at_us: int
    clock_after_us: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Game:
    """Everything the events so far have decided. Pairs are [bastaushy, qostaushy].

    Attributes:
        phase: Where in its life the table is.
        game_id: The game's key; None: no game was ever assigned.
        names: The players; empty texts before a game is assigned.
        starter_seat: Where bastaushy sits; seat a before a game is assigned.
        control: The time control; None: no game was ever assigned.
        position: The position after the last final move.
        plies: The final moves.
        clock: Both dials; None: no game was ever assigned.
        ready: Who has confirmed that he is ready.
        setup_ok: Whether nine stones were seen in each pit.
        pending_presses: Who has pressed, oldest first, without his move having become final yet.
        flags: Whose flag is down; time given by an arbiter raises it, and so does a quota whose last move he
            enters: it had been made before the flag fell (2.7.13).
        first_flag: Whose fell first of those that are down (2.7.14); None: none is.
        result: The score; None: not ended.
        result_reason: What ended the game; None: not ended.
        confirmed: Who has accepted the result.
        last_press: The last press that came from a device; None: none in this game.
        suspended_running: Whose dial ran when the game was suspended; None: it is not.
        suspended_reason: Why it was suspended; None: it is not.
    """

    phase: Phase = Phase.UNASSIGNED
    game_id: str | None = None
    names: tuple[str, str] = ("", "")
    starter_seat: Seat = "a"
    control: TimeControl | None = None
    position: Position = START
    plies: tuple[Ply, ...] = ()
    clock: ClockState | None = None
    ready: tuple[bool, bool] = (False, False)
    setup_ok: bool = False
    pending_presses: tuple[Side, ...] = ()
    flags: tuple[bool, bool] = (False, False)
    first_flag: Side | None = None
    result: Result | None = None
    result_reason: str | None = None
    confirmed: tuple[bool, bool] = (False, False)
    last_press: PressId | None = None
    suspended_running: Side | None = None
    suspended_reason: str | None = None

    def __str__(self) -> str:
        name = "no game" if self.game_id is None else f"game {shown(self.game_id)}"
        return f"{name}, phase {self.phase.value}, after {len(self.plies)} plies"


EMPTY = Game()
"""A board to which no game was ever given."""


class _RefusedError(Exception):
    """Raised inside a change to say why the event has no place; never leaves this file."""


def fold(events: Iterable[GameEvent], game: Game = EMPTY) -> Game:
    """Return the game after the events, beginning from `game`.

    Raises:
        EventError: An event has no place where it comes.
    """
    for event in events:
        game = advance(game, event)
    return game


def advance(game: Game, event: GameEvent) -> Game:
    """Return the game after one event; the game given is never changed.

    Raises:
        EventError: The event has no place here; says which, where and why.
    """
    kind = type(event)
    phase = TRANSITIONS[game.phase].get(kind)
    if phase is None:
        allowed = ", ".join(sorted(other.kind for other in TRANSITIONS[game.phase]))
        raise _misplaced(game, event, f"expected one of {allowed}")
    try:
        changed = _CHANGES[kind](game, event)
    except (_RefusedError, ClockError, IllegalMoveError) as error:
        raise _misplaced(game, event, str(error)) from error
    if phase is Phase.SETTING_UP and changed.setup_ok and all(changed.ready):
        phase = Phase.READY
    return replace(changed, phase=phase)


def _misplaced(game: Game, event: GameEvent, reason: str) -> EventError:
    kind = getattr(event, "kind", type(event).__name__)
    return EventError(kind, event.at_us, str(game), reason)


def _running(game: Game) -> ClockState:
    """Return the clock of a game that has one: from its assignment on."""
    assert game.clock is not None, "an assigned game has a clock"
    return game.clock


def _with(pair: tuple[bool, bool], side: Side, what: str) -> tuple[bool, bool]:
    """Return a pair of flags with that of `side` raised; refuses one that is up already."""
    if pair[side.index]:
        raise _RefusedError(f"{side.value} {what} already")
    return (True, pair[1]) if side is Side.BASTAUSHY else (pair[0], True)


def _assigned(_game: Game, event: GameAssigned) -> Game:
    return Game(
        game_id=event.game_id,
        names=event.names,
        starter_seat=event.starter_seat,
        control=event.control,
        clock=clocks.new_clock(event.control),
    )


def _unchanged(game: Game, _event: GameEvent) -> Game:
    return game


def _setup_checked(game: Game, _event: SetupChecked) -> Game:
    if game.setup_ok:
        raise _RefusedError("the board is set up already")
    return replace(game, setup_ok=True)


def _setup_lost(game: Game, _event: SetupLost) -> Game:
    if not game.setup_ok:
        raise _RefusedError("the board is not set up")
    return replace(game, setup_ok=False, ready=(False, False))


def _player_ready(game: Game, event: PlayerReady) -> Game:
    return replace(game, ready=_with(game.ready, event.side, "is ready"))


def _started(game: Game, event: GameStarted) -> Game:
    return replace(game, clock=clocks.start(_running(game), Side.BASTAUSHY, event.at_us))


def _pressed(game: Game, event: ClockPressed) -> Game:
    last = game.last_press
    press = event.press
    if press is not None and last is not None and press.boot == last.boot and press.number <= last.number:
        raise _RefusedError(f"press {press.number} of boot {press.boot} comes after press {last.number}")
    # A ply entered by hand is counted when it becomes final; the press that follows ends the same move.
    clock = _running(game)
    unread = sum(clock.moves) - len(game.plies)
    counts = (game.position.to_move is event.side) is (unread % 2 == 0)
    return replace(
        game,
        clock=clocks.press(clock, event.side, event.at_us, counts=counts),
        pending_presses=(*game.pending_presses, event.side),
        last_press=last if press is None else press,
    )


def _moved(game: Game, event: MovePlayed) -> Game:
    if event.side is not game.position.to_move:
        raise _RefusedError(f"{game.position.to_move.value} is to move, not {event.side.value}")
    sowing = play(game.position, event.number)
    text = format_short(sowing)
    if event.text != text:
        raise _RefusedError(f"its text is {shown(event.text)}, but the move is {text}")
    clock = _running(game)
    first_us, second_us = (clocks.remaining_us(clock, side, event.at_us) for side in Side)
    pending = game.pending_presses
    if event.side in pending:
        pending = pending[pending.index(event.side) + 1 :]
    plies = (*game.plies, Ply(event.side, event.number, text, event.at_us, (first_us, second_us)))
    made = sum(ply.side is event.side for ply in plies)
    counted = clocks.count_moves(clock, event.side, made, event.at_us)
    if event.confirmed_by == "arbiter" and _only_ended_a_period(clock, counted, event):
        game = _raised(game, lambda side: side is not event.side)
    return replace(game, position=sowing.after, plies=plies, pending_presses=pending, clock=counted)


def _only_ended_a_period(before: ClockState, after: ClockState, event: MovePlayed) -> bool:
    """Return whether a move an arbiter entered shows that a dial at zero had its quota made (2.7.13)."""
    index = event.side.index
    return before.period[index] < after.period[index] and not clocks.remaining_us(
        before, event.side, event.at_us
    )


def _flag_fell(game: Game, event: FlagFell) -> Game:
    flags = _with(game.flags, event.side, "has a fallen flag")
    return replace(game, flags=flags, first_flag=game.first_flag or event.side)


def _raised(game: Game, keeps: Callable[[Side], bool]) -> Game:
    """Return the game with every fallen flag up again that `keeps` does not keep down."""
    down = [side for side in Side if game.flags[side.index] and keeps(side)]
    first = game.first_flag if game.first_flag in down else next(iter(down), None)
    return replace(game, flags=(Side.BASTAUSHY in down, Side.QOSTAUSHY in down), first_flag=first)


def _clock_adjusted(game: Game, event: ClockAdjusted) -> Game:
    if event.delta_us == (0, 0):
        raise _RefusedError("it gives and takes nothing")
    clock = clocks.adjust(_running(game), event.delta_us, event.at_us)
    return replace(_raised(game, lambda side: event.delta_us[side.index] <= 0), clock=clock)


def _clock_set(game: Game, event: ClockSet) -> Game:
    clock = clocks.set_dials(_running(game), event.remaining_us, event.at_us, event.control)
    raised = _raised(game, lambda side: event.remaining_us[side.index] == 0)
    return replace(raised, control=event.control, clock=clock)


def _suspended(game: Game, event: GameSuspended) -> Game:
    clock = _running(game)
    return replace(
        game,
        clock=clocks.stop(clock, event.at_us),
        suspended_running=clock.running,
        suspended_reason=event.reason,
    )


def _resumed(game: Game, event: GameResumed) -> Game:
    clock = clocks.resume(_running(game), event.running, event.at_us)
    return replace(game, clock=clock, suspended_running=None, suspended_reason=None)


def _ended(game: Game, event: GameEnded) -> Game:
    clock = _running(game)
    if clock.running is not None:
        clock = clocks.stop(clock, event.at_us)
    return replace(
        game,
        clock=clock,
        result=event.result,
        result_reason=event.reason,
        suspended_running=None,
        suspended_reason=None,
    )


def _confirmed(game: Game, event: ResultConfirmed) -> Game:
    return replace(game, confirmed=_with(game.confirmed, event.side, "has confirmed"))


_CHANGES: Mapping[type[GameEvent], Callable[[Game, Any], Game]] = {
    GameAssigned: _assigned,
    SetupStarted: _unchanged,
    SetupChecked: _setup_checked,
    SetupLost: _setup_lost,
    PlayerReady: _player_ready,
    GameStarted: _started,
    ClockPressed: _pressed,
    MovePlayed: _moved,
    FlagFell: _flag_fell,
    ClockAdjusted: _clock_adjusted,
    ClockSet: _clock_set,
    GameSuspended: _suspended,
    GameResumed: _resumed,
    GameEnded: _ended,
    ResultConfirmed: _confirmed,
    GameReleased: _unchanged,
}
"""What each kind of event changes besides the phase."""
