"""The configuration that all boards of a card share, and what is put into it for one of them."""

from __future__ import annotations

from typing import Final

from firmware_bridge.card.roster import Row

BOARD: Final = "@board@"
PORT: Final = "@port@"

ONLY_DEVICE: Final = "/dev/togyz/board"
"""The one device of a machine, as deploy/udev names it."""


def port_of(row: Row, devices: dict[str, str]) -> str:
    """Return the serial line of a board.

    Args:
        row: The board.
        devices: The machine's devices: by serial number, in one spelling, the line's path.
    """
    return devices.get(row.serial, ONLY_DEVICE)


def filled(template: str, row: Row, port: str) -> str:
    """Return the template with a board's name for each `@board@` and its line for each `@port@`."""
    return template.replace(BOARD, row.board).replace(PORT, port)
