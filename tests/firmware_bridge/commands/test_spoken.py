"""The command line in three languages: help, complaints, and which language is spoken."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from firmware_bridge import language as languages
from firmware_bridge.cli import app, main
from firmware_bridge.commands.common import later, speech
from firmware_bridge.commands.spoken import (
    SpokenCommand,
    SpokenGroup,
    complaint_in_words,
    language_asked,
)
from firmware_bridge.language import LANGUAGES, Language, texts
from tests.firmware_bridge.commands.test_cli import GOOD

COMMANDS = ("demo", "board", "hall", "emulate", "control", "broker", "contract", "perft")


def run(language: str, *words: str) -> Result:
    """Run `togyz` where the environment asks for a language, wide enough that no message is wrapped."""
    environ = {"COLUMNS": "250", "TERM": "dumb", "TOGYZ_LANGUAGE": language}
    return CliRunner().invoke(app, list(words), env=environ)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_in_the_language_and_shows_no_key(language: Language, command: str) -> None:
    """Every text of it, Typer's own words too; only what is typed stays as it is."""
    told = run(language, *command.split(), "--help")
    assert told.exit_code == 0
    assert texts(language).text("usage.usage") in told.output
    shown = set(re.findall(r"\b[a-z]+\.[a-z0-9_.]+\b", told.output))
    assert shown & set(texts("en").entries) == set()
    if language != "en":
        for word in (
            "Usage",
            "Options",
            "Arguments",
            "Commands",
            "default",
            "required",
            "Show this",
            "shell",
        ):
            assert word not in told.output


def test_a_subcommand_is_listed_in_the_language() -> None:
    """With the first paragraph of its help."""
    assert re.search("demo +Разыгрывает настоящую партию", run("ru").output)


@pytest.mark.parametrize(
    ("words", "kk", "en"),
    [
        (["nope"], "'nope' деген команда жоқ.", "No such command 'nope'."),
        (["bourd"], "Мүмкін, 'board'?", "Did you mean 'board'?"),
        (["board"], "'CONFIG' аргументі көрсетілмеген.", "Missing argument 'CONFIG'."),
        (["control", "x"], "Мыналардың бірін таңдаңыз: status, start, suspend", "Choose from: status, start"),
        (
            ["control", "x", "y"],
            "'word' мәні жарамсыз: 'y' мыналардың ешқайсысы емес: 'status'",
            "'y' is not one of",
        ),
        (["perft", "x"], "бүтін сан керек.", "a whole number is needed."),
        (["perft", "0"], "1 санынан кем болмауы керек.", "at least 1 is needed."),
        (["perft", "99"], "10 санынан аспауы керек.", "at most 10 is possible."),
        (["demo", "--fats"], "(Мүмкін параметрлер: --fast)", "(Possible options: --fast)"),
        (["demo", "--wibble"], "Мұндай параметр жоқ: --wibble", "No such option: --wibble"),
        (["demo", "a", "b"], "Артық аргумент бар (a b)", "Got unexpected extra argument(s) (a b)"),
        (["demo", "--port"], "'--port' параметріне мән керек.", "Option '--port' requires an argument."),
        (
            ["demo", "--once=3"],
            "'--once' параметріне мән берілмейді.",
            "Option '--once' does not take a value.",
        ),
        (["--language", "de", "perft"], "'--language' мәні жарамсыз: 'de'", "Invalid value for '--language'"),
    ],
)
def test_what_is_typed_wrongly_is_told_in_the_language(words: list[str], kk: str, en: str) -> None:
    """Exit code 2, and nothing of Typer's own left."""
    for language, told in (("kk", kk), ("en", en)):
        result = run(language, *words)
        assert result.exit_code == 2
        assert told in result.output
    shown = run("kk", *words).output
    assert not re.search(r"Value error|Input should|Usage|Error|Missing|OPTIONS|ARGS", shown)


def test_a_complaint_that_is_not_known_stays_as_it_is() -> None:
    """A later Typer may say what we have no words for."""
    assert complaint_in_words("The moon is full.") == "The moon is full."
    speech.option = "ru"
    assert complaint_in_words("Invalid value for 'x': The moon is full.").endswith(
        "для 'x': The moon is full."
    )


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ([], None),
        (["--language", "ru", "demo"], "ru"),
        (["--language=en", "demo"], "en"),
        (["--version", "--language", "en"], "en"),
        (["demo", "--language", "ru"], None),
        (["--language"], None),
    ],
)
def test_the_language_is_looked_for_before_the_subcommand(words: list[str], asked: str | None) -> None:
    """Even where Typer would show help first."""
    assert language_asked(words) == asked


def test_an_option_goes_before_the_environment() -> None:
    """For help and for results."""
    assert "Использование:" in run("kk", "--language", "ru", "demo", "--help").output
    assert "цепочки" in run("kk", "--language=ru", "perft", "1").output
    assert "тізбектер" in run("kk", "perft", "1").output


def test_a_system_that_names_no_language_is_answered_in_kazakh() -> None:
    """The language of the game."""
    environ = {"COLUMNS": "200", "TERM": "dumb", "TOGYZ_LANGUAGE": "", "LC_ALL": "C.UTF-8"}
    assert "Қолданылуы:" in CliRunner().invoke(app, ["--help"], env=environ).output


def test_groups_below_the_first_speak_too() -> None:
    """A command of a group of commands, and what is typed wrongly there."""
    outer = typer.Typer(cls=SpokenGroup, help=later("cli.help"), no_args_is_help=True)
    inner = typer.Typer(cls=SpokenGroup, help=later("cli.demo.help"), no_args_is_help=True)
    outer.add_typer(inner, name="inner")
    outer.callback()(lambda: None)

    @inner.command("show", cls=SpokenCommand, help=later("cli.perft.help"))
    def _show(depth: int = 1) -> None:
        """Do nothing."""

    inner.callback()(lambda: None)
    environ = {"COLUMNS": "200", "TERM": "dumb", "TOGYZ_LANGUAGE": "ru"}
    told = CliRunner().invoke(outer, ["inner", "show", "--help"], env=environ).output
    assert "Считает последовательности ходов" in told
    assert "Считает последовательности ходов" in CliRunner().invoke(outer, ["inner"], env=environ).output
    told = CliRunner().invoke(outer, ["inner", "show", "--depth", "x"], env=environ).output
    assert "Недопустимое значение для '--depth': нужно целое число." in told


def test_a_damaged_catalogue_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No traceback: the file is named."""

    def damaged(_language: Language) -> languages.Texts:
        raise languages.CatalogueError("locale/kk/togyz.po, line 3: bad")

    monkeypatch.setattr("firmware_bridge.commands.common.texts", damaged)
    monkeypatch.setattr("sys.argv", ["togyz", "--help"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 1
    assert capsys.readouterr().err == "togyz: locale/kk/togyz.po, line 3: bad\n"


def test_a_refusal_of_ours_is_in_the_language(tmp_path: Path) -> None:
    """With what a person types left as it is."""
    config = tmp_path / "board.toml"
    config.write_text(GOOD + '[broker]\nhost = "192.0.2.1"\n', encoding="utf-8")
    told = run("ru", "broker", str(config))
    assert told.exit_code == 2
    assert "в `broker.host` уже указан брокер (192.0.2.1); новый не запущен" in told.output
