"""`togyz control`: what an arbiter tells a running board on the same machine."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.table import Table

from firmware_bridge.board.control import ControlError, ask
from firmware_bridge.commands.common import EXIT_FAILED, ConfigFile, config_of, console, errors_told, fail


class Word(StrEnum):
    """What can be said."""

    STATUS = "status"
    START = "start"
    SUSPEND = "suspend"
    RESUME = "resume"
    ENTER = "enter"
    END = "end"
    RELEASE = "release"


def control(
    config: ConfigFile,
    word: Annotated[
        Word,
        typer.Argument(
            help="status: show the table; start: start bastaushy's clock; suspend: stop the clocks; "
            "resume: go on from the confirmed position; enter: plies that were played unseen; "
            "end: give the result; release: free the board."
        ),
    ],
    *,
    score: Annotated[
        str, typer.Option(help="With end: 1-0, 0-1 or 1/2-1/2, bastaushy first.", show_default=False)
    ] = "",
    reason: Annotated[str, typer.Option(help="With suspend and end: why.")] = "arbiter",
    moves: Annotated[
        str, typer.Option(help="With enter: the plies as 7:6 9-8 2:7x, oldest first.", show_default=False)
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="With status: everything, for programs.")] = False,
) -> None:
    """Tell a running board what the arbiter decides.

    The board obeys or says why not; a refusal exits with code 1 and changes nothing. After the
    device of a board has lost its power, for instance, the clocks stand until you say
    [bold]togyz control CONFIG resume[/]. What the board finds wrong, pit by pit, is in its status.
    """
    table = config_of(config).board
    request = {"do": word.value, "reason": reason}
    if word is Word.END:
        if not score:
            raise fail("`end` needs the result: --score 1-0, 0-1 or 1/2-1/2, bastaushy first")
        request["score"] = score
    if word is Word.ENTER:
        if not moves:
            raise fail('`enter` needs the plies: --moves "7:6 9-8"')
        request["moves"] = moves
    with errors_told(ControlError):
        answer = ask(table.state_dir / table.id / "control.sock", request)
    if not answer.get("ok"):
        raise fail(f"{table.id}: {answer.get('why', 'refused')}", EXIT_FAILED)
    if word is not Word.STATUS:
        console.print(f"{table.id}: {word.value} done")
    elif as_json:
        console.print_json(json.dumps(answer["state"], ensure_ascii=False))
    else:
        _show(answer["state"])


def _show(state: dict[str, Any]) -> None:
    """Print a table's state for a person in a hurry: what is wrong comes first."""
    watch = state["watch"]
    resting = f" ({state['pause']})" if state["pause"] else ""
    console.print(f"[bold]{state['board']}[/]  {state['phase'].replace('_', ' ')}{resting}", end="")
    console.print(f", the board is: {watch['sensed'].replace('_', ' ')}")
    for note in watch["notes"]:
        console.print(f"  [bold yellow]{note['code'].replace('_', ' ')}[/]  {note['detail']}")
    if state["result"]:
        console.print(f"  result {state['result']['score']}  {state['result']['reason']}")
    position, clock = state["position"], state["clock"]
    table = Table("", *(str(number) for number in range(1, 10)), "kazan", "clock")
    for index, side in enumerate(("bastaushy", "qostaushy")):
        pits = [str(stones) for stones in position["pits"][9 * index : 9 * index + 9]]
        won = position["tuzdyks"][1 - index]
        if won is not None:
            pits[won - 1] = "x"
        left = _clock(clock["remaining_ms"][index]) if clock else ""
        runs = " runs" if clock and clock["running"] == side else ""
        table.add_row(f"{side} {state['names'][index]}", *pits, str(position["kazans"][index]), left + runs)
    console.print(table)
    moves = state["moves"].split()
    console.print(f"{state['ply']} plies, the last: {' '.join(moves[-6:]) or 'none'}")


def _clock(left_ms: int) -> str:
    minutes, seconds = divmod(left_ms // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
