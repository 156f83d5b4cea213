"""What the rulebook proposes, as an arbiter reads it in a terminal."""

from pathlib import Path
from typing import Any

import pytest

from tests.firmware_bridge.commands.test_cli import run
from tests.firmware_bridge.commands.test_control import answering, config, state_of_clock

__all__ = ["config"]

SIDED = {"about": "flag", "side": "qostaushy", "articles": ["000"]}


@pytest.mark.parametrize(
    ("advice", "line"),
    [
        (
            {**SIDED, "code": "flag_draws", "score": "1/2-1/2", "warns": ["qostaushy"]},
            "  Qostaushy: a draw by the flag; 1/2-1/2; a warning to Qostaushy (000)",
        ),
        (
            {**SIDED, "code": "flag_loses", "instead": True, "articles": []},
            "    or: Qostaushy: lost by the flag",
        ),
        (
            {
                "about": "flag",
                "code": "both_flags_add_time",
                "articles": ["2.7.14"],
                "adds_ms": [300000, -60000],
            },
            "  both flags are down: five minutes for each; +5m for Bastaushy; -1m for Qostaushy (2.7.14)",
        ),
        (
            {"about": "quota", "code": "quota_missed", "articles": ["2.7.13"], "due": 30, "clock": "stop"},
            "  the moves of the period were not made; 0 of 30 moves; the clocks stand (2.7.13)",
        ),
        (
            {
                **SIDED,
                "about": "infraction",
                "code": "sowing_corrected",
                "infraction": 2,
                "clock": "run",
                "runs": "qostaushy",
            },
            "  infraction 2: Qostaushy: put the sowing right with the same pit; Qostaushy's clock runs (000)",
        ),
        (
            {**SIDED, "code": "sealed_move_bad", "decider": "panel"},
            "  Qostaushy: the sealed move cannot be played; the chief panel decides (000)",
        ),
        (
            {**SIDED, "code": "stop_groundless", "decider": "arbiter_with_chief"},
            "  Qostaushy: the call had no reason; the chief arbiter is asked (000)",
        ),
        ({**SIDED, "code": "of_a_later_version"}, "  Qostaushy: of_a_later_version (000)"),
    ],
)
def test_the_status_says_what_the_rulebook_proposes(
    config: Path, monkeypatch: pytest.MonkeyPatch, advice: dict[str, Any], line: str
) -> None:
    """As the board tells it, in the language; what a newer board proposes by its code."""
    answering(monkeypatch, {"ok": True, "state": state_of_clock() | {"advice": [advice]}})
    assert f"{line}\n" in run("control", str(config), "status").output


def test_what_a_board_proposes_to_whoever_asked_is_shown(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both too late: the refusal, and what to end the game with (2.6.3)."""
    advice = {"about": "late", "code": "both_late", "articles": ["2.6.3", "2.7.6"], "score": "0-0"}
    asked = answering(monkeypatch, {"ok": False, "code": "forfeit", "advice": [advice]})
    told = run("control", str(config), "adjust", "--side", "both", "--late", "31m")
    assert asked[0][1] == {"do": "adjust", "side": "both", "late": "31m", "reason": "2.7.6"}
    assert "both are more than thirty minutes late; 0-0 (2.6.3, 2.7.6)" in told.stderr
    charged = {"about": "late", "code": "late_charged", "articles": ["2.7.6"], "side": "qostaushy"}
    answering(monkeypatch, {"ok": True, "advice": [charged]})
    told = run("control", str(config), "adjust", "--side", "qostaushy", "--late", "5m")
    assert "  Qostaushy: the lateness is taken off the dial (2.7.6)\n" in told.output
