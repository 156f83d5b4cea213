"""A person calibrates simulated boards: whole ones, broken ones, and with mistakes of his own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_bridge.calibrating.procedure import TABLE, State, Word, WordRefusedError
from firmware_bridge.calibrating.steps import LOADS, ORDER, Step
from firmware_bridge.layout import PITS, PLACES
from sensors.calibration import Calibration, ChannelCalibration
from sensors.simulator.profile import CLEAN, GLASS, HARSH, NOMINAL, SLOW
from tests.firmware_bridge.calibrating.person import Person, true_gains


@pytest.mark.parametrize("profile", [NOMINAL, GLASS, SLOW, HARSH], ids=lambda profile: profile.name)
def test_a_whole_board_is_calibrated_from_nothing(profile: object) -> None:
    """Each gain is known to what eighteen stones know; the kazans' to what all stones know."""
    person = Person(profile, seed=2)  # type: ignore[arg-type] # parametrised
    person.procedure.weighed(162 * 1.15)
    person.until(None)
    found = person.procedure.verdict
    assert found is not None, person.procedure.state
    made = found.calibration
    assert (made.board_id, len(made.channels)) == ("club-7", PLACES)
    assert made.unit_g == pytest.approx(1.15)
    worst = 4 * person.profile.unit_cv / 18**0.5 + 0.006
    unit = person.profile.unit_g / made.unit_g  # grams are what the kitchen scale says
    for place, (row, gain) in enumerate(zip(made.channels, true_gains(person.world), strict=True)):
        assert row.raw_per_g == pytest.approx(gain * unit, rel=0.01 if place >= PITS else worst)
    assert made.mark_g == pytest.approx(3.0 / unit, rel=0.12)  # a cell of 500 g has a play of a quarter
    assert found.values["spread_percent"] == pytest.approx(100 * person.profile.unit_cv, rel=0.9)
    person.say(Word.NEXT)
    assert person.procedure.state is State.DONE


def test_the_zeros_are_those_of_the_end() -> None:
    """Cells drift while a person works."""
    person = Person(seed=3)
    person.until(None)
    first, last = (person.procedure.progress.loads[step].raw for step in (Step.EMPTY, Step.EMPTY_AGAIN))
    assert first != last
    assert person.procedure.verdict is not None
    assert tuple(row.zero_raw for row in person.procedure.verdict.calibration.channels) == last


def test_grams_nobody_has_weighed_are_those_of_before_or_none() -> None:
    """Counting needs no gram: without any a stone is called one."""
    person = Person(CLEAN, seed=1)
    person.do(Step.EMPTY)
    person.say(Word.SKIP)  # nobody is felt in the laboratory
    person.until(None)
    assert person.procedure.verdict is not None
    assert person.procedure.verdict.calibration.unit_g == 1.0
    assert {"unit_assumed", "untouched"} <= set(person.procedure.verdict.remarks)
    before = Calibration("club-7", 5.4, 3.0, (ChannelCalibration(0.0, 100.0),) * PLACES)
    person._previous = before
    person.killed_and_back()
    assert person.procedure.verdict is not None
    assert person.procedure.verdict.calibration.unit_g == 5.4
    person.procedure.weighed(162 * 1.2)
    assert person.procedure.verdict.calibration.unit_g == pytest.approx(1.2)


# --- power cuts, silence, other devices ---------------------------------------------------------------


def test_a_power_cut_at_any_step_comes_back_to_that_step() -> None:
    """What comes of it is the same procedure; only what was measured since is lost."""
    person = Person(seed=19)
    person.procedure.weighed(200.0)
    person.kept = person.procedure.progress
    for step in ORDER:
        person.killed_and_back()
        assert person.procedure.progress.step is step
        assert person.procedure.resumed
        person.do(step)
    person.killed_and_back()
    assert person.procedure.verdict is not None
    assert person.procedure.verdict.calibration.unit_g == pytest.approx(200 / 162)


def test_progress_of_another_wiring_or_device_is_not_gone_on_with() -> None:
    """Its channels would be taken for others."""
    person = Person(seed=19)
    person.do(Step.EMPTY)
    person.hello = person.hello._replace(board_id="another")
    person.killed_and_back()
    assert person.procedure.progress.step is Step.EMPTY
    assert not person.procedure.resumed


def test_kept_loads_that_no_step_would_take_are_not_gone_on_with() -> None:
    """A damaged card may leave loads that can be read: all zero, they would be divided by."""
    person = Person(seed=19)
    for step in ORDER[: ORDER.index(Step.NINES) + 1]:
        person.do(step)
    empty = person.procedure.progress.loads[Step.EMPTY]
    loads = {**person.procedure.progress.loads, Step.NINES: empty}
    person.kept = replace(person.procedure.progress, loads=loads)
    person.killed_and_back()
    assert person.procedure.progress.step is Step.EMPTY
    assert not person.procedure.resumed


