"""The players' hands: they do exactly what the sowings say, press as players do, and wait when due."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.emulator.actions import (
    Action,
    AllDone,
    Button,
    Drop,
    Lift,
    PlaceMark,
    PlyDone,
    Signals,
    Timed,
)
from firmware_bridge.emulator.hands import Hands
from firmware_bridge.emulator.pace import BLITZ, HUMAN, Manners
from firmware_bridge.emulator.records import bundled_record, parse_record
from rules.position import EndReason, Position, Sowing, outcome, pit_index
from sensors.simulator.profile import CELL_500_G, CLEAN
from sensors.simulator.world import CellWorld
from tests.firmware_bridge.emulator.random_games import random_sowings
from tests.firmware_bridge.emulator.true_board import WIRING

FOR_EVER_US = 10**15
NO_CLOCK = Manners(wait_for_clock=False)


@dataclass
class FakeDevice:
    """Two dials that switch on a press, and a lamp."""

    running: int = 0
    host_lost: bool = False
    deaf: int = 0
    """How many presses of a running dial go unnoticed."""
    host_starts: bool = True
    suspends: bool = False
    """A press of the running dial stops both."""

    def signals(self) -> Signals:
        """What the players see."""
        return Signals(self.host_lost, self.running)

    def press(self, button: int) -> None:
        """Both ready presses start bastaushy's dial (button 1); later ones switch."""
        if self.running == 0 and self.host_starts and button == WIRING.buttons[0]:
            self.running = WIRING.buttons[0] + 1
        elif self.running == button + 1:
            if self.suspends:
                self.running = 0
            elif self.deaf:
                self.deaf -= 1
            else:
                self.running = 2 - button


def run(hands: Hands, device: FakeDevice, until_us: int, tick_us: int = 10_000) -> list[Timed]:
    """Let the hands act tick by tick."""
    log: list[Timed] = []
    for now_us in range(0, until_us, tick_us):
        while (timed := hands.next_action(now_us, device.signals)) is not None:
            log.append(timed)
            if isinstance(timed.action, Button) and timed.action.down:
                device.press(timed.action.button)
    return log


def of_kind(log: Iterable[Timed], kind: type[Action]) -> list[Timed]:
    """The actions of one kind."""
    return [timed for timed in log if isinstance(timed.action, kind)]


def downs(log: Iterable[Timed]) -> list[int]:
    """The buttons pressed, in order."""
    return [t.action.button for t in log if isinstance(t.action, Button) and t.action.down]


def new_world() -> CellWorld:
    """Large cells under everything, stones as in the beginning."""
    world = CellWorld([CELL_500_G] * 20, CLEAN, 1)
    world.lay_out(dict.fromkeys(WIRING.pits, 9))
    return world


def apply_to(world: CellWorld, timed: Timed) -> None:
    """Carry an action out on the stones."""
    match timed.action:
        case Lift(channel, hand, stones):
            world.lift(channel, hand, timed.at_us, stones)
        case Drop(channel, hand, stones):
            world.drop(channel, hand, timed.at_us, stones)
        case PlaceMark(channel):
            world.place_mark(channel, timed.at_us)
        case _:
            pass


def assert_stands(world: CellWorld, position: Position) -> None:
    """The stones and marks lie exactly as the position says."""
    assert tuple(world.stones(channel) for channel in WIRING.pits) == position.pits
    assert tuple(world.stones(channel) for channel in WIRING.kazans) == position.kazans
    marked = {channel for channel in range(20) if world.marks(channel)}
    won = [
        (side, number) for side, number in zip((1, 0), position.tuzdyks, strict=True) if number is not None
    ]
    assert marked == {WIRING.pits[side * 9 + number - 1] for side, number in won}


def play_out(sowings: tuple[Sowing, ...], seed: int) -> list[Timed]:
    """Play a game at once and check the stones after every ply."""
    hands = Hands(sowings, WIRING, BLITZ, NO_CLOCK, seed)
    world, log = new_world(), list[Timed]()
    while (timed := hands.next_action(FOR_EVER_US, FakeDevice().signals)) is not None:
        apply_to(world, timed)
        log.append(timed)
        if isinstance(timed.action, PlyDone):
            assert_stands(world, timed.action.sowing.after)
            assert [world.held(hand) for hand in range(4)] == [0, 0, 0, 0]
    ending = outcome(sowings[-1].after)
    if ending is not None:
        assert tuple(world.stones(channel) for channel in WIRING.kazans) == ending.kazans
    return log


@settings(max_examples=60, deadline=None)
@given(game=st.integers(0, 2**32), seed=st.integers(0, 2**32))
def test_hands_bring_the_stones_exactly_where_the_sowing_says(game: int, seed: int) -> None:
    """After every ply of any game, tuzdyks, laps and the final sweep included; times never go back."""
    log = play_out(tuple(random_sowings(game)), seed)
    times = [timed.at_us for timed in log]
    assert times == sorted(times)


