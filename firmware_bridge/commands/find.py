"""`togyz find`: the halls on the network."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from firmware_bridge.commands.common import EXIT_FAILED, console, fail, harmless, later, say
from firmware_bridge.discovery.network import LOOK_S, NetworkError, heard_halls
from firmware_bridge.discovery.notices import HallNotice


def find(
    *,
    event: Annotated[str, typer.Option(help=later("cli.find.event"), show_default=False)] = "",
    seconds: Annotated[float, typer.Option(help=later("cli.find.seconds"), min=0.5, max=60)] = LOOK_S,
    as_json: Annotated[bool, typer.Option("--json", help=later("cli.doctor.json"))] = False,
) -> None:
    """List the halls that can be heard; exits with 1 when there is none."""
    try:
        halls = [hall for hall in heard_halls(seconds) if event in ("", hall.event)]
    except NetworkError as error:
        raise fail(say("find.no_network", why=error), EXIT_FAILED) from error
    if as_json:
        listed = [{**asdict(hall), "url": hall.url} for hall in halls]
        console.print_json(json.dumps({"halls": listed}, ensure_ascii=False))
    elif halls:
        _show(halls)
    else:
        raise fail(say("find.none", seconds=format(seconds, "g")), EXIT_FAILED)
    if not halls:
        raise typer.Exit(EXIT_FAILED)


def _show(halls: Sequence[HallNotice]) -> None:
    for hall in halls:
        line = say(
            "find.hall",
            event=hall.event,
            url=hall.url,
            broker=hall.broker or "—",
            software=hall.software or "—",
            contract=hall.contract or "—",
        )
        console.print(harmless(line), markup=False, soft_wrap=True)
