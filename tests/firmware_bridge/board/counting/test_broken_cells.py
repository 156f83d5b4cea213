"""Cells that fail without saying so: found when all others agree, never in a hand's stead."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.board.counting.belief import Belief, Units
from firmware_bridge.board.counting.broken_cells import Suspect, seated, strange, suspected, without
from firmware_bridge.board.counting.lots import stones_due, tuzdyk_places
from firmware_bridge.board.counting.observation import MOVING, PlaceReading, observe
from firmware_bridge.board.watching.look import Look
from firmware_bridge.board.watching.reconciler import Played, Same
from firmware_bridge.board.watching.watcher import Watcher
from firmware_bridge.layout import Seating, Wiring
from rules.position import START, Position, Side, legal_moves, play
from sensors.samples import Fault, FaultKind
from sensors.settle import ChannelReading, ReadingState
from tests.firmware_bridge.board.lines import random_position

B = Side.BASTAUSHY
STONE_G = 1.15
CUT_OFF_G = tuple(-31.7 - 3.9 * channel for channel in range(20))
"""What the channels of this board read when their converters read 0: bridges are never quite in balance."""
UNITS = Units(STONE_G, 3.0, CUT_OFF_G)
SEEDS = st.integers(0, 1_000_000)

FAULTS: dict[str, Callable[[float, float], float]] = {
    "cut off": lambda _due_g, cut_off_g: cut_off_g,
    "half": lambda due_g, cut_off_g: cut_off_g + (due_g - cut_off_g) / 2,
    "quarter": lambda due_g, cut_off_g: cut_off_g + (due_g - cut_off_g) / 4,
    "double": lambda due_g, cut_off_g: cut_off_g + (due_g - cut_off_g) * 2,
    "below nothing": lambda _due_g, _cut_off_g: -2.5 * STONE_G,
}
"""What a cell reads that should read `due_g`."""


class Board:
    """A board of stones that are all alike, with an eye on it."""

    def __init__(self, position: Position) -> None:
        """Confirm a position."""
        self.position = position
        self.watcher = Watcher(Seating(Wiring(), "a"), UNITS, Belief.exactly(stones_due(position)))
        self.at_us = 0

    def look(self, stones: tuple[float, ...], **read_g: float) -> Look:
        """Judge a board of these stones; `p4=1.5` reads 1.5 g at place 4, whatever lies there."""
        self.at_us += 3_000_000
        loads = [number * STONE_G for number in stones]
        for name, load_g in read_g.items():
            loads[int(name[1:])] = load_g
        channels = [ChannelReading(ReadingState.QUIET, load, 0, "") for load in loads]
        return self.watcher.look(self.at_us, channels, self.position, (), ())


def due_g(position: Position, place: int) -> float:
    """Return what a place should read."""
    return stones_due(position)[place] * STONE_G


def near_whole(load_g: float) -> bool:
    """Whether hands could bring that about."""
    stones = load_g / STONE_G
    return stones > -2 and abs(stones - round(stones)) < 0.25


@pytest.mark.parametrize("fault", FAULTS)
@settings(max_examples=25)
@given(seed=SEEDS, place=st.integers(0, 19), played=st.booleans())
def test_a_broken_cell_is_found_when_all_others_agree(
    fault: str, seed: int, place: int, *, played: bool
) -> None:
    """The position, or a ply, is read from the other nineteen; the cell is told of, and let go when sane."""
    position = random_position(seed, seed % 60)
    due = stones_due(position)
    load_g = FAULTS[fault](due[place] * STONE_G, CUT_OFF_G[place])
    board = Board(position)
    if near_whole(load_g) or abs(load_g - due[place] * STONE_G) < STONE_G / 2:
        return
    if played and fault in {"cut off", "below nothing"}:
        # These read the same whatever the ply brings; a wrong gain is found before it is played.
        ply = play(position, random.Random(seed).choice(legal_moves(position)))
        look = board.look(tuple(stones_due(ply.after)), **{f"p{place}": load_g})
        assert isinstance(look.verdict, Played)
        assert look.verdict.plies == (ply,)
    else:
        look = board.look(due, **{f"p{place}": load_g})
        assert isinstance(look.verdict, Same)
    (told,) = look.unread
    assert told[0] == place
    assert "mend the cell or its wires" in str(told[1])
    again = board.look(due, **{f"p{place}": load_g})
    assert [at for at, _ in again.unread] == [place]
    sane = board.look(due)
    assert isinstance(sane.verdict, Same)
    assert sane.unread == ()


@settings(max_examples=60)
@given(seed=SEEDS, place=st.integers(0, 19), other=st.integers(0, 19), fault=st.sampled_from(sorted(FAULTS)))
def test_a_broken_cell_excuses_no_other_place(seed: int, place: int, other: int, fault: str) -> None:
    """A stone that has moved elsewhere as well is still noticed, and then no cell is accused."""
    position = random_position(seed, seed % 60)
    due = [*stones_due(position)]
    load_g = FAULTS[fault](due[place] * STONE_G, CUT_OFF_G[place])
    if place == other:
        return
    due[other] += 1
    look = Board(position).look(tuple(due), **{f"p{place}": load_g})
    assert not isinstance(look.verdict, Same)
    if isinstance(look.verdict, Played):
        assert stones_due(look.verdict.plies[-1].after)[other] == due[other]


@settings(max_examples=40)
@given(seed=SEEDS, place=st.integers(0, 17), cut_off_g=st.floats(-200, 200))
def test_a_hand_that_holds_stones_is_never_taken_for_a_dead_cell(
    seed: int, place: int, cut_off_g: float
) -> None:
    """Not one, not all of a pit, wherever the converter's zero may be; nor a hand that adds some."""
    position = random_position(seed, seed % 60)
    due = stones_due(position)
    units = Units(STONE_G, 3.0, (cut_off_g,) * 20)
    watcher = Watcher(Seating(Wiring(), "a"), units, Belief.exactly(due))
    if place in tuzdyk_places(position):
        return  # there what is added may be a mark
    for held in (*range(1, due[place] + 1), -1, -2):
        loads = [(n - held if at == place else n) * STONE_G for at, n in enumerate(due)]
        channels = [ChannelReading(ReadingState.QUIET, load, 0, "") for load in loads]
        look = watcher.look(held, channels, position, (), ())
        assert not isinstance(look.verdict, Same)
        assert look.unread == ()


