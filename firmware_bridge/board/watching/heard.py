"""Which plies count sensors have heard, on a board that weighs nothing (pure).

The press ends a ply, so the pulses between two presses are those of one ply, except for the first stones of
a reply that begins before the press. A line of plies is as likely as its pulses are (`passages.py`); it is
believed when it is hundreds of times likelier than all other legal lines together and strays no further from
what it makes likely than sensors do. As no place's beam is trusted beyond one stone in two hundred, one
missed or doubled stone never decides.

What this cannot see is not guessed: stones taken away, how many stones a handful had, what else was done to
a capture. Only legal plies are compared; an illegal board is noticed only where its stones fell as in no
legal ply, and a capture of which nothing fell into the kazan is asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

from firmware_bridge.board.counting.passages import NOTHING, Falls, Passed, begun, falls_of
from firmware_bridge.board.watching.reconciler import MAX_PLIES
from firmware_bridge.layout import PITS, PLACES, is_kazan
from rules.position import Position, Sowing, legal_moves, play, tuzdyk_owner

LIKELIER = 6.0
"""Nats by which a line must be likelier than all others together: four hundred to one, and more than one
missed stone can ever cost (`beams.LEAST`: 5.3)."""

LIKELIER_ALONE = 7.0
"""The same for a ply of a single stone: a hand at its pit that looks like a stone, and the stone missed, make
the ply of the pit before it, which happens once in a thousand."""

STRAYS = 12.0
"""Nats a ply's pulses may lie below the likeliest: three stones missed or doubled (estimate)."""

CUT_OFF = 16.0
"""Nats behind the best at which a line is followed no further."""

EARLY = 2
"""Stones of a reply that may have fallen before the press."""

EARLY_CHANCE = 0.05
"""Share of plies that begin before the other's press (estimate)."""

MOST_TOLD = 4
"""Lines that are told, the likeliest first: a person has to choose among them."""


@dataclass(frozen=True, slots=True)
class Line:
    """One explanation of the pulses.

    Attributes:
        plies: What was played, oldest first.
        likelihood: In nats.
        shortfall: How far that is below the likeliest pulses of these plies; 0 or less.
        early: For each ply, how many stones of the next had fallen before its press.
        reply: The ply that has begun since; None: none.
    """

    plies: tuple[Sowing, ...]
    likelihood: float
    shortfall: float
    early: tuple[int, ...]
    reply: Sowing | None


@dataclass(frozen=True, slots=True)
class Heard:
    """What was made of the pulses between presses.

    Attributes:
        plies: The plies that are sure; empty: none is.
        margin: Nats by which they are likelier than all others.
        likelihood: Of the best line, in nats.
        carried: Pulses of each place, before the last of these presses, that belong to the next ply.
        lines: Where none is sure, the likeliest lines; a single one is the likeliest, and strays too far.
    """

    plies: tuple[Sowing, ...]
    margin: float
    likelihood: float
    carried: tuple[int, ...] = (0,) * PLACES
    lines: tuple[tuple[Sowing, ...], ...] = ()


def hear(position: Position, segments: Sequence[Passed]) -> Heard | None:
    """Return which plies the pulses of each press are of; None where there is no legal ply.

    Args:
        position: The last confirmed position.
        segments: The pulses until each press since, oldest first; beyond `MAX_PLIES` they are not explained.
    """
    lines = [Line((), 0.0, 0.0, (), None)]
    for passed in segments[:MAX_PLIES]:
        found = [longer for line in lines for longer in _longer(position, line, passed)]
        if not found:
            break
        best = max(line.likelihood for line in found)
        lines = [line for line in found if line.likelihood > best - CUT_OFF]
    lines.sort(key=lambda line: -line.likelihood)
    best_line = lines[0]
    if not best_line.plies:
        return None
    for length in range(len(best_line.plies), 0, -1):
        plies = best_line.plies[:length]
        margin = _margin(lines, plies)
        strays = best_line.shortfall < -STRAYS * len(best_line.plies)
        enough = LIKELIER_ALONE if any(ply.stones == 1 for ply in plies) else LIKELIER
        if margin >= enough and not strays and _banked(plies, segments):
            return Heard(plies, margin, best_line.likelihood, _carried(best_line, length))
    margin = _margin(lines, best_line.plies)
    if margin >= LIKELIER:
        return Heard((), margin, best_line.likelihood, lines=(best_line.plies,))
    told = tuple(dict.fromkeys(line.plies for line in lines))[:MOST_TOLD]
    return Heard((), margin, best_line.likelihood, lines=told)


