"""`togyz demo`: a whole hall on one machine, each part a process of its own, as at a tournament."""

from __future__ import annotations

import contextlib
import json
import secrets
import signal
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.markup import escape

from firmware_bridge.board.control import ControlError, ask
from firmware_bridge.commands.common import EXIT_FAILED, console, errors_told, fail, later, plural, say
from firmware_bridge.commands.hall import ledger_path
from firmware_bridge.commands.processes import Crew, CrewError, Member
from firmware_bridge.config import PaceName, ProfileName, load_config
from firmware_bridge.emulator.records import Record, RecordError, bundled_record, load_record
from firmware_bridge.hall.ledger.accounts import Account, save_account
from firmware_bridge.hall.ledger.roles import Role
from firmware_bridge.hall.ledger.store import Ledger
from firmware_bridge.signals import heard_by
from firmware_bridge.wire.broker_files import free_port
from firmware_bridge.wire.key_files import save_keys
from firmware_bridge.wire.signing import SECRET_BYTES, Key, Keyring
from rules.notation.moves import format_short

ARBITER = "arbiter"
"""Who may log in at the demo's console; whoever reads the password beside it."""

PATIENCE_S = 60.0
"""How long each part may take to get ready, and the page to show what was played: a slow card needs it."""

TEMPLATE = """\
# The demo's configuration: an emulated board, used exactly like a real one.
[board]
id = "board-1"
event = "demo"
state_dir = "state"
keys = "board.keys"
[device]
port = "board-1.tty"
[calibration]
file = "calibration.json"
[game]
bastaushy = {bastaushy}
qostaushy = {qostaushy}
minutes = 60
start = "both_ready"
[broker]
own = "{broker}"
[hall]
port = {port}
show_counts = true
keys = "hall.keys"
[table]
port = {table}
[emulator]
{record}seed = {seed}
speed = {speed}
pace = "{pace}"
profile = "{profile}"
"""


@dataclass(frozen=True, slots=True)
class _Wishes:
    """What the options of the command ask for."""

    seed: int
    broker: str
    port: int
    speed: int
    profile: ProfileName
    pace: PaceName


