"""When a table says that something goes against the rules, once, and when it is put right (pure).

Before the press nothing is a fault (house law 5). Behind it a board that lies quiet, and that no play
explains, is judged once: the rulebook names what was done, and the event waits for an arbiter. It is done
with by itself only when the board shows what it should.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from firmware_bridge.board.hands.events import MarkLaid, Seen, SowingEvent
from firmware_bridge.board.refereeing.gathering import PressSeen, gathered, held_by
from firmware_bridge.board.refereeing.telling import told
from firmware_bridge.board.watching.look import Look
from firmware_bridge.board.watching.reconciler import Differs, InProgress, Same
from rules.conduct.options import Conduct
from rules.game import Game, InfractionClosed, InfractionSeen
from rules.infractions.diagnose import Diagnosis, diagnose
from rules.infractions.evidence import Watched
from rules.position import Side

JUDGE_AFTER_US = 3_000_000
"""How long an unexplained board must lie quiet behind a press before it is judged: as long as before a person
is asked to look, so that hands have put right what they were about to."""

MOST_FAULTS = 8
"""Faults of one infraction; a board that needs more was knocked over."""


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
    """

    def __init__(self, conduct: Conduct, game: Game) -> None:
        """Begin at a game as the journal has it: what is open there may still be put right."""
        self._watched = watched(conduct)
        self._presses: list[PressSeen] = []
        self._marks: list[int] = []
        self._open = [each.number for each in game.open_incidents if each.ply == len(game.plies)]
        self._judged = bool(self._open)
        self.found: tuple[Diagnosis, ...] = ()

    # --- what it hears ------------------------------------------------------------------------------

    def pressed(self, side: Side, at_us: int, seen: Seen | None) -> None:
        """Hear of a press, and what hands held then."""
        self._presses.append(PressSeen(side, at_us, None if seen is None else held_by(seen)))

    def hands(self, events: Iterable[SowingEvent]) -> None:
        """Hear what hands did."""
        self._marks += [event.place for event in events if isinstance(event, MarkLaid)]

    def confirmed(self, pending: int) -> None:
        """Hear that plies became final, and that so many presses are still to be explained."""
        self._presses = self._presses[len(self._presses) - pending :] if pending else []
        self._begin_anew()

    def ruled(self) -> None:
        """Hear that an arbiter let a position hold: the board is put right, not judged."""
        self._presses.clear()
        self._begin_anew()
        self._judged = True

    def _begin_anew(self) -> None:
        self._marks.clear()
        self._open.clear()
        self._judged = False

    # --- what it says -------------------------------------------------------------------------------

    def due(self, look: Look) -> bool:
        """Whether a board lies there that must be judged: pressed, quiet, and not as any play leaves it."""
        if isinstance(look.verdict, Same) and not look.presses:
            self._judged = False  # what comes after a board that shows what it should is another matter
            return False
        if self._judged or not look.presses or look.quiet_since_us is None or not self._presses:
            return False
        unread = isinstance(look.verdict, InProgress) and look.verdict.in_hand is None
        if unread or not isinstance(look.verdict, Differs | InProgress | Same):
            return False
        return look.at_us - max(look.quiet_since_us, self._presses[-1].at_us) >= JUDGE_AFTER_US

    def judge(self, lying: Lying) -> InfractionSeen | None:
        """Return what went wrong on a board that is due to be judged; None: the rulebook finds nothing."""
        self._judged = True
        evidence = gathered(lying.game.position, lying.stones, lying.seen, self._presses, self._marks)
        self.found = found = diagnose(evidence, self._watched)
        if not found:
            return None
        number = len(lying.game.incidents) + 1
        self._open.append(number)
        return InfractionSeen(
            at_us=lying.look.at_us,
            infraction=number,
            side=found[0].faults[0].offender,
            faults=tuple(each.fault.value for each in found[0].faults[:MOST_FAULTS]),
            evidence=told(evidence, found),
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
