"""The simplest explanation of a board that lies against the rules, of all ways to read what was seen (pure).

What was seen is read as one turn first. Where that takes more than one fault, stones pushed about in the
other's row are tried as no answer of his, and the turns are cut (see `answered.py`): whatever needs fewer
faults is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from firmware_bridge.board.refereeing.answered import Behind, Scene, on_top_of_plies, under_an_answer
from rules.infractions.corrections import carries
from rules.infractions.diagnose import Diagnosis, diagnose
from rules.infractions.evidence import Evidence, Watched
from rules.position import Sowing, board_of


@dataclass(frozen=True, slots=True)
class Judged:
    """One way to read what was seen.

    Attributes:
        evidence: What the explanations rest on.
        found: The explanations, the likeliest first; () where nothing was wrong.
        behind: The plies that were played as they should before the fault.
    """

    evidence: Evidence
    found: tuple[Diagnosis, ...]
    behind: tuple[Sowing, ...] = ()

    @property
    def faults(self) -> int:
        """How many faults the best explanation takes."""
        return len(self.found[0].faults) if self.found else 0


def judged(scene: Scene, policy: Watched) -> Judged:
    """Return the reading of a scene that takes the fewest faults; of as many, the one with the fewest turns.

    Args:
        scene: What was seen.
        policy: Which faults that leave the stones right are told.
    """
    best = _as_one(scene, policy)
    if best.faults <= 1:
        return best
    for other in _cut(scene, policy):
        if not other.found:  # all of it can have been played as it should: nobody is accused
            return replace(other, behind=())
        if other.faults < best.faults:
            best = other
        if best.faults == 1:
            break
    return best


def _as_one(scene: Scene, policy: Watched) -> Judged:
    """Return what a scene comes to if it is one turn."""
    evidence = scene.evidence
    said = Judged(evidence, diagnose(evidence, policy))
    if evidence.early is None or said.faults <= 1:
        return said
    calm = replace(evidence, early=None)
    other = Judged(calm, diagnose(calm, policy))
    return other if 0 < other.faults < said.faults else said


def _cut(scene: Scene, policy: Watched) -> Iterator[Judged]:
    """Yield the readings of a scene that was cut: first those with the fault of whom hands do not clear."""
    over = tuple(on_top_of_plies(scene))
    cleared = bool(over) and over[0].seen_whole
    if cleared:
        yield from _over(over, policy)
    for part in under_an_answer(scene):
        yield _as_it_lies_now(scene, _as_one(part, policy))
    if not cleared:
        yield from _over(over, policy)


def _over(found: Iterable[Behind], policy: Watched) -> Iterator[Judged]:
    """Yield faults on top of plies that are final by that.

    Where not all of a ply was seen, a fault can be hidden in it. Then one more is enough to explain what lies
    there, or both players have been at fault: no ply is taken for a good one, and no fault for the other's.
    """
    for each in found:
        told = _as_one(each.rest, policy)
        if each.seen_whole or told.faults <= 1:
            yield replace(told, behind=each.plies)


def _as_it_lies_now(scene: Scene, before: Judged) -> Judged:
    """Return a reading with what lies there now: the ways back begin there, and take the answer back too."""
    now = scene.evidence
    board = tuple(stones or 0 for stones in now.seen)
    in_hand = sum(now.in_hand or (0, 0))
    start = board_of(scene.position)
    found = tuple(
        replace(
            each,
            to_before=carries(board, start, in_hand),
            to_due=carries(board, start if each.due is None else board_of(each.due.after), in_hand),
        )
        for each in before.found
    )
    return Judged(replace(before.evidence, seen=now.seen), found)
