"""What the README shows to be copied can be used as it stands there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from firmware_bridge.config import load_config
from sensors.calibration import parse_calibration
from tests.firmware_bridge.commands.record.games import PRINTED_2009, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("which", [0, 1])
def test_the_board_files_are_read_and_stay_on_this_machine(tmp_path: Path, which: int) -> None:
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


def test_the_calibration_says_that_entries_are_missing_and_is_read_with_them() -> None:
    """Twenty entries, one shown."""
    (shown,) = re.findall(r"```\n(\{\n  \"format\".*?)```", README, re.DOTALL)
    assert "... 19 more" in shown
    entry = re.search(r"(\{\"zero_raw\".*?\}),", shown)
    assert entry is not None
    text = shown.replace("... 19 more", ",".join([entry[1]] * 19))
    assert len(parse_calibration(json.dumps(json.loads(text)), "README").channels) == 20


def test_the_sheet_with_holes_is_the_one_that_is_restored() -> None:
    """As it is laid out for the example."""
    assert PRINTED_2009 in README
