"""What the next pairing goes by: provisional draws, and who is left out (2.5.6, 2.3.13)."""

from __future__ import annotations

import pytest

from rules.conduct.proposal import Score
from rules.tournament.rounds import EventGame, Standing, for_pairing, left_out, missed


def game(number: int, score: Score | None, *, postponed: bool = False, forfeited: bool = False) -> EventGame:
    """Return a game between Айдос and Әсел."""
    return EventGame(
        round_number=number,
        players=("Айдос", "Әсел"),
        score=score,
        postponed=postponed,
        forfeited=forfeited,
    )


def test_requirement_37_a_postponed_game_counts_as_a_draw_for_the_next_pairing() -> None:
    """And the list says how much of it is provisional (2.5.6)."""
    games = [game(1, "1-0"), game(2, None, postponed=True)]
    assert for_pairing(games, 3) == (
        Standing(name="Айдос", points=1.5, provisional=0.5),
        Standing(name="Әсел", points=0.5, provisional=0.5),
    )


def test_requirement_37_its_result_counts_as_soon_as_there_is_one() -> None:
    """Nothing provisional is left."""
    assert for_pairing([game(1, "0-1", postponed=True)], 2) == (
        Standing(name="Әсел", points=1.0),
        Standing(name="Айдос", points=0.0),
    )


def test_a_game_that_goes_on_counts_nothing_and_is_told() -> None:
    """Who is paired before it has ended sees that it is open; later rounds do not count."""
    games = [game(1, None), game(2, "1-0"), game(0, "1-0")]
    assert for_pairing(games, 2, ["Болат"]) == (
        Standing(name="Айдос", points=0.0, open=1),
        Standing(name="Әсел", points=0.0, open=1),
        Standing(name="Болат", points=0.0),
    )


@pytest.mark.parametrize(
    ("score", "points"),
    [("1-0", (1.0, 0.0)), ("1/2-1/2", (0.5, 0.5)), ("+/-", (1.0, 0.0)), ("-/-", (0.0, 0.0))],
)
def test_what_each_score_gives(score: Score, points: tuple[float, float]) -> None:
    """2.6.2 and 2.6.4."""
    found = {each.name: each.points for each in for_pairing([game(1, score)], 2)}
    assert (found["Айдос"], found["Әсел"]) == points


def test_requirement_49_who_was_absent_has_missed_the_round() -> None:
    """A minus says so, or a loss by forfeit as a board writes it; a reason excuses (2.3.13)."""
    games = [game(1, "+/-"), game(2, "1-0", forfeited=True), game(3, "-/-"), game(4, "1-0"), game(5, None)]
    assert missed(games) == {"Әсел": (1, 2, 3), "Айдос": (3,)}
    assert missed(games, {("Әсел", 1), ("Айдос", 3)}) == {"Әсел": (2, 3)}


def test_who_both_lost_by_a_ruling_have_not_missed_the_round() -> None:
    """Two phones rang: a board's `0-0` is written `-/-`, and its reason is the arbiter."""
    both = EventGame(round_number=1, players=("Айдос", "Әсел"), score="-/-", ruled=True)
    assert missed([both]) == {}


def test_requirement_49_two_missed_rounds_leave_out_of_the_next_pairing() -> None:
    """Wherever they are; only rounds before the one that is paired count."""
    assert left_out((1, 4), 5)
    assert not left_out((1, 4), 4)
    assert not left_out((3,), 5)


def test_requirement_49_whether_they_follow_each_other_is_an_option() -> None:
    """The regulations do not say."""
    assert not left_out((1, 3), 5, "running")
    assert left_out((1, 3, 4), 5, "running")
