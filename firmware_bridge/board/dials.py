"""What the device's dials are to show (pure): the game's clock in the few words of the serial link.

The link knows two numbers, the increments and a moment; periods, delays and modes are put into these words:

- A delay is a moment in the device's future: the running dial stands until then.
- The press that fulfils a quota adds increment and next period together, so that the dial is right at once.
- Without a clock of our own both dials stand at zero; whose turn it is shows all the same, and the presses
  that confirm moves switch it. Two clocks on one table would be two truths.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.layout import Seating
from rules.clock import ClockState, delay_left_us, press_adds_us, remaining_us
from rules.game import Game, Phase
from rules.position import Side
from rules.time_control import ClockMode
from sensors.link_events import ClockView


def clock_view(
    game: Game, seating: Seating, at_us: int, device_us: Callable[[int], int], *, events_seen: int
) -> ClockView:
    """Return what the dials are to show of a game's clock; before any game they stand at zero.

    Args:
        game: The game.
        seating: Who sits at dial A and who at dial B.
        at_us: Table time now.
        device_us: Gives the device's time of a table time.
        events_seen: The last press of the device's present boot taken into account.
    """
    clock = game.clock
    if clock is None:
        return ClockView(
            events_seen, device_us(at_us), 0, armed=False, remaining_ms=(0, 0), increment_ms=(0, 0)
        )
    now_us = max(at_us, clock.since_us or 0)
    sides = sorted(Side, key=seating.seat_of)
    left_a, left_b = (_shown_ms(clock, side, now_us) for side in sides)
    adds_a, adds_b = (_adds_ms(clock, side) for side in sides)
    return ClockView(
        events_seen,
        device_us(now_us + delay_left_us(clock, now_us)),
        running=0 if clock.running is None else sides.index(clock.running) + 1,
        armed=game.phase is Phase.PLAYING,
        remaining_ms=(left_a, left_b),
        increment_ms=(adds_a, adds_b),
    )


def _shown_ms(clock: ClockState, side: Side, at_us: int) -> int:
    return remaining_us(clock, side, at_us) // 1000 if clock.control.mode is ClockMode.OWN else 0


def _adds_ms(clock: ClockState, side: Side) -> int:
    return press_adds_us(clock, side) // 1000 if clock.control.mode is ClockMode.OWN else 0
