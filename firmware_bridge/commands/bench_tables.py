"""What `togyz bench` shows at the end: a table for each lane, and where the methods break."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from firmware_bridge.bench.baselines import METHODS
from firmware_bridge.bench.plots import Swept
from firmware_bridge.bench.summary import Key, Row
from firmware_bridge.bench.sweep import breaking_point
from firmware_bridge.commands.common import console, say

OFFENDED = ("offences", "unwatched")
"""Lanes whose scenes end with the answer to an offence."""


def show(found: dict[Key, Row], swept: Swept) -> None:
    """Show everything that was measured."""
    for lane in dict.fromkeys(key.lane for key in found):
        these = {key: row for key, row in found.items() if key.lane == lane}
        _print(_offences(lane, these) if lane in OFFENDED else _games(lane, these))
    if swept:
        _print(_sweep(swept))


def _print(table: Table) -> None:
    """Print a table in which heads may be broken, but no value is cut off."""
    for column in table.columns:
        column.min_width = max((len(str(cell)) for cell in column.cells if " " not in str(cell)), default=1)
    console.print(table)


def _table(title: str, caption: str, *heads: str, lefts: int = 3) -> Table:
    table = Table(*heads, title=title, caption=caption, box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for place, column in enumerate(table.columns):
        column.justify = "left" if place < lefts else "right"
    return table


def _games(lane: str, found: dict[Key, Row]) -> Table:
    table = _table(
        say("bench.table.title", lane=lane),
        say("bench.table.caption"),
        say("bench.table.sensors"),
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
        say("bench.table.tare"),
        say("bench.table.cost"),
    )
    for key, row in found.items():
        facts = row.to_json()
        rounding = [_per_thousand(row.baselines.get(name, 0), row.baseline_plies) for name in METHODS]
        bound = 1000 * facts["wrong_bounds"][1]
        cost = 1000 * row.cpu_s / max(1, row.plies)
        table.add_row(
            key.sensors,
            key.profile,
            key.pace,
            str(row.scenes),
            str(row.plies),
            str(row.wrong),
            f"{bound:.2f}",
            str(row.chains),
            str(row.together),
            str(row.entered + row.never),
            f"{facts['to_sure_p50_ms']}/{facts['to_sure_p99_ms']}",
            "/".join(rounding),
            f"{cost:.1f}",
        )
    return table


def _offences(lane: str, found: dict[Key, Row]) -> Table:
    table = _table(
        say("bench.table.title", lane=lane),
        say("bench.offended.caption"),
        say("bench.table.sensors"),
        say("bench.table.profile"),
        say("bench.table.pace"),
        say("bench.table.games"),
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
            key.sensors,
            key.profile,
            key.pace,
            str(row.scenes),
            str(of.get("asked", 0)),
            str(of.get("silent", 0)),
            str(of.get("claimed", 0)),
            f"{of.get('claimed too', 0)}/{too}",
            f"{mended}/{mended + of.get('not mended', 0)}",
            str(row.wrong),
        )
    return table


def _sweep(swept: Swept) -> Table:
    methods = list(next(iter(next(iter(swept.values())).values())))
    table = _table(
        say("bench.sweep.title"), say("bench.sweep.caption"), say("bench.sweep.axis"), *methods, lefts=2
    )
    for axis, factors in swept.items():
        broken = [breaking_point(factors, method) for method in methods]
        table.add_row(axis, *("-" if factor is None else f"x{factor:g}" for factor in broken))
    return table


def _per_thousand(count: int, of: int) -> str:
    return f"{1000 * count / of:.2f}" if of else "-"
