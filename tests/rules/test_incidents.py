"""Infractions, rulings, offers and calls in the fold of a game."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from rules import (
    START,
    ArbiterCalled,
    CallAnswered,
    ClockMode,
    Decision,
    DrawAnswered,
    DrawOffered,
    FlagCalled,
    FlagFell,
    Game,
    GameAdjourned,
    GameAssigned,
    GameEnded,
    GameEvent,
    GameResumed,
    GameStarted,
    GameSuspended,
    Incident,
    InfractionClosed,
    InfractionSeen,
    Phase,
    PlayerWarned,
    Position,
    PositionRuled,
    PressId,
    SealOpened,
    Side,
    TimeControl,
    fold,
    format_short,
    play,
)
from rules.clock import remaining_us
from tests.rules.occurrences import READY, SECOND, STARTED, SUSPENDED, B, Q, move, pressed, refused

AFTER_7 = play(START, 7).after
AFTER_7_9 = play(AFTER_7, 9).after
ONE_PLY = (*STARTED, pressed(B, 12 * SECOND), move(7, 13 * SECOND))
TWO_PLIES = (*ONE_PLY, pressed(Q, 14 * SECOND), move(9, 15 * SECOND, Q, format_short(play(AFTER_7, 9))))
PILE = Position((0, 10, *(9,) * 16), (0, 8), (None, None), Q)
"""What no sowing leaves."""

SEAL = "ab" * 32


def seen(at_us: int = 16 * SECOND, infraction: int = 1) -> InfractionSeen:
    """Return an infraction of bastaushy."""
    return InfractionSeen(at_us=at_us, infraction=infraction, side=B, faults=("skipped_pit",))


def ruled(
    decision: Decision,
    position: Position,
    *,
    kept: int = 0,
    number: int | None = None,
    infraction: int | None = None,
    dials: tuple[int, int] = (50 * SECOND, 55 * SECOND),
    running: Side | None = None,
) -> PositionRuled:
    """Return a ruling at 20 s."""
    return PositionRuled(
        at_us=20 * SECOND,
        decision=decision,
        infraction=infraction,
        kept=kept,
        number=number,
        position=position,
        remaining_us=dials,
        running=running or position.to_move,
        by="Сәуле",
        reason="94",
    )


def after(told: Iterable[GameEvent], *events: GameEvent) -> Game:
    """Return the game after some more events."""
    return fold(events, fold(told))


class TestInfractions:
    """They are numbered, and wait until somebody decides."""

    def test_it_waits_with_its_number_and_place(self) -> None:
        """For the arbiter."""
        game = after(ONE_PLY, seen())
        assert game.incidents == game.open_incidents == (Incident(1, B, ("skipped_pit",), 1),)

    def test_its_number_is_the_next(self) -> None:
        """Otherwise one has been lost."""
        assert "it has the number 2, but the next one is 1" in refused(ONE_PLY, seen(infraction=2))

    def test_it_is_closed_once(self) -> None:
        """By whoever comes first."""
        closed = InfractionClosed(at_us=17 * SECOND, infraction=1, closing="put_right", by="", reason="")
        game = after(ONE_PLY, seen(), closed)
        assert game.open_incidents == ()
        assert game.incidents[0].settled == "put_right"
        assert refused((*ONE_PLY, seen(), closed), closed) == "infraction 1 is not open"

    def test_a_ruling_closes_it(self) -> None:
        """With the decision as its end; the others stay."""
        told = (*ONE_PLY, seen(), seen(infraction=2))
        game = after(told, ruled("restored", AFTER_7, kept=1, infraction=2))
        assert [incident.settled for incident in game.incidents] == [None, "restored"]
        assert "infraction 3 is not open" in refused(told, ruled("set", START, infraction=3))


class TestRulings:
    """Position, plies and dials change in one step."""

    def test_restored_undoes_a_press(self) -> None:
        """The offender's dial runs again, with what the arbiter left on it."""
        told = (*ONE_PLY, pressed(Q, 15 * SECOND))
        game = after(told, ruled("restored", AFTER_7, kept=1))
        assert (game.position, game.pending_presses, len(game.plies)) == (AFTER_7, (), 1)
        assert game.clock is not None
        assert (game.clock.running, game.clock.remaining_us) == (Q, (50 * SECOND, 55 * SECOND))
        assert game.clock.moves == (1, 0)
        assert remaining_us(game.clock, Q, 21 * SECOND) == 54 * SECOND

    def test_corrected_plays_the_ply_that_was_due(self) -> None:
        """It is written down as any other."""
        game = after(ONE_PLY, ruled("corrected", AFTER_7_9, kept=1, number=9))
        assert [ply.text for ply in game.plies] == ["7:6", format_short(play(AFTER_7, 9))]
        assert (game.plies[-1].stood, game.plies[-1].before, game.position) == (False, AFTER_7, AFTER_7_9)
        assert game.clock is not None
        assert (game.clock.running, game.clock.moves) == (B, (1, 1))

    def test_an_illegal_sowing_stands(self) -> None:
        """The game goes on from what lies there, and later moves have their place."""
        game = after(STARTED, ruled("stands", PILE, number=1))
        assert (game.plies[0].text, game.plies[0].stood, game.position) == ("1/", True, PILE)
        sowing = play(PILE, 5)
        moved = after(
            (*STARTED, ruled("stands", PILE, number=1)), move(5, 22 * SECOND, Q, format_short(sowing))
        )
        assert moved.position == sowing.after
        assert [ply.side for ply in moved.plies] == [B, Q]

    def test_from_an_unknown_pit(self) -> None:
        """Nobody has to invent one."""
        assert after(STARTED, ruled("stands", PILE)).plies[0].text == "/"

    def test_plies_are_taken_back(self) -> None:
        """With the moves counted anew."""
        game = after(TWO_PLIES, ruled("taken_back", START))
        assert (game.position, game.plies) == (START, ())
        assert game.clock is not None
        assert (game.clock.moves, game.clock.running) == ((0, 0), B)

    def test_taken_back_and_corrected_in_one(self) -> None:
        """A missed capture is noticed two plies later."""
        game = after(TWO_PLIES, ruled("corrected", play(START, 3).after, number=3))
        assert [ply.text for ply in game.plies] == [format_short(play(START, 3))]

    def test_any_position_can_be_set(self) -> None:
        """And is what a later ply is taken back to."""
        told = (*STARTED, ruled("set", PILE))
        assert after(told).position == PILE
        sowing = play(PILE, 5)
        told = (*told, move(5, 22 * SECOND, Q, format_short(sowing)))
        assert after(told, ruled("taken_back", PILE)).position == PILE

    def test_while_suspended_the_dials_stand(self) -> None:
        """And it is known whose dial will run."""
        game = after((*ONE_PLY, GameSuspended(at_us=15 * SECOND, reason="")), ruled("taken_back", START))
        assert game.phase is Phase.SUSPENDED
        assert game.clock is not None
        assert (game.clock.running, game.suspended_running) == (None, B)

    def test_time_on_the_dial_raises_a_flag(self) -> None:
        """A flag at zero stays down."""
        told = (*STARTED, FlagFell(at_us=70 * SECOND, side=B), FlagCalled(at_us=70 * SECOND, side=B, by="q"))
        given = after(told, ruled("restored", START))
        assert (given.flags, given.flags_called) == ((False, False), (False, False))
        kept = after(told, ruled("restored", START, dials=(0, SECOND)))
        assert (kept.flags, kept.flags_called) == ((True, False), (True, False))

    @pytest.mark.parametrize("side", list(Side))
    def test_a_flag_that_stays_down_is_called_only_if_it_was(self, side: Side) -> None:
        """And one that is up again is not called any more, whosever it is (2.9.9)."""
        fallen = (*STARTED, FlagFell(at_us=70 * SECOND, side=side))
        called = (*fallen, FlagCalled(at_us=70 * SECOND, side=side, by="q"))
        down = (side is B, side is Q)
        assert after(fallen, ruled("restored", START, dials=(0, 0))).flags_called == (False, False)
        assert after(called, ruled("restored", START, dials=(0, 0))).flags_called == down
        assert after(called, ruled("restored", START)).flags_called == (False, False)

    def test_without_a_clock_no_dial_is_set(self) -> None:
        """But the turn is."""
        assigned = GameAssigned(
            at_us=0,
            game_id="g",
            names=("", ""),
            starter_seat="a",
            control=TimeControl((), ClockMode.NONE),
        )
        told = (assigned, *READY[1:], GameStarted(at_us=10 * SECOND))
        game = after(told, ruled("stands", PILE, number=1, dials=(0, 0)))
        assert game.clock is not None
        assert game.clock.running is Q
        assert "played without one" in refused(told, ruled("stands", PILE, number=1))

    @pytest.mark.parametrize(
        ("ruling", "reason"),
        [
            (ruled("restored", AFTER_7, kept=2), "2 plies cannot be kept: 1 have been played"),
            (ruled("restored", START, kept=1), "the position after 1 plies is another one"),
            (ruled("restored", AFTER_7, kept=1, number=3), "no ply follows from `restored`"),
            (ruled("stands", START, kept=1), ""),
            (
                ruled("stands", AFTER_7, kept=1),
                "a sowing of qostaushy stands, so the other",
            ),
            (ruled("corrected", AFTER_7_9, kept=1), "a corrected sowing needs the number of its pit"),
            (ruled("corrected", AFTER_7_9, kept=1, number=8), "leads to another position"),
            (ruled("corrected", AFTER_7, number=7, running=B), "bastaushy's dial cannot run"),
            (ruled("set", START, dials=(-1, 0)), "cannot show"),
        ],
    )
    def test_what_cannot_be_meant_is_refused(self, ruling: PositionRuled, reason: str) -> None:
        """By the fold, whoever sends it."""
        if reason:
            assert reason in refused(ONE_PLY, ruling)
        else:
            assert after(ONE_PLY, ruling).position == START

    def test_an_empty_pit_cannot_be_corrected_to(self) -> None:
        """The rules say why."""
        emptied = Position((0,) * 9 + (18,) * 9, (0, 0), (None, None), B)
        assert "no sowing can be corrected to it" in refused(
            (*STARTED, ruled("set", emptied)), ruled("corrected", START, number=1)
        )


