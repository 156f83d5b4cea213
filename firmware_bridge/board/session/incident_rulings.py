"""What an arbiter's commands about incidents mean for a game: the events of each (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from firmware_bridge.board.incident_inputs import (
    Adjourn,
    AnswerDraw,
    Close,
    IncidentRuling,
    Rule,
    Warn,
)
from firmware_bridge.board.session.player_buttons import agreed
from rules.clock import remaining_us
from rules.errors import ConductError, PositionFormatError
from rules.game import (
    DrawAnswered,
    Game,
    GameAdjourned,
    GameEnded,
    GameEvent,
    InfractionClosed,
    PlayerWarned,
    PositionRuled,
)
from rules.position import STONES, Position, Side, outcome, play
from rules.problems import impossible

NOBODY_SEES = "the board cannot tell how many stones lie in each pit: give the position"


def base_of(game: Game, take_back: int) -> Position:
    """Return the position in which a ruling's ply is played: after the plies that stay.

    Raises:
        ConductError: More plies are to be taken back than were played.
    """
    played = len(game.plies)
    if take_back > played:
        raise ConductError(f"{take_back} plies cannot be taken back: {played} have been played")
    return game.position if take_back == 0 else game.plies[played - take_back].before


def ruled(game: Game, command: Rule, seen: Sequence[int | None]) -> PositionRuled:
    """Return the event of a ruling, with everything that it leaves to the board filled in.

    Args:
        game: Where it is decided.
        command: The ruling.
        seen: What lies at the twenty places; None where it cannot be told.

    Raises:
        RulesError: It cannot be carried out here.
    """
    base = base_of(game, command.take_back)
    position = command.position or _follows(command, base, seen)
    clock = game.clock
    first_us, second_us = (
        told_us if told_us is not None else 0 if clock is None else remaining_us(clock, side, command.at_us)
        for side, told_us in zip(Side, command.dials_us, strict=True)
    )
    return PositionRuled(
        at_us=command.at_us,
        decision=command.decision,
        infraction=command.infraction,
        kept=len(game.plies) - command.take_back,
        number=command.number,
        position=position,
        remaining_us=(first_us, second_us),
        running=position.to_move,
        by=command.by,
        reason=command.reason,
    )


def _follows(command: Rule, base: Position, seen: Sequence[int | None]) -> Position:
    """Return the position that a decision means where it names none."""
    if command.decision == "corrected" and command.number is not None:
        return play(base, command.number).after
    if command.decision in ("stands", "set"):
        return _as_seen(base, seen)
    return base


def _as_seen(base: Position, seen: Sequence[int | None]) -> Position:
    """Return what lies on the board, the other player to move."""
    stones = [count for count in seen if count is not None]
    if len(stones) != len(seen) or not seen:
        raise PositionFormatError("position", "unread", NOBODY_SEES)
    pits, kazans = tuple(stones[:-2]), (stones[-2], stones[-1])
    position = Position(pits, kazans, base.tuzdyks, base.to_move.opponent)
    wrong = impossible(position)
    if wrong:
        told = "; ".join(problem.text for problem in wrong)
        raise PositionFormatError("position", sum(stones), f"a board of {STONES} stones ({told})")
    return position


def events_of(game: Game, command: IncidentRuling, seen: Sequence[int | None]) -> tuple[GameEvent, ...]:
    """Return what follows from a command; the fold has still to find a place for it.

    Raises:
        RulesError: It cannot be carried out in this game.
    """
    if isinstance(command, Rule):
        event = ruled(game, command, seen)
        end = outcome(event.position)
        if end is None:
            return (event,)
        ended = GameEnded(at_us=command.at_us, result=end.score, reason=end.reason.value, by=command.by)
        return (event, ended)
    return _EVENTS[type(command)](game, command)


def _closed(_game: Game, command: Close) -> tuple[GameEvent, ...]:
    return (
        InfractionClosed(
            at_us=command.at_us,
            infraction=command.infraction,
            closing=command.closing,
            by=command.by,
            reason=command.reason,
        ),
    )


def _warned(_game: Game, command: Warn) -> tuple[GameEvent, ...]:
    return (
        PlayerWarned(
            at_us=command.at_us,
            side=command.side,
            level=command.level,
            article=command.article,
            by=command.by,
            reason=command.reason,
        ),
    )


def _answered(_game: Game, command: AnswerDraw) -> tuple[GameEvent, ...]:
    if command.accepted:
        return agreed(command.at_us, command.side)
    return (DrawAnswered(at_us=command.at_us, side=command.side, accepted=False),)


def _adjourned(_game: Game, command: Adjourn) -> tuple[GameEvent, ...]:
    return (GameAdjourned(at_us=command.at_us, seal=command.seal, by=command.by, reason=command.reason),)


_EVENTS: Mapping[type[IncidentRuling], Callable[[Game, Any], tuple[GameEvent, ...]]] = {
    Close: _closed,
    Warn: _warned,
    AnswerDraw: _answered,
    Adjourn: _adjourned,
}
"""What each command but a ruling means; what people say at the table is heard in `people.py`."""
