"""What waits for a person at a board: a fold over the events it tells. Pure.

Of an infraction the state of a board says only what the rulebook proposes, and no page of a player shows it
(house law 8); what was done the events tell. Those of a board come in order, but after an outage some may be
missing, so nothing here is refused: what is not known is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from firmware_bridge.hall.console.evidence import sound
from firmware_bridge.hall.ledger.values import Heard
from rules.errors import RulesError
from rules.events import (
    ClockAdjusted,
    ClockPressed,
    FlagFell,
    GameAssigned,
    GameEnded,
    GameEvent,
    GameReleased,
    GameSuspended,
    MovePlayed,
)
from rules.events_json import event_from_json
from rules.game import ResultConfirmed
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
from rules.position import Side

REMEMBERED: Final = frozenset(
    event.kind
    for event in (
        GameAssigned, GameEnded, GameReleased, ResultConfirmed, InfractionSeen, InfractionClosed,
        PositionRuled, PlayerWarned, DrawOffered, DrawAnswered, ArbiterCalled, CallAnswered, FlagCalled,
        GameAdjourned, SealOpened, FlagFell, GameSuspended, ClockAdjusted,
    )
)  # fmt: skip
"""Kinds of events that the console keeps for after a restart."""

MOST_INCIDENTS: Final = 20
"""Of one game that are shown; a game has few, and the journal has all."""

LATENESS: Final = "2.7.6"
"""Why time is taken off a dial, as a board writes it when somebody came late."""

_ANEW: Final = ("corrected", "restored", "taken_back", "set")
"""Decisions after which the stones have to be laid as they say."""


@dataclass(frozen=True, slots=True)
class Infraction:
    """An infraction as the console shows it.

    Attributes:
        number: Its number in this game.
        side: Who did it.
        faults: What it is, as codes, the gravest first.
        evidence: What it rests on, as the board told it.
        ply: After how many final plies it was seen.
        at_ms: The board's wall time.
        settled: How it ended; None: it waits.
        by: Who decided; empty: the board, or nobody yet.
        reopened: It was decided, and that was taken back: it waits again, and its number is used up.
        presses: Presses heard since, from the first of the opponent's on: while it waits no ply becomes
            final, and they alone say that it was replied to (94).
    """

    number: int
    side: str
    faults: tuple[str, ...]
    evidence: Mapping[str, Any]
    ply: int
    at_ms: int
    settled: str | None = None
    by: str = ""
    reopened: bool = False
    presses: int = 0


@dataclass(frozen=True, slots=True)
class Called:
    """A player has called.

    Attributes:
        side: Who; None: nobody knows.
        at_ms: The board's wall time.
    """

    side: str | None
    at_ms: int


@dataclass(frozen=True, slots=True)
class Sealed:
    """A move is sealed, and the game postponed (2.8.2).

    Attributes:
        by: Who keeps the envelope.
        reason: Why it was postponed.
    """

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A sealed move was opened, and none was made since (2.8.4).

    Attributes:
        number: The pit that has to be played; None: the move is illegal, or nobody can read it.
        text: What stood in the envelope.
    """

    number: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Attention:
    """What is known of a board beside its state. Pairs are [bastaushy, qostaushy].

    Attributes:
        game: Id of the game; empty: none is known.
        last: Boot and journal number of the last event taken.
        infractions: Those of this game, in order.
        called: Who waits for an arbiter; None: nobody.
        draw_open: Whose offer waits for an answer; None: nobody's.
        draws: Offers so far.
        confirmed: Who has accepted the result.
        lays_anew: A ruling has set another position, and no move was made since.
        sealed: A move is sealed; None: none is.
        opened: A sealed move was opened and has to be played; None: none.
        moments: The board's wall time in milliseconds of the last event of each kind in this game.
        late_us: What was taken off the dials because a player came late, in microseconds (2.7.6).
    """

    game: str = ""
    last: tuple[int, int] = (0, 0)
    infractions: tuple[Infraction, ...] = ()
    called: Called | None = None
    draw_open: str | None = None
    draws: tuple[int, int] = (0, 0)
    confirmed: tuple[bool, bool] = (False, False)
    lays_anew: bool = False
    sealed: Sealed | None = None
    opened: Opened | None = None
    moments: Mapping[str, int] = field(default_factory=dict)
    late_us: tuple[int, int] = (0, 0)

    @property
    def open(self) -> tuple[Infraction, ...]:
        """The infractions that wait for an arbiter, the oldest first."""
        return tuple(each for each in self.infractions if each.settled is None)


NOTHING: Final = Attention()
"""A board of which no event was heard."""


def event_of(data: Mapping[str, Any]) -> GameEvent | None:
    """Return the event of the rulebook in a message; None: it is another, or one that came later."""
    try:
        return event_from_json(dict(data))
    except RulesError:
        return None


def taken(attention: Attention, heard: Heard) -> Attention:
    """Return what is known after one more event; an older one, or one heard twice, changes nothing."""
    if (heard.boot, heard.seq) <= attention.last:
        return attention
    event = event_of(heard.data)
    if isinstance(event, GameAssigned):
        attention = Attention(game=event.game_id)
    elif heard.game and attention.game != heard.game:
        attention = Attention(game=heard.game)
    moments = attention.moments
    if event is not None:
        moments = {**moments, event.kind: heard.at_ms}
    attention = replace(attention, last=(heard.boot, heard.seq), moments=moments)
    return attention if event is None else _after(attention, event, heard)


