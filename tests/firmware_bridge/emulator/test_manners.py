"""Whole games of players with habits, players who offend, and what they do when the game is over."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import get_args

import pytest

from firmware_bridge.config import EmulatorTable
from firmware_bridge.emulator.actions import (
    BESIDE,
    AllDone,
    Button,
    Drop,
    Lapse,
    Lift,
    OffenceDone,
    PlaceMark,
    PlyDone,
    PostMortem,
    Signals,
    Timed,
    Touch,
)
from firmware_bridge.emulator.hands import EARLY_S, Hands, ImpossibleOffenceError
from firmware_bridge.emulator.offences import Offence, is_possible
from firmware_bridge.emulator.pace import BLITZ, CLASSICAL, MANNERS, PACES, PLAIN, UNRULY, Manners, Pace
from firmware_bridge.emulator.records import bundled_record, parse_record
from rules.position import EndReason, Sowing, outcome
from tests.firmware_bridge.emulator.random_games import random_sowings
from tests.firmware_bridge.emulator.true_board import WIRING, TrueBoard

FOR_EVER_US = 10**15
QUIET = Signals(host_lost=False, running=0)
NO_CLOCK = replace(PLAIN, wait_for_clock=False)


@dataclass
class Played:
    """A game at once, as far as the hands go."""

    sowings: tuple[Sowing, ...]
    manners: Manners = NO_CLOCK
    pace: Pace = BLITZ
    seed: int = 1
    offences: Mapping[int, Offence] = field(default_factory=dict)
    board: TrueBoard = field(default_factory=TrueBoard)
    log: list[Timed] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.hands = Hands(self.sowings, WIRING, self.pace, self.manners, self.seed, self.offences)
        while (timed := self.hands.next_action(FOR_EVER_US, lambda: QUIET)) is not None:
            self.log.append(timed)
            self.board.apply(timed.action)
            if isinstance(timed.action, OffenceDone):
                assert self.board.places == timed.action.board
            if isinstance(timed.action, PlyDone) and self.board.at_rest:
                after = timed.action.sowing.after
                assert self.board.places == after.pits + after.kazans

    def of_kind(self, kind: type) -> list[Timed]:
        """The actions of one kind."""
        return [timed for timed in self.log if isinstance(timed.action, kind)]


def ending_by(reason: EndReason) -> tuple[Sowing, ...]:
    """The first random game that ends so with a tuzdyk on the board."""
    for seed in range(1000):
        sowings = tuple(random_sowings(seed))
        ending = outcome(sowings[-1].after)
        if ending is not None and ending.reason is reason and sowings[-1].after.tuzdyks != (None, None):
            return sowings
    raise AssertionError(reason)


@pytest.mark.parametrize("reason", list(EndReason))
@pytest.mark.parametrize("pace", [*PACES])
def test_a_game_with_every_habit_at_once_ends_on_the_truth(pace: str, reason: EndReason) -> None:
    """Whatever happens on the way, the final kazans are the game's and times never go back."""
    sowings = ending_by(reason)
    manners = replace(UNRULY, wait_for_clock=False, post_mortem=0)
    game = Played(sowings, manners, PACES[pace])
    ending = outcome(sowings[-1].after)
    assert ending is not None
    assert game.board.places[18:] == ending.kazans
    assert game.board.at_rest
    assert game.hands.done
    times = [timed.at_us for timed in game.log]
    assert times == sorted(times)


def test_manners_are_found_by_name_and_plain_ones_are_the_default() -> None:
    """Plain are those that a table has when nothing is said."""
    assert MANNERS["plain"] == Manners()
    assert set(MANNERS) == {"plain", "lively", "unruly"}


def test_the_configuration_knows_every_pace_and_every_manner() -> None:
    """By the same names."""
    fields = EmulatorTable.model_fields
    assert set(get_args(fields["pace"].annotation)) == set(PACES)
    assert set(get_args(fields["manners"].annotation)) == set(MANNERS)


