"""The eye of a board without cells: what its count sensors hear, in place of `watcher.py` (pure).

There is no quiet of weights to wait for. What there is: no pulse for a while, and the press, which ends the
ply. Nothing here claims what such a board cannot see: that the position lies there is never seen, only that
nothing has fallen since (`Unmoved`); a ply is the legal one whose stones fell so (`Overheard`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from firmware_bridge.board.counting.belief import Belief
from firmware_bridge.board.counting.lots import Change, change_of, unchanged
from firmware_bridge.board.counting.observation import PlaceReading
from firmware_bridge.board.counting.passages import Passed, together
from firmware_bridge.board.counting.weighing import Doubt, Weighed
from firmware_bridge.board.watching.heard import Heard, hear
from firmware_bridge.board.watching.look import LOOK_AFTER_PRESS_US, LOOK_EVERY_US, Look
from firmware_bridge.board.watching.pulse_log import PulseLog
from firmware_bridge.board.watching.reconciler import (
    MAX_PLIES,
    Ambiguous,
    InProgress,
    Overheard,
    Unheard,
    Unmoved,
    Verdict,
)
from firmware_bridge.layout import PLACES, Seating
from rules.position import START, Position, Side, Sowing, outcome
from sensors.samples import Fault
from sensors.settle import ChannelReading

QUIET_US = 300_000
"""Without a pulse for so long nothing is falling: players let stones fall within half a second of each other,
and after the last one they reach for the clock."""

LAG_US = 50_000
"""How long after a press a pulse may still be of a stone that was let go before it: a fall of 5 cm takes
0.1 s, the finger's way to the clock is longer, and a sample is taken every 12 to 100 ms."""

SET_UP_AFTER_US = 3_000_000
"""Without a pulse for so long nobody is laying stones out any more."""