def _banked(plies: Sequence[Sowing], segments: Sequence[Passed]) -> bool:
    """Whether something fell into the kazan at each capture: one not taken makes no other difference."""
    return all(
        passed.pulses[PITS + ply.side.index]
        for ply, passed in zip(plies, segments, strict=False)
        if ply.captured
    )


def _margin(lines: Sequence[Line], plies: tuple[Sowing, ...]) -> float:
    """Return by how much lines that begin so are likelier than all others together, in nats."""
    best = lines[0].likelihood
    ours = [line for line in lines if line.plies[: len(plies)] == plies]
    of_ours = sum(exp(line.likelihood - best) for line in ours)
    others = sum(exp(line.likelihood - best) for line in lines) - of_ours
    return CUT_OFF if others <= exp(-CUT_OFF) * of_ours else log(of_ours / others)


def _longer(position: Position, line: Line, passed: Passed) -> list[Line]:
    """Return a line with each ply that may have followed, and each reply that may have begun."""
    start = line.plies[-1].after if line.plies else position
    carried = line.early[-1] if line.early else 0
    plies = [line.reply] if line.reply is not None else [play(start, number) for number in legal_moves(start)]
    found = []
    for ply in plies:
        due = _without(falls_of(ply), begun(ply, carried) if carried else NOTHING)
        found.append(_line(line, ply, passed, due))
        if found[-1].shortfall - line.shortfall > log(EARLY_CHANCE):
            continue  # the pulses are its own: no reply could explain them better by more than it costs
        for number in legal_moves(ply.after):
            reply = play(ply.after, number)
            for stones in range(1, min(EARLY, reply.stones - 1) + 1):
                if tuzdyk_owner(reply.path[stones - 1], ply.after.tuzdyks) is None:
                    more = tuple([a.and_then(b) for a, b in zip(due, begun(reply, stones), strict=True)])
                    found.append(_line(line, ply, passed, more, (stones, reply)))
    return found


def _line(
    line: Line, ply: Sowing, passed: Passed, due: Sequence[Falls], early: tuple[int, Sowing] | None = None
) -> Line:
    """Return a line with one more ply; `early` is the reply that has begun, and how many of its stones."""
    likelihood = passed.likelihood(due)
    chance = 1 - EARLY_CHANCE if early is None else EARLY_CHANCE / (9 * EARLY)
    stones, reply = (0, None) if early is None else early
    return Line(
        (*line.plies, ply),
        line.likelihood + likelihood + log(chance),
        line.shortfall + passed.shortfall(due),
        (*line.early, stones),
        reply,
    )


def _without(falls: Sequence[Falls], fallen: Sequence[Falls]) -> tuple[Falls, ...]:
    """Return what is still to fall."""
    return tuple(
        [
            Falls(max(0, due.single - gone.single), due.poured, due.perhaps, max(0, due.hands - gone.hands))
            for due, gone in zip(falls, fallen, strict=True)
        ]
    )


def _carried(line: Line, length: int) -> tuple[int, ...]:
    """Return the pulses before the press of a line's ply that are of the ply after it."""
    stones = line.early[length - 1]
    following = line.plies[length] if length < len(line.plies) else line.reply
    if not stones or following is None:
        return (0,) * PLACES
    return tuple([0 if is_kazan(place) else due.single for place, due in enumerate(begun(following, stones))])
