"""`togyz calibrate`: the load cells of a board, guided step by step."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from firmware_bridge.board.control import LateAnswerError, NoAnswerError
from firmware_bridge.board.control import ask as ask_board
from firmware_bridge.commands.asking import answer_of
from firmware_bridge.commands.calibrate_alone import NoDeviceError, alone
from firmware_bridge.commands.calibrate_said import auto_said, refusal_said
from firmware_bridge.commands.calibrate_talk import Ask, Talk
from firmware_bridge.commands.common import (
    EXIT_FAILED,
    ConfigFile,
    complaints,
    config_of,
    fail,
    later,
    log_to_stderr,
    plainly,
    say,
)
from firmware_bridge.config import Config

log = logging.getLogger(__name__)


def calibrate(
    config: ConfigFile,
    *,
    auto: Annotated[bool, typer.Option("--auto", help=later("cli.calibrate.auto"))] = False,
    previous: Annotated[bool, typer.Option("--previous", help=later("cli.calibrate.previous"))] = False,
    anew: Annotated[bool, typer.Option("--anew", help=later("cli.calibrate.anew"))] = False,
    as_json: Annotated[bool, typer.Option("--json", help=later("cli.calibrate.json"))] = False,
) -> None:
    """Calibrate a board: the one that runs, or the device itself where none does."""
    loaded = config_of(config)
    log_to_stderr()
    logging.getLogger("firmware_bridge").setLevel(logging.WARNING)  # what happens is told on the screen
    asyncio.run(_run(loaded, _way(auto=auto, previous=previous), anew=anew, as_json=as_json))


def _way(*, auto: bool, previous: bool) -> str:
    return "auto" if auto else "previous" if previous else "begin"


async def _run(config: Config, way: str, *, anew: bool, as_json: bool) -> None:
    async with _board(config, as_json=as_json) as asked:
        if way == "begin":
            await Talk(asked, config, anew=anew, as_json=as_json).run()
            return
        answer = await asked({"step": way})
        if not answer.get("ok"):
            raise fail("\n".join(refusal_said(answer)), EXIT_FAILED)
        file = config.calibration.file
        plainly(auto_said(file, answer) if way == "auto" else say("calib.previous_back", file=file))


@asynccontextmanager
async def _board(config: Config, *, as_json: bool) -> AsyncIterator[Ask]:
    """Give a way to ask: the board that runs, or its device alone."""
    socket = config.board.state_dir / config.board.id / "control.sock"
    if await asyncio.to_thread(_runs, socket):

        async def asked(request: dict[str, Any]) -> dict[str, Any]:
            return await asyncio.to_thread(answer_of, socket, {"do": "calibrate", **request})

        yield asked
        return
    if not as_json:
        complaints.print(say("calib.alone"), markup=False, soft_wrap=True)
    try:
        async with alone(config) as own:
            yield own
    except NoDeviceError as error:
        raise fail(say("calib.no_device", port=config.device.port, why=error), EXIT_FAILED) from error


def _runs(socket: Path) -> bool:
    """Tell whether a board listens at a socket; one that may not be asked is told as always."""
    try:
        ask_board(socket, {"do": "calibrate", "step": "state"})
    except LateAnswerError:
        return True
    except NoAnswerError:
        return False
    except OSError:
        answer_of(socket, {"do": "calibrate", "step": "state"})
    return True
