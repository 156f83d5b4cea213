"""What each event of play changes in a game besides the phase, and what it refuses (`PLAY_CHANGES`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from rules import clock as clocks
from rules.clock import ClockState
from rules.errors import shown
from rules.events import (
    ClockAdjusted,
    ClockPressed,
    ClockSet,
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
    SetupChecked,
    SetupLost,
    SetupStarted,
)
from rules.notation.moves import format_short
from rules.position import Side, play
from rules.state import Game, Ply


class RefusedError(Exception):
    """Raised inside a change to say why the event has no place; never leaves `rules.game.advance`."""


def running_clock(game: Game) -> ClockState:
    """Return the clock of a game that has one: from its assignment on."""
    assert game.clock is not None, "an assigned game has a clock"
    return game.clock


def with_raised(pair: tuple[bool, bool], side: Side, what: str) -> tuple[bool, bool]:
    """Return a pair of flags with that of `side` raised; refuses one that is up already."""
    if pair[side.index]:
        raise RefusedError(f"{side.value} {what} already")
    return (True, pair[1]) if side is Side.BASTAUSHY else (pair[0], True)


def newest_press(game: Game, press: PressId | None) -> PressId | None:
    """Return the last press of a device after one more, None: from no device; refuses one that came before.

    Presses are numbered within one boot of a device; nothing is known of the order of boots.
    """
    last = game.last_press
    if press is None or last is None:
        return press or last
    if press.boot == last.boot and press.number <= last.number:
        raise RefusedError(f"press {press.number} of boot {press.boot} comes after press {last.number}")
    return press


def _assigned(_game: Game, event: GameAssigned) -> Game:
    return Game(
        game_id=event.game_id,
        names=event.names,
        starter_seat=event.starter_seat,
        control=event.control,
        clock=clocks.new_clock(event.control),
        draw_lasts=event.draw_lasts,
    )


def _unchanged(game: Game, _event: GameEvent) -> Game:
    return game


def _setup_checked(game: Game, _event: SetupChecked) -> Game:
    if game.setup_ok:
        raise RefusedError("the board is set up already")
    return replace(game, setup_ok=True)


def _setup_lost(game: Game, _event: SetupLost) -> Game:
    if not game.setup_ok:
        raise RefusedError("the board is not set up")
    return replace(game, setup_ok=False, ready=(False, False))


def _player_ready(game: Game, event: PlayerReady) -> Game:
    return replace(game, ready=with_raised(game.ready, event.side, "is ready"))


def _started(game: Game, event: GameStarted) -> Game:
    # All clocks start on the announcement, also that of a player who is not there yet (2.7.5, 2.7.6).
    if not game.setup_ok:
        raise RefusedError("the board is not set up")
    return replace(game, clock=clocks.start(running_clock(game), Side.BASTAUSHY, event.at_us))


def _pressed(game: Game, event: ClockPressed) -> Game:
    # A ply entered by hand is counted when it becomes final; the press that follows ends the same move.
    clock = running_clock(game)
    unread = sum(clock.moves) - len(game.plies)
    counts = (game.position.to_move is event.side) is (unread % 2 == 0)
    return replace(
        game,
        clock=clocks.press(clock, event.side, event.at_us, counts=counts),
        pending_presses=(*game.pending_presses, event.side),
        last_press=newest_press(game, event.press),
    )


def _moved(game: Game, event: MovePlayed) -> Game:
    if event.side is not game.position.to_move:
        raise RefusedError(f"{game.position.to_move.value} is to move, not {event.side.value}")
    sowing = play(game.position, event.number)
    text = format_short(sowing)
    if event.text != text:
        raise RefusedError(f"its text is {shown(event.text)}, but the move is {text}")
    clock = running_clock(game)
    first_us, second_us = (clocks.remaining_us(clock, side, event.at_us) for side in Side)
    pending = game.pending_presses
    if event.side in pending:
        pending = pending[pending.index(event.side) + 1 :]
    played = Ply(
        event.side, event.number, text, event.at_us, (first_us, second_us), sowing.before, sowing.after
    )
    plies = (*game.plies, played)
    made = sum(ply.side is event.side for ply in plies)
    counted = clocks.count_moves(clock, event.side, made, event.at_us)
    if event.confirmed_by == "arbiter" and _only_ended_a_period(clock, counted, event):
        game = raised(game, lambda side: side is not event.side)
    return replace(
        game,
        position=sowing.after,
        plies=plies,
        pending_presses=pending,
        clock=counted,
        draw_open=None if game.draw_open is event.side.opponent and not game.draw_lasts else game.draw_open,
        sealed_number=None,
    )


def _only_ended_a_period(before: ClockState, after: ClockState, event: MovePlayed) -> bool:
    """Return whether a move an arbiter entered shows that a dial at zero had its quota made (2.7.13)."""
    index = event.side.index
    return before.period[index] < after.period[index] and not clocks.remaining_us(
        before, event.side, event.at_us
    )


def _flag_fell(game: Game, event: FlagFell) -> Game:
    flags = with_raised(game.flags, event.side, "has a fallen flag")
    # Presses that are not read yet are moves already: the one under way comes behind them (2.9.8).
    ply = len(game.plies) + len(game.pending_presses)
    first, second = game.flag_plies
    plies = (ply, second) if event.side is Side.BASTAUSHY else (first, ply)
    return replace(game, flags=flags, flag_plies=plies, first_flag=game.first_flag or event.side)


def raised(game: Game, keeps: Callable[[Side], bool]) -> Game:
    """Return the game with every fallen flag up again that `keeps` does not keep down."""
    down = [side for side in Side if game.flags[side.index] and keeps(side)]
    first = game.first_flag if game.first_flag in down else next(iter(down), None)
    flags = (Side.BASTAUSHY in down, Side.QOSTAUSHY in down)
    called = (flags[0] and game.flags_called[0], flags[1] and game.flags_called[1])
    plies = (game.flag_plies[0] if flags[0] else None, game.flag_plies[1] if flags[1] else None)
    return replace(game, flags=flags, flag_plies=plies, first_flag=first, flags_called=called)


def _clock_adjusted(game: Game, event: ClockAdjusted) -> Game:
    if event.delta_us == (0, 0):
        raise RefusedError("it gives and takes nothing")
    clock = clocks.adjust(running_clock(game), event.delta_us, event.at_us)
    return replace(raised(game, lambda side: event.delta_us[side.index] <= 0), clock=clock)


def _clock_set(game: Game, event: ClockSet) -> Game:
    clock = clocks.set_dials(running_clock(game), event.remaining_us, event.at_us, event.control)
    game = raised(game, lambda side: event.remaining_us[side.index] == 0)
    return replace(game, control=event.control, clock=clock)


def _suspended(game: Game, event: GameSuspended) -> Game:
    clock = running_clock(game)
    return replace(
        game,
        clock=clocks.stop(clock, event.at_us),
        suspended_running=clock.running,
        suspended_reason=event.reason,
    )


def _resumed(game: Game, event: GameResumed) -> Game:
    if game.seal is not None:
        raise RefusedError("the sealed move has not been opened")
    clock = clocks.resume(running_clock(game), event.running, event.at_us)
    return replace(game, clock=clock, suspended_running=None, suspended_reason=None)


def _ended(game: Game, event: GameEnded) -> Game:
    clock = running_clock(game)
    if clock.running is not None:
        clock = clocks.stop(clock, event.at_us)
    return replace(
        game,
        clock=clock,
        result=event.result,
        result_reason=event.reason,
        suspended_running=None,
        suspended_reason=None,
        draw_open=None,
        called=False,
        caller=None,
        seal=None,
        sealed_number=None,
    )


def _confirmed(game: Game, event: ResultConfirmed) -> Game:
    return replace(game, confirmed=with_raised(game.confirmed, event.side, "has confirmed"))


PLAY_CHANGES: Mapping[type[GameEvent], Callable[[Game, Any], Game]] = {
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
