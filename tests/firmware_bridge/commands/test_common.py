"""What the subcommands share: how errors are told, and a log that keeps quiet about what it has said."""

from __future__ import annotations

import errno
import logging
import socket
from pathlib import Path

import pytest
import typer

from firmware_bridge.commands.common import (
    Seldom,
    config_of,
    console,
    fail,
    log_to_stderr,
    reason_said,
    say,
    speech,
)
from firmware_bridge.mistakes import VALUE_WORDS, WORDS
from tests.firmware_bridge.commands.test_cli import GOOD


def _record(text: str) -> logging.LogRecord:
    return logging.LogRecord("asyncio", logging.ERROR, "f", 1, text, None, None)


def test_the_same_trouble_is_written_once_in_ten_seconds_and_counted() -> None:
    """A loop without a file to open fails many times a second."""
    now = [100.0]
    seldom = Seldom(now_s=lambda: now[0])
    assert seldom.filter(_record("out of files\nsocket 1"))
    assert [seldom.filter(_record(f"out of files\nsocket {n}")) for n in range(50)] == [False] * 50
    assert seldom.filter(_record("something else"))
    now[0] += 10
    again = _record("out of files\nsocket 2")
    assert seldom.filter(again)
    assert again.getMessage() == "out of files\nsocket 2\n(50 more like this were not written)"
    assert not seldom.filter(_record("out of files"))


def test_what_is_remembered_does_not_grow_for_ever() -> None:
    """Messages that differ each time are few kinds of memory."""
    seldom = Seldom(now_s=lambda: 0.0)
    assert all(seldom.filter(_record(str(n))) for n in range(1000))
    assert len(seldom._seen) <= 100


def test_the_log_is_not_a_list_of_viewers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What uvicorn says of each connection is left out, its errors are not; asyncio repeats itself seldom."""
    served, loop = logging.getLogger("uvicorn.error"), logging.getLogger("asyncio")
    monkeypatch.setattr(served, "level", logging.NOTSET)
    monkeypatch.setattr(loop, "level", logging.NOTSET)
    monkeypatch.setattr(loop, "filters", [])
    for _ in range(2):
        log_to_stderr()
    assert not served.isEnabledFor(logging.INFO)
    assert served.isEnabledFor(logging.ERROR)
    assert [type(each) for each in loop.filters] == [Seldom]
    logging.Logger.manager._clear_cache()  # type: ignore[attr-defined]  # else the levels outlive the patch


def test_no_word_becomes_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    """A path may hold `:x:`."""
    fail("kept/:x:/[b]a")
    console.print("a:smile:b")
    out, err = capsys.readouterr()
    assert err == "togyz: kept/:x:/[b]a\n"
    assert out == "a:smile:b\n"


def test_a_complaint_steers_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """It quotes names and words of strangers; its own line ends stay."""
    fail("a\x1b[31m\x9b\u202e\u2028\x07 [bold]b[/]\nc")
    assert capsys.readouterr().err == "togyz: a [31m     [bold]b[/]\nc\n"


def test_a_configuration_that_is_not_there_is_told_in_the_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the first thing that goes wrong, and what the system says of it is English."""
    monkeypatch.setattr(speech, "option", "ru")
    with pytest.raises(typer.Exit):
        config_of(tmp_path / "nope.toml")
    assert capsys.readouterr().err == f"togyz: {tmp_path}/nope.toml: такого файла нет\n"


@pytest.mark.parametrize(
    ("language", "change", "told"),
    [
        ("ru", ("port = ", "prt = "), "`device.prt`: такой настройки нет; может быть, `port`?"),
        ("kk", ("port = ", "prt = "), "`device.prt` деген баптау жоқ; `port` дегіңіз келді ме?"),
        ("kk", ('id = "board-1"', 'id = "Board 1"'), "`board.id` = 'Board 1': 32-ден аспайтын кіші латын"),
        (
            "ru",
            ("[device]", "[hall]\nport = 99999\n[device]"),
            "`hall.port` = 99999: возможно не больше 65535",
        ),
        ("ru", ("[device]", "[broker]\npassword = 'x'\n[device]"), "нужен `host` брокера, для которого они"),
        ("kk", ("[device]", "[device"), "дұрыс TOML емес: "),
    ],
)
def test_mistakes_in_a_configuration_are_told_in_the_language(
    tmp_path: Path,
    language: str,
    change: tuple[str, str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Misspelt names, values that cannot be meant, and what is no TOML at all."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", language)
    path = tmp_path / "board.toml"
    path.write_text(GOOD.replace(*change), encoding="utf-8")
    with pytest.raises(typer.Exit):
        config_of(path)
    said = capsys.readouterr().err
    assert f"{path}: " in said
    assert told in said


def test_every_rule_of_a_value_has_its_text_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    """In English each says what the error itself says."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", "en")
    for code, words in VALUE_WORDS.items():
        key = f"value.{code}"
        assert say(key) == words
    for code, words in WORDS.items():
        key = f"setting.{code}"
        assert say(key) == words


@pytest.mark.parametrize(("language", "why"), [("en", "Permission denied"), ("ru", "нет прав доступа")])
def test_what_the_system_says_is_told_in_the_language(
    language: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has no text of ours is told in the system's words."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", language)
    assert reason_said(PermissionError(13, "Permission denied")) == why
    assert reason_said(OSError(errno.EPROTO, "Protocol error")) == "Protocol error"
    assert reason_said(socket.gaierror(-2, "Name or service not known")) == "Name or service not known"
    assert reason_said(TimeoutError("timed out")) == reason_said(TimeoutError(errno.ETIMEDOUT, "x"))