def _after(at: Attention, event: GameEvent, heard: Heard) -> Attention:
    change = _CHANGES.get(type(event))
    return at if change is None else change(at, event, heard)


def _seen(at: Attention, event: InfractionSeen, heard: Heard) -> Attention:
    seen = Infraction(
        event.infraction, event.side.value, event.faults, sound(event.evidence), heard.ply, heard.at_ms
    )
    return replace(at, infractions=(*at.infractions, seen)[-MOST_INCIDENTS:])


def _closed(at: Attention, event: InfractionClosed, _heard: Heard) -> Attention:
    return replace(at, infractions=_settled(at.infractions, event.infraction, event.closing, event.by))


def _ruled(at: Attention, event: PositionRuled, _heard: Heard) -> Attention:
    infractions = at.infractions
    if event.infraction is not None:
        infractions = _settled(infractions, event.infraction, event.decision, event.by)
    elif event.decision == "taken_back":
        infractions = _reopened(infractions)
    else:
        infractions = _again(infractions, event.decision, event.by)
    lays_anew = event.decision in _ANEW
    return replace(at, infractions=infractions, lays_anew=lays_anew, draw_open=None)


def _pressed(at: Attention, event: ClockPressed, _heard: Heard) -> Attention:
    return replace(at, infractions=tuple(_replied(each, event.side) for each in at.infractions))


def _replied(each: Infraction, side: Side) -> Infraction:
    """Return an infraction after a press; the offender's own is his move's, not a reply to it."""
    if each.settled is not None or (each.presses == 0 and side.value == each.side):
        return each
    return replace(each, presses=each.presses + 1)


def _moved(at: Attention, event: MovePlayed, _heard: Heard) -> Attention:
    answered = at.draw_open not in (None, event.side.value)
    return replace(at, lays_anew=False, opened=None, draw_open=None if answered else at.draw_open)


def _called(at: Attention, event: ArbiterCalled, heard: Heard) -> Attention:
    return replace(at, called=Called(None if event.side is None else event.side.value, heard.at_ms))


def _offered(at: Attention, event: DrawOffered, _heard: Heard) -> Attention:
    """Only a player's first offer asks his opponent anything (2.6.9)."""
    first = at.draws[event.side.index] == 0
    return replace(
        at, draws=_plus(at.draws, event.side), draw_open=event.side.value if first else at.draw_open
    )


def _adjourned(at: Attention, event: GameAdjourned, _heard: Heard) -> Attention:
    return replace(at, sealed=Sealed(event.by, event.reason), opened=None)


def _unsealed(at: Attention, event: SealOpened, _heard: Heard) -> Attention:
    return replace(at, sealed=None, opened=Opened(event.number, event.text))


def _ended(at: Attention, _event: GameEnded, _heard: Heard) -> Attention:
    return replace(
        at, called=None, draw_open=None, sealed=None, opened=None, infractions=_given_up(at.infractions)
    )


def _adjusted(at: Attention, event: ClockAdjusted, _heard: Heard) -> Attention:
    """Time that was taken for lateness, and what of it was given back."""
    if event.reason != LATENESS:
        return at
    first, second = (max(0, had - delta) for had, delta in zip(at.late_us, event.delta_us, strict=True))
    return replace(at, late_us=(first, second))


_CHANGES: Final[Mapping[type[GameEvent], Callable[[Attention, Any, Heard], Attention]]] = {
    InfractionSeen: _seen,
    InfractionClosed: _closed,
    PositionRuled: _ruled,
    ClockPressed: _pressed,
    MovePlayed: _moved,
    ArbiterCalled: _called,
    CallAnswered: lambda at, _event, _: replace(at, called=None),
    DrawOffered: _offered,
    DrawAnswered: lambda at, _event, _: replace(at, draw_open=None),
    GameAdjourned: _adjourned,
    SealOpened: _unsealed,
    GameEnded: _ended,
    ClockAdjusted: _adjusted,
    ResultConfirmed: lambda at, event, _: replace(at, confirmed=_true(at.confirmed, event.side)),
}
"""What each kind of event changes; the others change nothing."""


def _settled(all_: tuple[Infraction, ...], number: int, how: str, by: str) -> tuple[Infraction, ...]:
    return tuple(
        replace(each, settled=how, by=by, reopened=False) if each.number == number else each for each in all_
    )


def _again(all_: tuple[Infraction, ...], how: str, by: str) -> tuple[Infraction, ...]:
    """Return them with one that was reopened decided: a ruling that names none is about it."""
    return tuple(
        replace(each, settled=how, by=by, reopened=False) if each.reopened else each for each in all_
    )


def _reopened(all_: tuple[Infraction, ...]) -> tuple[Infraction, ...]:
    """Return them with the last decided one waiting again, if it was decided by laying stones."""
    if not all_ or all_[-1].settled not in (*_ANEW, "stands"):
        return all_
    return (*all_[:-1], replace(all_[-1], settled=None, by="", reopened=True))


def _given_up(all_: tuple[Infraction, ...]) -> tuple[Infraction, ...]:
    return tuple(replace(each, settled="ended") if each.settled is None else each for each in all_)


def _plus(pair: tuple[int, int], side: Side) -> tuple[int, int]:
    return (pair[0] + 1, pair[1]) if side is Side.BASTAUSHY else (pair[0], pair[1] + 1)


def _true(pair: tuple[bool, bool], side: Side) -> tuple[bool, bool]:
    return (True, pair[1]) if side is Side.BASTAUSHY else (pair[0], True)
