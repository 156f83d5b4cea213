"""What an arbiter's commands mean for a game that is under way: the events of each (pure)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from firmware_bridge.board.inputs import Adjust, End, Enter, PlainRuling, SetClock, Suspend
from firmware_bridge.board.session import decisions
from rules.clock import remaining_us
from rules.errors import ClockError
from rules.game import (
    ClockAdjusted,
    ClockSet,
    Game,
    GameEnded,
    GameEvent,
    GameSuspended,
    MovePlayed,
    PositionRuled,
)
from rules.position import Position, Side, Sowing, outcome, play


def events_of(game: Game, command: PlainRuling) -> tuple[GameEvent, ...]:
    """Return what follows from a command; the fold has still to find a place for it.

    Raises:
        RulesError: It cannot be carried out in this game.
    """
    return _EVENTS[type(command)](game, command)


def end_on_board(position: Position, at_us: int) -> tuple[GameEnded, ...]:
    """Return the end of a game that stands on the board; nothing while it goes on."""
    end = outcome(position)
    return () if end is None else (GameEnded(at_us=at_us, result=end.score, reason=end.reason.value),)


def _suspended(_game: Game, command: Suspend) -> tuple[GameEvent, ...]:
    return (GameSuspended(at_us=command.at_us, reason=command.reason, by=command.by),)


def _ended(_game: Game, command: End) -> tuple[GameEvent, ...]:
    return (GameEnded(at_us=command.at_us, result=command.score, reason=command.reason, by=command.by),)


def _entered(game: Game, command: Enter) -> tuple[GameEvent, ...]:
    """Return plies that nobody saw: after a gap only a person knows them (house law 6)."""
    moves, position = decisions.entered(game.position, command.moves, command.at_us, command.by)
    return (*moves, *end_on_board(position, command.at_us))


def _adjusted(_game: Game, command: Adjust) -> tuple[GameEvent, ...]:
    return (
        ClockAdjusted(at_us=command.at_us, delta_us=command.delta_us, reason=command.reason, by=command.by),
    )


def _set(game: Game, command: SetClock) -> tuple[GameEvent, ...]:
    """Return the dials as told; one that was not told keeps what it shows."""
    clock, control = game.clock, command.control or game.control
    if clock is None or control is None:
        raise ClockError("there is no clock to set: no game was assigned")
    first_us, second_us = (
        remaining_us(clock, side, command.at_us) if told_us is None else told_us
        for side, told_us in zip(Side, command.dials_us, strict=True)
    )
    return (
        ClockSet(
            at_us=command.at_us,
            control=control,
            remaining_us=(first_us, second_us),
            reason=command.reason,
            by=command.by,
        ),
    )


_EVENTS: Mapping[type[PlainRuling], Callable[[Game, Any], tuple[GameEvent, ...]]] = {
    Suspend: _suspended,
    End: _ended,
    Enter: _entered,
    Adjust: _adjusted,
    SetClock: _set,
}
"""What each command means."""


def plies_of(position: Position, events: Iterable[GameEvent]) -> list[Sowing]:
    """Return the plies among some events, which begin at `position`."""
    plies: list[Sowing] = []
    for event in events:
        if isinstance(event, MovePlayed):
            plies.append(play(position, event.number))
            position = plies[-1].after
    return plies


def with_evidence(events: Iterable[GameEvent], evidence: Mapping[str, Any]) -> tuple[GameEvent, ...]:
    """Return the events, the moves and rulings on positions among them with this evidence."""
    return tuple(
        replace(event, evidence=evidence) if isinstance(event, MovePlayed | PositionRuled) else event
        for event in events
    )