class TestPlayersAndArbiters:
    """Offers, calls, warnings and flags."""

    def test_only_the_first_offer_asks(self) -> None:
        """2.6.9."""
        offer = DrawOffered(at_us=16 * SECOND, side=B)
        once = (*ONE_PLY, offer)
        assert (after(once).draw_open, after(once).draw_offers) == (B, (1, 0))
        refusal = DrawAnswered(at_us=17 * SECOND, side=Q, accepted=False)
        again = after((*once, refusal), DrawOffered(at_us=18 * SECOND, side=B))
        assert (again.draw_open, again.draw_offers) == (None, (2, 0))

    def test_a_move_declines(self) -> None:
        """The opponent's, not that of the player who offered."""
        offered = (*STARTED, DrawOffered(at_us=11 * SECOND, side=B), move(7, 13 * SECOND))
        assert after(offered).draw_open is B
        assert after(offered, move(9, 15 * SECOND, Q, format_short(play(AFTER_7, 9)))).draw_open is None

    def test_requirement_16_an_event_may_let_an_offer_last_until_refused(self) -> None:
        """The game's own first event says so; then no move ends it."""
        told = tuple(
            replace(each, draw_lasts="until_refused") if isinstance(each, GameAssigned) else each
            for each in STARTED
        )
        offered = (*told, DrawOffered(at_us=11 * SECOND, side=B), move(7, 13 * SECOND))
        moved = (*offered, move(9, 15 * SECOND, Q, format_short(play(AFTER_7, 9))))
        assert after(moved).draw_open is B
        assert after(moved, DrawAnswered(at_us=17 * SECOND, side=Q, accepted=False)).draw_open is None

    def test_nobody_answers_himself(self) -> None:
        """Nor what was not offered."""
        answer = DrawAnswered(at_us=17 * SECOND, side=B, accepted=True)
        assert "qostaushy has offered no draw" in refused(
            (*ONE_PLY, DrawOffered(at_us=16 * SECOND, side=B)), answer
        )

    def test_an_end_leaves_nothing_open(self) -> None:
        """Neither offer, nor call, nor sealed move."""
        told = (*ONE_PLY, DrawOffered(at_us=16 * SECOND, side=B), called())
        ended = after(told, GameEnded(at_us=18 * SECOND, result="1-0", reason="resignation"))
        assert (ended.draw_open, ended.called) == (None, False)

    def test_warnings_are_counted(self) -> None:
        """For each player."""
        warned = PlayerWarned(at_us=16 * SECOND, side=Q, level=2, article="1.3.4", by="", reason="")
        assert after(ONE_PLY, warned, warned).warnings == (0, 2)

    def test_a_call_waits_for_somebody_to_come(self) -> None:
        """2.7.15."""
        told = (*ONE_PLY, called())
        assert after(told).called
        answered = CallAnswered(at_us=18 * SECOND, by="Сәуле", groundless=False)
        assert not after(told, answered).called
        assert refused(ONE_PLY, answered) == "nobody has called"

    def test_no_press_of_a_call_counts_twice(self) -> None:
        """As with the clock's."""
        told = (*ONE_PLY, called(PressId(7, 5)))
        assert after(told).last_press == PressId(7, 5)
        assert "comes after press 5" in refused(told, called(PressId(7, 5)))

    def test_only_a_fallen_flag_can_be_called(self) -> None:
        """2.9.9."""
        call = FlagCalled(at_us=71 * SECOND, side=B, by="qostaushy")
        told = (*STARTED, FlagFell(at_us=70 * SECOND, side=B))
        assert after(told, call).flags_called == (True, False)
        assert refused(STARTED, call) == "bastaushy's flag is not down"
        assert "has a called flag already" in refused((*told, call), call)


