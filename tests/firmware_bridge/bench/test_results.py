"""Results on disk, and the sums made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.bench.results import WRITTEN_OVER, Results, ResultsError
from firmware_bridge.bench.score import (
    Ask,
    Offended,
    Score,
    Wrong,
    number_chains,
    score_from_json,
    score_to_json,
)
from firmware_bridge.bench.summary import Key, percentile, rows, to_be_looked_at


def line(score: Score, key: str = "games 2009", pace: str = "rapid") -> dict[str, object]:
    """Return a line of the results."""
    task = {"lane": "games", "profile": "clean", "pace": pace}
    return {"key": key, "task": task, "scene": {}, "score": score_to_json(score)}


def test_a_torn_last_line_is_dropped_and_the_next_begins_a_line(tmp_path: Path) -> None:
    """A run that was killed in the middle of writing is taken up again."""
    path = tmp_path / "deep" / "results.jsonl"
    results = Results.open(path)
    results.add({"key": "a", "task": 1})
    with path.open("a", encoding="utf-8") as file:
        file.write('{"key": "b", "n')
    again = Results.open(path)
    assert list(again.lines) == ["a"]
    again.add({"key": "b", "task": 2})
    assert Results.open(path).of(["b", "a", "c"]) == [{"key": "b", "task": 2}, {"key": "a", "task": 1}]


def test_zeros_of_a_power_cut_are_dropped_like_a_torn_line(tmp_path: Path) -> None:
    """Hours of results lie before them; a file of zeros alone is none of ours."""
    path = tmp_path / "results.jsonl"
    Results.open(path).add({"key": "a", "task": 1})
    kept = path.read_bytes()
    for torn in (b"\0" * 700, b'{"key":"b"\0\0'):
        path.write_bytes(kept + torn)
        assert list(Results.open(path).lines) == ["a"]
        assert path.read_bytes() == kept
    path.write_bytes(b"\0\0")
    with pytest.raises(ResultsError):
        Results.open(path)
    assert path.read_bytes() == b"\0\0"


@pytest.mark.parametrize("name", ["summary.json", "sweep.png"])
def test_what_results_are_written_beside_is_not_written_over(tmp_path: Path, name: str) -> None:
    """A folder without results may hold somebody's own summary; one of ours is of results now removed."""
    other = tmp_path / name
    other.write_bytes(b"mine")
    with pytest.raises(ResultsError, match="choose another folder"):
        Results.open(tmp_path / "results.jsonl")
    assert [each.name for each in tmp_path.iterdir()] == [name]
    other.write_bytes(WRITTEN_OVER[name])
    assert not Results.open(tmp_path / "results.jsonl").lines


def test_a_score_goes_through_json_and_back() -> None:
    """Nothing is lost that a table is made of."""
    score = Score(
        plies=3, wrong=[Wrong(2, "76", "56", "x")], asks=[Ask(1, "unsure", (3, 4), 10, 20, "confirmed")]
    )
    score.offended.append(Offended(ply=3, kind="neighbour", legal_too=False, outcome="asked", after_ms=3100))
    assert score_from_json(score_to_json(score)) == score


def test_asks_of_one_cause_are_one_chain() -> None:
    """Neighbours in time belong together, and so does the same place a little later."""
    asks = [
        Ask(5, "unsure", (1,), 0),
        Ask(7, "unsure", (2,), 0),
        Ask(11, "unsure", (2, 9), 0),
        Ask(20, "unsure", (2,), 0),
        Ask(25, "unsure", (3,), 0),
    ]
    number_chains(asks)
    assert [ask.chain for ask in asks] == [1, 1, 1, 2, 3]


def test_rows_add_up_what_scenes_have_shown() -> None:
    """Lanes, profiles and paces stay apart; rates are told with their bounds."""
    good = Score(plies=40, confirmed=40, to_sure_ms=[300, 310, 400], baselines={"tare": 2}, baseline_plies=40)
    bad = Score(plies=10, wrong=[Wrong(2, "76", "56", "")], asks=[Ask(3, "unsure", (), 0, chain=1)])
    found = rows([line(good), line(bad), line(good, pace="blitz")])
    assert list(found) == [Key("games", "clean", "rapid", "cells"), Key("games", "clean", "blitz", "cells")]
    facts = found[Key("games", "clean", "rapid", "cells")].to_json()
    assert (facts["plies"], facts["wrong"], facts["asks"], facts["chains"]) == (50, 1, 1, 1)
    assert facts["asks_unended"] == 1
    assert facts["wrong_bounds"][0] < 1 / 50 < facts["wrong_bounds"][1]
    assert facts["to_sure_p50_ms"] == 310
    assert facts["to_sure_max_ms"] == 400


def test_only_what_went_wrong_is_to_be_looked_at() -> None:
    """A clean scene is not listed; a wrong one is, with the key that plays it again."""
    bad = Score(plies=10, wrong=[Wrong(2, "76", "56", "")])
    assert [each["key"] for each in to_be_looked_at([line(Score(plies=9)), line(bad, "there")])] == ["there"]


def test_percentiles_are_values_that_were_measured() -> None:
    """Of a hundred values the 99 % one is the last."""
    assert percentile([], 0.5) is None
    assert percentile(list(range(100)), 0.99) == 99
    assert percentile([3, 1, 2], 0.5) == 2
