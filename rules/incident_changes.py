"""What infractions, rulings, offers and calls change in a game, and what they refuse (`INCIDENT_CHANGES`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from rules import clock as clocks
from rules.changes import RefusedError, newest_press, raised, running_clock, with_raised
from rules.clock import ClockState
from rules.errors import IllegalMoveError
from rules.events import GameEvent
from rules.incidents import (
    ADJOURNED,
    ArbiterCalled,
    CallAnswered,
    DrawAnswered,
    DrawOffered,
    FlagCalled,
    GameAdjourned,
    InfractionClosed,
    InfractionSeen,
    PlayerWarned,
    PositionRuled,
    SealOpened,
)
from rules.notation.forms import format_short, format_stood
from rules.position import Position, Side, play
from rules.state import Game, Incident, Ply


def _seen(game: Game, event: InfractionSeen) -> Game:
    due = len(game.incidents) + 1
    if event.infraction != due:
        raise RefusedError(f"it has the number {event.infraction}, but the next one is {due}")
    incident = Incident(event.infraction, event.side, event.faults, len(game.plies))
    return replace(game, incidents=(*game.incidents, incident))


def _settled(game: Game, number: int, how: str) -> Game:
    """Return the game with an infraction decided; refuses one that is not open."""
    if number not in [incident.number for incident in game.open_incidents]:
        raise RefusedError(f"infraction {number} is not open")
    incidents = (replace(each, settled=how) if each.number == number else each for each in game.incidents)
    return replace(game, incidents=tuple(incidents))


def _closed(game: Game, event: InfractionClosed) -> Game:
    return _settled(game, event.infraction, event.closing)


def _ruled(game: Game, event: PositionRuled) -> Game:
    if event.infraction is not None:
        game = _settled(game, event.infraction, event.decision)
    played = len(game.plies)
    if event.kept > played:
        raise RefusedError(f"{event.kept} plies cannot be kept: {played} have been played")
    kept = game.plies[: event.kept]
    base = game.position if event.kept == played else game.plies[event.kept].before
    more = _ply_of(event, base)
    if event.running is not event.position.to_move:
        mover = event.position.to_move.value
        raise RefusedError(f"{event.running.value}'s dial cannot run: {mover} is to move")
    plies = kept if more is None else (*kept, more)
    clock = _clock(game, event, plies)
    game = raised(game, lambda side: event.remaining_us[side.index] == 0)
    return replace(
        game,
        position=event.position,
        plies=plies,
        clock=clock,
        pending_presses=(),
        suspended_running=None if game.suspended_running is None else event.running,
        draw_open=None,
        sealed_number=None,
    )


def _clock(game: Game, event: PositionRuled, plies: tuple[Ply, ...]) -> ClockState:
    first, second = (sum(ply.side is side for ply in plies) for side in Side)
    clock = running_clock(game)
    running = None if clock.running is None else event.running
    return clocks.put(clock, event.remaining_us, (first, second), running, event.at_us)


def _ply_of(event: PositionRuled, base: Position) -> Ply | None:
    """Return the ply that the decision adds to the kept ones; refuses what the decision cannot mean."""
    if event.decision == "stands":
        if event.position.to_move is base.to_move:
            raise RefusedError(f"a sowing of {base.to_move.value} stands, so the other player is to move")
        text = format_stood(event.number)
    elif event.decision == "corrected":
        text = _corrected(event, base)
    else:
        _refuse_unlike(event, base)
        return None
    return Ply(
        base.to_move,
        event.number,
        text,
        event.at_us,
        event.remaining_us,
        base,
        event.position,
        stood=event.decision == "stands",
    )


def _corrected(event: PositionRuled, base: Position) -> str:
    if event.number is None:
        raise RefusedError("a corrected sowing needs the number of its pit")
    try:
        sowing = play(base, event.number)
    except IllegalMoveError as error:
        raise RefusedError(f"no sowing can be corrected to it: {error.reason}") from error
    if sowing.after != event.position:
        raise RefusedError(f"the sowing {format_short(sowing)} leads to another position")
    return format_short(sowing)


def _refuse_unlike(event: PositionRuled, base: Position) -> None:
    if event.number is not None:
        raise RefusedError(f"no ply follows from `{event.decision}`, so it has no pit")
    if event.decision != "set" and event.position != base:
        raise RefusedError(f"the position after {event.kept} plies is another one")


def _one_more(pair: tuple[int, int], side: Side) -> tuple[int, int]:
    """Return a pair of counts with one more for `side`."""
    return (pair[0] + 1, pair[1]) if side is Side.BASTAUSHY else (pair[0], pair[1] + 1)


def _warned(game: Game, event: PlayerWarned) -> Game:
    return replace(game, warnings=_one_more(game.warnings, event.side))


def _draw_offered(game: Game, event: DrawOffered) -> Game:
    """Count an offer; only the first of a player asks his opponent anything (2.6.9)."""
    before = game.draw_offers[event.side.index]
    draw_open = game.draw_open if before else event.side
    return replace(game, draw_offers=_one_more(game.draw_offers, event.side), draw_open=draw_open)


def _draw_answered(game: Game, event: DrawAnswered) -> Game:
    if game.draw_open is not event.side.opponent:
        raise RefusedError(f"{event.side.opponent.value} has offered no draw that waits for an answer")
    # An agreement is a draw only with the end behind it: torn apart by a power cut, it can be said again.
    return game if event.accepted else replace(game, draw_open=None)


def _called(game: Game, event: ArbiterCalled) -> Game:
    """Let the arbiter be waited for; whoever calls behind another has stopped no dial (2.7.15)."""
    caller = game.caller or event.side
    return replace(game, called=True, caller=caller, last_press=newest_press(game, event.press))


def _call_answered(game: Game, _event: CallAnswered) -> Game:
    if not game.called:
        raise RefusedError("nobody has called")
    return replace(game, called=False, caller=None)


def _flag_called(game: Game, event: FlagCalled) -> Game:
    if not game.flags[event.side.index]:
        raise RefusedError(f"{event.side.value}'s flag is not down")
    return replace(game, flags_called=with_raised(game.flags_called, event.side, "has a called flag"))


def _adjourned(game: Game, event: GameAdjourned) -> Game:
    if game.seal is not None:
        raise RefusedError("a move is sealed already")
    return replace(game, seal=event.seal, sealed_number=None, suspended_reason=ADJOURNED)


def _seal_opened(game: Game, event: SealOpened) -> Game:
    if game.seal is None:
        raise RefusedError("no move is sealed")
    if event.number is not None:
        play(game.position, event.number)
    return replace(game, seal=None, sealed_number=event.number)


INCIDENT_CHANGES: Mapping[type[GameEvent], Callable[[Game, Any], Game]] = {
    InfractionSeen: _seen,
    InfractionClosed: _closed,
    PositionRuled: _ruled,
    PlayerWarned: _warned,
    DrawOffered: _draw_offered,
    DrawAnswered: _draw_answered,
    ArbiterCalled: _called,
    CallAnswered: _call_answered,
    FlagCalled: _flag_called,
    GameAdjourned: _adjourned,
    SealOpened: _seal_opened,
}
"""What each kind of event changes besides the phase."""
