"""What is forbidden, and what follows by the article."""

import re

import pytest

from rules import Side
from rules.conduct.codes import Code
from rules.conduct.offences import Offence, articles_of, breach
from rules.conduct.proposal import Decider

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


@pytest.mark.parametrize("offence", Offence)
def test_requirement_48_every_offence_names_its_articles(offence: Offence) -> None:
    """And a proposal about it rests on them."""
    articles = articles_of(offence)
    assert articles
    assert all(re.fullmatch(r"[12]\.\d+\.\d+", article) for article in articles)
    found = breach(offence, Q)
    assert found.articles[: len(articles)] == articles
    assert (found.offence, found.side, found.decider) == (offence, Q, Decider.ARBITER)


@pytest.mark.parametrize("offence", [each for each in Offence if each is not Offence.PHONE])
def test_what_is_forbidden_without_a_penalty_earns_a_warning(offence: Offence) -> None:
    """2.4.6, and no score."""
    found = breach(offence, B)
    assert (found.code, found.warns, found.score) == (Code.BREACH_WARNS, (B,), None)
    assert found.articles[-1] == "2.4.6"


@pytest.mark.parametrize(
    ("offence", "article"),
    [
        (Offence.BROUGHT_MORE_THAN_A_PEN, "2.3.4"),
        (Offence.USED_NOTES, "2.3.8"),
        (Offence.TOOK_ADVICE, "2.3.8"),
        (Offence.ANALYSED, "2.3.8"),
        (Offence.DISTURBED, "2.3.9"),
        (Offence.ROSE_OUT_OF_TURN, "2.3.7"),
        (Offence.BOTH_LEFT, "2.3.7"),
        (Offence.WATCHED_TOO_EARLY, "2.3.7"),
        (Offence.STRUCK_THE_CLOCK, "2.7.7"),
        (Offence.PRESSED_WITH_OTHER_HAND, "2.7.8"),
        (Offence.STONES_IN_TUZDYK, "1.4.4"),
        (Offence.DREW_ON_SHEET, "2.3.6"),
        (Offence.SHEET_HIDDEN, "1.6.4"),
    ],
)
def test_requirements_8_10_25_and_48_stand_in_these_articles(offence: Offence, article: str) -> None:
    """As the regulations number them."""
    assert article in articles_of(offence)
