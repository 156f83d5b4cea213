"""A device written from PROTOCOL.md alone, by someone who had read nothing else, plays against the host."""

from __future__ import annotations

import ast
import sys
import threading
from pathlib import Path

import pytest

from firmware_bridge.emulator.actions import Button, Lift, PlyDone, Timed
from tests.deploy.fed_table import PATIENCE_S, FedTable
from tests.deploy.second import second_device
from tests.deploy.second.seen import fed
from tests.deploy.world_feed import NamedDevice
from tests.sensors.test_protocol_page import FRAMES, parts


def test_it_knows_nothing_of_ours() -> None:
    """What it uses is Python's own: whatever it knows of the link stands on the page."""
    tree = ast.parse(Path(second_device.__file__).read_text(encoding="utf-8"))
    used = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    used |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in used} <= sys.stdlib_module_names


@pytest.mark.parametrize("name", FRAMES)
def test_it_encodes_and_decodes_the_frames_of_the_page(name: str) -> None:
    """The first point of the page's checklist."""
    printed = parts(name)
    kind, seq = printed["type"][0], int.from_bytes(printed["seq"], "little")
    assert second_device.encode(kind, seq, printed["payload"]) == printed["wire"]
    assert second_device.decode(printed["wire"][:-1]) == (kind, seq, printed["payload"])


def test_a_real_game_is_read_through_it_without_a_difference(tmp_path: Path) -> None:
    """Sixty plies of the demo's record, over the terminal that it offers by a symlink."""
    with FedTable(tmp_path, fed, plies=60, plug=NamedDevice) as table:
        table.until_played()
        assert table.moves() == table.due
    assert not table.settings.device_path.is_symlink()


def test_a_press_made_while_the_board_is_killed_arrives_once(tmp_path: Path) -> None:
    """Killed with stones of the fifth ply in a hand; started again when that ply has been pressed."""
    pressed = threading.Event()
    with FedTable(tmp_path, fed, plies=8, plug=NamedDevice) as table:
        plies = 0

        def watch(timed: Timed) -> None:
            nonlocal plies
            dead = table.board.process.returncode is not None
            plies += isinstance(timed.action, PlyDone)
            if isinstance(timed.action, Lift) and plies == 4 and not dead:
                table.board.process.kill()
                table.board.process.wait()
            elif isinstance(timed.action, Button) and timed.action.down and dead:
                pressed.set()

        table.feed.watch = watch
        assert pressed.wait(PATIENCE_S), table.feed.failure
        assert len(table.moves()) <= 4
        table.start_board()
        table.until_played()
        assert table.moves() == table.due
        presses = [each["press"]["number"] for each in table.journal() if each["kind"] == "clock_pressed"]
        assert presses == sorted(set(presses))
        assert len(presses) == len(table.due)
