"""What a running board answers; whoever gets no answer is told why, in the language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from firmware_bridge.board.control import (
    ControlError,
    LateAnswerError,
    NoAnswerError,
    NotAllowedError,
    ask,
)
from firmware_bridge.commands.common import fail, reason_said, say


def answer_of(socket: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of the board that listens at `socket`, or leave with why there is none.

    Of a board that is late nobody knows whether it will do what it was told, and that is said.
    """
    try:
        return answer_or_late(socket, request)
    except LateAnswerError as error:
        raise fail(say("arbiter.late_answer", path=error.path)) from error


def answer_or_late(socket: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Do the same for whoever can wait for a board that is late.

    Raises:
        LateAnswerError: A board listens there, and has not answered yet.
    """
    try:
        return ask(socket, request)
    except LateAnswerError:
        raise
    except NotAllowedError as error:
        raise fail(say("arbiter.not_allowed", path=error.path, owner=error.owner)) from error
    except NoAnswerError as error:
        why = reason_said(error.__cause__)
        raise fail(say("arbiter.no_answer", path=error.path, why=why)) from error
    except ControlError as error:
        raise fail(str(error)) from error
