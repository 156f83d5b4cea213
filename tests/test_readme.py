"""What the README shows to be copied can be used as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge.config import load_config
from firmware_bridge.emulator.commands import Tell, parse_command
from firmware_bridge.emulator.told import Lay, Take, check_steps
from rules.position import START, board_of, play
from tests.firmware_bridge.commands.record.games import PRINTED_2009, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("which", [0, 1, 2])
def test_the_files_of_boards_and_hall_are_read_and_stay_on_this_machine(tmp_path: Path, which: int) -> None:
    """Nobody has a broker at an address of the documentation, or may write below /var."""
    text = [block for block in re.findall(r"```toml\n(.*?)```", README, re.DOTALL) if "[board]" in block][
        which
    ]
    path = tmp_path / "board.toml"
    path.write_text(text, encoding="utf-8")
    config = load_config(path)
    assert config.broker.host is None
    assert config.board.state_dir == tmp_path / "state"
    assert config.hall.host == "127.0.0.1"


def test_the_lines_of_hands_are_an_infraction_and_the_way_back() -> None:
    """Each is done before the next: the stones allow all of it, and lie right behind the last."""
    lines = re.findall(r"^hands [a-z].+$", README, re.MULTILINE)
    assert len(lines) == 3
    stones = [*board_of(START)]
    for line in lines:
        told = parse_command(line)
        assert isinstance(told, Tell)
        check_steps(told.steps, stones, [0] * 18, 0, 2)
        for step in told.steps:
            if isinstance(step, Take | Lay):
                stones[step.place] += step.stones if isinstance(step, Lay) else -step.stones
    assert tuple(stones) == board_of(play(START, 7).after)


def test_the_sheet_with_holes_is_the_one_that_is_restored() -> None:
    """As it is laid out for the example."""
    assert PRINTED_2009 in README
