"""Whoever gets no answer of a board is told why, in the language."""

from __future__ import annotations

import getpass
import socket
import threading
from functools import partial
from pathlib import Path

import pytest
import typer

from firmware_bridge.board.control import LateAnswerError, ask
from firmware_bridge.commands import asking
from firmware_bridge.commands.asking import answer_of, answer_or_late
from tests.firmware_bridge.strangers import as_a_stranger

WHY = {
    "en": (
        "only the user {owner}, who runs the board, may open it",
        "no board answers there (Connection refused)",
    ),
    "kk": ("оны тек тақтаны іске қосқан {owner} пайдаланушысы аша алады", "тыңдап тұрған жоқ"),
    "ru": ("открыть это может только пользователь {owner}", "доска не отвечает (там никто не слушает)"),
}


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A socket on which nobody listens any more."""
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
    return path


@pytest.mark.parametrize("language", WHY)
def test_a_socket_of_another_user_is_told_with_whose_it_is(
    closed: Path, language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not that no board answers: nobody knows whether one runs."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", language)
    closed.chmod(0)
    with as_a_stranger(), pytest.raises(typer.Exit) as caught:
        answer_of(closed, {"do": "status"})
    assert caught.value.exit_code == 2
    assert WHY[language][0].format(owner=getpass.getuser()) in capsys.readouterr().err


@pytest.mark.parametrize("language", WHY)
def test_a_board_that_is_gone_is_told_with_the_reason(
    closed: Path, language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The system's reason in the same language."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", language)
    with pytest.raises(typer.Exit):
        answer_of(closed, {"do": "status"})
    assert WHY[language][1] in capsys.readouterr().err


LATE = {
    "en": "may still do",
    "kk": "әлі орындауы мүмкін",
    "ru": "ещё может",
}


@pytest.mark.parametrize("language", LATE)
def test_a_board_that_is_late_may_still_do_it(
    tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """So nobody is told that none answers; and whoever can wait is handed the lateness."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", language)
    monkeypatch.setattr(asking, "ask", partial(ask, timeout_s=0.05))
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        with pytest.raises(LateAnswerError):
            answer_or_late(path, {"do": "status"})
        with pytest.raises(typer.Exit) as caught:
            answer_of(path, {"do": "status"})
    assert caught.value.exit_code == 2
    assert LATE[language] in capsys.readouterr().err


HUNG_UP = {"en": "the connection was closed", "kk": "байланыс үзілді", "ru": "соединение прервано"}


@pytest.mark.parametrize("language", HUNG_UP)
def test_a_board_that_ends_instead_of_answering_is_told_so(
    tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not with an empty reason, nor in a parser's words."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", language)
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def hang_up() -> None:
            talk, _ = listener.accept()
            talk.makefile("rb").readline()
            talk.close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        with pytest.raises(typer.Exit):
            answer_of(path, {"do": "status"})
        thread.join()
    assert f"({HUNG_UP[language]})" in " ".join(capsys.readouterr().err.split())
