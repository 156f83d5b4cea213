"""`togyz control`: what is asked of a board, and how its answer ends the program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from firmware_bridge.board.control import ControlError
from firmware_bridge.cli import app
from firmware_bridge.commands import asking
from tests.firmware_bridge.commands.test_cli import GOOD, run


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration file."""
    path = tmp_path / "board.toml"
    path.write_text(GOOD, encoding="utf-8")
    return path


def answering(
    monkeypatch: pytest.MonkeyPatch, answer: dict[str, Any] | ControlError
) -> list[tuple[Path, dict[str, Any]]]:
    """Let a board answer like this; return a list that fills with what it was asked, and where."""
    asked: list[tuple[Path, dict[str, Any]]] = []

    def ask(path: Path, request: dict[str, Any]) -> dict[str, Any]:
        asked.append((path, request))
        if isinstance(answer, ControlError):
            raise answer
        return answer

    monkeypatch.setattr(asking, "ask", ask)
    return asked


def test_what_is_obeyed_ends_with_0(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The board's own socket is asked, with the reason that was given."""
    asked = answering(monkeypatch, {"ok": True})
    told = run("control", str(config), "suspend", "--reason", "tea")
    assert (told.exit_code, told.output) == (0, "board-1: suspend done\n")
    socket = config.parent / "state" / "board-1" / "control.sock"
    assert asked == [(socket, {"do": "suspend", "reason": "tea"})]


def test_a_refusal_ends_with_1_and_says_why(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script can tell it from a board that is not there."""
    answering(monkeypatch, {"ok": False, "why": "put it right first"})
    told = run("control", str(config), "resume")
    assert told.exit_code == 1
    assert told.stdout == ""
    assert told.stderr == "togyz: board-1: put it right first\n"


def test_a_board_that_cannot_be_asked_ends_with_2(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is wrong with its socket is told in one line."""
    answering(monkeypatch, ControlError("no board answers there"))
    told = run("control", str(config), "status")
    assert told.exit_code == 2
    assert told.stderr == "togyz: no board answers there\n"


@pytest.mark.parametrize(
    ("words", "request_"),
    [
        (
            ("adjust", "--side", "bastaushy", "--seconds", "-60", "--reason", "2.4.8"),
            {"do": "adjust", "side": "bastaushy", "seconds": -60, "reason": "2.4.8"},
        ),
        (
            ("clock", "--bastaushy", "12m30s", "--control", "observed:1h"),
            {"do": "clock", "bastaushy": "12m30s", "control": "observed:1h", "reason": "arbiter"},
        ),
        (("clock", "--qostaushy", "0s"), {"do": "clock", "qostaushy": "0s", "reason": "arbiter"}),
        (
            ("clock", "--session-left", "80m"),
            {"do": "clock", "bastaushy": "40m", "qostaushy": "40m", "control": "40m", "reason": "2.7.11"},
        ),
        (
            ("clock", "--session-left", "20m", "--control", "blitz", "--reason", "found"),
            {"do": "clock", "bastaushy": "15m", "qostaushy": "15m", "control": "blitz", "reason": "found"},
        ),
        (
            ("adjust", "--side", "qostaushy", "--late", "12m"),
            {"do": "adjust", "side": "qostaushy", "late": "12m", "reason": "2.7.6"},
        ),
    ],
)
def test_the_arbiters_hand_on_the_clock_reaches_the_board(
    config: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], request_: dict[str, Any]
) -> None:
    """With what was given, and nothing else."""
    asked = answering(monkeypatch, {"ok": True})
    told = run("control", str(config), *words)
    assert (told.exit_code, told.output) == (0, f"board-1: {words[0]} done\n")
    assert [request for _, request in asked] == [request_]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("adjust",), "`adjust` needs whose time and how much: --side bastaushy --seconds 60"),
        (("adjust", "--side", "both"), "`adjust` needs whose time and how much"),
        (("adjust", "--seconds", "60"), "`adjust` needs whose time and how much"),
        (("adjust", "--side", "bastaushy", "--late", "5m", "--seconds", "5"), "`adjust` needs whose time"),
        (
            ("adjust", "--side", "bastaushy", "--late", "31m"),
            "Bastaushy: more than 30 minutes late loses (2.7.6); nothing was charged: end --score 0-1",
        ),
        (("adjust", "--side", "qostaushy", "--late", "1h"), "end --score 1-0 --reason forfeit"),
        (("clock", "--session-left", "80m", "--bastaushy", "5m"), "`clock` needs what it shows"),
        (
            ("clock",),
            "`clock` needs what it shows: --bastaushy 12m30s --qostaushy 9m, a --control, or --session-left",
        ),
    ],
)
def test_a_clock_is_not_touched_without_saying_how(
    config: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    """The board hears nothing of it."""
    asked = answering(monkeypatch, {"ok": True})
    told = run("control", str(config), *words)
    assert told.exit_code == 2
    assert message in told.stderr
    assert asked == []


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("adjust", "--side", "ann", "--seconds", "5"), "«ann»: для `adjust` нужно знать"),
        (("adjust", "--side", "both", "--seconds", "nan"), "«nan»: для `adjust` нужно знать"),
        (("adjust", "--side", "both", "--seconds", "-86401"), "«-86401.0»: для `adjust` нужно знать"),
        (("clock", "--bastaushy", "12:30"), "«12:30»: для `clock` нужны показания"),
        (("clock", "--qostaushy", "9m", "--control", "x[/]"), "«x[/]»: Для clock: другой контроль"),
        (("clock", "--session-left", "80"), "«80»: для `clock` нужны показания"),
        (("adjust", "--side", "bastaushy", "--late", "x"), "«x»: для `adjust` нужно знать"),
        (("end", "--score", "2-0"), "«2-0»: для `end` нужен результат"),
    ],
)
def test_a_value_no_board_understands_is_refused_in_the_language(
    config: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], wrong: str
) -> None:
    """What a board says of it is English; it hears nothing of it."""
    asked = answering(monkeypatch, {"ok": True})
    told = run("--language", "ru", "control", str(config), *words)
    assert told.exit_code == 2
    assert told.stderr.startswith(f"togyz: {wrong}")
    assert asked == []


