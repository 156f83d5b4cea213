"""What whoever asked is answered: done or refused, a move that could not be played, proposals (pure)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firmware_bridge.board.inputs import Step
from firmware_bridge.board.refereeing.telling import proposed
from firmware_bridge.wire.payloads import StatePayload
from rules.errors import (
    AmbiguousMoveError,
    IllegalMoveError,
    NotationError,
    PositionFormatError,
    RulesError,
)
from rules.position_json import position_from_json, position_to_json


def answer_to(step: Step, state: Callable[[], StatePayload]) -> dict[str, Any]:
    """Return the answer to a command.

    Keys: `ok`; where it was refused `why`, `code`, `phase` and `watch`, and `move` where a move was at fault;
    `advice` where the law of conduct proposes something to whoever asked.

    Args:
        step: What it led to.
        state: Tells the table as it is published; asked only for a refusal.
    """
    told = proposed(step.proposals)
    advice = {"advice": told} if told else {}
    if not step.refusal:
        return {"ok": True, **advice}
    now = state()
    watch = now.watch.model_dump(mode="json")
    more = {} if step.error is None else move_told(step.error)
    said = {"ok": False, "why": step.refusal, "code": step.refused, "phase": now.phase, "watch": watch}
    return said | more | advice


def move_told(error: RulesError) -> dict[str, Any]:
    """Return what an answer says of a move that could not be played; {} where it was no move's fault."""
    match error:
        case IllegalMoveError(number=number, position=position):
            told: dict[str, Any] = {"kind": "illegal", "number": number}
        case AmbiguousMoveError(text=text, candidates=candidates, position=position):
            told = {"kind": "ambiguous", "text": text, "candidates": list(candidates)}
        case NotationError(text=text):
            return {"move": {"kind": "no_move", "text": text}}
        case _:
            return {}
    return {"move": {**told, "position": position_to_json(position)}}


def refused_move(told: object) -> IllegalMoveError | AmbiguousMoveError | NotationError | None:
    """Return the error that `move_told` wrote under `move`; None: nothing, or nothing that can be read."""
    try:
        match told:
            case {"kind": "illegal", "number": int() | None as number, "position": position}:
                return IllegalMoveError(number, "", position_from_json(position))
            case {"kind": "ambiguous", "text": str(text), "candidates": [*moves], "position": position}:
                return AmbiguousMoveError(text, tuple(map(str, moves)), position_from_json(position))
            case {"kind": "no_move", "text": str(text)}:
                return NotationError(text, "")
    except PositionFormatError:
        pass
    return None
