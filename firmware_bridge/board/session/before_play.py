"""The life of a table until its game is played: assigned, set up, checked, vouched for, started (pure)."""

from __future__ import annotations

from typing import Any

from firmware_bridge.board.counting.weighing import Weighed
from firmware_bridge.board.inputs import (
    Acknowledge,
    Assign,
    ButtonPressed,
    Effect,
    Input,
    Looked,
    ShowClock,
    Start,
    Step,
    Watch,
)
from firmware_bridge.board.session import notes
from firmware_bridge.board.session.table_state import TableState
from firmware_bridge.board.session.vouching import Vouched
from firmware_bridge.board.watching.look import Look
from firmware_bridge.board.watching.reconciler import Same, Unsure
from rules.game import (
    GameAssigned,
    GameReleased,
    GameStarted,
    Phase,
    PlayerReady,
    SetupChecked,
    SetupLost,
    SetupStarted,
)
from rules.position import Side


class BeforePlay(TableState):
    """A table until its game is played; each method answers one input."""

    def _assign(self, event: Input) -> Step:
        assert isinstance(event, Assign)
        # Another game, or other seats, before the first move: the one that did not begin is given up.
        begun = self.game.phase in (Phase.UNASSIGNED, Phase.RELEASED)
        given_up = () if begun else (GameReleased(at_us=event.at_us),)
        conduct = self._conducts.under(event.control)
        step = self._take(
            *given_up,
            GameAssigned(
                at_us=event.at_us,
                game_id=event.game_id,
                names=event.names,
                starter_seat=event.starter_seat,
                control=event.control,
                draw_lasts="until_refused" if conduct.draw_offer_lasts == "until_refused" else "",
            ),
            SetupStarted(at_us=event.at_us),
            effects=(ShowClock(),),
        )
        self._vouched = Vouched()
        self._watcher = self._new_watcher()
        self._referee = self._new_referee()
        return step

    def _begin_setup(self, event: Input) -> Step:
        """Wait for the stones of a game whose journal was torn right behind its assignment."""
        assert isinstance(event, Looked)
        return self._take(SetupStarted(at_us=event.at_us))

    def _look_at_setup(self, event: Input) -> Step:
        assert isinstance(event, Looked)
        self._eye.look(event)  # to know every place's level when play begins; stones laid out are no sowing
        if not self._watcher.looks_now(event.at_us, event.channels):
            return Step()
        look = self._watcher.look_at_setup(event.at_us, event.channels)
        if look.verdict is None and not look.unread:
            self.watch = notes.watch_unquiet(look)
            return Step()
        if isinstance(look.verdict, Same) and not look.unread:
            return self._set_up(look, look.verdict.weighed)
        self._vouched = self._vouched.seen(look)
        if look.unread:
            self.watch = notes.watch_unquiet(look)
        elif isinstance(look.verdict, Unsure):
            self.watch = Watch("differs", notes.of_verdict(look.verdict))
        else:
            self.watch = Watch("differs", notes.of_setup(self._watcher.stones_at_setup(event.channels)))
        if self.game.setup_ok:
            # Whatever lies there now was not what both confirmed; a hand above it only delays.
            self._watcher = self._new_watcher()
            return self._take(SetupLost(at_us=event.at_us))
        return Step()

    def _set_up(self, look: Look, weighed: Weighed, **more: Any) -> Step:
        self.watch = Watch("matches")
        if self.game.phase is Phase.READY and self._start_when_ready:
            return self._take(GameStarted(at_us=look.at_us), effects=(ShowClock(),))
        if self.game.setup_ok:
            return Step()
        self._watcher.confirm(look.readings, weighed)
        self._eye = self._new_eye(look.at_us)
        return self._take(SetupChecked(at_us=look.at_us, evidence=self._evidence(**more)))

    def _press_before_play(self, event: Input) -> Step:
        assert isinstance(event, ButtonPressed)
        side = self.seating.side_of_button(event.button)
        effects: tuple[Effect, ...] = (Acknowledge(event.press),)
        if side is not None and not self.game.setup_ok:
            return self._press_for_setup(side, event.at_us, effects)
        if side is None or self.game.ready[side.index]:
            return Step(effects=effects)
        step = self._take(PlayerReady(at_us=event.at_us, side=side), effects=effects)
        if self.game.phase is Phase.READY and self._start_when_ready and self._seen_to_match:
            started = self._take(GameStarted(at_us=event.at_us))
            return Step(step.events + started.events, (*effects, ShowClock()))
        return step

    def _press_for_setup(self, side: Side, at_us: int, effects: tuple[Effect, ...]) -> Step:
        """Take a player's word for what the scales cannot tell; both together make the set-up."""
        self._vouched = self._vouched.said(side)
        look = self._vouched.look
        if look is None or look.weighed is None or not self._vouched.all_said:
            return Step(effects=effects)
        self._vouched = Vouched()
        step = self._set_up(look, look.weighed, vouched=True)
        ready = self._take(*(PlayerReady(at_us=at_us, side=each) for each in Side))
        started = self._take(GameStarted(at_us=at_us)) if self._start_when_ready else Step()
        return Step(step.events + ready.events + started.events, (*effects, ShowClock()))

    def _start(self, event: Input) -> Step:
        assert isinstance(event, Start)
        if not (self._seen_to_match and self.game.setup_ok):
            seen = notes.seen_instead(self.watch)
            told = f"nine stones are not seen in each pit now ({seen}): see to it first"
            return Step(refusal=told, refused="not_set_up")
        return self._take(GameStarted(at_us=event.at_us), effects=(ShowClock(),))
