"""What `togyz bench` shows at the end: tables for each lane, and where the methods break.

Everything fits into the 80 columns of the narrowest terminal that people use: a head that does not fit is
broken between its words, and what a head means stands below as plain text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table

from firmware_bridge.bench.baselines import METHODS
from firmware_bridge.bench.plots import Swept
from firmware_bridge.bench.scene import CELLS
from firmware_bridge.bench.summary import Key, Row
from firmware_bridge.bench.sweep import breaking_point
from firmware_bridge.commands.common import console, later, say

OFFENDED: Final = ("offences", "unwatched")
"""Lanes whose scenes end with the answer to an offence."""

LANES: Final[Mapping[str, str]] = {
    "games": later("bench.lane.games"),
    "offences": later("bench.lane.offences"),
    "unwatched": later("bench.lane.unwatched"),
    "dead": later("bench.lane.dead"),
    "dying": later("bench.lane.dying"),
    "unplugged": later("bench.lane.unplugged"),
    "unseen": later("bench.lane.unseen"),
    "ends": later("bench.lane.ends"),
}
"""What is played in each lane; one that is not known here is shown by its name alone."""


def show(found: dict[Key, Row], swept: Swept) -> None:
    """Show everything that was measured, and in one sentence what it came to."""
    for lane in dict.fromkeys(key.lane for key in found):
        these = {key: row for key, row in found.items() if key.lane == lane}
        title = say("bench.table.title", lane=lane)
        title += f"\n{say(LANES[lane])}" if lane in LANES else ""
        if lane in OFFENDED:
            print_under(title, _offences(these), say("bench.offended.caption"))
        else:
            print_under(title, _games(these), say("bench.table.caption"))
            print_under(say("bench.rounding.title"), _rounding(these), say("bench.rounding.caption"))
    if swept:
        print_under(say("bench.sweep.title"), _sweep(swept), say("bench.sweep.caption"))
    if found:
        wrong, plies = sum(row.wrong for row in found.values()), sum(row.plies for row in found.values())
        console.print(say("bench.false_alarms", alarms=sum(row.false_alarms for row in found.values())))
        console.print(say("bench.verdict", wrong=wrong, plies=plies))


def print_under(title: str, table: Table, caption: str) -> None:
    """Print a table in which heads may be broken between words, but no word and no value is cut off."""
    for column in table.columns:
        texts = [str(cell) for cell in column.cells] + str(column.header).split()
        column.min_width = max(map(len, texts), default=1)
    console.print(title, style="italic", markup=False)
    console.print(table)
    console.print(caption, style="dim", markup=False)
    console.print()


def table_of(*heads: str) -> Table:
    """Return a table without rows: two columns of words, then numbers."""
    table = Table(*heads, box=SIMPLE_HEAD, padding=0, pad_edge=False)
    for place, column in enumerate(table.columns):
        column.justify = "left" if place < 2 else "right"
    return table


def _games(found: Mapping[Key, Row]) -> Table:
    table = table_of(
        say("bench.table.profile"),
        say("bench.table.pace"),
        say("bench.table.games"),
        say("bench.table.plies"),
        say("bench.table.wrong"),
        say("bench.table.bound"),
        say("bench.table.asks"),
        say("bench.table.together"),
        say("bench.table.entered"),
        say("bench.table.p50"),
    )
    for key, row in found.items():
        facts = row.to_json()
        table.add_row(
            _board(key),
            key.pace,
            str(row.scenes),
            str(row.plies),
            str(row.wrong),
            f"{1000 * facts['wrong_at_most']:.2f}",
            str(row.chains),
            str(row.together),
            str(row.entered + row.never),
            f"{_seconds(facts['to_sure_p50_ms'])}/{_seconds(facts['to_sure_p99_ms'])}",
        )
    return table


def _rounding(found: Mapping[Key, Row]) -> Table:
    table = table_of(
        say("bench.table.profile"),
        say("bench.table.pace"),
        say("bench.rounding.start"),
        say("bench.rounding.tracked"),
        say("bench.table.cost"),
    )
    for key, row in found.items():
        rounding = [_per_thousand(row.baselines.get(name, 0), row.baseline_plies) for name in METHODS]
        cost = 1000 * row.cpu_s / max(1, row.plies)
        table.add_row(_board(key), key.pace, *rounding, f"{cost:.1f}")
    return table


def _offences(found: Mapping[Key, Row]) -> Table:
    table = table_of(
        say("bench.table.profile"),
        say("bench.table.pace"),
        say("bench.table.games"),
        say("bench.table.plies"),
        say("bench.offended.asked"),
        say("bench.offended.silent"),
        say("bench.offended.claimed"),
        say("bench.offended.too"),
        say("bench.offended.mended"),
        say("bench.table.wrong"),
    )
    for key, row in found.items():
        of = row.offended
        too = sum(count for outcome, count in of.items() if outcome.endswith(" too"))
        mended = of.get("mended", 0)
        table.add_row(
            _board(key),
            key.pace,
            str(row.scenes),
            str(row.plies),
            str(of.get("asked", 0)),
            str(of.get("silent", 0)),
            str(of.get("claimed", 0)),
            f"{of.get('claimed too', 0)}/{too}",
            f"{mended}/{mended + of.get('not mended', 0)}",
            str(row.wrong),
        )
    return table


def _sweep(swept: Swept) -> Table:
    methods: Sequence[str] = list(next(iter(next(iter(swept.values())).values())))
    table = table_of(say("bench.sweep.axis"), *methods)
    for axis, factors in swept.items():
        broken = [breaking_point(factors, method) for method in methods]
        table.add_row(axis, *("-" if factor is None else f"x{factor:g}" for factor in broken))
    return table


def _board(key: Key) -> str:
    """Return the cells of a board, and what it has beside them or instead."""
    return key.profile if key.sensors == CELLS else f"{key.profile}+{key.sensors}"


def _seconds(ms: int | None) -> str:
    return "-" if ms is None else f"{ms / 1000:.1f}"


def _per_thousand(count: int, of: int) -> str:
    return f"{1000 * count / of:.2f}" if of else "-"
