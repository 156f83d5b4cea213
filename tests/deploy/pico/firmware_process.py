"""How the firmware is started under MicroPython."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from firmware_bridge.emulator.emulator import EmulatorSettings
from sensors import frames
from tests.machine import ROOT, find_micropython

HEAP = "192k"
"""What MicroPython leaves of an RP2040's 264 KB of RAM for its heap.

Here it is tighter still: pointers have 64 bits, and 40 kB of it are the fakes'.
"""

ROOMY = "512k"
"""For a world that interprets PIO programs and twenty chips in the same heap."""

FIRMWARE = ROOT / "deploy" / "pico"
FAKES = Path(__file__).parent / "fakes"


def command(mode: str, *more: str, settings: Mapping[str, object] | None = None) -> list[str]:
    """Return the command that powers the firmware with these settings (`powered.py`), `heap` among them."""
    known = dict(settings or {})
    heap = known.pop("heap", HEAP if known.get("fast", True) else ROOMY)
    folders = (str(FIRMWARE), str(Path(frames.__file__).parent))
    interpreter = [str(find_micropython()), "-X", f"heapsize={heap}"]
    return [*interpreter, str(FAKES / "powered.py"), *folders, json.dumps(known), mode, *more]


def fed(settings: EmulatorSettings) -> list[str]:
    """Return the command of the device that a world feed wants; the terminal's path is to follow."""
    known = {
        "BOARD_ID": settings.board_id,
        "TIME_SCALE": settings.speed,
        "RATE_HZ": round(settings.rate_hz),
    }
    return command("feed", settings=known)
