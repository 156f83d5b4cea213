"""The clock in the fold: quotas, corrections, flags."""

import json
from dataclasses import replace

import pytest

from rules import (
    NO_CLOCK,
    PRESETS,
    ClockAdjusted,
    ClockSet,
    FlagFell,
    Game,
    GameAssigned,
    GameResumed,
    GameStarted,
    GameSuspended,
    Period,
    PlayerReady,
    SetupChecked,
    SetupStarted,
    TimeControl,
    advance,
    event_from_json,
    event_to_json,
    fold,
)
from rules.clock import remaining_us
from tests.rules.occurrences import (
    CONTROL,
    LONG_CONTROL,
    SECOND,
    STARTED,
    SUSPENDED,
    B,
    Q,
    move,
    pressed,
    refused,
)

MINUTE = 60 * SECOND
QUOTA = TimeControl((Period(60_000, 1), Period(30_000)))


def started(control: TimeControl) -> Game:
    """Return a game of this control whose clock was started at 0."""
    return fold(
        (
            GameAssigned(at_us=0, game_id="g", names=("A", "B"), starter_seat="a", control=control),
            SetupStarted(at_us=0),
            SetupChecked(at_us=0),
            PlayerReady(at_us=0, side=B),
            PlayerReady(at_us=0, side=Q),
            GameStarted(at_us=0),
        )
    )


def shown(game: Game, at_us: int) -> tuple[int, int]:
    """Return what both dials show."""
    assert game.clock is not None
    return remaining_us(game.clock, B, at_us), remaining_us(game.clock, Q, at_us)


def adjusted(first_us: int, second_us: int, at_us: int = 20 * SECOND) -> ClockAdjusted:
    """Return an arbiter's correction."""
    return ClockAdjusted(at_us=at_us, delta_us=(first_us, second_us), reason="2.4.8")


class TestQuotas:
    """Which moves count (2.7.13)."""

    def test_a_press_and_its_move_count_once(self) -> None:
        """Whichever is told first."""
        by_press = fold((pressed(B, SECOND), move(7, 2 * SECOND)), started(QUOTA))
        by_hand = fold((move(7, SECOND), pressed(B, 2 * SECOND)), started(QUOTA))
        for game in (by_press, by_hand):
            assert game.clock is not None
            assert (game.clock.moves, game.clock.period) == ((1, 0), (1, 0))
        assert shown(by_press, 2 * SECOND) == (89 * SECOND, 59 * SECOND)
        assert shown(by_hand, 2 * SECOND) == (88 * SECOND, MINUTE)

    def test_a_move_nobody_pressed_for_fulfils_a_quota(self) -> None:
        """The ply keeps what the dials showed before the next period's time."""
        game = fold((move(7, 10 * SECOND),), started(QUOTA))
        assert game.plies[0].clock_after_us == (50 * SECOND, MINUTE)
        assert shown(game, 10 * SECOND) == (80 * SECOND, MINUTE)

    def test_a_press_for_a_move_entered_by_hand_counts_no_other(self) -> None:
        """Each move is entered first and pressed for later, and no quota is reached before its moves are."""
        game = started(TimeControl((Period(600_000, 2), Period(300_000))))
        told = ((7, B, "7:6"), (3, Q, "3:3"), (5, B, "5:4"))
        for moment, (number, side, text) in enumerate(told, 1):
            entered = move(number, 2 * moment * SECOND, side, text)
            game = fold((entered, pressed(side, (2 * moment + 1) * SECOND)), game)
            assert game.clock is not None
            assert sum(game.clock.moves) == len(game.plies) == moment
        assert game.clock is not None
        assert (game.clock.moves, game.clock.period) == ((2, 1), (1, 0))

    def test_a_press_after_one_for_an_entered_move_counts_when_it_comes_first(self) -> None:
        """Only presses for moves that nobody has read yet wait to be counted again."""
        control = TimeControl((Period(600_000, 2), Period(300_000)))
        game = fold((move(7, 1), pressed(B, 2), pressed(Q, 3), pressed(B, 4)), started(control))
        assert game.clock is not None
        assert (game.clock.moves, game.clock.period) == ((2, 1), (1, 0))

    def test_a_press_before_the_last_move_was_read_counts_the_next(self) -> None:
        """Two quick moves are pressed before either was read: both count."""
        game = fold((pressed(B, 1), pressed(Q, 2), pressed(B, 3)), started(TimeControl.simple(1000)))
        assert game.clock is not None
        assert game.clock.moves == (2, 1)


