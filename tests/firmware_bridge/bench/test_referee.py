"""The lane in which the table is held against faults: what is told, how it is judged, what it comes to."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.bench.expected import KINDS, counts_or_presses_differ, due_after, names_of
from firmware_bridge.bench.games import names
from firmware_bridge.bench.lanes import LEADING_IN, NoPlyError, Task, scene_of
from firmware_bridge.bench.made import MADE
from firmware_bridge.bench.referee import carried, told_of
from firmware_bridge.bench.refereed import doubtful, legal, together, tried
from firmware_bridge.bench.score import Alarm, Score, score_from_json, score_to_json
from firmware_bridge.bench.table import BenchTable
from firmware_bridge.bench.tasks import legal_tasks, perform, referee_tasks
from firmware_bridge.bench.workers import perform_all
from firmware_bridge.emulator.offences import OffendedPly, plan
from rules.events import JSON
from rules.game import InfractionSeen
from rules.infractions.diagnose import Diagnosis, diagnose
from rules.infractions.evidence import Evidence
from rules.infractions.kinds import Fault
from rules.position import START, Side, apply, board_of, play
from tests.firmware_bridge.bench.test_long import where

TINY = (
    "neighbour",
    "capture_not_taken",
    "captured_one_fewer",
    "kept_in_hand",
    "opponents_pit",
    "out_of_turn",
    "touch_move_broken",
    "pressed_without_move",
    "pressed_out_of_turn",
    "both_pressed",
    "moved_before_press",
    "capture_after_press",
)
"""Of every family of faults."""


def refereed(kind: str, seed: int = 1, pace: str = "blitz") -> Score:
    """Play one fault on an honest board."""
    task = Task(lane="referee", kind=kind, profile="nominal", pace=pace, manners="plain", seed=seed)
    return BenchTable(scene_of(task)).run()


@pytest.mark.parametrize("kind", TINY)
def test_a_fault_is_told_named_and_put_right_and_play_goes_on(kind: str) -> None:
    """Nothing is told before it and nothing after it; the corrections lead to the board that was due."""
    score = refereed(kind)
    (offended,) = score.offended
    assert offended.told is not None
    assert offended.told.named in ("exact", "alike")
    assert (offended.told.corrected, offended.told.seen) == (True, True)
    assert (score.alarms, score.wrong, score.never) == ([], [], 0)


def test_fair_plies_lead_to_the_fault() -> None:
    """And some follow it."""
    scene = scene_of(Task(lane="referee", kind="swept", profile="nominal", pace="blitz", seed=3))
    assert list(scene.offences) == [scene.first + LEADING_IN + 1]
    assert scene.last is not None
    assert scene.last > scene.first + LEADING_IN + 1


def test_every_kind_has_a_name_that_the_rulebook_knows() -> None:
    """Among at least forty kinds."""
    assert len(KINDS) >= 40
    codes = {fault.value for fault in Fault}
    for kind in KINDS.values():
        assert set(names_of(planned(kind.value))) <= codes


def planned(kind: str) -> OffendedPly:
    """Return a plan of a kind, at the first made ply that allows it."""
    for seed in range(3):
        scene = scene_of(Task(lane="referee", kind=kind, profile="nominal", pace="blitz", seed=seed))
        (ply,) = scene.offences
        found = plan(KINDS[kind], scene.sowings[ply - 1], Random(seed))
        if found is not None:
            return found
    raise AssertionError(kind)


def not_taken() -> tuple[OffendedPly, InfractionSeen, tuple[Diagnosis, ...]]:
    """Return a capture left lying, and what a board without an error tells of it."""
    offended = plan(KINDS["capture_not_taken"], play(START, 7), Random(1))
    assert offended is not None
    found = diagnose(Evidence(before=START, seen=offended.stones, presses=(Side.BASTAUSHY,)))
    evidence: dict[str, JSON] = {"to_due": [[14, 18, 10]], "seen": [*offended.stones]}
    event = InfractionSeen(
        at_us=0, infraction=1, side=Side.BASTAUSHY, faults=("capture_not_taken",), evidence=evidence
    )
    return offended, event, found


def test_what_is_told_is_held_against_what_was_done() -> None:
    """Exact, put right and counted right."""
    offended, event, found = not_taken()
    told = told_of(offended, event, found, 3000)
    assert (told.named, told.corrected, told.seen, told.after_ms) == ("exact", True, True, 3000)


def test_another_name_a_wrong_way_back_and_a_wrong_count_are_seen() -> None:
    """Each for itself."""
    offended, event, found = not_taken()
    other = InfractionSeen(
        at_us=0,
        infraction=1,
        side=Side.BASTAUSHY,
        faults=("stone_lost",),
        evidence={"to_due": [[14, 18, 9]], "seen": [0] * 20},
    )
    told = told_of(offended, other, (), None)
    assert (told.named, told.corrected, told.seen) == ("wrong", False, False)
    assert told_of(offended, other, (found[0], found[0]), None).named == "second"
    assert carried(offended.stones, event.evidence["to_due"]) == board_of(play(START, 7).after)
    assert carried(offended.stones, "no list") == ()


def test_what_is_due_after_a_fault_without_a_sowing_is_the_position_before() -> None:
    """A press without a move leaves the move to be made; touched stones have to be played (1.3.4)."""
    pressed = planned("pressed_without_move")
    assert due_after(pressed) == board_of(pressed.sowing.before)
    assert counts_or_presses_differ(pressed)
    touched = planned("touch_move_broken")
    first = touched.strokes[0].place
    assert due_after(touched) == board_of(apply(touched.sowing.before, first % 9 + 1).after)
    assert not counts_or_presses_differ(touched)


def test_a_score_goes_through_json_and_is_summed_up() -> None:
    """Kind by kind, and all together."""
    (task,) = referee_tasks(["both_pressed"], 1, ["blitz"], None)
    line = perform(task)
    score = score_from_json(line["score"])
    assert score_to_json(score) == line["score"]
    found = tried([line])
    assert list(found) == ["both_pressed"]
    whole = together(found).to_json()
    assert (whole["scenes"], whole["missed"], whole["named"]["exact"], whole["false_alarms"]) == (1, 0, 1, 0)
    assert doubtful([line]) == []


def test_games_that_never_allow_a_fault_are_complained_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of being searched for ever."""
    monkeypatch.setattr("firmware_bridge.bench.lanes.REFEREED_TRIES", 1)
    task = Task(lane="referee", kind="tuzdyk_on_nine", profile="nominal", pace="blitz", seed=1)
    with pytest.raises(NoPlyError, match="allows the fault tuzdyk_on_nine"):
        scene_of(task)


