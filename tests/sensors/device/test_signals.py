"""Lamps that blink and sounds that end."""

import pytest

from sensors import frames
from sensors.device.signals import BEEP_US, BLINK_US, Sounder, lamps_lit

MS = 1_000


def sounding(pattern: int, duration_ms: int, step_ms: int = 10) -> list[tuple[int, int]]:
    """Return from when to when, in milliseconds, a sound that begins at 5 s is heard."""
    sounder = Sounder()
    found: list[tuple[int, int]] = []
    sounder.begin(frames.Buzzer(pattern, duration_ms), 5_000 * MS)
    for at_ms in range(0, duration_ms + 500, step_ms):
        if sounder.sounds((5_000 + at_ms) * MS):
            if found and found[-1][1] == at_ms:
                found[-1] = (found[-1][0], at_ms + step_ms)
            else:
                found.append((at_ms, at_ms + step_ms))
    return found


def test_lamps_burn_or_blink_twice_a_second() -> None:
    """A bit in both blinks."""
    lamps = frames.Lamps(on=0b0011, blink=0b0110)
    assert {lamps_lit(lamps, at) for at in range(0, BLINK_US, 1000)} == {0b0111}
    assert {lamps_lit(lamps, at) for at in range(BLINK_US, 2 * BLINK_US, 1000)} == {0b0001}


@pytest.mark.parametrize(
    ("pattern", "heard"),
    [
        (frames.SOUND_NONE, []),
        (frames.SOUND_TONE, [(0, 500)]),
        (frames.SOUND_TWO_TONES, [(0, 200), (300, 500)]),
        (frames.SOUND_BEEPING, [(0, 150), (300, 450)]),
        (9, [(0, 500)]),
    ],
)
def test_a_sound_is_heard_for_its_time(pattern: int, heard: list[tuple[int, int]]) -> None:
    """One tone, two with a pause, or beeps; a pattern nobody knows is one tone."""
    assert sounding(pattern, 500) == heard
    assert BEEP_US == 150 * MS


def test_another_sound_replaces_the_one_that_still_sounds() -> None:
    """Silence too."""
    sounder = Sounder()
    assert not sounder.sounds(0)
    sounder.begin(frames.Buzzer(frames.SOUND_TONE, 5_000), 0)
    assert sounder.sounds(100 * MS)
    sounder.begin(frames.Buzzer(frames.SOUND_NONE, 0), 200 * MS)
    assert not sounder.sounds(300 * MS)
