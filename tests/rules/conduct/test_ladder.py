"""Warnings: the steps, and a list from which nothing is lost."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import ConductError, ConductFormatError
from rules.conduct.codes import Code
from rules.conduct.ladder import (
    LADDER,
    NO_WARNINGS,
    WarningEntry,
    WarningGiven,
    Warnings,
    WarningTakenBack,
    announced,
    fold_warnings,
    next_step,
    recorded_against,
    standing,
    warned,
    watched,
)
from rules.conduct.ladder_json import warning_from_json, warning_to_json
from rules.conduct.offences import Offence
from rules.conduct.proposal import Decider

FIRST = WarningGiven(
    key="w1", person="asel", arbiter="serik", round_number=1, game="g1", offence=Offence.LATE, level=1
)
WORDS = st.text(max_size=6)
GIVEN = st.builds(
    WarningGiven,
    key=WORDS,
    person=st.sampled_from(["asel", "dina"]),
    arbiter=st.sampled_from(["serik", "maksat"]),
    round_number=st.integers(1, 9),
    game=st.none() | WORDS,
    offence=st.sampled_from(Offence),
    level=st.integers(1, 5),
    representative=st.none() | st.just("coach"),
)
ENTRIES: st.SearchStrategy[WarningEntry] = GIVEN | st.builds(
    WarningTakenBack, key=WORDS, arbiter=st.sampled_from(["serik", "maksat"]), reason=WORDS
)


def given_to(person: str, count: int, **more: Any) -> Warnings:
    """Return a list with the first `count` steps of the ladder for one person."""
    return fold_warnings(
        replace(FIRST, key=f"{person}{level}", person=person, level=level, **more)
        for level in range(1, count + 1)
    )


@pytest.mark.parametrize(
    ("has", "level", "code", "decider", "to_panel", "against"),
    [
        (0, 1, Code.WARNING_ORAL, Decider.ARBITER, False, False),
        (1, 2, Code.WARNING_WRITTEN, Decider.ARBITER, False, False),
        (2, 3, Code.WARNING_STRICT, Decider.ARBITER, True, False),
        (3, 4, Code.WARNING_REPRESENTATIVE, Decider.ARBITER, False, True),
        (4, 5, Code.WARNING_EXPULSION, Decider.PANEL, True, False),
        (5, 5, Code.WARNING_EXPULSION, Decider.PANEL, True, False),
    ],
)
def test_requirement_45_the_five_steps(
    has: int, level: int, code: Code, decider: Decider, *, to_panel: bool, against: bool
) -> None:
    """Oral, written, strict and before the panel, against the representative, expulsion (2.4.6)."""
    step = next_step(given_to("asel", has), "asel")
    assert (step.level, step.code, step.decider) == (level, code, decider)
    assert (step.to_panel, step.against_representative) == (to_panel, against)
    assert step.articles == (("2.4.6", "2.4.7") if level == 5 else ("2.4.6",))
    assert LADDER[level - 1] == step


def test_a_step_that_was_skipped_is_not_gone_back_to() -> None:
    """An arbiter who warned strictly at once is not asked to warn in writing next."""
    warnings = warned(NO_WARNINGS, replace(FIRST, level=3))
    assert next_step(warnings, "asel").level == 4
    twice = warned(warned(NO_WARNINGS, FIRST), replace(FIRST, key="w2"))
    assert next_step(twice, "asel").level == 3


def test_requirement_45_within_what_warnings_add_up_is_an_option() -> None:
    """The whole event by default; a round or a game where the event has chosen so."""
    warnings = warned(
        warned(NO_WARNINGS, FIRST), replace(FIRST, key="w2", round_number=2, game="g2", level=2)
    )
    assert next_step(warnings, "asel").level == 3
    assert next_step(warnings, "dina").level == 1
    assert next_step(warnings, "asel", "round", round_number=1).level == 2
    assert next_step(warnings, "asel", "round", round_number=2).level == 3
    assert next_step(warnings, "asel", "round", round_number=3).level == 1
    assert next_step(warnings, "asel", "game", game="g1").level == 2
    assert next_step(warnings, "asel", "game", game="g3").level == 1


def test_a_scope_that_needs_a_round_or_a_game_asks_for_it() -> None:
    """Rather than counting something else."""
    with pytest.raises(ConductError, match=r"^warnings add up within a round, and no round was given$"):
        next_step(NO_WARNINGS, "asel", "round")
    with pytest.raises(ConductError, match=r"^warnings add up within a game, and no game was given$"):
        next_step(NO_WARNINGS, "asel", "game")


def test_requirement_46_another_arbiter_cannot_alter_a_warning() -> None:
    """2.4.8; the one who gave it can, and it stays in the list."""
    warnings = warned(NO_WARNINGS, FIRST)
    with pytest.raises(ConductError) as caught:
        warned(warnings, WarningTakenBack(key="w1", arbiter="maksat", reason="mild"))
    assert str(caught.value) == "arbiter 'maksat' cannot alter warning 'w1': 'serik' gave it (2.4.8)"
    after = warned(warnings, WarningTakenBack(key="w1", arbiter="serik", reason="the clock was wrong"))
    assert after.listed[0].given == FIRST
    assert after.listed[0].taken_back == "the clock was wrong"
    assert standing(after, "asel") == ()
    assert next_step(after, "asel").level == 1


def test_taking_back_touches_one_line_only() -> None:
    """Those around it stay as they are."""
    warnings = given_to("asel", 3)
    after = warned(warnings, WarningTakenBack(key="asel2", arbiter="serik", reason="error"))
    assert [line.taken_back for line in after.listed] == [None, "error", None]
    assert [line.given for line in after.listed] == [line.given for line in warnings.listed]


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (FIRST, "warning 'w1' was given already"),
        (replace(FIRST, key="w2", level=0), "there is no warning of level 0: 1 to 5 (2.4.6)"),
        (replace(FIRST, key="w2", level=6), "there is no warning of level 6: 1 to 5 (2.4.6)"),
        (replace(FIRST, key="w2", round_number=0), "there is no round 0: rounds begin with 1"),
        (WarningTakenBack(key="w9", arbiter="serik", reason=""), "warning 'w9' was never given"),
    ],
)
def test_what_cannot_be_an_entry_is_refused(entry: WarningEntry, text: str) -> None:
    """With the reason; the list given stays as it was."""
    warnings = warned(NO_WARNINGS, FIRST)
    with pytest.raises(ConductError) as caught:
        warned(warnings, entry)
    assert str(caught.value) == text
    assert warnings.listed[0].given is FIRST


def test_a_warning_is_taken_back_once() -> None:
    """The first reason stays."""
    back = WarningTakenBack(key="w1", arbiter="serik", reason="error")
    with pytest.raises(ConductError, match=r"^warning 'w1' was taken back already$"):
        fold_warnings([FIRST, back, replace(back, reason="other")])


def test_requirement_46_the_list_is_announced_after_every_round() -> None:
    """With all earlier rounds, without what comes later or was taken back."""
    second = replace(FIRST, key="w2", round_number=2, person="dina")
    third = replace(FIRST, key="w3", round_number=1)
    warnings = fold_warnings(
        [FIRST, second, third, WarningTakenBack(key="w3", arbiter="serik", reason="error")]
    )
    assert announced(warnings, 1) == (FIRST,)
    assert announced(warnings, 2) == (FIRST, second)


def test_requirement_46_a_representative_warned_again_is_watched() -> None:
    """His own warnings and his players' fourth count alike (2.4.6, 2.4.10)."""
    own = replace(FIRST, key="c1", person="coach")
    fourth = replace(FIRST, key="w4", level=4, representative="coach")
    assert not watched(fold_warnings([own, FIRST]), "coach")
    assert recorded_against(fold_warnings([own, FIRST, fourth]), "coach") == (own, fourth)
    assert watched(fold_warnings([own, fourth]), "coach")
    back = WarningTakenBack(key="c1", arbiter="serik", reason="error")
    assert not watched(fold_warnings([own, fourth, back]), "coach")


