"""What the subcommands share: the log keeps quiet about what it has said."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import typer

from firmware_bridge.commands.common import Seldom, config_of, console, fail, log_to_stderr, speech


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
