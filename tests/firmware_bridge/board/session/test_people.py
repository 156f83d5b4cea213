"""What people say at a table, and what the law of conduct makes of it: calls, flags, complaints, lateness."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.board.incident_inputs import AnswerCall, Call, CallFlag, Close, Complain, Rule
from firmware_bridge.board.inputs import Adjust, End, Late, Release, Resume, Suspend
from firmware_bridge.board.refereeing.advice import Advice
from rules.conduct.options import (
    BLITZ,
    CLASSICAL,
    BothFlags,
    CompletedMove,
    Declined,
    FlagCallers,
    GroundlessStop,
    LateWarning,
)
from rules.conduct.proposal import Speaker
from rules.control_text import parse_control
from rules.flags import EvenKazan
from rules.game import Phase, event_from_json, event_to_json, fold
from rules.position import START, Position, Side, play
from rules.record.json_form import format_record_json, parse_record_json
from rules.record.of_game import record_of
from rules.record.text import format_record, parse_record
from tests.firmware_bridge.board.paper import PaperBoard, assigned, phase, playing

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
MINUTE = 60_000_000
BEFORE_81 = Position(
    (10, 0, 0, 0, 0, 0, 0, 0, 2, 1, 10, 0, 0, 0, 0, 0, 0, 0), (79, 60), (None, None), Side.BASTAUSHY
)
"""Bastaushy's ninth pit takes two stones."""


def told(board: PaperBoard, about: str) -> list[Advice]:
    """Return what is proposed now about something."""
    return [each for each in board.session.advice(board.now_us) if each.about == about]


def codes(found: list[Advice]) -> list[str]:
    """Return what is proposed, the alternatives marked."""
    return [("or " if each.instead else "") + each.proposal.code.value for each in found]


def dials_us(board: PaperBoard) -> tuple[int, int]:
    """Return what both dials showed at the last change."""
    clock = board.session.game.clock
    assert clock is not None
    return clock.remaining_us


class TestCalls:
    """2.7.15."""

    def called(self, conduct: object = CLASSICAL) -> PaperBoard:
        """Return a board on which qostaushy has called while bastaushy's dial ran."""
        board = playing(conduct=conduct)  # type: ignore[arg-type] # options or a change of them
        board.wait(5)
        board.take(Call(at_us=board.now_us, side=Q))
        return board

    @pytest.mark.parametrize("side", [B, Q, None])
    def test_requirement_31_a_call_stops_the_dials(self, side: Side | None) -> None:
        """Whoever calls, and whoever's dial runs."""
        board = playing()
        board.wait(5)
        board.take(Call(at_us=board.now_us, side=side))
        game = board.session.game
        assert (game.phase, game.suspended_reason, game.suspended_running) == (Phase.SUSPENDED, "call", B)
        before = dials_us(board)
        board.wait(60)
        assert dials_us(board) == before
        assert fold(map(event_from_json, map(event_to_json, board.events))) == game

    def test_requirement_31_nothing_goes_on_before_the_arbiter_has_come(self) -> None:
        """A press moves nothing, a sowing is not taken; his answer lets the same dial run on."""
        board = self.called()
        assert board.press(B).events == ()
        board.show(play(START, 7).after)
        board.wait(5)
        assert board.session.game.plies == ()
        board.show(START)
        board.wait(1)
        step = board.take(AnswerCall(at_us=board.now_us, by="Сәуле"))
        assert [event.kind for event in step.events] == ["call_answered", "game_resumed"]
        clock = board.session.game.clock
        assert clock is not None
        assert (phase(board), clock.running) == (Phase.PLAYING, B)
        board.play(7)
        assert len(board.session.game.plies) == 1

    def test_the_arbiter_may_come_without_letting_the_clock_run(self) -> None:
        """He looks first, and resumes then."""
        board = self.called()
        board.wait(1)
        board.take(AnswerCall(at_us=board.now_us, by="Сәуле", resumes=False))
        assert (phase(board), board.session.game.called) == (Phase.SUSPENDED, False)
        assert board.take(Resume(board.now_us, by="Сәуле")).refusal == ""
        assert phase(board) is Phase.PLAYING

    def test_a_board_that_shows_something_else_stays_stopped(self) -> None:
        """His answer is written down; what is wrong is put right first."""
        board = self.called()
        board.show(play(START, 7).after)
        board.add(3, 40)
        board.wait(2)
        step = board.take(AnswerCall(at_us=board.now_us, by="Сәуле"))
        assert [event.kind for event in step.events] == ["call_answered"]
        assert step.refusal == ""
        assert phase(board) is Phase.SUSPENDED

    def test_who_resumes_has_come(self) -> None:
        """Nobody is called any more in a game that goes on."""
        board = self.called()
        board.wait(1)
        step = board.take(Resume(board.now_us, by="Сәуле"))
        assert [event.kind for event in step.events] == ["call_answered", "game_resumed"]
        assert not board.session.game.called

    def test_a_call_in_a_rest_leaves_it_a_rest(self) -> None:
        """What the arbiter stopped he resumes; an answer does not."""
        board = playing()
        board.take(Suspend(board.now_us, "arbiter"))
        board.take(Call(at_us=board.now_us, side=B))
        board.wait(1)
        board.take(AnswerCall(at_us=board.now_us))
        assert (phase(board), board.session.game.called) == (Phase.SUSPENDED, False)

    def test_what_he_can_find_is_proposed_while_he_is_waited_for(self) -> None:
        """That it had a reason, or none with what the event chose for it."""
        board = self.called()
        assert codes(told(board, "call")) == ["arbiter_called", "or stop_grounded", "or stop_groundless"]

    @pytest.mark.parametrize(
        ("option", "warns", "adds_us", "articles"),
        [
            ("warning", (Q,), (0, 0), ("2.7.15", "2.4.6")),
            ("time", (), (60_000_000, -120_000_000), ("2.7.15", "2.4.8")),
        ],
    )
    def test_requirement_31_a_groundless_call_is_penalised_as_the_event_chose(
        self,
        option: GroundlessStop,
        warns: tuple[Side, ...],
        adds_us: tuple[int, int],
        articles: tuple[str, ...],
    ) -> None:
        """It waits for the arbiter, who decides it like any other infraction."""
        conduct = replace(
            CLASSICAL, groundless_stop=option, penalty_takes_ms=120_000, penalty_gives_ms=60_000
        )
        board = self.called(conduct)
        board.wait(1)
        board.take(AnswerCall(at_us=board.now_us, by="Сәуле", groundless=True))
        assert phase(board) is Phase.PLAYING
        (found,) = told(board, "infraction")
        proposal = found.proposal
        assert (proposal.warns, proposal.adds_us, proposal.articles) == (warns, adds_us, articles)
        assert found.infraction is not None
        board.take(Close(at_us=board.now_us, infraction=found.infraction, closing="warned", by="Сәуле"))
        assert told(board, "infraction") == []

    def test_an_event_may_leave_it_without_a_penalty(self) -> None:
        """`groundless_stop`."""
        board = self.called(replace(CLASSICAL, groundless_stop="none"))
        board.wait(1)
        board.take(AnswerCall(at_us=board.now_us, groundless=True))
        assert board.session.game.incidents == ()