def demo(  # noqa: PLR0913 - each is an option of the command line
    *,
    once: Annotated[bool, typer.Option("--once", help=later("cli.demo.once"))] = False,
    fast: Annotated[bool, typer.Option("--fast", help=later("cli.demo.fast"))] = False,
    record: Annotated[
        Path | None,
        typer.Option(help=later("cli.demo.record"), show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(help=later("cli.demo.seed"))] = 1,
    broker: Annotated[
        Literal["auto", "mosquitto", "amqtt"], typer.Option(help=later("cli.demo.broker"))
    ] = "auto",
    port: Annotated[int, typer.Option(help=later("cli.demo.port"), min=0, max=65535)] = 0,
    profile: Annotated[ProfileName, typer.Option(help=later("cli.demo.profile"))] = "nominal",
    pace: Annotated[PaceName | None, typer.Option(help=later("cli.demo.pace"), show_default=False)] = None,
) -> None:
    """Play a real game on an emulated board and watch it arrive on a web page."""
    with errors_told(RecordError):
        played = bundled_record("2009") if record is None else load_record(record)
    with _stopped_politely(), tempfile.TemporaryDirectory(prefix="togyz-demo-") as folder:
        config = Path(folder) / "demo.toml"
        wishes = _Wishes(
            seed, broker, port, 20 if fast else 1, profile, pace or ("brisk" if fast else "human")
        )
        config.write_text(_config(played, record, wishes), encoding="utf-8")
        password = _open_console(config)
        with errors_told(CrewError), Crew(Path(folder)) as crew:
            _play(crew, config, played, password, once=once)


def _config(played: Record, record: Path | None, wishes: _Wishes) -> str:
    names = [name or default for name, default in zip(played.names, ("Бастаушы", "Қостаушы"), strict=True)]
    return TEMPLATE.format(
        bastaushy=json.dumps(names[0], ensure_ascii=False),
        qostaushy=json.dumps(names[1], ensure_ascii=False),
        broker=wishes.broker,
        # A hall that is started again must be found where it was.
        port=wishes.port or free_port(),
        table=free_port(),
        record="" if record is None else f"record = {json.dumps(str(record.resolve()))}\n",
        seed=wishes.seed,
        speed=wishes.speed,
        pace=wishes.pace,
        profile=wishes.profile,
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

    with heard_by(stop, wishes):
        try:
            yield
        except KeyboardInterrupt:
            with contextlib.suppress(OSError):  # the terminal may be what has gone
                console.print("\n" + say("demo.stopped"))
            raise typer.Exit(130) from None


def _open_console(config: Path) -> str:
    """Make the keys with which the hall commands the board, and an account; return its password."""
    key = Key("board-1-demo", "demo", "board-1", secrets.token_bytes(SECRET_BYTES))
    for name in ("board.keys", "hall.keys"):
        save_keys(config.parent / name, Keyring((key,)), replace=False)
    password = secrets.token_hex(4)
    loaded = load_config(config)
    with Ledger(ledger_path(loaded), loaded.board.event) as ledger:
        chief = Account(ARBITER, Role.CHIEF)
        ledger.apply(lambda db: save_account(db, chief, password, time.time_ns() // 1_000_000))
    return password


def _play(crew: Crew, config: Path, played: Record, password: str, *, once: bool) -> None:
    broker = crew.start("broker", config, again=True)
    where = broker.wait_for("broker: ", PATIENCE_S).removeprefix("broker: ")
    console.print(say("demo.broker", where=where), style="dim", markup=False)
    hands = crew.start("emulate", config)
    hands.wait_for('"event": "ready"', PATIENCE_S)
    console.print(say("demo.board_ready"), style="dim")
    crew.start("board", config, again=True)
    hall = crew.start("hall", config, again=True)
    url = hall.wait_for("hall: ", PATIENCE_S).removeprefix("hall: ").strip()
    page = _link(f"{url.rstrip('/')}/board/board-1")
    console.print("\n" + say("demo.on_air", page=page) + "\n", soft_wrap=True)
    if not once:
        table = crew.start("table", config, again=True)
        screen = table.wait_for("table: ", PATIENCE_S).removeprefix("table: ").strip()
        console.print(say("demo.table", page=_link(screen)), soft_wrap=True)
        desk = _link(f"{url.rstrip('/')}/console")
        console.print(say("demo.console", page=desk, name=ARBITER, password=password), soft_wrap=True)
        console.print(say("demo.how_to_end") + "\n", style="dim")
    shown = _watch(crew, hands, url, len(played.sowings))
    if once:
        _sum_up(played, hands, shown)
    else:
        _let_rest(config, played)
        while True:
            _check(crew)
            time.sleep(0.5)


def _link(page: str) -> str:
    """Return an address as a terminal shows it, to be opened with a click where it can."""
    return f"[bold link={page}]{escape(page)}[/]"


def _let_rest(config: Path, played: Record) -> None:
    """Stop the clocks of a game whose record ends before the game does, as an arbiter would."""
    if not played.finished:
        with contextlib.suppress(ControlError):
            ask(
                config.parent / "state" / "board-1" / "control.sock",
                {"do": "suspend", "reason": "record_ends"},
            )
    console.print("\n" + say("demo.played_out"), style="dim")


def _check(crew: Crew) -> None:
    for line in crew.check():
        console.print(line, style="yellow", markup=False)


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
            who = (say("demo.bastaushy"), say("demo.qostaushy"))[number % 2]
            first, second = state["position"]["kazans"]
            kazans = say("demo.kazans", first=first, second=second)
            console.print(f"{number // 2 + 1:3d}. {who:9s}  [bold]{text:5s}[/]  {kazans}")
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
        say("demo.ply_differs", n=number, played=want, read=got)
        for number, (want, got) in enumerate(zip(due, seen, strict=False), start=1)
        if want != got
    ]
    if len(seen) != len(due):
        differences.append(say("demo.plies_differ", due=len(due), seen=len(seen)))
    position = shown.get("position") or {}
    after = played.sowings[-1].after
    if not played.finished and len(seen) == len(due) and position.get("pits") != list(after.pits):
        differences.append(say("demo.pits_differ", seen=position.get("pits"), due=list(after.pits)))
    told = say("demo.faithful") if not differences else plural("demo.differences", len(differences))
    console.print("\n" + told)
    # For programs, the same in every language.
    console.print(f"moves played {done}, moves read {len(seen)}, differences {len(differences)}")
    if differences:
        watch = json.dumps(shown.get("watch"), ensure_ascii=False)
        told = say("demo.board_says", watch=watch)
        raise fail("; ".join([*differences[:5], told]), EXIT_FAILED)
