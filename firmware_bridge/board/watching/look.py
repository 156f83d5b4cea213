"""One look at a board, and what whoever looks has to answer: the doors of `Watcher` and `Listener` (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from firmware_bridge.board.counting.belief import Belief
from firmware_bridge.board.counting.observation import PlaceReading, Unread
from firmware_bridge.board.counting.weighing import Weighed
from firmware_bridge.board.watching.reconciler import Verdict
from rules.position import Position, Side, Sowing
from sensors.samples import Fault
from sensors.settle import ChannelReading

LOOK_EVERY_US = 100_000
"""A board that stays quiet is judged again this often (device time)."""

LOOK_AFTER_PRESS_US = 25_000
"""The same while a press waits to be explained: it is what the player waits for."""


@dataclass(frozen=True, slots=True)
class Look:
    """One judgement of a board, or that it is not quiet.

    Attributes:
        at_us: Table time of the newest sample in it.
        quiet_since_us: Table time since when every place has been quiet; None while one is not.
        readings: What the twenty places weigh, now or as of the press; () where nothing is weighed.
        verdict: What that means; None while the board moves, or too much of it cannot be read.
        unread: Places that cannot be read for another reason than movement.
        presses: The presses that the verdict answers, none of them explained before.
        young: The readings prove what lay there after the last of these presses.
        weighed: The start position, weighed, of a look at a set-up; None of others.
    """

    at_us: int
    quiet_since_us: int | None
    readings: tuple[PlaceReading, ...]
    verdict: Verdict | None
    unread: tuple[Unread, ...]
    presses: tuple[Side, ...]
    young: bool = False
    weighed: Weighed | None = None


class BoardWatch(Protocol):
    """Who turns the channels' readings of a seated board into looks.

    Attributes:
        belief: What is known of the board since the last confirmed position.
    """

    belief: Belief

    def looks_now(self, at_us: int, channels: Sequence[ChannelReading], *, pressed: bool = False) -> bool:
        """Whether this sample is worth a judgement; to be asked of every sample, in order.

        Args:
            at_us: Table time of the sample.
            channels: A reading for every channel.
            pressed: A press waits to be explained.
        """

    def look_at_setup(self, at_us: int, channels: Sequence[ChannelReading]) -> Look:
        """Judge whether the start position lies there."""

    def stones_at_setup(self, channels: Sequence[ChannelReading]) -> tuple[int | None, ...]:
        """Return the nearest whole number of stones at each place before a game; None where not known."""

    def look(
        self,
        at_us: int,
        channels: Sequence[ChannelReading],
        position: Position,
        pending: tuple[Side, ...],
        pressed_us: Sequence[int],
        *,
        resting: bool = False,
    ) -> Look:
        """Judge the board against `position`, with `pending` presses since it was confirmed.

        Args:
            at_us: Table time of the sample.
            channels: A reading for every channel.
            position: The last confirmed position.
            pending: Who has pressed since, oldest first.
            pressed_us: When; table time.
            resting: The clocks stand: what happens now is no play.
        """

    def believe(self, line: tuple[Sowing, ...]) -> bool:
        """Take the word of whoever saw the hands for which of several lines was played.

        Returns:
            Whether the next look may be another one for it.
        """

    def confirm(self, readings: tuple[PlaceReading, ...], weighed: Weighed) -> None:
        """Take what was seen in a look as what lies there, and begin to watch for what comes next.

        Args:
            readings: Of the look.
            weighed: Of its verdict.
        """

    def begin_anew(self, plies: Sequence[Sowing] = ()) -> None:
        """Take plies as played that were entered by hand, and forget what was seen before them."""

    def ruled(self, before: Position, after: Position) -> None:
        """Take another position as the one that holds: hands lay it, or have laid it.

        Args:
            before: The last confirmed position.
            after: What an arbiter lets hold.
        """

    def stones_seen(self, channels: Sequence[ChannelReading], position: Position) -> tuple[int | None, ...]:
        """Return the nearest whole number of stones at each place; None where it cannot be told.

        Args:
            channels: A reading for every channel.
            position: The last confirmed position, from which the places are counted.
        """

    def strays(self, channels: Sequence[ChannelReading]) -> bool:
        """Whether a pit weighs a part of a stone more or less where no stone was moved: somebody leans there.

        Args:
            channels: A reading for every channel.
        """

    @property
    def doubted(self) -> Mapping[int, Fault]:
        """The places that are not believed although they read, with what is wrong."""

    @property
    def drifted(self) -> tuple[int, ...]:
        """The places whose zero is about to be followed no longer."""

    @property
    def beam_faults(self) -> tuple[tuple[int, str], ...]:
        """The places whose count sensor is not to be believed, with what is wrong."""