def test_long_thinking_is_a_lapse_of_its_own() -> None:
    """One before each ply, as long as the pace says; none at older paces; waited out, it delays the rest."""
    sowings = bundled_record("2009").sowings[:20]
    game = Played(sowings, pace=CLASSICAL)
    lapses = [timed.action.seconds for timed in game.log if isinstance(timed.action, Lapse)]
    assert len(lapses) == 20
    assert CLASSICAL.lapse_s is not None
    assert CLASSICAL.lapse_s[0] <= min(lapses) < max(lapses) <= CLASSICAL.lapse_s[1]
    assert not Played(sowings).of_kind(Lapse)
    hands = Hands(sowings, WIRING, CLASSICAL, NO_CLOCK, 1)
    while (timed := hands.next_action(FOR_EVER_US, lambda: QUIET)) is not None:
        if isinstance(timed.action, Lapse):
            hands.wait(timed.action.seconds)
        last_us = timed.at_us
    assert last_us - game.log[-1].at_us == pytest.approx(sum(lapses) * 1e6, abs=20)


def test_an_impatient_opponent_reaches_in_before_the_press() -> None:
    """By three tenths of a second at most; some hold the stones by then, some only touch them."""
    sowings = bundled_record("2009").sowings[:40]
    game = Played(sowings, replace(NO_CLOCK, early=1.0))
    assert game.hands.plies == 40
    lifted = touched = 0
    for before, press in pairwise(game.log):
        if not isinstance(press.action, Button) or not press.action.down or press.at_us == before.at_us:
            continue
        reach = [t for t in game.log if press.at_us - EARLY_S[1] * 1e6 <= t.at_us < press.at_us]
        lifted += any(isinstance(t.action, Lift) for t in reach)
        touched += any(isinstance(t.action, Touch) and t.action.firmness for t in reach)
    assert touched >= 39
    assert 10 <= lifted <= 30


def test_who_was_early_lets_no_stone_fall_before_his_dial_runs() -> None:
    """The first press does nothing: it is made again, and the stones in hand wait for it."""
    sowings = bundled_record("2009").sowings[:6]
    hands = Hands(sowings, WIRING, BLITZ, replace(PLAIN, early=1.0), 1)
    dials, log = Dials(), list[Timed]()
    for now_us in range(0, 120_000_000, 10_000):
        while (timed := hands.next_action(now_us, dials.signals)) is not None:
            log.append(timed)
            if isinstance(timed.action, Drop):
                assert dials.running == WIRING.buttons[timed.action.hand % 2] + 1
            if isinstance(timed.action, Button) and timed.action.down:
                dials.press(timed.action.button)
    assert hands.done
    presses = [t.action.button for t in log if isinstance(t.action, Button) and t.action.down]
    assert presses == [0, 1, 1, 1, 0, 1, 0, 1, 0]


@dataclass
class Dials:
    """Bastaushy's button 1 starts them; the first press of a running dial does nothing."""

    running: int = 0
    deaf: int = 1

    def signals(self) -> Signals:
        """What the players see."""
        return Signals(host_lost=False, running=self.running)

    def press(self, button: int) -> None:
        """A button goes down."""
        if self.running == 0 and button == 1:
            self.running = 2
        elif self.running == button + 1 and self.deaf:
            self.deaf -= 1
        elif self.running == button + 1:
            self.running = 2 - button


def test_nobody_is_early_where_the_next_ply_is_not_known() -> None:
    """A last ply, or one against the rules that comes next."""
    sowings = parse_record("76 98").sowings
    game = Played(sowings, replace(NO_CLOCK, early=1.0), offences={2: Offence.ONE_PAST})
    assert isinstance(game.log[-1].action, OffenceDone)


@pytest.mark.parametrize("late", [0.0, 1.0])
def test_the_mark_is_laid_before_or_after_the_press(late: float) -> None:
    """The game of 2009 has two tuzdyks."""
    game = Played(bundled_record("2009").sowings, replace(NO_CLOCK, mark_late=late))
    kinds = [type(timed.action) for timed in game.log if isinstance(timed.action, Button | PlaceMark)]
    marks = [nth for nth, kind in enumerate(kinds) if kind is PlaceMark]
    done = [timed for timed in game.log if isinstance(timed.action, PlyDone | PlaceMark)]
    gaps = [b.at_us - a.at_us for a, b in pairwise(done) if isinstance(a.action, PlaceMark)]
    assert len(marks) == 2
    assert all((gap == 0) == bool(late) for gap in gaps)