class TestAdjusting:
    """An arbiter's corrections."""

    @pytest.mark.parametrize("told", [STARTED, SUSPENDED])
    def test_time_is_given_and_taken_while_playing_and_while_suspended(
        self, told: tuple[object, ...]
    ) -> None:
        """2.4.8: the dials change, and nothing else."""
        game = fold(told)  # type: ignore[arg-type] # events, whichever
        changed = advance(game, adjusted(30 * SECOND, -5 * SECOND))
        before, after = shown(game, 20 * SECOND), shown(changed, 20 * SECOND)
        assert after == (before[0] + 30 * SECOND, before[1] - 5 * SECOND)
        assert (changed.phase, changed.flags, changed.plies) == (game.phase, game.flags, game.plies)

    def test_nothing_given_is_refused_and_so_is_more_than_there_is(self) -> None:
        """The game stays as it was."""
        assert refused(STARTED, adjusted(0, 0)) == "it gives and takes nothing"
        assert "70 s cannot be taken from qostaushy: his dial shows 60 s" in refused(
            STARTED, adjusted(0, -70 * SECOND)
        )

    def test_time_given_raises_a_fallen_flag(self) -> None:
        """2.7.14; it may then fall again. Time taken raises none."""
        fell = (*STARTED, FlagFell(at_us=70 * SECOND, side=B))
        game = fold((*fell, adjusted(1, 0, 80 * SECOND)))
        assert (game.flags, game.first_flag) == ((False, False), None)
        assert fold((*fell, adjusted(0, 1, 80 * SECOND))).flags == (True, False)
        assert fold((*fell, adjusted(0, -1, 80 * SECOND))).first_flag is B
        assert advance(game, FlagFell(at_us=90 * SECOND, side=B)).flags == (True, False)

    def test_the_order_of_both_flags_is_known(self) -> None:
        """Requirement 30; a flag raised again is no longer the first."""
        both = (*STARTED, FlagFell(at_us=70 * SECOND, side=B), FlagFell(at_us=80 * SECOND, side=Q))
        assert (fold(both).flags, fold(both).first_flag) == ((True, True), B)
        assert fold((*both, adjusted(1, 0, 90 * SECOND))).first_flag is Q
        assert fold((*both, adjusted(0, 1, 90 * SECOND))).first_flag is B
        assert fold((*both, adjusted(300 * SECOND, 300 * SECOND, 90 * SECOND))).first_flag is None


class TestSetting:
    """A clock replaced, set down late, or read."""

    def test_a_replaced_clock_goes_on_with_the_same_moves(self) -> None:
        """2.7.10: suspended, set, resumed; nothing lost."""
        told = (
            pressed(B, SECOND),
            move(7, SECOND),
            GameSuspended(at_us=5 * SECOND, reason="faulty clock"),
            ClockSet(
                at_us=9 * SECOND, control=QUOTA, remaining_us=(80 * SECOND, 50 * SECOND), reason="2.7.10"
            ),
            GameResumed(at_us=20 * SECOND, running=Q),
        )
        game = fold(told, started(QUOTA))
        assert shown(game, 21 * SECOND) == (80 * SECOND, 49 * SECOND)
        assert game.clock is not None
        assert (game.clock.moves, game.clock.period) == ((1, 0), (1, 0))

    def test_a_clock_is_set_down_in_a_game_without_one(self) -> None:
        """2.7.11: from then on the game has a control, and flags."""
        game = advance(
            started(NO_CLOCK),
            ClockSet(
                at_us=60, control=PRESETS["blitz"], remaining_us=(15 * MINUTE, 15 * MINUTE), reason="2.7.11"
            ),
        )
        assert game.control == PRESETS["blitz"]
        assert shown(game, 60 + SECOND) == (15 * MINUTE - SECOND, 15 * MINUTE)

    def test_a_dial_set_above_zero_raises_its_flag(self) -> None:
        """A dial set to zero does not."""
        told = (*STARTED, FlagFell(at_us=70 * SECOND, side=B), FlagFell(at_us=80 * SECOND, side=Q))
        clock = ClockSet(at_us=90 * SECOND, control=CONTROL, remaining_us=(0, SECOND), reason="read")
        assert (fold((*told, clock)).flags, fold((*told, clock)).first_flag) == ((True, False), B)

    def test_no_clock_cannot_be_set(self) -> None:
        """A game without one has nothing to show."""
        event = ClockSet(at_us=20 * SECOND, control=NO_CLOCK, remaining_us=(0, 0), reason="")
        assert refused(STARTED, event) == "there is no clock to set: the game is played without one"