def test_of_a_fair_game_nothing_is_said_while_it_goes_on_nor_when_it_is_talked_over() -> None:
    """One game at one pace, with all that hands do besides."""
    (task,) = legal_tasks(["made:151"], ["blitz"], None)
    assert scene_of(task).manners.post_mortem
    line = perform(task)
    (fair,) = legal([line]).items()
    assert fair[0] == "blitz"
    assert (fair[1].games, fair[1].alarms, fair[1].after_end, fair[1].wrong) == (1, 0, 0, 0)
    assert fair[1].plies == len(scene_of(task).played)


def test_a_false_alarm_in_a_fair_game_is_counted_and_to_be_looked_at() -> None:
    """And so is an alarm after its end."""
    (task,) = legal_tasks(["made:151"], ["blitz"], None)
    score = Score(plies=9, alarms=[Alarm(ply=4, faults=("stones_in_hand",))], notes=["alarm after the end"])
    about = {"key": task.key, "task": asdict(task), "scene": {}, "score": score_to_json(score)}
    told = legal([about, about])["blitz"].to_json()
    assert (told["games"], told["alarms"], told["after_end"]) == (2, 2, 2)
    assert [each["key"] for each in doubtful([about])] == [task.key]


@pytest.mark.bench
@pytest.mark.timeout(3600)
def test_forty_fair_games_at_each_pace_raise_no_alarm() -> None:
    """Real and made ones in turn; `togyz bench referee --all` plays every one."""
    path = where()
    known = names(40, None if path is None else Path(path), MADE)
    tasks = legal_tasks(known, ["classical", "rapid", "blitz"], path)
    for pace, fair in legal(perform_all(tasks, 2)).items():
        assert (pace, fair.games, fair.alarms, fair.after_end, fair.wrong) == (pace, 40, 0, 0, 0)


@pytest.mark.bench
@pytest.mark.timeout(3600)
def test_five_positions_of_every_kind_are_detected_and_named() -> None:
    """Detected always where stones or presses differ, named at 97 of a hundred, and no alarm besides."""
    tasks = referee_tasks(list(KINDS), 5, ["classical", "rapid", "blitz"], where())
    whole = together(tried(perform_all(tasks, 2)))
    assert whole.scenes >= 200
    assert (whole.missed, whole.alarms, whole.wrong) == (0, 0, 0)
    assert whole.first >= 0.97 * whole.detected
    assert whole.corrected == whole.detected
