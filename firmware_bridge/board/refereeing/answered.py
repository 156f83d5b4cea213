"""A fault with a ply behind it or on top of it, where both lie on the board before it could be judged (pure).

A player who answers at once leaves no quiet board behind his opponent's ply: what is judged then holds two
plies, or three. Taken for one, a single fault among them looks like five. So the turns are cut at the answer,
and each part is judged for itself: a legal ply and a fault on top of it, or a fault and a legal answer to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from firmware_bridge.board.hands.agreement import agreement
from firmware_bridge.board.hands.events import Lifted, Seen, Turn
from firmware_bridge.board.refereeing.gathering import (
    Marks,
    PressSeen,
    answer_of,
    gathered,
    taken_from,
    takes_all,
    those,
)
from firmware_bridge.layout import PITS
from rules.infractions.evidence import Evidence
from rules.position import Position, Side, Sowing, board_of, legal_moves, number_of, outcome, play, side_of
from rules.unplay import unplay

MOST_BEHIND = 3
"""Legal plies that a fault may lie on top of: hands that are never quiet for so long are not refereed."""

MOST_UNSOWN = 12
"""Ways to take an answer back that are tried: as many captures leave the same empty pit."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What there is to judge.

    Attributes:
        position: The position before.
        stones: Stones on the twenty places now; None: it cannot be told. Marks are among them.
        seen: What hands have done since that position; None: nobody watched them.
        presses: The presses since, oldest first.
        marks: Places where marks of tuzdyks were seen to be laid since.
        mark: As how many stones a mark is counted; 0: unknown.
    """

    position: Position
    stones: tuple[int | None, ...]
    seen: Seen | None
    presses: tuple[PressSeen, ...]
    marks: tuple[int, ...] = ()
    mark: int = 0

    @property
    def evidence(self) -> Evidence:
        """All of it as evidence of one turn."""
        laid = Marks(self.marks, self.mark) if self.marks else None
        return gathered(self.position, self.stones, self.seen, self.presses, laid)


@dataclass(frozen=True, slots=True)
class Cut:
    """A scene cut at the answer to its first ply.

    Attributes:
        lifted: The lift the first ply begins with.
        answer: The lift the answer begins with.
        first: The first ply alone; its stones are still those of now.
        rest: The answer, and what comes behind it; likewise, and its position that of the scene.
    """

    lifted: Lifted
    answer: Lifted
    first: Scene
    rest: Scene


def cut(scene: Scene) -> Cut | None:
    """Return a scene cut at the answer to its first ply; None: there is none, or not for certain.

    Both must have pressed. Hands cannot be kept apart, but moments can: what was done before the answer's pit
    was taken up belongs to the first ply.
    """
    seen, mover = scene.seen, scene.position.to_move
    nth = next((nth for nth, press in enumerate(scene.presses) if press.side is mover), None)
    if seen is None or nth is None or outcome(scene.position) is not None:
        return None
    lifts = [item for turn in seen.turns if turn.side is mover for item in turn.lifted]
    before, after = scene.presses[: nth + 1], scene.presses[nth + 1 :]
    if not lifts or not any(press.side is not mover for press in after):
        return None
    played = _ply(scene.position, lifts[0])
    answer = _after(scene.position, seen, before[-1].at_us, played)
    if answer is None:
        early = answer_of(scene.position, seen, played)
        answer = None if early is None else early.lifted
    if answer is None:
        return None
    first, rest = _parted(seen, answer.when.at_us)
    return Cut(
        lifts[0], answer, replace(scene, seen=first, presses=before), replace(scene, seen=rest, presses=after)
    )


def _after(position: Position, seen: Seen, pressed_us: int, played: Sequence[Sowing]) -> Lifted | None:
    """Return the first whole pit of the next player that was surely taken up after the press."""
    taken = taken_from(played)
    for item in sorted(seen.lifted, key=lambda item: item.when.at_us):
        fell = [fall for fall in seen.fell if fall.place == item.place and fall.when.at_us < item.when.at_us]
        lay = position.pits[item.place] + sum(fall.amount.stones for fall in fell)
        if (
            side_of(item.place) is not position.to_move
            and item.when.early_us > pressed_us
            and item.place != taken
            and takes_all(item, lay)
        ):
            return item
    return None


def _parted(seen: Seen, at_us: int) -> tuple[Seen, Seen]:
    """Return what was seen before a moment, and from it on; what hands hold now, the second part holds."""
    first, rest = [], []
    for turn in seen.turns:
        early = those(turn, lambda item: item.when.at_us < at_us)
        late = those(turn, lambda item: item.when.at_us >= at_us)
        first.append(replace(early, in_hand=0, carried=0, since_us=None))
        rest.append(late)
    return (
        replace(seen, turns=tuple(turn for turn in first if _did(turn))),
        replace(seen, turns=tuple(turn for turn in rest if _did(turn) or turn.in_hand or turn.carried)),
    )


def _did(turn: Turn) -> bool:
    return bool(turn.lifted or turn.fell or turn.taken_up or turn.captured or turn.banked)


def _ply(position: Position, lifted: Lifted) -> tuple[Sowing, ...]:
    """Return the ply of the pit that was lifted; () where that is no move, or not all was taken up."""
    number = number_of(lifted.place)
    if side_of(lifted.place) is not position.to_move or number not in legal_moves(position):
        return ()
    return (play(position, number),) if takes_all(lifted, position.pits[lifted.place]) else ()


@dataclass(frozen=True, slots=True)
class Behind:
    """Plies that may have been played as they should before the fault.

    Attributes:
        plies: They, oldest first.
        rest: What is left to judge.
        seen_whole: Hands were seen to lay every stone of them where it was due: no fault is hidden in them.
    """

    plies: tuple[Sowing, ...]
    rest: Scene
    seen_whole: bool


def on_top_of_plies(scene: Scene) -> Iterator[Behind]:
    """Yield what may have been played as it should before the fault, and what is left to judge."""
    plies: tuple[Sowing, ...] = ()
    whole = True
    while len(plies) < MOST_BEHIND:
        parts = cut(scene)
        played = () if parts is None else _ply(scene.position, parts.lifted)
        if parts is None or not played or outcome(played[0].after) is not None:
            return
        if not _sown_so(parts.first.seen, played[0]) or _robbed(scene.stones, played[0].after):
            return
        plies += played
        whole = whole and _seen_whole(parts.first.seen, played[0])
        scene = _marked(replace(parts.rest, position=played[0].after), played[0])
        yield Behind(plies, scene, whole)


def _robbed(stones: Sequence[int | None], due: Position) -> bool:
    """Whether a kazan holds less than a ply has brought into it: that ply was not played as it should be.

    What nobody has put there is likelier than what somebody has taken out again.
    """
    return any(
        there is not None and there < kazan for there, kazan in zip(stones[PITS:], due.kazans, strict=True)
    )


def _seen_whole(seen: Seen | None, ply: Sowing) -> bool:
    return seen is not None and agreement(seen, ply).agrees


def _marked(scene: Scene, won: Sowing) -> Scene:
    """Take the mark of a tuzdyk that a ply won off what is left to judge."""
    if won.tuzdyk is None:
        return scene
    place, stones = won.last_index, list(scene.stones)
    if stones[place] == scene.mark:
        stones[place] = 0
    places = tuple(each for each in scene.marks if each != place)
    return replace(scene, stones=tuple(stones), marks=places)


def under_an_answer(scene: Scene) -> Iterator[Scene]:
    """Yield what may have lain there before a legal answer was played on top of the fault."""
    parts = cut(scene)
    if parts is None or len(parts.rest.presses) > 1 or None in scene.stones:
        return
    first = parts.first.evidence
    seen = [stones or 0 for stones in first.seen]
    mover = scene.position.to_move
    now = Position(tuple(seen[:-2]), (seen[-2], seen[-1]), scene.position.tuzdyks, mover)
    won = _banked(parts.rest.seen, mover.opponent)
    tried = 0
    for before, number in unplay(now):
        if number != number_of(parts.answer.place) or before.tuzdyks != now.tuzdyks:
            continue
        reply = play(before, number)
        if not takes_all(parts.answer, reply.stones) or not won[0] <= reply.captured <= won[1]:
            continue
        if not _sown_so(parts.rest.seen, reply):
            continue
        yield replace(parts.first, stones=board_of(before))
        tried += 1
        if tried >= MOST_UNSOWN:
            return


def _sown_so(seen: Seen | None, ply: Sowing) -> bool:
    """Whether nothing was seen to fall elsewhere than a ply has it, nor in another order."""
    if seen is None:
        return True
    how = agreement(seen, ply)
    return not how.wrong and not how.disorder


def _banked(seen: Seen | None, side: Side) -> tuple[int, int]:
    """Return how many stones a player has captured, at least and at most: not more than came to his kazan."""
    turns = () if seen is None else seen.turns
    taken = [item for turn in turns for item in turn.captured if turn.side is side]
    most = sum(item.amount.high for turn in turns for item in turn.banked if item.kazan is side)
    return min(most, sum(item.amount.low for item in taken)), most
