"""Score sheets for the tests: real ones, and random games with random damage."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Sequence

from hypothesis import strategies as st

from rules import (
    START,
    Entry,
    Notation,
    Position,
    Sheet,
    SheetDiagram,
    Sowing,
    apply,
    format_move,
    format_two_digit,
    legal_moves,
    tuzdyk_owner,
)

_PRINTED = """
32 98 78 44 67 57x 24x 69 69 81 91 94 59 89 91 91 39 79 68 89
56 89 24 92 12 78 56 67 45 56 68 89 34 78 23 67 45 78 34 89
56 67 45 56 67 36 12 25 57 89 45 78 56 67 45 89 34 89 34 78
"""

GAME_2009 = _PRINTED.split()
"""The printed game of 2009 with its missing moves filled in, as far as move 30."""

RESTORED_PLIES = (5, 6, 13, 14, 21, 22, 41, 42)
"""The plies of it that were not printed: moves 3, 7, 11 and 21."""

DIAGRAMS_2009 = tuple(
    SheetDiagram(ply, tuple((own + " " + other).split()), kazans)
    for ply, own, other, kazans in (
        (20, "0 3 1 1 2 1 x 19 1", "0 4 13 x 2 2 1 1 2", ("54", "55")),
        (40, "0 0 1 2 2 1 x 20 1", "0 4 13 x 1 1 0 1 3", ("54", "58")),
        (60, "0 2 0 2 2 2 x 20 1", "0 1 2 x 2 1 1 1 7", ("56", "62")),
    )
)
"""The boards printed with it."""


def sheet(texts: Iterable[str], holes: Collection[int] = (), **more: object) -> Sheet:
    """Return a sheet of moves from the first ply on; `holes` are the plies nobody wrote down."""
    entries = (
        Entry(ply, "" if ply in holes else text, "", ply, 1) for ply, text in enumerate(texts, 1) if text
    )
    return Sheet(tuple(entries), **more)  # type: ignore[arg-type] # the fields of a sheet


def numbers(sowings: Iterable[Sowing]) -> list[int]:
    """Return the pits played."""
    return [sowing.number for sowing in sowings]


def texts(sowings: tuple[Sowing, ...]) -> list[str]:
    """Return a game in the notation it was printed in."""
    return [format_two_digit(sowing) for sowing in sowings]


def random_sowings(seed: int, plies: int) -> list[Sowing]:
    """Return the first plies of a random game."""
    chance = random.Random(seed)
    position, found = START, list[Sowing]()
    while len(found) < plies and (moves := legal_moves(position)):
        found.append(apply(position, chance.choice(moves)))
        position = found[-1].after
    return found


def written(sowings: Sequence[Sowing], notation: Notation = Notation.SHORT) -> list[str]:
    """Return the texts of some moves."""
    return [format_move(sowing, notation).removesuffix(")").partition("(")[0] for sowing in sowings]


def drawn(position: Position, ply: int) -> SheetDiagram:
    """Return the diagram of a position."""
    cells = [
        "x" if tuzdyk_owner(index, position.tuzdyks) is not None else str(stones)
        for index, stones in enumerate(position.pits)
    ]
    first, second = position.kazans
    return SheetDiagram(ply, tuple(cells), (str(first), str(second)))


def kazan_after(sowing: Sowing) -> str:
    """Return the mover's kazan after a move."""
    return str(sowing.after.kazans[sowing.side.index])


def games_that_fit(texts: Sequence[str | None], kazans: Sequence[str | None] = ()) -> list[list[int]]:
    """Return every game in official short notation with None for a hole, by trying all moves."""
    games: list[list[int]] = []

    def go_on(position: Position, played: list[int]) -> None:
        if len(played) == len(texts):
            games.append(played)
            return
        ply = len(played)
        for number in legal_moves(position):
            sowing = apply(position, number)
            said = texts[ply] in (None, format_move(sowing, Notation.SHORT))
            total = ply >= len(kazans) or kazans[ply] in (None, kazan_after(sowing))
            if said and total:
                go_on(sowing.after, [*played, number])

    go_on(START, [])
    return games


@st.composite
def damaged_sheets(draw: st.DrawFn) -> tuple[Sheet, list[Sowing]]:
    """Draw a random game and a sheet of it with holes and unreadable characters, but nothing wrong."""
    sowings = random_sowings(draw(st.integers(0, 10_000)), draw(st.integers(1, 60)))
    notation = draw(st.sampled_from(Notation))
    texts = written(sowings, notation)
    holes = draw(st.sets(st.integers(1, len(texts)), max_size=4))
    entries = []
    for ply, text in enumerate(texts, 1):
        said = "" if ply in holes else text
        if draw(st.integers(0, 9)) == 0:
            said = draw(unreadable(said))
        total = kazan_after(sowings[ply - 1]) if draw(st.integers(0, 3)) == 0 else ""
        if total and draw(st.integers(0, 3)) == 0:
            total = draw(unreadable(total))
        entries.append(Entry(ply, said, total, ply, 1))
    diagrams = []
    for ply in draw(st.sets(st.integers(1, len(texts)), max_size=2)):
        diagram = drawn(sowings[ply - 1].after, ply)
        cells = tuple("_" if draw(st.integers(0, 5)) == 0 else cell for cell in diagram.cells)
        diagrams.append(SheetDiagram(ply, cells, diagram.kazans))
    return Sheet(tuple(entries), tuple(diagrams)), sowings


@st.composite
def unreadable(draw: st.DrawFn, text: str) -> str:
    """Draw the text with one of its characters unreadable; an empty one stays."""
    if not text:
        return text
    place = draw(st.integers(0, len(text) - 1))
    return f"{text[:place]}_{text[place + 1 :]}"
