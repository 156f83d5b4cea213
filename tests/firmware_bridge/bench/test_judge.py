"""Claims held against the truth."""

from __future__ import annotations

from firmware_bridge.bench.judge import Judge
from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.inputs import Note, Watch
from rules.game import MovePlayed
from rules.notation.moves import format_short
from rules.position import START, Position, Sowing, play

FIRST = play(START, 7)
OTHER = play(START, 2)
SECOND = play(FIRST.after, 3)


def claim(sowing: Sowing, confirmed_by: str = "press") -> MovePlayed:
    """Return the event of a ply."""
    text = format_short(sowing)
    return MovePlayed(
        at_us=0,
        side=sowing.side,
        number=sowing.number,
        text=text,
        confirmed_by=confirmed_by,  # type: ignore[arg-type] # one of three words
        evidence={},
    )


def judge_of(*sowings: Sowing, lying: tuple[int, ...] | None = None) -> Judge:
    """Return a judge who has seen these plies and their presses, half a second after the last stone."""
    judge = Judge(0)
    for number, sowing in enumerate(sowings, 1):
        judge.begins(sowing)
        judge.touched(number * 1_000_000 - 500_000)
        judge.pressed(number * 1_000_000, stones_due(sowing.after) if lying is None else lying)
    return judge


def claims(
    judge: Judge,
    *sowings: Sowing,
    now_us: int = 2_300_000,
    confirmed_by: str = "press",
    lying: tuple[int, ...] | None = None,
) -> None:
    """Let the session claim plies in one step; `lying` are the stones there now, as due without it."""
    after: list[Position] = [sowing.after for sowing in sowings]
    now = stones_due(after[-1]) if lying is None else lying
    judge.moves([claim(sowing, confirmed_by) for sowing in sowings], after, now_us, now)


def test_a_true_ply_is_right_and_timed_from_its_press() -> None:
    """The press is later than stone and hand."""
    judge = judge_of(FIRST)
    claims(judge, FIRST, now_us=1_300_000)
    assert judge.finish().to_sure_ms == [300]
    assert not judge.score.wrong


def test_a_knock_that_dies_away_later_than_the_press_begins_the_time() -> None:
    """Nobody can be sure of a board that rings."""
    judge = judge_of(FIRST)
    judge.disturbed_us = 1_200_000
    claims(judge, FIRST, now_us=1_300_000)
    assert judge.score.to_sure_ms == [100]


def test_another_ply_than_the_one_played_is_wrong() -> None:
    """Both boards are told, and nothing is judged after it."""
    judge = judge_of(FIRST)
    claims(judge, OTHER)
    (wrong,) = judge.score.wrong
    assert (wrong.ply, wrong.claimed, wrong.played) == (1, format_short(OTHER), format_short(FIRST))
    assert "bastaushy 2: 1/9" in wrong.detail
    assert judge.lost


def test_a_claim_before_any_hand_moved_is_wrong() -> None:
    """The board believes a ply that nobody has begun."""
    judge = Judge(0)
    claims(judge, FIRST)
    assert judge.score.wrong[0].played == "nothing yet"


def test_the_ply_due_is_wrong_when_other_stones_lie_there() -> None:
    """Whatever the record says: what lay there at the press counts."""
    lying = list(stones_due(FIRST.after))
    lying[0], lying[1] = lying[0] - 1, lying[1] + 1
    judge = judge_of(FIRST, lying=tuple(lying))
    claims(judge, FIRST)
    assert judge.score.wrong[0].detail == "bastaushy 1: 9/8, bastaushy 2: 9/10"


def test_plies_confirmed_with_the_next_are_counted() -> None:
    """Two in one step: the first came too late by itself."""
    judge = judge_of(FIRST, SECOND)
    claims(judge, FIRST, SECOND)
    score = judge.finish()
    assert (score.confirmed, score.together, score.never) == (2, 1, 0)
    assert score.to_sure_ms == [300]


def test_an_offence_that_is_asked_about_is_no_error() -> None:
    """The answer is timed from the press."""
    judge = judge_of(FIRST)
    judge.offends("neighbour", stones_due(OTHER.after), legal_too=False)
    judge.watches(Watch("differs", (Note("unsure", 4),)), 4_000_000)
    (offended,) = judge.finish().offended
    assert (offended.outcome, offended.after_ms) == ("asked", 3000)
    assert judge.score.asks[0].places == (4,)


def test_an_offence_taken_for_the_ply_due_is_wrong() -> None:
    """A legal position was reported that does not lie there."""
    judge = judge_of(FIRST)
    judge.offends("neighbour", stones_due(OTHER.after), legal_too=False)
    claims(judge, FIRST, lying=stones_due(OTHER.after))
    assert judge.score.offended[0].outcome == "claimed"
    assert judge.score.wrong[0].played == "neighbour"


def test_an_offence_that_was_asked_about_and_put_right_may_be_claimed_at_once() -> None:
    """The last stone lies right before the players have said that they are done; a wrong one may not."""
    for lying, outcome in ((stones_due(FIRST.after), "asked"), (stones_due(OTHER.after), "claimed")):
        judge = judge_of(FIRST)
        judge.offends("neighbour", stones_due(OTHER.after), legal_too=False)
        judge.watches(Watch("differs", (Note("unsure", 4),)), 4_000_000)
        claims(judge, FIRST, lying=lying)
        assert judge.score.offended[0].outcome == outcome
        assert len(judge.score.wrong) == (outcome == "claimed")
        judge.mends(stones_due(FIRST.after))
        assert judge.score.offended[0].mended is (outcome == "asked")


def test_an_offence_that_ends_on_a_legal_board_is_reported_apart() -> None:
    """The stones are those of the ply claimed, so no weight can tell."""
    judge = judge_of(FIRST)
    judge.offends("first_not_left", stones_due(OTHER.after), legal_too=True)
    claims(judge, OTHER)
    assert judge.score.offended[0].outcome == "claimed"
    assert not judge.score.wrong


def test_an_ask_ends_with_what_ended_it() -> None:
    """By itself, or by an arbiter."""
    judge = judge_of(FIRST, SECOND)
    judge.watches(Watch("differs", (Note("unsure", 4),)), 4_000_000)
    claims(judge, FIRST, now_us=5_000_000)
    judge.overdue(9_000_000)
    claims(judge, SECOND, now_us=10_000_000, confirmed_by="arbiter")
    score = judge.finish()
    assert [(ask.reason, ask.ended) for ask in score.asks] == [("unsure", "confirmed"), ("silent", "entered")]
    assert (score.confirmed, score.entered) == (1, 1)


def test_a_place_that_cannot_be_read_for_a_moment_is_no_question() -> None:
    """Only what holds a ply up is."""
    judge = judge_of(FIRST)
    unread = Watch("unreadable", (Note("unreadable", 4),))
    judge.watches(unread, 2_000_000)
    assert not judge.score.asks
    judge.watches(unread, 4_000_001)
    assert judge.score.asks[0].reason == "unreadable"
