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
from dataclasses import replace

from firmware_bridge.board.incident_inputs import (
    Adjourn,
    AnswerCall,
    AnswerDraw,
    Call,
    CallFlag,
    Close,
    Complain,
    OfferDraw,
    Rule,
    Unseal,
    Warn,
)
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
    SetClock,
    ShowClock,
    Start,
    Step,
    Suspend,
    Watch,
)
from firmware_bridge.board.refereeing.referee import Lying
from firmware_bridge.board.session import decisions, notes, player_buttons, rulings
from firmware_bridge.board.session.people import People
from firmware_bridge.board.session.sealed import other_than_sealed
from firmware_bridge.board.watching.look import Look
from firmware_bridge.board.watching.reconciler import Ambiguous, Played, Same
from firmware_bridge.layout import Pressed
from rules.game import (
    ClockPressed,
    Confirmation,
    GameEvent,
    GameReleased,
    GameSuspended,
    Phase,
    ResultConfirmed,
)
from rules.infractions.diagnose import Diagnosis

HABIT_US = 3_000_000
"""A press so soon after the end is the habit of the last move, no confirmation of the result."""


class Session(People):
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
        if isinstance(event, Looked):
            self._looked = event
        step = self._handled(event)
        if isinstance(event, Looked):
            self._look_for_broken(event)
        return step

    def _handled(self, event: Input) -> Step:
        if isinstance(event, ButtonPressed):
            pressed = self.seating.meaning_of(event.button)
            if pressed is not None and pressed.what != "clock":
                return self._press_for_a_person(event, pressed)
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

    def _press_for_a_person(self, event: ButtonPressed, pressed: Pressed) -> Step:
        """Call an arbiter, offer a draw or agree to one; a press is acknowledged whatever comes of it."""
        acknowledged = (Acknowledge(event.press),)
        command = player_buttons.command_of(self.game, pressed, event)
        handler = None if command is None else HANDLERS.get((self.game.phase, type(command)))
        if command is None or handler is None:
            return Step(effects=acknowledged)
        step = handler(self, command)
        return Step(step.events, (*acknowledged, *step.effects))

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
            if side is not None and clock is not None and clock.running is not None:
                self._referee.pressed_idly(side, event.at_us, self.game)
            return Step(effects=(Acknowledge(event.press),))
        # A press made before the clocks were stopped may be told after they run again.
        at_us = max(event.at_us, clock.since_us or 0)
        self._eye.watching.pressed(side, at_us)
        self._referee.pressed(side, at_us)
        fallen = self._tell_flag(at_us, patience_us=0)
        pressed = ClockPressed(at_us=at_us, side=side, press=event.press)
        step = self._take(pressed, effects=(Acknowledge(event.press), ShowClock()))
        self._pressed_us = (*self._pressed_us, at_us)
        return Step(fallen.events + step.events, step.effects)

    def _look(self, event: Input) -> Step:
        assert isinstance(event, Looked)
        self.hands = self._eye.look(event)
        self._referee.hands(self.hands)
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
            judged = self._refereed(look, event)
            return Step(fallen.events + judged.events, fallen.effects + judged.effects)
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

    def _refereed(self, look: Look, event: Looked) -> Step:
        """Say what goes against the rules, or that it was put right."""
        strays = bool(look.presses) and self._watcher.strays(event.channels)
        if not self._referee.due(look, self._hands_seen, strays=strays):
            right = isinstance(look.verdict, Same) and not look.presses
            return self._take(*self._referee.put_right(look.at_us, self.game)) if right else Step()
        stones = self._watcher.stones_seen(event.channels, self.game.position)
        seen = self._referee.judge(Lying(look, self.game, stones, self._hands_seen))
        return Step() if seen is None else self._take(*self._went_before(look.at_us), seen)

    def _went_before(self, at_us: int) -> tuple[GameEvent, ...]:
        """Make the plies final that lie behind a fault; the board need not have come to rest after them."""
        plies = self._referee.behind
        if not plies:
            return ()
        self._watcher.begin_anew(plies)
        self._eye.confirm(plies[-1].after, at_us, len(plies))
        evidence = self._evidence()
        return tuple(decisions.move(sowing, at_us, "press", evidence) for sowing in plies)

    @property
    def diagnosed(self) -> tuple[Diagnosis, ...]:
        """Every explanation of what was judged last, the likeliest first; () where nothing ever was."""
        return self._referee.found

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
        marked = self._watcher.belief.marked
        conduct = self._referee.conduct(at_us, self.game, played.plies, self._hands_seen, marked)
        other = other_than_sealed(self.game, played.plies, at_us)
        if other is not None and conduct is not None:
            conduct = replace(conduct, infraction=other.infraction + 1)
        told = tuple(each for each in (other, conduct) if each is not None)
        self._eye.confirm(last, at_us, len(played.plies))
        # The dials are shown again in any case: a quota may be fulfilled by plies that no press counted.
        right = self._referee.put_right(at_us, self.game)
        step = self._take(*right, *told, *moves, *ended, effects=(ShowClock(),))
        self._referee.confirmed(len(self.game.pending_presses))
        return step

    # --- rest, end and release ---------------------------------------------------------------------

    def _look_while_resting(self, event: Input) -> Step:
        assert isinstance(event, Looked)
        if self._watcher.looks_now(event.at_us, event.channels):
            look = self._watcher.look(event.at_us, event.channels, *self._since_confirmed, resting=True)
            self.watch = notes.watch_resting(look)
        return Step()

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