def found(
    load_g: float, *, cut_off_g: float | None = -31.7, zero: float = 0.0, mass: float = 9.0
) -> Suspect | None:
    """Return what is suspected of place 6 when it reads so, where nine stones of such a mass are due."""
    due = 9
    exact = Belief.exactly((due,) * 20)
    places = [*exact.places]
    places[6] = replace(places[6], level=mass + zero, mass=mass)
    belief = replace(exact, places=tuple(places))
    readings = tuple(PlaceReading(load_g if at == 6 else due * STONE_G, 0) for at in range(20))
    units = Units(STONE_G, 3.0, () if cut_off_g is None else (cut_off_g,) * 20)
    seen = observe(readings, belief, units)
    assert set(strange(readings, seen, units)) <= {6}
    return suspected(6, load_g, seen, units, mass + zero)


def test_each_kind_of_fault_is_named_by_its_share() -> None:
    """So that whoever mends it knows what to look for."""
    whole_g = 9 * STONE_G + 31.7
    for share in (0.5, 0.25, 2.0):
        suspect = found(-31.7 + share * whole_g, cut_off_g=-31.7)
        assert suspect is not None
        wrong = Fault(FaultKind.WRONG_SHARE, None, (share,))
        assert suspect.fault in (wrong, Fault(FaultKind.BELOW_NOTHING, None))
    gain = found(-4.02 + 0.5 * (9 * STONE_G + 4.02), cut_off_g=-4.02)
    assert gain is not None
    assert gain.fault == Fault(FaultKind.WRONG_SHARE, None, (0.5,))
    assert gain.fault.detail == "reads 0.5 of what is due (gain): mend the cell or its wires"
    cut = found(1.7, cut_off_g=1.7)
    assert cut is not None
    assert cut.fault == Fault(FaultKind.CUT_OFF, None)


def test_only_a_reading_close_to_a_share_is_suspected() -> None:
    """A twentieth of a stone: the drift of an evening is less while the position lies there."""
    assert found(1.7, cut_off_g=1.7) is not None
    assert found(1.7 + 0.04 * STONE_G, cut_off_g=1.7) is not None
    assert found(1.7 - 0.06 * STONE_G, cut_off_g=1.7) is None
    assert found(1.7 + 0.06 * STONE_G, cut_off_g=1.7) is None


def test_whole_stones_are_stones_from_where_the_zero_is_now() -> None:
    """A zero that has drifted takes the whole numbers along."""
    drifted = 3.5 * STONE_G
    assert found(drifted, cut_off_g=drifted) is not None
    assert found(drifted, cut_off_g=drifted, zero=0.5) is None
    assert found(3 * STONE_G, cut_off_g=3 * STONE_G) is None
    assert found(3 * STONE_G, cut_off_g=3 * STONE_G, zero=0.5) is not None


