"""What many scores come to, profile by profile and pace by pace, with 95 % bounds (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from firmware_bridge.bench.bounds import at_most_rate, rate_bounds
from firmware_bridge.bench.scene import CELLS
from firmware_bridge.bench.score import Score, score_from_json


def percentile(values: list[int], share: float) -> int | None:
    """Return the value below which a share 0..1 of them lies; None of none."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@dataclass(slots=True)
class Row:
    """The scores of one lane, profile, pace and kind of board taken together.

    Attributes:
        scenes: How many.
        plies: Plies played.
        wrong: Silent wrong positions.
        asks: Asks, and `chains` their causes.
        together: Plies that became final only with the next.
        entered: Plies that an arbiter entered.
        never: Plies that never became final.
        unended: Asks that were never over.
        not_ended: Scenes whose end the board did not see.
        overtaken: Plies on which the next hand came down before they were final.
        offended: Outcomes of plies against the rules: `asked`, `claimed`, `silent`; with `too` behind them
            where a legal ply ends on the same board, and `mended` and `not mended` of those put right.
        alarms: Alarms after the end of a game.
        false_alarms: Faults told though there were none.
        to_sure_ms: A value a ply.
        baselines: Wrong plies of each baseline, of `baseline_plies`.
        samples: Samples taken.
        cpu_s: Processor seconds.
    """

    scenes: int = 0
    plies: int = 0
    wrong: int = 0
    asks: int = 0
    chains: int = 0
    together: int = 0
    entered: int = 0
    never: int = 0
    unended: int = 0
    not_ended: int = 0
    overtaken: int = 0
    offended: dict[str, int] = field(default_factory=dict)
    alarms: int = 0
    false_alarms: int = 0
    to_sure_ms: list[int] = field(default_factory=list)
    baselines: dict[str, int] = field(default_factory=dict)
    baseline_plies: int = 0
    samples: int = 0
    cpu_s: float = 0.0

    def add(self, score: Score) -> None:
        """Take one more scene."""
        self.scenes += 1
        self.plies += score.plies
        self.wrong += len(score.wrong)
        self.asks += len(score.asks)
        self.chains += score.chains
        self.together += score.together
        self.entered += score.entered
        self.never += score.never
        self.unended += sum(ask.until_us is None for ask in score.asks)
        self.not_ended += score.ended is False
        self.overtaken += score.overtaken
        self.alarms += len(score.notes)
        self.false_alarms += len(score.alarms)
        for offended in score.offended:
            self._count(f"{offended.outcome} too" if offended.legal_too else offended.outcome)
            if offended.mended is not None:
                self._count("mended" if offended.mended else "not mended")
        self.to_sure_ms += score.to_sure_ms
        for name, wrong in score.baselines.items():
            self.baselines[name] = self.baselines.get(name, 0) + wrong
        self.baseline_plies += score.baseline_plies
        self.samples += score.samples
        self.cpu_s += score.cpu_s

    def _count(self, outcome: str) -> None:
        self.offended[outcome] = self.offended.get(outcome, 0) + 1

    def to_json(self) -> dict[str, Any]:
        """Return the row with its rates and bounds.

        `wrong_bounds` and `chain_bounds` are two-sided: 95 % between them, 2.5 % on either side.
        `wrong_at_most` is one-sided: with 95 % certainty the rate of wrong plies is not higher.
        """
        return {
            "scenes": self.scenes,
            "plies": self.plies,
            "wrong": self.wrong,
            "wrong_bounds": rate_bounds(self.wrong, self.plies),
            "wrong_at_most": at_most_rate(self.wrong, self.plies),
            "asks": self.asks,
            "chains": self.chains,
            "chain_bounds": rate_bounds(min(self.chains, self.plies), self.plies),
            "together": self.together,
            "entered": self.entered,
            "never": self.never,
            "asks_unended": self.unended,
            "ends_unseen": self.not_ended,
            "overtaken": self.overtaken,
            "offended": self.offended,
            "alarms": self.alarms,
            "false_alarms": self.false_alarms,
            "to_sure_p50_ms": percentile(self.to_sure_ms, 0.50),
            "to_sure_p99_ms": percentile(self.to_sure_ms, 0.99),
            "to_sure_max_ms": max(self.to_sure_ms, default=None),
            "baselines": self.baselines,
            "baseline_plies": self.baseline_plies,
            "samples": self.samples,
            "cpu_s": round(self.cpu_s, 2),
        }


class Key(NamedTuple):
    """What is summed up in one row."""

    lane: str
    profile: str
    pace: str
    sensors: str


def rows(lines: Iterable[Mapping[str, Any]]) -> dict[Key, Row]:
    """Return the rows of these results, in the order in which they first come up."""
    found: dict[Key, Row] = {}
    for line in lines:
        task = line["task"]
        # Results written before there were count sensors do not say what the board had.
        key = Key(task["lane"], task["profile"], task["pace"], task.get("sensors", CELLS))
        found.setdefault(key, Row()).add(score_from_json(line["score"]))
    return found


def to_be_looked_at(lines: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return every wrong position and every chain of asks, with the task that plays it again."""
    found = []
    for line in lines:
        score = line["score"]
        offended = [each for each in score["offended"] if each["outcome"] != "asked"]
        asks = [] if score["offended"] else score["asks"]
        alarms = score.get("alarms", [])
        odd = score["wrong"] or asks or score["never"] or offended or score["notes"] or alarms
        if odd or score["ended"] is False:
            found.append(
                {
                    "key": line["key"],
                    "scene": line["scene"],
                    "offended": score["offended"],
                    "wrong": score["wrong"],
                    "asks": score["asks"],
                    "never": score["never"],
                    "ended": score["ended"],
                    "notes": score["notes"],
                    "alarms": alarms,
                }
            )
    return found
