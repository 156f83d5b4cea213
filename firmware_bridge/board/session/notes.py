"""What a person is told about a board that does not show what it should (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.counting.observation import Unread
from firmware_bridge.board.inputs import Note, Watch
from firmware_bridge.board.watching.look import Look
from firmware_bridge.board.watching.reconciler import (
    Ambiguous,
    Differs,
    InProgress,
    Played,
    Same,
    Unheard,
    Unmoved,
    Unreadable,
    Unsure,
    Verdict,
)
from firmware_bridge.layout import place_name
from rules.control_text import format_control
from rules.game import (
    ClockAdjusted,
    ClockPressed,
    ClockSet,
    FlagFell,
    GameAssigned,
    GameEnded,
    GameEvent,
    GameSuspended,
    MovePlayed,
    PlayerReady,
    ResultConfirmed,
)
from rules.notation.moves import format_short
from rules.position import START, Sowing
from sensors.samples import Fault

COMPLAIN_AFTER_US = 3_000_000
"""How long an unexplained board must lie quiet after a press before a person is asked to look."""

RESTING_AFTER_US = 10_000_000
"""The same without a press: longer than a player rests with stones in his hand."""


def watch_unquiet(look: Look) -> Watch:
    """Return how a board looks on which not every place is quiet."""
    return Watch("unreadable", of_unread(look.unread)) if look.unread else Watch("moving")


def watch_playing(
    look: Look,
    last_press_us: int,
    drifted: tuple[int, ...] = (),
    beams: tuple[tuple[int, str], ...] = (),
) -> Watch:
    """Return how a board looks during play; before the press nothing is a fault (house law 5).

    `drifted` are the places whose zero has wandered so far that it will soon be followed no more; `beams`
    those whose count sensor is not believed, with how it is broken.
    """
    verdict = look.verdict
    if verdict is None or look.quiet_since_us is None:
        return watch_unquiet(look)
    if isinstance(verdict, Same):
        drifting = tuple(Note("drift", place, place_name(place)) for place in drifted)
        counted = (Note("counts_only"),) if isinstance(verdict, Unmoved) else ()
        return Watch("matches", (*drifting, *of_unread(look.unread), *of_beams(beams), *counted))
    # A swept board that several last plies explain is owed a question though nobody pressed.
    owed = isinstance(verdict, Ambiguous) or (bool(look.presses) and not isinstance(verdict, Played))
    quiet_us = look.at_us - max(look.quiet_since_us, last_press_us)
    if owed and quiet_us >= COMPLAIN_AFTER_US:
        return Watch("differs", of_verdict(verdict))
    if not isinstance(verdict, Played) and quiet_us >= RESTING_AFTER_US:
        # Nobody has pressed, so it is no fault yet; but what has lain still so long is no hand any more.
        return Watch("differs", of_verdict(verdict))
    return Watch("moving")


def watch_resting(look: Look) -> Watch:
    """Return how a board looks while the clocks stand; `matches` means that play may be resumed."""
    if look.verdict is None:
        return watch_unquiet(look)
    # A ply made while the clocks stood is as good as one made before: once play is resumed it is
    # committed as ever, by the press that has been or is still to come.
    if isinstance(look.verdict, Same | Played):
        return Watch("matches", of_unread(look.unread))
    return Watch("differs", of_verdict(look.verdict))


def with_standing(watch: Watch, standing: Sequence[Note]) -> Watch:
    """Return how the board looks, with what is broken before all else it says, and each of it once."""
    known = {(note.code, note.place) for note in standing}
    others = tuple(note for note in watch.notes if (note.code, note.place) not in known)
    return replace(watch, notes=(*standing, *others)) if standing else watch


def seen_instead(watch: Watch) -> str:
    """Say what is seen instead of what is due, for a refusal."""
    details = (note.detail for note in watch.notes if note.detail)
    return "; ".join(details) or watch.sensed.replace("_", " ")


def in_words(event: GameEvent) -> str:
    """Return an event as a line for the log of a person who watches over many boards."""
    match event:
        case MovePlayed(side=side, text=text, confirmed_by=how):
            words = f"{side.value} played {text} ({how})"
        case ClockPressed(side=side):
            words = f"{side.value} pressed"
        case GameAssigned(game_id=game, names=names):
            words = f"game {game}: {names[0]} - {names[1]}"
        case GameSuspended(reason=reason):
            words = f"game suspended: {reason}"
        case ClockAdjusted(delta_us=(first_us, second_us), reason=reason):
            words = f"clock adjusted by {first_us / 1e6:+g} s and {second_us / 1e6:+g} s: {reason}"
        case ClockSet(remaining_us=(first_us, second_us), control=control, reason=reason):
            dials = f"{first_us / 1e6:g} s and {second_us / 1e6:g} s"
            words = f"clock set to {dials} ({format_control(control)}): {reason}"
        case GameEnded(result=result, reason=reason):
            words = f"game ended {result}: {reason}"
        case PlayerReady(side=side) | ResultConfirmed(side=side) | FlagFell(side=side):
            words = f"{event.kind.replace('_', ' ')}: {side.value}"
        case _:
            words = event.kind.replace("_", " ")
    return words


def of_setup(seen: Sequence[int | None]) -> tuple[Note, ...]:
    """Return each place where not the stones of the start are `seen`, with how many and what is due."""
    due = stones_due(START)
    return tuple(
        Note(
            "not_set_up",
            place,
            f"{place_name(place)}: {stones} stones, due {due[place]}",
            {"due": due[place]} if stones is None else {"stones": stones, "due": due[place]},
        )
        for place, stones in enumerate(seen)
        if stones != due[place]
    )


def of_unread(unread: Iterable[Unread]) -> tuple[Note, ...]:
    """Return each place that cannot be read, with the reason."""
    return tuple(
        Note(
            "unreadable", place, f"{place_name(place)}: {why}", fault=why if isinstance(why, Fault) else None
        )
        for place, why in unread
    )


def of_beams(broken: Iterable[tuple[int, str]]) -> tuple[Note, ...]:
    """Return each place whose count sensor is not believed, with how it is broken (`beams.BROKEN`)."""
    notes = []
    for place, what in broken:
        where = place_name(place)
        if what == "beam_blind":
            notes.append(Note("beam_blind", place, where))
        elif what == "beam_doubling":
            notes.append(Note("beam_doubling", place, where))
        elif what == "beam_restless":
            notes.append(Note("beam_restless", place, where))
        else:
            notes.append(Note("beam_fault", place, where))
    return tuple(notes)


def of_verdict(verdict: Verdict) -> tuple[Note, ...]:  # noqa: PLR0911 - one for each kind of verdict
    """Return what a verdict leaves to be put right or decided; empty when there is nothing."""
    match verdict:
        case Differs(wrong=wrong):
            return tuple(Note("board_differs", place, place_name(place)) for place in wrong)
        case Ambiguous(lines=lines):
            found = [_moves(line) for line in lines]
            return (Note("ambiguous", None, " or ".join(found), {"moves": " / ".join(found)}),)
        case Unsure(places=doubtful):
            return tuple(
                Note(
                    "unsure",
                    place,
                    f"{place_name(place)}: {due} or {other} stones",
                    {"stones": due, "due": other},
                )
                for place, due, other in doubtful
            )
        case InProgress(in_hand=int(missing)) if missing > 0:
            return (Note("stones_missing", None, f"{missing} stones missing", {"stones": missing}),)
        case InProgress(in_hand=int(missing)):
            return (Note("stones_over", None, f"{-missing} stones too many", {"stones": -missing}),)
        case Played(plies=plies):
            return (Note("not_pressed", None, _moves(plies), {"moves": _moves(plies)}),)
        case Unreadable(places=places):
            return of_unread(places)
        case Unheard(nearest=plies):
            told = _moves(plies) or "-"
            return (Note("unheard", None, told, {"moves": told}),)
        case _:
            return ()


def _moves(plies: Sequence[Sowing]) -> str:
    return " ".join(map(format_short, plies))
