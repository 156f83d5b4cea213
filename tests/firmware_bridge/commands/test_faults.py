"""What an arbiter is told is broken, and what a refusal shows him."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from firmware_bridge.board.inputs import Note, Watch
from firmware_bridge.board.memory.telling import watch_part
from firmware_bridge.board.requests.answers import move_told
from firmware_bridge.board.session.notes import of_beams, of_setup, of_unread, of_verdict
from firmware_bridge.board.watching.reconciler import Ambiguous, Differs, InProgress, Unheard, Unsure
from firmware_bridge.cli import app
from firmware_bridge.language import Language
from firmware_bridge.layout import Seat, Seating, Wiring
from rules.errors import RulesError
from rules.notation.moves import parse_move
from rules.position import START, Position, play
from sensors.samples import CELL_TEXTS, Fault, FaultKind
from tests.firmware_bridge.commands.test_cli import GOOD, run
from tests.firmware_bridge.commands.test_control import STATE, answering, note


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration file."""
    path = tmp_path / "board.toml"
    path.write_text(GOOD, encoding="utf-8")
    return path


def status(
    config: Path, monkeypatch: pytest.MonkeyPatch, notes: Iterable[Note], language: str, seat: Seat = "a"
) -> str:
    """Return what an arbiter is told of a board that remarks this, after the way over the socket."""
    parts = watch_part(Watch("unreadable", tuple(notes)), (), Seating(Wiring(), seat))
    state = {**STATE, "watch": json.loads(parts.model_dump_json())}
    answering(monkeypatch, {"ok": True, "state": state})
    words = ["--language", language, "control", str(config), "status"]
    return CliRunner().invoke(app, words, env={"COLUMNS": "80", "TERM": "dumb"}).stdout


