"""What `togyz bench referee` shows at the end: each kind of fault, and what was told of it instead."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table

from firmware_bridge.bench.referee import ALIKE, EXACT, SECOND, WRONG
from firmware_bridge.bench.refereed import Legal, Tried, together
from firmware_bridge.bench.summary import percentile
from firmware_bridge.commands.bench_tables import print_under, table_of
from firmware_bridge.commands.common import console, say

MOST_FAULTS = 2
"""Faults of one answer that are shown: more do not fit into 80 columns, and are wrong anyway."""


def show_refereed(found: Mapping[str, Tried]) -> None:
    """Show how well every kind was named, what each was taken for, and what it came to."""
    print_under(say("bench.referee.title"), _kinds(found), say("bench.referee.caption"))
    print_under(say("bench.confusion.title"), _confusion(found), say("bench.confusion.caption"))
    whole = together(found)
    told = max(1, whole.detected)
    console.print(
        say(
            "bench.referee.verdict",
            missed=whole.missed,
            must=whole.must,
            named=f"{100 * whole.first / told:.1f}",
            two=f"{100 * (whole.first + whole.named[SECOND]) / told:.1f}",
            corrected=f"{100 * whole.corrected / told:.1f}",
            alarms=whole.alarms,
        ),
        markup=False,
    )


def show_legal(games: Mapping[str, Legal]) -> None:
    """Show what was said of fair games, pace by pace."""
    table = table_of(
        say("bench.table.pace"),
        say("bench.table.games"),
        say("bench.table.plies"),
        say("bench.legal.alarms"),
        say("bench.legal.after_end"),
        say("bench.legal.asks"),
    )
    for pace, each in games.items():
        counted = (each.games, each.plies, each.alarms, each.after_end, each.asks)
        table.add_row(pace, *(str(number) for number in counted))
    print_under(say("bench.legal.title"), table, say("bench.legal.caption"))


def _kinds(found: Mapping[str, Tried]) -> Table:
    table = table_of(
        say("bench.referee.kind"),
        say("bench.table.games"),
        say("bench.referee.exact"),
        say("bench.referee.alike"),
        say("bench.referee.second"),
        say("bench.referee.wrong"),
        say("bench.referee.corrected"),
        say("bench.referee.alarms"),
        say("bench.referee.after"),
    )
    table.columns[1].justify = "right"
    for kind, each in found.items():
        after_ms = percentile(each.after_ms, 0.50)
        table.add_row(
            kind,
            str(each.scenes),
            *(str(each.named[how]) for how in (EXACT, ALIKE, SECOND, WRONG)),
            str(each.corrected),
            str(each.alarms),
            "-" if after_ms is None else f"{after_ms / 1000:.1f}",
        )
    return table


def _confusion(found: Mapping[str, Tried]) -> Table:
    table = table_of(say("bench.referee.kind"), say("bench.confusion.told"), say("bench.confusion.times"))
    for kind, each in found.items():
        for nth, (faults, times) in enumerate(each.told.most_common()):
            table.add_row("" if nth else kind, _brief(faults), str(times))
        if each.missed + each.silent:
            table.add_row("" if each.told else kind, "-", str(each.missed + each.silent))
    return table


def _brief(faults: str) -> str:
    codes = faults.split("+")
    more = ("...",) if len(codes) > MOST_FAULTS else ()
    return " + ".join((*codes[:MOST_FAULTS], *more))
