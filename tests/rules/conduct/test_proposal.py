"""What every answer of the law of conduct is made of."""

import re
from pathlib import Path

import pytest

import rules.conduct
from rules import Side
from rules.conduct.codes import Code
from rules.conduct.proposal import ClockAction, Decider, Proposal, Score, Speaker, for_side, lost_by
from rules.position import won_by
from rules.record.model import REASONS

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


def test_codes_are_stable_keys_of_texts() -> None:
    """Lower snake case, each the name of its member."""
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", code.value) for code in Code)
    assert [code.value for code in Code] == [code.name.lower() for code in Code]


def test_every_code_can_be_proposed() -> None:
    """None is left over from what was proposed once."""
    room = Path(rules.conduct.__file__).parent
    source = "\n".join(path.read_text() for path in room.glob("*.py") if path.name != "codes.py")
    assert [code.name for code in Code if f"Code.{code.name}" not in re.findall(r"Code\.\w+", source)] == []


def test_a_proposal_changes_nothing_by_itself() -> None:
    """Unless it says so, the clock is kept, nobody is warned, nothing is scored, the arbiter decides."""
    plain = Proposal(code=Code.NO_DRAW_OFFER, articles=())
    assert (plain.decider, plain.score, plain.warns, plain.adds_us) == (Decider.ARBITER, None, (), (0, 0))
    assert (plain.clock, plain.runs, plain.alternatives) == (ClockAction.KEEP, None, ())


@pytest.mark.parametrize(
    ("code", "score", "result", "reason"),
    [
        (Code.NO_DRAW_OFFER, None, None, None),
        (Code.RESIGNED, "0-1", "0-1", "resignation"),
        (Code.DRAW_AGREED, "1/2-1/2", "1/2-1/2", "agreement"),
        (Code.FLAG_WINS, "1-0", "1-0", "flag"),
        (Code.LATE_LOSES, "+/-", "1-0", "forfeit"),
        (Code.LATE_LOSES, "-/+", "0-1", "forfeit"),
        (Code.BOTH_LATE, "-/-", "0-0", "forfeit"),
        (Code.BREACH_LOSES, "0-1", "0-1", "arbiter"),
    ],
)
def test_a_score_is_told_as_games_and_records_keep_it(
    code: Code, score: Score | None, result: str | None, reason: str | None
) -> None:
    """Plus and minus are a win and a loss; two minuses are two losses."""
    found = Proposal(code=code, articles=(), score=score)
    assert (found.result, found.reason) == (result, reason)


def test_every_reason_is_one_that_records_know() -> None:
    """So that what is confirmed can be written down."""
    reasons = {Proposal(code=code, articles=(), score="1-0").reason for code in Code}
    assert reasons <= set(REASONS)


@pytest.mark.parametrize(
    ("speaker", "side"),
    [
        (Speaker.BASTAUSHY, B),
        (Speaker.QOSTAUSHY, Q),
        (Speaker.ARBITER, None),
        (Speaker.BOARD, None),
        (Speaker.OTHER, None),
    ],
)
def test_a_speaker_is_a_player_or_not(speaker: Speaker, side: Side | None) -> None:
    """Only two of those who speak at a board play there."""
    assert speaker.side is side


def test_scores_and_pairs_are_for_a_side() -> None:
    """Bastaushy's comes first."""
    assert [won_by(B), won_by(Q), lost_by(B), lost_by(Q)] == ["1-0", "0-1", "0-1", "1-0"]
    assert [for_side(B, 5), for_side(Q, 5)] == [(5, 0), (0, 5)]
