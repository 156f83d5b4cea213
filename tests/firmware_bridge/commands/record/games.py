"""Games to try commands on, and ways to run them: in this process, or as a program of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from firmware_bridge.cli import app
from rules.record.text import format_record
from tests.machine import find_shared_data
from tests.rules.records import ruled_record

ROOT = Path(__file__).parents[4]

GAME_2009 = files("firmware_bridge.emulator.games").joinpath("2009.txt").read_text(encoding="utf-8")
"""The game of 2009 up to its thirtieth move."""

PRINTED_2009 = """\
[Bastaushy "Қабдығалым Нұржан"]
[Qostaushy "Райымбекова Роза"]
1. 32 98 2. 78 44 4. 24х 69 5. 69 81 6. 91 94 8. 91 91 9. 39 79 10. 68 89 12. 24 92 13. 12 78 14. 56 67
15. 45 56 16. 68 89 17. 34 78 18. 23 67 19. 45 78 20. 34 89 22. 45 56 23. 67 36 24. 12 25 25. 57 89
26. 45 78 27. 56 67 28. 45 89 29. 34 89 30. 34 78"""
"""The same as it was printed, with four of its moves missing."""

FULL_2009 = PRINTED_2009 + " 32. 23 78 33. 67 89\n"
"""To the end, with a fifth move missing."""

NOTED = """\
[Event "Қазақстан чемпионаты"]
[Round "3"]
[Bastaushy "Қалам Бастаушыұлы"]
[Qostaushy "Қағаз Қостаушықызы"]
[Recorder "Асан"]
[Remaining "0:30:00 0:20:00"]
[Signed "bastaushy qostaushy"]
[Result "1-0"]
[Reason "resignation"]

1. 3:2 {%clock 0:59:50 1:00:00} 9-8 {%clock 0:59:50 0:58:00}
{%ruling warning qostaushy: spoke to a spectator}
2. 7:8! 4:4=
{A brave move.}
3. 6:7 5:7x
1-0
"""
"""A game with everything that can be noted."""

RULED = format_record(ruled_record())
"""A game in which an illegal sowing stands and a position was set."""


def run(*words: str, text: str | bytes = "", language: str = "en", width: int = 200) -> Result:
    """Run `togyz record` in this process; its streams are no terminal."""
    env = {"COLUMNS": str(width), "TERM": "dumb", "TOGYZ_LANGUAGE": language}
    return CliRunner().invoke(app, ["record", *words], input=text, env=env)


def program(
    *words: str, command: list[str] | None = None, env: dict[str, str] | None = None, **streams: Any
) -> subprocess.Popen[bytes]:
    """Start `togyz record` as a program, or another command, with something added to its environment."""
    environ = {**os.environ, **(env or {}), "PYTHONPATH": str(ROOT), "TOGYZ_LANGUAGE": "en"}
    ours = [sys.executable, "-m", "firmware_bridge", "record", *words]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.Popen(command or ours, env=environ, **pipes)


def shared_texts() -> Iterator[str]:
    """Yield the shared tournament games as texts in the archive's notation; none where there is no file."""
    folder = find_shared_data()
    if folder is None:
        return
    for line in (folder / "tournament_games.jsonl").read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        moves = [
            f"{place // 2 + 1}. {token}" if place % 2 == 0 else token
            for place, token in enumerate(game["tokens"])
        ]
        head = f'[Event "{game["year"]}"]\n[Round "{game["game"]}"]\n[Result "{game["result"]}"]\n\n'
        yield f"{head}{' '.join(moves)} {game['result']}\n"
