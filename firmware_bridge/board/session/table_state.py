"""What a table remembers, and how it takes events: the ground that its life stands on (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from firmware_bridge.board.counting.belief import Belief, Units
from firmware_bridge.board.counting.broken_cells import seated
from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.hands.events import Held, Seen, SowingEvent
from firmware_bridge.board.hands.seated import SeatedHands
from firmware_bridge.board.inputs import (
    Effect,
    Looked,
    Note,
    Step,
    Watch,
)
from firmware_bridge.board.refereeing.referee import Referee
from firmware_bridge.board.session.notes import of_beams, of_unread
from firmware_bridge.board.session.standing import Standing
from firmware_bridge.board.session.vouching import Vouched
from firmware_bridge.board.watching.hearing import Listener
from firmware_bridge.board.watching.look import BoardWatch
from firmware_bridge.board.watching.watcher import Watcher
from firmware_bridge.layout import Seating, Wiring
from rules.conduct.faults import by_people
from rules.conduct.options import Conduct, Conducts
from rules.game import (
    Game,
    GameEvent,
    Phase,
    advance,
)
from rules.position import Position, Side

_AT_PLAY = (Phase.PLAYING, Phase.SUSPENDED)
"""Where pulses are told from hands."""


class TableState:
    """One table, without its life.

    Attributes:
        game: The game as folded so far; what the journal says, and nothing else.
        watch: How the board looks at this moment.
        hands: What hands were seen to do with the newest input; () where it was no look at a game.
    """

    def __init__(
        self,
        *,
        wiring: Wiring,
        units: Units,
        start_when_ready: bool | None = None,
        game: Game | None = None,
        belief: Belief | None = None,
        conducts: Conducts | None = None,
    ) -> None:
        """Set up the table, or set it up again from the journal's game and what it knew of the cells.

        Args:
            wiring: Channels and buttons.
            units: What stones and marks weigh.
            start_when_ready: Whether bastaushy's clock starts by itself; None: as the event has chosen.
            game: The journal's; None: it has none.
            belief: What was known of the cells; None: nothing.
            conducts: What the event has chosen where the regulations leave a choice; None: nothing.
        """
        self._wiring = wiring
        self._units = units
        self._starts = start_when_ready
        self.game = Game() if game is None else game
        self.watch = Watch(sensed="no_device")
        self.hands: tuple[SowingEvent, ...] = ()
        since_us = self.game.clock.since_us or 0 if self.game.clock is not None else 0
        self._pressed_us: tuple[int, ...] = (since_us,) * len(self.game.pending_presses)
        self._device_here = False
        self._time_scale = 1
        self._arrived_us = 0
        self._ended_us = 0
        if not self.game.setup_ok:
            belief = None  # what was known is of another game's position
        elif belief is None:
            belief = Belief.standing(stones_due(self.game.position))
        self._looked: Looked | None = None
        self._vouched = Vouched()
        self._standing = Standing()
        self._watcher = self._new_watcher(belief)
        self._eye = self._new_eye()
        self._conducts = Conducts() if conducts is None else conducts
        self._misplaced: tuple[Side, int] | None = None
        self._referee = self._new_referee()

    def _take(self, *events: GameEvent, effects: tuple[Effect, ...] = ()) -> Step:
        game = self.game
        for event in events:
            game = advance(game, event)
        self.game = game
        left = len(game.pending_presses)
        self._pressed_us = self._pressed_us[-left:] if left else ()
        return Step(events, effects)

    def _new_watcher(self, belief: Belief | None = None) -> BoardWatch:
        seating = self.seating
        if not self._wiring.weighs:
            return Listener(seating, belief)
        return Watcher(seating, seated(self._units, seating.channel_of_place), belief)

    def _new_eye(self, at_us: int = 0) -> SeatedHands:
        marked = self._watcher.belief.marked
        return SeatedHands(self.seating, self._units, self.game.position, at_us, marked)

    def _new_referee(self) -> Referee:
        # No stones put right what people said: only an arbiter closes that.
        of_stones = tuple(each for each in self.game.incidents if not by_people(each.faults))
        game = replace(self.game, incidents=of_stones)
        mark = self._units.mark_g / self._units.stone_g
        return Referee(self._conduct, game, mark, self._pressed_us)

    @property
    def _hands_seen(self) -> Seen | None:
        """What hands have done since the last confirmed position; None where no cells watch them."""
        return self._eye.watching.seen if self._wiring.weighs else None

    @property
    def _since_confirmed(self) -> tuple[Position, tuple[Side, ...], tuple[int, ...]]:
        return self.game.position, self.game.pending_presses, self._pressed_us

    @property
    def held(self) -> tuple[Held, ...]:
        """What is in whose hands now; () while no game is played."""
        return self._eye.held if self.game.phase is Phase.PLAYING else ()

    def _look_for_broken(self, event: Looked) -> None:
        """Follow what is broken: of every sample, whatever the table does."""
        places = [event.channels[channel] for channel in self.seating.channel_of_place]
        self._standing.look(event.at_us, places, self._watcher.doubted)

    @property
    def standing(self) -> tuple[Note, ...]:
        """What is broken, whatever hands do and whatever the board looks like; () without a device."""
        if not self._device_here:
            return ()
        beams = self._watcher.beam_faults if self.game.phase in _AT_PLAY else ()
        return (*of_unread(self._standing.broken), *of_beams(beams))

    @property
    def conduct(self) -> Conduct:
        """What the event has chosen for the game on the board where the regulations are silent."""
        return self._conduct

    @property
    def _conduct(self) -> Conduct:
        clock = self.game.clock
        return self._conducts.under(None if clock is None else clock.control)

    @property
    def _start_when_ready(self) -> bool:
        return self._conduct.start == "both_ready" if self._starts is None else self._starts

    @property
    def seating(self) -> Seating:
        """Who sits where; before a game is assigned bastaushy is taken to sit at `a`."""
        return Seating(self._wiring, self.game.starter_seat)

    @property
    def belief(self) -> Belief:
        """What is known of the cells now."""
        return self._watcher.belief

    def _evidence(self, **more: Any) -> Mapping[str, Any]:
        return {"cells": self._watcher.belief.to_json(), **more}

    @property
    def _seen_to_match(self) -> bool:
        return self._device_here and self.watch.sensed == "matches"