_NOT_BEGUN = (Phase.ASSIGNED, Phase.SETTING_UP, Phase.READY)
_IN_PLAY: tuple[type[Input], ...] = (Warn, Rule, Close, AnswerDraw)
_SAID_ANY_TIME: Mapping[type[Input], Handler] = {Call: Session._call, AnswerCall: Session._answer_call}
_SAID_IN_PLAY: Mapping[type[Input], Handler] = {
    **_SAID_ANY_TIME,
    OfferDraw: Session._offer_draw,
    CallFlag: Session._call_flag,
    Complain: Session._complain,
}

HANDLERS: Mapping[tuple[Phase, type[Input]], Handler] = {
    **{(phase, kind): handler for phase in Phase for kind, handler in _ALWAYS.items()},
    **{(phase, Assign): Session._assign for phase in (Phase.UNASSIGNED, Phase.RELEASED, *_NOT_BEGUN)},
    (Phase.ASSIGNED, Looked): Session._begin_setup,
    (Phase.SETTING_UP, Looked): Session._look_at_setup,
    (Phase.SETTING_UP, ButtonPressed): Session._press_before_play,
    (Phase.READY, Looked): Session._look_at_setup,
    (Phase.READY, ButtonPressed): Session._press_before_play,
    **{(phase, Start): Session._start for phase in (Phase.SETTING_UP, Phase.READY)},
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
        for kind in (Adjust, SetClock, End, Enter, *_IN_PLAY)
    },
    **{
        (phase, kind): handler
        for phase in (Phase.PLAYING, Phase.SUSPENDED)
        for kind, handler in _SAID_IN_PLAY.items()
    },
    **{
        (phase, kind): handler
        for phase in (Phase.SETTING_UP, Phase.READY)
        for kind, handler in (*_SAID_ANY_TIME.items(), (Complain, Session._complain))
    },
    **{(phase, kind): Session._rule for phase in (Phase.SETTING_UP, Phase.READY) for kind in (End, Warn)},
    **{
        (phase, Late): Session._charge
        for phase in (Phase.SETTING_UP, Phase.READY, Phase.PLAYING, Phase.SUSPENDED)
    },
    (Phase.SUSPENDED, Adjourn): Session._rule,
    (Phase.SUSPENDED, Unseal): Session._unseal,
    **{(Phase.ENDED, kind): handler for kind, handler in _SAID_ANY_TIME.items()},
    (Phase.ENDED, Warn): Session._rule,
    **{(phase, Release): Session._release for phase in (*_NOT_BEGUN, Phase.ENDED)},
}
"""What each input does in each phase; what is not here changes nothing (see `Session.handle`)."""