class TestFlags:
    """2.7.12 to 2.7.14, 2.9.8 to 2.9.10."""

    @pytest.mark.parametrize(
        ("callers", "caller", "refused"),
        [
            ("arbiter_and_players", Speaker.ARBITER, ""),
            ("arbiter_and_players", Speaker.QOSTAUSHY, ""),
            ("arbiter_and_players", Speaker.OTHER, "not_heard"),
            ("arbiter_and_players", Speaker.BOARD, "not_heard"),
            ("arbiter", Speaker.ARBITER, ""),
            ("arbiter", Speaker.QOSTAUSHY, "not_heard"),
        ],
    )
    def test_requirement_44_who_may_call_a_flag(
        self, callers: FlagCallers, caller: Speaker, refused: str
    ) -> None:
        """2.9.9: the arbiter, or one of the two players where the event lets them."""
        board = playing(conduct=replace(CLASSICAL, flag_callers=callers), control=parse_control("1m"))
        board.wait(65)
        step = board.take(CallFlag(at_us=board.now_us, side=B, caller=caller, by="Сәуле"))
        assert step.refused == refused
        assert board.session.game.flags_called == (not refused, False)
        if not refused:
            (event,) = step.events
            by = "Сәуле" if caller is Speaker.ARBITER else "qostaushy"
            assert event_to_json(event)["by"] == by

    def test_a_flag_is_announced_and_gives_nothing_before_it_is_called(self) -> None:
        """2.9.10; what it gives if it is called is told beside it."""
        board = playing(control=parse_control("1m"))
        board.wait(65)
        assert codes(told(board, "flag")) == ["flag_announced", "or flag_loses"]
        board.take(CallFlag(at_us=board.now_us, side=B))
        (found,) = told(board, "flag")
        assert (found.proposal.result, found.proposal.reason) == ("0-1", "flag")
        assert found.proposal.articles == ("2.7.12", "2.6.3")

    def test_requirement_28_at_a_quota_the_moves_are_checked_before_anybody_has_lost(self) -> None:
        """2.7.13: the clocks are stopped, the moves counted, and only then the flag gives what it gives."""
        board = playing(control=parse_control("1m/3+1m"))
        board.play(7)
        board.play(9)
        board.wait(65)
        board.take(CallFlag(at_us=board.now_us, side=B))
        (check,) = (*told(board, "quota"), *told(board, "flag"))
        assert (check.about, check.proposal.code.value) == ("quota", "flag_check_moves")
        assert (check.proposal.clock.value, check.proposal.result, check.proposal.side) == ("stop", None, B)
        board.take(Suspend(board.now_us, "2.7.13"))
        quota, flag = (*told(board, "quota"), *told(board, "flag"))
        assert (quota.proposal.code.value, flag.proposal.code.value) == ("quota_missed", "flag_loses")
        assert (getattr(quota.proposal, "due", None), getattr(quota.proposal, "made", None)) == (3, 1)

    @pytest.mark.parametrize(
        ("both", "declined", "found"),
        [
            ("by_order", "discretion", ["flag_loses"]),
            ("discretion", "discretion", ["both_flags_add_time", "or both_flags_discretion"]),
            ("discretion", "draw", ["both_flags_add_time", "or both_flags_draw"]),
        ],
    )
    def test_requirement_30_both_flags_give_what_the_event_chose(
        self, both: BothFlags, declined: Declined, found: list[str]
    ) -> None:
        """2.7.14: their order decides, or five minutes for each are proposed, and what follows without."""
        conduct = replace(CLASSICAL, both_flags=both, both_flags_declined=declined)
        board = playing(conduct=conduct, control=parse_control("1m"))
        board.wait(65)
        board.play(7)
        board.wait(65)
        assert board.session.game.flags == (True, True)
        board.take(CallFlag(at_us=board.now_us, side=B))
        assert codes(told(board, "flag")) == found
        board.take(Adjust(board.now_us, (5 * MINUTE, 5 * MINUTE), "2.7.14"))
        assert told(board, "flag") == []

    @pytest.mark.parametrize(("counts", "result"), [("counts", "1/2-1/2"), ("does_not_count", "0-1")])
    def test_requirement_43_whether_the_move_under_way_counts_is_the_events_choice(
        self, counts: CompletedMove, result: str
    ) -> None:
        """2.9.8: it is completed; the kazans are those after it, 81 here, or those before, 79."""
        board = playing(conduct=replace(CLASSICAL, completed_move=counts), control=parse_control("1m"))
        board.take(Rule(at_us=board.now_us, decision="set", position=BEFORE_81))
        board.show(BEFORE_81)
        board.wait(65)
        board.play(9)
        assert board.session.game.position.kazans[0] == 81
        board.take(CallFlag(at_us=board.now_us, side=B))
        (found,) = told(board, "flag")
        assert found.proposal.result == result
        assert found.proposal.articles[-1] == "2.9.8"

    @pytest.mark.parametrize(
        ("even", "code", "result"),
        [
            ("draw", "flag_draws", "1/2-1/2"),
            ("loses", "flag_loses", "0-1"),
            ("discretion", "flag_at_half", None),
        ],
    )
    def test_requirement_29_with_exactly_81_the_flag_gives_what_the_event_chose(
        self, even: EvenKazan, code: str, result: str | None
    ) -> None:
        """The regulations are silent; `000` says a draw."""
        board = playing(conduct=replace(CLASSICAL, even_kazan=even), control=parse_control("1m"))
        half = replace(BEFORE_81, kazans=(81, 58))
        board.take(Rule(at_us=board.now_us, decision="set", position=half))
        board.show(half)
        board.wait(65)
        board.take(CallFlag(at_us=board.now_us, side=B))
        found, *_ = told(board, "flag")
        assert (found.proposal.code.value, found.proposal.result) == (code, result)


