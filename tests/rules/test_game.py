"""A game as the fold over its events."""

import copy
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    EMPTY,
    EVENT_KINDS,
    START,
    TRANSITIONS,
    EventError,
    FlagFell,
    Game,
    GameEnded,
    GameEvent,
    GameReleased,
    GameResumed,
    GameStarted,
    GameSuspended,
    IllegalMoveError,
    MovePlayed,
    Phase,
    PlayerReady,
    Ply,
    PressId,
    ResultConfirmed,
    SetupChecked,
    SetupLost,
    SetupStarted,
    advance,
    fold,
    format_short,
    legal_moves,
    outcome,
    play,
    remaining_us,
)
from tests.rules.boards import random_game
from tests.rules.occurrences import (
    CONTROL,
    EVENT_EXAMPLES,
    READY,
    SECOND,
    STARTED,
    B,
    Q,
    assigned,
    events,
    move,
    pressed,
)

SUSPENDED = (*STARTED, GameSuspended(at_us=12 * SECOND, reason="link lost"))
ENDED = (*STARTED, GameEnded(at_us=12 * SECOND, result="1-0", reason="resigned"))
A_WAY_TO: dict[Phase, tuple[GameEvent, ...]] = {
    Phase.UNASSIGNED: (),
    Phase.ASSIGNED: READY[:1],
    Phase.SETTING_UP: READY[:2],
    Phase.READY: READY,
    Phase.PLAYING: STARTED,
    Phase.SUSPENDED: SUSPENDED,
    Phase.ENDED: ENDED,
    Phase.RELEASED: (*ENDED, GameReleased(at_us=13 * SECOND)),
}


def refused(told: Iterable[GameEvent], event: GameEvent) -> str:
    """Returns why an event is refused after others; fails when it is not, or when the game was touched."""
    game = fold(told)
    before = copy.deepcopy(game)
    with pytest.raises(EventError) as caught:
        advance(game, event)
    assert game == before
    assert (caught.value.kind, caught.value.at_us, caught.value.where) == (event.kind, event.at_us, str(game))
    return caught.value.reason


class TestPhases:
    """The life of a table."""

    def test_the_table_knows_every_phase_and_every_kind(self) -> None:
        """A kind that has a place nowhere could never happen."""
        assert set(TRANSITIONS) == set(Phase)
        placed = {kind for row in TRANSITIONS.values() for kind in row}
        assert placed == set(EVENT_KINDS.values())

    @pytest.mark.parametrize("phase", Phase)
    def test_a_way_leads_to_every_phase(self, phase: Phase) -> None:
        """And `str` says where one is."""
        game = fold(A_WAY_TO[phase])
        assert game.phase is phase
        name = "no game" if phase is Phase.UNASSIGNED else "game 'g1'"
        assert str(game) == f"{name}, phase {phase.value}, after 0 plies"

    @pytest.mark.parametrize("event", EVENT_EXAMPLES, ids=lambda event: event.kind)
    @pytest.mark.parametrize("phase", Phase)
    def test_what_is_not_in_the_table_is_refused(self, phase: Phase, event: GameEvent) -> None:
        """In every phase, with what would have been expected."""
        if type(event) in TRANSITIONS[phase]:
            return
        reason = refused(A_WAY_TO[phase], event)
        assert reason.startswith("expected one of ")
        assert set(reason.removeprefix("expected one of ").split(", ")) == {
            kind.kind for kind in TRANSITIONS[phase]
        }

    def test_the_message_names_event_game_and_reason(self) -> None:
        """Enough to find it in a journal."""
        with pytest.raises(EventError) as caught:
            fold(STARTED[-1:])
        assert str(caught.value) == (
            "game_started at 10000000 us has no place in no game, phase unassigned, after 0 plies: "
            "expected one of game_assigned"
        )

    def test_a_stranger_s_event_is_refused(self) -> None:
        """The base class has no kind and no place."""
        with pytest.raises(EventError, match=r"^GameEvent at 5 us has no place in no game"):
            advance(EMPTY, GameEvent(at_us=5))


class TestAssigning:
    """A game comes to a board."""

    def test_an_empty_board_knows_nothing(self) -> None:
        """No name is invented."""
        assert Game() == EMPTY
        assert (EMPTY.phase, EMPTY.game_id, EMPTY.control, EMPTY.clock) == (
            Phase.UNASSIGNED,
            None,
            None,
            None,
        )
        assert (EMPTY.position, EMPTY.plies, EMPTY.last_press) == (START, (), None)

    def test_it_brings_players_seating_and_a_full_clock(self) -> None:
        """The clock stands."""
        game = fold([assigned()])
        assert (game.game_id, game.names, game.starter_seat) == ("g1", ("Aigerim", "Дәурен"), "b")
        assert game.control == CONTROL
        assert game.clock is not None
        assert game.clock.running is None
        assert game.clock.remaining_us == (60 * SECOND, 60 * SECOND)

    def test_the_next_game_forgets_all_of_the_last(self) -> None:
        """Stones, plies, flags, presses, result."""
        told = (
            *STARTED,
            pressed(B, 11 * SECOND, PressId(7, 5)),
            move(7, 11 * SECOND),
            FlagFell(at_us=12 * SECOND, side=Q),
            GameEnded(at_us=13 * SECOND, result="1-0", reason="flag"),
            ResultConfirmed(at_us=13 * SECOND, side=B),
            GameReleased(at_us=14 * SECOND),
        )
        kept = fold(told)
        assert (kept.result, len(kept.plies), kept.flags) == ("1-0", 1, (False, True))
        again = assigned(15 * SECOND, "g2")
        assert advance(kept, again) == fold([again])

    @pytest.mark.parametrize("length", [1, 2, 3, 5])
    def test_a_game_not_begun_can_be_taken_away_again(self, length: int) -> None:
        """Somebody may have assigned the wrong one."""
        told = (*READY[:length], GameReleased(at_us=9), assigned(10))
        assert fold(told) == fold([assigned(10)])


