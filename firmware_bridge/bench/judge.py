"""Holds what the session claims against where the stones truly lie (pure).

Truth comes from the hands and the world, never from the session: every ply the hands finished, every press,
and at that press the stones of each place. A final position is wrong when the ply is not the one played, when
it comes before the hands were through, or when other stones lay there at the press.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from firmware_bridge.bench.score import Ask, Score, Wrong, number_chains
from firmware_bridge.board.counting import stones_due
from firmware_bridge.board.inputs import Watch
from firmware_bridge.board.reconciler import swept_stones
from firmware_bridge.layout import place_name
from rules.game import MovePlayed
from rules.notation.moves import format_short
from rules.position import Position, Sowing

ASKING = ("differs", "unreadable")
"""What a watch calls itself when a person has to look."""


@dataclass(slots=True)
class Truth:
    """One ply as it really was.

    Attributes:
        sowing: The ply of the record.
        offence: What was done instead of it, or besides; empty: nothing.
        touched_us: Last time a hand or a stone moved on the board for it.
        pressed_us: When it was pressed for; None: not, or not yet.
        lying: The stones of each place at the press; empty when a hand held stones then.
        confirmed_us: When it became final; None: not yet.
    """

    sowing: Sowing
    offence: str = ""
    touched_us: int = 0
    pressed_us: int | None = None
    lying: tuple[int, ...] = ()
    confirmed_us: int | None = None


@dataclass(slots=True)
class Judge:
    """Keeps the score of one scene.

    Attributes:
        first: How many plies lie before the scene.
        position: The position before the scene, then the last one claimed.
        plies: The plies begun by the hands, in order.
        score: What has been found.
        lost: A wrong position was claimed, so nothing after it means anything.
    """

    first: int
    position: Position
    plies: list[Truth] = field(default_factory=list)
    score: Score = field(default_factory=Score)
    lost: bool = False
    _ask: Ask | None = None
    _final: int = 0

    # --- what the hands do ---------------------------------------------------------------------------

    def begins(self, sowing: Sowing, offence: str = "") -> None:
        """Hear that the hands begin a ply."""
        self.plies.append(Truth(sowing, offence))

    def pressed(self, at_us: int, lying: tuple[int, ...]) -> None:
        """Hear that the latest ply was pressed for; `lying` is empty when stones were in a hand."""
        truth = self.plies[-1]
        if truth.pressed_us is None:
            truth.pressed_us, truth.lying = at_us, lying

    def touched(self, at_us: int) -> None:
        """Hear that a hand or a stone moved for the latest ply."""
        self.plies[-1].touched_us = at_us

    # --- what the session says -----------------------------------------------------------------------

    def moves(self, events: Sequence[MovePlayed], after: Sequence[Position], now_us: int) -> None:
        """Judge plies that became final in one step.

        Args:
            events: The moves.
            after: The position after each of them.
            now_us: Device time.
        """
        for place, (event, position) in enumerate(zip(events, after, strict=True)):
            if self.lost:
                return
            self._judge(event, position, now_us, together=place < len(events) - 1)

    def _judge(self, event: MovePlayed, position: Position, now_us: int, *, together: bool) -> None:
        number = self._final + 1
        self._final = number
        self.position = position
        by_hand = event.confirmed_by == "arbiter"
        truth = self.plies[number - 1] if number <= len(self.plies) else None
        wrong = self._wrong(truth, event, position, number)
        if wrong is not None:
            self.score.wrong.append(wrong)
            self.lost = True
            return
        assert truth is not None, "a claim before its ply is wrong"
        truth.confirmed_us = now_us
        if by_hand:
            self.score.entered += 1
        else:
            self.score.confirmed += 1
            self.score.together += together
            if truth.pressed_us is None:
                self.score.settled_ms.append((now_us - truth.touched_us) // 1000)
            elif not together:
                self.score.to_sure_ms.append((now_us - max(truth.touched_us, truth.pressed_us)) // 1000)
        self._close("entered" if by_hand else "confirmed", now_us)

    def _wrong(self, truth: Truth | None, event: MovePlayed, position: Position, number: int) -> Wrong | None:
        ply = self.first + number
        if truth is None:
            return Wrong(ply, event.text, "nothing yet", "")
        due = stones_due(position)
        if truth.offence and event.confirmed_by != "arbiter":
            differs = _differing(due, truth.lying) if truth.lying else ""
            if differs or not truth.lying:
                return Wrong(ply, event.text, truth.offence, differs)
            return None
        if position != truth.sowing.after:
            detail = _differing(due, stones_due(truth.sowing.after))
            return Wrong(ply, event.text, format_short(truth.sowing), detail)
        if truth.lying and truth.lying != due and truth.lying != swept_stones(position):
            return Wrong(ply, event.text, "other stones than due", _differing(due, truth.lying))
        return None

    def watches(self, watch: Watch, now_us: int) -> None:
        """Judge what the board shows of its watching."""
        if watch.sensed not in ASKING:
            if watch.sensed == "matches":
                self._close("matches", now_us)
            return
        if watch.sensed == "unreadable" and not self.waiting:
            return
        if self._ask is None:
            places = tuple(sorted({note.place for note in watch.notes if note.place is not None}))
            self._open(watch.notes[0].code if watch.notes else watch.sensed, places, now_us)

    def overdue(self, now_us: int) -> None:
        """Hear that a ply has been waited for too long though the board asks nothing."""
        if self._ask is None:
            self._open("silent", (), now_us)

    @property
    def asking(self) -> bool:
        """Whether an ask is open."""
        return self._ask is not None

    @property
    def waiting(self) -> tuple[Truth, ...]:
        """The finished plies that are not final yet, oldest first."""
        return tuple(truth for truth in self.plies[self._final :] if truth.pressed_us is not None)

    @property
    def open_plies(self) -> tuple[Truth, ...]:
        """All plies begun that are not final yet, oldest first."""
        return tuple(self.plies[self._final :])

    def finish(self) -> Score:
        """Close the books."""
        score = self.score
        score.plies = len(self.plies)
        score.never = 0 if self.lost else len(self.plies) - self._final
        number_chains(score.asks)
        return score

    def _open(self, reason: str, places: tuple[int, ...], now_us: int) -> None:
        self._ask = Ask(self.first + self._final + 1, reason, places, now_us)
        self.score.asks.append(self._ask)

    def _close(self, ended: str, now_us: int) -> None:
        if self._ask is not None:
            self._ask.until_us, self._ask.ended = now_us, ended
            self._ask = None


def _differing(claimed: Sequence[int], lying: Sequence[int]) -> str:
    return ", ".join(
        f"{place_name(place)}: {one}/{other}"
        for place, (one, other) in enumerate(zip(claimed, lying, strict=True))
        if one != other
    )


Tell = Callable[[str], None]
