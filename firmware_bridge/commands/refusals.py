"""A move that a board would not take, told in the language, with the position drawn.

Nobody reads eighteen numbers in a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware_bridge.board.requests.answers import refused_move
from firmware_bridge.commands.common import complaints, speech
from firmware_bridge.commands.record.drawing import ASCII, NARROWEST, UNICODE, draw, plain, printable
from firmware_bridge.commands.record.scoresheet import labels_of
from firmware_bridge.commands.record.words import error_told
from rules.errors import AmbiguousMoveError, IllegalMoveError
from rules.position import Position
from rules.record.model import GameRecord


def move_told(answer: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Return why a move was refused, and the lines that draw the position it was to be played in.

    Args:
        answer: Of a board that refused; one that does not say in parts why is told in its own words.
    """
    error = refused_move(answer.get("move"))
    if error is None:
        return str(answer.get("why", "")), ()
    drawn = _drawn(error.position) if isinstance(error, IllegalMoveError | AmbiguousMoveError) else ()
    return error_told(error, None if isinstance(error, IllegalMoveError) else printable(error.text)), drawn


def _drawn(position: Position) -> tuple[str, ...]:
    labels = labels_of(GameRecord(), speech.texts, pit_names=False)
    signs = UNICODE if complaints.encoding.startswith("utf") else ASCII
    lines = draw(position, labels, width=max(complaints.width, NARROWEST), signs=signs)
    return tuple(plain(lines).splitlines())