class TestGettingReady:
    """Nine stones in each pit and two players."""

    def test_it_takes_the_set_up_and_both_players(self) -> None:
        """Whatever comes last makes the board ready."""
        for told in (READY, (*READY[:2], *READY[3:], READY[2])):
            phases = [fold(told[:length]).phase for length in range(2, 6)]
            assert phases == [Phase.SETTING_UP] * 3 + [Phase.READY]

    def test_losing_the_set_up_asks_both_again(self) -> None:
        """Before and after the board was ready."""
        for length in (4, 5):
            game = fold((*READY[:length], SetupLost(at_us=5)))
            assert (game.phase, game.setup_ok, game.ready) == (Phase.SETTING_UP, False, (False, False))
            assert fold((*READY[2:3], *READY[3:]), game).phase is Phase.READY

    def test_saying_something_twice_is_refused(self) -> None:
        """A repeated fact is a mistake of whoever decided it."""
        assert refused(READY[:3], SetupChecked(at_us=5)) == "the board is set up already"
        assert refused(READY[:2], SetupLost(at_us=5)) == "the board is not set up"
        assert refused(READY[:4], PlayerReady(at_us=5, side=Q)) == "qostaushy is ready already"
        told = (*READY[:2], PlayerReady(at_us=5, side=B))
        assert refused(told, PlayerReady(at_us=5, side=B)) == "bastaushy is ready already"

    def test_the_start_runs_bastaushy_s_dial(self) -> None:
        """From the moment of the event."""
        clock = fold(STARTED).clock
        assert clock is not None
        assert (clock.running, clock.since_us) == (B, 10 * SECOND)


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
        assert game.plies == (Ply(B, 7, "7:6", 13 * SECOND, (59 * SECOND, 59 * SECOND)),)
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


@st.composite
def likely_events(draw: st.DrawFn) -> GameEvent:
    """Draws an event that often has a place: few sides, few values, few moments."""
    at_us = draw(st.integers(0, 200)) * SECOND
    side = draw(st.sampled_from((B, Q)))
    kinds: list[GameEvent] = [
        assigned(at_us),
        SetupStarted(at_us=at_us),
        SetupChecked(at_us=at_us),
        SetupLost(at_us=at_us),
        PlayerReady(at_us=at_us, side=side),
        GameStarted(at_us=at_us),
        pressed(side, at_us, draw(st.none() | st.builds(PressId, st.just(1), st.integers(1, 9)))),
        MovePlayed(at_us=at_us, side=side, number=7, text="7:6", confirmed_by="press", evidence={}),
        FlagFell(at_us=at_us, side=side),
        GameSuspended(at_us=at_us, reason=""),
        GameResumed(at_us=at_us, running=side),
        GameEnded(at_us=at_us, result="1-0", reason=""),
        ResultConfirmed(at_us=at_us, side=side),
        GameReleased(at_us=at_us),
    ]
    return draw(st.sampled_from(kinds) | events(0, 200 * SECOND))


@given(st.sampled_from(Phase), st.lists(likely_events(), max_size=25))
def test_whatever_comes_the_game_is_changed_wholly_or_not_at_all(phase: Phase, told: list[GameEvent]) -> None:
    """And a few things are true of every game there is."""
    game = fold(A_WAY_TO[phase])
    for event in told:
        before = copy.deepcopy(game)
        try:
            after = advance(game, event)
        except EventError:
            after = game
        assert game == before
        game = after
        assert_consistent(game)


def assert_consistent(game: Game) -> None:
    """Fails when a game contradicts itself."""
    running = None if game.clock is None else game.clock.running
    assert (running is not None) == (game.phase is Phase.PLAYING)
    assert (game.clock is None) == (game.phase is Phase.UNASSIGNED) == (game.game_id is None)
    assert (game.result is None) == (game.result_reason is None)
    assert (game.suspended_running is not None) == (game.phase is Phase.SUSPENDED)
    assert not (game.phase is Phase.SETTING_UP and game.setup_ok and all(game.ready))
    assert game.position.to_move is (B if len(game.plies) % 2 == 0 else Q)
    assert legal_moves(game.position) or outcome(game.position)
    if game.phase in (Phase.PLAYING, Phase.SUSPENDED):
        assert game.setup_ok
        assert all(game.ready)
        assert game.result is None
