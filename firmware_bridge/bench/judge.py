"""Holds what the session claims against where the stones truly lie (pure).

Truth comes from the hands and the world, never from the session: every ply the hands finished, every press,
and at that press the stones of each place. A final position is wrong when the ply is not the one played, when
it comes before the hands were through, or when other stones lay there at the press.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from firmware_bridge.bench.expected import counts_or_presses_differ
from firmware_bridge.bench.referee import told_of
from firmware_bridge.bench.score import Alarm, Ask, Offended, Score, Wrong, number_chains
from firmware_bridge.board.counting.lots import stones_due, swept_stones
from firmware_bridge.board.inputs import Watch
from firmware_bridge.emulator.offences import OffendedPly
from firmware_bridge.layout import place_name
from rules.game import InfractionSeen, MovePlayed
from rules.infractions.diagnose import Diagnosis
from rules.notation.moves import format_short
from rules.position import Position, Sowing

ASKING = ("differs", "unreadable")
"""What a watch calls itself when a person has to look."""

UNREAD_US = 3_000_000
"""A place that cannot be read is a question only if the ply is still waited for so long after its press."""


@dataclass(slots=True)
class Truth:
    """One ply as it really was.

    Attributes:
        sowing: The ply of the record.
        offence: What was done against the rules instead; None: nothing.
        touched_us: Last time a hand or a stone moved on the board for it.
        pressed_us: When it was pressed for; None: not, or not yet.
        lying: The stones of each place at the press; empty when a hand held stones then.
        confirmed_us: When it became final; None: not yet.
    """

    sowing: Sowing
    offence: Offended | None = None
    touched_us: int = 0
    pressed_us: int | None = None
    lying: tuple[int, ...] = ()
    confirmed_us: int | None = None


@dataclass(slots=True)
class Judge:
    """Keeps the score of one scene.

    Attributes:
        first: How many plies lie before the scene.
        plies: The plies begun by the hands, in order.
        score: What has been found.
        lost: A position was claimed that is not the true one, so nothing after it means anything.
        disturbed_us: When the table has come to rest, as far as is known.
    """

    first: int
    plies: list[Truth] = field(default_factory=list)
    score: Score = field(default_factory=Score)
    lost: bool = False
    disturbed_us: float = 0.0
    _ask: Ask | None = None
    _final: int = 0
    _plan: OffendedPly | None = None

    # --- what the hands do ---------------------------------------------------------------------------

    def begins(self, sowing: Sowing) -> None:
        """Hear that the hands begin a ply."""
        self.plies.append(Truth(sowing))

    def touched(self, at_us: int) -> None:
        """Hear that a hand or a stone moved for the latest ply."""
        self.plies[-1].touched_us = at_us

    def pressed(self, at_us: int, lying: tuple[int, ...]) -> None:
        """Hear that the latest ply was pressed for; `lying` is empty when stones were in a hand."""
        truth = self.plies[-1]
        if truth.pressed_us is None:
            truth.pressed_us, truth.lying = at_us, lying

    def offends(
        self, kind: str, lying: tuple[int, ...], *, legal_too: bool, plan: OffendedPly | None = None
    ) -> None:
        """Hear that the latest ply was played against the rules, and what lies there now.

        Args:
            kind: What was done.
            lying: What lies there.
            legal_too: A legal ply leads there too.
            plan: How it was done, to hold against it what the table tells; None: nothing is told.
        """
        truth = self.plies[-1]
        truth.lying = lying
        truth.offence = Offended(ply=self.first + len(self.plies), kind=kind, legal_too=legal_too)
        if plan is not None:
            truth.offence.as_due = plan.as_due
            truth.offence.must = counts_or_presses_differ(plan)
        self._plan = plan
        self.score.offended.append(truth.offence)

    def mends(self, lying: tuple[int, ...]) -> None:
        """Hear that the players have put the latest ply right; it may have become final a moment before."""
        truth = self.plies[-1]
        if truth.offence is not None and truth.confirmed_us is None:
            truth.offence.mended = False
            truth.lying = lying

    # --- what the session says -----------------------------------------------------------------------

    def moves(
        self, events: Sequence[MovePlayed], after: Sequence[Position], now_us: int, lying: tuple[int, ...]
    ) -> None:
        """Judge plies that became final in one step.

        Args:
            events: The moves.
            after: The position after each of them.
            now_us: Device time.
            lying: What truly lies there now.
        """
        offence = self._offence_among(len(events))
        if offence is not None and not offence.legal_too and lying == stones_due(after[-1]):
            self.mends(lying)  # the last stone lies right before the players say that they are done
        if offence is not None and offence.mended is None and events[-1].confirmed_by != "arbiter":
            self._claims(offence, events[-1], after[-1], now_us)
            return
        for place, (event, position) in enumerate(zip(events, after, strict=True)):
            if not self.lost:
                self._judge(event, position, now_us, together=place < len(events) - 1)

    def _offence_among(self, claims: int) -> Offended | None:
        for truth in self.plies[self._final : self._final + claims]:
            if truth.offence is not None and not truth.offence.as_due:
                return truth.offence
        return None

    def _claims(self, offence: Offended, event: MovePlayed, position: Position, now_us: int) -> None:
        """Judge that an offended ply was taken for a legal one; nothing after it can be judged."""
        truth = self.plies[-1]
        offence.outcome = "claimed"
        offence.after_ms = _ms(now_us - (truth.pressed_us or truth.touched_us))
        self.lost = True
        if truth.lying != stones_due(position):
            detail = _differing(stones_due(position), truth.lying)
            self.score.wrong.append(Wrong(offence.ply, event.text, offence.kind, detail))

    def _judge(self, event: MovePlayed, position: Position, now_us: int, *, together: bool) -> None:
        number = self._final + 1
        self._final = number
        truth = self.plies[number - 1] if number <= len(self.plies) else None
        wrong = self._wrong(truth, event, position, self.first + number)
        if wrong is not None:
            self.score.wrong.append(wrong)
            self.lost = True
            return
        assert truth is not None, "a claim before its ply is wrong"
        truth.confirmed_us = now_us
        if truth.offence is not None:
            truth.offence.mended = True
        if event.confirmed_by == "arbiter":
            self.score.entered += 1
            self._close("entered", now_us)
            return
        self.score.confirmed += 1
        self.score.together += together
        self._close("confirmed", now_us)
        if not together and truth.offence is None:
            self._time(truth, number, now_us)

    def _time(self, truth: Truth, number: int, now_us: int) -> None:
        if truth.pressed_us is None:
            self.score.settled_ms.append(_ms(now_us - truth.touched_us))
        elif number < len(self.plies):
            self.score.overtaken += 1
        else:
            since_us = max(truth.touched_us, truth.pressed_us, min(self.disturbed_us, now_us))
            self.score.to_sure_ms.append(_ms(now_us - since_us))

    def _wrong(self, truth: Truth | None, event: MovePlayed, position: Position, ply: int) -> Wrong | None:
        if truth is None:
            return Wrong(ply, event.text, "nothing yet", "")
        due = stones_due(position)
        if position != truth.sowing.after:
            detail = _differing(due, stones_due(truth.sowing.after))
            return Wrong(ply, event.text, format_short(truth.sowing), detail)
        if truth.lying and truth.lying not in (due, swept_stones(position)):
            return Wrong(ply, event.text, "other stones than due", _differing(due, truth.lying))
        return None

    def infraction(self, event: InfractionSeen, found: Sequence[Diagnosis], now_us: int) -> None:
        """Judge what the table tells of a fault: the first one after an offence answers it, others are false.

        Args:
            event: What is told.
            found: All explanations that the table has, the likeliest first.
            now_us: Device time.
        """
        offence = self.score.offended[-1] if self.score.offended else None
        if offence is None or offence.told is not None or self._plan is None:
            self.score.alarms.append(Alarm(ply=self.first + len(self.plies), faults=event.faults))
            return
        pressed_us = self.plies[offence.ply - self.first - 1].pressed_us
        after_ms = None if pressed_us is None else _ms(now_us - pressed_us)
        offence.told = told_of(self._plan, event, found, after_ms)

    def watches(self, watch: Watch, now_us: int) -> None:
        """Judge what the board shows of its watching."""
        if watch.sensed not in ASKING:
            if watch.sensed == "matches":
                self._close("matches", now_us)
            return
        unread = watch.sensed == "unreadable"
        if self._ask is None and not (unread and not self._waited(now_us, UNREAD_US)):
            places = tuple(sorted({note.place for note in watch.notes if note.place is not None}))
            self._open(watch.notes[0].code if watch.notes else watch.sensed, places, now_us)

    def _waited(self, now_us: int, patience_us: int) -> bool:
        waiting = self.waiting
        if not waiting:
            return False
        return now_us - (waiting[-1].pressed_us or 0) >= patience_us

    def not_started(self, now_us: int) -> None:
        """Hear that the board never saw that it was set up."""
        self._open("not_set_up", (), now_us)
        self._close("entered", now_us)

    def overdue(self, now_us: int) -> None:
        """Hear that a ply has been waited for too long though the board asks nothing."""
        if self._ask is None:
            self._open("silent", (), now_us)

    def alarms_after_end(self, watch: Watch) -> None:
        """Judge a watch shown after the end of the game: whatever the players do then is theirs."""
        if watch.sensed in ASKING:
            self.score.notes.append(f"alarm after the end: {watch.sensed}")

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
        for truth in self.waiting:
            if truth.offence is not None and truth.offence.outcome == "silent":
                truth.offence.outcome = "asked"
                truth.offence.after_ms = _ms(now_us - (truth.pressed_us or truth.touched_us))

    def _close(self, ended: str, now_us: int) -> None:
        if self._ask is not None:
            self._ask.until_us, self._ask.ended = now_us, ended
            self._ask = None


def _ms(us: float) -> int:
    return round(us / 1000)


def _differing(claimed: Sequence[int], lying: Sequence[int]) -> str:
    return ", ".join(
        f"{place_name(place)}: {one}/{other}"
        for place, (one, other) in enumerate(zip(claimed, lying, strict=False))
        if one != other
    )
