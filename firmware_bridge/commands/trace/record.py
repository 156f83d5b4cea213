"""`togyz trace record`: a running board writes down what it sees and decides."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from firmware_bridge.board.control import LateAnswerError
from firmware_bridge.commands.asking import answer_or_late
from firmware_bridge.commands.common import (
    EXIT_FAILED,
    ConfigFile,
    complaints,
    config_of,
    console,
    fail,
    harmless,
    later,
    say,
)
from firmware_bridge.commands.trace.options import time_us
from firmware_bridge.signals import heard_by
from firmware_bridge.trace.errors import named

LOOK_EVERY_S = 0.5
"""How often the board is asked how far it is."""

PATIENCE_S = 60.0
"""How long a board that is there may leave every question unanswered: a busy machine takes some seconds."""


def record(
    config: ConfigFile,
    file: Annotated[Path | None, typer.Argument(help=later("trace.record.file"), metavar="FILE")] = None,
    *,
    for_time: Annotated[str, typer.Option("--for", help=later("trace.record.for"), show_default=False)] = "",
    leave: Annotated[bool, typer.Option("--leave", help=later("trace.record.leave"))] = False,
    stop: Annotated[bool, typer.Option("--stop", help=later("trace.record.stop"))] = False,
) -> None:
    """Let a running board write a trace until Ctrl-C, or for so long; without FILE tell of its own."""
    table = config_of(config).board
    socket = table.state_dir / table.id / "control.sock"
    if stop:
        _ended(_stopped(socket, _status_of(socket)["file"]))
        return
    if file is None:
        _tell(_status_of(socket))
        return
    for_s = _for_s(for_time) if for_time else None
    _start(socket, str(file.absolute()), for_s)
    if leave:
        console.print(say("trace.record.left", file=named(file)), soft_wrap=True)
        return
    console.print(say("trace.record.begun", file=named(file)), soft_wrap=True)
    _watch(socket, file)


def _for_s(text: str) -> float:
    """Return how long a trace is to be, in seconds: up to a day, as no time here is longer."""
    for_s = time_us("--for", text) / 1e6
    if not for_s:
        raise fail(say("trace.record.no_time", value=harmless(text)))
    return for_s


def _asked(socket: Path, **request: Any) -> dict[str, Any]:
    """Return the board's answer, or leave with why there is none.

    Raises:
        LateAnswerError: The board is there, and has not answered yet.
    """
    answer = answer_or_late(socket, {"do": "trace", **request})
    if not answer.get("ok"):
        raise fail(named(answer.get("why", "")), EXIT_FAILED)  # it may quote the file
    return answer


def _status_of(socket: Path) -> dict[str, Any]:
    """Return what the board says of its trace; one that is busy is asked again."""
    since_s, told = time.monotonic(), False
    while True:
        try:
            trace: dict[str, Any] = _asked(socket, what="status")["trace"]
        except LateAnswerError as error:
            if time.monotonic() - since_s >= PATIENCE_S:
                raise fail(say("trace.record.unanswered", path=error.path)) from error
            if not told:
                complaints.print(say("trace.record.slow"))
            told = True
            time.sleep(LOOK_EVERY_S)
        else:
            return trace


def _start(socket: Path, mine: str, for_s: float | None) -> None:
    """Let the trace be written; a late answer is not asked for again, for the board may have begun it."""
    try:
        _asked(socket, what="start", file=mine, for_s=for_s)
    except LateAnswerError:
        trace = _status_of(socket)
        if trace["file"] != mine and trace["trouble"]:
            raise fail(named(trace["trouble"]), EXIT_FAILED) from None
        if trace["file"] not in (mine, None):
            _tell(trace)  # another one
            raise typer.Exit(EXIT_FAILED) from None


def _stopped(socket: Path, mine: str | None) -> dict[str, Any]:
    """End the trace and return what came of it; after a late answer wait until it is written no more."""
    try:
        trace: dict[str, Any] = _asked(socket, what="stop")["trace"]
    except LateAnswerError:
        while (trace := _status_of(socket))["file"] == mine:
            time.sleep(LOOK_EVERY_S)
        trace = {**trace, "file": mine}
    return trace


def _watch(socket: Path, file: Path) -> None:
    """Show how the trace grows until it ends by itself, or until Ctrl-C ends it."""
    mine = str(file.absolute())
    with _stopping() as stopped, complaints.status(say("trace.record.waiting")) as shown:
        while not stopped.wait(LOOK_EVERY_S):
            trace = _status_of(socket)
            if trace["file"] != mine:
                _ended({**trace, "file": mine})
                return
            if trace["begun"]:
                shown.update(say("trace.record.so_far", size=f"{trace['bytes'] / 1e6:.2f}"))
        _ended(_stopped(socket, mine))


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """Give an event that Ctrl-C sets; whoever presses it twice still wants the trace ended in order."""
    stopped = threading.Event()
    with heard_by(lambda _number, _frame: stopped.set(), (signal.SIGINT, signal.SIGTERM)):
        yield stopped


def _ended(trace: dict[str, Any]) -> None:
    if trace["trouble"]:
        raise fail(named(trace["trouble"]), EXIT_FAILED)
    console.print(say("trace.record.done", file=named(trace["file"])), soft_wrap=True)


def _tell(trace: dict[str, Any]) -> None:
    if trace["file"] is None:
        console.print(say("trace.record.none"))
        if trace["trouble"]:
            fail(named(trace["trouble"]))
        return
    size = f"{trace['bytes'] / 1e6:.2f}"
    console.print(say("trace.record.writing", file=named(trace["file"]), size=size), soft_wrap=True)
