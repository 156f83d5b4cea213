"""Where each method of counting breaks: error rates over noise, spread and drift, on the same quiet boards.

Pure but for reading games. Every method answers to every board with the stones it believes, or asks. Told the
truth afterwards, it goes on from there: what is measured is a single ply, not what follows from a mistake.

A method breaks at the first factor where more than one ply in ten thousand is silently wrong, an illegal
board taken for a legal one included, or more than one in a hundred is asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Protocol

from firmware_bridge.bench.baselines import zeros_g
from firmware_bridge.bench.bounds import rate_bounds
from firmware_bridge.bench.games import game, names
from firmware_bridge.bench.lanes import Task
from firmware_bridge.bench.made import MADE
from firmware_bridge.bench.stretches import Board, Quiet, stretched
from firmware_bridge.bench.theory import MOST_ASKS
from firmware_bridge.board.counting.belief import Belief
from firmware_bridge.board.counting.lots import change_of, laid_out, stones_due, tuzdyk_places
from firmware_bridge.board.counting.observation import Observation, PlaceReading, observe
from firmware_bridge.board.session.eye import units_of
from firmware_bridge.board.watching.reconciler import Played, Same, reconcile
from rules.position import START, Position, apply, legal_moves, outcome
from sensors.calibration import Calibration
from sensors.simulator.profile import PROFILES

MOST_SILENT = 1e-4
"""Where a method counts as broken, besides `MOST_ASKS`."""

Stones = tuple[int, ...]


class Method(Protocol):
    """A way of counting."""

    def begin(self, position: Position, loads_g: Sequence[float]) -> None:
        """Hear that `position` lies there and weighs this."""

    def answer(self, quiet: Quiet) -> Stones | None:
        """Return the stones of the twenty places; None: ask. Nothing of the truth in `quiet` is looked at."""

    def confirm(self, quiet: Quiet) -> None:
        """Hear what was played, and that the board lies as due; not called behind an illegal board."""


@dataclass(slots=True)
class Rounding:
    """Nearest whole stone of each channel.

    Attributes:
        calibration: Of the board.
        tracks: New zeros are taken from each true position; otherwise those of the start stay.
        knows_rules: A board that no legal ply leads to is asked about; otherwise it is claimed as it is.
    """

    calibration: Calibration
    tracks: bool
    knows_rules: bool
    _zeros: tuple[float, ...] = ()

    def begin(self, position: Position, loads_g: Sequence[float]) -> None:
        """Take the zeros of the start."""
        self._zeros = self._zeros_of(position, loads_g)

    def answer(self, quiet: Quiet) -> Stones | None:
        """Round; a mark is taken off where a tuzdyk is, or may just have been won."""
        marked = self._counted(quiet, tuzdyk_places(quiet.before))
        after = [apply(quiet.before, number).after for number in legal_moves(quiet.before)]
        for position in after:
            # It is told that a mark was laid, since a scale with a display is read by somebody who sees it.
            if self._counted(quiet, tuzdyk_places(position)) == stones_due(position):
                return stones_due(position)
        return None if self.knows_rules else marked

    def confirm(self, quiet: Quiet) -> None:
        """Follow the zeros."""
        if self.tracks:
            self._zeros = self._zeros_of(quiet.sowing.after, quiet.loads_g)

    def _counted(self, quiet: Quiet, marks: frozenset[int]) -> Stones:
        unit_g, mark_g = self.calibration.unit_g, self.calibration.mark_g
        return tuple(
            max(0, round((load_g - zero_g - (mark_g if place in marks else 0.0)) / unit_g))
            for place, (load_g, zero_g) in enumerate(zip(quiet.loads_g, self._zeros, strict=True))
        )

    def _zeros_of(self, position: Position, loads_g: Sequence[float]) -> tuple[float, ...]:
        unit_g, mark_g = self.calibration.unit_g, self.calibration.mark_g
        return zeros_g(loads_g, stones_due(position), tuzdyk_places(position), unit_g, mark_g)


@dataclass(slots=True)
class Joint:
    """The board's own way: everything at once, from what is known of every place."""

    calibration: Calibration
    _belief: Belief = field(default_factory=Belief.empty)

    def begin(self, position: Position, loads_g: Sequence[float]) -> None:
        """Confirm the start."""
        places = [PlaceReading(load_g, 0) for load_g in loads_g]
        units = units_of(self.calibration)
        seen = observe(places, self._belief.emptied(units.mark_g / units.stone_g), units)
        self._belief = seen.confirm(seen.compare(laid_out(position)))

    def answer(self, quiet: Quiet) -> Stones | None:
        """Reconcile, as behind a press of the player who was to move."""
        verdict = reconcile(quiet.before, self._seen(quiet), (quiet.before.to_move,))
        if isinstance(verdict, Played):
            return stones_due(verdict.plies[-1].after)
        return stones_due(quiet.before) if isinstance(verdict, Same) else None

    def confirm(self, quiet: Quiet) -> None:
        """Measure every place anew."""
        seen = self._seen(quiet)
        self._belief = seen.confirm(seen.compare(change_of((quiet.sowing,))))

    def _seen(self, quiet: Quiet) -> Observation:
        places = [
            PlaceReading(load_g, 0, "", noise_g)
            for load_g, noise_g in zip(quiet.loads_g, quiet.noise_g, strict=True)
        ]
        return observe(places, self._belief, units_of(self.calibration))


