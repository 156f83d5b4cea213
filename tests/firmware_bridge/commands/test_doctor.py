"""What `togyz doctor` prints, in three languages and for programs, and how it exits."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from firmware_bridge.cli import app
from firmware_bridge.commands.common import speech
from firmware_bridge.commands.doctor import finding_said
from firmware_bridge.doctor.findings import CODES, Finding, Kind
from firmware_bridge.language import LANGUAGES, Language, texts

CONFIG = """\
[board]
id = "b-1"
event = "cup"
state_dir = "state"
[device]
port = "p"
[calibration]
file = "c.json"
"""


def run(folder: Path, *words: str) -> Result:
    """Examine a board that has neither device nor anything else."""
    path = folder / "board.toml"
    path.write_text(CONFIG, encoding="utf-8")
    return CliRunner().invoke(app, ["doctor", str(path), *words])


def test_a_board_with_a_fault_exits_with_1_and_says_what_to_do(tmp_path: Path) -> None:
    """The gravest first, a line each, and how many at the end."""
    told = run(tmp_path, "--only", "port", "--only", "board")
    assert told.exit_code == 1
    lines = told.stdout.splitlines()
    assert lines[0].startswith(f"FAULT  {tmp_path}/p is not there. Plug the board in")
    assert lines[1].startswith("note  The program of board b-1 does not run")
    assert re.fullmatch(r"Board b-1 is not healthy: 1 fault \(\d+\.\d s\)", lines[2])


def test_a_board_that_is_well_exits_with_0(tmp_path: Path) -> None:
    """And is called so."""
    told = run(tmp_path, "--only", "disk")
    assert told.exit_code == 0
    assert re.fullmatch(r"Board b-1 is healthy \(\d+\.\d s\)\n", told.stdout)


def test_a_configuration_that_cannot_be_used_exits_with_2(tmp_path: Path) -> None:
    """As of every command."""
    path = tmp_path / "board.toml"
    path.write_text(CONFIG.replace("port", "prot"), encoding="utf-8")
    assert CliRunner().invoke(app, ["doctor", str(path)]).exit_code == 2
    assert run(tmp_path, "--only", "everything").exit_code == 2


def test_programs_get_codes_and_values(tmp_path: Path) -> None:
    """As DOCTOR.md says, and nothing else on standard output."""
    told = json.loads(run(tmp_path, "--json", "--only", "port").stdout)
    assert told["format"] == 1
    assert (told["board"], told["event"], told["healthy"]) == ("b-1", "cup", False)
    assert told["checked"] == ["port"]
    (finding,) = told["findings"]
    assert finding["code"] == "port_missing"
    assert (finding["check"], finding["severity"]) == ("port", "fault")
    assert finding["values"]["path"] == str(tmp_path / "p")
    assert finding["message"].startswith(f"{tmp_path}/p is not there.")


@pytest.mark.parametrize(
    ("language", "told"),
    [("kk", "b-1 тақтасы сау емес: 1 ақау"), ("ru", "Доска b-1 неисправна: 1 сбой"), ("en", "1 fault")],
)
def test_it_speaks_the_language_that_is_asked_for(language: str, told: str, tmp_path: Path) -> None:
    """By the option behind the command, too."""
    assert told in run(tmp_path, "--only", "port", "--language", language).stdout


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_every_finding_has_a_text_that_its_values_fill(
    code: str, language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In each language, with nothing left open; what is empty is shown as a dash."""
    monkeypatch.setattr(speech, "option", language)
    kind: Kind = CODES[code]
    assert texts(language).gaps(f"found.{code}") <= set(kind.values)
    said = finding_said(Finding(code, dict.fromkeys(kind.values, "")))
    assert "{" not in said
    assert len(said) > 20
    assert said.count("—") >= len(texts(language).gaps(f"found.{code}"))


def test_a_reason_of_the_system_is_told_in_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its code stays a code for programs."""
    monkeypatch.setattr(speech, "option", "ru")
    finding = Finding("broker_unreachable", {"where": "h:1", "why": "econnrefused"})
    assert "h:1" in finding_said(finding)
    assert "econnrefused" not in finding_said(finding)
    assert finding_said(Finding("broker_unreachable", {"where": "h:1", "why": "odd"})).count("odd") == 1


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("side_a[3]", "(a4)"),
        ("side_b[0]", "(b1)"),
        ("kazan_b", "(kazan b)"),
        ("beam_a[8]", "(a9)"),
        ("", "(—)"),
    ],
)
def test_a_pit_is_called_as_its_player_counts_it(
    place: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`[layout]` counts from 0, and who reads `side_a[3]` looks at the third pit."""
    monkeypatch.setattr(speech, "option", "en")
    assert told in finding_said(Finding("channel_saturated", {"channel": 3, "place": place}))
