"""`togyz doctor`: what is wrong with a board and everything around it, and what to do about it.

It exits with 0 where nothing is wrong, or nothing but what is a warning or a note; with 1 where something is
wrong; with 2 where the configuration cannot be used, as every command does. What it prints as JSON is
described in `firmware_bridge/doctor/DOCTOR.md`.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer

from firmware_bridge.commands.common import (
    EXIT_FAILED,
    KNOWN_ERRORS,
    ConfigFile,
    code_said,
    complaints,
    config_of,
    console,
    harmless,
    later,
    plural,
    say,
    speech,
)
from firmware_bridge.config import Config
from firmware_bridge.doctor.examination import examine
from firmware_bridge.doctor.findings import Check, Finding, Severity, healthy
from firmware_bridge.language import Language
from firmware_bridge.wire.version import SOFTWARE

FORMAT: Final = 1
"""Of the JSON; it changes when an old reader would go wrong."""

PLACE: Final = re.compile(r"(?:side|beam)_(?P<seat>[ab])\[(?P<index>\d)\]|(?:beam_)?kazan_(?P<kazan>[ab])")
"""A channel as `[layout]` names it, which counts pits from 0; players count them from 1."""

_COLOURS: Final = {Severity.FAULT: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "dim"}


def doctor(
    config: ConfigFile,
    *,
    as_json: Annotated[bool, typer.Option("--json", help=later("cli.doctor.json"))] = False,
    only: Annotated[list[Check] | None, typer.Option(help=later("cli.doctor.only"))] = None,
    language: Annotated[
        Language | None, typer.Option(show_default=False, help=later("cli.doctor.language"))
    ] = None,
) -> None:
    """Examine a board; exits with 1 when something is wrong with it."""
    if language is not None:
        speech.option = language
    loaded = config_of(config)
    if not as_json:
        complaints.print(say("doctor.looking", board=loaded.board.id), markup=False, soft_wrap=True)
    checks = tuple(dict.fromkeys(only or Check))
    began_s = time.monotonic()
    findings = examine(loaded, checks)
    seconds = round(time.monotonic() - began_s, 1)
    if as_json:
        console.print_json(json.dumps(told(loaded, findings, checks, seconds), ensure_ascii=False))
    else:
        _show(loaded, findings, seconds)
    if not healthy(findings):
        raise typer.Exit(EXIT_FAILED)


def told(
    config: Config, findings: Sequence[Finding], checks: Sequence[Check], seconds: float
) -> dict[str, Any]:
    """Return what was found as it is given to programs."""
    return {
        "format": FORMAT,
        "software": SOFTWARE,
        "board": config.board.id,
        "event": config.board.event,
        "healthy": healthy(findings),
        "seconds": seconds,
        "checked": [check.value for check in checks],
        "findings": [
            {
                "code": finding.code,
                "check": finding.check.value,
                "severity": finding.severity.value,
                "values": dict(finding.values),
                "message": finding_said(finding),
            }
            for finding in findings
        ],
    }


def finding_said(finding: Finding) -> str:
    """Return what was found, where, and what to do about it, in the language."""
    key = f"found.{finding.code}"
    values = {name: _value_said(name, value) for name, value in finding.values.items()}
    return harmless(say(key, **values))


def _value_said(name: str, value: object) -> object:
    if name == "why" and value in KNOWN_ERRORS:
        return code_said("oserror", str(value))
    if name in ("place", "other_place") and (named := PLACE.fullmatch(str(value))):
        if named["kazan"]:
            return say("calib.kazan", seat=named["kazan"])
        return f"{named['seat']}{int(named['index']) + 1}"
    return "—" if value == "" else value


def _show(config: Config, findings: Sequence[Finding], seconds: float) -> None:
    board = config.board.id
    for finding in findings:
        mark = code_said("severity", finding.severity.value)
        console.print(f"[{_COLOURS[finding.severity]}]{mark}[/]", end="  ")
        console.print(finding_said(finding), markup=False, soft_wrap=True)
    faults = sum(finding.severity is Severity.FAULT for finding in findings)
    if faults:
        summary = plural("doctor.ill", faults, board=board, seconds=seconds)
    elif any(finding.severity is Severity.WARNING for finding in findings):
        summary = say("doctor.usable", board=board, seconds=seconds)
    else:
        summary = say("doctor.healthy", board=board, seconds=seconds)
    console.print(summary, markup=False, soft_wrap=True)
