"""Two players' hands: a list of sowings becomes timed actions on channels and buttons.

Pure and seeded. The hands know which channel lies under which pit, what the device shows them (the host-lost
lamp and the running dial) and nothing about weights, frames or the host. They are asked again and again what
has become due; time is device time in microseconds and is always an argument.

A turn is a script: wait for the own dial, think, gather, sow stone by stone along `Sowing.path`, carry what
was captured, lay a tuzdyk's mark, press. Two laws of conduct: a ply once begun is finished and pressed
whatever the lamps say, and none is begun while the host-lost lamp is lit.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from random import Random

from firmware_bridge.emulator.actions import (
    Action,
    AllDone,
    Button,
    Drop,
    Lift,
    PlaceMark,
    PlyDone,
    Signals,
    Timed,
    Touch,
    Wiring,
)
from firmware_bridge.emulator.pace import Manners, Pace, Span
from rules.position import EndReason, Position, Side, Sowing, outcome, pit_index, tuzdyk_owner

PRESS_LASTS_S: Span = (0.06, 0.14)
"""How long a clock's lever is held down (estimate)."""

FETCH_S: Span = (0.12, 0.35)
"""How long a stone touches a tuzdyk pit before it is fetched (estimate)."""

BETWEEN_READY_S: Span = (0.5, 1.5)
"""From one player's "ready" to the other's (estimate)."""

FIRMNESS = (0.2, 1.0)
"""How hard fingers gather stones, as a share of the profile's strongest touch."""

TWO_HANDFULS = 0.6
"""How often a capture above a handful goes in two: a share of 1 (estimate)."""


@dataclass(frozen=True, slots=True)
class _Pause:
    seconds: float


@dataclass(frozen=True, slots=True)
class _Until:
    """Wait for a signal, or until `at_latest_s` has run out; the script is sent whether the signal came."""

    seen: Callable[[Signals], bool]
    at_latest_s: float | None = None


_Step = Action | _Pause | _Until
_Script = Generator[_Step, bool | None]


