"""`togyz trace record`: a running board writes down what it sees and decides."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from firmware_bridge.commands.asking import answer_of
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
from firmware_bridge.trace.errors import named

LOOK_EVERY_S = 0.5
"""How often the board is asked how far it is."""


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
        _ended(_asked(socket, what="stop"))
        return
    if file is None:
        _status(_asked(socket, what="status"))
        return
    for_s = _for_s(for_time) if for_time else None
    _asked(socket, what="start", file=str(file.absolute()), for_s=for_s)
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
    """Return the board's answer, or leave with why there is none."""
    answer = answer_of(socket, {"do": "trace", **request})
    if not answer.get("ok"):
        raise fail(named(answer.get("why", "")), EXIT_FAILED)  # it may quote the file
    return answer


def _watch(socket: Path, file: Path) -> None:
    """Show how the trace grows until it ends by itself, or until Ctrl-C ends it."""
    mine = str(file.absolute())
    with _stopping() as stopped, complaints.status(say("trace.record.waiting")) as shown:
        while not stopped.wait(LOOK_EVERY_S):
            trace = _asked(socket, what="status")["trace"]
            if trace["file"] != mine:
                _ended({"trace": {**trace, "file": mine}})
                return
            if trace["begun"]:
                shown.update(say("trace.record.so_far", size=f"{trace['bytes'] / 1e6:.2f}"))
        _ended(_asked(socket, what="stop"))


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """Give an event that Ctrl-C sets; whoever presses it twice still wants the trace ended in order."""
    stopped = threading.Event()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, lambda _number, _frame: stopped.set()) for number in numbers}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ended(answer: dict[str, Any]) -> None:
    trace = answer["trace"]
    if trace["trouble"]:
        raise fail(named(trace["trouble"]), EXIT_FAILED)
    console.print(say("trace.record.done", file=named(trace["file"])), soft_wrap=True)


def _status(answer: dict[str, Any]) -> None:
    trace = answer["trace"]
    if trace["file"] is None:
        console.print(say("trace.record.none"))
        if trace["trouble"]:
            fail(named(trace["trouble"]))
        return
    size = f"{trace['bytes'] / 1e6:.2f}"
    console.print(say("trace.record.writing", file=named(trace["file"]), size=size), soft_wrap=True)