class TestFlags:
    """A flag loses nothing by itself (2.9.9)."""

    def test_the_move_under_way_is_completed_after_it(self) -> None:
        """2.9.8: press and move have their place, and the flag stays down for whoever calls it."""
        told = (FlagFell(at_us=60 * SECOND, side=B), pressed(B, 61 * SECOND), move(7, 62 * SECOND))
        game = fold(told, started(CONTROL))
        assert (game.flags, game.first_flag, len(game.plies), game.result) == ((True, False), B, 1, None)
        assert shown(game, 61 * SECOND) == (SECOND, MINUTE)

    def test_a_quota_whose_last_move_the_arbiter_enters_raises_it(self) -> None:
        """2.7.13: he stopped the clocks and found it made; the flag may fall again in the next period."""
        stopped = (FlagFell(at_us=60 * SECOND, side=B), GameSuspended(at_us=61 * SECOND, reason="2.7.13"))
        entered = replace(move(7, 90 * SECOND), confirmed_by="arbiter")
        game = fold((*stopped, entered), started(QUOTA))
        assert (game.flags, game.first_flag) == ((False, False), None)
        assert shown(game, 90 * SECOND) == (30 * SECOND, MINUTE)
        again = (GameResumed(at_us=100 * SECOND, running=B), FlagFell(at_us=130 * SECOND, side=B))
        assert fold(again, game).flags == (True, False)

    def test_a_quota_fulfilled_after_it_does_not_raise_it(self) -> None:
        """2.9.8: the move was completed when the time was over; nor does an entry that fulfils no quota."""
        fell = FlagFell(at_us=60 * SECOND, side=B)
        late = fold((fell, pressed(B, 61 * SECOND), move(7, 62 * SECOND)), started(QUOTA))
        assert (late.flags, shown(late, 62 * SECOND)[0]) == ((True, False), 30 * SECOND)
        entered = replace(move(7, 62 * SECOND), confirmed_by="arbiter")
        pressed_late = (fell, pressed(B, 61 * SECOND), entered)
        assert fold(pressed_late, started(QUOTA)).flags == (True, False)
        longer = TimeControl((Period(60_000, 2), Period(30_000)))
        assert fold((fell, entered), started(longer)).flags == (True, False)

    def test_a_limit_of_a_move_is_no_quota(self) -> None:
        """A flag that fell with time on the dial stays down, whatever period begins."""
        control = TimeControl((Period(60_000, 1), Period(30_000)), move_limit_ms=10_000)
        entered = replace(move(7, 20 * SECOND), confirmed_by="arbiter")
        assert fold((FlagFell(at_us=10 * SECOND, side=B), entered), started(control)).flags == (True, False)


class TestJournals:
    """Controls in journals of every age."""

    OLD = (
        '{"kind":"game_assigned","at_us":0,"game_id":"b01-0","names":["A","B"],"starter_seat":"a",'
        '"control":{"base_ms":3600000,"increment_ms":0}}'
    )

    def test_the_journals_of_the_first_version_are_read(self) -> None:
        """And written again byte by byte."""
        event = event_from_json(json.loads(self.OLD))
        assert isinstance(event, GameAssigned)
        assert event.control == TimeControl.simple(3_600_000)
        assert json.dumps(event_to_json(event), separators=(",", ":")) == self.OLD

    def test_any_other_control_has_the_longer_form(self) -> None:
        """With every number by name; an older program refuses it instead of running a wrong clock."""
        event = GameAssigned(at_us=0, game_id="g", names=("", ""), starter_seat="a", control=LONG_CONTROL)
        assert event_to_json(event)["control"] == {
            "periods": [
                {"time_ms": 90_000, "moves": 2, "increment_ms": 500, "delay_ms": 250},
                {"time_ms": 30_000, "moves": None, "increment_ms": 0, "delay_ms": 0},
            ],
            "mode": "observed",
            "move_limit_ms": 20_000,
        }
