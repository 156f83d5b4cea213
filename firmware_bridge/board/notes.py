"""What a person is told about a board that does not show what it should (pure)."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.board.counting import Observation, stones_due
from firmware_bridge.board.inputs import Note
from firmware_bridge.board.reconciler import Ambiguous, Differs, InProgress, Played, Unreadable, Verdict
from firmware_bridge.layout import place_name
from rules.notation import format_short
from rules.position import START


def of_setup(seen: Observation) -> tuple[Note, ...]:
    """Return each place that is not as at the start of a game, with what lies there and what is due."""
    due = stones_due(START)
    return tuple(
        Note("not_set_up", place, f"{place_name(place)}: {stones} stones, due {due[place]}")
        for place, stones in enumerate(seen.stones)
        if stones != due[place]
    )


def of_unread(unread: Iterable[tuple[int, str]]) -> tuple[Note, ...]:
    """Return each place that cannot be read, with the reason."""
    return tuple(Note("unreadable", place, f"{place_name(place)}: {why}") for place, why in unread)


def of_verdict(verdict: Verdict) -> tuple[Note, ...]:
    """Return what a verdict leaves to be put right or decided; empty when there is nothing."""
    match verdict:
        case Differs(wrong=wrong):
            return tuple(Note("board_differs", place, place_name(place)) for place in wrong)
        case Ambiguous(lines=lines):
            told = " or ".join(" ".join(format_short(sowing) for sowing in line) for line in lines)
            return (Note("ambiguous", detail=told),)
        case InProgress(in_hand=int(missing)) if missing > 0:
            return (Note("stones_missing", detail=f"{missing} stones missing"),)
        case InProgress(in_hand=int(missing)):
            return (Note("stones_over", detail=f"{-missing} stones too many"),)
        case Played(plies=plies):
            return (Note("not_pressed", detail=" ".join(format_short(sowing) for sowing in plies)),)
        case Unreadable(places=places):
            return of_unread(places)
        case _:
            return ()
