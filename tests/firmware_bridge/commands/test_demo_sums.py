"""The demo's own judgement: what the hands played against what the page shows; and what stops it."""

from __future__ import annotations

import contextlib
import signal
from typing import Any, cast

import pytest
import typer

from firmware_bridge.commands.demo import _stopped_politely, _sum_up
from firmware_bridge.commands.processes import Member
from firmware_bridge.emulator.records import Record
from rules.notation.moves import format_short
from rules.position import START, Sowing, play


class Hands:
    """Says how many plies were played."""

    def said(self, words: str) -> int:
        """Count them."""
        assert words == '"event": "ply"'
        return 4


def record() -> Record:
    """Return four plies of a game that is not over."""
    position, sowings = START, list[Sowing]()
    for number in (7, 9, 5, 3):
        sowings.append(play(position, number))
        position = sowings[-1].after
    return Record(("x", "y"), tuple(sowings), "test")


def shown(moves: list[str], pits: list[int]) -> dict[str, Any]:
    """Return what the page shows."""
    return {"moves": " ".join(moves), "position": {"pits": pits}, "watch": {"sensed": "differs"}}


MOVES = [format_short(sowing) for sowing in record().sowings]
PITS = list(record().sowings[-1].after.pits)


def judge(capsys: pytest.CaptureFixture[str], state: dict[str, Any]) -> tuple[int, str, str]:
    """Return the exit code, the summary's line for programs and the complaint."""
    code = 0
    try:
        _sum_up(record(), cast("Member", Hands()), state)
    except typer.Exit as left:
        code = left.exit_code
    told = capsys.readouterr()
    return code, told.out.splitlines()[-1], told.err.replace("\n", " ")


def test_what_arrives_whole_differs_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0, no complaint."""
    assert judge(capsys, shown(MOVES, PITS)) == (0, "moves played 4, moves read 4, differences 0", "")


def test_a_move_read_otherwise_is_told_with_its_number(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, both readings, and what the board itself has to say."""
    code, summary, complaint = judge(capsys, shown([*MOVES[:2], "1:1", MOVES[3]], PITS))
    assert code == 1
    assert summary == "moves played 4, moves read 4, differences 1"
    assert f"ply 3: played {MOVES[2]}, read 1:1;" in complaint
    assert 'the board says: {"sensed": "differs"}' in complaint


def test_moves_that_never_arrived_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """Even when every one that did is right."""
    code, summary, complaint = judge(capsys, shown(MOVES[:3], PITS))
    assert code == 1
    assert summary == "moves played 4, moves read 3, differences 1"
    assert "plies in the record: 4, on the page: 3" in complaint


def test_a_page_that_shows_nothing_differs(capsys: pytest.CaptureFixture[str]) -> None:
    """No state at all is no success."""
    code, summary, _ = judge(capsys, {})
    assert (code, summary) == (1, "moves played 4, moves read 0, differences 1")


def test_the_final_stones_are_compared_too(capsys: pytest.CaptureFixture[str]) -> None:
    """Right moves on a wrong board are told with both rows of numbers."""
    code, _, complaint = judge(capsys, shown(MOVES, [0] * 18))
    assert code == 1
    assert f"final pits {[0] * 18}, due {PITS}" in complaint


@pytest.mark.parametrize(
    ("language", "moves", "sentence"),
    [
        ("kk", MOVES, "Беттегі жүрістер жасалған жүрістермен толық сәйкес келді."),
        ("ru", MOVES[:3], "Сыгранное и прочитанное расходятся в 1 месте."),
    ],
)
def test_the_line_for_programs_is_the_same_in_every_language(
    language: str,
    moves: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The sentence before it is the person's."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", language)
    differences = len(MOVES) - len(moves)
    with contextlib.suppress(typer.Exit):
        _sum_up(record(), cast("Member", Hands()), shown(moves, PITS))
    assert capsys.readouterr().out.split("\n")[1:] == [
        sentence,
        f"moves played 4, moves read {len(moves)}, differences {differences}",
        "",
    ]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_whatever_asks_it_to_stop_ends_it_as_ctrl_c_does(
    capsys: pytest.CaptureFixture[str], number: signal.Signals
) -> None:
    """Exit code 130, a word of goodbye, and whoever heard the signal before hears it again."""
    # These tests may themselves run under nohup, which the demo would rightly inherit.
    former = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    before = signal.getsignal(number)
    try:
        with pytest.raises(typer.Exit) as left, _stopped_politely():
            signal.raise_signal(number)
        assert signal.getsignal(number) is before
    finally:
        signal.signal(signal.SIGHUP, former)
    assert left.value.exit_code == 130
    assert capsys.readouterr().out.strip() != ""
