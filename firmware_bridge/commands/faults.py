"""What is broken, as an arbiter is told of it: which channel stands behind a place, and why it is unread.

A board says why in English and within the length of the wire; what is known here is said whole, and in the
language of whoever asks.
"""

from __future__ import annotations

import re
from typing import Final

from firmware_bridge.commands.common import later, say
from firmware_bridge.layout import PLACES, Seating, place_name

_CHANNEL: Final = re.compile(r"channel (\d+): (.*)", re.DOTALL)

_WHYS: Final = tuple(
    (re.compile(beginning), key)
    for beginning, key in (
        (r"the converter gives (?P<value>-?\d+) again and again", later("wrong.why.stuck")),
        (r"a fifth of its readings", later("wrong.why.restless")),
        (r"no conversion in time", later("wrong.why.not_ready")),
        (r"saturated: overload", later("wrong.why.saturated")),
        (r"excluded by the device", later("wrong.why.excluded")),
        (r"the device could not trust", later("wrong.why.read_error")),
        (r"not calibrated", later("wrong.why.uncalibrated")),
    )
)
"""How the faults of `sensors` begin, and our text for them."""

_OF_CELLS: Final = ("unreadable", "drift")
_OF_BEAMS: Final = ("beam_blind", "beam_doubling", "beam_restless", "beam_fault")

_PLACES: Final = {place_name(place): place for place in range(PLACES)}


def why_said(why: str) -> str:
    """Return why a channel cannot be read; what has no text of ours as the board says it."""
    named = _CHANNEL.fullmatch(why)
    told = why if named is None else named[2]
    for beginning, key in _WHYS:
        found = beginning.match(told)
        if found is not None:
            return say(key, **found.groupdict())
    return told


def channel_of(code: str, detail: str, seating: Seating | None) -> int | None:
    """Return the channel that a remark is about; None where it is about none, or nobody knows.

    Args:
        code: Of the remark.
        detail: The board's own words: a place, and often the channel.
        seating: Of the board; None: not known.
    """
    if code not in (*_OF_CELLS, *_OF_BEAMS):
        return None
    words, _, rest = detail.partition(": ")
    named = _CHANNEL.fullmatch(rest)
    if named is not None:
        return int(named[1])
    place = _PLACES.get(words)
    if seating is None or place is None:
        return None
    return seating.beam_of_place[place] if code in _OF_BEAMS else seating.channel_of_place[place]
