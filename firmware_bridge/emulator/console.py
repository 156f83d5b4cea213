"""What an emulated device shows and sounds, in words for whoever watches it (pure)."""

from __future__ import annotations

from sensors import frames

LAMPS = {
    "side_a": frames.LAMP_SIDE_A,
    "side_b": frames.LAMP_SIDE_B,
    "attention": frames.LAMP_ATTENTION,
    "arbiter": frames.LAMP_ARBITER,
}
"""The lamps by name."""

PATTERNS = {
    frames.SOUND_NONE: "silence",
    frames.SOUND_TWO_TONES: "two tones",
    frames.SOUND_BEEPING: "beeping",
}
"""The sounds by number; every other is one tone."""


def lamps_told(lit: frames.Lamps) -> dict[str, object]:
    """Return the lamps that burn, and those that blink, as an event; one that blinks does not burn."""
    on = [name for name, bit in LAMPS.items() if lit.on & bit and not lit.blink & bit]
    return {"event": "lamps", "on": on, "blink": [name for name, bit in LAMPS.items() if lit.blink & bit]}


def buzzer_told(sound: frames.Buzzer) -> dict[str, object]:
    """Return a sound as an event."""
    return {"event": "buzzer", "sound": PATTERNS.get(sound.pattern, "one tone"), "ms": sound.duration_ms}
