"""A refusal that holds a position, told as a board: nobody reads eighteen numbers in a row."""

from __future__ import annotations

import re
from typing import Final

from firmware_bridge.commands.common import complaints, speech
from firmware_bridge.commands.record.drawing import ASCII, NARROWEST, UNICODE, draw, plain
from firmware_bridge.commands.record.scoresheet import labels_of
from rules.errors import PositionFormatError
from rules.position_json import position_from_json
from rules.record.model import GameRecord

_POSITION: Final = re.compile(
    r" \(position: (?P<first>[\d ]+) / (?P<second>[\d ]+), kazans (?P<kazans>\d+:\d+), "
    r"tuzdyks (?P<tuzdyks>[\d-]+,[\d-]+), (?P<side>\w+) to move\)"
)
"""As the errors of `rules` show a position."""


def parted(refusal: str) -> tuple[str, tuple[str, ...]]:
    """Return a refusal without the position in it, and the lines that draw that position; () without one."""
    found = _POSITION.search(refusal)
    if found is None:
        return refusal, ()
    row, other = found["first"].split(), found["second"].split()
    won = [None if number == "-" else int(number) for number in found["tuzdyks"].split(",")]
    try:
        position = position_from_json(
            {
                "pits": [int(stones) for stones in (*row, *other)],
                "kazans": [int(stones) for stones in found["kazans"].split(":")],
                "tuzdyks": won,
                "to_move": found["side"],
            }
        )
    except PositionFormatError:
        return refusal, ()
    labels = labels_of(GameRecord(), speech.texts, pit_names=False)
    signs = UNICODE if complaints.encoding.startswith("utf") else ASCII
    lines = draw(position, labels, width=max(complaints.width, NARROWEST), signs=signs)
    told = refusal[: found.start()] + refusal[found.end() :]
    return told, tuple(plain(lines).splitlines())