class TestAdjourned:
    """2.8."""

    adjourned = (*SUSPENDED, GameAdjourned(at_us=13 * SECOND, seal=SEAL, by="Сәуле", reason="2.8.1"))

    def test_the_seal_has_to_be_opened_first(self) -> None:
        """Then the clock runs and the move is due."""
        resumed = GameResumed(at_us=21 * SECOND, running=B)
        assert refused(self.adjourned, resumed) == "the sealed move has not been opened"
        opened = (*self.adjourned, SealOpened(at_us=20 * SECOND, number=7, text="7:6", by="Сәуле"))
        game = after(opened, resumed)
        assert (game.seal, game.sealed_number, game.phase) == (None, 7, Phase.PLAYING)
        assert after(opened, resumed, move(7, 23 * SECOND)).sealed_number is None

    def test_only_one_move_is_sealed(self) -> None:
        """And only a sealed one is opened."""
        again = GameAdjourned(at_us=14 * SECOND, seal=SEAL, by="", reason="")
        assert refused(self.adjourned, again) == "a move is sealed already"
        opened = SealOpened(at_us=20 * SECOND, number=7, text="7:6", by="")
        assert refused(SUSPENDED, opened) == "no move is sealed"

    def test_an_illegal_sealed_move_has_no_number(self) -> None:
        """The chief panel decides what follows from it."""
        unread = SealOpened(at_us=20 * SECOND, number=None, text="?", by="")
        assert after(self.adjourned, unread).sealed_number is None
        emptied = Position((0,) * 9 + (18,) * 9, (0, 0), (None, None), B)
        told = (*SUSPENDED, ruled("set", emptied), self.adjourned[-1])
        assert "pit" in refused(told, SealOpened(at_us=20 * SECOND, number=7, text="7:6", by=""))


def called(press: PressId | None = None) -> ArbiterCalled:
    """Return a call of bastaushy."""
    return ArbiterCalled(at_us=17 * SECOND, side=B, press=press)
