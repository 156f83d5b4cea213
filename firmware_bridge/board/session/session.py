# ruff: noqa: SLF001 - the table of handlers is part of the class
"""The life of a table, as a table: which input means what in which phase (pure).

`HANDLERS` is the whole machine. A pair that is not in it does nothing: a press is acknowledged, a
command is refused in words, a look is forgotten. Handlers return a `Step`; the session has taken
the step already when it returns it, and the caller makes the events durable before it performs
the effects. No handler knows of files, wires or wall time.

What commits a ply (house law 5): a press, once the board has stayed quiet behind it and shows
exactly that play; or a finished game that lies there settled, for nobody presses after that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_bridge.board.inputs import (
    Acknowledge,
    Adjust,
    Assign,
    ButtonPressed,
    Command,
    DeviceArrived,
    DeviceGone,
    DeviceTrouble,
    Effect,
    End,
    Enter,
    Input,
    Late,
    Looked,
    Note,
    Release,
    Resume,
    Ruling,
    SetClock,
    ShowClock,
    Start,
    Step,
    Suspend,
    Watch,
)
from firmware_bridge.board.session import decisions, notes, rulings
from firmware_bridge.board.session.before_play import BeforePlay
from firmware_bridge.board.watching.look import Look
from firmware_bridge.board.watching.reconciler import Ambiguous, Played
from rules.errors import EventError, RulesError
from rules.game import (
    ClockPressed,
    Confirmation,
    GameEvent,
    GameReleased,
    GameResumed,
    GameSuspended,
    Phase,
    ResultConfirmed,
)

HABIT_US = 3_000_000
"""A press so soon after the end is the habit of the last move, no confirmation of the result."""


class Session(BeforePlay):
    """One table: the machine of its whole life.

    Attributes:
        game: The game as folded so far; what the journal says, and nothing else.
        watch: How the board looks at this moment.
        hands: What hands were seen to do with the newest input; () where it was no look at a game.
    """

    # --- the one entrance --------------------------------------------------------------------------

    def handle(self, event: Input) -> Step:
        """Take one input; return what it led to."""
        self.hands = ()
        step = self._handled(event)
        if isinstance(event, Looked):
            self._look_for_broken(event)
        return step

    def _handled(self, event: Input) -> Step:
        handler = HANDLERS.get((self.game.phase, type(event)))
        if handler is not None:
            return handler(self, event)
        if isinstance(event, ButtonPressed):
            return Step(effects=(Acknowledge(event.press),))
        if isinstance(event, Command):
            name = type(event).__name__.lower()
            told = f"`{name}` is not possible while the table is {self.game.phase.value}"
            return Step(refusal=told, refused="phase")
        return Step()

    # --- the device --------------------------------------------------------------------------------

    def _device_arrived(self, event: Input) -> Step:
        assert isinstance(event, DeviceArrived)
        self._device_here = True
        self._time_scale = event.time_scale
        self._arrived_us = event.at_us
        if self.watch.sensed == "no_device":
            self.watch = Watch("idle")
        return Step(effects=(ShowClock(),))

    def _device_arrived_playing(self, event: Input) -> Step:
        assert isinstance(event, DeviceArrived)
        self._device_arrived(event)
        if event.restarted:
            # Device time between the two boots is unknown: the clocks stand until a person resumes.
            suspended = GameSuspended(at_us=event.at_us, reason="device_restarted")
            return self._take(suspended, effects=(ShowClock(),))
        return Step(effects=(ShowClock(),))

    def _device_trouble(self, event: Input) -> Step:
        assert isinstance(event, DeviceTrouble)
        self.watch = Watch("unreadable", (Note("device_trouble", detail=event.detail),))
        return Step()

    def _device_gone(self, event: Input) -> Step:
        assert isinstance(event, DeviceGone)
        self._device_here = False
        self._standing.forget()
        self.watch = Watch("no_device", (Note("no_device", detail=event.reason),))
        return Step()

    # --- the game ----------------------------------------------------------------------------------

    def _press(self, event: Input) -> Step:
        assert isinstance(event, ButtonPressed)
        side = self.seating.side_of_button(event.button)
        clock = self.game.clock
        if side is None or clock is None or clock.running is not side:
            return Step(effects=(Acknowledge(event.press),))
        # A press made before the clocks were stopped may be told after they run again.
        at_us = max(event.at_us, clock.since_us or 0)
        self._eye.watching.pressed(side, at_us)
        fallen = self._tell_flag(at_us, patience_us=0)
        pressed = ClockPressed(at_us=at_us, side=side, press=event.press)
        step = self._take(pressed, effects=(Acknowledge(event.press), ShowClock()))
        self._pressed_us = (*self._pressed_us, at_us)
        return Step(fallen.events + step.events, step.effects)

    def _look(self, event: Input) -> Step:
        assert isinstance(event, Looked)
        self.hands = self._eye.look(event)
        game = self.game
        if not self._watcher.looks_now(event.at_us, event.channels, pressed=bool(game.pending_presses)):
            return Step()
        fallen = self._tell_flag(event.at_us, decisions.FLAG_PATIENCE_US * self._time_scale)
        look = self._judge(event)
        played = decisions.committed(look)
        if played is None:
            last_press_us = self._pressed_us[-1] if self._pressed_us else 0
            watcher = self._watcher
            self.watch = notes.watch_playing(look, last_press_us, watcher.drifted, watcher.beam_faults)
            return fallen
        step = self._commit(look, *played)
        return Step(fallen.events + step.events, fallen.effects + step.effects)

    def _judge(self, event: Looked) -> Look:
        """Look at the board; where plies end on the same board, what hands were seen to do decides."""
        look = self._watcher.look(event.at_us, event.channels, *self._since_confirmed)
        if isinstance(look.verdict, Ambiguous):
            line = self._eye.followed(look.verdict.lines)
            if line is not None and self._watcher.believe(line):
                return self._watcher.look(event.at_us, event.channels, *self._since_confirmed)
        return look

    def _tell_flag(self, at_us: int, patience_us: int) -> Step:
        heard_since_us = self._arrived_us if patience_us else 0
        fell = decisions.fallen_flag(self.game, at_us, heard_since_us=heard_since_us, patience_us=patience_us)
        return Step() if fell is None else self._take(fell)

    def _commit(self, look: Look, played: Played, confirmed_by: Confirmation) -> Step:
        last = played.plies[-1].after
        self._watcher.confirm(look.readings, played.weighed)
        # A press may be told before an older sample: what ends the game does not come before it.
        clock = self.game.clock
        at_us = max(look.at_us, 0 if clock is None else clock.since_us or 0)
        weighed = played.weighed
        evidence = self._evidence(**decisions.how_well(weighed))
        moves = [decisions.move(sowing, at_us, confirmed_by, evidence) for sowing in played.plies]
        self.watch = Watch("matches")
        ended = rulings.end_on_board(last, at_us)
        if ended:
            self._ended_us = at_us
        self._eye.confirm(last, at_us, len(played.plies))
        # The dials are shown again in any case: a quota may be fulfilled by plies that no press counted.
        return self._take(*moves, *ended, effects=(ShowClock(),))

    # --- rest, end and release ---------------------------------------------------------------------

    def _look_while_resting(self, event: Input) -> Step:
        assert isinstance(event, Looked)
        if self._watcher.looks_now(event.at_us, event.channels):
            look = self._watcher.look(event.at_us, event.channels, *self._since_confirmed, resting=True)
            self.watch = notes.watch_resting(look)
        return Step()

    def _resume(self, event: Input) -> Step:
        assert isinstance(event, Resume)
        if not self._device_here:
            told = "the board cannot be read: connect the device, then resume"
            return Step(refusal=told, refused="no_device")
        if not self._seen_to_match:
            seen = notes.seen_instead(self.watch)
            told = f"the board does not show the confirmed position ({seen}): put it right first"
            return Step(refusal=told, refused="not_matching")
        self._eye = self._new_eye(event.at_us)
        running = self.game.suspended_running or self.game.position.to_move
        return self._take(GameResumed(at_us=event.at_us, running=running), effects=(ShowClock(),))

    def _rule(self, event: Input) -> Step:
        """Do what an arbiter decides about a game that is under way, or say why it cannot be."""
        assert isinstance(event, Ruling)
        # Whatever he decides, a flag that is down fell before it.
        fallen = self._tell_flag(event.at_us, patience_us=0)
        try:
            events = rulings.events_of(self.game, event)
            if isinstance(event, Enter):
                events = self._entered(events)
            step = self._take(*events, effects=(ShowClock(),))
        except RulesError as error:
            told = error.reason if isinstance(error, EventError) else str(error)
            return Step(fallen.events, refusal=told, refused="illegal", error=error)
        if self.game.phase is Phase.ENDED:
            self._ended_us = event.at_us
        if isinstance(event, Enter):
            self._eye = self._new_eye(event.at_us)
        return Step(fallen.events + step.events, step.effects)

    def _entered(self, events: tuple[GameEvent, ...]) -> tuple[GameEvent, ...]:
        """Watch on from plies that were entered by hand, and let them say what is known of the cells then."""
        self._watcher.begin_anew(rulings.plies_of(self.game.position, events))
        return rulings.with_evidence(events, self._evidence())

    def _press_after_end(self, event: Input) -> Step:
        assert isinstance(event, ButtonPressed)
        side = self.seating.side_of_button(event.button)
        effects: tuple[Effect, ...] = (Acknowledge(event.press),)
        if side is None or self.game.confirmed[side.index] or event.at_us < self._ended_us + HABIT_US:
            return Step(effects=effects)
        return self._take(ResultConfirmed(at_us=event.at_us, side=side), effects=effects)

    def _look_after_end(self, event: Input) -> Step:
        # Players analyse, pour and reset the stones: nothing is judged until the board is released.
        assert isinstance(event, Looked)
        self.watch = Watch("idle")
        return Step()

    def _release(self, event: Input) -> Step:
        assert isinstance(event, Release)
        return self._take(GameReleased(at_us=event.at_us))


Handler = Callable[[Session, Input], Step]

_ALWAYS: Mapping[type[Input], Handler] = {  # what the device does, whatever the phase
    DeviceArrived: Session._device_arrived,
    DeviceGone: Session._device_gone,
    DeviceTrouble: Session._device_trouble,
}

HANDLERS: Mapping[tuple[Phase, type[Input]], Handler] = {
    **{(phase, kind): handler for phase in Phase for kind, handler in _ALWAYS.items()},
    (Phase.UNASSIGNED, Assign): Session._assign,
    (Phase.RELEASED, Assign): Session._assign,
    (Phase.ASSIGNED, Looked): Session._begin_setup,
    (Phase.SETTING_UP, Looked): Session._look_at_setup,
    (Phase.SETTING_UP, ButtonPressed): Session._press_before_play,
    (Phase.READY, Looked): Session._look_at_setup,
    (Phase.READY, ButtonPressed): Session._press_before_play,
    (Phase.READY, Start): Session._start,
    (Phase.PLAYING, DeviceArrived): Session._device_arrived_playing,
    (Phase.PLAYING, Looked): Session._look,
    (Phase.PLAYING, ButtonPressed): Session._press,
    (Phase.PLAYING, Suspend): Session._rule,
    (Phase.SUSPENDED, Looked): Session._look_while_resting,
    (Phase.SUSPENDED, Resume): Session._resume,
    (Phase.ENDED, Looked): Session._look_after_end,
    (Phase.ENDED, ButtonPressed): Session._press_after_end,
    **{
        (phase, kind): Session._rule
        for phase in (Phase.PLAYING, Phase.SUSPENDED)
        for kind in (Adjust, Late, SetClock, End, Enter)
    },
    **{(phase, kind): Session._rule for phase in (Phase.SETTING_UP, Phase.READY) for kind in (Late, End)},
    **{
        (phase, Release): Session._release
        for phase in (Phase.ASSIGNED, Phase.SETTING_UP, Phase.READY, Phase.ENDED)
    },
}
"""What each input does in each phase; what is not here changes nothing (see `Session.handle`)."""
