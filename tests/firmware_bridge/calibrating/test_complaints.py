"""What is broken about a board, and what a person does wrong: each is named, and can be put right."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.calibrating.procedure import State, Word
from firmware_bridge.calibrating.steps import LOADS, Step
from firmware_bridge.layout import PITS, PLACES
from sensors.simulator.profile import NOMINAL, SKEWED, SLOW, CellKind
from sensors.simulator.world import ChannelFault
from tests.firmware_bridge.calibrating.person import Person, hello_of


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (ChannelFault.STUCK, "stuck"),
        (ChannelFault.SATURATED, "saturated"),
        (ChannelFault.NOT_READY, "not_ready"),
    ],
)
def test_a_broken_converter_is_named_on_the_empty_board(fault: ChannelFault, code: str) -> None:
    """Before anybody has laid a stone; mended, the same step goes on."""
    person = Person(seed=4)
    person.world.set_fault(5, fault)
    person.lay(LOADS[Step.EMPTY])
    assert person.next() is State.REFUSED
    assert person.complaints() == [(code, 5)]
    assert person.procedure.progress.step is Step.EMPTY
    person.world.set_fault(5, None)
    person.say(Word.REPEAT)
    person.do(Step.EMPTY)


def test_a_dead_cell_is_found_by_touching_and_by_weighing() -> None:
    """Its converter calls noise a good reading: only what it does not feel tells."""
    person = Person(seed=5)
    person.world.set_fault(7, ChannelFault.DEAD)
    person.do(Step.EMPTY)
    person.touch_all(range(7))
    person.touch(7)
    assert person.view()["touch"]["place"] == 7
    person.say(Word.NEXT)  # nothing happens here
    person.touch_all(range(8, PLACES))
    assert (person.procedure.state, person.complaints()) == (State.REFUSED, [("dead", 7)])
    person.say(Word.SKIP)
    person.lay(LOADS[Step.NINES])
    person.next()
    assert person.complaints() == [("unloaded", 7)]


def test_swapped_wires_are_found_by_touching_with_the_layout_they_make() -> None:
    """Two plugs exchanged: the configuration can say so, or the plugs be put right."""
    person = Person(seed=6)
    person.solder[2], person.solder[4] = 4, 2
    person.do(Step.EMPTY)
    person.touch_all()
    assert person.complaints() == [("swapped", 2, 4)]
    layout = person.view()["layout"]
    assert layout["side_a"] == [0, 1, 4, 3, 2, 5, 6, 7, 8]
    assert (layout["side_b"], layout["kazan_a"]) == (list(range(9, 18)), 18)
    person.solder[2], person.solder[4] = 2, 4
    person.say(Word.REPEAT)
    person.do(Step.TOUCH)


def test_a_ring_of_wires_is_told_place_by_place() -> None:
    """Three plugs moved on by one are no exchange of two."""
    person = Person(seed=6)
    person.solder[0], person.solder[1], person.solder[2] = 1, 2, 0
    person.do(Step.EMPTY)
    person.touch_all()
    assert person.complaints() == [("elsewhere", 0, 2), ("elsewhere", 1, 0), ("elsewhere", 2, 1)]
    assert person.view()["layout"]["side_a"] == [2, 0, 1, 3, 4, 5, 6, 7, 8]


def test_swapped_wires_are_found_by_the_heaps_where_nobody_touched() -> None:
    """Stones are felt in a pit that should be bare, and none in its neighbour."""
    person = Person(seed=6)
    person.solder[2], person.solder[3] = 3, 2
    person.do(Step.EMPTY)
    person.say(Word.SKIP)
    person.do(Step.NINES)
    person.lay(LOADS[Step.HEAPS])
    person.next()
    assert person.complaints() == [("other_place", 2, 3)]


def test_two_channels_on_one_converter_are_named_at_once() -> None:
    """Noise forbids that two agree in every sample."""
    person = Person(seed=7)
    person.solder[4] = 2
    person.lay(LOADS[Step.EMPTY])
    person.next()
    assert person.complaints() == [("twins", 2, 4)]


def test_a_wrong_rate_strap_is_named_with_both_rates() -> None:
    """10 samples a second where the device declares 80 (garethky/klipper#14)."""
    person = Person(SLOW, seed=8, hello=hello_of(NOMINAL))
    person.lay(LOADS[Step.EMPTY])
    person.next()
    assert person.complaints() == [("rate",)]
    values = person.procedure.complaints[0].values
    assert values["nominal"] == 80.0
    assert 7 < float(values["hz"]) < 13


def test_a_converter_in_noise_is_named() -> None:
    """Sixty times the chip's own noise: a bad supply, a loose ground."""
    person = Person(replace(NOMINAL, noise_factor=60.0), seed=9)
    person.lay(LOADS[Step.EMPTY])
    person.next()
    assert person.complaints() == [("noisy", place) for place in range(PLACES)]


def test_a_cell_that_is_not_straight_is_named_with_its_pair() -> None:
    """Nine and nine do not make eighteen: a cup that touches the plate."""
    person = Person(seed=10)
    person.world.cells[6].bow = 0.5
    person.until(Step.NEXT_HEAPS)
    person.lay(LOADS[Step.NEXT_HEAPS])
    person.next()
    assert person.complaints() == [("bent", 6, 7)]
    person.say(Word.REPEAT)
    assert person.procedure.progress.step is Step.NINES


def test_a_kazan_that_is_too_weak_is_named_when_all_stones_lie_in_it() -> None:
    """Its converter stands at the end of its range."""
    weak = CellKind(capacity_g=100.0, output_mv_per_v=3.0)
    person = Person(replace(NOMINAL, kazan_cell=weak), seed=11)
    person.until(Step.ALL_A)
    person.lay(LOADS[Step.ALL_A])
    person.next()
    assert person.complaints() == [("saturated", 18)]


def test_a_kazan_that_touches_the_plate_is_named() -> None:
    """Parts in both do not make 162."""
    person = Person(seed=12)
    person.world.cells[19].bow = 0.05
    person.until(Step.ALL_B)
    person.lay(LOADS[Step.ALL_B])
    person.next()
    assert person.complaints() == [("kazans_bent", 18, 19)]


# --- what a person does wrong -------------------------------------------------------------------------


def test_a_hand_on_the_board_is_waited_out() -> None:
    """It is measured when the hand has gone."""
    person = Person(seed=13)
    person.lay(LOADS[Step.EMPTY])
    person.world.lean(3, 2.0, person.now_us, lasts_s=4.0)
    began = person.now_us
    assert person.next() is State.ASKING
    person.accepted(Step.EMPTY)
    assert person.now_us - began > 4_000_000


def test_a_hand_that_stays_is_told_where() -> None:
    """After a quarter of a minute, with the places that move."""
    person = Person(seed=13)
    person.lay(LOADS[Step.EMPTY])
    person.world.lean(3, 2.0, person.now_us, lasts_s=60.0)
    assert person.next() is State.REFUSED
    ((code, *places),) = person.complaints()
    assert code == "moving"
    assert 3 in places


def test_a_board_that_was_not_empty_at_first_is_found_out_by_the_next_load() -> None:
    """Nobody can know what lies on a board that was never calibrated: but then nothing changes."""
    person = Person(seed=13)
    person.lay(LOADS[Step.NINES])
    person.next()
    person.do(Step.TOUCH)
    person.lay(LOADS[Step.NINES])
    person.next()
    assert person.complaints() == [("nothing_new",)]
    person.say(Word.REPEAT)
    assert person.procedure.progress.step is Step.EMPTY


@pytest.mark.parametrize("pit", [0, 5, 13, 17])
def test_a_missing_stone_is_found_by_its_neighbour(pit: int) -> None:
    """161 stones: eight lay where nine should."""
    person = Person(seed=14, stones=161)
    person.until(Step.NINES)
    for step in (Step.NINES, Step.HEAPS, Step.NEXT_HEAPS):
        stones = list(LOADS[step])
        at = pit if step is Step.NINES else pit - pit % 2 + (step is Step.NEXT_HEAPS)
        stones[at] -= 1
        person.lay(stones)
        person.next()
    assert person.complaints() == [("uneven", pit - pit % 2, pit - pit % 2 + 1)]
    values = person.procedure.complaints[0].values
    assert (float(values["first"]) < 9) is (pit % 2 == 0)
    person.say(Word.REPEAT)
    assert person.procedure.progress.step is Step.NINES


def test_stones_that_differ_so_much_are_believed_when_they_were_counted_again() -> None:
    """What a person has counted twice is the stones' own difference, and is remarked."""
    person = Person(replace(NOMINAL, unit_cv=0.05), seed=3)
    person.until(Step.NINES)
    person.procedure.progress = replace(person.procedure.progress, recounted=frozenset(range(PITS)))
    person.until(None)
    assert person.procedure.verdict is not None
    assert "stones_differ" in person.procedure.verdict.remarks


@pytest.mark.parametrize("step", [Step.SPLIT, Step.ALL_A, Step.ALL_B])
def test_one_stone_missing_while_the_kazans_are_filled_is_noticed(step: Step) -> None:
    """In whichever load: a gain that is a 162nd too small would be half a stone at eighty."""
    person = Person(seed=3)
    for each in (Step.SPLIT, Step.ALL_A, Step.ALL_B):
        person.until(each)
        stones = list(LOADS[each])
        if each is step:
            stones[19 if each is Step.ALL_B else 18] -= 1
        person.lay(stones)
        person.next()
    assert person.complaints() == [("kazan_short", 18, 19)]
    person.say(Word.REPEAT)
    assert person.procedure.progress.step is (Step.SPLIT if step is Step.SPLIT else Step.ALL_A)
    person.until(None)
    assert person.procedure.verdict is not None


def test_kazans_that_disagree_after_counting_again_are_believed() -> None:
    """A plate that bends makes a stone of difference; nobody is asked three times."""
    person = Person(SKEWED, seed=2)
    person.until(Step.ALL_B)
    for _ in range(2):
        person.lay(LOADS[Step.ALL_B])
        person.next()
        if person.procedure.complaints:
            assert person.complaints() == [("kazan_short", 18, 19)]
            person.say(Word.REPEAT)
            person.until(Step.ALL_B)
    person.accepted(Step.ALL_B)


def test_stones_left_behind_are_told_with_their_place() -> None:
    """Three in a pit while all should lie in a kazan."""
    person = Person(seed=15)
    person.until(Step.ALL_A)
    stones = list(LOADS[Step.ALL_A])
    stones[18], stones[11] = 159, 3
    person.lay(stones)
    person.next()
    assert person.complaints() == [("not_empty", 11)]
    assert person.procedure.complaints[0].values["stones"] == 3
    seen = person.view()["seen"]
    assert seen[11] == pytest.approx(3.0, abs=0.6)
    assert seen[18] is None  # its gain is what this step asks for


def test_the_other_kazan_is_told_from_the_one_that_was_meant() -> None:
    """All stones in the kazan of the other side: wires or hands are exchanged."""
    person = Person(seed=15)
    person.until(Step.ALL_A)
    person.lay(LOADS[Step.ALL_B])
    person.next()
    assert person.complaints() == [("other_place", 18, 19)]


def test_a_cell_that_does_not_come_back_is_told() -> None:
    """Something lies under the cup, or it is not warm yet."""
    person = Person(seed=16)
    person.until(Step.EMPTY_AGAIN)
    person.world.add_weight(9, 0.9, person.now_us)
    person.lay(LOADS[Step.EMPTY_AGAIN])
    person.next()
    assert person.complaints() == [("zero_moved", 9)]


def test_a_mark_that_is_not_there_may_be_left_out() -> None:
    """Then it weighs nothing: it lies beside the pit."""
    person = Person(seed=17)
    person.until(Step.MARKS)
    person.lay(LOADS[Step.MARKS])
    person.next()
    assert person.complaints() == [("no_mark",)]
    person.say(Word.SKIP)
    assert person.procedure.verdict is not None
    assert person.procedure.verdict.calibration.mark_g == 0.0
    assert "unmarked" in person.procedure.verdict.remarks


def test_stones_among_the_marks_are_told() -> None:
    """Nothing else may lie there."""
    person = Person(seed=17)
    person.until(Step.MARKS)
    stones = list(LOADS[Step.MARKS])
    stones[9] = 1
    person.lay(stones, (4, 13))
    person.next()
    assert person.complaints() == [("many_marks", 4, 9, 13)]


def test_a_cell_that_pulls_the_other_way_is_told() -> None:
    """Its wires were exchanged between two steps, or it hangs loose."""
    person = Person(seed=17)
    person.until(Step.HEAPS)
    person.world.cells[4].raw_per_g *= -1
    person.lay(LOADS[Step.HEAPS])
    person.next()
    assert person.complaints() == [("turned", 4)]


def test_rows_that_lack_stones_in_pairs_are_told_by_the_kazans() -> None:
    """Eight in each of four pits: neighbours agree, but the parts are not those of 162."""
    person = Person(seed=14, stones=158)
    person.until(Step.NINES)
    lacking = {Step.NINES: (0, 1, 2, 3), Step.HEAPS: (0, 0, 2, 2), Step.NEXT_HEAPS: (1, 1, 3, 3)}
    lacking |= {Step.SPLIT: (18,) * 4, Step.ALL_A: (18,) * 4, Step.ALL_B: (19,) * 4}
    for step, places in lacking.items():
        stones = list(LOADS[step])
        for place in places:
            stones[place] -= 1
        person.lay(stones)
        person.next()
    assert person.complaints() == [("rows_uneven", 18, 19)]
    person.say(Word.REPEAT)
    assert person.procedure.progress.step is Step.NINES


def test_marks_that_differ_are_told() -> None:
    """The board knows one mass for both."""
    person = Person(seed=17)
    person.until(Step.MARKS)
    person.world.add_weight(13, 2.0, person.now_us)
    person.lay(LOADS[Step.MARKS], (4, 13))
    person.next()
    assert person.complaints() == [("marks_differ", 4, 13)]


def test_a_place_touched_by_mistake_is_touched_again() -> None:
    """`repeat` goes one place back while places are touched."""
    person = Person(seed=18)
    person.do(Step.EMPTY)
    person.touch(0)
    person.touch(5)
    assert person.view()["touch"] == {"place": 2, "felt": [5], "good": [0], "wrong": [1]}
    person.say(Word.REPEAT)
    person.touch_all(range(1, PLACES))
    person.accepted(Step.TOUCH)


def test_a_knock_on_the_table_is_no_finger() -> None:
    """All channels answer at once."""
    person = Person(seed=18)
    person.do(Step.EMPTY)
    person.world.knock(0.3, person.now_us)
    person.wait(1.5)
    assert person.view()["touch"]["place"] == 0
