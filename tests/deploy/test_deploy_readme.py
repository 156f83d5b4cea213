"""deploy/README.md: its commands, options, files and services are those that there are."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from typer import Context
from typer.core import TyperGroup
from typer.main import get_command

from firmware_bridge.cli import app
from tests.house.committed import ROOT

PAGES = ("README.md", "read-only.md")
TEXT = {name: (ROOT / "deploy" / name).read_text("utf-8") for name in PAGES}


def commands(text: str) -> Iterator[list[str]]:
    """Yield each call of `togyz` in code, as words."""
    code = "\n".join([*re.findall(r"```\n(.*?)```", text, re.DOTALL), *re.findall(r"`([^`\n]+)`", text)])
    for found in re.findall(r"(?:^|\s)togyz (?!togyz)([a-z][^\n#>|]*)", code):
        yield found.split()


@pytest.mark.parametrize("name", PAGES)
def test_every_command_has_the_options_that_are_typed(name: str) -> None:
    """Down to the last one."""
    top = get_command(app)
    assert isinstance(top, TyperGroup)
    for words in commands(TEXT[name]):
        command = top.get_command(Context(top), words[0])
        if isinstance(command, TyperGroup):
            command = command.get_command(Context(command), words[1])
        assert command is not None, words
        known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
        # What comes behind `control CONFIG` are words of its own.
        if words[0] != "control":
            assert [word for word in words if word.startswith("--") and word not in known] == [], words


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name: str) -> None:
    """Files beside it, and headings."""
    headings = {
        page: {
            re.sub(r"[^\w -]", "", line).strip().lower().replace(" ", "-")
            for line in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        }
        for page, text in TEXT.items()
    }
    for target in re.findall(r"\]\(([^)]+)\)", TEXT[name]):
        path, _, heading = target.partition("#")
        assert not path or (ROOT / "deploy" / path).exists(), target
        page = path or name
        if heading:
            assert heading in headings[page], target


def test_options_of_the_scripts_and_units_are_there() -> None:
    """install.sh and read-only.sh take them; units stand in systemd/."""
    text = "\n".join(TEXT.values())
    script = (ROOT / "deploy/install.sh").read_text("utf-8")
    for line in re.findall(r"install\.sh((?: --[a-z-]+(?: [A-Za-z0-9]+)?)+)", text):
        for option in re.findall(r"--[a-z-]+", line):
            assert f"{option})" in script or f"{option} |" in script or f"| {option}" in script, option
    units = {
        path.name.partition("@")[0].removesuffix(".service") for path in (ROOT / "systemd").glob("*.service")
    }
    units |= {path.name for path in (ROOT / "systemd").glob("*.target")} | {"togyz-card"}
    named = set(re.findall(r"\b(togyz-[a-z]+)(?=@| |\n|$)", re.sub(r"/\S+", "", text)))
    assert {name for name in named if name not in {"togyz-bridge", "togyz-state"}} <= units
