"""Which ply of a game a person means."""

from __future__ import annotations

import re

from firmware_bridge.commands.common import EXIT_UNUSABLE, fail, say
from rules.record.model import GameRecord

_PLY = re.compile(r"(?P<plies>\d{1,5})|(?P<move>\d{1,4})(?P<dots>\.|\.\.\.|…)")


def ply_meant(text: str, record: GameRecord) -> int:
    """Return after how many plies a text such as `23`, `12.` or `12...` means.

    Raises:
        typer.Exit: It means none, or none of this game; said already.
    """
    found = _PLY.fullmatch(text.strip())
    if found is None:
        raise fail(say("record.no_ply", text=text), EXIT_UNUSABLE)
    if found["plies"]:
        ply = int(found["plies"])
    else:
        before = 2 * (record.start_number - 1) + record.start.to_move.index
        ply = 2 * int(found["move"]) - (found["dots"] == ".") - before
    if not 0 <= ply <= len(record.plies) or (found["move"] and ply == 0):
        raise fail(say("record.too_few_plies", ply=text, n=len(record.plies)), EXIT_UNUSABLE)
    return ply
