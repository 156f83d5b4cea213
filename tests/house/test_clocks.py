"""Clocks of the regulations on an emulated board: real processes, a real serial line."""

from __future__ import annotations

from pathlib import Path

from rules.clock import remaining_us
from rules.game import event_from_json, fold
from rules.position import Side
from tests.house.rig import Rig, rig
from tests.house.test_outages import control, opening

OWN_KINDS = ("host_started", "press_taken", "time_mark")


def kinds(table: Rig) -> list[str]:
    """Return the kinds of everything in the journal."""
    return [line["event"]["kind"] for line in table.journal()]


def test_a_control_of_two_periods_with_a_delay_is_played_through(tmp_path: Path) -> None:
    """The quota adds its period, the arbiter his minute, and the page hears both."""
    with rig(tmp_path, opening(10), speed=20, control="1h~5s/3+30m") as table:
        table.until_plies(4)
        given = control(table, "adjust", "--side", "qostaushy", "--seconds", "-60", "--reason", "2.4.8")
        assert (given.returncode, given.stderr) == (0, "")
        refused = control(table, "adjust", "--side", "qostaushy", "--seconds", "-80000")
        assert refused.returncode == 1
        assert "no dial shows less than zero" in refused.stderr
        table.check_whole_game()
        clock = table.state()["clock"]
        assert (clock["control"], clock["period"], clock["base_ms"]) == ("1h~5s/3+30m", [2, 2], 3_600_000)
        assert "moves_to_quota" not in clock
        events = [line["event"] for line in table.journal()]
        game = fold(event_from_json(event) for event in events if event["kind"] not in OWN_KINDS)
        assert game.clock is not None
        assert game.clock.moves == (5, 5)
        last_us = game.clock.since_us or 0
        left_us = [remaining_us(game.clock, side, last_us) for side in Side]
        assert 5_400_000_000 - left_us[0] < 60_000_000, "hands that are quick use little beyond the delay"
        assert 5_340_000_000 - left_us[1] < 60_000_000
        assert kinds(table).count("clock_adjusted") == 1


def test_a_game_without_a_clock_is_confirmed_by_presses(tmp_path: Path) -> None:
    """The hands see whose turn it is; nothing is counted, and no flag falls."""
    with rig(tmp_path, opening(8), speed=20, control="none") as table:
        table.check_whole_game()
        assert table.state()["clock"] is None
        assert "flag_fell" not in kinds(table)
        set_down = control(
            table,
            "clock",
            "--bastaushy",
            "15m",
            "--qostaushy",
            "15m",
            "--control",
            "blitz",
            "--reason",
            "2.7.11",
        )
        assert set_down.returncode == 0
        table.until("the clock", lambda: table.state()["clock"] is not None)
        assert table.state()["clock"]["base_ms"] == 420_000
