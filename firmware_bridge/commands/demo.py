"""`togyz demo`: a whole hall on one machine, each part a process of its own, as at a tournament."""

from __future__ import annotations

import contextlib
import json
import signal
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.markup import escape

from firmware_bridge.board.control import ControlError, ask
from firmware_bridge.commands.common import EXIT_FAILED, console, errors_told, fail
from firmware_bridge.commands.processes import Crew, CrewError, Member
from firmware_bridge.emulator.records import Record, RecordError, bundled_record, load_record
from firmware_bridge.wire.broker_files import free_port
from rules.notation import format_short

PATIENCE_S = 60.0
"""How long each part may take to get ready, and the page to show what was played: a slow card needs it."""

TEMPLATE = """\
# The demo's configuration: an emulated board, used exactly like a real one.
[board]
id = "board-1"
event = "demo"
state_dir = "state"
[device]
port = "board-1.tty"
[calibration]
file = "calibration.json"
[game]
bastaushy = {bastaushy}
qostaushy = {qostaushy}
minutes = 60
[broker]
own = "{broker}"
[hall]
port = {port}
show_counts = true
[emulator]
{record}seed = {seed}
speed = {speed}
pace = "{pace}"
"""


def demo(
    *,
    once: Annotated[
        bool, typer.Option("--once", help="End when the game is played, with a summary.")
    ] = False,
    fast: Annotated[bool, typer.Option("--fast", help="Let the table's time run 20 times faster.")] = False,
    record: Annotated[
        Path | None,
        typer.Option(help="Play this game record instead of the game of 2009.", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of stones, cells and hands: another seed, another board.")] = 1,
    broker: Annotated[
        Literal["auto", "mosquitto", "amqtt"], typer.Option(help="Which broker to start.")
    ] = "auto",
    port: Annotated[int, typer.Option(help="Port of the page; 0 takes a free one.", min=0, max=65535)] = 0,
) -> None:
    """Play a real game on an emulated board and watch it arrive on a web page.

    Starts a broker, an emulated board, [bold]togyz board[/] and [bold]togyz hall[/] as separate
    processes, prints the address of the page and every move as it arrives there. Ctrl-C ends them all.
    """
    with errors_told(RecordError):
        played = bundled_record("2009") if record is None else load_record(record)
    with _stopped_politely(), tempfile.TemporaryDirectory(prefix="togyz-demo-") as folder:
        config = Path(folder) / "demo.toml"
        config.write_text(_config(played, record, seed, broker, port, fast=fast), encoding="utf-8")
        with errors_told(CrewError), Crew(Path(folder)) as crew:
            _play(crew, config, played, once=once)


def _config(played: Record, record: Path | None, seed: int, broker: str, port: int, *, fast: bool) -> str:
    names = [name or default for name, default in zip(played.names, ("Бастаушы", "Қостаушы"), strict=True)]
    return TEMPLATE.format(
        bastaushy=json.dumps(names[0], ensure_ascii=False),
        qostaushy=json.dumps(names[1], ensure_ascii=False),
        broker=broker,
        # A hall that is started again must be found where it was.
        port=port or free_port(),
        record="" if record is None else f"record = {json.dumps(str(record.resolve()))}\n",
        seed=seed,
        speed=20 if fast else 1,
        pace="brisk" if fast else "human",
    )


@contextmanager
def _stopped_politely() -> Iterator[None]:
    """Let every wish to stop end the demo as Ctrl-C does: a closed terminal, SIGQUIT, a service manager.

    Ctrl-C does so even where a shell had it ignored; a closed terminal does not where `nohup` asks so.
    """
    wishes = [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        wishes.append(signal.SIGHUP)

    def stop(_number: int, _frame: object) -> None:
        for number in wishes:
            signal.signal(number, signal.SIG_IGN)  # once is enough: the parts are being ended
        raise KeyboardInterrupt

    former = {number: signal.signal(number, stop) for number in wishes}
    try:
        yield
    except KeyboardInterrupt:
        with contextlib.suppress(OSError):  # the terminal may be what has gone
            console.print("\nstopped")
        raise typer.Exit(130) from None
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _play(crew: Crew, config: Path, played: Record, *, once: bool) -> None:
    broker = crew.start("broker", config, again=True)
    console.print(broker.wait_for("broker: ", PATIENCE_S), style="dim")
    hands = crew.start("emulate", config)
    hands.wait_for('"event": "ready"', PATIENCE_S)
    console.print("emulated board: ready", style="dim")
    crew.start("board", config, again=True)
    hall = crew.start("hall", config, again=True)
    url = hall.wait_for("hall: ", PATIENCE_S).removeprefix("hall: ").strip()
    page = f"{url.rstrip('/')}/board/board-1"
    console.print(f"\nThe board is on the air: [bold link={page}]{escape(page)}[/]\n", soft_wrap=True)
    if not once:
        console.print("Ctrl-C ends the demo.\n", style="dim")
    shown = _watch(crew, hands, url, len(played.sowings))
    if once:
        _sum_up(played, hands, shown)
    else:
        _let_rest(config, played)
        while True:
            _check(crew)
            time.sleep(0.5)


def _let_rest(config: Path, played: Record) -> None:
    """Stop the clocks of a game whose record ends before the game does, as an arbiter would."""
    if not played.finished:
        with contextlib.suppress(ControlError):
            ask(
                config.parent / "state" / "board-1" / "control.sock",
                {"do": "suspend", "reason": "record_ends"},
            )
    console.print("\nThe record is played out; the page stays until Ctrl-C.", style="dim")


def _check(crew: Crew) -> None:
    for line in crew.check():
        console.print(line, style="yellow")


def _snapshot(url: str) -> dict[str, Any] | None:
    """Return what the hall shows of the board now; None when it has nothing yet."""
    try:
        with urllib.request.urlopen(f"{url.rstrip('/')}/api/boards/board-1", timeout=5) as answer:  # noqa: S310 - our own hall
            found = json.loads(answer.read())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _watch(crew: Crew, hands: Member, url: str, plies: int) -> dict[str, Any]:
    """Print the moves as the hall shows them, until all are there or nothing comes any more."""
    told = 0
    deadline: float | None = None
    state: dict[str, Any] = {}
    while told < plies and (deadline is None or time.monotonic() < deadline):
        _check(crew)
        found = _snapshot(url)
        state = (found or {}).get("state") or state
        moves = str(state.get("moves", "")).split()
        for number, text in enumerate(moves[told:], start=told):
            who = ("bastaushy", "qostaushy")[number % 2]
            kazans = state["position"]["kazans"]
            console.print(
                f"{number // 2 + 1:3d}. {who:9s}  [bold]{text:5s}[/]  kazans {kazans[0]}:{kazans[1]}"
            )
        if len(moves) > told or (deadline is None and hands.has_said('"event": "finished"')):
            told = len(moves)
            deadline = time.monotonic() + PATIENCE_S if hands.has_said('"event": "finished"') else None
        time.sleep(0.1)
    return state


def _sum_up(played: Record, hands: Member, shown: dict[str, Any]) -> None:
    """Compare what the hands played with what the hall shows, all the way round.

    Raises:
        typer.Exit: They differ, with what and where.
    """
    due = [format_short(sowing) for sowing in played.sowings]
    seen = str(shown.get("moves", "")).split()
    done = hands.said('"event": "ply"')
    differences = [
        f"ply {number}: played {want}, read {got}"
        for number, (want, got) in enumerate(zip(due, seen, strict=False), start=1)
        if want != got
    ]
    if len(seen) != len(due):
        differences.append(f"{len(due)} plies in the record, {len(seen)} on the page")
    position = shown.get("position") or {}
    after = played.sowings[-1].after
    if not played.finished and len(seen) == len(due) and position.get("pits") != list(after.pits):
        differences.append(f"final pits {position.get('pits')}, due {list(after.pits)}")
    console.print(f"\nmoves played {done}, moves read {len(seen)}, differences {len(differences)}")
    if differences:
        watch = json.dumps(shown.get("watch"), ensure_ascii=False)
        raise fail("; ".join(differences[:5]) + f"; the board says: {watch}", EXIT_FAILED)