def test_a_broken_cell_is_named_whole_with_its_pit_and_its_channel(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wire cuts the board's words; what to do against it stands at their end, so it is said here."""
    notes = of_unread([(12, Fault(FaultKind.STUCK, 12, (-18510,)))])
    told = status(config, monkeypatch, notes, "en")
    assert (
        "  Qostaushy, pit 4 (channel 12): cannot be read: the converter gives -18510 again and again; "
        "power the device off and on; if it comes again, replace the converter\n"
    ) in told


@pytest.mark.parametrize("language", ["kk", "ru", "en"])
@pytest.mark.parametrize("kind", list(CELL_TEXTS))
def test_every_fault_of_a_cell_is_said_in_the_language(
    config: Path, monkeypatch: pytest.MonkeyPatch, kind: FaultKind, language: Language
) -> None:
    """With the channel of the place, every number in it, and none of the board's English words."""
    fault = Fault(kind, None, (0.25, 4711)[: CELL_TEXTS[kind].count("{")])
    told = status(config, monkeypatch, of_unread([(4, fault)]), language)
    place = {"kk": "Бастаушы, 5-отау (4-арна)", "ru": "Бастаушы, лунка 5 (канал 4)"}
    assert f"  {place.get(language, 'Bastaushy, pit 5 (channel 4)')}: " in told
    assert all(str(value) in told for value in fault.values)
    assert "{" not in told
    assert language == "en" or fault.detail not in told


SEVEN = play(START, 7)


@pytest.mark.parametrize(
    ("notes", "told"),
    [
        (of_setup((8, None, *(9,) * 16, 0, 0)), "Бастаушы, лунка 1: кумалаков 8, должно быть 9"),
        (of_verdict(Unsure((), ((19, 3, 4),))), "казан, Костаушы: кумалаков 3 или 4: пересчитайте"),
        (of_verdict(Differs((18,), None)), "казан, Бастаушы: не так, как после последнего хода"),
        (of_verdict(InProgress(3)), "не хватает кумалаков: 3"),
        (of_verdict(InProgress(-2)), "лишних кумалаков: 2"),
        (of_verdict(Ambiguous(((SEVEN,), (play(START, 8),)))), "разные ходы: 7:6 / 8:7"),
        (of_verdict(Unheard((SEVEN,))), "ближайший 7:6: введите сыгранное"),
        (of_beams([(0, "beam_blind")]), "Бастаушы, лунка 1: счётчик камней их больше не видит"),
    ],
)
def test_what_a_board_remarks_is_said_from_its_code_and_values(
    config: Path, monkeypatch: pytest.MonkeyPatch, notes: tuple[Note, ...], told: str
) -> None:
    """Nothing of it is taken out of the English words."""
    bare = [replace(note, detail="") for note in notes]
    assert told in status(config, monkeypatch, bare, "ru")


@pytest.mark.parametrize(
    ("notes", "told"),
    [
        (of_unread([(19, Fault(FaultKind.UNCALIBRATED, 18))]), "kazan of Qostaushy (channel 18): cannot"),
        ((Note("drift", 0, "bastaushy 1"),), "Bastaushy, pit 1 (channel 9): the zero has wandered"),
    ],
)
def test_the_channel_is_that_of_who_sits_there(
    config: Path, monkeypatch: pytest.MonkeyPatch, notes: tuple[Note, ...], told: str
) -> None:
    """As the board says who sits where."""
    assert f"  {told}" in status(config, monkeypatch, notes, "en", "b")


@pytest.mark.parametrize(
    ("remark", "told"),
    [
        (note("unreadable", None, "qostaushy kazan: not calibrated"), "qostaushy kazan: not calibrated"),
        (note("not_set_up", 6, "bastaushy 7: 8 stones, due 9"), "bastaushy 7: 8 stones, due 9"),
        (note("drift", 0, "bastaushy 1"), "Бастаушы, лунка 1: ноль сильно сместился"),
    ],
)
def test_an_older_board_that_gives_no_values_is_told_in_its_own_words(
    config: Path, monkeypatch: pytest.MonkeyPatch, remark: dict[str, Any], told: str
) -> None:
    """In the language where the place is all there is to say."""
    state = {**STATE, "watch": {"sensed": "unreadable", "notes": [remark]}}
    answering(monkeypatch, {"ok": True, "state": state})
    assert f"  {told}" in run("--language", "ru", "control", str(config), "status").output


def refused(moves: str, position: Position = START) -> dict[str, Any]:
    """Return what a board answers that cannot play this."""
    with pytest.raises(RulesError) as caught:
        parse_move(moves, position)
    answer = {"ok": False, "why": str(caught.value), "code": "illegal", "phase": "playing"}
    return {**answer, **json.loads(json.dumps(move_told(caught.value)))}


def test_a_move_that_cannot_be_entered_is_refused_with_the_board_drawn(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody reads eighteen numbers in a row; and why is said in the language."""
    answering(monkeypatch, refused("9-9"))
    told = run("--language", "en", "control", str(config), "enter", "--moves", "9-9").stderr
    assert "(position: " not in told
    assert told.startswith(
        "togyz: board-1: not possible in this game: pit 9 holds 9 and makes 9:8, the kazan then holds 10\n"
    )
    assert "Kazan: Bastaushy" in told
    assert "│   9  │" in told
    russian = run("--language", "ru", "control", str(config), "enter", "--moves", "9-9").stderr
    assert "cannot be played" not in russian
    assert "9:8" in russian


@pytest.mark.parametrize(
    ("moves", "why"), [("_:_", "“_:_”: it can be "), ("what", "“what”: it is a move in no notation")]
)
def test_a_move_that_cannot_be_read_is_told_too(
    config: Path, monkeypatch: pytest.MonkeyPatch, moves: str, why: str
) -> None:
    """With what it may have been; words without any move show no board."""
    answering(monkeypatch, refused(moves))
    told = run("--language", "en", "control", str(config), "enter", "--moves", moves).stderr
    assert why in told
    assert ("Kazan" in told) is (moves != "what")


def test_an_older_board_that_says_in_words_why_is_told_in_its_words(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And so is one whose answer holds a position that cannot be."""
    answer = refused("9-9")
    spoilt = {**answer["move"], "position": {**answer["move"]["position"], "kazans": [0, 200]}}
    for move in (None, spoilt, {"kind": "of_later"}, 5):
        answering(monkeypatch, {**answer, "move": move})
        told = run("--language", "en", "control", str(config), "enter", "--moves", "9-9").stderr
        assert f"not possible in this game: {answer['why']}" in " ".join(told.split())