METHODS: Mapping[str, Callable[[Calibration], Method]] = {
    "tare": lambda calibration: Rounding(calibration, tracks=False, knows_rules=False),
    "tracked": lambda calibration: Rounding(calibration, tracks=True, knows_rules=False),
    "tracked and rules": lambda calibration: Rounding(calibration, tracks=True, knows_rules=True),
    "joint": Joint,
}
"""What is compared, by name."""


@dataclass(slots=True)
class Tally:
    """What one method did.

    Attributes:
        plies: Legal boards shown.
        illegal: Illegal boards shown.
        wrong: Legal boards answered with other stones.
        asks: Legal boards asked about.
        missed: Illegal boards answered with a board that a legal ply leads to.
    """

    plies: int = 0
    illegal: int = 0
    wrong: int = 0
    asks: int = 0
    missed: int = 0

    def take(self, quiet: Quiet, answer: Stones | None, legal: frozenset[Stones]) -> None:
        """Judge one answer."""
        if quiet.legal:
            self.plies += 1
            self.asks += answer is None
            self.wrong += answer is not None and answer != quiet.lying
        elif quiet.lying not in legal:
            self.illegal += 1
            self.missed += answer in legal

    def add(self, other: Mapping[str, int]) -> None:
        """Take the counts of another tally."""
        for name, count in other.items():
            setattr(self, name, getattr(self, name) + count)

    @property
    def silent_rate(self) -> float:
        """Share of all boards that were silently wrong."""
        return (self.wrong + self.missed) / max(1, self.plies + self.illegal)

    @property
    def ask_rate(self) -> float:
        """Share of the legal boards that were asked about."""
        return self.asks / max(1, self.plies)

    @property
    def broken(self) -> bool:
        """Whether the method is of no use any more."""
        return self.silent_rate > MOST_SILENT or self.ask_rate > MOST_ASKS

    def to_json(self) -> dict[str, Any]:
        """Return the counts, the rates and their bounds."""
        boards = self.plies + self.illegal
        return {
            **asdict(self),
            "silent_rate": self.silent_rate,
            "silent_bounds": rate_bounds(self.wrong + self.missed, boards),
            "ask_rate": self.ask_rate,
            "ask_bounds": rate_bounds(self.asks, self.plies),
        }


def perform_piece(task: Task) -> dict[str, dict[str, int]]:
    """Show one board's worth of quiet boards to every method; return their counts."""
    board = Board(stretched(PROFILES[task.profile], task.axis, task.factor), task.seed)
    methods = {name: make(board.calibration) for name, make in METHODS.items()}
    tallies = {name: Tally() for name in methods}
    rng = Random(f"games {task.seed}")
    path = None if task.games_file is None else Path(task.games_file)
    known = names(None, path, MADE)
    shown = 0
    while shown < task.plies:
        loads_g = board.begin()
        for method in methods.values():
            method.begin(START, loads_g)
        sowings = [each for each in game(rng.choice(known), path) if outcome(each.after) is None]
        for quiet in board.quiets(sowings[: task.plies - shown]):
            shown += 1
            _show(quiet, methods, tallies)
    return {name: asdict(tally) for name, tally in tallies.items()}


def _show(quiet: Quiet, methods: Mapping[str, Method], tallies: Mapping[str, Tally]) -> None:
    legal: frozenset[Stones] = frozenset()
    if not quiet.legal:
        boards = [apply(quiet.before, number).after for number in legal_moves(quiet.before)]
        legal = frozenset(map(stones_due, [quiet.before, *boards]))
    for name, method in methods.items():
        tallies[name].take(quiet, method.answer(quiet), legal)
        if quiet.legal:
            method.confirm(quiet)


def sweep_tasks(
    profile: str, grids: Mapping[str, Sequence[float]], plies: int, piece: int, games_file: str | None
) -> list[Task]:
    """Return the pieces of a sweep: `plies` boards at each factor of each axis, `piece` of them a task."""
    return [
        Task(
            lane="sweep",
            profile=profile,
            seed=number + 1,
            games_file=games_file,
            axis=axis,
            factor=factor,
            plies=min(piece, plies - number * piece),
        )
        for axis, factors in grids.items()
        for factor in factors
        for number in range(-(-plies // piece))
    ]


def grid(most: float, per_octave: int = 3) -> list[float]:
    """Return factors from 1 to about `most`, so many to each doubling."""
    found, step = [1.0], 2 ** (1 / per_octave)
    while found[-1] * step <= most * 1.001:
        found.append(found[-1] * step)
    return [round(factor, 2) for factor in found]


GRIDS: Mapping[str, Sequence[float]] = {"noise": grid(256), "spread": grid(16), "drift": grid(64)}
"""Factors tried on each axis; the best methods should be broken at their ends."""


def gather(lines: Iterable[Mapping[str, Any]]) -> dict[str, dict[float, dict[str, Tally]]]:
    """Return the tallies by axis, factor and method."""
    found: dict[str, dict[float, dict[str, Tally]]] = {}
    for line in lines:
        task = line["task"]
        at = found.setdefault(task["axis"], {}).setdefault(task["factor"], {})
        for name, counts in line["tallies"].items():
            at.setdefault(name, Tally()).add(counts)
    return {axis: dict(sorted(factors.items())) for axis, factors in found.items()}


def breaking_point(factors: Mapping[float, Mapping[str, Tally]], method: str) -> float | None:
    """Return the first factor at which a method is broken; None: at none that was tried."""
    return next((factor for factor, tallies in factors.items() if tallies[method].broken), None)