def test_a_finger_may_stay_until_after_the_press() -> None:
    """It lies on the last pit while the button goes down, and leaves later."""
    game = Played(parse_record("76").sowings, replace(NO_CLOCK, linger=1.0))
    tail = [timed.action for timed in game.log[-6:]]
    assert [type(action) for action in tail] == [Touch, Button, Button, Touch, PlyDone, AllDone]
    pit = WIRING.pits[14]
    assert [(a.channel, a.firmness > 0) for a in tail if isinstance(a, Touch)] == [(pit, True), (pit, False)]


@pytest.mark.parametrize("offence", list(Offence))
def test_hands_offend_and_then_wait(offence: Offence) -> None:
    """The board after the press is the one the plan says; nobody plays on, and the hands are not done."""
    sowings = ending_by(EndReason.ATSYRAU)
    ply = next(n for n, sowing in enumerate(sowings, 1) if n > 8 and is_possible(offence, sowing))
    game = Played(sowings, offences={ply: offence}, board=with_a_spare_stone())
    last = game.log[-1].action
    assert isinstance(last, OffenceDone)
    assert (last.ply, last.offence) == (ply, offence)
    assert game.board.hands.total() - 1 == last.offended.in_hand + last.offended.boxed
    assert game.hands.plies == ply - 1
    assert game.hands.offended
    assert not game.hands.done
    presses = [t for t in game.of_kind(Button) if isinstance(t.action, Button) and t.action.down]
    assert len(presses) == 2 + ply
    if last.offended.before_press_s is not None:
        before = max(t.at_us for t in game.log if not isinstance(t.action, Button | OffenceDone | Touch))
        assert presses[-1].at_us - before == pytest.approx(last.offended.before_press_s * 1e6, abs=2)


def with_a_spare_stone() -> TrueBoard:
    """One stone more than the game has lies beside the board."""
    board = TrueBoard()
    board.hands[BESIDE] = 1
    board.total = 163
    return board


@pytest.mark.parametrize("offence", list(Offence))
def test_a_mended_board_is_the_due_one_and_the_game_goes_on(offence: Offence) -> None:
    """Also the mark, and what lay beside the board; then the game is played to its end."""
    sowings = ending_by(EndReason.ATSYRAU)
    for ply in [n for n, sowing in enumerate(sowings, 1) if is_possible(offence, sowing)][:8]:
        manners = replace(NO_CLOCK, mend_after_s=10.0)
        game = Played(sowings, manners, offences={ply: offence}, board=with_a_spare_stone())
        assert game.hands.done
        assert not game.hands.offended
        assert game.hands.plies == len(sowings)
        assert +game.board.hands == {BESIDE: 1}
        ending = outcome(sowings[-1].after)
        assert ending is not None
        assert game.board.places[18:] == ending.kazans
        won = [s for s in sowings if s.tuzdyk is not None]
        assert game.board.marks == {WIRING.pits[s.last_index] for s in won}


def test_an_offence_that_cannot_be_is_refused_by_name() -> None:
    """No game begins with a tuzdyk."""
    with pytest.raises(ImpossibleOffenceError, match=r"^ply 1 cannot .* left_in_tuzdyk: choose another ply$"):
        Played(parse_record("76").sowings, offences={1: Offence.LEFT_IN_TUZDYK})


@pytest.mark.parametrize("reason", list(EndReason))
def test_the_players_talk_the_game_over(reason: EndReason) -> None:
    """Three scenes between the end and the last word, no ply among them, and every stone still there."""
    sowings = ending_by(reason)
    manners = replace(UNRULY, wait_for_clock=False, early=0.0)
    for seed in range(5):
        game = Played(sowings, manners, seed=seed)
        assert len(game.of_kind(PostMortem)) == 3
        assert game.of_kind(PostMortem)[0].at_us > game.of_kind(PlyDone)[-1].at_us
        assert isinstance(game.log[-1].action, AllDone)
        assert len(game.of_kind(PlyDone)) == len(sowings)


def test_an_open_game_is_not_talked_over() -> None:
    """A record that ends before its game leaves the stones alone."""
    game = Played(bundled_record("2009").sowings[:5], replace(NO_CLOCK, post_mortem=3))
    assert not game.of_kind(PostMortem)
