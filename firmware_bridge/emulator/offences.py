"""What hands do against the rules, planned as a pure value before a stone moves.

`plan` returns every lift and drop of an offended ply and the exact board it ends on. Each offence has a few
variants at a ply (which stone, which way, which pit). They are tried in random order until one ends on a
board that is neither the one due nor the one before. Where none does, the offence is not possible there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from random import Random
from types import MappingProxyType

from firmware_bridge.emulator import misdeeds, misplays
from firmware_bridge.emulator.breaches import AS_DUE, Breach
from firmware_bridge.emulator.strokes import Aside, Hold, Stroke, Work
from rules.position import Position, Side, Sowing, apply, board_of, legal_moves, outcome

MOST_BETWEEN_KAZANS = 6
"""Most stones that a hand carries from one kazan to the other (a small handful; estimate)."""

BEFORE_PRESS_S = (0.05, 1.0)
"""From a late offence to the press, seconds: a flick beside the clock to a slow hand (estimate)."""


class Offence(Enum):
    """A way to leave the board as the rules do not have it."""

    NEIGHBOUR = "neighbour"
    """A stone of the sowing is laid into the pit beside the one it is due in."""
    KEPT_IN_HAND = "kept_in_hand"
    """One stone is taken from some pit with the other hand and kept in it."""
    OFF_BOARD = "off_board"
    """One stone is taken from some pit and laid beside the board."""
    EXTRA_FROM_BOX = "extra_from_box"
    """One stone from beside the board is laid into a pit of the sowing (there must be one)."""
    EXTRA_FROM_PIT = "extra_from_pit"
    """One stone of another own pit is sown along, one pit past the end."""
    CAPTURE_NOT_TAKEN = "capture_not_taken"
    """The stones won are left where they lie."""
    CAPTURED_ODD = "captured_odd"
    """An odd pit of the opponent is emptied into the own kazan."""
    CAPTURED_OWN = "captured_own"
    """The last pit is one's own, and is emptied into the own kazan."""
    CAPTURED_ONE_FEWER = "captured_one_fewer"
    """One of the stones won is left lying."""
    CAPTURED_ONE_MORE = "captured_one_more"
    """One stone of the pit beside goes along with the stones won."""
    CAPTURED_TO_OPPONENT = "captured_to_opponent"
    """The stones won are put into the opponent's kazan."""
    LEFT_IN_TUZDYK = "left_in_tuzdyk"
    """A stone that fell into a tuzdyk is left lying in it."""
    TUZDYK_TO_WRONG_KAZAN = "tuzdyk_to_wrong_kazan"
    """A stone of a tuzdyk is put into the kazan of the player whom it does not belong to."""
    KAZAN_ONE = "kazan_one"
    """After a correct sowing one stone goes from one kazan to the other."""
    KAZAN_SEVERAL = "kazan_several"
    """After a correct sowing several stones go from one kazan to the other."""
    WRONG_WAY = "wrong_way"
    """The stones are sown clockwise."""
    FIRST_NOT_LEFT = "first_not_left"
    """The first stone is not laid back where it came from, but into the next pit."""
    SKIPPED_PIT = "skipped_pit"
    """One pit on the way gets no stone, and the sowing ends one pit further on."""
    TWO_IN_ONE = "two_in_one"
    """One pit on the way gets two stones, and the sowing ends one pit earlier."""
    ONE_SHORT = "one_short"
    """The last stone is not laid: it stays in the hand, or goes into the own kazan."""
    ONE_PAST = "one_past"
    """The last stone is laid one pit past the end."""
    MOVED_AFTERWARDS = "moved_afterwards"
    """After a correct sowing one stone is pushed into the pit beside."""
    BANKED_AFTERWARDS = "banked_afterwards"
    """After a correct sowing one stone of a pit is put into the own kazan."""
    PALMED_AFTERWARDS = "palmed_afterwards"
    """After a correct sowing one stone of a kazan vanishes into the hand, or beside the board."""


