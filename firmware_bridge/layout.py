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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rules.position import Side, number_of, side_of

Seat = Literal["a", "b"]
"""One long side of the physical board."""

PITS = 18
"""Two rows of nine; the place after the last pit is bastaushy's kazan, qostaushy's follows."""

PLACES = PITS + 2
"""Eighteen pits and two kazans."""


def is_kazan(place: int) -> bool:
    """Whether a place is one of the kazans, 18 and 19, and no pit."""
    return place >= PITS


def owner_of(place: int) -> Side:
    """Return whose pit or kazan a place is."""
    return tuple(Side)[place - PITS] if is_kazan(place) else side_of(place)


class WiringError(ValueError):
    """Raised when a wiring table leaves a place unserved or serves two places by one channel."""


ROW = tuple(range(9))
"""The channels of the first row, where nothing else is said; the others follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """The soldered facts of one board.

    Either all twenty places have load cells or none has; then all have count sensors. Beside cells, count
    sensors may serve all places or some of them.

    Attributes:
        side_a: Channels of the cells of the pits 1..9 of the player sitting at `a`, from that player's left;
            empty on a board without cells.
        side_b: The same for the player at `b`.
        kazan_a: Channel of the kazan that belongs to the player at `a`, wherever it lies; None without cells.
        kazan_b: The same for the player at `b`.
        beam_a: Channels of the count sensors of the row `side_a`, in the same order; empty where it has none.
        beam_b: The same for the row of the player at `b`.
        beam_kazan_a: Channel of the count sensor of the kazan of the player at `a`; None where it has none.
        beam_kazan_b: The same for the player at `b`.
        button_a: Number of the clock button of the player at `a`.
        button_b: The same for the player at `b`.
        button_arbiter: Number of the button that calls the arbiter, whoever presses it; None: there is none.
        button_call_a: Number of the button with which the player at `a` calls the arbiter; None: he has none.
        button_call_b: The same for the player at `b`.
        button_draw_a: Number of the button with which the player at `a` offers a draw, or agrees to one that
            is offered to him; None: he has none.
        button_draw_b: The same for the player at `b`.

    Raises:
        WiringError: A side has not nine channels, a place has neither sensor, or a channel or button serves
            twice.
    """

    side_a: tuple[int, ...] = ROW
    side_b: tuple[int, ...] = tuple(range(9, 18))
    kazan_a: int | None = 18
    kazan_b: int | None = 19
    beam_a: tuple[int, ...] = ()
    beam_b: tuple[int, ...] = ()
    beam_kazan_a: int | None = None
    beam_kazan_b: int | None = None
    button_a: int = 0
    button_b: int = 1
    button_arbiter: int | None = 2
    button_call_a: int | None = None
    button_call_b: int | None = None
    button_draw_a: int | None = None
    button_draw_b: int | None = None

    def __post_init__(self) -> None:
        for name in ("side_a", "side_b", "beam_a", "beam_b"):
            channels = getattr(self, name)
            if channels and len(channels) != len(ROW):
                raise WiringError(f"{name} lists {len(channels)} channels, a row has nine pits")
        self._refuse_unserved()
        _refuse_twice("channel", tuple(each for each in (*self._cells, *self._beams) if each is not None))
        _refuse_twice("button", self.buttons)

    def _refuse_unserved(self) -> None:
        groups = (
            ("side_a", self.side_a, "beam_a", self.beam_a),
            ("side_b", self.side_b, "beam_b", self.beam_b),
            ("kazan_a", self.kazan_a, "beam_kazan_a", self.beam_kazan_a),
            ("kazan_b", self.kazan_b, "beam_kazan_b", self.beam_kazan_b),
        )
        for cells, cell, beams, beam in groups:
            if cell in ((), None) and beam in ((), None):
                told = f"give its channels in `{cells}` or `{beams}`"
                raise WiringError(f"{cells} has neither cells nor count sensors: {told}")
        for cells, cell, _, _ in groups:
            if self.weighs and cell in ((), None):
                raise WiringError(
                    f"{cells} has no cells while other places have: cells serve all twenty places or none"
                )

    @property
    def _cells(self) -> tuple[int | None, ...]:
        return (*self.side_a, *self.side_b, self.kazan_a, self.kazan_b)

    @property
    def _beams(self) -> tuple[int | None, ...]:
        return (*self.beam_a, *self.beam_b, self.beam_kazan_a, self.beam_kazan_b)

    @property
    def buttons(self) -> tuple[int, ...]:
        """The number of every button that is wired: the clocks', then those that call and offer."""
        return tuple(number for _, number in named_buttons(self))

    @property
    def weighs(self) -> bool:
        """Whether the places have load cells; if not, stones are only counted as they fall."""
        return any(channel is not None for channel in self._cells)

    @property
    def channels(self) -> tuple[int, ...]:
        """The twenty channels of side a, side b, kazan a, kazan b: of the cells, or of the beams without."""
        found = self._cells if self.weighs else self._beams
        return tuple(channel for channel in found if channel is not None)