def test_the_game_of_2009_is_played_stone_by_stone() -> None:
    """Two marks are laid, every player presses once to be ready and once for each of his plies."""
    sowings = bundled_record("2009").sowings
    log = play_out(sowings, 1)
    assert len(of_kind(log, PlaceMark)) == 2
    assert len(of_kind(log, PlyDone)) == 60
    assert downs(log) == [0, 1] + [1, 0] * 30
    assert isinstance(log[-1].action, AllDone)


def game_ending_by(reason: EndReason) -> tuple[Sowing, ...]:
    """The first random game that ends so."""
    for seed in range(1000):
        sowings = tuple(random_sowings(seed))
        ending = outcome(sowings[-1].after)
        if ending is not None and ending.reason is reason:
            return sowings
    raise AssertionError(reason)


@pytest.mark.parametrize("reason", list(EndReason))
def test_nobody_presses_after_the_end(reason: EndReason) -> None:
    """The last ply has no press; only at atsyrau something is moved after it."""
    sowings = game_ending_by(reason)
    log = play_out(sowings, 2)
    assert len(downs(log)) == 2 + len(sowings) - 1
    last = max(index for index, timed in enumerate(log) if isinstance(timed.action, PlyDone))
    swept = Counter(type(timed.action) for timed in log[last:])[Lift]
    assert (swept > 0) == (reason is EndReason.ATSYRAU)


def test_the_result_is_confirmed_by_both_when_asked_for() -> None:
    """Two more presses, after the end."""
    sowings = game_ending_by(EndReason.EIGHTY_TWO)
    hands = Hands(sowings, WIRING, BLITZ, replace(NO_CLOCK, confirm_after_s=5.0), 1)
    log = []
    while (timed := hands.next_action(FOR_EVER_US, FakeDevice().signals)) is not None:
        log.append(timed)
    assert len(downs(log)) == 2 + len(sowings) - 1 + 2


def test_a_large_capture_goes_in_one_handful_or_two() -> None:
    """Ten stones are carried whole by some hands and in two parts by others, never in more."""
    sowings = parse_record("76").sowings
    kazan = WIRING.kazans[0]
    carried = []
    for seed in range(30):
        drops = [timed.action for timed in of_kind(play_out(sowings, seed), Drop)]
        carried.append([d.stones for d in drops if isinstance(d, Drop) and d.channel == kazan])
    assert {len(handfuls) for handfuls in carried} == {1, 2}
    assert all(sum(handfuls) == 10 for handfuls in carried)


@pytest.mark.parametrize("touch", [0.0, 1.0])
def test_a_stone_for_a_tuzdyk_goes_to_its_owner_directly_or_by_a_touch(touch: float) -> None:
    """With touch 0 no stone ever falls into a tuzdyk pit, with touch 1 each one does and is fetched again."""
    sowings = bundled_record("2009").sowings[:10]
    before = sowings[5].after
    assert before.tuzdyks == (None, 7)
    hands = Hands(sowings, WIRING, BLITZ, replace(NO_CLOCK, tuzdyk_touch=touch), 1)
    world, plies, touched = new_world(), 0, 0
    while (timed := hands.next_action(FOR_EVER_US, FakeDevice().signals)) is not None:
        apply_to(world, timed)
        plies += isinstance(timed.action, PlyDone)
        if plies >= 6 and isinstance(timed.action, Drop):
            touched += world.stones(WIRING.pits[6])
    passing = sum(sowing.path.count(6) for sowing in sowings[6:])
    assert passing > 0
    assert touched == (passing if touch else 0)
    assert_stands(world, sowings[-1].after)


def test_durations_are_those_of_the_pace() -> None:
    """Stones fall one after another within the pace's bounds; thinking comes first."""
    sowings = parse_record("98").sowings
    log = of_kind(play_out_with_clock(sowings), Drop)[:9]
    gaps_s = [(b.at_us - a.at_us) / 1e6 for a, b in pairwise(log)]
    assert len(gaps_s) == 8
    assert HUMAN.stone_s[0] <= min(gaps_s) <= max(gaps_s) <= HUMAN.stone_s[1]


def play_out_with_clock(sowings: tuple[Sowing, ...]) -> list[Timed]:
    """Play with dials, tick by tick."""
    return run(Hands(sowings, WIRING, HUMAN, Manners(), 1), FakeDevice(), 60_000_000)


def test_players_get_ready_before_the_first_move() -> None:
    """The one who moves second presses first; nothing is lifted before the dial runs."""
    log = play_out_with_clock(parse_record("76 98").sowings)
    assert downs(log) == [0, 1, 1, 0]
    ready = [t.at_us for t in of_kind(log, Button)][2]
    assert of_kind(log, Lift)[0].at_us > ready + HUMAN.think_s[0] * 1e6