class TestBeforeTheGame:
    """2.7.5, 2.7.6, 2.9.4, 2.9.5."""

    def test_requirement_41_no_complaint_about_the_set_up_after_the_start_of_blitz(self) -> None:
        """2.9.5: refused in words, and nothing changes."""
        board = playing(conduct=BLITZ)
        before = board.session.game
        step = board.take(Complain(at_us=board.now_us, side=Q))
        assert (step.refused, step.events) == ("complaint_late", ())
        assert board.session.game == before

    def test_requirement_41_a_classical_complaint_stops_the_clock_and_calls_the_arbiter(self) -> None:
        """He looks, and lets the game go on."""
        board = playing()
        board.take(Complain(at_us=board.now_us, side=Q))
        game = board.session.game
        assert (game.phase, game.suspended_reason, game.caller) == (Phase.SUSPENDED, "setup_complaint", Q)
        (found,) = told(board, "setup")
        assert (found.proposal.code.value, found.proposal.side) == ("setup_complaint_heard", Q)
        board.wait(1)
        board.take(Resume(board.now_us, by="Сәуле"))
        assert (phase(board), board.session.game.called) == (Phase.PLAYING, False)
        assert told(board, "setup") == []

    @pytest.mark.parametrize("conduct", [CLASSICAL, BLITZ])
    def test_requirement_41_before_the_start_it_is_heard_in_every_game(self, conduct: object) -> None:
        """The arbiter is called, and no clock runs yet."""
        board = assigned(conduct=conduct)  # type: ignore[arg-type] # options
        board.wait(0.5)
        step = board.take(Complain(at_us=board.now_us, side=B))
        assert [event.kind for event in step.events] == ["arbiter_called"]
        assert codes(told(board, "call")) == ["arbiter_called"]

    def test_what_the_start_waits_for_is_told(self) -> None:
        """The stones, the players, and in a classical game the arbiter's announcement (2.7.5)."""
        board = assigned(start_when_ready=False)
        assert codes(told(board, "start")) == ["start_waits_for_setup"]
        board.wait(0.5)
        assert codes(told(board, "start")) == ["start_waits_for_announcement"]
        blitz = assigned(conduct=BLITZ)
        blitz.wait(0.5)
        blitz.press(B)
        (found,) = told(blitz, "start")
        assert (found.proposal.code.value, found.proposal.side) == ("start_waits_for_players", Q)

    @pytest.mark.parametrize(("option", "score"), [("both_lose", "0-0"), ("panel", None)])
    def test_requirement_13_both_too_late_have_lost_as_the_event_chose(
        self, option: str, score: str | None
    ) -> None:
        """2.6.3: nothing is charged, and what to end the game with is proposed."""
        board = assigned(conduct=replace(CLASSICAL, both_late=option))  # type: ignore[arg-type] # one of the two
        board.wait(0.5)
        step = board.take(Late(board.now_us, None, 31 * MINUTE, "2.7.6"))
        assert (step.refused, step.events) == ("forfeit", ())
        assert [each.result for each in step.proposals] == [score]

    @pytest.mark.parametrize(
        ("option", "found"),
        [
            ("may", [("late_charged", ()), ("late_charged_and_warned", (Q,))]),
            ("always", [("late_charged_and_warned", (Q,))]),
            ("never", [("late_charged", ())]),
        ],
    )
    def test_requirement_24_what_lateness_earns_is_told_to_who_charges_it(
        self, option: LateWarning, found: list[tuple[str, tuple[Side, ...]]]
    ) -> None:
        """2.3.3: the time is taken, and the warning beside it is his to give."""
        board = assigned(conduct=replace(CLASSICAL, late_warning=option))
        board.wait(0.5)
        step = board.take(Late(board.now_us, Q, 5 * MINUTE, "2.7.6"))
        assert [event.kind for event in step.events] == ["clock_adjusted"]
        (charged,) = step.proposals
        assert [(each.code.value, each.warns) for each in (charged, *charged.alternatives)] == found

    def test_requirement_13_a_game_that_both_have_lost_stands_in_journal_and_record(self) -> None:
        """`0-0`, as text and as JSON; the protocol of the event writes `-/-` (2.6.4)."""
        board = assigned()
        board.wait(0.5)
        assert board.take(End(board.now_us, "0-0", "forfeit", by="Сәуле")).refusal == ""
        game = fold(map(event_from_json, map(event_to_json, board.events)))
        assert (game.result, game.result_reason) == ("0-0", "forfeit")
        record = record_of(board.events)
        assert parse_record(format_record(record)) == record
        assert parse_record_json(format_record_json(record)) == record
        assert format_record(record).rstrip().endswith("0-0")
        board.take(Release(board.now_us))
        assert phase(board) is Phase.RELEASED


def test_requirement_9_relief_from_writing_is_known_and_told() -> None:
    """2.3.5, 2.7.17: with five minutes left one may stop, then nobody has to; nothing of it in blitz."""
    board = playing(control=parse_control("6m"))
    assert told(board, "writing") == []
    board.wait(61)
    (one,) = told(board, "writing")
    assert (one.proposal.code.value, one.proposal.side) == ("one_may_stop_writing", B)
    board.play(7)
    board.wait(61)
    (both,) = told(board, "writing")
    assert both.proposal.code.value == "nobody_has_to_write"
    blitz = playing(conduct=BLITZ, control=parse_control("1m"))
    blitz.wait(1)
    assert told(blitz, "writing") == []
