"""Markdown tables that say what holds what, read row by row."""

from __future__ import annotations

import re
from collections.abc import Iterator

NOTHING = "—"
"""What stands in a cell without anything."""


def rows_of(text: str, columns: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells of each row of the tables that have these columns; "" for an empty cell.

    Raises:
        ValueError: A row has another number of cells; the message names its line.
    """
    inside = False
    for line, written in enumerate(text.splitlines(), start=1):
        cells = [cell.strip() for cell in written.strip().removeprefix("|").removesuffix("|").split("|")]
        if not written.startswith("|"):
            inside = False
        elif tuple(cells) == columns:
            inside = True
        elif inside and set(written) - set("|- "):
            if len(cells) != len(columns):
                raise ValueError(f"line {line}: {len(cells)} cells, not {len(columns)}")
            yield line, ["" if cell == NOTHING else cell for cell in cells]


def codes(cell: str) -> tuple[str, ...]:
    """Return what stands in a cell between backticks, or the whole cell where that is not all of it."""
    found = tuple(re.findall("`([^`]+)`", cell))
    return found if "<br>".join(f"`{code}`" for code in found) == cell else (cell,)
