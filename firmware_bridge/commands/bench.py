"""`togyz bench`: how well a board counts, measured on simulated ones."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from firmware_bridge import __version__
from firmware_bridge.bench.expected import KINDS
from firmware_bridge.bench.games import VARIABLE, NoGameError, names, tournament_file
from firmware_bridge.bench.lanes import NoPlyError, Task
from firmware_bridge.bench.made import MADE
from firmware_bridge.bench.plan import ALL_DEGRADED, ALL_OFFENCES, Wanted, plan
from firmware_bridge.bench.plots import NoPlotError, Swept, draw
from firmware_bridge.bench.refereed import doubtful, legal, together, tried
from firmware_bridge.bench.results import Results, ResultsError, UnkeptError
from firmware_bridge.bench.scene import CELLS, WIRINGS
from firmware_bridge.bench.summary import Key, Row, rows, to_be_looked_at
from firmware_bridge.bench.sweep import gather
from firmware_bridge.bench.tasks import legal_tasks, measured_with, referee_tasks
from firmware_bridge.bench.workers import perform_all
from firmware_bridge.commands.bench_refereed import show_legal, show_refereed
from firmware_bridge.commands.bench_tables import show
from firmware_bridge.commands.common import (
    EXIT_FAILED,
    complaints,
    errors_told,
    fail,
    later,
    reason_said,
    say,
)
from firmware_bridge.commands.spoken import SpokenCommand, SpokenGroup
from firmware_bridge.emulator.pace import MANNERS, PACES
from firmware_bridge.signals import heard_by
from sensors.simulator.profile import NOMINAL, PROFILES

app = typer.Typer(cls=SpokenGroup, no_args_is_help=True, rich_markup_mode="rich", help=later("bench.help"))


Lines = list[dict[str, Any]]
"""Results, a line of the file each."""

TOURNAMENT = ("classical", "rapid", "blitz")
"""The paces that are measured unless others are named."""

ALL_POSITIONS = 500
"""Positions for each kind of fault where everything is played."""


def _known(
    wanted: Sequence[str] | None, known: tuple[str, ...], usual: tuple[str, ...], what: str
) -> tuple[str, ...]:
    for name in wanted or ():
        if name not in known:
            raise fail(say("bench.unknown", what=what, name=name, known=", ".join(known)))
    return tuple(wanted or ()) or usual


@app.command("counting", cls=SpokenCommand, help=later("bench.counting.help"))
def counting(  # noqa: PLR0913 - the options of a command
    *,
    profile: Annotated[
        list[str] | None, typer.Option(help=later("bench.profile"), metavar="|".join(PROFILES))
    ] = None,
    pace: Annotated[list[str] | None, typer.Option(help=later("bench.pace"), metavar="|".join(PACES))] = None,
    manners: Annotated[
        list[str] | None, typer.Option(help=later("bench.manners"), metavar="|".join(MANNERS))
    ] = None,
    sensors: Annotated[str, typer.Option(help=later("bench.sensors"), metavar="|".join(WIRINGS))] = CELLS,
    games: Annotated[int, typer.Option(min=0, help=later("bench.games"))] = 3,
    everything: Annotated[bool, typer.Option("--all", help=later("bench.all"))] = False,
    seeds: Annotated[int, typer.Option(min=1, help=later("bench.seeds"))] = 1,
    offences: Annotated[int, typer.Option(min=0, help=later("bench.offences"))] = 0,
    degraded: Annotated[int, typer.Option(min=0, help=later("bench.degraded"))] = 0,
    sweep: Annotated[bool, typer.Option("--sweep", help=later("bench.sweep"))] = False,
    games_file: Annotated[Path | None, typer.Option(help=later("bench.games_file"))] = None,
    out: Annotated[Path | None, typer.Option(help=later("bench.out"))] = None,
    jobs: Annotated[int, typer.Option(min=0, help=later("bench.jobs"))] = 0,
) -> None:
    """Play games on simulated boards and tell how often the board was wrong, or asked."""
    path = _games_file(games_file)
    wanted = Wanted(
        profiles=_known(profile, tuple(PROFILES), tuple(PROFILES), "--profile"),
        paces=_known(pace, tuple(PACES), TOURNAMENT, "--pace"),
        manners=_known(manners, tuple(MANNERS), ("lively",), "--manners"),
        games=None if everything else games,
        seeds=seeds,
        offences=offences or (ALL_OFFENCES if everything else 0),
        degraded=degraded or (ALL_DEGRADED if everything else 0),
        sweep=sweep or everything,
        path=path,
        sensors=_known([sensors], tuple(WIRINGS), (), "--sensors")[0],
    )
    with errors_told(NoGameError, ResultsError), _unkept_told():
        about = measured_with(None if path is None else str(path))
        results = Results.open(out / "results.jsonl", about) if out is not None else None
        tasks = plan(wanted)
        if not tasks:
            raise fail(say("bench.nothing"))
        lines = _play(tasks, results, jobs or os.cpu_count() or 1)
    _tell(lines, results, out)


def _games_file(given: Path | None) -> Path | None:
    """Return the file of tournament games; without one, say so and go on."""
    try:
        path = tournament_file(given)
    except NoGameError as error:
        raise fail(str(error)) from error
    if path is None:
        complaints.print(say("bench.no_games", variable=VARIABLE))
    return path


def _tell(lines: Lines, results: Results | None, out: Path | None) -> None:
    """Show what was measured now, and sum up in the folder `out`, if there is one, all that is kept there."""
    with _damage_told(out):
        show(*_summed(lines))
        kept = [] if results is None else list(results.lines.values())
        document, swept = _summary(kept)
    if out is not None:
        _write(out, document, swept)


@app.command("referee", cls=SpokenCommand, help=later("bench.referee.help"))
def referee(  # noqa: PLR0913 - the options of a command
    *,
    kinds: Annotated[list[str] | None, typer.Option(help=later("bench.kinds"), metavar="KIND")] = None,
    positions: Annotated[int, typer.Option(min=0, help=later("bench.positions"))] = 3,
    games: Annotated[int, typer.Option(min=0, help=later("bench.referee.games"))] = 0,
    everything: Annotated[bool, typer.Option("--all", help=later("bench.referee.all"))] = False,
    pace: Annotated[list[str] | None, typer.Option(help=later("bench.pace"), metavar="|".join(PACES))] = None,
    games_file: Annotated[Path | None, typer.Option(help=later("bench.games_file"))] = None,
    out: Annotated[Path | None, typer.Option(help=later("bench.out"))] = None,
    jobs: Annotated[int, typer.Option(min=0, help=later("bench.jobs"))] = 0,
) -> None:
    """Break the rules on simulated boards, play fair games too, and tell what the table says of both."""
    path = _games_file(games_file)
    where = None if path is None else str(path)
    wanted = _known(kinds, tuple(KINDS), tuple(KINDS), "--kinds")
    paces = _known(pace, tuple(PACES), TOURNAMENT, "--pace")
    with errors_told(NoGameError, NoPlyError, ResultsError), _unkept_told():
        results = Results.open(out / "results.jsonl", measured_with(where)) if out is not None else None
        fair = names(None if everything else games, path, MADE)
        tasks = referee_tasks(wanted, ALL_POSITIONS if everything else positions, paces, where)
        tasks += legal_tasks(fair, paces, where)
        if not tasks:
            raise fail(say("bench.nothing"))
        lines = _play(tasks, results, jobs or os.cpu_count() or 1)
    with _damage_told(out):
        document = _refereed(lines)
    if out is not None:
        _write_summary(out, document)


def _refereed(lines: Lines) -> dict[str, Any]:
    """Show what the referee has said; return it as JSON."""
    fair = [line for line in lines if line["task"]["lane"] == "legal"]
    broken = [line for line in lines if line["task"]["lane"] != "legal"]
    found, games = tried(broken), legal(fair)
    if found:
        show_refereed(found)
    if games:
        show_legal(games)
    return {
        "version": __version__,
        "all": together(found).to_json(),
        "kinds": {kind: each.to_json() for kind, each in found.items()},
        "legal": {pace: each.to_json() for pace, each in games.items()},
        "look_at": doubtful(lines),
    }


@contextmanager
def _unkept_told() -> Iterator[None]:
    """Leave the program where results cannot be kept, with what the system says of it."""
    try:
        yield
    except UnkeptError as error:
        raise fail(say("bench.unkept", file=error.path, why=reason_said(error.__cause__))) from error


@contextmanager
def _damage_told(out: Path | None) -> Iterator[None]:
    """Leave the program where lines that were kept do not hold what they should."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise fail(say("bench.damaged", out=(out or Path()) / "results.jsonl", why=repr(error))) from error


