"""Pulses in time: which came since a position was confirmed, and which of them nobody knows."""

from __future__ import annotations

import pytest

from firmware_bridge.board.counting.beams import UNLEARNED
from firmware_bridge.board.counting.lots import change_of
from firmware_bridge.board.watching import pulse_log
from firmware_bridge.board.watching.pulse_log import HOLE_US, BesideCells, PulseLog
from firmware_bridge.layout import Seating, Wiring
from rules.position import START, play
from tests.firmware_bridge.board.watching.listening import SEATING, SECOND, readings

STEP = SECOND // 10


def totals(**pulses: int) -> list[int]:
    """Return running numbers: `p4=2` is two at place 4."""
    found = [0] * 20
    for name, count in pulses.items():
        found[int(name[1:])] = count
    return found


def heard(*numbers: list[int], step_us: int = STEP) -> PulseLog:
    """Return a log that has heard these running numbers, one after the other."""
    log = PulseLog.of(SEATING)
    for nth, found in enumerate(numbers):
        log.hear(nth * step_us, readings(found))
    return log


def test_what_a_device_counted_before_it_was_seen_is_not_of_this_position() -> None:
    """Only what comes beyond the first reading, or the anchor, is new."""
    log = heard(totals(p4=7), totals(p4=9))
    assert log.between(None, log.totals())[4] == 2
    log.anchor(log.totals())
    assert log.between(None, log.totals())[4] == 0
    assert log.last_us is None


def test_pulses_are_known_as_of_a_moment() -> None:
    """A press asks for those until then, although more have come."""
    log = heard(totals(), totals(p4=1), totals(p4=2), totals(p4=2))
    assert [log.totals(moment_us)[4] for moment_us in (0, STEP, 2 * STEP - 1, 2 * STEP, SECOND)] == [
        0, 1, 1, 2, 2,
    ]  # fmt: skip
    assert log.last_us == 2 * STEP


def test_the_same_totals_again_are_no_new_pulses() -> None:
    """The same again is nothing."""
    log = PulseLog.of(SEATING)
    came = [log.hear(nth, readings(totals(p4=count))) for nth, count in enumerate((0, 0, 1, 1, 2))]
    assert came == [True, False, True, False, True]


def test_a_beam_that_cannot_be_read_is_told_and_unknown_until_the_next_position() -> None:
    """What fell meanwhile nobody has counted; read again, it is no fault any more."""
    log = heard(totals())
    log.hear(STEP, readings(totals(), {4: "silent"}))
    assert log.faults() == ((4, "silent"),)
    log.hear(2 * STEP, readings(totals(p4=3)))
    assert log.faults() == ()
    assert log.between(None, log.totals())[4] is None
    log.anchor(log.totals())
    assert log.between(None, log.totals())[4] == 0


def test_a_counter_that_began_anew_is_unknown_until_the_next_position() -> None:
    """Its device lost its power: no difference of before and after means anything."""
    log = heard(totals(p4=7, p5=1), totals(p4=2, p5=2))
    assert log.between(None, log.totals())[4:6] == (None, 1)


def test_a_hole_between_samples_makes_moments_in_it_unknown() -> None:
    """Nobody can tell on which side of a press a stone fell there."""
    log = heard(totals(), totals(p4=1), step_us=HOLE_US + 1)
    assert log.unknown(HOLE_US // 2)
    assert not log.unknown(0)
    assert not log.unknown(HOLE_US + 1)
    assert not heard(totals(), totals(p4=1), step_us=HOLE_US).unknown(HOLE_US // 2)


def test_only_so_many_moments_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child that waves a hand through a beam all evening fills no memory, and what counts is kept."""
    monkeypatch.setattr(pulse_log, "KEPT_CHANGES", 20)
    log = heard(*(totals(p4=count) for count in range(100)))
    assert len(log._times) == len(log._totals) <= 20
    assert log.between(None, log.totals())[4] == 99


def test_a_board_without_beams_hears_nothing() -> None:
    """Its places have no channel to ask."""
    log = PulseLog.of(Seating(Wiring(), "a"))
    assert not log.there
    assert not log.hear(0, [])
    assert log.between(None, log.totals()) == (None,) * 20


def test_beside_cells_nothing_is_said_before_a_position_is_confirmed_nor_while_clocks_rest() -> None:
    """What fell then nobody knows, or anything may have."""
    ply = play(START, 7)
    beams = BesideCells.of(SEATING)
    beams.hear(0, readings(totals(p4=5)))
    assert beams.passed(UNLEARNED) is None
    assert beams.confirmed(UNLEARNED, change_of((ply,))) == UNLEARNED
    beams.hear(STEP, readings(totals(p4=6)))
    passed = beams.passed(UNLEARNED, STEP)
    assert passed is not None
    assert passed.pulses == tuple(totals(p4=1))
    beams.rest()
    assert beams.passed(UNLEARNED, STEP) is None
    beams.begin_anew()
    passed = beams.passed(UNLEARNED, STEP)
    assert passed is not None
    assert passed.pulses == (0,) * 20


def test_beside_cells_a_moment_in_a_hole_is_not_known() -> None:
    """Then the weights have to tell alone."""
    beams = BesideCells.of(SEATING)
    beams.hear(0, readings(totals()))
    beams.begin_anew()
    beams.hear(HOLE_US + 1, readings(totals(p4=1), {7: "silent"}))
    assert beams.passed(UNLEARNED, HOLE_US // 2) is None
    assert beams.passed(UNLEARNED, HOLE_US + 1) is not None
    assert beams.faults(UNLEARNED) == ((7, "beam_fault"),)
