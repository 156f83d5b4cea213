"""Commands to a running emulator, as text."""

import pytest

from firmware_bridge.emulator.commands import (
    Break,
    Command,
    CommandError,
    PowerCycle,
    Stop,
    Unplug,
    parse_command,
)
from sensors.simulator.world import ChannelFault


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("unplug 2.5", Unplug(2.5)),
        (" power-cycle \n", PowerCycle()),
        ("break 3 stuck", Break(3, ChannelFault.STUCK)),
        ("break 3 not_ready", Break(3, ChannelFault.NOT_READY)),
        ("mend 3", Break(3, None)),
        ("stop", Stop()),
    ],
)
def test_each_command_is_read(line: str, command: Command) -> None:
    """One line, one command."""
    assert parse_command(line) == command


@pytest.mark.parametrize(
    "line",
    ["", "unplug", "unplug soon", "unplug -1", "unplug nan", "break x stuck", "break 3 bent", "stop now"],
)
def test_what_is_no_command_is_quoted(line: str) -> None:
    """The message shows the line."""
    with pytest.raises(CommandError, match="is no command of the emulator"):
        parse_command(line)