def state_of_clock(**clock: Any) -> dict[str, Any]:
    """Return a state as a board answers it."""
    return {
        "board": "board-1",
        "phase": "playing",
        "pause": None,
        "watch": {"sensed": "matches", "notes": []},
        "result": None,
        "names": ["A", "B"],
        "position": {"pits": [9] * 18, "kazans": [70, 81], "tuzdyks": [None, None]},
        "moves": "",
        "ply": 0,
        "clock": {"running": None, "remaining_ms": [0, 0], "flagged": [False, False], **clock},
    }


@pytest.mark.parametrize(
    ("clock", "line"),
    [
        ({"control": "90m/30+30m", "moves_to_quota": [7, None]}, "clock 90m/30+30m · 7 moves to the quota"),
        ({"control": "observed:1h"}, "clock observed:1h"),
    ],
)
def test_the_status_says_what_there_is_to_say_of_the_clock(
    config: Path, monkeypatch: pytest.MonkeyPatch, clock: dict[str, Any], line: str
) -> None:
    """Its control and its quotas; what fallen flags give the board proposes."""
    answering(monkeypatch, {"ok": True, "state": state_of_clock(**clock)})
    assert f"  {line}\n" in run("control", str(config), "status").output


def test_the_status_of_a_game_without_a_clock_shows_none(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And fails at nothing."""
    answering(monkeypatch, {"ok": True, "state": {**state_of_clock(), "clock": None}})
    told = run("control", str(config), "status")
    assert told.exit_code == 0


@pytest.mark.parametrize(("word", "option"), [("end", "--score"), ("enter", "--moves")])
def test_a_word_that_lacks_what_it_needs_ends_with_2_and_asks_nothing(
    config: Path, monkeypatch: pytest.MonkeyPatch, word: str, option: str
) -> None:
    """The option is named; the board hears of it only when it is there."""
    asked = answering(monkeypatch, {"ok": True})
    told = run("control", str(config), word)
    assert told.exit_code == 2
    assert option in told.stderr
    assert asked == []
    assert run("control", str(config), word, option, "1-0").exit_code == 0
    assert asked[0][1] == {"do": word, "reason": "arbiter", option.removeprefix("--"): "1-0"}


STATE: dict[str, Any] = {
    "board": "board-1",
    "phase": "suspended",
    "pause": "device_restarted",
    "names": ["Айдос [x]", "Әсел"],
    "result": None,
    "position": {"pits": [9] * 18, "kazans": [3, 5], "tuzdyks": [2, None]},
    "clock": {"remaining_ms": [3_600_000, 59_999], "running": "qostaushy", "flagged": [False, False]},
    "moves": "7:6 9-8",
    "ply": 2,
    "watch": {"sensed": "differs", "notes": []},
}


def note(code: str, pit: int | None, detail: str, **more: Any) -> dict[str, Any]:
    """Return a remark of the watching board."""
    return {"code": code, "pit": pit, "detail": detail, **more}


@pytest.mark.parametrize(
    ("remark", "kk", "en"),
    [
        (
            note("not_set_up", 6, "bastaushy 7: 8 stones, due 9", values={"stones": 8, "due": 9}),
            "Бастаушы, 7-отау: 8 құмалақ тұр, 9 болуы керек",
            "Bastaushy, pit 7: stones 8, due 9",
        ),
        (
            note("board_differs", None, "qostaushy kazan", kazan="qostaushy"),
            "Қостаушы қазаны: соңғы жүрістен кейінгідей емес",
            "kazan of Qostaushy: not as after the last move",
        ),
        (
            note("unreadable", 9, "qostaushy 1: of a [later] kind", channel=9, why="of_later"),
            "qostaushy 1: of a [later] kind",
            "qostaushy 1: of a [later] kind",
        ),
        (
            note("stones_missing", None, "3 stones missing", values={"stones": 3}),
            "жетіспейтін құмалақ: 3",
            "stones missing: 3",
        ),
        (
            note("ambiguous", None, "7:6 or 8:6", values={"moves": "7:6 / 8:6"}),
            "түсіндіреді: 7:6 / 8:6",
            "explains the board: 7:6 / 8:6",
        ),
        (
            note("too_slow", None, "10 samples a second", values={"rate": 10}),
            "бұл құрылғы блицке тым баяу (секундына 10 өлшем)",
            "this device is too slow for blitz (10 samples a second)",
        ),
        (
            note("no_device", None, "pulled, or restarting"),
            "байланыс жоқ: pulled, or restarting",
            "no connection to the device: pulled, or restarting",
        ),
        (
            note("not_pressed", None, "7:6", values={"moves": "7:6"}),
            "сағат басылмады: 7:6",
            "clock not pressed: 7:6",
        ),
        (
            note("news", None, "from [bold]a later board"),
            "from [bold]a later board",
            "from [bold]a later board",
        ),
    ],
)
def test_what_is_wrong_is_said_by_its_code(
    config: Path, monkeypatch: pytest.MonkeyPatch, remark: dict[str, Any], kk: str, en: str
) -> None:
    """Place and numbers in the arbiter's language; a code of a later board in the board's words."""
    state = {**STATE, "watch": {"sensed": "differs", "notes": [remark]}}
    answering(monkeypatch, {"ok": True, "state": state})
    for language, told in (("kk", kk), ("en", en)):
        monkeypatch.setenv("TOGYZ_LANGUAGE", language)
        assert told in run("control", str(config), "status").output


@pytest.mark.parametrize(
    ("codes", "told"),
    [
        (("unreadable",), "the board is: one place cannot be read, the game goes on\n"),
        (("unreadable", "unreadable"), "the board is: cannot be read\n"),
        (("device_trouble",), "the board is: cannot be read\n"),
    ],
)
def test_one_dead_cell_is_no_dead_board(
    config: Path, monkeypatch: pytest.MonkeyPatch, codes: tuple[str, ...], told: str
) -> None:
    """With two, or without the device, it really stands still."""
    notes = [note(code, place, f"bastaushy {place + 1}: dead") for place, code in enumerate(codes)]
    monkeypatch.setenv("TOGYZ_LANGUAGE", "en")
    answering(
        monkeypatch, {"ok": True, "state": {**STATE, "watch": {"sensed": "unreadable", "notes": notes}}}
    )
    assert told in run("control", str(config), "status").output


def test_the_status_says_what_is_in_whose_hand(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lifted pit, stones still to be sown, and those on their way; an unseen pit is a question mark."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", "en")
    hands = [
        {"side": "bastaushy", "pit": 6, "stones": 4, "carried": 0},
        {"side": "qostaushy", "pit": None, "stones": 0, "carried": 10},
    ]
    state = {**STATE, "watch": {"sensed": "moving", "notes": [], "hands": hands}}
    answering(monkeypatch, {"ok": True, "state": state})
    told = run("control", str(config), "status").output
    assert "  Bastaushy: lifted pit 7, 4 in hand\n" in told
    assert "  Qostaushy: lifted pit ?, 0 in hand, 10 on the way to the kazan\n" in told


def test_a_status_is_told_in_the_language(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Phase, pause, both players with their clocks, the last moves; names stay what they are."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", "ru")
    answering(monkeypatch, {"ok": True, "state": STATE})
    told = run("control", str(config), "status").output
    assert told.startswith(
        "board-1  Партия приостановлена (Устройство доски перезапустилось), доска: не так, как должно быть\n"
    )
    assert "Бастаушы Айдос [x]" in told
    assert re.search(r"Костаушы Әсел .* 0:00:59 идут", told)
    assert told.endswith("2 полухода, последние: 7:6 9-8\n")
    answering(monkeypatch, {"ok": True, "state": {**STATE, "moves": "", "ply": 0, "clock": None}})
    assert run("control", str(config), "status").output.endswith("0 полуходов, последние: нет\n")


def test_a_result_is_told_with_its_reason(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A known code in words, an arbiter's words as they are."""
    for reason, told in (("flag", "Out of time"), ("left [the] hall", "left [the] hall")):
        state = {**STATE, "result": {"score": "1-0", "reason": reason}}
        answering(monkeypatch, {"ok": True, "state": state})
        assert f"  result 1-0  {told}\n" in run("control", str(config), "status").output


@pytest.mark.parametrize(
    ("code", "ru"),
    [
        ("phase", "сейчас нельзя: Партия окончена"),
        ("not_matching", "на доске не подтверждённая позиция: сначала исправьте"),
        ("illegal", "в этой партии невозможно: why not"),
        ("", "why not"),
        ("unheard_of", "why not"),
    ],
)
def test_a_refusal_is_told_by_its_code(
    config: Path, monkeypatch: pytest.MonkeyPatch, code: str, ru: str
) -> None:
    """With what the board finds wrong below it; one without a text of ours in the board's words."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", "ru")
    watch = {"sensed": "differs", "notes": [note("board_differs", 0, "bastaushy 1")]}
    answer = {"ok": False, "why": "why not", "code": code, "phase": "ended", "watch": watch}
    answering(monkeypatch, answer)
    told = run("control", str(config), "resume")
    assert told.exit_code == 1
    assert told.stderr == f"togyz: board-1: {ru}\n  Бастаушы, лунка 1: не так, как после последнего хода\n"


def test_a_narrow_terminal_folds_no_number_away(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that are too long are still numbers."""
    answering(monkeypatch, {"ok": True, "state": STATE})
    words = ["--language", "en", "control", str(config), "status"]
    told = CliRunner().invoke(app, words, env={"COLUMNS": "20", "TERM": "dumb"}).stdout
    assert "1:00:00" in told
    assert "0:00:59" in told
    assert told.count(" 9 ") == 17 + 1  # the ninth column is called so too