@given(st.lists(ENTRIES, max_size=12))
def test_a_fold_never_loses_a_warning(entries: list[WarningEntry]) -> None:
    """All that were accepted stand in the list, in their order, each as it was given."""
    warnings, accepted = NO_WARNINGS, []
    for entry in entries:
        try:
            warnings = warned(warnings, entry)
        except ConductError:
            continue
        if isinstance(entry, WarningGiven):
            accepted.append(entry)
    assert [line.given for line in warnings.listed] == accepted
    for person in ("asel", "dina"):
        has = len(standing(warnings, person))
        assert next_step(warnings, person).level >= min(has + 1, 5)


@given(ENTRIES)
def test_entries_survive_json(entry: WarningEntry) -> None:
    """Through its text."""
    assert warning_from_json(json.loads(json.dumps(warning_to_json(entry)))) == entry


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"kind": "raised"}, "warning.kind: expected one of given, taken_back, got 'raised'"),
        ({"level": 6}, "warning.level: expected an integer from 1 to 5, got 6"),
        ({"level": True}, "warning.level: expected an integer from 1 to 5, got True"),
        ({"round_number": 0}, "warning.round_number: expected an integer from 1 to 1000, got 0"),
        ({"person": None}, "warning.person: expected a text, got None"),
        ({"game": 3}, "warning.game: expected a text, got 3"),
        ({"offence": "yawned"}, "warning.offence: expected one of illegal_sowing, "),
        ({"colour": "red"}, "warning: expected only the fields kind, key, person, "),
    ],
)
def test_a_hostile_entry_is_refused_by_name(change: dict[str, object], text: str) -> None:
    """The path, what was expected, what stood there."""
    with pytest.raises(ConductFormatError) as caught:
        warning_from_json({**warning_to_json(FIRST), **change})
    assert str(caught.value).startswith(text)


@given(st.none() | st.integers() | st.dictionaries(st.sampled_from(["kind", "key"]), st.just("given")))
def test_what_is_no_entry_at_all_is_refused(data: object) -> None:
    """Always with the error of this family."""
    with pytest.raises(ConductFormatError, match=r"^warning"):
        warning_from_json(data)