class Listener:
    """Turns the pulses of a seated board into looks: the `BoardWatch` of one without cells.

    Attributes:
        belief: What is known of the board; of the beams only.
    """

    def __init__(self, seating: Seating, belief: Belief | None = None) -> None:
        """Listen to a board seated as `seating`, after `belief`; None: nothing was ever confirmed on it."""
        self.belief = Belief.empty() if belief is None else belief
        self._begun = belief is not None
        self._log = PulseLog.of(seating)
        self._last_look_us: int | None = None
        self._cuts: list[tuple[int, ...]] = []
        self._heard: Heard | None = None
        self._asked: object = None

    # --- when to look -------------------------------------------------------------------------------

    def looks_now(self, at_us: int, channels: Sequence[ChannelReading], *, pressed: bool = False) -> bool:
        """Whether this sample is worth a judgement: something fell, or it is time again."""
        if self._log.hear(at_us, channels):
            return True
        every_us = LOOK_AFTER_PRESS_US if pressed else LOOK_EVERY_US
        return self._last_look_us is None or at_us - self._last_look_us >= every_us

    def _quiet_since(self) -> int:
        return self._log.last_us or 0

    # --- before a game ------------------------------------------------------------------------------

    def look_at_setup(self, at_us: int, channels: Sequence[ChannelReading]) -> Look:
        """Wait until nobody lays out stones; nobody sees how many lie where."""
        del channels
        self._last_look_us = at_us
        if at_us - self._quiet_since() < SET_UP_AFTER_US:
            return self._look(at_us, None)
        self._log.anchor(self._log.totals())
        return self._look(at_us, Unmoved(_weighed(unchanged(START))))

    def stones_at_setup(self, channels: Sequence[ChannelReading]) -> tuple[int | None, ...]:
        """Return that no place's stones are known."""
        del channels
        return (None,) * PLACES

    # --- during a game ------------------------------------------------------------------------------

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
        """Judge what has fallen since `position`: see `BoardWatch.look`."""
        del channels
        self._last_look_us = at_us
        quiet = at_us - self._quiet_since() >= QUIET_US
        if resting and not pending:
            self._log.anchor(self._log.totals())
        fallen = any(self._log.between(None, self._log.totals()))
        if not pending and not fallen:
            return self._look(at_us, Unmoved(_weighed(unchanged(position))) if quiet else None)
        if not pending:
            return self._look(at_us, self._unpressed(position) if quiet else None)
        return self._look_at_presses(at_us, position, pending, pressed_us)

    def _unpressed(self, position: Position) -> Verdict:
        """Return the ply that has ended the game without a press; else it is still being played."""
        now = self._log.totals()
        heard = self._hear(position, [now])
        if heard is not None and heard.plies and outcome(heard.plies[-1].after) is not None:
            return _overheard(heard)
        return InProgress(None)

    def _look_at_presses(
        self, at_us: int, position: Position, pending: tuple[Side, ...], pressed_us: Sequence[int]
    ) -> Look:
        over = [time_us for time_us in pressed_us if at_us >= time_us + QUIET_US][:MAX_PLIES]
        due = [position.to_move if n % 2 == 0 else position.to_move.opponent for n in range(len(over))]
        if not over:
            return self._look(at_us, None)
        unknown = any(self._log.unknown(time_us) for time_us in over)
        if unknown or list(pending[: len(over)]) != due:
            return self._look(at_us, Unheard(()), pending)
        heard = self._hear(position, [self._log.totals(time_us + LAG_US) for time_us in over])
        if heard is None:
            return self._look(at_us, Unheard(()), pending)
        if heard.plies:
            return self._look(at_us, _overheard(heard), pending[: len(heard.plies)])
        if len(heard.lines) > 1:
            return self._look(at_us, Ambiguous(heard.lines), pending)
        return self._look(at_us, Unheard(heard.lines[0]), pending)

    def _hear(self, position: Position, cuts: list[tuple[int, ...]]) -> Heard | None:
        """Judge the pulses until each cut, or give the last judgement of the same pulses again."""
        question = (position, tuple(cuts))
        if question != self._asked:
            self._asked, self._cuts = question, cuts
            self._heard = hear(position, self._segments(cuts))
        return self._heard

    def _segments(self, cuts: Sequence[tuple[int, ...]]) -> list[Passed]:
        begins: list[tuple[int, ...] | None] = [None, *cuts]
        return [
            self.belief.beams.believed(self._log.between(since, until))
            for since, until in zip(begins, cuts, strict=False)
        ]

    def _look(self, at_us: int, verdict: Verdict | None, presses: tuple[Side, ...] = ()) -> Look:
        quiet_us = None if verdict is None else self._quiet_since()
        return Look(at_us, quiet_us, (), verdict, self._log.faults(), presses, young=True)

    # --- what is confirmed --------------------------------------------------------------------------

    @property
    def doubted(self) -> Mapping[int, Fault]:
        """No place: what a count sensor says when it is broken is told by its pulses."""
        return {}

    @property
    def drifted(self) -> tuple[int, ...]:
        """No place: no zero wanders where nothing is weighed."""
        return ()

    def believe(self, line: tuple[Sowing, ...]) -> bool:
        """Take nobody's word: pulses are all there is, and no hands are seen without cells."""
        del line
        return False

    @property
    def beam_faults(self) -> tuple[tuple[int, str], ...]:
        """The places whose count sensor is not to be believed, with what is wrong."""
        return self.belief.beams.broken

    def begin_anew(self, plies: Sequence[Sowing] = ()) -> None:
        """Take plies as played that were entered by hand, and listen for what comes after their presses."""
        if plies:
            known = 0 < len(plies) <= len(self._cuts)
            self._log.anchor(self._cuts[len(plies) - 1] if known else self._log.totals())
        self._forget()

    def ruled(self, before: Position, after: Position) -> None:
        """Take another position as the one that holds, and listen for what comes after it."""
        del before, after
        self._log.anchor(self._log.totals())
        self._forget()

    def stones_seen(self, channels: Sequence[ChannelReading], position: Position) -> tuple[int | None, ...]:
        """Return nothing but unknown: falls are heard, stones are not counted."""
        del channels, position
        return (None,) * PLACES

    def strays(self, channels: Sequence[ChannelReading]) -> bool:
        """Return False: nothing is weighed."""
        del channels
        return False

    def confirm(self, readings: tuple[PlaceReading, ...], weighed: Weighed) -> None:
        """Take what was heard as played, and begin to listen for what comes next."""
        del readings
        heard, plies = self._heard, weighed.change.plies
        if not plies or heard is None:
            self._log.anchor(self._log.totals())
        else:
            cut = self._cuts[len(plies) - 1]
            passed = self._log.between(None, cut)
            seen = [
                None if count is None else max(0, count - early)
                for count, early in zip(passed, heard.carried, strict=True)
            ]
            self.belief = replace(self.belief, beams=self.belief.beams.learned(seen, together(plies)))
            kept = [min(early, count or 0) for early, count in zip(heard.carried, passed, strict=True)]
            self._log.anchor([total - early for total, early in zip(cut, kept, strict=True)])
        self._begun = True
        self._forget()

    def _forget(self) -> None:
        self._cuts, self._heard, self._asked = [], None, None


def _weighed(change: Change, margin: float = 0.0, likelihood: float = 0.0) -> Weighed:
    """Return a weighing in which nothing was weighed."""
    nothing = (0.0,) * PLACES
    doubt = Doubt(None, None)
    return Weighed(change, (None,) * PLACES, nothing, nothing, margin, likelihood, doubt, frozenset())


def _overheard(heard: Heard) -> Overheard:
    return Overheard(heard.plies, _weighed(change_of(heard.plies), heard.margin, heard.likelihood))
