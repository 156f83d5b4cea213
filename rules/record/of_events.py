"""What an arbiter would write down about the events of a game besides its moves: its rulings.

The words of a ruling have their parts in order, with a colon and a blank between them: what a program reads
first, if anything, then who decided, then why. Empty parts are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from rules.clock import remaining_us
from rules.control_text import format_control, format_time
from rules.events import (
    ClockAdjusted,
    ClockSet,
    FlagFell,
    GameEvent,
    GameResumed,
    GameSuspended,
    MovePlayed,
)
from rules.incidents import (
    ArbiterCalled,
    CallAnswered,
    DrawAnswered,
    DrawOffered,
    FlagCalled,
    GameAdjourned,
    InfractionClosed,
    InfractionSeen,
    PlayerWarned,
    PositionRuled,
    SealOpened,
)
from rules.notation.positions import format_fen
from rules.position import Side
from rules.record.check import UNPRINTABLE
from rules.record.model import (
    ILLEGAL_STANDS,
    MAX_TEXT,
    POSITION_KINDS,
    POSITION_SET,
    GameRecord,
    Ruling,
    placed,
)
from rules.record.notes import format_dials
from rules.state import Game
from rules.time_control import ClockMode, TimeControl

_LONGEST_LIST = 250
"""Characters of the longest list of moves taken back: some sixty moves, and room for words behind them."""

_OF_ITS_PLY = frozenset({"move_by_arbiter", "corrected", *POSITION_KINDS})
"""The codes of rulings that say something of the ply before them; without it they say nothing."""

_Kind = tuple[str, Side | None, str]
"""The code of a ruling, whom it concerns, and its words."""


def rulings_of(event: GameEvent, before: Game, after: Game) -> Iterator[Ruling]:
    """Yield what is written down about an event.

    The positions of rulings have the number 1 at their end; `numbered` gives them the right one.

    Args:
        event: The event.
        before: The game before it.
        after: The game after it.
    """
    if isinstance(event, PositionRuled):
        gone = [ply.text for ply in before.plies[event.kept :]]
        if gone and event.decision != "taken_back":
            yield Ruling(event.kept, "taken_back", None, _said(_listed(gone), event.by))
        found = _position_ruled(event, before, gone)
    else:
        found = _KINDS.get(type(event), _nothing)(event)
    for kind, side, words in found:
        yield Ruling(len(after.plies), kind, side, words)


def behind_kept(rulings: Iterable[Ruling], kept: int) -> Iterator[Ruling]:
    """Yield the rulings that hold when only the first plies are kept, those of the others behind the last.

    What was said of a ply that is no more goes with it; a warning stays a warning.
    """
    for ruling in rulings:
        if ruling.ply <= kept:
            yield ruling
        elif ruling.kind not in _OF_ITS_PLY:
            yield replace(ruling, ply=kept)


def numbered(record: GameRecord) -> Iterator[Ruling]:
    """Yield the rulings of a record, the number of the next full move in those that place stones."""
    stops = list(record.course())
    for ruling in record.rulings:
        if ruling.kind not in POSITION_KINDS:
            yield ruling
            continue
        position, _, words = placed(ruling)
        number = stops[ruling.ply].number(position.to_move)
        yield replace(ruling, text=_said(format_fen(position, number), words))


def counts(game: Game) -> bool:
    """Return whether there is a clock at all."""
    return game.control is not None and game.control.mode is not ClockMode.NONE


def dials_of(shown_us: tuple[int, int]) -> tuple[int, int]:
    """Return what both dials show, in milliseconds."""
    return shown_us[0] // 1000, shown_us[1] // 1000


def plain(text: str) -> str:
    """Return a text without what no record can hold, cut to the longest there may be."""
    return UNPRINTABLE.sub(" ", text).strip()[:MAX_TEXT].strip()


def _said(*parts: str) -> str:
    return plain(": ".join(part for part in map(plain, parts) if part))


def _position_ruled(event: PositionRuled, before: Game, gone: list[str]) -> Iterator[_Kind]:
    """Yield the decision, and the dials if it changed them without a ply that shows them."""
    position, words = event.position, (event.by, event.reason)
    yield {
        "stands": (ILLEGAL_STANDS, position.to_move.opponent, _said(format_fen(position), *words)),
        "set": (POSITION_SET, None, _said(format_fen(position), *words)),
        "corrected": ("corrected", position.to_move.opponent, _said(*words)),
        "restored": ("restored", position.to_move, _said(*words)),
        "taken_back": ("taken_back", None, _said(_listed(gone), *words)),
    }[event.decision]
    if event.decision not in ("stands", "corrected"):
        yield from _dials_put(event, before)


def _dials_put(event: PositionRuled, before: Game) -> Iterator[_Kind]:
    clock = before.clock
    assert clock is not None, "a game that is played has one"
    shown_us = tuple(remaining_us(clock, side, event.at_us) for side in Side)
    if shown_us != event.remaining_us:
        yield "clock_set", None, _said(_dials_set(event.remaining_us, clock.control), event.by)


def _dials_set(shown_us: tuple[int, int], control: TimeControl) -> str:
    return f"{format_dials(dials_of(shown_us))}, {format_control(control)}"


def _listed(moves: list[str]) -> str:
    """Return moves with blanks between them; of very many the first and an ellipsis."""
    said = " ".join(moves)
    return said if len(said) <= _LONGEST_LIST else f"{said[:_LONGEST_LIST].rpartition(' ')[0]} …"


def _nothing(_event: GameEvent) -> Iterator[_Kind]:
    yield from ()


def _adjusted(event: ClockAdjusted) -> Iterator[_Kind]:
    for side in Side:
        delta_ms = event.delta_us[side.index] // 1000
        if delta_ms:
            given = f"{'+' if delta_ms > 0 else '-'}{format_time(abs(delta_ms))}"
            yield "time_adjusted", side, _said(given, event.by, event.reason)


def _played(event: MovePlayed) -> Iterator[_Kind]:
    if event.confirmed_by == "arbiter":
        yield "move_by_arbiter", event.side, plain(event.by)


def _one(make: Callable[[Any], _Kind]) -> Callable[[Any], Iterator[_Kind]]:
    """Return what yields the one ruling that an event makes."""

    def kinds(event: GameEvent) -> Iterator[_Kind]:
        yield make(event)

    return kinds


_KINDS: Mapping[type[GameEvent], Callable[[Any], Iterator[_Kind]]] = {
    FlagFell: _one(lambda it: ("flag", it.side, "")),
    ClockAdjusted: _adjusted,
    ClockSet: _one(
        lambda it: ("clock_set", None, _said(_dials_set(it.remaining_us, it.control), it.by, it.reason))
    ),
    GameSuspended: _one(lambda it: ("suspended", None, _said(it.by, it.reason))),
    GameResumed: _one(lambda it: ("resumed", it.running, plain(it.by))),
    MovePlayed: _played,
    InfractionSeen: _one(lambda it: ("infraction", it.side, ", ".join(it.faults))),
    InfractionClosed: _one(lambda it: ("infraction_closed", None, _said(it.closing, it.by, it.reason))),
    PlayerWarned: _one(
        lambda it: ("warning", it.side, _said(_ladder(it.level, it.article), it.by, it.reason))
    ),
    DrawOffered: _one(lambda it: ("draw_offered", it.side, "")),
    DrawAnswered: _one(lambda it: ("draw_accepted" if it.accepted else "draw_declined", it.side, "")),
    ArbiterCalled: _one(lambda it: ("arbiter_called", it.side, "")),
    CallAnswered: _one(lambda it: ("call_answered", None, _said("groundless" * it.groundless, it.by))),
    FlagCalled: _one(lambda it: ("flag_called", it.side, plain(it.by))),
    GameAdjourned: _one(lambda it: ("adjourned", None, _said(it.seal, it.by, it.reason))),
    SealOpened: _one(
        lambda it: ("seal_opened", None, _said(str(it.number or "-"), it.text, it.by, it.reason))
    ),
}
"""What is written down about each kind of event; about any other nothing."""


def _ladder(level: int, article: str) -> str:
    return f"{level}, {plain(article)}" if plain(article) else str(level)
