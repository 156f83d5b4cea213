"""What was seen at a table as evidence for the rulebook (pure).

Cells cannot tell a pen from a sleeve, nor a stone that falls from one that has just fallen: what is evidence
against a player is only what no haste and no ringing of a cell explains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf

from firmware_bridge.board.counting.lots import tuzdyk_places
from firmware_bridge.board.hands.events import (
    Amount,
    Banked,
    Captured,
    Fell,
    Lifted,
    Seen,
    TakenUp,
    Turn,
    When,
)
from firmware_bridge.layout import PITS
from rules.infractions.evidence import Evidence, Hand, Stroke, kazan_of
from rules.position import STONES, Position, Side, Sowing, pit_index, tuzdyk_owner

LATE_US = 300_000
"""Stones that fall so long after a press were in the hand at it: a cell that rings shows a fall late."""

EARLY_US = 500_000
"""A pit that is taken up so long before the other's press was not taken up in haste."""


@dataclass(frozen=True, slots=True)
class PressSeen:
    """A press.

    Attributes:
        side: Who pressed.
        at_us: When, in table time.
    """

    side: Side
    at_us: int


@dataclass(frozen=True, slots=True)
class Marks:
    """Marks of tuzdyks that were laid since the last confirmed position.

    Attributes:
        places: Where.
        stones: As how many stones one is counted where it was not to be expected.
    """

    places: tuple[int, ...]
    stones: int


@dataclass(frozen=True, slots=True)
class Answer:
    """Where the answer to a ply begins.

    Attributes:
        turn: Which of the turns that were seen.
        lifted: The lift it begins with; what the turn has done before that was not the answer.
    """

    turn: int
    lifted: Lifted


def gathered(
    position: Position,
    stones: Sequence[int | None],
    seen: Seen | None,
    presses: Iterable[PressSeen],
    marks: Marks | None = None,
    *,
    plies: Sequence[Sowing] = (),
) -> Evidence:
    """Return the evidence of a turn.

    Args:
        position: The last confirmed position.
        stones: What lies at the twenty places; None: it cannot be told. Marks laid since are among them.
        seen: What hands have done since; None: nobody watched them.
        presses: The presses since, oldest first.
        marks: The marks that were seen to be laid; None: none were.
        plies: The ply that was played, and those behind it as far as they are known; (): nobody knows.
    """
    presses = tuple(presses)
    told = tuple(stones) if marks is None else _without_marks(position, stones, marks)
    held = None if seen is None else _in_hand(seen, presses, told, plies[0] if plies else None)
    return Evidence(
        before=position,
        seen=told,
        strokes=None if seen is None or seen.unseen else strokes_of(seen.turns),
        presses=tuple(press.side for press in presses),
        in_hand=None if held is None else held[0],
        in_hand_us=None if held is None else held[1],
        marks=None if seen is None else () if marks is None else marks.places,
        early=None if seen is None else early_of(position, seen, presses, plies),
        handled=frozenset() if seen is None else seen.touched,
    )


def _without_marks(position: Position, stones: Sequence[int | None], marks: Marks) -> tuple[int | None, ...]:
    """Return the stones without the marks that were laid on places which bore none before."""
    told = list(stones)
    for place in set(marks.places) - tuzdyk_places(position):
        there = told[place]
        if there:
            told[place] = max(0, there - marks.stones)
    return tuple(told)


def _in_hand(
    seen: Seen, presses: Sequence[PressSeen], stones: Sequence[int | None], ply: Sowing | None
) -> tuple[tuple[int, int], int | None]:
    """Return what each player held at his press, and for how long; None: unknown, or still.

    What is still in hand counts where stones are missing: where none is, it was laid down unseen. What falls
    while the other's hand is on the board already may be his.
    """
    complete = None not in stones and sum(there or 0 for there in stones) == STONES
    held, longest = [0, 0], 0
    for turn in seen.turns:
        begun_us = min((item.when.late_us for item in turn.lifted), default=None)
        pressed = [press.at_us for press in presses if press.side is turn.side]
        if begun_us is not None and pressed and begun_us < pressed[0]:
            others = [_first_us(other) for other in seen.turns if other.side is not turn.side]
            until_us = min((first_us for first_us in others if first_us >= begun_us), default=None)
            late, late_us = _laid_late(turn, pressed[0], until_us, ply)
            held[turn.side.index] += late
            longest = max(longest, late_us)
        if not complete:
            held[turn.side.index] += turn.in_hand + turn.carried
    return (held[0], held[1]), longest if complete else None


