"""Which channel and which button serves which place of the physical board.

Wiring, seating, drawing and printing are four separate mappings (regulations 1.1.2): here are the
first two. The two long sides of a board are called `a` and `b`; who sits where is the seating.

Places are counted the same way everywhere above the sensors: 0..17 are the pits in sowing order
(0..8 bastaushy's 1..9, 9..17 qostaushy's 1..9), 18 and 19 the kazans of bastaushy and qostaushy.

This file stands at the top of the package, not in `board/`, because the emulated board is wired
by the same table as the real one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from rules.position import Side

Seat = Literal["a", "b"]
"""One long side of the physical board."""

PLACES = 20
"""Eighteen pits and two kazans."""


class WiringError(ValueError):
    """Raised when a wiring table leaves a place unserved or serves two places by one channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """The soldered facts of one board.

    Attributes:
        side_a: Channels of the pits 1..9 of the player sitting at `a`, from that player's left.
        side_b: The same for the player at `b`.
        kazan_a: Channel of the kazan that belongs to the player at `a`, wherever it lies.
        kazan_b: The same for the player at `b`.
        button_a: Number of the clock button of the player at `a`.
        button_b: The same for the player at `b`.
        button_arbiter: Number of the button that calls the arbiter; None where there is none.

    Raises:
        WiringError: A side has not nine channels, or a channel or button serves twice.
    """

    side_a: tuple[int, ...] = tuple(range(9))
    side_b: tuple[int, ...] = tuple(range(9, 18))
    kazan_a: int = 18
    kazan_b: int = 19
    button_a: int = 0
    button_b: int = 1
    button_arbiter: int | None = 2

    def __post_init__(self) -> None:
        for name, channels in (("side_a", self.side_a), ("side_b", self.side_b)):
            if len(channels) != 9:
                raise WiringError(f"{name} lists {len(channels)} channels, a row has nine pits")
        _refuse_twice("channel", self.channels)
        buttons = [self.button_a, self.button_b]
        if self.button_arbiter is not None:
            buttons.append(self.button_arbiter)
        _refuse_twice("button", tuple(buttons))

    @property
    def channels(self) -> tuple[int, ...]:
        """The twenty channels in use: side a, side b, kazan a, kazan b."""
        return (*self.side_a, *self.side_b, self.kazan_a, self.kazan_b)


def _refuse_twice(what: str, numbers: tuple[int, ...]) -> None:
    twice = [number for number, times in Counter(numbers).items() if times > 1]
    if twice:
        raise WiringError(f"{what} {twice[0]} serves two places; each place needs its own {what}")
    below = [number for number in numbers if number < 0]
    if below:
        raise WiringError(f"{what} {below[0]} is below 0; {what}s are numbered from 0")


@dataclass(frozen=True, slots=True)
class Seating:
    """A wiring with the players seated: the bridge between channels and the places of the game.

    Attributes:
        wiring: The board's wiring.
        starter_seat: Where bastaushy sits.
    """

    wiring: Wiring
    starter_seat: Seat

    def seat_of(self, side: Side) -> Seat:
        """Return where `side` sits."""
        if side is Side.BASTAUSHY:
            return self.starter_seat
        return "b" if self.starter_seat == "a" else "a"

    @property
    def channel_of_place(self) -> tuple[int, ...]:
        """The channel of each of the twenty places."""
        wiring = self.wiring
        rows = (wiring.side_a, wiring.side_b)
        kazans = (wiring.kazan_a, wiring.kazan_b)
        if self.starter_seat == "b":
            rows, kazans = rows[::-1], kazans[::-1]
        return (*rows[0], *rows[1], *kazans)

    def side_of_button(self, button: int) -> Side | None:
        """Return whose clock button this is; None for the arbiter's and for unknown ones."""
        for side in Side:
            if button == self.button_of(side):
                return side
        return None

    def button_of(self, side: Side) -> int:
        """Return the clock button of `side`, which is also the number of its dial."""
        return self.wiring.button_a if self.seat_of(side) == "a" else self.wiring.button_b


def place_name(place: int) -> str:
    """Return a place as a person at the board says it, for messages: `bastaushy 7`, `qostaushy kazan`."""
    if place >= 18:
        return f"{('bastaushy', 'qostaushy')[place - 18]} kazan"
    return f"{('bastaushy', 'qostaushy')[place // 9]} {place % 9 + 1}"
