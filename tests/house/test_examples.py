"""The shipped example clients follow a real game live and end with the record the journal holds.

They know nothing but what the documents say: they are started as a stranger would start them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.resources import files
from pathlib import Path

import pytest

from rules.events_json import EVENT_KINDS, event_from_json
from rules.record.json_form import format_record_json
from rules.record.of_game import record_of
from tests.firmware_bridge.contract.shapes import answer_schema, fault, schema_of
from tests.firmware_bridge.display.browser import Browser, open_browser
from tests.house.rig import Rig, rig
from tests.house.test_games import moves_of, shortest_game

EXAMPLES = files("firmware_bridge") / "contract" / "examples"
LONGEST = 40
"""Lines of an example: a stranger reads it in a minute."""

GAME = moves_of(shortest_game("captured-qostaushy"))
"""A short game that ends on the board, by a sweep."""


@contextmanager
def following(folder: Path, name: str, *command: str) -> Iterator[Path]:
    """Run an example in a stranger's folder; yield the file it prints into."""
    printed, told = folder / f"{name}.printed.txt", folder / f"{name}.errors.txt"
    with printed.open("wb") as out, told.open("wb") as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors, cwd=folder)
        try:
            yield printed
            assert process.wait(60) == 0, told.read_text(encoding="utf-8")
        finally:
            process.kill()
            process.wait()


def example(folder: Path, name: str) -> str:
    """Copy an example to where a stranger has it; return its path."""
    path = folder / name
    path.write_text((EXAMPLES / name).read_text("utf-8"), encoding="utf-8")
    return str(path)


def record_due(table: Rig) -> str:
    """Return the record of the game as the journal on disk has it, as JSON."""
    events = [line["event"] for line in table.journal() if line["event"]["kind"] in EVENT_KINDS]
    return format_record_json(record_of(map(event_from_json, events)))


def check_printed(table: Rig, lines: list[str]) -> None:
    """The moves as they came, each once, then the record."""
    due = [f"{ply} {move}" for ply, move in enumerate(table.moves_due, start=1)]
    assert lines[:-1] == due
    assert lines[-1] == record_due(table)
    assert fault(schema_of("game_record"), json.loads(lines[-1])) == ""


@pytest.mark.parametrize("name", ["follow.py", "follow.mjs"])
def test_an_example_is_short(name: str) -> None:
    """Forty lines at most."""
    assert len((EXAMPLES / name).read_text("utf-8").splitlines()) <= LONGEST


NONSENSE = (
    b"\xff", b"{", b"[]", b"null", b"7", b"[" * 60_000, b"1" * 60_000, b'{"kind": "state"}',
    b'{"kind": "record"}',
    b'{"kind": "state", "boot": {}}', b'{"kind": "state", "boot": 9, "moves": 7, "moves_from": 1}',
    b'{"kind": "record", "sha256": "0", "part": 1, "text": "\\ud800"}',
    b'{"kind": "record", "sha256": "1", "part": [], "text": ""}',
    b'{"kind": "record", "sha256": "2", "part": 1, "text": 7}',
)  # fmt: skip


def check_hall(table: Rig) -> None:
    """What the hall serves is the same record, and every answer is as described."""
    for path, name in (
        ("/api/boards", "BoardList"),
        ("/api/boards/board-1", "Snapshot"),
        ("/api/boards/board-1/records", "RecordList"),
        ("/api/boards/board-1/record", "GameRecordView"),
    ):
        assert fault(answer_schema(name), table.get(path)) == "", path
    url = f"{table.url}/api/boards/board-1/record"
    with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 - our own hall
        assert answer.read().decode() == record_due(table)


@pytest.fixture
def browser() -> Iterator[Browser]:
    """A window."""
    with open_browser() as window:
        yield window


NODE = shutil.which("node")


def test_the_clients_follow_a_game_and_end_with_its_record(tmp_path: Path) -> None:
    """All at one game: over MQTT in Python, from before the first move; over HTTP in node, if any."""
    with rig(tmp_path, GAME, speed=40) as table, ExitStack() as stack:
        host, port = table.broker.rsplit(":", 1)
        commands = {"python": [sys.executable, example(tmp_path, "follow.py"), host, port, "test", "board-1"]}
        if NODE is not None:
            commands["node"] = [NODE, example(tmp_path, "follow.mjs"), table.url, "board-1"]
        printed = {
            name: stack.enter_context(following(tmp_path, name, *command))
            for name, command in commands.items()
        }
        table.until_plies(len(table.moves_due), 150)
        table.until("the record", lambda: table.get("/api/boards/board-1/record") is not None)
        stack.close()
        for lines in printed.values():
            check_printed(table, lines.read_text(encoding="utf-8").splitlines())
        table.until("a record at the spy", lambda: table.spy.count("record") >= 1)
        check_hall(table)


@pytest.mark.browser
def test_the_clients_follow_a_game_whatever_else_is_said(tmp_path: Path, browser: Browser) -> None:
    """Who may write to the broker may write anything: in Python it is skipped, in a page it never arrives.

    The page follows over the hall's WebSocket; the hall serves the example itself.
    """
    with rig(tmp_path, GAME, speed=40) as table:
        browser.open(f"{table.url}/boards")
        browser.js(
            "window.printed = []; window.record = null;"
            "import('/contract/follow.mjs').then(({ follow }) =>"
            "  follow(location.origin, 'board-1', (line) => printed.push(line)))"
            "  .then((record) => { window.record = record; }, (error) => printed.push(String(error)));"
        )
        host, port = table.broker.rsplit(":", 1)
        script = example(tmp_path, "follow.py")
        with following(tmp_path, "python", sys.executable, script, host, port, "test", "board-1") as printed:
            table.until("the first move", lambda: printed.read_bytes() != b"")
            for nonsense in NONSENSE:
                for leaf in ("state", "record/x/1"):
                    table.spy.shout(f"tk/1/test/board/board-1/{leaf}", nonsense)
            table.until_plies(len(table.moves_due), 150)
        check_printed(table, printed.read_text(encoding="utf-8").splitlines())
        browser.until("window.record !== null", "the record in the page")
        check_printed(table, browser.js("return printed"))
        assert browser.js("return record.plies.length") == len(table.moves_due)
        # the spy has heard itself
        table.spy.heard[:] = [each for each in table.spy.heard if each[1] not in NONSENSE]
