"""Two players' hands: a list of sowings becomes timed actions on channels and buttons.

Pure and seeded. The hands know which channel lies under which pit, what the device shows them (the host-lost
lamp and the running dial) and nothing about weights, frames or the host. They are asked again and again what
has become due; time is device time in microseconds and is always an argument.

A turn is a script: wait for the own dial, think, carry the ply out (`turns`), press. Two laws of conduct: a
ply once begun is finished and pressed whatever the lamps say, and none is begun while the host-lost lamp is
lit. A ply for which an offence is asked is played against the rules instead (`offences`); then the hands
wait, or put the board right by themselves. Hands whose script has ended do what they are told (`told`).
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random

from firmware_bridge.emulator.actions import (
    AllDone,
    Lapse,
    Lift,
    OffenceDone,
    PlyDone,
    Reach,
    Signals,
    Timed,
    Touch,
)
from firmware_bridge.emulator.afterwards import Aftermath
from firmware_bridge.emulator.breaches import Breach
from firmware_bridge.emulator.fingers import Fingers
from firmware_bridge.emulator.offences import Kind, OffendedPly, plan
from firmware_bridge.emulator.offending import commit, mend
from firmware_bridge.emulator.pace import Manners, Pace, Span
from firmware_bridge.emulator.steps import Motion, Pause, Script, Step, Until
from firmware_bridge.emulator.strokes import marked_pits
from firmware_bridge.emulator.told import ToldStep, script_of
from firmware_bridge.emulator.turns import Turn
from rules.position import EndReason, Position, Side, Sowing, outcome

BETWEEN_READY_S: Span = (0.5, 1.5)
"""From one player's "ready" to the other's (estimate)."""

HEED_S = 1.0
"""From being told that something is wrong to the hand that puts it right (estimate)."""

LINGER_S: Span = (0.1, 0.8)
"""How long a finger stays on a pit after the press (estimate)."""

EARLY_S: Span = (0.02, 0.3)
"""How long before the press an impatient opponent reaches into his pit (estimate)."""

WELL_BEFORE_S: Span = (1.0, 2.0)
"""How long before the press he has them there where that is the offence (estimate: no haste explains it)."""

LIFTS_EARLY = 0.5
"""How often he has the stones in his hand before the press: a share of 1 (estimate)."""


class ImpossibleOffenceError(ValueError):
    """Raised when hands are asked to offend in a way that their ply does not allow."""


class Hands:
    """Plays sowings on a board, one table's two players.

    Args:
        sowings: what is to be played, in order; taken one at a time, so they may come from a live source.
            Players who reach out early must know more: then they are taken one ahead.
        wiring: channels and buttons.
        pace: tempo of both.
        manners: behaviour around the moves.
        seed: of every duration and choice.
        offences: what is to be done against the rules, by the number of the ply, from 1; None: nothing.

    Attributes:
        plies: finished as they were due, or put right.
        offended: True while an offended ply stands on the board.
        done: the script has ended; never where the hands wait for ever.
    """

    def __init__(
        self,
        sowings: Iterable[Sowing],
        wiring: Reach,
        pace: Pace,
        manners: Manners,
        seed: int,
        offences: Mapping[int, Kind] | None = None,
    ) -> None:
        self._sowings = sowings
        self._wiring = wiring
        self._pace = pace
        self._manners = manners
        self._rng = Random(seed)
        self._fingers = Fingers(wiring, pace, manners, self._rng)
        self._offences = {} if offences is None else offences
        self._begun: Turn | None = None
        self._script = self._whole_game()
        self._told: deque[Script] = deque()
        self._lines = 0
        self._until: Until | None = None
        self._looked = False
        self._came: bool | None = None
        self._due_us = 0
        self.plies = 0
        self.offended = False
        self.done = False

    def next_action(self, now_us: int, signals: Callable[[], Signals]) -> Timed | None:
        """Return the next action that is due by `now_us`, or None; ask again until None.

        Each action is to be carried out before the next question, since it may change what the players see.
        `signals` is called only while they wait for something.

        Raises:
            ImpossibleOffenceError: an offence was asked for that the ply due does not allow.
        """
        if self.done and self._told:
            self._script, self._came, self.done = self._told.popleft(), None, False
            self._due_us = max(now_us, self._due_us)
        while not self.done and self._is_due(now_us, signals):
            step = self._next_step()
            if step is None:
                self.done = True
            elif isinstance(step, Pause):
                self._due_us += round(step.seconds * 1e6)
            elif isinstance(step, Until):
                self._until, self._looked = step, False
            else:
                return Timed(self._due_us, step)
        return None

    def tell(self, steps: Iterable[ToldStep]) -> None:
        """Let the hands do this once their script has ended, and what they were told before."""
        self._lines += 1
        self._told.append(script_of(steps, self._fingers, self._lines))

    @property
    def idle(self) -> bool:
        """Whether the hands have nothing to do."""
        return self.done and not self._told

    def wait(self, seconds: float) -> None:
        """Let what comes next come so much later: a table that cannot age its world waits out a `Lapse`."""
        self._due_us += round(seconds * 1e6)

    def _next_step(self) -> Step | None:
        """Return what the script wants next, told whether what it waited for came; None at its end."""
        try:
            return self._script.send(self._came)
        except StopIteration:
            return None

    def _is_due(self, now_us: int, signals: Callable[[], Signals]) -> bool:
        """Return whether the script goes on now; a signal that is there at the first look costs no time."""
        if self._until is None:
            return self._due_us <= now_us
        if self._until.seen(signals()):
            self._came = True
            if self._looked:
                self._due_us = max(now_us, self._due_us)
        else:
            self._looked = True
            if self._until.at_latest_s is None:
                return False
            latest_us = self._due_us + round(self._until.at_latest_s * 1e6)
            if now_us < latest_us:
                return False
            self._came, self._due_us = False, latest_us
        self._until = None
        return True

    # -- the script --------------------------------------------------------------------------------

    def _whole_game(self) -> Script:
        position: Position | None = None
        played: list[Position] = []
        for sowing, following in self._with_following():
            if position is None:
                yield from self._get_ready(sowing.side)
            offence = self._offences.get(self.plies + 1)
            if offence is None:
                yield from self._turn(sowing, following)
            else:
                yield from self._offend(sowing, offence, following)
            position = sowing.after
            played.append(position)
            self.plies += 1
            yield PlyDone(self.plies, sowing)
        if position is not None and outcome(position) is not None:
            yield from self._end(position)
            yield from self._talk_over(position, played)
        yield AllDone(self.plies)

    def _with_following(self) -> Iterator[tuple[Sowing, Sowing | None]]:
        """Yield each sowing with the next; a live source is not asked ahead unless somebody must know."""
        known = self._manners.early or Breach.MOVED_BEFORE_PRESS in self._offences.values()
        if not known:
            yield from ((sowing, None) for sowing in self._sowings)
            return
        last: Sowing | None = None
        for sowing in self._sowings:
            if last is not None:
                yield last, sowing
            last = sowing
        if last is not None:
            yield last, None

    def _get_ready(self, first: Side) -> Script:
        """Check the set-up, then each presses once; the one who moves first presses last.

        Where no dial starts, the presses are repeated, the other player's first: should the game have begun
        meanwhile, a press of the player who is not on the move changes nothing.
        """
        yield from self._attend()
        yield self._fingers.pause(self._manners.setup_check_s)
        for _ in range(1000):
            yield from self._fingers.press(first.opponent)
            yield self._fingers.pause(BETWEEN_READY_S)
            if self._manners.wait_for_clock:
                came = yield Until(self._dial_runs(first), 0.0)
                if came:
                    return
            yield from self._fingers.press(first)
            if not self._manners.wait_for_clock:
                return
            came = yield Until(self._dial_runs(first), self._manners.press_again_s)
            if came:
                return
            yield from self._attend()

    def _turn(self, sowing: Sowing, following: Sowing | None) -> Script:
        turn = self._begun
        if turn is None:
            turn = Turn(sowing, self._fingers)
            yield from self._come_to_move(turn, sowing.side)
            yield from turn.adjust()
            yield from turn.gather()
        else:
            self._begun = None
            yield from self._wait_for_dial(sowing.side)
        yield from turn.sow()
        yield from turn.capture()
        won = sowing.tuzdyk is not None
        late = won and self._fingers.happens(self._manners.mark_late)
        if won and not late:
            yield from turn.mark()
        if outcome(sowing.after) is None:
            yield from self._hand_over(turn, sowing.side, following)
        if late:
            yield from turn.mark()

    def _come_to_move(self, turn: Turn, side: Side) -> Script:
        """Wait for the own dial, think, and look once more before the hand goes out."""
        yield from self._wait_for_dial(side)
        if self._pace.lapse_s is not None:
            yield Lapse(self._rng.uniform(*self._pace.lapse_s))
        yield from turn.think()
        yield from self._be_sure(side)

    def _hand_over(self, turn: Turn, side: Side, following: Sowing | None) -> Script:
        """Press; a finger may stay on the board, and the opponent may not wait for the press."""
        lingers = self._fingers.happens(self._manners.linger)
        if lingers:
            yield Touch(turn.last, self._fingers.firmness())
        before = self._fingers.pause(self._pace.press_s)
        come_early = following is not None and self._fingers.happens(self._manners.early)
        if following is not None and come_early and self.plies + 2 not in self._offences:
            yield from self._press_while_reached_into(side, following, before)
        else:
            yield before
            yield from self._fingers.press(side)
        if lingers:
            yield self._fingers.pause(LINGER_S)
            yield Touch(turn.last, 0.0)

    def _press_while_reached_into(self, side: Side, following: Sowing, before: Pause) -> Script:
        came = yield Until(lambda signals: not signals.host_lost, 0.0)
        if not came:
            yield before
            yield from self._fingers.press(side)
            return
        early_s = min(self._rng.uniform(*EARLY_S), before.seconds)
        lifts = self._fingers.happens(LIFTS_EARLY)
        self._begun = turn = Turn(following, self._fingers)
        yield Pause(before.seconds - early_s)
        yield Touch(turn.origin, self._fingers.firmness())
        yield Pause(early_s / 2)
        if lifts:
            yield Lift(turn.origin, following.side.index, following.stones)
            yield Touch(turn.origin, 0.0)
        yield Pause(early_s / 2)
        yield from self._fingers.press(side)
        if not lifts:
            yield Lift(turn.origin, following.side.index, following.stones)
            yield Touch(turn.origin, 0.0)

    def _offend(self, sowing: Sowing, offence: Kind, following: Sowing | None) -> Script:
        """Play a ply against the rules and press; then wait for ever, or put it right.

        Where the stones lie as they should and the player has pressed, nothing is to be put right.
        """
        offended = plan(offence, sowing, self._rng)
        if offended is None:
            raise ImpossibleOffenceError(
                f"ply {self.plies + 1} cannot be played with the offence {offence.value}: choose another ply"
            )
        yield from self._come_to_move(Turn(sowing, self._fingers), sowing.side)
        yield from commit(offended, self._fingers)
        if offence is Breach.MOVED_BEFORE_PRESS and following is not None:
            yield from self._take_up_early(following)
        if not any(aside.press is not None for aside in offended.asides):
            yield from self._fingers.press(sowing.side)
        self.offended = True
        yield OffenceDone(self.plies + 1, offence, offended.stones, offended)
        yield from self._put_it_right(offended)
        self.offended = False

    def _take_up_early(self, following: Sowing) -> Motion:
        """Let the other player take up the pit of his answer, and hold its stones for a while."""
        self._begun = turn = Turn(following, self._fingers)
        yield from turn.gather()
        yield self._fingers.pause(WELL_BEFORE_S)

    def _put_it_right(self, offended: OffendedPly) -> Script:
        pressed = offended.sowing.side in offended.presses
        marked = any(aside.mark not in (None, offended.sowing.last_index) for aside in offended.asides)
        if offended.as_due and pressed and not marked:
            return
        if self._manners.mend_after_s is None:
            while True:
                yield Until(lambda _signals: False)
        yield Until(lambda signals: signals.told, self._manners.mend_after_s)
        yield Pause(HEED_S)
        yield from mend(offended, self._fingers)
        if not pressed:
            yield self._fingers.pause(self._pace.press_s)
            yield from self._fingers.press(offended.sowing.side)

    def _end(self, last: Position) -> Script:
        """End without a press. After atsyrau the player who has stones sweeps them into his kazan."""
        if self._manners.wait_for_clock:
            yield Until(lambda signals: signals.running == 0, self._manners.sweep_at_latest_s)
        yield self._fingers.pause(self._manners.sweep_after_s)
        yield from self._attend()
        ending = outcome(last)
        assert ending is not None
        if ending.reason is EndReason.ATSYRAU:
            for index, stones in enumerate(last.pits):
                if stones:
                    yield from self._fingers.carry(self._wiring.pits[index], stones, last.to_move.opponent)
        if self._manners.confirm_after_s is not None:
            yield Pause(self._manners.confirm_after_s)
            for side in Side:
                yield from self._fingers.press(side)
                yield self._fingers.pause(BETWEEN_READY_S)

    def _talk_over(self, last: Position, played: list[Position]) -> Motion:
        """Do with the stones what players do when it no longer matters."""
        ending = outcome(last)
        assert ending is not None
        swept = ending.reason is EndReason.ATSYRAU
        stones = ((0,) * len(last.pits) if swept else last.pits) + ending.kazans
        yield from Aftermath(self._fingers, stones, marked_pits(last), played).scenes(
            self._manners.post_mortem
        )

    # -- manners -----------------------------------------------------------------------------------

    def _attend(self) -> Script:
        """Wait while the host-lost lamp is lit; then go on a little after it went out."""
        came = yield Until(lambda signals: not signals.host_lost, 0.0)
        if not came:
            yield Until(lambda signals: not signals.host_lost)
            yield Pause(self._manners.go_on_s)

    def _wait_for_dial(self, side: Side) -> Script:
        """Wait until `side`'s dial runs; if the other's runs on, its press did nothing: it is repeated."""
        if not self._manners.wait_for_clock:
            return
        while True:
            came = yield Until(self._dial_runs(side), self._manners.press_again_s)
            if came:
                return
            came = yield Until(self._dial_runs(side.opponent), 0.0)
            if came:
                yield from self._attend()
                yield from self._fingers.press(side.opponent)

    def _be_sure(self, side: Side) -> Script:
        """Look once more before the hand goes out: the host is there and the own dial still runs."""
        while True:
            yield from self._attend()
            yield from self._wait_for_dial(side)
            came = yield Until(lambda signals: not signals.host_lost, 0.0)
            if came:
                return

    def _dial_runs(self, side: Side) -> Callable[[Signals], bool]:
        dial = self._wiring.buttons[side.index] + 1
        return lambda signals: signals.running == dial
