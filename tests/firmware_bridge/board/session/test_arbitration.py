"""Rulings at a table: position and dials change in one step, and the board is watched from there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.board.counting.lots import rearranged, stones_due
from firmware_bridge.board.incident_inputs import (
    Adjourn,
    AnswerCall,
    AnswerDraw,
    Call,
    CallFlag,
    Close,
    OfferDraw,
    Rule,
    Unseal,
    Warn,
)
from firmware_bridge.board.inputs import End, Enter, Resume, Suspend
from rules.conduct.options import CLASSICAL, BadSealedMove, Conduct
from rules.conduct.sealing import seal
from rules.game import (
    Decision,
    FlagCalled,
    GameAdjourned,
    GameEnded,
    InfractionSeen,
    Phase,
    PlayerWarned,
    PositionRuled,
    SealOpened,
    advance,
    event_from_json,
    event_to_json,
    fold,
)
from rules.position import START, Position, Result, Side, play
from rules.record.of_game import record_of
from tests.firmware_bridge.board.paper import PaperBoard, moves, playing, sensed

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
SALT = bytes(range(16))
SEAL = seal("9-8", SALT)


def missown(board: PaperBoard) -> Position:
    """Let bastaushy play pit 7, with one stone in the wrong pit, and press; return what lies there."""
    after = play(board.session.game.position, 7).after
    pits = list(after.pits)
    pits[10], pits[11] = pits[10] + 1, pits[11] - 1
    lies = replace(after, pits=tuple(pits))
    board.show(lies)
    board.wait(1)
    board.press(B)
    board.wait(5)
    assert moves(board) == []
    assert sensed(board) == "differs"
    return lies


def rule(board: PaperBoard, **told: object) -> PositionRuled:
    """Give a ruling and return its event."""
    step = board.take(Rule(at_us=board.now_us, by="Сәуле", reason="94", **told))  # type: ignore[arg-type]
    assert step.refusal == ""
    return next(event for event in step.events if isinstance(event, PositionRuled))


class TestAnIllegalSowing:
    """Lies on the board, pressed; the arbiter decides."""

    def test_stands(self) -> None:
        """The game goes on from what is seen, and later moves are read from there."""
        board = playing()
        lies = missown(board)
        ruled = rule(board, decision="stands", number=7)
        assert ruled.position == lies
        board.wait(1)
        assert sensed(board) == "matches"
        board.play(5)
        assert board.session.game.plies[0].text == "7/"
        assert len(board.session.game.plies) == 2
        assert board.session.game.position == play(lies, 5).after

    def test_is_restored_on_the_offenders_time(self) -> None:
        """His dial runs while he puts it back; then he plays anew."""
        board = playing()
        missown(board)
        rule(board, decision="restored")
        clock = board.session.game.clock
        assert clock is not None
        assert clock.running is B
        board.wait(1)
        assert sensed(board) != "matches"
        board.show(START)
        board.wait(1)
        assert sensed(board) == "matches"
        board.play(9)
        assert [ply.number for ply in board.session.game.plies] == [9]

    def test_is_corrected(self) -> None:
        """The due position holds, and the board is awaited to show it."""
        board = playing()
        missown(board)
        ruled = rule(board, decision="corrected", number=7, dials_us=(None, 700_000_000))
        assert ruled.position == play(START, 7).after
        assert ruled.remaining_us[1] == 700_000_000
        board.show(ruled.position)
        board.wait(1)
        assert sensed(board) == "matches"
        board.play(9)
        assert board.session.game.plies[0].text == "7:6"

    def test_cannot_stand_with_a_stone_missing(self) -> None:
        """There are 162; nothing changes."""
        board = playing()
        stones = list(stones_due(play(START, 7).after))
        stones[3] -= 1
        board.put(stones)
        board.wait(1)
        board.press(B)
        board.wait(2)
        before = board.session.game
        step = board.take(Rule(at_us=board.now_us, decision="stands", number=7))
        assert "161" in step.refusal
        assert board.session.game == before

    def test_what_follows_is_one_journal(self) -> None:
        """The fold of what was decided is the game."""
        board = playing()
        missown(board)
        rule(board, decision="stands", number=7)
        board.wait(1)
        board.play(5)
        assert fold(board.events) == board.session.game


class TestPlies:
    """Already final, and wrong all the same."""

    def test_are_taken_back(self) -> None:
        """The board is awaited to show what lay there before."""
        board = playing()
        board.play(7)
        board.play(9)
        ruled = rule(board, decision="taken_back", take_back=2)
        assert (ruled.position, board.session.game.plies) == (START, ())
        board.show(START)
        board.wait(1)
        assert sensed(board) == "matches"
        board.play(3)
        assert [ply.number for ply in board.session.game.plies] == [3]

    @pytest.mark.parametrize("decision", ["taken_back", "restored", "set", "stands", "corrected"])
    @pytest.mark.parametrize("more", [1, 30])
    def test_no_more_than_there_are(self, decision: Decision, more: int) -> None:
        """The refusal says how many, whatever is decided."""
        board = playing()
        board.play(7)
        position = replace(START, to_move=Q) if decision in ("set", "stands") else None
        told = Rule(at_us=board.now_us, decision=decision, take_back=1 + more, position=position)
        step = board.take(told)
        assert (step.refused, step.events) == ("illegal", ())
        assert step.refusal == f"{1 + more} plies cannot be taken back: 1 have been played"
        empty = playing()
        assert empty.take(replace(told, take_back=more)).refused == "illegal"

    def test_any_position_can_be_set(self) -> None:
        """And when the game is over in it, it is over."""
        board = playing()
        position = Position((0,) * 17 + (8,), (82, 72), (None, None), Q)
        step = board.take(Rule(at_us=board.now_us, decision="set", position=position, by="Сәуле"))
        assert [type(event) for event in step.events] == [PositionRuled, GameEnded]
        assert board.session.game.phase is Phase.ENDED

    def test_a_board_that_showed_the_position_before_a_ruling_is_looked_at_again(self) -> None:
        """Nothing goes on because of what was seen before it."""
        board = playing()
        board.play(7)
        board.take(Suspend(board.now_us, "arbiter"))
        board.wait(1)
        assert sensed(board) == "matches"
        rule(board, decision="taken_back", take_back=1)
        assert board.take(Resume(board.now_us)).refused == "not_matching"
        board.show(START)
        board.wait(1)
        assert board.take(Resume(board.now_us)).refusal == ""

    def test_a_refused_ruling_leaves_the_watcher_alone(self) -> None:
        """The board is still counted from what was confirmed."""
        board = playing()
        board.play(7)
        belief = board.session.belief
        step = board.take(Rule(at_us=board.now_us, decision="restored", position=START))
        assert step.refusal
        assert board.session.belief == belief


class TestRearranged:
    """What hands do that sow nothing."""

    def test_every_stone_that_left_arrives(self) -> None:
        """The parts of each lot add up to what lay there."""
        change = rearranged(START, play(play(START, 7).after, 9).after)
        for lot in change.lots:
            assert sum(part for _, part in lot.parts) == pytest.approx(lot.stones)
        assert {lot.source for lot in change.lots} == {
            place
            for place, (old, now) in enumerate(zip(change.before, change.after, strict=True))
            if now < old
        }

    def test_nothing_moved_is_no_change(self) -> None:
        """As when a position is restored before a stone was put back."""
        assert rearranged(START, START).lots == ()


class TestWordsAtTheTable:
    """Offers, calls, warnings and flags go through the table like any command."""

    def test_an_accepted_draw_ends_the_game(self) -> None:
        """2.6.6."""
        board = playing()
        board.take(OfferDraw(at_us=board.now_us, side=B, heard=True))
        board.take(AnswerDraw(at_us=board.now_us, side=Q, accepted=True))
        assert (board.session.game.result, board.session.game.result_reason) == ("1/2-1/2", "agreement")

    def test_a_declined_one_does_not(self) -> None:
        """The game goes on."""
        board = playing()
        board.take(OfferDraw(at_us=board.now_us, side=B, heard=True))
        board.take(AnswerDraw(at_us=board.now_us, side=Q, accepted=False))
        assert board.session.game.phase is Phase.PLAYING
        step = board.take(AnswerDraw(at_us=board.now_us, side=Q, accepted=True))
        assert "no draw that waits" in step.refusal

    def test_a_warning_is_written_down(self) -> None:
        """With its article and who gave it."""
        board = playing()
        told = Warn(at_us=board.now_us, side=Q, level=1, article="1.3.4", by="Сәуле", reason="қолмен")
        step = board.take(told)
        assert step.events == (
            PlayerWarned(at_us=told.at_us, side=Q, level=1, article="1.3.4", by="Сәуле", reason="қолмен"),
        )

    def test_a_call_is_answered(self) -> None:
        """2.7.15."""
        board = playing()
        board.take(Call(at_us=board.now_us, side=B))
        assert board.session.game.called
        board.take(AnswerCall(at_us=board.now_us, by="Сәуле"))
        assert not board.session.game.called

    def test_a_fallen_flag_is_called(self) -> None:
        """2.9.9."""
        board = playing()
        board.wait(620)
        step = board.take(CallFlag(at_us=board.now_us, side=B, by="qostaushy"))
        assert [type(event) for event in step.events] == [FlagCalled]
        assert board.session.game.flags_called == (True, False)

    def test_an_infraction_is_closed(self) -> None:
        """By whoever decides it."""
        board = playing()
        seen = InfractionSeen(at_us=board.now_us, infraction=1, side=B, faults=("touch_move",))
        board.session.game = advance(board.session.game, seen)
        board.take(Close(at_us=board.now_us, infraction=1, closing="dismissed", by="Сәуле"))
        assert board.session.game.open_incidents == ()


class TestAdjourned:
    """2.8."""

    def sealed(self, commitment: str = SEAL, conduct: Conduct = CLASSICAL) -> PaperBoard:
        """Return a board whose game was adjourned after a ply."""
        board = playing(conduct=conduct)
        board.play(7)
        board.take(Suspend(board.now_us, "2.8.1"))
        board.wait(1)
        board.take(Adjourn(at_us=board.now_us, seal=commitment, by="Сәуле", reason="2.8.1"))
        return board

    def test_requirement_35_position_number_and_times_stand_before_the_sealed_move(self) -> None:
        """2.8.3: with both names, who sealed and why, in the journal alone."""
        board = self.sealed()
        game = fold(board.events)
        assert game.seal == SEAL
        assert (game.position, len(game.plies)) == (play(START, 7).after, 1)
        assert game.names == board.session.game.names != ("", "")
        assert game.clock is not None
        assert (game.clock.running, game.suspended_running) == (None, Q)
        shown_us = game.clock.remaining_us
        board.wait(30)
        assert board.session.game.clock == game.clock, "nobody's time runs"
        assert all(0 < dial_us < 605_000_000 for dial_us in shown_us)
        adjourned = board.events[-1]
        assert isinstance(adjourned, GameAdjourned)
        assert (adjourned.by, adjourned.reason) == ("Сәуле", "2.8.1")

    def test_it_is_resumed_when_the_seal_is_opened(self) -> None:
        """Not before."""
        board = self.sealed()
        assert "has not been opened" in board.take(Resume(board.now_us)).refusal
        board.take(Unseal(at_us=board.now_us, text="9-8", salt=SALT.hex(), by="Сәуле"))
        assert board.session.game.sealed_number == 9
        assert board.take(Resume(board.now_us)).refusal == ""

    def test_the_position_of_a_sealed_move_stays_until_it_is_opened(self) -> None:
        """The seal would be opened by another player, or in another position (2.8.2)."""
        board = self.sealed()
        before = board.session.game
        for command in (
            Rule(at_us=board.now_us, decision="taken_back", take_back=1),
            Enter(board.now_us, ("9-8",)),
        ):
            step = board.take(command)
            assert (step.refused, step.events) == ("sealed", ())
            assert step.refusal == "the sealed move has not been opened: open it first"
        assert board.session.game == before

    def test_what_is_no_move_is_left_to_the_panel(self) -> None:
        """2.8.4 is silent."""
        board = self.sealed(seal("9:1", SALT))
        board.take(Unseal(at_us=board.now_us, text="9:1", salt=SALT.hex(), by="Сәуле"))
        game = board.session.game
        assert (game.seal, game.sealed_number) == (None, None)
        assert [each.faults for each in game.open_incidents] == [("sealed_move_bad",)]

    def test_requirement_35_what_is_opened_is_what_was_sealed(self) -> None:
        """Another text or salt is refused and changes nothing; the arbiter may overrule it, with a reason."""
        board = self.sealed()
        before = board.session.game
        for text, salt in (("8:7", SALT), ("9-8", SALT[::-1])):
            step = board.take(Unseal(at_us=board.now_us, text=text, salt=salt.hex(), by="Сәуле"))
            assert (step.refused, step.events) == ("seal_broken", ())
            assert "look at the envelope again" in step.refusal
        assert board.take(Unseal(at_us=board.now_us, text="9-8")).refused == "illegal", "no salt hides a move"
        assert board.session.game == before
        board.take(Unseal(at_us=board.now_us, text="9-8", by="Сәуле", reason="the salt was lost"))
        (opened,) = [event for event in board.events if isinstance(event, SealOpened)]
        assert (opened.number, opened.reason, opened.salt) == (9, "the salt was lost", "")
        assert fold(map(event_from_json, map(event_to_json, board.events))) == board.session.game

    def test_requirement_35_whoever_has_the_journal_can_make_the_commitment_again(self) -> None:
        """Text and salt stand in it."""
        board = self.sealed()
        board.take(Unseal(at_us=board.now_us, text="9-8", salt=SALT.hex(), by="Сәуле"))
        (opened,) = [event for event in board.events if isinstance(event, SealOpened)]
        assert seal(opened.text, bytes.fromhex(opened.salt)) == SEAL
        assert opened.reason == ""

    @pytest.mark.parametrize(("played", "named"), [(9, False), (8, True)])
    def test_requirement_36_the_sealed_move_is_compulsory(self, played: int, *, named: bool) -> None:
        """2.8.4: another one is named, and taken back by what is proposed."""
        board = self.sealed()
        board.take(Unseal(at_us=board.now_us, text="9-8", salt=SALT.hex(), by="Сәуле"))
        board.wait(0.5)
        board.take(Resume(board.now_us))
        (bound,) = board.session.advice(board.now_us)
        assert (bound.about, bound.proposal.code.value, bound.proposal.side) == (
            "seal",
            "sealed_move_binds",
            Q,
        )
        board.play(played)
        game = board.session.game
        assert (len(game.plies), game.sealed_number) == (2, None)
        assert [each.faults for each in game.open_incidents] == [("sealed_move_not_played",)] * named
        told = [
            (each.proposal.code.value, each.proposal.articles) for each in board.session.advice(board.now_us)
        ]
        assert told == [("sealed_move_not_played", ("2.8.4",))] * named
        board.play(1)
        assert len(board.session.game.open_incidents) == named, "no stones put it right"

    @pytest.mark.parametrize(("option", "score"), [("panel", None), ("loses", "1-0")])
    def test_requirement_36_a_bad_sealed_move_gives_what_the_event_chose(
        self, option: BadSealedMove, score: str | None
    ) -> None:
        """Silent: the panel decides, or it loses the game."""
        board = self.sealed(seal("9:1", SALT), replace(CLASSICAL, bad_sealed_move=option))
        board.take(Unseal(at_us=board.now_us, text="9:1", salt=SALT.hex(), by="Сәуле"))
        (found,) = board.session.advice(board.now_us)
        assert (found.about, found.proposal.result) == ("infraction", score)
        assert (found.proposal.decider.value, found.proposal.side) == ("panel", Q)

    def test_a_game_that_runs_cannot_be_adjourned(self) -> None:
        """The clocks are stopped first (2.8.3)."""
        board = playing()
        assert board.take(Adjourn(at_us=board.now_us, seal=SEAL)).refused == "phase"


def test_who_decided_is_in_the_event() -> None:
    """Of every ruling."""
    board = playing()
    step = board.take(End(board.now_us, "1-0", "resignation", by="Сәуле"))
    assert isinstance(step.events[-1], GameEnded)
    assert step.events[-1].by == "Сәуле"


@pytest.mark.parametrize(
    ("score", "reason"),
    [("1-0", "resignation"), ("0-1", "refused to go on (2.6.3)"), ("1-0", "2.3.10"), ("0-1", "2.4.7")],
)
def test_requirements_13_20_and_47_an_end_the_arbiter_gives_is_recorded_with_its_reason(
    score: Result, reason: str
) -> None:
    """Resignation, refusal, a phone, a loss by the panel: in the game, and in its record."""
    board = playing()
    board.play(7)
    assert board.take(End(board.now_us, score, reason, by="Сәуле")).refusal == ""
    record = record_of(board.events)
    assert (record.result, record.reason, len(record.plies)) == (score, reason, 1)