def _first_us(turn: Turn) -> int:
    """Return when a turn began; a turn in which nothing was seen began with the board."""
    whens = [item.when for item in turn.lifted] + [item.when for item in turn.captured]
    whens += [item.when for item in turn.taken_up] + [item.when for item in turn.fell]
    return min((when.early_us for when in (*whens, *(item.when for item in turn.banked))), default=0)


def _laid_late(turn: Turn, pressed_us: int, until_us: int | None, ply: Sowing | None) -> tuple[int, int]:
    """Return how many stones taken up before a press were surely laid down after it, and how long after.

    Args:
        turn: Whose hands.
        pressed_us: When he pressed.
        until_us: What falls after this may be the other's; None: he has done nothing since.
        ply: The ply that was played: only its own places count, and what is taken up elsewhere shortly before
            the press is the answer, begun in haste; None: nobody knows which it is.
    """
    due = None if ply is None else due_places(ply)
    own = None if ply is None else own_places(ply)
    laid = [(item.place, item.amount.low, item.when) for item in turn.fell]
    laid += [(PITS + item.kazan.index, item.amount.low, item.when) for item in turn.banked]
    late = [
        (stones, when.early_us - pressed_us)
        for place, stones, when in laid
        if when.early_us - pressed_us > LATE_US
        and (due is None or place in due)
        and (until_us is None or when.late_us < until_us)
    ]
    takes: list[Lifted | TakenUp | Captured] = [*turn.lifted, *turn.taken_up, *turn.captured]
    hasty_us = pressed_us - EARLY_US
    again = sum(
        item.amount.high
        for item in takes
        if item.when.late_us > (pressed_us if own is None or item.place in own else hasty_us)
    )
    stones = max(0, sum(stones for stones, _ in late) - again)
    return stones, max((us for _, us in late), default=0) if stones else 0


def due_places(ply: Sowing) -> frozenset[int]:
    """Return the places where stones of a ply come to lie."""
    owners = [tuzdyk_owner(index, ply.before.tuzdyks) for index in ply.path]
    pits = {index for index, owner in zip(ply.path, owners, strict=True) if owner is None}
    kazans = {kazan_of(owner) for owner in owners if owner is not None}
    return frozenset(pits | kazans | ({kazan_of(ply.side)} if ply.captured else set()))


def own_places(ply: Sowing) -> frozenset[int]:
    """Return the places from which a ply takes stones: its pit, what it wins, and tuzdyks on its way."""
    won = {ply.last_index} if ply.captured else set()
    return frozenset({pit_index(ply.side, ply.number)} | won | tuzdyk_places(ply.before))


def early_of(
    position: Position, seen: Seen, presses: Sequence[PressSeen], plies: Sequence[Sowing] = ()
) -> Side | None:
    """Return who took up the pit of his answer well before the press that was due; None: nobody did.

    Args:
        position: The last confirmed position.
        seen: What hands have done since.
        presses: The presses since, oldest first.
        plies: The ply that was played, and those behind it as far as they are known; (): nobody knows.
    """
    mover = position.to_move
    pressed_us = next((press.at_us for press in presses if press.side is mover), None)
    answer = answer_of(position, seen, plies)
    if pressed_us is None or answer is None:
        return None
    return mover.opponent if answer.lifted.when.late_us + EARLY_US < pressed_us else None


