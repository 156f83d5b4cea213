"""A whole game through the firmware: emulated hands and cells, real MicroPython, a real line and board."""

from pathlib import Path

import pytest

from tests.deploy.fed_table import FedTable
from tests.deploy.pico.firmware_process import fed

pytestmark = pytest.mark.micropython


def test_a_real_game_is_read_through_the_firmware_without_a_difference(tmp_path: Path) -> None:
    """All sixty plies of the demo's record."""
    with FedTable(tmp_path, fed, speed=40, pace="blitz") as table:
        table.until_played()
        assert table.moves() == table.due
        assert len(table.due) == 60, "the whole record"


@pytest.mark.bench
@pytest.mark.timeout(900)
def test_the_whole_game_at_full_rate(tmp_path: Path) -> None:
    """The same record at 80 samples a second, with players who take their time."""
    with FedTable(tmp_path, fed, speed=10, rate=80, pace="human", seed=2) as table:
        table.until_played(600)
        assert table.moves() == table.due
