"""`togyz control`: what an arbiter tells a running board on the same machine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.table import Table

from firmware_bridge.board.control import ControlError, ask
from firmware_bridge.commands.common import EXIT_FAILED, ConfigFile, config_of, console, errors_told, fail
from rules.flags import flag_verdict


class Word(StrEnum):
    """What can be said."""

    STATUS = "status"
    START = "start"
    SUSPEND = "suspend"
    RESUME = "resume"
    ENTER = "enter"
    ADJUST = "adjust"
    CLOCK = "clock"
    END = "end"
    RELEASE = "release"


def control(  # noqa: PLR0913 - each option of the command line is a parameter
    config: ConfigFile,
    word: Annotated[
        Word,
        typer.Argument(
            help="status: show the table; start: start bastaushy's clock; suspend: stop the clocks; "
            "resume: go on from the confirmed position; enter: plies that were played unseen; "
            "adjust: give a player time, or take it; clock: set the dials; "
            "end: give the result; release: free the board."
        ),
    ],
    *,
    score: Annotated[
        str, typer.Option(help="With end: 1-0, 0-1 or 1/2-1/2, bastaushy first.", show_default=False)
    ] = "",
    reason: Annotated[str, typer.Option(help="With suspend, adjust, clock and end: why.")] = "arbiter",
    moves: Annotated[
        str, typer.Option(help="With enter: the plies as 7:6 9-8 2:7x, oldest first.", show_default=False)
    ] = "",
    side: Annotated[
        str, typer.Option(help="With adjust: bastaushy, qostaushy or both.", show_default=False)
    ] = "",
    seconds: Annotated[
        float, typer.Option(help="With adjust: how much; negative takes it.", show_default=False)
    ] = 0,
    bastaushy: Annotated[
        str, typer.Option(help="With clock: what his dial shows, as 12m30s.", show_default=False)
    ] = "",
    qostaushy: Annotated[
        str, typer.Option(help="With clock: what his dial shows, as 12m30s.", show_default=False)
    ] = "",
    new_control: Annotated[
        str,
        typer.Option(
            "--control",
            help="With clock: another control, as 90m/30+30m or observed:60m.",
            show_default=False,
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="With status: everything, for programs.")] = False,
) -> None:
    """Tell a running board what the arbiter decides.

    The board obeys or says why not; a refusal exits with code 1 and changes nothing. After the
    device of a board has lost its power, for instance, the clocks stand until you say
    [bold]togyz control CONFIG resume[/]. What the board finds wrong, pit by pit, is in its status.
    """
    table = config_of(config).board
    given: dict[str, str | float] = {
        "score": score,
        "moves": moves,
        "side": side,
        "seconds": seconds,
        "bastaushy": bastaushy,
        "qostaushy": qostaushy,
        "control": new_control,
    }
    request = {"do": word.value, "reason": reason, **_wanted(word, given)}
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


def _wanted(word: Word, given: Mapping[str, str | float]) -> dict[str, str | float]:
    """Return what a word takes of the options; fails when it lacks what it needs."""
    if word is Word.END and not given["score"]:
        raise fail("`end` needs the result: --score 1-0, 0-1 or 1/2-1/2, bastaushy first")
    if word is Word.ENTER and not given["moves"]:
        raise fail('`enter` needs the plies: --moves "7:6 9-8"')
    if word is Word.ADJUST and not (given["side"] and given["seconds"]):
        raise fail("`adjust` needs whose time and how much: --side bastaushy --seconds 60 (-60 takes it)")
    dials = ("bastaushy", "qostaushy", "control")
    if word is Word.CLOCK and not any(given[name] for name in dials):
        raise fail("`clock` needs what it shows: --bastaushy 12m30s --qostaushy 9m, or a --control")
    taken = {
        Word.END: ("score",),
        Word.ENTER: ("moves",),
        Word.ADJUST: ("side", "seconds"),
        Word.CLOCK: dials,
    }
    return {name: given[name] for name in taken.get(word, ()) if given[name]}


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
    for told in _of_clock(state):
        console.print(f"  {told}")
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


def _of_clock(state: dict[str, Any]) -> Iterator[str]:
    """Yield what else there is to say of the clock: its control, its quotas, and what fallen flags give."""
    clock, ended = state["clock"], bool(state["result"])
    if clock is None:
        return
    if clock.get("control"):
        left = clock.get("moves_to_quota", (None, None))
        words = (f"{moves} moves to the quota" for moves in left if moves is not None)
        yield " · ".join((f"clock {clock['control']}", *words))
    first, second = clock["flagged"]
    kazans = state["position"]["kazans"]
    verdict = None if ended else flag_verdict((kazans[0], kazans[1]), (first, second))
    if verdict is not None:
        whose = f"{verdict.side.value}'s flag is down" if verdict.side else "both flags are down"
        gives = f", result {verdict.result}" if verdict.result else ""
        articles = ", ".join(verdict.articles)
        outcome = verdict.outcome.value.replace("_", " ")
        yield f"[bold red]{whose}[/]: {outcome}{gives} if it is called ({articles})"


def _clock(left_ms: int) -> str:
    minutes, seconds = divmod(left_ms // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
