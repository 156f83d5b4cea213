"""What the next pairing goes by: the points so far, and who is left out of it (2.5.6, 2.3.13)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TypeAlias

from rules.conduct.proposal import Score
from rules.tournament.entries import alphabetical
from rules.tournament.options import MissedRounds

MOST_MISSED = 2
"""Who has missed two rounds without a reason or request is taken out of the next pairing (2.3.13)."""

Halves: TypeAlias = tuple[int, int]
"""Points of [bastaushy, qostaushy] in halves, so that they are whole numbers."""

_HALVES: Mapping[str, Halves] = MappingProxyType(
    {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "+/-": (2, 0), "-/+": (0, 2), "-/-": (0, 0)}
)
_PRESENT: Mapping[str, tuple[bool, bool]] = MappingProxyType(
    {"+/-": (True, False), "-/+": (False, True), "-/-": (False, False)}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventGame:
    """A game of an event as far as pairing is concerned.

    Attributes:
        round_number: 1 or more.
        players: bastaushy and qostaushy, by name.
        score: Its result; None: there is none yet.
        postponed: Whether the chief panel has postponed it (2.8.1); a result counts as soon as there is one.
        forfeited: Whether the loser of a plain score did not come in time (2.7.6), as boards write it.
        ruled: Whether an arbiter gave the score for what was done at the board: nobody was absent then.
    """

    round_number: int
    players: tuple[str, str]
    score: Score | None = None
    postponed: bool = False
    forfeited: bool = False
    ruled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What somebody has for the next pairing, and for nothing else.

    Attributes:
        name: Who.
        points: Points of his results and of his postponed games.
        provisional: How much of it are postponed games counted as draws: half a point each (2.5.6).
        open: How many of his games have no result and are not postponed.
    """

    name: str
    points: float
    provisional: float = 0.0
    open: int = 0


def for_pairing(
    games: Iterable[EventGame], round_number: int, names: Iterable[str] = ()
) -> tuple[Standing, ...]:
    """Return the points that the pairing of a round goes by, the most first, then by the alphabet.

    A postponed game counts as a draw for the next pairing only (2.5.6): as soon as it has a result, that
    counts, and a table of the event never holds the draw. It has to be played before the pairing all the
    same, so whoever reads the list is told how much of it is provisional.

    Args:
        games: Those of the event.
        round_number: The round to be paired; only games of rounds before it count.
        names: Who is listed though he has no game.
    """
    earned: dict[str, list[int]] = {name: [0, 0, 0] for name in names}
    for game in games:
        if not 1 <= game.round_number < round_number:
            continue
        for name, halves in zip(game.players, _HALVES.get(game.score or "", (1, 1)), strict=True):
            line = earned.setdefault(name, [0, 0, 0])
            if game.score is not None:
                line[0] += halves
            elif game.postponed:
                line[0] += halves
                line[1] += halves
            else:
                line[2] += 1
    found = (
        Standing(name=name, points=points / 2, provisional=provisional / 2, open=unfinished)
        for name, (points, provisional, unfinished) in earned.items()
    )
    return tuple(sorted(found, key=lambda each: (-each.points, alphabetical(each.name))))


def missed(
    games: Iterable[EventGame], excused: Collection[tuple[str, int]] = ()
) -> dict[str, tuple[int, ...]]:
    """Return the rounds that each player has missed without a reason, in order; who missed none is absent.

    Args:
        games: Those of the event; a player was absent where the score says so (`-`, 2.6.4), or he lost by
            forfeit.
        excused: Who had a reason, or had asked (2.3.13), in which round.
    """
    rounds: dict[str, set[int]] = {}
    for game in games:
        for name, present in zip(game.players, _present(game), strict=True):
            if not present and (name, game.round_number) not in excused:
                rounds.setdefault(name, set()).add(game.round_number)
    return {name: tuple(sorted(found)) for name, found in rounds.items()}


def _present(game: EventGame) -> tuple[bool, bool]:
    score = game.score or ""
    if game.ruled:
        return (True, True)
    if game.forfeited and score in ("1-0", "0-1"):
        return (score == "1-0", score == "0-1")
    return _PRESENT.get(score, (True, True))


def left_out(rounds: Sequence[int], round_number: int, counted: MissedRounds = "total") -> bool:
    """Return whether somebody who missed these rounds is taken out of the pairing of a round (2.3.13).

    The regulations do not say whether the two have to follow each other: an option.
    """
    before = sorted({each for each in rounds if each < round_number})
    if counted == "total":
        return len(before) >= MOST_MISSED
    return any(second - first == 1 for first, second in pairwise(before))
