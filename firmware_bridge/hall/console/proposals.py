"""What the law of conduct proposes at a board besides a ruling: warnings, time, who writes. Pure.

A proposal is plain values: a code, its articles, whom it is about, and the commands that would carry it out.
Nothing is done until an arbiter orders it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from firmware_bridge.hall.console.attention import Attention
from firmware_bridge.hall.console.event import unsigned_of, warned_for
from firmware_bridge.hall.ledger.event_values import Book
from firmware_bridge.hall.ledger.values import Fixture
from rules.clock import new_clock
from rules.conduct.endings import late
from rules.conduct.offences import Offence, articles_of
from rules.conduct.options import Conduct
from rules.conduct.penalties import time_penalty
from rules.conduct.proposal import Proposal
from rules.conduct.writing import who_writes
from rules.position import Side
from rules.time_control import NO_CLOCK

_IN_PLAY = ("playing", "suspended")


def proposals(
    conduct: Conduct,
    attention: Attention,
    fixture: Fixture | None,
    names: Sequence[str],
    book: Book,
    now_ms: int,
) -> list[dict[str, Any]]:
    """Return what is proposed beside the infractions that wait, the hall's own proposals.

    Args:
        conduct: The options of the event.
        attention: What the board's events say.
        fixture: Its game in the ledger; None: it is not there, and nobody knows when it ended.
        names: Both players.
        book: The ledger.
        now_ms: Wall time.
    """
    found = _late(conduct, attention, names, book)
    for due in [] if fixture is None else unsigned_of(book, fixture, now_ms):
        found.append(
            {
                "code": due["code"],
                "articles": due["articles"],
                "side": due["side"],
                "person": due["person"],
                "warns": True,
                "commands": [_warning(due["side"], Offence.SHEET_NOT_SIGNED)],
            }
        )
    return found


def _late(conduct: Conduct, attention: Attention, names: Sequence[str], book: Book) -> list[dict[str, Any]]:
    """Return the warnings that a charged lateness may earn (2.3.3); the time is charged already."""
    if not any(attention.late_us):
        return []
    charged = late(conduct, attention.late_us, new_clock(NO_CLOCK), 0, ran=(True, True))
    found = []
    for proposal in charged:
        warning = _warns(proposal)
        if warning is None or proposal.side is None:
            continue
        side, person = proposal.side.value, names[proposal.side.index]
        if warned_for(book, person, attention.game, Offence.LATE):
            continue
        found.append(
            {
                "code": warning.code.value,
                "articles": list(warning.articles),
                "side": side,
                "person": person,
                "warns": bool(proposal.warns),
                "commands": [_warning(side, Offence.LATE)],
            }
        )
    return found


def _warns(proposal: Proposal) -> Proposal | None:
    """Return the proposal, or what else lies in the arbiter's hand, whichever warns; None: neither."""
    return next((each for each in (proposal, *proposal.alternatives) if each.warns), None)


def _warning(side: str, offence: Offence) -> dict[str, Any]:
    return {"do": "warn", "side": side, "article": articles_of(offence)[0], "reason": offence.value}


def time_penalties(conduct: Conduct, state: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what the event takes and gives for an offence of either player (2.4.8); {}: there is no clock.

    `takes_s` and `gives_s` are in seconds, None where the arbiter names the amount; `commands` holds what
    the event names and the dials have.
    """
    clock = None if state is None else state["clock"]
    if state is None or clock is None or state["phase"] not in _IN_PLAY:
        return {}
    first, second = (max(0, left) * 1000 for left in clock["remaining_ms"])
    told = {}
    for side in Side:
        penalty = time_penalty(conduct, side, (first, second))
        commands = [
            {
                "do": "adjust",
                "side": each.value,
                "seconds": penalty.adds_us[each.index] / 1e6,
                "reason": "2.4.8",
            }
            for each in (side, side.opponent)
            if penalty.adds_us[each.index]
        ]
        told[side.value] = {
            "articles": list(penalty.articles),
            "decider": penalty.decider.value,
            "takes_s": None if penalty.takes_us is None else penalty.takes_us / 1e6,
            "gives_s": None if penalty.gives_us is None else penalty.gives_us / 1e6,
            "cut": penalty.cut,
            "commands": commands,
        }
    return told


def sheets(conduct: Conduct) -> dict[str, Any]:
    """Return whether the players write score sheets: not in rapid and blitz (2.9.2)."""
    duty = who_writes(conduct, None)
    return {"written": any(duty.must_write), "code": duty.code.value, "articles": list(duty.articles)}
