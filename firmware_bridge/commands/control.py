"""`togyz control`: what an arbiter tells a running board on the same machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, get_args

import typer

from firmware_bridge.commands.advised import advice_said
from firmware_bridge.commands.asking import answer_of
from firmware_bridge.commands.common import (
    EXIT_FAILED,
    ConfigFile,
    code_said,
    complaints,
    config_of,
    console,
    fail,
    later,
    say,
    speech,
)
from firmware_bridge.commands.refusals import move_told
from firmware_bridge.commands.status import notes_said, show
from rules.clock import late_clock, lateness_forfeits
from rules.control_text import format_time, parse_control, parse_time
from rules.errors import TimeControlError
from rules.position import Result, Side
from rules.time_control import MAX_BASE_MS


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
    word: Annotated[Word, typer.Argument(help=later("cli.control.word"))],
    *,
    score: Annotated[str, typer.Option(help=later("cli.control.score"), show_default=False)] = "",
    reason: Annotated[str, typer.Option(help=later("cli.control.reason"), show_default="arbiter")] = "",
    moves: Annotated[str, typer.Option(help=later("cli.control.moves"), show_default=False)] = "",
    side: Annotated[str, typer.Option(help=later("cli.control.side"), show_default=False)] = "",
    seconds: Annotated[float, typer.Option(help=later("cli.control.seconds"), show_default=False)] = 0,
    late: Annotated[str, typer.Option(help=later("cli.control.late"), show_default=False)] = "",
    bastaushy: Annotated[str, typer.Option(help=later("cli.control.dial"), show_default=False)] = "",
    qostaushy: Annotated[str, typer.Option(help=later("cli.control.dial"), show_default=False)] = "",
    new_control: Annotated[
        str, typer.Option("--control", help=later("cli.control.control"), show_default=False)
    ] = "",
    session_left: Annotated[
        str, typer.Option(help=later("cli.control.session_left"), show_default=False)
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help=later("cli.control.json"))] = False,
) -> None:
    """Tell a running board what the arbiter decides; a refusal exits with code 1 and changes nothing."""
    settings = config_of(config)
    table = settings.board
    given: dict[str, str | float] = {
        "score": score,
        "moves": moves,
        "side": side,
        "seconds": seconds,
        "late": late,
        "bastaushy": bastaushy,
        "qostaushy": qostaushy,
        "control": new_control,
        "session_left": session_left,
    }
    wanted = _wanted(word, given)
    request = {"do": word.value, "reason": reason or _article(wanted), **_as_told(wanted)}
    answer = answer_of(table.state_dir / table.id / "control.sock", request)
    if not answer.get("ok"):
        why, position = move_told(answer)
        refusal = fail(f"{table.id}: {_refusal(answer, why)}", EXIT_FAILED)
        for line in (
            *notes_said(answer.get("watch", {}).get("notes", ())),
            *advice_said(answer.get("advice", ())),
        ):
            complaints.print(line, soft_wrap=True)
        for line in position:
            complaints.print(line, soft_wrap=True, markup=False)
        raise refusal
    if word is not Word.STATUS:
        console.print(say("arbiter.done", board=table.id, word=word.value))
        for line in advice_said(answer.get("advice", ())):
            console.print(line, soft_wrap=True)
    elif as_json:
        console.print_json(json.dumps(answer["state"], ensure_ascii=False))
    else:
        show(answer["state"])


def _wanted(word: Word, given: Mapping[str, str | float]) -> dict[str, str | float]:
    """Return what a word takes of the options; fails when it lacks what it needs."""
    if word is Word.END and not given["score"]:
        raise fail(say("arbiter.score_needed"))
    if word is Word.ENTER and not given["moves"]:
        raise fail(say("arbiter.moves_needed"))
    if word is Word.ADJUST and not (given["side"] and bool(given["seconds"]) is not bool(given["late"])):
        raise fail(say("arbiter.time_needed"))
    dials, session_left = given["bastaushy"] or given["qostaushy"], given["session_left"]
    told = given["control"] or dials or session_left
    if word is Word.CLOCK and (not told or (dials and session_left)):
        raise fail(say("arbiter.dial_needed"))
    wanted = {name: given[name] for name in _TAKEN.get(word, ()) if given[name]}
    for name, value in wanted.items():
        if not _understood(name, value):
            wrong = say("record.fault.word", word=value)
            needed = "cli.control.control" if name == "control" else _NEEDED[word]
            raise fail(f"{wrong}: {say(needed)}")
    if "late" in wanted:
        _in_time(str(wanted["side"]), str(wanted["late"]))
    return wanted


def _in_time(side: str, late: str) -> None:
    """Fail where one player has lost by his lateness (2.7.6); of both the board says what the event chose."""
    if side != "both" and lateness_forfeits(parse_time(late) * 1000):
        score = "0-1" if side == Side.BASTAUSHY.value else "1-0"
        raise fail(say("arbiter.too_late", side=code_said("side", side), score=score))


def _article(wanted: Mapping[str, str | float]) -> str:
    """Return the reason of whoever gave none: the article that a word rests on, else his decision."""
    return "2.7.6" if "late" in wanted else "2.7.11" if "session_left" in wanted else "arbiter"


def _as_told(wanted: dict[str, str | float]) -> dict[str, str | float]:
    """Return what the board is told: the rest of a session as the dials of a clock set down now (2.7.11)."""
    if "session_left" not in wanted:
        return wanted
    first_us, second_us = late_clock(parse_time(str(wanted["session_left"])) * 1000)
    first, second = format_time(first_us // 1000), format_time(second_us // 1000)
    return {"bastaushy": first, "qostaushy": second, "control": wanted.get("control", first)}


_TAKEN: Mapping[Word, tuple[str, ...]] = {
    Word.END: ("score",),
    Word.ENTER: ("moves",),
    Word.ADJUST: ("side", "seconds", "late"),
    Word.CLOCK: ("bastaushy", "qostaushy", "control", "session_left"),
}

_NEEDED: Mapping[Word, str] = {
    Word.END: later("arbiter.score_needed"),
    Word.ADJUST: later("arbiter.time_needed"),
    Word.CLOCK: later("arbiter.dial_needed"),
}


def _understood(name: str, value: str | float) -> bool:
    """Tell whether a board will understand a value; it would say so in English only.

    Moves are left to the board, which knows the position.
    """
    if isinstance(value, float):
        return abs(value) <= MAX_BASE_MS / 1000  # no NaN is
    try:
        if name == "control":
            parse_control(value)
        elif name in ("bastaushy", "qostaushy", "late", "session_left"):
            parse_time(value)
    except TimeControlError:
        return False
    if name == "score":
        return value in get_args(Result)
    return name != "side" or value in (*(side.value for side in Side), "both")


def _refusal(answer: dict[str, Any], why: str) -> str:
    """Return why a board did not do what it was told; what has no text of ours, in the board's own words.

    Args:
        answer: Of the board.
        why: What else is to be said of it.
    """
    key = f"refused.{answer.get('code', '')}"
    if not speech.texts.knows(key):
        return why or say("arbiter.refused")
    return say(key, why=why, phase=code_said("phase", str(answer.get("phase", ""))))
