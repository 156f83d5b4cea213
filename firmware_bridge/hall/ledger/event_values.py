"""What the ledger keeps of people beside their games, as values: offences, penalties, signatures. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, get_args

from firmware_bridge.hall.ledger.values import Fixture, Plain, Warned
from rules.conduct.penalties import PanelPenalty, panel_penalty
from rules.position import Side
from rules.tournament.entries import Entry

PenaltyKind: TypeAlias = Literal[
    "warn_representative", "expel_player", "expel_representative", "team_loses", "arbiter"
]
"""What the chief panel imposes beside the loss of a game, which a board is told (2.4.7); a penalty on an
arbiter, which the chief arbiter decides with the appeals committee (2.4.8)."""

PENALTY_KINDS: Final[tuple[PenaltyKind, ...]] = get_args(PenaltyKind)

PENALTY_ARTICLES: Final = MappingProxyType(
    {
        **{
            each.value: panel_penalty(each, Side.BASTAUSHY).articles
            for each in PanelPenalty
            if each is not PanelPenalty.LOSS
        },
        "arbiter": ("2.4.8",),
    }
)
"""What each kind of penalty rests on."""

AGAINST_HIM: Final = frozenset({"corrected", "restored", "stands", "warned"})
"""How an infraction is decided that was one: whoever did it has offended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offended(Plain):
    """An infraction of the event, by whose it was: his next one is repeated (requirement 94).

    Attributes:
        key: Its own key.
        person: Who.
        game: In which game.
        number: Its number there.
        at_ms: The board's wall time.
        settled: How it was decided; None: it waits, or nobody knows.
    """

    key: str
    person: str
    game: str
    number: int
    at_ms: int
    settled: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty(Plain):
    """What the chief panel has imposed (2.4.7), or the chief arbiter on an arbiter (2.4.8).

    Attributes:
        key: Its own key.
        kind: What.
        person: On whom; of `team_loses` the team.
        round: In which round; 0: in none.
        articles: What it rests on, parted by blanks.
        given_by: Who wrote it down.
        reason: Why, in words.
        at_ms: Wall time.
        taken_back: Why it holds no more; None: it holds.
        taken_back_by: Who took it back; empty: nobody.
    """

    key: str
    kind: PenaltyKind
    person: str
    round: int
    articles: str
    given_by: str
    reason: str
    at_ms: int
    taken_back: str | None = None
    taken_back_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Protest(Plain):
    """A protest that was filed (2.10.1).

    Attributes:
        key: Its own key.
        game: About which game.
        filed_by: Who protests.
        noted_by: Who took it.
        reason: Why, in words.
        at_ms: Wall time.
    """

    key: str
    game: str
    filed_by: str
    noted_by: str
    reason: str
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Excuse(Plain):
    """A reason for a missed round, or a request that was made (2.3.13).

    Attributes:
        person: Whose.
        round: Which round.
        reason: Why, in words.
        given_by: Who wrote it down.
        at_ms: Wall time.
    """

    person: str
    round: int
    reason: str
    given_by: str
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """What the ledger holds of games and people.

    Attributes:
        fixtures: All games, by round and board.
        warnings: The list of warnings, the oldest first.
        offences: All infractions heard of, the oldest first.
        penalties: What the chief panel has imposed, the oldest first.
        entries: Who has entered, by rating.
        excuses: Reasons for missed rounds.
        signatures: Who has signed which result, as game and side.
        protests: All that were filed, the oldest first.
    """

    fixtures: tuple[Fixture, ...] = ()
    warnings: tuple[Warned, ...] = ()
    offences: tuple[Offended, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    entries: tuple[Entry, ...] = ()
    excuses: tuple[Excuse, ...] = ()
    signatures: frozenset[tuple[str, str]] = frozenset()
    protests: tuple[Protest, ...] = ()


NO_BOOK = Book()
"""A ledger in which nothing stands."""
