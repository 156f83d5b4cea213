"""What an arbiter is told is broken, and what a refusal shows him."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from firmware_bridge.cli import app
from firmware_bridge.wire.parts import NotePart
from rules.errors import IllegalMoveError
from rules.notation.moves import parse_short
from rules.position import START
from sensors.calibration import status_fault
from sensors.plausible import _stuck
from sensors.samples import ChannelStatus
from tests.firmware_bridge.commands.test_cli import GOOD, run
from tests.firmware_bridge.commands.test_control import STATE, answering, note


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration file."""
    path = tmp_path / "board.toml"
    path.write_text(GOOD, encoding="utf-8")
    return path


def test_a_broken_cell_is_named_whole_with_its_pit_and_its_channel(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wire cuts the board's words; what to do against it stands at their end, so it is said here."""
    words = _stuck(12, -18510).detail
    cut = NotePart(code="unreadable", pit=12, detail=f"qostaushy 4: {words}").detail
    assert not cut.endswith("replace the converter")
    watch = {"sensed": "unreadable", "notes": [note("unreadable", 12, cut)]}
    answering(monkeypatch, {"ok": True, "state": {**STATE, "watch": watch}})
    told = CliRunner().invoke(
        app, ["--language", "en", "control", str(config), "status"], env={"COLUMNS": "80", "TERM": "dumb"}
    )
    assert (
        "  Qostaushy, pit 4 (channel 12): cannot be read: the converter gives -18510 again and again; "
        "power the device off and on; if it comes again, replace the converter\n"
    ) in told.stdout


@pytest.mark.parametrize("status", [each for each in ChannelStatus if each is not ChannelStatus.OK])
def test_every_fault_of_a_cell_is_said_in_the_language(
    config: Path, monkeypatch: pytest.MonkeyPatch, status: ChannelStatus
) -> None:
    """With the channel that the board names, and none of its English words."""
    words = status_fault(status, 4).detail
    watch = {"sensed": "unreadable", "notes": [note("unreadable", 4, f"bastaushy 5: {words}")]}
    answering(monkeypatch, {"ok": True, "state": {**STATE, "watch": watch}})
    told = run("--language", "ru", "control", str(config), "status").output
    assert "  Бастаушы, лунка 5 (канал 4): не читается: " in told
    assert words.removeprefix("channel 4: ") not in told


@pytest.mark.parametrize(
    ("remark", "told"),
    [
        (
            note("unreadable", None, "qostaushy kazan: not calibrated"),
            "kazan of Qostaushy (channel 18): cannot",
        ),
        (note("drift", 0, "bastaushy 1"), "Bastaushy, pit 1 (channel 9): the zero has wandered"),
        (note("beam_blind", 0, "bastaushy 1"), "Bastaushy, pit 1: its count sensor"),
        (note("unreadable", None, "nobody: knows"), "nobody: cannot be read: knows"),
    ],
)
def test_the_channel_is_that_of_who_sits_there(
    config: Path, monkeypatch: pytest.MonkeyPatch, remark: dict[str, Any], told: str
) -> None:
    """As the board says who sits where; a place without a sensor of the kind has no channel."""
    state = {**STATE, "starter_seat": "b", "watch": {"sensed": "unreadable", "notes": [remark]}}
    answering(monkeypatch, {"ok": True, "state": state})
    assert f"  {told}" in run("--language", "en", "control", str(config), "status").output


def test_a_move_that_cannot_be_entered_is_refused_with_the_board_drawn(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody reads eighteen numbers in a row."""
    with pytest.raises(IllegalMoveError) as caught:
        parse_short("9-9", START)
    why = str(caught.value)
    answer = {"ok": False, "why": why, "code": "illegal", "phase": "playing"}
    answering(monkeypatch, answer)
    told = run("--language", "en", "control", str(config), "enter", "--moves", "9-9").stderr
    assert "(position: " not in told
    assert told.startswith("togyz: board-1: not possible in this game: ")
    assert "Kazan: Bastaushy" in told
    assert "│   9  │" in told
    answering(monkeypatch, {**answer, "why": why.replace("kazans 0:0", "kazans 0:200")})
    told = run("--language", "en", "control", str(config), "enter", "--moves", "9-9").stderr
    assert "kazans 0:200" in told
