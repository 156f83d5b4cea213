"""A game from its first press to its result."""

import pytest

from rules import (
    START,
    EventError,
    FlagFell,
    GameEnded,
    GameEvent,
    GameResumed,
    GameSuspended,
    IllegalMoveError,
    Phase,
    Ply,
    PressId,
    ResultConfirmed,
    advance,
    fold,
    format_short,
    outcome,
    play,
)
from rules.clock import remaining_us
from tests.rules.boards import random_game
from tests.rules.occurrences import (
    A_WAY_TO,
    ENDED,
    SECOND,
    STARTED,
    SUSPENDED,
    B,
    Q,
    move,
    pressed,
    refused,
)


class TestPressing:
    """The clock goes on while the stones are still being read."""

    def test_a_press_switches_the_dials_and_waits_for_its_move(self) -> None:
        """Two of them can wait."""
        game = fold((*STARTED, pressed(B, 12 * SECOND), pressed(Q, 15 * SECOND)))
        assert game.pending_presses == (B, Q)
        assert game.position == START
        assert game.clock is not None
        assert (game.clock.running, game.clock.remaining_us) == (B, (59 * SECOND, 58 * SECOND))

    def test_only_the_running_side_can_press(self) -> None:
        """The clock says why."""
        assert refused(STARTED, pressed(Q, 12 * SECOND)) == (
            "qostaushy cannot press at 12000000 us: bastaushy's dial runs"
        )
        assert "lies before" in refused(STARTED, pressed(B, 9 * SECOND))

    def test_no_press_counts_twice(self) -> None:
        """A device's presses are numbered upwards from each boot."""
        told = (*STARTED, pressed(B, 12 * SECOND, PressId(7, 5)))
        assert fold(told).last_press == PressId(7, 5)
        again = pressed(Q, 13 * SECOND, PressId(7, 5))
        assert refused(told, again) == "press 5 of boot 7 comes after press 5"
        assert (
            refused(told, pressed(Q, 13 * SECOND, PressId(7, 4))) == "press 4 of boot 7 comes after press 5"
        )
        assert fold((*told, pressed(Q, 13 * SECOND, PressId(7, 6)))).last_press == PressId(7, 6)
        assert fold((*told, pressed(Q, 13 * SECOND, PressId(8, 1)))).last_press == PressId(8, 1)

    def test_a_press_of_no_device_keeps_the_last_one_in_mind(self) -> None:
        """So that a device's repetition is still noticed after it."""
        told = (*STARTED, pressed(B, 12 * SECOND, PressId(7, 5)), pressed(Q, 13 * SECOND))
        assert fold(told).last_press == PressId(7, 5)


class TestMoving:
    """A move becomes final."""

    def test_it_changes_the_position_and_is_written_down(self) -> None:
        """With what both dials show at that moment."""
        game = fold((*STARTED, pressed(B, 12 * SECOND), move(7, 13 * SECOND)))
        assert game.position == play(START, 7).after
        assert game.plies == (
            Ply(B, 7, "7:6", 13 * SECOND, (59 * SECOND, 59 * SECOND), START, play(START, 7).after),
        )
        assert game.pending_presses == ()

    def test_it_answers_its_own_press_and_those_before(self) -> None:
        """A later press of the opponent goes on waiting."""
        told = (*STARTED, pressed(B, 12 * SECOND), pressed(Q, 13 * SECOND))
        game = fold((*told, move(7, 12 * SECOND)))
        assert game.pending_presses == (Q,)
        game = advance(game, move(7, 13 * SECOND, Q, "7:6"))
        assert game.pending_presses == ()
        late = fold((*STARTED, move(7, 11 * SECOND), pressed(B, 12 * SECOND)))
        assert late.pending_presses == (B,)
        late = fold((pressed(Q, 13 * SECOND), move(7, 13 * SECOND, Q, "7:6")), late)
        assert late.pending_presses == ()

    def test_a_move_without_a_press_leaves_the_others_waiting(self) -> None:
        """As when an arbiter says what was played."""
        game = fold((*STARTED, move(7, 11 * SECOND), pressed(B, 12 * SECOND), move(7, 13 * SECOND, Q, "7:6")))
        assert game.pending_presses == (B,)

    def test_out_of_turn_it_is_refused(self) -> None:
        """The stones say whose turn it is, not the clock."""
        assert refused(STARTED, move(7, 11 * SECOND, Q)) == "bastaushy is to move, not qostaushy"

    def test_an_illegal_move_is_refused_with_the_rule(self) -> None:
        """The cause is kept as well."""
        bad = move(7, 11 * SECOND, text="7-1")
        assert refused(STARTED, bad) == "its text is '7-1', but the move is 7:6"
        game = fold((*STARTED, move(7, 11 * SECOND), move(9, 11 * SECOND, Q, "9-8")))
        emptied = fold((move(7, 11 * SECOND, text="7-8"),), game)
        with pytest.raises(EventError, match="pit 6 cannot be played: it is empty and qostaushy") as caught:
            advance(emptied, move(6, 12 * SECOND, Q, "6-7"))
        assert isinstance(caught.value.__cause__, IllegalMoveError)

    @pytest.mark.parametrize("seed", range(5))
    def test_a_whole_game_is_told_to_its_end(self, seed: int) -> None:
        """The phase stays `playing` until the result stands, and no further move has a place."""
        told: list[GameEvent] = list(STARTED)
        now_us = 10 * SECOND
        for number, (position, pit) in enumerate(random_game(seed), 1):
            now_us += SECOND
            side = position.to_move
            told.append(pressed(side, now_us, PressId(1, number)))
            told.append(move(pit, now_us, side, format_short(play(position, pit))))
        game = fold(told)
        assert outcome(game.position) is not None
        assert game.phase is Phase.PLAYING
        assert len(game.plies) == len(random_game(seed))
        last = game.position.to_move
        assert "the game is over" in refused(told, move(1, now_us, last))
        assert fold(told[7:], fold(told[:7])) == game


