"""The arbiter's question: which game is this, when the sheets have holes (2.3.5)?

    restore(sheet) -> Unique | Ambiguous | Impossible | TooOpen

All holes of all sheets are filled together, from everything that was written before and after them. The
answer holds for every game that bears out the sheets, not for those that happened to be found first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

from rules.notation.forms import format_short
from rules.packed import kazans, pack, unpack
from rules.position import START, Position, Sowing, apply
from rules.sheets.answers import (
    Ambiguous,
    Candidate,
    Difference,
    Impossible,
    Reason,
    Restored,
    SheetContradiction,
    Shift,
    TooOpen,
    Unique,
    Version,
)
from rules.sheets.back import ways_back
from rules.sheets.contradiction import contradiction_of
from rules.sheets.facts import Subject, Value
from rules.sheets.repairs import repairs_of
from rules.sheets.search import (
    Budget,
    Games,
    Layer,
    TooManyError,
    fits_move,
    games_of,
    layers_of,
    short_move,
)
from rules.sheets.sheet import Sheet
from rules.sheets.shifts import likely_shifts, shifted
from rules.sheets.table import Table, options_of, places_of, table_of
from rules.sheets.written import Claim

MAX_POSITIONS = 300_000
"""How many positions a search keeps unless told otherwise: seven plies missing in a row in the middle of a
game are usually found within it. Measured: 0.7 s and 60 MB for 174,000 positions."""

_GUESSES = 16
"""How many ways to shift a sheet are tried: usually two places next to each other, on either sheet."""

_Searched: TypeAlias = tuple[list[Layer], Mapping[int, frozenset[int]]]
"""The layers of a search, and what was known from a later diagram, if that was needed."""


def restore(
    sheet: Sheet,
    *others: Sheet,
    limit: int = 10,
    max_positions: int = MAX_POSITIONS,
    start: Position = START,
) -> Restored:
    """Return the game that was written on a sheet, or on several sheets of the same game.

    Where sheets agree, that is taken; where only one has an entry, that is taken; where they contradict each
    other, every version is tried (2.3.5). A sheet that left out or doubled a move, so that its numbers are
    shifted against the others, is understood as such when that explains the differences.

    Args:
        sheet: A sheet.
        others: Further sheets of the same game.
        limit: How many games `Ambiguous` lists at most, and how many repairs `Impossible` does.
        max_positions: How many positions the search may keep. It bounds work and memory; a second search,
            from the next whole diagram backwards, and that for repairs may keep as many again.
        start: The position before the first ply.

    Returns:
        `Unique` or `Ambiguous` when games bear the sheets out, `Impossible` with the first contradiction when
        none does, `TooOpen` when it would take more positions than allowed to know.

    Raises:
        NotationError: An entry is a move in no notation.
    """
    sheets = (sheet, *others)
    found: list[Unique | Ambiguous] = []
    for guess in islice(likely_shifts(sheets), _GUESSES):
        table = table_of(shifted(sheets, guess), start.to_move.index)
        searched = _layers(table, start, max_positions)
        if isinstance(searched, TooOpen):
            # These may be the numbers that are right: what other numbers give decides nothing then.
            return searched
        if searched[0][-1].parents:
            answer = _found(table, games_of(searched[0]), limit, start, (guess,))
            if not any(_same_games(answer, other) for other in found):
                found.append(answer)
    if found:
        return found[0] if len(found) == 1 else _together(found, limit)
    table = table_of(sheets, start.to_move.index)
    searched = _layers(table, start, max_positions)
    if isinstance(searched, TooOpen):
        return searched
    if searched[0][-1].parents:
        return _found(table, games_of(searched[0]), limit, start, ())
    return _impossible(sheets, table, start, searched, max_positions, limit)


def _layers(table: Table, start: Position, max_positions: int) -> _Searched | TooOpen:
    """Return the layers of a search, the last one empty if no game goes on."""
    try:
        return layers_of(table, pack(start), Budget(max_positions)), {}
    except TooManyError as error:
        first, last = _gap(table, error.ply)
        too_open = TooOpen(first, last, error.ply, error.width, max_positions)
    only = ways_back(table, too_open.ply)
    try:
        return (layers_of(table, pack(start), Budget(max_positions), only), only) if only else too_open
    except TooManyError:
        return too_open


def _impossible(
    sheets: Sequence[Sheet],
    table: Table,
    start: Position,
    searched: _Searched,
    max_positions: int,
    limit: int,
) -> Impossible:
    """Return why no game bears the sheets out, and what would help."""
    layers, only = searched
    failed = len(layers) - 1
    if failed in only:
        # The moves alone leave too much open here; what is certain is that nothing leads to the diagram.
        drawn, before = max(only), list(layers[-2].parents)
        places = places_of(table.dues[drawn], Subject.DIAGRAM)
        there = unpack(before[0])
        found = SheetContradiction(
            drawn, Subject.DIAGRAM, Reason.DIAGRAM, places, (), there, len(before), failed - 1
        )
        return Impossible(found, (), all_tried=False)
    packed = pack(start)
    found = contradiction_of(table, packed, layers)
    repairs, all_tried = repairs_of(sheets, table, packed, layers, found, Budget(max_positions))
    return Impossible(found, repairs[:limit], all_tried)


def _same_games(one: Unique | Ambiguous, other: Unique | Ambiguous) -> bool:
    """Return whether two answers hold the same games."""
    if isinstance(one, Unique) or isinstance(other, Unique):
        return isinstance(one, Unique) and isinstance(other, Unique) and one.sowings == other.sowings
    return one.total == other.total and one.candidates == other.candidates


def _together(answers: Sequence[Unique | Ambiguous], limit: int) -> Ambiguous:
    """Return the games of several ways to understand the numbers; each with its shift."""
    games: dict[tuple[Sowing, ...], None] = {}
    for answer in answers:
        games.update(dict.fromkeys([answer.sowings] if isinstance(answer, Unique) else answer.solutions))
    whole = all(isinstance(answer, Unique) or len(answer.solutions) == answer.total for answer in answers)
    texts: list[Counter[str]] = []
    # Games that are all known are counted one by one; of others nobody can tell which are the same.
    for told in map(_texts_of_game, games) if whole else map(_texts_of, answers):
        for place, held in enumerate(told):
            texts += [Counter()] if place == len(texts) else []
            texts[place] = texts[place] + held if whole else texts[place] | held
    return Ambiguous(
        tuple(islice(games, limit)),
        len(games) if whole else None,
        tuple(_sorted(held) for held in texts),
        (),
        tuple(shift for answer in answers for shift in answer.shifts),
    )


def _texts_of_game(sowings: Sequence[Sowing]) -> list[Counter[str]]:
    """Return for each ply what a game plays."""
    return [Counter([format_short(sowing)]) for sowing in sowings]


def _texts_of(answer: Unique | Ambiguous) -> list[Counter[str]]:
    """Return for each ply how many games of an answer play what."""
    if isinstance(answer, Unique):
        return _texts_of_game(answer.sowings)
    return [Counter({one.text: one.games for one in texts}) for texts in answer.candidates]


def _gap(table: Table, ply: int) -> tuple[int, int]:
    """Return the first and the last ply of the gap that a ply lies in or ends; alone if it lies in none."""
    first = ply
    while first > 1 and not table.dues[first - 1].moves:
        first -= 1
    last = ply if table.dues[ply].moves else ply + 1
    while last <= table.plies and not table.dues[last].moves:
        last += 1
    return first, max(first, last - 1)


def _found(
    table: Table, games: Games, limit: int, start: Position, shifts: tuple[Shift, ...]
) -> Unique | Ambiguous:
    """Return the answer that holds the games there are."""
    differences = _differences(table, games)
    total = games.total
    solutions = tuple(_sowings(game, start) for game in islice(games.each(), 1 if total == 1 else limit))
    if total == 1:
        return Unique(solutions[0], differences, shifts)
    candidates = tuple(candidates_at(games, ply) for ply in range(1, table.plies + 1))
    return Ambiguous(solutions, total, candidates, differences, shifts)


def _sowings(numbers: Sequence[int], start: Position) -> tuple[Sowing, ...]:
    """Return the moves of a game, given the pits played."""
    position, found = start, []
    for number in numbers:
        found.append(apply(position, number))
        position = found[-1].after
    return tuple(found)


def candidates_at(games: Games, ply: int) -> tuple[Candidate, ...]:
    """Return the moves of a ply from 1, the most frequent first."""
    counted: Counter[str] = Counter()
    for packed, number, _, ways in games.moves_at(ply):
        counted[short_move(packed, number)] += ways
    return _sorted(counted)


def _sorted(counted: Counter[str]) -> tuple[Candidate, ...]:
    found = [Candidate(text, games) for text, games in counted.items()]
    return tuple(sorted(found, key=lambda candidate: (-candidate.games, candidate.text)))


def _differences(table: Table, games: Games) -> tuple[Difference, ...]:
    """Return what the sheets contradict each other about, and in how many games each version is right."""
    found = []
    for ply, due in enumerate(table.dues):
        for subject in Subject:
            options = options_of(due, subject)
            if len(options) > 1:
                versions = (
                    Version(option.places, sum(_games_with(games, ply, option.value))) for option in options
                )
                found.append(Difference(ply, subject, tuple(versions)))
    return tuple(found)


def _games_with(games: Games, ply: int, value: Value) -> Iterator[int]:
    """Yield how many games bear out one version, position by position."""
    if isinstance(value, Claim):
        for packed, number, _, ways in games.moves_at(ply):
            if fits_move(value, packed, number):
                yield ways
        return
    for packed, ways in games.boards_at(ply):
        if (
            kazans(packed)[1 - (packed >> 160 & 1)] in value
            if isinstance(value, frozenset)
            else value.fits(packed)
        ):
            yield ways
