"""What an emulated device shows and sounds, in words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.emulator.console import LAMPS, buzzer_told, lamps_told
from sensors import frames
from sensors.device.device import Device, DeviceConfig

BITS = st.integers(0, 0xFFFF)


def test_each_lamp_has_its_name_and_one_that_blinks_does_not_burn() -> None:
    """A bit in both blinks."""
    told = lamps_told(frames.Lamps(frames.LAMP_SIDE_A | frames.LAMP_ARBITER, frames.LAMP_ARBITER))
    assert told == {"event": "lamps", "on": ["side_a"], "blink": ["arbiter"]}


@given(on=BITS, blink=BITS)
def test_no_bit_is_told_that_is_no_lamp(on: int, blink: int) -> None:
    """Whatever a host sends."""
    told = lamps_told(frames.Lamps(on, blink))
    assert told["blink"] == [name for name, bit in LAMPS.items() if blink & bit]
    assert told["on"] == [name for name, bit in LAMPS.items() if on & bit and not blink & bit]


def test_sounds_have_names_and_an_unknown_one_is_one_tone() -> None:
    """As the protocol says."""
    names = [buzzer_told(frames.Buzzer(pattern, 7))["sound"] for pattern in range(5)]
    assert names == ["silence", "one tone", "two tones", "beeping", "one tone"]
    assert buzzer_told(frames.Buzzer(1, 7))["ms"] == 7


def test_attention_burns_while_no_host_is_heard_whatever_was_asked() -> None:
    """The one lamp a device lights by itself (section 8)."""
    device = Device(DeviceConfig(board_id="b"), 7)
    assert device.lit == frames.Lamps(frames.LAMP_ATTENTION, 0)
    asked = frames.pack_lamps(frames.Lamps(0, frames.LAMP_SIDE_B))
    device.receive(b"\x00" + frames.encode_frame(frames.LAMPS, 0, asked), 1000, 1000)
    assert device.lit == frames.Lamps(0, frames.LAMP_SIDE_B)