def test_a_device_that_falls_silent_is_said_to_be() -> None:
    """Not measured for ever."""
    person = Person(seed=20)
    person.wait(1.0)
    person.say(Word.NEXT)
    person.procedure.poll(person.now_us + 4_000_000)
    assert person.procedure.state is State.WAITING
    person.procedure.poll(person.now_us + 6_000_000)
    assert person.complaints() == [("silent",)]


def test_another_device_on_the_line_is_refused_until_the_first_is_back() -> None:
    """A plug in the wrong board must not mix two of them."""
    person = Person(seed=20)
    person.do(Step.EMPTY)
    person.procedure.arrived(person.hello._replace(board_id="club-8", boot_id=77))
    assert person.complaints() == [("other_device",)]
    assert person.procedure.progress.board_id == "club-7"
    person.procedure.arrived(person.hello)
    person.say(Word.REPEAT)
    person.do(Step.TOUCH)


def test_what_lay_behind_a_step_that_is_done_again_is_forgotten() -> None:
    """A later load of another set-up must not be judged with the new one."""
    person = Person(seed=20)
    person.until(Step.SPLIT)
    person.say(Word.BACK)
    person.say(Word.BACK)
    assert person.procedure.progress.step is Step.HEAPS
    assert set(person.procedure.progress.loads) == {Step.EMPTY, Step.NINES}


def test_a_device_that_began_anew_is_measured_anew() -> None:
    """What was sampled before its restart is not averaged with what came after."""
    person = Person(seed=20)
    person.lay(LOADS[Step.EMPTY])
    person.say(Word.NEXT)
    person.wait(2.5)
    person.procedure.arrived(person.hello._replace(boot_id=99))
    person.wait(1.0)
    assert person.procedure.state is State.WAITING
    person.wait(3.0)
    person.accepted(Step.EMPTY)


# --- words --------------------------------------------------------------------------------------------


def test_every_word_has_a_meaning_or_is_refused_in_every_state() -> None:
    """A word without one changes nothing."""
    person = Person(seed=21)
    for state in State:
        for word in Word:
            person.procedure.state = state
            if (state, word) not in TABLE:
                before = person.procedure.progress
                with pytest.raises(WordRefusedError, match=f"`{word}` has no meaning"):
                    person.say(word)
                assert (person.procedure.progress, person.procedure.state) == (before, state)


def test_a_step_that_is_needed_cannot_be_left_out_nor_the_first_gone_behind() -> None:
    """Each refusal says which."""
    person = Person(seed=21)
    with pytest.raises(WordRefusedError, match="`empty` cannot be left out"):
        person.say(Word.SKIP)
    with pytest.raises(WordRefusedError, match="this is the first step"):
        person.say(Word.BACK)
    for grams in (0.0, -1.0, float("nan"), 1e9):
        with pytest.raises(WordRefusedError, match="no mass of 162 stones"):
            person.procedure.weighed(grams)


def test_what_may_be_said_is_told_and_may_be_said() -> None:
    """A page makes its buttons of it."""
    person = Person(seed=22)
    assert person.view()["words"] == ["next", "cancel"]
    person.do(Step.EMPTY)
    assert person.view()["words"] == ["next", "back", "skip", "cancel"]
    person.say(Word.BACK)
    assert person.procedure.progress.step is Step.EMPTY
    person.say(Word.CANCEL)
    assert (person.procedure.state, person.view()["words"]) == (State.CANCELLED, [])


Deed = Callable[[Person], None]
DEEDS: dict[str, Deed] = {
    "wait": lambda person: person.wait(0.5),
    "nines": lambda person: person.lay(LOADS[Step.NINES]),
    "bare": lambda person: person.lay(LOADS[Step.EMPTY]),
    "as asked": lambda person: person.lay(
        LOADS.get(person.procedure.progress.step or Step.EMPTY, LOADS[Step.EMPTY])
    ),
    "touch": lambda person: person.touch(len(person.procedure.progress.heard) % PLACES),
    "measure": lambda person: person.wait(4.0),
}


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from([*DEEDS, *Word]), max_size=25), st.integers(0, 99))
def test_whatever_a_person_does_the_procedure_can_be_told_and_gone_on_with(
    deeds: list[str], seed: int
) -> None:
    """No order of deeds and words breaks it, and no step is passed that lacks its measurement."""
    person = Person(SLOW, seed)
    for deed in deeds:
        try:
            DEEDS[deed](person) if deed in DEEDS else person.say(Word(deed))
        except WordRefusedError:
            assert (person.procedure.state, Word(deed)) not in TABLE or deed in (Word.SKIP, Word.BACK)
        view = person.view()
        if person.procedure.state is not State.CANCELLED:
            person.killed_and_back()
            assert person.view()["step"] == view["step"]
