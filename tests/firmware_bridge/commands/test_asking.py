"""Whoever gets no answer of a board is told why, in the language."""

from __future__ import annotations

import getpass
import socket
from pathlib import Path

import pytest
import typer

from firmware_bridge.commands.asking import answer_of
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
