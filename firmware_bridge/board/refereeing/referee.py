"""When a table says that something goes against the rules, once, and when it is put right (pure).

Before the press nothing is a fault (house law 5). Behind it a board that lies quiet, and that no play
explains, is judged once: the rulebook names what was done, and the event waits for an arbiter. It is done
with by itself only when the board shows what it should.

Faults that leave the stones right are judged when their ply becomes final; see `conducting.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from firmware_bridge.board.hands.events import Extra, HandRests, MarkLaid, Seen, SowingEvent
from firmware_bridge.board.hands.hand_watch import PIT_DOUBT
from firmware_bridge.board.refereeing.answered import Scene
from firmware_bridge.board.refereeing.conducting import conducted, unmarked
from firmware_bridge.board.refereeing.gathering import PressSeen
from firmware_bridge.board.refereeing.judging import judged
from firmware_bridge.board.refereeing.telling import told
from firmware_bridge.board.watching.look import Look
from firmware_bridge.board.watching.reconciler import Differs, InProgress, Played, Same
from firmware_bridge.layout import PITS
from rules.conduct.options import Conduct
from rules.events_json import MAX_FAULTS
from rules.game import Game, InfractionClosed, InfractionSeen
from rules.infractions.diagnose import Diagnosis
from rules.infractions.evidence import Evidence, Watched
from rules.position import Side, Sowing, board_of

JUDGE_AFTER_US = 3_000_000
"""How long an unexplained board must lie quiet behind a press before it is judged: as long as before a person
is asked to look, so that hands have put right what they were about to."""

LEANT_US = 10_000_000
"""The same while something rests on the board that is no stone and no mark: who leans on it will go away."""

TWICE_US = 1_000_000
"""A player who hits his clock again so soon has only hit it twice."""


_LEFT_LYING = frozenset({"dismissed", "warned"})
"""How an arbiter decides an infraction without another position: he has looked at the stones as they lie."""


def watched(conduct: Conduct) -> Watched:
    """Return which faults of the hands an event tells."""
    return Watched(
        touch_move=conduct.touch_move,
        adjusting=not conduct.adjusting_by_hand,
        grace_us=conduct.stones_in_hand_grace_ms * 1000,
    )


@dataclass(frozen=True, slots=True)
class Lying:
    """What a referee judges: one look at a table, with all that led to it.

    Attributes:
        look: The look.
        game: The game.
        stones: What lies at the twenty places; None: it cannot be told.
        seen: What hands have done since the last confirmed position; None: nobody watched them.
    """

    look: Look
    game: Game
    stones: Sequence[int | None]
    seen: Seen | None


class Referee:
    """The referee of one table; hears of every press and every confirmed position.

    Attributes:
        found: The explanations of what was judged last, the likeliest first.
        behind: The plies that were played as they should before that fault, and were not final yet.
    """

    def __init__(
        self, conduct: Conduct, game: Game, mark: float = 0.0, pressed_us: Sequence[int] = ()
    ) -> None:
        """Begin at a game as the journal has it: what is open there may still be put right.

        Args:
            conduct: What the event has chosen.
            game: The game.
            mark: What a tuzdyk's mark weighs, in stones; 0: unknown.
            pressed_us: When the presses were made that wait in the game, in table time; () where none does.
        """
        self._watched = watched(conduct)
        self._mark = mark
        self._rests: dict[int, float] = {}
        self._extra: set[int] = set()
        self._presses = [
            PressSeen(side, at_us) for side, at_us in zip(game.pending_presses, pressed_us, strict=True)
        ]
        self._idle: list[PressSeen] = []
        self._marks: list[int] = []
        self._won: Sowing | None = None
        here = [each for each in game.incidents if each.ply == len(game.plies)]
        self._open = [each.number for each in here if each.settled is None]
        looked_at = bool(self._presses) and any(each.settled in _LEFT_LYING for each in here)
        self._judged = self._told = bool(self._open) or looked_at
        self._spoilt = False
        self.found: tuple[Diagnosis, ...] = ()
        self.behind: tuple[Sowing, ...] = ()

    # --- what it hears ------------------------------------------------------------------------------

    def pressed(self, side: Side, at_us: int) -> None:
        """Hear of a press that stopped a dial."""
        self._presses.append(PressSeen(side, at_us))

    def pressed_idly(self, side: Side, at_us: int, game: Game) -> None:
        """Hear of a press by the player whose dial did not run; before the first ply they only try it."""
        since_us = 0 if game.clock is None else game.clock.since_us or 0
        if game.plies and at_us - since_us >= TWICE_US:
            self._idle.append(PressSeen(side, at_us))

    def hands(self, events: Iterable[SowingEvent]) -> None:
        """Hear what hands did."""
        for event in events:
            if isinstance(event, MarkLaid):
                self._marks.append(event.place)
            elif isinstance(event, HandRests):
                self._rests[event.place] = event.weight
            elif isinstance(event, Extra):
                self._extra.add(event.place)

    def confirmed(self, pending: int) -> None:
        """Hear that plies became final, and that so many presses are still to be explained."""
        self._presses = self._presses[len(self._presses) - pending :] if pending else []
        self._begin_anew()

    def ruled(self) -> None:
        """Hear that an arbiter let a position hold: the board is put right, not judged."""
        self._presses.clear()
        self._begin_anew()
        self._won = None
        self._judged = True

    def _begin_anew(self) -> None:
        self._idle.clear()
        self._marks.clear()
        self._rests.clear()
        self._extra.clear()
        self._open.clear()
        # Hands that put the board right are carried into what is seen of the next ply.
        self._spoilt = self._told
        self._judged = self._told = False

    # --- what it says -------------------------------------------------------------------------------

    def due(self, look: Look, seen: Seen | None = None, *, strays: bool = False) -> bool:
        """Whether a board lies there that must be judged: pressed, quiet, and not as any play leaves it.

        Where the player pressed whose dial did not run, it is judged whatever lies there.

        Args:
            look: The newest look.
            seen: What hands have done since the last confirmed position; None: nobody watched them.
            strays: Pits weigh parts of stones more or less where nothing was moved: somebody leans there.
        """
        same = isinstance(look.verdict, Same)
        if same and not look.presses and not self._idle:
            self._judged = False  # what comes after a board that shows what it should is another matter
            return False
        last = max((press.at_us for press in (*self._presses, *self._idle)), default=None)
        if self._judged or last is None or look.quiet_since_us is None:
            return False
        if not self._idle and not look.presses:
            return False
        unread = isinstance(look.verdict, InProgress) and look.verdict.in_hand is None
        played = isinstance(look.verdict, Played) and bool(self._idle) and not look.presses
        if unread or not (played or isinstance(look.verdict, Differs | InProgress | Same)):
            return False
        leant_on = strays or self._leant_on(look, seen)
        return look.at_us - max(look.quiet_since_us, last) >= (LEANT_US if leant_on else JUDGE_AFTER_US)

    def _leant_on(self, look: Look, seen: Seen | None) -> bool:
        """Whether something rests there that is no stone and no mark, and makes the board too heavy."""
        over = isinstance(look.verdict, InProgress) and (look.verdict.in_hand or 0) < 0
        return over and seen is not None and bool(seen.resting - self._extra - {*self._marks_laid(seen)})

    def judge(self, lying: Lying) -> InfractionSeen | None:
        """Return what went wrong on a board that is due to be judged; None: the rulebook finds nothing.

        The plies that lie `behind` it are final by that: they were played as they should, and pressed.
        """
        self._judged = True
        verdict = lying.look.verdict
        scene = self._scene(lying)
        self._idle.clear()
        best = judged(scene, self._watched)
        self.found, self.behind = best.found, best.behind
        for ply in best.behind:
            # Where the arbiter let the other dial run, the press that ended a ply has stopped none.
            mine = next((nth for nth, press in enumerate(self._presses) if press.side is ply.side), -1)
            del self._presses[: mine + 1]
        seen = self._event(best.evidence, lying.look.at_us, lying.game)
        if seen is not None and (lying.look.presses or not isinstance(verdict, Same | Played)):
            self._open.append(seen.infraction)
        return seen

    def _scene(self, lying: Lying) -> Scene:
        position, verdict = lying.game.position, lying.look.verdict
        stones, marks = tuple(lying.stones), self._marks_laid(lying.seen)
        if isinstance(verdict, Same | Played):
            after = verdict.plies[-1].after if isinstance(verdict, Played) else position
            stones, marks = board_of(after), ()
        return Scene(position, stones, lying.seen, self._all_presses, marks, round(self._mark))

    def conduct(
        self, at_us: int, game: Game, plies: Sequence[Sowing], seen: Seen | None, marked: frozenset[int]
    ) -> InfractionSeen | None:
        """Return what was done against the rules in plies that become final, though the stones lie right.

        Args:
            at_us: Table time.
            game: The game, without these plies.
            plies: They, oldest first.
            seen: What hands have done since the position before them; None: nobody watched.
            marked: The places that bear a mark now.
        """
        won, self._won = self._won, next((ply for ply in plies if ply.tuzdyk is not None), None)
        if self._told:
            return None
        seen = None if self._spoilt else seen
        found = conducted(plies, seen, self._all_presses, self._watched)
        if found is None and won is not None:
            found = unmarked(won, marked, self._watched)
        if found is None:
            return None
        evidence, self.found = found
        return self._event(evidence, at_us, game)

    def _marks_laid(self, seen: Seen | None) -> tuple[int, ...]:
        """Return where marks were laid: where they were due, and what weighs as one does elsewhere."""
        if seen is None or not self._mark:
            return tuple(self._marks)
        like = [
            place
            for place in sorted(seen.resting)
            if place < PITS and abs(self._rests.get(place, 0.0) - self._mark) <= PIT_DOUBT
        ]
        return (*self._marks, *like)

    @property
    def _all_presses(self) -> tuple[PressSeen, ...]:
        return tuple(sorted((*self._presses, *self._idle), key=lambda press: press.at_us))

    def _event(self, evidence: Evidence, at_us: int, game: Game) -> InfractionSeen | None:
        if not self.found:
            return None
        self._told = True
        return InfractionSeen(
            at_us=at_us,
            infraction=len(game.incidents) + 1,
            side=self.found[0].faults[0].offender,
            faults=tuple(each.fault.value for each in self.found[0].faults[:MAX_FAULTS]),
            evidence=told(evidence, self.found),
        )

    def put_right(self, at_us: int, game: Game) -> tuple[InfractionClosed, ...]:
        """Return the end of what is open, now that the board shows what it should."""
        still = {each.number for each in game.open_incidents}
        closed = tuple(
            InfractionClosed(at_us=at_us, infraction=number, closing="put_right", by="", reason="")
            for number in self._open
            if number in still
        )
        self._open.clear()
        return closed