def answer_of(position: Position, seen: Seen, plies: Sequence[Sowing] = ()) -> Answer | None:
    """Return where the answer to the first ply begins; None: nowhere that is known.

    A capture of the player to move may look like the beginning of an answer, and so may a stone that he puts
    right in the other's row: who answers sows, or holds all that lay in his pit, and it is no pit that was
    just emptied by the ply.

    Args:
        position: The last confirmed position.
        seen: What hands have done since.
        plies: The ply that was played; and its answer, which then begins with its own pit; (): nobody knows.
            No answer comes before the ply's own lift, and none is known where that was not seen.
    """
    mover = position.to_move
    begun_us = -inf
    if plies:
        own = own_lift(seen, plies[0])
        if own is None:
            return None
        begun_us = own.when.at_us
    if len(plies) > 1:
        return _lift_of(seen, plies[1], begun_us)
    lay = list(position.pits)
    moved = False
    for nth, turn in enumerate(seen.turns):
        if moved and turn.side is not mover and _answers(turn, lay, taken_from(plies)):
            answer = turn.lifted[0]
            if answer.when.at_us > begun_us:
                return Answer(nth, answer)
        moved = moved or (turn.side is mover and bool(turn.fell or turn.banked))
        for fall in turn.fell:
            lay[fall.place] += fall.amount.stones
    return None


def taken_from(plies: Sequence[Sowing]) -> int | None:
    """Return the pit from which the first ply captured; None: it captured nothing, or nobody knows it."""
    return plies[0].last_index if plies and plies[0].captured else None


def takes_all(lifted: Lifted, lay: int) -> bool:
    """Whether of so many stones that lay there all were taken up, but perhaps for one left lying (1.3.1)."""
    return lifted.amount.low <= lay <= lifted.amount.high + 1


def own_lift(seen: Seen, ply: Sowing) -> Lifted | None:
    """Return the lift a ply began with; None: it was not seen."""
    found = _lift_of(seen, ply)
    return None if found is None else found.lifted


def _lift_of(seen: Seen, ply: Sowing, after_us: float = -inf) -> Answer | None:
    origin = pit_index(ply.side, ply.number)
    for nth, turn in enumerate(seen.turns):
        lifted = next(
            (item for item in turn.lifted if item.place == origin and item.when.at_us > after_us), None
        )
        if turn.side is ply.side and lifted is not None:
            return Answer(nth, lifted)
    return None


def those(turn: Turn, wanted: Callable[[Lifted | Fell | TakenUp | Captured | Banked], bool]) -> Turn:
    """Return what a turn did, without what is not wanted; what it holds now stays."""
    return replace(
        turn,
        lifted=tuple(filter(wanted, turn.lifted)),
        fell=tuple(filter(wanted, turn.fell)),
        taken_up=tuple(filter(wanted, turn.taken_up)),
        captured=tuple(filter(wanted, turn.captured)),
        banked=tuple(filter(wanted, turn.banked)),
    )


def _answers(turn: Turn, lay: Sequence[int], taken: int | None) -> bool:
    """Whether a turn begins as a sowing of a whole pit, but for the stone left lying."""
    if not turn.lifted or turn.lifted[0].place == taken:
        return False
    item = turn.lifted[0]
    if any(fall.when.at_us < item.when.at_us for fall in turn.fell):
        return False  # what fell first was the other's, and so is what was taken up then
    if not takes_all(item, lay[item.place]):
        return False
    if any((fall.place - item.place) % PITS > item.amount.high for fall in turn.fell):
        return False  # who sows goes onwards; who puts right goes back
    if any(fall.amount.low > 1 for fall in turn.fell):
        return False  # one by one is how stones are sown
    won = sum(banked.amount.high for banked in turn.banked if banked.kazan is not turn.side)
    return bool(turn.fell or turn.in_hand) and won < item.amount.low


def strokes_of(turns: Iterable[Turn]) -> tuple[Stroke, ...]:
    """Return what hands did in the order of time."""
    told: list[tuple[When, Hand, int, Amount]] = []
    for turn in turns:
        told += [(item.when, Hand.LIFT, item.place, item.amount) for item in turn.lifted]
        told += [(item.when, Hand.FALL, item.place, item.amount) for item in turn.fell]
        told += [(item.when, Hand.TAKE, item.place, item.amount) for item in turn.taken_up]
        told += [(item.when, Hand.TAKE, item.place, item.amount) for item in turn.captured]
        told += [(item.when, Hand.BANK, PITS + item.kazan.index, item.amount) for item in turn.banked]
    told.sort(key=lambda item: item[0].at_us)
    return tuple(Stroke(hand, place, amount.low, amount.high) for _, hand, place, amount in told)
