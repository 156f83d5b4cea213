"""The buttons. That two are swapped cannot be seen from here: press each and look. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from firmware_bridge.doctor.device import DeviceFacts, Pushed
from firmware_bridge.doctor.findings import Finding, found

CHATTER_US: Final = 60_000
"""Nobody presses twice within this: a bad contact, or a device that debounces nothing (usual: 5 to 20 ms)."""
FEW: Final = 2
"""Such pairs before it is said; one may be a finger that slipped."""
HELD_S: Final = 3.0
"""A button that is down for longer is stuck, or something lies on it."""


def judge_buttons(facts: DeviceFacts, names: Mapping[int, str]) -> Iterator[Finding]:
    """Yield what is wrong with the buttons.

    Args:
        facts: What the device said.
        names: What each button is for, by its number, as the keys of `[layout]` call it.
    """
    if facts.hello is None or facts.foreign or not facts.watched:
        return
    released = any(not each.down for each in facts.pushed)
    for button in sorted({each.button for each in facts.pushed}):
        pushed = [each for each in facts.pushed if each.button == button]
        name = names.get(button, str(button))
        downs = [each for each in pushed if each.down]
        quick = [after for before, after in pairwise(downs) if after.at_us - before.at_us < CHATTER_US]
        if len(quick) >= FEW:
            seconds = round(facts.seconds, 1)
            yield found("button_chatters", button=button, name=name, presses=len(downs), seconds=seconds)
        elif released and _held_s(pushed, facts) >= HELD_S:
            yield found("button_stuck", button=button, name=name, seconds=round(_held_s(pushed, facts), 1))
    if facts.hello.buttons and facts.hello.next_event == 1 and not facts.pushed:
        yield found("buttons_never_pressed")


def _held_s(pushed: list[Pushed], facts: DeviceFacts) -> float:
    """Return how long a button has been down at the end; 0 for one that was let go."""
    last = pushed[-1]
    return (facts.until_us - last.at_us) / 1e6 if last.down else 0.0