def _played(lines: Lines) -> Lines:
    return [line for line in lines if line["task"]["lane"] != "sweep"]


def _summed(lines: Lines) -> tuple[dict[Key, Row], Swept]:
    """Return what results come to: rows of what was played, and what was swept."""
    return rows(_played(lines)), gather(line for line in lines if line["task"]["lane"] == "sweep")


def _play(tasks: list[Task], results: Results | None, jobs: int) -> list[dict[str, Any]]:
    """Play what is not there yet; return all lines, in the tasks' order."""
    done = {} if results is None else results.lines
    lines = {task.key: done[task.key] for task in tasks if task.key in done}
    todo = [task for task in tasks if task.key not in lines]
    if lines:
        complaints.print(say("bench.reused", n=len(lines), of=len(tasks)), markup=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=complaints, transient=True) as progress:
        bar = progress.add_task(say("bench.playing"), total=len(tasks), completed=len(lines))
        try:
            with heard_by(signal.default_int_handler, (signal.SIGINT, signal.SIGTERM)):
                for line in perform_all(todo, jobs):
                    lines[line["key"]] = line
                    if results is not None:
                        results.add(line)
                    progress.advance(bar)
        except KeyboardInterrupt:
            progress.stop()
            complaints.print(say("bench.stopped", done=len(lines), of=len(tasks)))
    return [lines[task.key] for task in tasks if task.key in lines]


def _summary(lines: Lines) -> tuple[dict[str, Any], Swept]:
    """Return what all results of a folder come to, whichever run they are of, as JSON; and what was swept."""
    found, swept = _summed(lines)
    document = {
        "version": __version__,
        "rows": [{**key._asdict(), **row.to_json()} for key, row in found.items()],
        "sweep": [
            {"axis": axis, "factor": factor, "method": method, **tally.to_json()}
            for axis, factors in swept.items()
            for factor, tallies in factors.items()
            for method, tally in tallies.items()
        ],
        "look_at": to_be_looked_at(_played(lines)),
    }
    return document, swept


def _write(out: Path, document: dict[str, Any], swept: Swept) -> None:
    """Write the summary of a folder, and a picture where something was swept."""
    _write_summary(out, document)
    if swept:
        try:
            draw(swept, NOMINAL.name, out / "sweep.png")
        except NoPlotError as error:
            complaints.print(str(error), markup=False)


def _write_summary(out: Path, document: dict[str, Any]) -> None:
    path = out / "summary.json"
    text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise fail(f"{path}: {reason_said(error)}", EXIT_FAILED) from error
