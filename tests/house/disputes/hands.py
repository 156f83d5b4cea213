"""What players do at a table, as steps of hands: plies as due or against the rules, stones laid anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from firmware_bridge.emulator.offences import Kind, plan
from firmware_bridge.emulator.strokes import Aside, Stroke, Work
from firmware_bridge.emulator.told import Lay, Mark, Press, Take, ToldStep
from rules.position import Sowing


def due(sowing: Sowing, *, press: bool = True) -> tuple[ToldStep, ...]:
    """Return how a ply is played as it should be, and pressed."""
    work = Work(sowing)
    work.play()
    won = (Mark(sowing.last_index),) if sowing.tuzdyk is not None else ()
    return (*_strokes(work.strokes, ()), *won, *((Press(sowing.side),) if press else ()))


def against_the_rules(sowing: Sowing, kind: Kind, seed: int = 1) -> tuple[ToldStep, ...]:
    """Return how a ply is played in one of the ways of an offence, and pressed."""
    offended = plan(kind, sowing, Random(seed))
    assert offended is not None, f"{kind} cannot be done at {sowing}"
    steps = [*_strokes(offended.strokes, offended.asides)]
    if offended.mark_after is not None:
        steps.append(Mark(sowing.last_index))
    if not any(isinstance(step, Press) for step in steps):
        steps.append(Press(sowing.side))
    return tuple(steps)


def _strokes(strokes: Sequence[Stroke], asides: Sequence[Aside]) -> Iterator[ToldStep]:
    for done in range(len(strokes) + 1):
        for aside in asides:
            if aside.after == done and aside.press is not None:
                yield Press(aside.press)
            elif aside.after == done and aside.mark is not None:
                yield Mark(aside.mark)
        if done < len(strokes):
            place, change = strokes[done].place, strokes[done].change
            yield Lay(place, change) if change > 0 else Take(place, -change)


def laid(there: Sequence[int], wanted: Sequence[int]) -> tuple[ToldStep, ...]:
    """Return how stones are carried until they lie as wanted: first what is too much, then what lacks."""
    owed = [due - has for has, due in zip(there, wanted, strict=True)]
    takes = [Take(place, -stones) for place, stones in enumerate(owed) if stones < 0]
    lays = [Lay(place, stones) for place, stones in enumerate(owed) if stones > 0]
    return (*takes, *lays)