Kind = Offence | Breach
"""All that hands can do against the rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OffendedPly:
    """A ply that is played against the rules, as a whole.

    Attributes:
        offence: what is wrong with it.
        sowing: the ply that was due.
        strokes: every lift and drop, in order.
        stones: of the twenty places at the end: pits by index, then both kazans.
        in_hand: stones the player still holds at the end.
        held_by: the hand that holds them.
        boxed: stones that lie beside the board and came from it; negative: stones that came from there.
        mark_after: the mark of a tuzdyk won by the ply due is laid after so many strokes; None: it is not.
        before_press_s: from the last stroke to the press, seconds, where the board stood as due on the way;
            None: it did not, and the press comes when the pace says.
        same_as: the legal ply from the position before that ends with the same stones on every place; None:
            there is none, and the weights alone give the offence away.
        reply_as: the legal answer to the ply due that ends with these stones; None: there is none.
        asides: presses and marks on the way; with a press among them none follows by itself.
    """

    offence: Kind
    sowing: Sowing
    strokes: tuple[Stroke, ...]
    stones: tuple[int, ...]
    in_hand: int
    held_by: Hold
    boxed: int
    mark_after: int | None
    before_press_s: float | None
    same_as: Sowing | None
    reply_as: Sowing | None
    asides: tuple[Aside, ...] = ()

    @property
    def presses(self) -> tuple[Side, ...]:
        """Who presses, in order."""
        planned = tuple(each.press for each in self.asides if each.press is not None)
        return planned or (self.sowing.side,)

    @property
    def as_due(self) -> bool:
        """Whether the stones end as they should."""
        return self.stones == board_of(self.sowing.after)


def is_possible(offence: Kind, sowing: Sowing) -> bool:
    """Return whether hands can commit the offence at this ply."""
    return any(_tried(offence, variant, sowing) is not None for variant in _VARIANTS[offence](sowing))


def plan(offence: Kind, sowing: Sowing, rng: Random) -> OffendedPly | None:
    """Return how hands play a ply so that it offends; None: not possible here.

    An `Offence` never ends as due, a `Breach` only if it stands in `AS_DUE`.
    """
    variants = list(_VARIANTS[offence](sowing))
    rng.shuffle(variants)
    for variant in variants:
        work = _tried(offence, variant, sowing)
        if work is not None:
            seconds = rng.uniform(*BEFORE_PRESS_S) if work.due_after is not None else None
            return _finished(offence, work, seconds)
    return None


def _tried(offence: Kind, variant: misplays.Variant, sowing: Sowing) -> Work | None:
    """Carry a variant out; None where stones are missing for it or it ends on a board that offends nobody."""
    work = Work(sowing)
    variant(work)
    if not work.feasible:
        return None
    if offence in AS_DUE:
        return work if tuple(work.stones) == work.due and outcome(sowing.after) is None else None
    if offence is Breach.PRESSED_WITHOUT_MOVE:
        return work
    if tuple(work.stones) in (work.due, board_of(sowing.before)):
        return None
    if work.due_after is not None and outcome(sowing.after) is not None:
        # The game is over once that board lies there: what comes after it offends no ply.
        return None
    return work


def _finished(offence: Kind, work: Work, before_press_s: float | None) -> OffendedPly:
    stones = tuple(work.stones)
    own = [hold for hold in (Hold.SOWING, Hold.OTHER) if work.held[hold]]
    return OffendedPly(
        offence=offence,
        sowing=work.sowing,
        strokes=tuple(work.strokes),
        stones=stones,
        in_hand=sum(work.held[hold] for hold in own),
        held_by=own[0] if own else Hold.SOWING,
        boxed=work.held[Hold.BESIDE],
        mark_after=(work.due_after or len(work.strokes)) if work.marked else None,
        before_press_s=before_press_s,
        same_as=_ending_on(stones, work.sowing.before),
        reply_as=_ending_on(stones, work.sowing.after),
        asides=tuple(work.asides),
    )


def _ending_on(stones: tuple[int, ...], position: Position) -> Sowing | None:
    """Return the legal ply that ends with these stones; None: there is none."""
    plies = (apply(position, number) for number in legal_moves(position))
    return next((ply for ply in plies if board_of(ply.after) == stones), None)


_OFFENCES: dict[Kind, misplays.Variants] = {
    Offence.NEIGHBOUR: misplays.neighbour,
    Offence.KEPT_IN_HAND: misplays.stolen(Hold.OTHER),
    Offence.OFF_BOARD: misplays.stolen(Hold.BESIDE),
    Offence.EXTRA_FROM_BOX: misplays.extra_from_box,
    Offence.EXTRA_FROM_PIT: misplays.extra_from_pit,
    Offence.CAPTURE_NOT_TAKEN: misplays.not_taken,
    Offence.CAPTURED_ODD: misplays.wrongly(own=False),
    Offence.CAPTURED_OWN: misplays.wrongly(own=True),
    Offence.CAPTURED_ONE_FEWER: lambda sowing: misplays.captured(sowing, sowing.captured - 1),
    Offence.CAPTURED_ONE_MORE: lambda sowing: misplays.captured(sowing, sowing.captured, more=True),
    Offence.CAPTURED_TO_OPPONENT: lambda sowing: misplays.captured(sowing, sowing.captured, to_other=True),
    Offence.LEFT_IN_TUZDYK: misplays.tuzdyk(wrong_kazan=False),
    Offence.TUZDYK_TO_WRONG_KAZAN: misplays.tuzdyk(wrong_kazan=True),
    Offence.KAZAN_ONE: misplays.between_kazans(1, 1),
    Offence.KAZAN_SEVERAL: misplays.between_kazans(2, MOST_BETWEEN_KAZANS),
    Offence.WRONG_WAY: misplays.wrong_way,
    Offence.FIRST_NOT_LEFT: misplays.first_not_left,
    Offence.SKIPPED_PIT: misplays.skipped,
    Offence.TWO_IN_ONE: misplays.two_in_one,
    Offence.ONE_SHORT: misplays.one_short,
    Offence.ONE_PAST: misplays.one_past,
    Offence.MOVED_AFTERWARDS: misplays.moved_afterwards,
    Offence.BANKED_AFTERWARDS: misplays.banked_afterwards,
    Offence.PALMED_AFTERWARDS: misplays.palmed,
}

_VARIANTS: Mapping[Kind, misplays.Variants] = MappingProxyType(
    {**_OFFENCES, **dict(misdeeds.VARIANTS.items())}
)
