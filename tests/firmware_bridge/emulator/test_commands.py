"""Commands to a running emulator, as text."""

import re

import pytest

from firmware_bridge.emulator.commands import (
    Break,
    Command,
    CommandError,
    PlayerButton,
    PowerCycle,
    Stop,
    Tell,
    Unplug,
    parse_command,
)
from firmware_bridge.emulator.told import Lay, Take
from sensors.simulator.world import ChannelFault
from tests.house.committed import ROOT


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("unplug 2.5", Unplug(2.5)),
        (" power-cycle \n", PowerCycle()),
        *((f"break 3 {fault.value}", Break(3, fault)) for fault in ChannelFault),
        ("mend 3", Break(3, None)),
        ("call", PlayerButton("call", None)),
        ("call a", PlayerButton("call", "a")),
        ("draw b", PlayerButton("draw", "b")),
        ("hands take 6 9, lay 6", Tell((Take(6, 9), Lay(6)))),
        ("stop", Stop()),
    ],
)
def test_each_command_is_read(line: str, command: Command) -> None:
    """One line, one command."""
    assert parse_command(line) == command


@pytest.mark.parametrize(
    "line",
    [
        "",
        "unplug",
        "unplug soon",
        "unplug -1",
        "unplug nan",
        "break x stuck",
        "break 3 bent",
        "stop now",
        "draw",
        "call c",
    ],
)
def test_what_is_no_command_is_quoted(line: str) -> None:
    """The message shows the line, and what would be one."""
    with pytest.raises(CommandError, match="is no command of the emulator; known are: unplug SECONDS"):
        parse_command(line)


def test_every_fault_that_is_taken_is_named() -> None:
    """To who types, and in the README."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (line,) = (line for line in readme.splitlines() if "`unplug 3` pulls the cable" in line)
    with pytest.raises(CommandError) as refused:
        parse_command("break 3 bent")
    for fault in ChannelFault:
        assert fault.value in str(refused.value)
        assert re.search(rf"\b{fault.value}`", line)