class Hands:
    """Plays sowings on a board, one table's two players.

    Args:
        sowings: what is to be played, in order; taken one at a time, so they may come from a live source.
        wiring: channels and buttons.
        pace: tempo of both.
        manners: behaviour around the moves.
        seed: of every duration and choice.
    """

    def __init__(
        self, sowings: Iterable[Sowing], wiring: Wiring, pace: Pace, manners: Manners, seed: int
    ) -> None:
        self._sowings = sowings
        self._wiring = wiring
        self._pace = pace
        self._manners = manners
        self._rng = Random(seed)
        self._script = self._whole_game()
        self._until: _Until | None = None
        self._looked = False
        self._came: bool | None = None
        self._due_us = 0
        self.plies = 0
        self.done = False

    def next_action(self, now_us: int, signals: Callable[[], Signals]) -> Timed | None:
        """Return the next action that is due by `now_us`, or None; ask again until None.

        Each action is to be carried out before the next question, since it may change what the players see.
        `signals` is called only while they wait for something.
        """
        while not self.done and self._is_due(now_us, signals):
            step = self._next_step()
            if step is None:
                self.done = True
            elif isinstance(step, _Pause):
                self._due_us += round(step.seconds * 1e6)
            elif isinstance(step, _Until):
                self._until, self._looked = step, False
            else:
                return Timed(self._due_us, step)
        return None

    def _next_step(self) -> _Step | None:
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

    def _whole_game(self) -> _Script:
        position: Position | None = None
        for sowing in self._sowings:
            if position is None:
                yield from self._get_ready(sowing.side)
            yield from self._turn(sowing)
            position = sowing.after
            self.plies += 1
            yield PlyDone(self.plies, sowing)
        if position is not None and outcome(position) is not None:
            yield from self._end(position)
        yield AllDone(self.plies)

    def _get_ready(self, first: Side) -> _Script:
        """Check the set-up, then each presses once; the one who moves first presses last.

        Where no dial starts, the presses are repeated, the other player's first: should the game have begun
        meanwhile, a press of the player who is not on the move changes nothing.
        """
        yield from self._attend()
        yield self._pause(self._manners.setup_check_s)
        for _ in range(1000):
            yield from self._press(first.opponent)
            yield self._pause(BETWEEN_READY_S)
            if self._manners.wait_for_clock:
                came = yield _Until(self._dial_runs(first), 0.0)
                if came:
                    return
            yield from self._press(first)
            if not self._manners.wait_for_clock:
                return
            came = yield _Until(self._dial_runs(first), self._manners.press_again_s)
            if came:
                return
            yield from self._attend()

    def _turn(self, sowing: Sowing) -> _Script:
        yield from self._wait_for_dial(sowing.side)
        yield self._pause(self._pace.think_s)
        yield from self._be_sure(sowing.side)
        yield from self._gather(sowing)
        for index in sowing.path:
            yield self._pause(self._pace.stone_s)
            yield from self._let_fall(sowing, index)
        if sowing.captured:
            yield from self._capture(sowing)
        if sowing.tuzdyk is not None:
            yield self._pause(self._pace.carry_s)
            yield PlaceMark(self._wiring.pits[sowing.last_index])
        if outcome(sowing.after) is None:
            yield self._pause(self._pace.press_s)
            yield from self._press(sowing.side)

    def _gather(self, sowing: Sowing) -> _Script:
        channel = self._wiring.pits[pit_index(sowing.side, sowing.number)]
        yield Touch(channel, self._rng.uniform(*FIRMNESS))
        yield self._pause(self._pace.lift_s)
        yield Lift(channel, sowing.side.index, sowing.stones)
        yield Touch(channel, 0.0)

    def _let_fall(self, sowing: Sowing, index: int) -> _Script:
        """Let one stone fall; of a tuzdyk pit it goes to the owner's kazan, at once or after a touch."""
        hand = sowing.side.index
        owner = tuzdyk_owner(index, sowing.before.tuzdyks)
        if owner is None:
            yield Drop(self._wiring.pits[index], hand, 1)
            return
        kazan = self._wiring.kazans[owner.index]
        if self._rng.random() >= self._manners.tuzdyk_touch:
            yield Drop(kazan, hand, 1)
            return
        free_hand = hand + 2
        yield Drop(self._wiring.pits[index], hand, 1)
        yield self._pause(FETCH_S)
        yield Lift(self._wiring.pits[index], free_hand, 1)
        yield self._pause(FETCH_S)
        yield Drop(kazan, free_hand, 1)

    def _capture(self, sowing: Sowing) -> _Script:
        pit = self._wiring.pits[sowing.last_index]
        yield from self._carry(pit, sowing.captured, sowing.side)

    def _carry(self, channel: int, stones: int, side: Side) -> _Script:
        """Carry stones of one channel to a side's kazan, in one handful or two."""
        handfuls = [stones]
        if stones > self._manners.handful and self._rng.random() < TWO_HANDFULS:
            first = self._rng.randint(stones // 3, stones - stones // 3)
            handfuls = [first, stones - first]
        for handful in handfuls:
            yield self._pause(self._pace.carry_s)
            yield Touch(channel, self._rng.uniform(*FIRMNESS))
            yield self._pause(self._pace.lift_s)
            yield Lift(channel, side.index, handful)
            yield Touch(channel, 0.0)
            yield self._pause(self._pace.carry_s)
            yield Drop(self._wiring.kazans[side.index], side.index, handful)

    def _end(self, last: Position) -> _Script:
        """End without a press. After atsyrau the player who has stones sweeps them into his kazan."""
        if self._manners.wait_for_clock:
            yield _Until(lambda signals: signals.running == 0, self._manners.sweep_at_latest_s)
        yield self._pause(self._manners.sweep_after_s)
        yield from self._attend()
        ending = outcome(last)
        assert ending is not None
        if ending.reason is EndReason.ATSYRAU:
            for index, stones in enumerate(last.pits):
                if stones:
                    yield from self._carry(self._wiring.pits[index], stones, last.to_move.opponent)
        if self._manners.confirm_after_s is not None:
            yield _Pause(self._manners.confirm_after_s)
            for side in Side:
                yield from self._press(side)
                yield self._pause(BETWEEN_READY_S)

    # -- manners -----------------------------------------------------------------------------------

    def _attend(self) -> _Script:
        """Wait while the host-lost lamp is lit; then go on a little after it went out."""
        came = yield _Until(lambda signals: not signals.host_lost, 0.0)
        if not came:
            yield _Until(lambda signals: not signals.host_lost)
            yield _Pause(self._manners.go_on_s)

    def _wait_for_dial(self, side: Side) -> _Script:
        """Wait until `side`'s dial runs; if the other's runs on, its press did nothing: it is repeated."""
        if not self._manners.wait_for_clock:
            return
        while True:
            came = yield _Until(self._dial_runs(side), self._manners.press_again_s)
            if came:
                return
            came = yield _Until(self._dial_runs(side.opponent), 0.0)
            if came:
                yield from self._attend()
                yield from self._press(side.opponent)

    def _be_sure(self, side: Side) -> _Script:
        """Look once more before the hand goes out: the host is there and the own dial still runs."""
        while True:
            yield from self._attend()
            yield from self._wait_for_dial(side)
            came = yield _Until(lambda signals: not signals.host_lost, 0.0)
            if came:
                return

    def _dial_runs(self, side: Side) -> Callable[[Signals], bool]:
        dial = self._wiring.buttons[side.index] + 1
        return lambda signals: signals.running == dial

    def _press(self, side: Side) -> _Script:
        button = self._wiring.buttons[side.index]
        yield Button(button, down=True)
        yield self._pause(PRESS_LASTS_S)
        yield Button(button, down=False)

    def _pause(self, span: Span) -> _Pause:
        return _Pause(self._rng.uniform(*span))
