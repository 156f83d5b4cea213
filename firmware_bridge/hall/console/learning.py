"""What the record of a game that has ended says of warnings and infractions. Pure.

A hall that was started in the middle of an event has not heard them; the boards publish the records of their
last games, and there every decision stands in words (`rules/record/RECORD.md`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from firmware_bridge.hall.ledger.event_values import Offended
from firmware_bridge.hall.ledger.values import Warned
from rules.conduct.ladder import LAST_LEVEL
from rules.record.model import ILLEGAL_STANDS, GameRecord, Ruling

_DECIDED: Final = {"corrected": "corrected", "restored": "restored", ILLEGAL_STANDS: "stands"}
"""How an infraction was decided, by the ruling behind it."""


def warnings_in(record: GameRecord, names: Sequence[str], board: str, game: str, number: int) -> list[Warned]:
    """Return the warnings of a game; those whose words make no sense are left out.

    Args:
        record: The record.
        names: Both players as the ledger knows them.
        board: Id of the board.
        game: Id of the game.
        number: Its round; 0: in none.
    """
    found = []
    for nth, ruling in enumerate(ruling for ruling in record.rulings if ruling.kind == "warning"):
        step, _, said = ruling.text.partition(": ")
        level, _, article = step.partition(", ")
        by, _, reason = said.partition(": ")
        if ruling.side is None or level not in map(str, range(1, LAST_LEVEL + 1)):
            continue
        found.append(
            Warned(
                key=f"record-{game}-{nth + 1}",
                person=names[ruling.side.index],
                level=int(level),
                board=board,
                game=game,
                round=number,
                article=article,
                given_by=by,
                reason=reason,
                at_ms=0,
            )
        )
    return found


def offences_in(record: GameRecord, names: Sequence[str], game: str) -> list[Offended]:
    """Return the infractions of a game in order, numbered from 1, and how each was decided."""
    found: list[Offended] = []
    for ruling in record.rulings:
        if ruling.kind == "infraction" and ruling.side is not None:
            number = len(found) + 1
            key, person = f"record-{game}-{number}", names[ruling.side.index]
            found.append(Offended(key=key, person=person, game=game, number=number, at_ms=0))
        elif found and found[-1].settled is None:
            settled = _settled(ruling)
            if settled is not None:
                found[-1] = replace(found[-1], settled=settled)
    return found


def _settled(ruling: Ruling) -> str | None:
    if ruling.kind == "infraction_closed":
        return ruling.text.partition(": ")[0]
    return _DECIDED.get(ruling.kind)