def test_without_a_converters_zero_only_less_than_nothing_is_suspected() -> None:
    """Two stones below the empty place: no hand can take away what is not there."""
    assert found(1.7, cut_off_g=None) is None
    assert found(-1.9 * STONE_G, cut_off_g=None) is None
    suspect = found(-2.1 * STONE_G, cut_off_g=None)
    assert suspect is not None
    assert suspect.still(-7.0, 0.0)
    assert suspect.still(-2.05 * STONE_G, 0.0)
    assert not suspect.still(-1.9 * STONE_G, 0.0)


def test_a_mark_that_was_taken_away_leaves_a_pit_that_weighs_nothing() -> None:
    """A hand can do that: 3 g less than the marked and empty pit weighed is no less than nothing."""
    exact = Belief.exactly((0,) * 20)
    places = [*exact.places]
    places[6] = replace(places[6], level=3.0 / STONE_G)
    belief = replace(exact, places=tuple(places), marked=frozenset((6,)))
    units = Units(STONE_G, 3.0)
    for load_g, names in ((0.0, False), (-1.9 * STONE_G, False), (-2.1 * STONE_G, True)):
        readings = tuple(PlaceReading(load_g if at == 6 else 0.0, 0) for at in range(20))
        seen = observe(readings, belief, units)
        assert (suspected(6, load_g, seen, units, 3.0 / STONE_G) is not None) is names


def test_a_reading_that_is_due_is_of_no_broken_cell() -> None:
    """Even where it happens to be just what the converter's zero would read."""
    due_g = 9.15 * STONE_G
    assert found(due_g, cut_off_g=due_g) is None
    assert found(9.19 * STONE_G, cut_off_g=9.19 * STONE_G) is None
    assert found(9.4 * STONE_G, cut_off_g=9.4 * STONE_G, mass=9.4) is None
    assert found(8.9 * STONE_G, cut_off_g=8.9 * STONE_G, mass=9.4) is None
    assert found(8.5 * STONE_G, cut_off_g=8.5 * STONE_G, mass=9.4) is not None


def test_a_suspect_reads_still_until_it_strays() -> None:
    """Noise does not let a broken cell go; another reading does, up or down."""
    suspect = found(1.7, cut_off_g=1.7)
    assert suspect is not None
    for by in (0.09, -0.09):
        assert suspect.still(1.7 + by * STONE_G, 0.0)
    for by in (0.15, -0.15, 7.0):
        assert not suspect.still(1.7 + by * STONE_G, 0.0)


def test_a_dead_cell_is_read_as_a_fault_and_a_moving_place_stays_one() -> None:
    """What it says is not asked any more; that a hand is over it still is."""
    readings = (*(PlaceReading(1.0, 0),) * 18, PlaceReading(None, None, MOVING), PlaceReading(2.0, 5))
    cut = Fault(FaultKind.CUT_OFF, None)
    dead = {4: Suspect(cut, 1.0, 0.1), 18: Suspect(cut, 1.0, 0.1)}
    judged = without(readings, dead)
    assert judged[4] == PlaceReading(None, None, cut)
    assert judged[18] == readings[18]
    assert judged[:4] + judged[5:] == readings[:4] + readings[5:]
    assert without(readings, {}) == readings


def test_a_wrong_gain_is_followed_from_one_position_to_the_next() -> None:
    """A half reads otherwise with every stone that comes: it is found anew, and plies are read meanwhile."""
    position = START
    board = Board(position)

    def half(now: Position) -> float:
        return CUT_OFF_G[12] + (due_g(now, 12) - CUT_OFF_G[12]) / 2

    look = board.look(stones_due(position), p12=half(position))
    assert [place for place, _ in look.unread] == [12]
    ply = play(position, 9)
    assert stones_due(ply.after)[12] == 10
    look = board.look(stones_due(ply.after), p12=half(ply.after))
    assert not isinstance(look.verdict, Same)


def test_units_are_seated_with_the_players() -> None:
    """What a channel reads cut off goes with its place, whoever sits there."""
    for seat in ("a", "b"):
        seating = Seating(Wiring(), seat)
        placed = seated(UNITS, seating.channel_of_place)
        assert placed.cut_off_g == tuple(CUT_OFF_G[channel] for channel in seating.channel_of_place)
        assert (placed.stone_g, placed.mark_g) == (UNITS.stone_g, UNITS.mark_g)
    bare = Units(STONE_G, 3.0)
    assert seated(bare, tuple(range(20))) == bare
