"""The contract of .importlinter bites: a house with one wrong import is found out."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.committed import ROOT

ROOMS = (
    "board",
    "board/counting",
    "board/session",
    "commands",
    "documents",
    "emulator",
    "hall",
    "table",
    "wire",
    "wire/deep",
    "attic",
)
MODULES = ("firmware_bridge/layout", "firmware_bridge/config", "firmware_bridge/cli")


def judge(folder: Path, imports: dict[str, str]) -> str:
    """Build a house with the given imports (file -> module) and return what the contract says of it."""
    for package in ("rules", "sensors", "firmware_bridge", *(f"firmware_bridge/{room}" for room in ROOMS)):
        (folder / package).mkdir(parents=True)
        (folder / package / "__init__.py").touch()
        (folder / package / "inner.py").touch()
    for module in MODULES:
        (folder / f"{module}.py").touch()
    (folder / "firmware_bridge/wire/payloads.py").touch()
    for file, module in imports.items():
        with (folder / file).open("a") as text:
            text.write(f"import {module}\n")
    shutil.copy(ROOT / ".importlinter", folder)
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(folder), "NO_COLOR": "1", "COLUMNS": "200"},
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout if done.returncode else "kept"


def test_the_allowed_ways_are_open(tmp_path: Path) -> None:
    """What the house allows is allowed."""
    allowed = {
        "firmware_bridge/layout.py": "rules.inner",
        "firmware_bridge/config.py": "firmware_bridge.layout",
        "firmware_bridge/board/inner.py": "firmware_bridge.wire.deep.inner",
        "firmware_bridge/board/session/inner.py": "firmware_bridge.board.counting.inner",
        "firmware_bridge/emulator/inner.py": "sensors.inner",
        "firmware_bridge/wire/deep/inner.py": "rules",
        "firmware_bridge/wire/mqtt.py": "paho.mqtt.client",
        "firmware_bridge/wire/amqtt_guard.py": "amqtt.broker",
        "firmware_bridge/hall/inner.py": "firmware_bridge.documents.inner",
        "firmware_bridge/table/inner.py": "firmware_bridge.wire.payloads",
        "firmware_bridge/commands/inner.py": "firmware_bridge.board.inner",
        "firmware_bridge/cli.py": "firmware_bridge.commands.inner",
        "sensors/serial_port.py": "serial",
        "sensors/gpio.py": "gpiozero",
    }
    assert judge(tmp_path, allowed) == "kept"


FORBIDDEN = {
    "firmware_bridge/board/counting/inner.py": (
        "firmware_bridge.board.session",
        "firmware_bridge.board.counting.inner -> firmware_bridge.board.session",
    ),
    "rules/inner.py": ("sensors.inner", "rules.inner -> sensors.inner"),
    "sensors/inner.py": ("rules.inner", "sensors.inner -> rules.inner"),
    "firmware_bridge/__init__.py": ("rules.inner", "firmware_bridge -> rules.inner"),
    "firmware_bridge/layout.py": ("sensors.inner", "firmware_bridge.layout -> sensors.inner"),
    "firmware_bridge/config.py": ("firmware_bridge.board", "firmware_bridge.config -> firmware_bridge.board"),
    "firmware_bridge/wire/inner.py": (
        "firmware_bridge.config",
        "firmware_bridge.wire.inner -> firmware_bridge.config",
    ),
    "firmware_bridge/wire/deep/inner.py": ("paho.mqtt", "firmware_bridge.wire.deep.inner -> paho"),
    "firmware_bridge/hall/inner.py": (
        "firmware_bridge.board.inner",
        "firmware_bridge.hall.inner -> firmware_bridge.board.inner",
    ),
    "firmware_bridge/table/inner.py": (
        "firmware_bridge.wire.deep",
        "firmware_bridge.table.inner -> firmware_bridge.wire.deep",
    ),
    "firmware_bridge/emulator/inner.py": (
        "firmware_bridge.wire.inner",
        "firmware_bridge.emulator.inner -> firmware_bridge.wire.inner",
    ),
    "firmware_bridge/board/inner.py": (
        "firmware_bridge.commands.inner",
        "firmware_bridge.board.inner -> firmware_bridge.commands.inner",
    ),
    "firmware_bridge/documents/inner.py": (
        "firmware_bridge.cli",
        "firmware_bridge.documents.inner -> firmware_bridge.cli",
    ),
    "firmware_bridge/attic/inner.py": ("rules", "firmware_bridge.attic.inner -> rules"),
    "firmware_bridge/board/deep.py": ("serial", "firmware_bridge.board.deep -> serial"),
    "firmware_bridge/commands/deep.py": ("amqtt", "firmware_bridge.commands.deep -> amqtt"),
    "sensors/deep.py": ("gpiozero", "sensors.deep -> gpiozero"),
}


@pytest.fixture(scope="module")
def verdict(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the contract says of a house with every kind of wrong import in it."""
    return judge(tmp_path_factory.mktemp("house"), {file: module for file, (module, _) in FORBIDDEN.items()})


@pytest.mark.parametrize("file", sorted(FORBIDDEN))
def test_a_wrong_import_is_found(file: str, verdict: str) -> None:
    """Importer and imported are named, and so is what to do."""
    lines = [line.lstrip("- ") for line in verdict.splitlines()]
    assert any(line.startswith(f"{FORBIDDEN[file][1]} (l.") for line in lines), verdict
    assert "Move the code to the room that owns it" in verdict