class TestSuspending:
    """The game stands still."""

    def test_the_dials_stop_and_remember_who_was_thinking(self) -> None:
        """Twelve seconds after the origin, two after the start."""
        game = fold(SUSPENDED)
        assert game.suspended_running is B
        assert game.clock is not None
        assert (game.clock.running, game.clock.remaining_us) == (None, (58 * SECOND, 60 * SECOND))

    def test_it_goes_on_for_whom_the_event_names(self) -> None:
        """An arbiter may have put a press right."""
        game = fold((*SUSPENDED, GameResumed(at_us=100 * SECOND, running=Q)))
        assert (game.phase, game.suspended_running) == (Phase.PLAYING, None)
        assert game.clock is not None
        assert [remaining_us(game.clock, side, 101 * SECOND) for side in (B, Q)] == [58 * SECOND, 59 * SECOND]

    def test_a_move_can_be_read_meanwhile(self) -> None:
        """What was pressed before the stop still has to become final; time stands."""
        game = fold((*STARTED, pressed(B, 11 * SECOND), GameSuspended(at_us=12 * SECOND, reason="")))
        game = advance(game, move(7, 50 * SECOND))
        assert game.phase is Phase.SUSPENDED
        assert game.plies[0].clock_after_us == (60 * SECOND, 59 * SECOND)

    def test_a_flag_can_be_noticed_meanwhile(self) -> None:
        """The dials were stopped to look at it."""
        assert fold((*SUSPENDED, FlagFell(at_us=13 * SECOND, side=B))).flags == (True, False)

    def test_it_cannot_be_stopped_before_it_ran(self) -> None:
        """Time does not run backwards."""
        assert "lies before" in refused(STARTED, GameSuspended(at_us=9 * SECOND, reason=""))


class TestEnding:
    """A result, and what comes after it."""

    def test_a_flag_is_shown_and_ends_nothing(self) -> None:
        """It is for a player or the arbiter to call it, and it falls once."""
        told = (*STARTED, FlagFell(at_us=70 * SECOND, side=B))
        assert (fold(told).phase, fold(told).flags) == (Phase.PLAYING, (True, False))
        assert refused(told, FlagFell(at_us=71 * SECOND, side=B)) == "bastaushy has a fallen flag already"
        assert fold((*told, FlagFell(at_us=71 * SECOND, side=Q))).flags == (True, True)

    def test_the_result_stops_the_dials(self) -> None:
        """At the moment of the event."""
        game = fold(ENDED)
        assert (game.phase, game.result, game.result_reason) == (Phase.ENDED, "1-0", "resigned")
        assert game.clock is not None
        assert (game.clock.running, game.clock.remaining_us) == (None, (58 * SECOND, 60 * SECOND))

    def test_a_suspended_game_can_end_as_well(self) -> None:
        """Its dials stand already."""
        game = fold((*SUSPENDED, GameEnded(at_us=99 * SECOND, result="1/2-1/2", reason="agreed")))
        assert (game.phase, game.result, game.suspended_running) == (Phase.ENDED, "1/2-1/2", None)
        assert game.clock is not None
        assert game.clock.remaining_us == (58 * SECOND, 60 * SECOND)

    def test_each_player_confirms_once(self) -> None:
        """Two signatures."""
        told = (*ENDED, ResultConfirmed(at_us=13 * SECOND, side=Q))
        assert fold(told).confirmed == (False, True)
        again = ResultConfirmed(at_us=14 * SECOND, side=Q)
        assert refused(told, again) == "qostaushy has confirmed already"
        assert fold((*told, ResultConfirmed(at_us=14 * SECOND, side=B))).confirmed == (True, True)

    def test_a_released_board_still_shows_the_last_game(self) -> None:
        """Until the next one comes."""
        game = fold(A_WAY_TO[Phase.RELEASED])
        assert (game.phase, game.game_id, game.result) == (Phase.RELEASED, "g1", "1-0")