def named_buttons(wiring: Wiring) -> Iterator[tuple[str, int]]:
    """Yield each button of a wiring with its key in `[layout]`: the clocks', then what calls and offers."""
    for what in ("a", "b", "arbiter", "call_a", "call_b", "draw_a", "draw_b"):
        number = getattr(wiring, f"button_{what}")
        if number is not None:
            yield f"button_{what}", number


def named_channels(wiring: Wiring) -> Iterator[tuple[str, int]]:
    """Yield each channel of a wiring with its name: `side_a[3]`, `kazan_b`, `beam_a[0]`, `beam_kazan_b`.

    The number in brackets counts from 0, as a list in the configuration does.
    """
    for row, kazan in (("side", "kazan"), ("beam", "beam_kazan")):
        for seat in ("a", "b"):
            for index, channel in enumerate(getattr(wiring, f"{row}_{seat}")):
                yield f"{row}_{seat}[{index}]", channel
            of_kazan = getattr(wiring, f"{kazan}_{seat}")
            if of_kazan is not None:
                yield f"{kazan}_{seat}", of_kazan


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a button is for.

    Attributes:
        what: `clock`, `call` (the arbiter) or `draw`.
        side: Whose it is; None: whoever is nearer.
    """

    what: Literal["clock", "call", "draw"]
    side: Side | None


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
        """The channel of each of the twenty places: of its cell, or of its count sensor without cells."""
        found = self._seated(self.wiring.channels)
        return tuple(channel for channel in found if channel is not None)

    @property
    def beam_of_place(self) -> tuple[int | None, ...]:
        """The channel of the count sensor of each of the twenty places; None where there is none."""
        wiring = self.wiring
        none = (None,) * len(ROW)
        rows = (*(wiring.beam_a or none), *(wiring.beam_b or none))
        return self._seated((*rows, wiring.beam_kazan_a, wiring.beam_kazan_b))

    def _seated(self, by_seat: Sequence[int | None]) -> tuple[int | None, ...]:
        """Return what stands in the order side a, side b, kazan a, kazan b in the order of places."""
        rows, kazans = (by_seat[:9], by_seat[9:PITS]), by_seat[PITS:]
        if self.starter_seat == "b":
            rows, kazans = rows[::-1], kazans[::-1]
        return (*rows[0], *rows[1], *kazans)

    def side_of_button(self, button: int) -> Side | None:
        """Return whose clock button this is; None for all other buttons."""
        pressed = self.meaning_of(button)
        return pressed.side if pressed is not None and pressed.what == "clock" else None

    def meaning_of(self, button: int) -> Pressed | None:
        """Return what a button is for; None for one that is not wired."""
        wiring = self.wiring
        for side in Side:
            at_a = self.seat_of(side) == "a"
            if button == self.button_of(side):
                return Pressed("clock", side)
            if button == (wiring.button_call_a if at_a else wiring.button_call_b):
                return Pressed("call", side)
            if button == (wiring.button_draw_a if at_a else wiring.button_draw_b):
                return Pressed("draw", side)
        return Pressed("call", None) if button == wiring.button_arbiter else None

    def button_of(self, side: Side) -> int:
        """Return the clock button of `side`, which is also the number of its dial."""
        return self.wiring.button_a if self.seat_of(side) == "a" else self.wiring.button_b


def place_name(place: int) -> str:
    """Return a place as a person at the board says it, for messages: `bastaushy 7`, `qostaushy kazan`."""
    owner = owner_of(place).value
    return f"{owner} kazan" if is_kazan(place) else f"{owner} {number_of(place)}"
