"""A board whose broker cannot be started: it referees all the same, and tells the world later."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.wire.rendezvous import find_broker
from tests.house.lone_board import LoneBoard


def test_the_board_works_before_there_is_a_broker_and_finds_one_later(tmp_path: Path) -> None:
    """What stands in a broker's way, here a folder in the place of its lock, stands not in the game's."""
    state = tmp_path / "state"
    (state / "broker.lock").mkdir(parents=True)
    with LoneBoard(tmp_path) as lone:
        lone.start_game()
        lone.until("the reason is told", lambda: "no broker yet" in lone.log())
        (state / "broker.lock").rmdir()

        def told() -> bool:
            lone.device.show((9,) * 18 + (0, 0), 0.2)
            return find_broker(state) is not None and "connected to broker" in lone.log()

        lone.until("the world is told", told)
        assert lone.log().count("no broker yet") == 1
        assert "Traceback" not in lone.log()


def test_a_torn_tail_of_the_journal_is_told(tmp_path: Path) -> None:
    """With the number of bytes and where they are kept."""
    (tmp_path / "state" / "broker.lock").mkdir(parents=True)
    with LoneBoard(tmp_path) as lone:
        lone.process.process.kill()
        lone.process.process.wait()
        journal = tmp_path / "state" / "board-1" / "journal.jsonl"
        with journal.open("ab") as file:
            file.write(b'{"dev')
        lone.restart()
        assert "5 bytes of a half-written record were cut off its end" in lone.log()
        assert "journal.torn" in lone.log()