def test_nobody_moves_while_no_dial_runs() -> None:
    """Ready presses that start nothing are repeated patiently, and no stone is touched."""
    device = FakeDevice(host_starts=False)
    log = run(Hands(parse_record("76").sowings, WIRING, HUMAN, Manners(), 1), device, 100_000_000)
    assert not of_kind(log, Lift)
    assert 6 <= len(downs(log)) <= 10


def test_a_press_that_did_nothing_is_repeated() -> None:
    """When the own dial runs on after the press, the player presses again after a while."""
    device = FakeDevice(deaf=1)
    log = run(Hands(parse_record("76 98").sowings, WIRING, HUMAN, Manners(), 1), device, 90_000_000)
    assert downs(log) == [0, 1, 1, 1, 0]


def test_a_suspended_game_waits_without_pressing() -> None:
    """The first ply's press is met by standing dials: no presses, no moves, until one runs again."""
    device = FakeDevice(suspends=True)
    hands = Hands(parse_record("76 98").sowings, WIRING, HUMAN, Manners(), 1)
    log = run(hands, device, 150_000_000)
    assert downs(log) == [0, 1, 1]
    assert len(of_kind(log, PlyDone)) == 1
    device.suspends, device.running = False, WIRING.buttons[1] + 1
    log = run(hands, device, 200_000_000)
    assert downs(log) == [0]
    assert of_kind(log, Lift)[0].at_us >= 140_000_000


def lift_times(lost_us: tuple[int, int], sowings: tuple[Sowing, ...]) -> list[Timed]:
    """Play at one tempo with the host-lost lamp lit for a while."""
    device = FakeDevice()
    hands = Hands(sowings, WIRING, BLITZ, Manners(), 1)
    log = []
    for now_us in range(0, 120_000_000, 10_000):
        device.host_lost = lost_us[0] <= now_us < lost_us[1]
        while (timed := hands.next_action(now_us, device.signals)) is not None:
            log.append(timed)
            if isinstance(timed.action, Button) and timed.action.down:
                device.press(timed.action.button)
    return log


def test_a_ply_under_way_is_finished_and_pressed_when_the_host_goes() -> None:
    """The lamp lights in the middle of a sowing: that ply ends with its press, the next waits."""
    sowings = parse_record("76 98").sowings
    calm = lift_times((0, 0), sowings)
    second_drop_us = of_kind(calm, Drop)[1].at_us
    log = lift_times((second_drop_us, 60_000_000), sowings)
    first, second = of_kind(log, PlyDone)
    assert first.at_us == of_kind(calm, PlyDone)[0].at_us
    lifted = [t.at_us for t in of_kind(log, Lift) if first.at_us < t.at_us < second.at_us]
    assert lifted[0] >= 62_000_000


def test_players_wait_for_the_first_word_of_a_host() -> None:
    """Before a host is heard nobody gets ready; two seconds and the set-up check later they do."""
    log = lift_times((0, 30_000_000), parse_record("76").sowings)
    assert log[0].at_us >= 30_000_000 + (2.0 + Manners().setup_check_s[0]) * 1e6


def test_the_sweep_waits_for_the_clock_to_stand() -> None:
    """At atsyrau the stones are swept only after the players see that the end was seen."""
    sowings = game_ending_by(EndReason.ATSYRAU)[-1:]
    device = FakeDevice(running=WIRING.buttons[sowings[0].side.index] + 1)
    hands = Hands(sowings, WIRING, BLITZ, Manners(), 1)
    stands_us = 50_000_000
    log = []
    for now_us in range(0, 120_000_000, 10_000):
        if now_us == stands_us:
            device.running = 0
        while (timed := hands.next_action(now_us, device.signals)) is not None:
            log.append(timed)
    done_us = of_kind(log, PlyDone)[0].at_us
    assert done_us < stands_us
    swept = [timed.at_us for timed in of_kind(log, Lift) if timed.at_us > done_us]
    assert min(swept) > stands_us + Manners().sweep_after_s[0] * 1e6


def test_the_same_seed_plays_the_same_game() -> None:
    """Every duration and every choice replays."""
    sowings = bundled_record("2009").sowings[:12]
    assert play_out(sowings, 5) == play_out(sowings, 5)
    assert play_out(sowings, 5) != play_out(sowings, 6)


def test_the_origin_is_emptied_first() -> None:
    """All stones are lifted before one falls, and the first goes back where it came from."""
    sowing = parse_record("76").sowings[0]
    origin = WIRING.pits[pit_index(sowing.side, sowing.number)]
    log = play_out((sowing,), 1)
    assert of_kind(log, Lift)[0].action == Lift(origin, 0, 9)
    assert of_kind(log, Drop)[0].action == Drop(origin, 0, 1)
