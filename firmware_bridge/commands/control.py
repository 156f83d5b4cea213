"""`togyz control`: what an arbiter tells a running board on the same machine."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from firmware_bridge.board.control import ControlError, ask
from firmware_bridge.commands.common import EXIT_FAILED, ConfigFile, config_of, console, errors_told, fail


class Word(StrEnum):
    """What can be said."""

    STATUS = "status"
    START = "start"
    SUSPEND = "suspend"
    RESUME = "resume"
    END = "end"
    RELEASE = "release"


def control(
    config: ConfigFile,
    word: Annotated[
        Word,
        typer.Argument(
            help="status: show the table; start: start bastaushy's clock; suspend: stop the clocks; "
            "resume: go on from the confirmed position; end: give the result; release: free the board."
        ),
    ],
    score: Annotated[
        str, typer.Option(help="With end: 1-0, 0-1 or 1/2-1/2, bastaushy first.", show_default=False)
    ] = "",
    reason: Annotated[str, typer.Option(help="With suspend and end: why.")] = "arbiter",
) -> None:
    """Tell a running board what the arbiter decides.

    The board obeys or says why not; a refusal exits with code 1 and changes nothing. After the
    device of a board has lost its power, for instance, the clocks stand until you say
    [bold]togyz control CONFIG resume[/].
    """
    table = config_of(config).board
    request = {"do": word.value, "reason": reason}
    if word is Word.END:
        request["score"] = score
    with errors_told(ControlError):
        answer = ask(table.state_dir / table.id / "control.sock", request)
    if not answer.get("ok"):
        raise fail(f"{table.id}: {answer.get('why', 'refused')}", EXIT_FAILED)
    if word is Word.STATUS:
        console.print_json(json.dumps(answer["state"], ensure_ascii=False))
    else:
        console.print(f"{table.id}: {word.value} done")
