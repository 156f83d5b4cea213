"""What an arbiter does at a table: rulings, and play going on after them (pure)."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.board.incident_inputs import IncidentRuling, Rule
from firmware_bridge.board.inputs import Enter, Input, Resume, Ruling, ShowClock, Step, Watch
from firmware_bridge.board.refereeing.advice import CALLED, SETUP_COMPLAINT
from firmware_bridge.board.session import decisions, incident_rulings, notes, rulings
from firmware_bridge.board.session.before_play import BeforePlay
from rules.errors import EventError, RulesError
from rules.game import CallAnswered, GameEvent, GameResumed, Phase, PositionRuled, advance


class Arbitration(BeforePlay):
    """A table with its arbiter; each method answers one input."""

    def _tell_flag(self, at_us: int, patience_us: int) -> Step:
        heard_since_us = self._arrived_us if patience_us else 0
        fell = decisions.fallen_flag(self.game, at_us, heard_since_us=heard_since_us, patience_us=patience_us)
        return Step() if fell is None else self._take(fell)

    def _resume(self, event: Input) -> Step:
        assert isinstance(event, Resume)
        if not self._device_here:
            told = "the board cannot be read: connect the device, then resume"
            return Step(refusal=told, refused="no_device")
        if not self._seen_to_match and not self._put_right_in_own_time:
            seen = notes.seen_instead(self.watch)
            told = f"the board does not show the confirmed position ({seen}): put it right first"
            return Step(refusal=told, refused="not_matching")
        if self.game.seal is not None:
            return Step(refusal="the sealed move has not been opened: open it first", refused="sealed")
        self._eye = self._new_eye(event.at_us)
        running = self.game.suspended_running or self.game.position.to_move
        # Who lets the game go on that waits for him has come.
        waited = self.game.called and self.game.suspended_reason in (CALLED, SETUP_COMPLAINT)
        came = (CallAnswered(at_us=event.at_us, by=event.by, groundless=False),) if waited else ()
        resumed = GameResumed(at_us=event.at_us, running=running, by=event.by)
        return self._take(*came, resumed, effects=(ShowClock(),))

    @property
    def _put_right_in_own_time(self) -> bool:
        """Whether the dials run on while the stones still lie wrongly, as the event has chosen (94, 2.9.7).

        Only behind a call: what was adjourned, or rests for another reason, is set up again first (2.8.4).
        """
        return self.game.suspended_reason == CALLED and self._conduct.sowing.clock == "runs"

    def _rule(self, event: Input) -> Step:
        """Do what an arbiter decides about a game that is under way, or say why it cannot be."""
        assert isinstance(event, Ruling)
        if isinstance(event, Enter | Rule) and self.game.seal is not None:
            # What was sealed is a move of the position it was sealed in, by who was to move there (2.8.2).
            return Step(refusal="the sealed move has not been opened: open it first", refused="sealed")
        if isinstance(event, Enter) and not event.moves:
            return Step(refusal="there is no move to enter: write one, such as 7:6", refused="illegal")
        # Whatever he decides, a flag that is down fell before it.
        fallen = self._tell_flag(event.at_us, patience_us=0)
        try:
            step = self._take(*self._events_of(event), effects=(ShowClock(),))
        except RulesError as error:
            return replace(self._refused(error), events=fallen.events)
        if self.game.phase is Phase.ENDED:
            self._ended_us = event.at_us
        if isinstance(event, Enter | Rule):
            self._eye = self._new_eye(event.at_us)
            self._referee.ruled()
            if self.watch.sensed == "matches":
                self.watch = Watch("moving")  # it was seen to show another position; the next look says more
        return Step(fallen.events + step.events, step.effects)

    @staticmethod
    def _refused(error: RulesError) -> Step:
        """Return what is told of something that the rulebook does not let happen."""
        told = error.reason if isinstance(error, EventError) else str(error)
        return Step(refusal=told, refused="illegal", error=error)

    def _events_of(self, event: Ruling) -> tuple[GameEvent, ...]:
        if isinstance(event, IncidentRuling):
            events = incident_rulings.events_of(self.game, event, self._stones_seen())
            return self._laid(events) if isinstance(event, Rule) else events
        events = rulings.events_of(self.game, event)
        return self._entered(events) if isinstance(event, Enter) else events

    def _stones_seen(self) -> tuple[int | None, ...]:
        """Return what lies there now; () where nobody has looked."""
        looked = self._looked
        return () if looked is None else self._watcher.stones_seen(looked.channels, self.game.position)

    def stones_now(self) -> tuple[int | None, ...]:
        """Return what lies at the twenty places now, as far as it can be told; () where nobody has looked.

        For whoever helps to put the board right: nothing is decided by it.
        """
        looked = self._looked
        if looked is None or self.game.phase not in (Phase.SETTING_UP, Phase.READY):
            return self._stones_seen()
        return self._watcher.stones_at_setup(looked.channels)

    def _laid(self, events: tuple[GameEvent, ...]) -> tuple[GameEvent, ...]:
        """Watch on from a position that an arbiter lets hold, and let it say what is known of the cells."""
        for event in events:
            if isinstance(event, PositionRuled):
                advance(self.game, event)  # a ruling that has no place must leave the watcher as it was
                self._watcher.ruled(self.game.position, event.position)
        return rulings.with_evidence(events, self._evidence())

    def _entered(self, events: tuple[GameEvent, ...]) -> tuple[GameEvent, ...]:
        """Watch on from plies that were entered by hand, and let them say what is known of the cells then."""
        self._watcher.begin_anew(rulings.plies_of(self.game.position, events))
        return rulings.with_evidence(events, self._evidence())
