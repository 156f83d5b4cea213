"""A game as the fold over its events."""

import copy

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
    MovePlayed,
    Phase,
    PlayerReady,
    PressId,
    ResultConfirmed,
    SetupChecked,
    SetupLost,
    SetupStarted,
    advance,
    fold,
    legal_moves,
    outcome,
)
from tests.rules.occurrences import (
    A_WAY_TO,
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
    refused,
)


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


@st.composite
def likely_events(draw: st.DrawFn) -> GameEvent:
    """Draw an event that often has a place: few sides, few values, few moments."""
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
    """Fail when a game contradicts itself."""
    running = None if game.clock is None else game.clock.running
    assert (running is not None) == (game.phase is Phase.PLAYING)
    assert (game.clock is None) == (game.phase is Phase.UNASSIGNED) == (game.game_id is None)
    assert (game.result is None) == (game.result_reason is None)
    assert (game.suspended_running is not None) == (game.phase is Phase.SUSPENDED)
    assert not (game.phase is Phase.SETTING_UP and game.setup_ok and all(game.ready))
    assert game.position.to_move is (B if len(game.plies) % 2 == 0 else Q)
    assert legal_moves(game.position) or outcome(game.position)
    if game.phase in (Phase.PLAYING, Phase.SUSPENDED):
        assert game.setup_ok  # but not that both are there: the announcement starts all clocks (2.7.5)
    if game.phase is Phase.READY:
        assert game.setup_ok
        assert all(game.ready)
        assert game.result is None


def test_requirement_23_no_clock_is_started_on_a_board_that_is_not_set_up() -> None:
    """The announcement starts all others (2.7.5)."""
    with pytest.raises(EventError, match="not set up"):
        fold((*READY[:2], GameStarted(at_us=9)))
