"""A table's state as an arbiter reads it in a terminal: what is wrong comes first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from firmware_bridge.commands.advised import SIDES, advice_said
from firmware_bridge.commands.common import code_said, console, plural, say
from firmware_bridge.commands.faults import fits, why_said

_NARROWEST = 76
"""Columns that the board, its kazans and clocks need beside a name."""


def show(state: dict[str, Any]) -> None:
    """Print a table's state, as a board answers it, for a person in a hurry."""
    watch = state["watch"]
    phase = code_said("phase", state["phase"])
    resting = f" ({escape(code_said('pause', state['pause']))})" if state["pause"] else ""
    sensed = say("arbiter.board_is", sensed=sensed_said(watch["sensed"], watch["notes"]))
    console.print(f"[bold]{state['board']}[/]  {phase}{resting}, {sensed}", soft_wrap=True)
    for line in notes_said(watch["notes"]):
        console.print(line, soft_wrap=True)
    for hand in watch.get("hands", ()):
        console.print("  " + _hand_said(hand), soft_wrap=True)
    if state["result"]:
        result = state["result"]
        reason = escape(code_said("reason", result["reason"]))
        console.print("  " + say("arbiter.result", score=result["score"], reason=reason), soft_wrap=True)
    for told in _of_clock(state):
        console.print(f"  {told}", soft_wrap=True)
    for told in advice_said(state.get("advice", ())):
        console.print(told, soft_wrap=True)
    _show_board(state)
    moves = " ".join(state["moves"].split()[-6:])
    last = say("arbiter.last_plies", moves=moves) if moves else say("arbiter.no_plies")
    plies = plural("arbiter.plies", state["ply"])
    console.print(f"{plies}, {last}", soft_wrap=True)


def sensed_said(sensed: str, notes: Sequence[Mapping[str, Any]]) -> str:
    """Return how a board looks.

    A board with one cell that cannot be read says so whenever it is not at rest, and counts on all the same:
    the other places and the 162 stones tell what lies there. Nobody is to think that the game stands still.
    """
    if sensed == "unreadable" and [note["code"] for note in notes] == ["unreadable"]:
        return say("arbiter.one_unread")
    return code_said("status", sensed)


def _hand_said(hand: dict[str, Any]) -> str:
    """Return what one player's hands hold, as an arbiter reads it."""
    pit = "?" if hand["pit"] is None else str(hand["pit"] % 9 + 1)
    told = say("arbiter.hand", side=code_said("side", hand["side"]), pit=pit, stones=hand["stones"])
    carried = hand.get("carried", 0)
    return ", ".join((told, say("arbiter.carried", stones=carried))) if carried else told


def notes_said(notes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what is wrong with a board, as lines of a terminal."""
    for note in notes:
        yield f"  [bold yellow]{escape(note_said(note))}[/]"


def note_said(note: Mapping[str, Any]) -> str:
    """Return what is wrong; what has no text of ours, or lacks what fills it, in the board's own words."""
    key, values = f"wrong.{note['code']}", {"detail": note["detail"], **note.get("values", {})}
    place = _place(note)
    if place is not None:
        values["place"] = place
    why = why_said(note.get("why"), values)
    if why is not None:
        values["why"] = why
    return say(key, **values) if fits(key, values) else str(note["detail"])


def _place(note: Mapping[str, Any]) -> str | None:
    """Return the pit or kazan that is meant, with the channel to be mended; None: the whole board."""
    if note["pit"] is not None:
        side, number = SIDES[note["pit"] // 9], note["pit"] % 9 + 1
        place = say("wrong.pit", side=code_said("side", side), n=number)
    elif note.get("kazan") is not None:
        place = say("wrong.kazan", side=code_said("side", note["kazan"]))
    else:
        return None
    channel = note.get("channel")
    return place if channel is None else say("wrong.on_channel", place=place, channel=channel)


def _show_board(state: dict[str, Any]) -> None:
    position, clock = state["position"], state["clock"]
    table = Table("", *(str(number) for number in range(1, 10)), say("arbiter.kazan"), say("arbiter.clock"))
    for index, side in enumerate(SIDES):
        pits = [str(stones) for stones in position["pits"][9 * index : 9 * index + 9]]
        won = position["tuzdyks"][1 - index]
        if won is not None:
            pits[won - 1] = "x"
        left = _clock(clock["remaining_ms"][index]) if clock else ""
        runs = " " + say("arbiter.runs") if clock and clock["running"] == side else ""
        name = f"{code_said('side', side)} {escape(state['names'][index])}"
        table.add_row(name, *pits, str(position["kazans"][index]), left + runs)
    if console.width < _NARROWEST:  # every number would be folded away
        table.width = _NARROWEST
    console.print(table, crop=False)


def _of_clock(state: dict[str, Any]) -> Iterator[str]:
    """Yield what else there is to say of the clock: its control and its quotas."""
    clock = state["clock"]
    if clock is None:
        return
    if clock.get("control"):
        left = clock.get("moves_to_quota", (None, None))
        words = (plural("arbiter.to_quota", moves) for moves in left if moves is not None)
        yield " · ".join((say("arbiter.control", control=clock["control"]), *words))


def _clock(left_ms: int) -> str:
    minutes, seconds = divmod(left_ms // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
