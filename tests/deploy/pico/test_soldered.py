"""What a hobbyist is told who made a mistake in the device's config.py."""

from __future__ import annotations

import runpy
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from sensors import frames
from tests.deploy.pico.firmware_process import FIRMWARE

FEW: dict[str, Any] = {"dout": (0, 1), "sck": 20, "beams": (), "buttons": (21, 22), "shift": None}


def told(monkeypatch: pytest.MonkeyPatch, **changed: Any) -> tuple[str, ...]:
    """Return the mistakes of config.py with these names changed; PINS only where it says so."""
    monkeypatch.setitem(sys.modules, "frames", frames)
    mistakes = runpy.run_path(str(FIRMWARE / "soldered.py"))["mistakes"]
    config = runpy.run_path(str(FIRMWARE / "config.py"))
    pins = {**config["PINS"], **changed.pop("PINS", {})}
    found: tuple[str, ...] = mistakes(SimpleNamespace(**{**config, **changed, "PINS": pins}))
    return found


def test_the_configuration_that_comes_with_it_has_no_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor have a board without outputs, and one without a shift register and with few cells."""
    assert told(monkeypatch) == ()
    assert told(monkeypatch, OUTPUTS={}) == ()
    assert told(monkeypatch, PINS=FEW, OUTPUTS={"lamp_attention": 9, "buzzer": 10}) == ()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"BOARD_ID": 7}, "BOARD_ID is 7: a text in quotes is needed"),
        ({"BOARD_ID": "\u049b" * 17}, "at most 32 bytes without control characters"),
        ({"BOARD_ID": "a\x1bb"}, "at most 32 bytes without control characters"),
        ({"RATE_HZ": 0}, "RATE_HZ is 0: a whole number from 1 to 1000 is needed"),
        ({"GAIN_PULSES": 128}, "GAIN_PULSES is 128: a whole number from 1 to 3 is needed"),
        ({"WATCHDOG_MS": 60_000}, "WATCHDOG_MS is 60000: a whole number from 0 to 8388 is needed"),
        ({"BRIGHTNESS": "4"}, "BRIGHTNESS is '4': a whole number from 0 to 7 is needed"),
        ({"LINE": "wifi"}, 'LINE is \'wifi\': "usb" or "uart"'),
        ({"LINE": "uart"}, "GP0 is both PINS dout[0] and UART tx: it can be one of them only"),
        ({"PINS": {"dout": (30,)}}, "PINS dout[0] is 30: there are GP0 to GP28"),
        ({"PINS": {"sck": 25}}, "PINS sck is 25: GP25 is not on the header"),
        ({"PINS": {"dout": (5, 5)}}, "GP5 is both PINS dout[0] and PINS dout[1]: it can be one of them only"),
        (
            {"PINS": {"buttons": 21}},
            "PINS, OUTPUTS or UART is not made as in the config.py that came with it",
        ),
        ({"PINS": {"dout": range(60)}}, "PINS: 60 channels, more than 52"),
        ({"PINS": {"shift": None}}, "GP0 is both PINS dout[0] and OUTPUTS dial_clock"),
        (
            {"PINS": {"shift": {"data": 26, "clock": 28, "latch": 27}}},
            "PINS shift: latch must be the GP behind clock, 29",
        ),
        ({"OUTPUTS": {"lmp_a": 3}}, "OUTPUTS: 'lmp_a' is none of dial_clock, dial_a"),
        ({"OUTPUTS": {"lamp_a": 8}}, "OUTPUTS lamp_a is 8: there are Q0 to Q7"),
        ({"OUTPUTS": {"dial_a": 1}}, "OUTPUTS: a dial needs dial_clock and its own line, dial_a or dial_b"),
    ],
)
def test_a_mistake_is_told_with_its_place(
    changed: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each by itself, in words."""
    assert any(said in each for each in told(monkeypatch, **changed)), told(monkeypatch, **changed)
