"""What many refereed faults come to, kind by kind, and what was told instead (pure)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from firmware_bridge.bench.bounds import rate_bounds
from firmware_bridge.bench.referee import ALIKE, EXACT, SECOND, WRONG
from firmware_bridge.bench.score import Score, score_from_json
from firmware_bridge.bench.summary import percentile

_COUNTS = ("scenes", "legal_too", "must", "missed", "silent", "corrected", "seen", "alarms", "wrong")
"""The plain numbers of a `Tried`."""


@dataclass(slots=True)
class Tried:
    """The scenes of one kind of fault, or of all, taken together.

    Attributes:
        scenes: How many were played, those not counted that end as a legal ply does.
        legal_too: Scenes that ended on a board to which a legal ply leads too: no weight tells those apart.
        must: Scenes in which stones or presses were others than due.
        missed: Of these, the ones of which nothing was told.
        silent: Others of which nothing was told.
        named: How often the fault was named how, by `referee.EXACT` and the others.
        told: How often which faults were told, the codes joined by `+`.
        corrected: Of the ones told, those whose corrections lead exactly to the board that was due.
        seen: Of these, those in which the stones were counted right.
        alarms: Faults told though there were none, or told again.
        wrong: Wrong positions.
        after_ms: From the press to what was told.
    """

    scenes: int = 0
    legal_too: int = 0
    must: int = 0
    missed: int = 0
    silent: int = 0
    named: Counter[str] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)
    corrected: int = 0
    seen: int = 0
    alarms: int = 0
    wrong: int = 0
    after_ms: list[int] = field(default_factory=list)

    def add(self, score: Score) -> None:
        """Take one more scene."""
        self.alarms += len(score.alarms)
        for offended in score.offended:
            if offended.legal_too:
                self.legal_too += 1
                continue
            self.wrong += len(score.wrong)
            self.scenes += 1
            self.must += offended.must
            told = offended.told
            if told is None:
                self.missed += offended.must
                self.silent += not offended.must
                continue
            self.named[told.named] += 1
            self.told["+".join(told.faults)] += 1
            self.corrected += told.corrected
            self.seen += told.seen
            if told.after_ms is not None:
                self.after_ms.append(told.after_ms)

    def join(self, other: Tried) -> None:
        """Take all scenes of another."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.named.update(other.named)
        self.told.update(other.told)
        self.after_ms += other.after_ms

    @property
    def detected(self) -> int:
        """Scenes of which something was told."""
        return self.named.total()

    @property
    def first(self) -> int:
        """Of these, the ones named as they are, or as one of their class."""
        return self.named[EXACT] + self.named[ALIKE]

    def to_json(self) -> dict[str, Any]:
        """Return it with its rates and bounds."""
        return {
            "scenes": self.scenes,
            "legal_too": self.legal_too,
            "must": self.must,
            "missed": self.missed,
            "missed_bounds": rate_bounds(self.missed, self.must),
            "silent": self.silent,
            "detected": self.detected,
            "named": {how: self.named[how] for how in (EXACT, ALIKE, SECOND, WRONG)},
            "named_bounds": rate_bounds(self.first, self.detected),
            "corrected": self.corrected,
            "seen": self.seen,
            "false_alarms": self.alarms,
            "wrong": self.wrong,
            "told": dict(self.told.most_common()),
            "after_p50_ms": percentile(self.after_ms, 0.50),
            "after_p99_ms": percentile(self.after_ms, 0.99),
        }


def tried(lines: Iterable[Mapping[str, Any]]) -> dict[str, Tried]:
    """Return the scenes of each kind, in the order in which kinds first come up."""
    found: dict[str, Tried] = {}
    for line in lines:
        found.setdefault(line["task"]["kind"], Tried()).add(score_from_json(line["score"]))
    return found


def together(found: Mapping[str, Tried]) -> Tried:
    """Return all kinds as one."""
    whole = Tried()
    for each in found.values():
        whole.join(each)
    return whole


@dataclass(slots=True)
class Legal:
    """Fair games of one pace taken together.

    Attributes:
        games: How many.
        plies: Plies played in them.
        alarms: Faults told though there were none.
        after_end: Questions asked after a game was over.
        wrong: Wrong positions.
        asks: Questions of the board: it does not know, and accuses nobody.
    """

    games: int = 0
    plies: int = 0
    alarms: int = 0
    after_end: int = 0
    wrong: int = 0
    asks: int = 0

    def add(self, score: Score) -> None:
        """Take one more game."""
        self.games += 1
        self.plies += score.plies
        self.alarms += len(score.alarms)
        self.after_end += len(score.notes)
        self.wrong += len(score.wrong)
        self.asks += score.chains

    def to_json(self) -> dict[str, Any]:
        """Return it with the 95 % bounds of false alarms for each game."""
        return {**asdict(self), "alarms_bounds": rate_bounds(self.alarms, self.games)}


def legal(lines: Iterable[Mapping[str, Any]]) -> dict[str, Legal]:
    """Return the fair games by their pace."""
    found: dict[str, Legal] = {}
    for line in lines:
        found.setdefault(line["task"]["pace"], Legal()).add(score_from_json(line["score"]))
    return found


def doubtful(lines: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return every scene that is worth a look, with the task that plays it again."""
    found = []
    for line in lines:
        score = score_from_json(line["score"])
        judged = [each for each in score.offended if not each.legal_too]
        told = [each.told for each in judged if each.told is not None]
        right = all(each.named in (EXACT, ALIKE) and each.corrected and each.seen for each in told)
        if not right or len(told) < len(judged) or score.alarms or score.notes or (judged and score.wrong):
            found.append({"key": line["key"], "scene": line["scene"], "score": line["score"]})
    return found
