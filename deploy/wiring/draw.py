"""Draws all sheets anew: `python -m deploy.wiring.draw`, from the root of the checkout.

The sheets stand beside this file; a test draws them and compares, so that no drawing says other pins than the
firmware and the examples have.
"""

from __future__ import annotations

from pathlib import Path

from deploy.wiring import boards, facts, headers
from deploy.wiring.svg import Sheet, save
from firmware_bridge.layout import Wiring

HERE = Path(__file__).resolve().parent


def sheets() -> dict[str, Sheet]:
    """Return every drawing by its name."""
    pico = facts.pico()
    return {
        "board": boards.board_sheet(Wiring()),
        "cell": boards.cell_sheet(),
        "pico": headers.pico_sheet(pico),
        "power": boards.power_sheet(pico),
        "raspberry-pi": headers.raspberry_pi_sheet(
            facts.raspberry_pi(facts.DEPLOY / "examples" / "pins.toml")
        ),
        "shift-register": headers.shift_sheet(pico),
    }


if __name__ == "__main__":
    save(sheets(), HERE)
