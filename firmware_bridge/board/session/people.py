"""What people say at a table, and what the law of conduct makes of it: offers, calls, flags, seals (pure).

A call of the arbiter stops the dials (2.7.15), and nothing goes on before he has come:

| the dials | a call                | a clock's press      | the arbiter's answer                            |
| --------- | --------------------- | -------------------- | ----------------------------------------------- |
| run       | they stop, for `call` | as ever              | -                                               |
| stand     | is written down       | acknowledged         | written down; they run again if they stood for  |
|           |                       |                      | `call`, the board shows the position confirmed, |
|           |                       |                      | and he does not want them to stand              |

Before the first move, and after the last, a call stops nothing: no dial runs.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.board.incident_inputs import AnswerCall, Call, CallFlag, Complain, OfferDraw, Unseal
from firmware_bridge.board.inputs import Input, Late, Resume, ShowClock, Step
from firmware_bridge.board.refereeing.advice import CALLED, SETUP_COMPLAINT, Advice, Open, advice
from firmware_bridge.board.session.arbitration import Arbitration
from firmware_bridge.board.session.player_buttons import agreed, moment_of, named
from firmware_bridge.board.session.sealed import opened
from rules.conduct.codes import Code
from rules.conduct.draws import OfferMoment, offer_draw
from rules.conduct.endings import late
from rules.conduct.flag_calls import may_call
from rules.conduct.offences import Offence
from rules.conduct.opening import setup_complaint
from rules.conduct.proposal import ClockAction
from rules.errors import RulesError
from rules.game import (
    ArbiterCalled,
    CallAnswered,
    ClockAdjusted,
    DrawOffered,
    FlagCalled,
    GameEvent,
    GameSuspended,
    Phase,
)
from rules.position import Side

SHOWN_US = 10_000_000
"""How long a player is shown that his offer was void (table time): long enough to look up from the board."""


class People(Arbitration):
    """A table with the people at it; each method answers one input."""

    def advice(self, at_us: int) -> tuple[Advice, ...]:
        """Return what the law of conduct proposes at table time `at_us`, the most urgent first."""
        held = frozenset(each.side for each in self.held)
        return advice(Open(self.game, self._conduct, at_us, held, self.misplaced(at_us)))

    def misplaced(self, at_us: int) -> Side | None:
        """Return who has just offered a draw at the wrong moment (2.6.8); None: nobody."""
        if self._misplaced is None or at_us - self._misplaced[1] > SHOWN_US:
            return None
        return self._misplaced[0]

    # --- lateness ---------------------------------------------------------------------------------

    def _charge(self, event: Input) -> Step:
        """Take lateness off the dial; who has lost by it is not charged, and what he has lost is proposed."""
        assert isinstance(event, Late)
        if self.game.clock is None or event.late_us <= 0:
            told = f"{event.late_us / 1e6:g} s of lateness cannot be charged: up to 30 minutes (2.7.6)"
            return Step(refusal=told, refused="illegal")
        late_us = tuple(event.late_us if event.side in (None, side) else 0 for side in Side)
        found = late(self._conduct, (late_us[0], late_us[1]), self.game.clock, event.at_us)
        if any(each.code in (Code.LATE_LOSES, Code.BOTH_LATE) for each in found):
            told = "more than thirty minutes late is lost (2.7.6): end the game with what is proposed"
            return Step(refusal=told, refused="forfeit", proposals=found)
        taken = (sum(each.adds_us[0] for each in found), sum(each.adds_us[1] for each in found))
        charged = ClockAdjusted(at_us=event.at_us, delta_us=taken, reason=event.reason, by=event.by)
        return replace(self._told(event.at_us, (charged,)), proposals=found)

    # --- draws ------------------------------------------------------------------------------------

    def _offer_draw(self, event: Input) -> Step:
        """Take an offer at its moment, agree to the opponent's, or say that it is void."""
        assert isinstance(event, OfferDraw)
        side, moment = event.side, OfferMoment.AFTER_MOVE
        if not event.heard:
            moment = moment_of(self.game, side, self.watch.sensed, self._hands_seen)
        found = offer_draw(self._conduct, self.game, side, moment)
        if found.code is Code.DRAW_OFFER_MISPLACED:
            self._misplaced = (side, event.at_us)
            told = "a draw is offered after the move and before the press (2.6.8): this offer is void"
            return Step(refusal=told, refused="misplaced_offer")
        self._misplaced = None
        events: tuple[GameEvent, ...] = (DrawOffered(at_us=event.at_us, side=side),)
        if found.code is Code.DRAW_AGREED:
            events = agreed(event.at_us, side)
        elif found.code is Code.DRAW_OFFER_REPEATED and not self._open(Offence.REPEATED_DRAW_OFFER, side):
            events = (*events, named(self.game, Offence.REPEATED_DRAW_OFFER, side, event.at_us))
        return self._told(event.at_us, events)

    def _open(self, offence: Offence, side: Side) -> bool:
        """Whether the same of the same player waits for the arbiter: a finger that insists hides no flag."""
        waiting = self.game.open_incidents
        return any(each.side is side and each.faults == (offence.value,) for each in waiting)

    # --- calls ------------------------------------------------------------------------------------

    def _call(self, event: Input) -> Step:
        """Call the arbiter; dials that run are stopped by it (2.7.15)."""
        assert isinstance(event, Call)
        called = ArbiterCalled(at_us=event.at_us, side=event.side, press=event.press)
        # Torn apart by a power cut, the dials stand and the press comes again; the other way they would run.
        return self._told(event.at_us, (*self._stopped(event.at_us, event.side, CALLED), called))

    def _stopped(self, at_us: int, side: Side | None, why: str) -> tuple[GameEvent, ...]:
        if self.game.phase is not Phase.PLAYING:
            return ()
        return (GameSuspended(at_us=at_us, reason=why, by="" if side is None else side.value),)

    def _answer_call(self, event: Input) -> Step:
        """Write down that the arbiter has come; what his coming ends goes on, where the board lets it."""
        assert isinstance(event, AnswerCall)
        events: list[GameEvent] = [
            CallAnswered(at_us=event.at_us, by=event.by, groundless=event.groundless),
        ]
        game, caller = self.game, self.game.caller
        at_play = game.phase in (Phase.PLAYING, Phase.SUSPENDED)
        if event.groundless and at_play and caller and self._conduct.groundless_stop != "none":
            events.append(named(game, Offence.STOPPED_CLOCK_GROUNDLESSLY, caller, event.at_us))
        step = self._told(event.at_us, tuple(events))
        if step.refusal or not event.resumes or self.game.phase is not Phase.SUSPENDED:
            return step
        if self.game.suspended_reason != CALLED:
            return step
        resumed = self._resume(Resume(event.at_us, by=event.by))
        return Step(step.events + resumed.events, step.effects + resumed.effects)

    def _complain(self, event: Input) -> Step:
        """Hear a complaint about how the stones lay at the start, or say that it comes too late (2.9.5)."""
        assert isinstance(event, Complain)
        started = self.game.phase in (Phase.PLAYING, Phase.SUSPENDED)
        found = setup_complaint(self._conduct, event.side, started=started)
        if found.code is Code.SETUP_COMPLAINT_LATE:
            told = "after the start nobody complains about the set-up (2.9.5)"
            return Step(refusal=told, refused="complaint_late")
        called = ArbiterCalled(at_us=event.at_us, side=event.side, press=None)
        stops = found.clock is ClockAction.STOP
        stopped = self._stopped(event.at_us, event.side, SETUP_COMPLAINT) if stops else ()
        return self._told(event.at_us, (*stopped, called))

    # --- flags and seals --------------------------------------------------------------------------

    def _call_flag(self, event: Input) -> Step:
        """Take the call of a flag by whoever is heard (2.9.9)."""
        assert isinstance(event, CallFlag)
        if not may_call(self._conduct, event.caller):
            heard = self._conduct.flag_callers.replace("_and_", " or one of the ")
            told = f"a flag is called by the {heard} (2.9.9), not by {event.caller.value}"
            return Step(refusal=told, refused="not_heard")
        by = event.by if event.caller.side is None else event.caller.value
        return self._told(event.at_us, (FlagCalled(at_us=event.at_us, side=event.side, by=by),))

    def _unseal(self, event: Input) -> Step:
        """Open the seal: what was committed to, or what the arbiter lets hold, with his reason (2.8.3)."""
        assert isinstance(event, Unseal)
        try:
            found = opened(self.game, event, self._conduct)
        except RulesError as error:
            return Step(refusal=str(error), refused="illegal", error=error)
        if found is None:
            told = (
                "text and salt are not those that were committed to: look at the envelope again, or give a "
                "`reason` why this move is to hold all the same"
            )
            return Step(refusal=told, refused="seal_broken")
        return self._told(event.at_us, found)

    def _told(self, at_us: int, events: tuple[GameEvent, ...]) -> Step:
        """Take events that somebody's words led to; a flag that is down fell before them."""
        fallen = self._tell_flag(at_us, patience_us=0)
        step = self._carried_out(events)
        if self.game.phase is Phase.ENDED:
            self._ended_us = at_us
        return replace(step, events=fallen.events + step.events)

    def _carried_out(self, events: tuple[GameEvent, ...]) -> Step:
        try:
            return self._take(*events, effects=(ShowClock(),))
        except RulesError as error:
            return self._refused(error)
