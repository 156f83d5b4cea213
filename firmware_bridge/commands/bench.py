"""`togyz bench`: how well a board counts, measured on simulated ones."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from firmware_bridge import __version__
from firmware_bridge.bench.baselines import METHODS
from firmware_bridge.bench.games import NoGameError, names, tournament_file
from firmware_bridge.bench.made import MADE
from firmware_bridge.bench.results import Results
from firmware_bridge.bench.summary import Row, rows, to_be_looked_at
from firmware_bridge.bench.tasks import Task, game_tasks
from firmware_bridge.bench.workers import perform_all
from firmware_bridge.commands.common import complaints, console, fail, later, say
from firmware_bridge.commands.spoken import SpokenCommand, SpokenGroup
from firmware_bridge.emulator.pace import PACES
from sensors.simulator.profile import PROFILES

app = typer.Typer(cls=SpokenGroup, no_args_is_help=True, rich_markup_mode="rich", help=later("bench.help"))


def _known(wanted: list[str], known: list[str], what: str) -> list[str]:
    for name in wanted:
        if name not in known:
            raise fail(say("bench.unknown", what=what, name=name, known=", ".join(known)))
    return wanted or known


@app.command("counting", cls=SpokenCommand, help=later("bench.counting.help"))
def counting(  # noqa: PLR0913 - the options of a command
    *,
    profile: Annotated[list[str], typer.Option(help=later("bench.profile"))] = [],  # noqa: B006 - typer's way
    pace: Annotated[list[str], typer.Option(help=later("bench.pace"))] = [],  # noqa: B006 - ditto
    games: Annotated[int, typer.Option(min=0, help=later("bench.games"))] = 3,
    everything: Annotated[bool, typer.Option("--all", help=later("bench.all"))] = False,
    seeds: Annotated[int, typer.Option(min=1, help=later("bench.seeds"))] = 1,
    games_file: Annotated[Path | None, typer.Option(help=later("bench.games_file"))] = None,
    out: Annotated[Path | None, typer.Option(help=later("bench.out"))] = None,
    jobs: Annotated[int, typer.Option(min=0, help=later("bench.jobs"))] = 0,
) -> None:
    """Play games on simulated boards and tell how often the board was wrong, or asked."""
    profiles = _known(profile, list(PROFILES), "--profile")
    paces = _known(pace, list(PACES), "--pace")
    try:
        path = tournament_file(games_file)
    except NoGameError as error:
        raise fail(str(error)) from error
    wanted = names(None if everything else games, path, MADE)
    tasks = game_tasks(wanted, profiles, paces, range(1, seeds + 1), path)
    results = Results(out / "games.jsonl") if out is not None else None
    lines = _play(tasks, results, jobs or os.cpu_count() or 1)
    found = rows(lines)
    for lane in dict.fromkeys(key[0] for key in found):
        console.print(_table(lane, {key: row for key, row in found.items() if key[0] == lane}))
    if out is not None:
        _write(out / "summary.json", found, lines)


def _play(tasks: list[Task], results: Results | None, jobs: int) -> list[dict[str, Any]]:
    """Play what is not there yet; return all lines, in the tasks' order."""
    done = {} if results is None else results.lines
    lines = {task.key: done[task.key] for task in tasks if task.key in done}
    todo = [task for task in tasks if task.key not in lines]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=complaints, transient=True) as progress:
        bar = progress.add_task(say("bench.playing"), total=len(tasks), completed=len(lines))
        try:
            for line in perform_all(todo, jobs):
                lines[line["key"]] = line
                if results is not None:
                    results.add(line)
                progress.advance(bar)
        except KeyboardInterrupt:
            progress.stop()
            complaints.print(say("bench.stopped", done=len(lines), of=len(tasks)))
    return [lines[task.key] for task in tasks if task.key in lines]


def _per_thousand(count: int, of: int) -> str:
    return f"{1000 * count / of:.2f}" if of else "-"


def _table(lane: str, found: dict[tuple[str, str, str], Row]) -> Table:
    heads = (
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
    title = say("bench.table.title", lane=lane)
    table = Table(*heads, box=SIMPLE_HEAD, title=title, caption=say("bench.table.caption"))
    for place, column in enumerate(table.columns):
        column.no_wrap = True
        column.justify = "left" if place < 2 else "right"
    for (_, profile, pace), row in found.items():
        table.add_row(profile, pace, *_cells(row))
    return table


def _cells(row: Row) -> tuple[str, ...]:
    facts = row.to_json()
    rounding = [_per_thousand(row.baselines.get(name, 0), row.baseline_plies) for name in METHODS]
    bound = 1000 * facts["wrong_bounds"][1]
    cost = 1000 * row.cpu_s / max(1, row.plies)
    return (
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


def _write(path: Path, found: dict[tuple[str, str, str], Row], lines: list[dict[str, Any]]) -> None:
    document = {
        "version": __version__,
        "rows": [
            {"lane": lane, "profile": profile, "pace": pace, **row.to_json()}
            for (lane, profile, pace), row in found.items()
        ],
        "look_at": to_be_looked_at(lines),
    }
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
