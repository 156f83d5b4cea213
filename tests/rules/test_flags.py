"""What a fallen flag gives."""

from itertools import product

import pytest

from rules import EvenKazan, FlagOutcome, FlagVerdict, Result, Side, flag_verdict

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
LOSES, WINS, DRAW, DISCRETION = FlagOutcome
BOTH = (True, True)


def told(*arguments: object, **options: object) -> tuple[object, ...]:
    """Return a verdict as outcome, side and result."""
    verdict = flag_verdict(*arguments, **options)  # type: ignore[arg-type] # the cases hold what it takes
    assert verdict is not None
    return verdict.outcome, verdict.side, verdict.result


@pytest.mark.parametrize(
    ("kazan", "outcome", "result", "articles"),
    [
        (0, LOSES, "0-1", ("2.7.12", "2.6.3")),
        (80, LOSES, "0-1", ("2.7.12", "2.6.3")),
        (81, DRAW, "1/2-1/2", ("000",)),
        (82, WINS, "1-0", ("2.6.7", "1.3.5")),
        (162, WINS, "1-0", ("2.6.7", "1.3.5")),
    ],
)
def test_the_kazan_of_who_overstepped_decides(
    kazan: int, outcome: FlagOutcome, result: Result, articles: tuple[str, ...]
) -> None:
    """Requirement 29: below 81 lost (2.7.12), 82 and up won (2.6.7), between them silent."""
    verdict = flag_verdict((kazan, 0), (True, False))
    assert verdict is not None
    assert (verdict.outcome, verdict.side, verdict.result, verdict.articles) == (outcome, B, result, articles)
    mirrored = flag_verdict((0, kazan), (False, True))
    assert mirrored is not None
    turned = {"0-1": "1-0", "1-0": "0-1"}.get(result, result)
    assert (mirrored.outcome, mirrored.side, mirrored.result) == (outcome, Q, turned)


def test_no_flag_gives_nothing() -> None:
    """Whatever lies in the kazans."""
    assert flag_verdict((82, 0), (False, False)) is None


@pytest.mark.parametrize(
    ("even", "expected"),
    [
        ("draw", (DRAW, B, "1/2-1/2")),
        ("loses", (LOSES, B, "0-1")),
        ("discretion", (DISCRETION, B, None)),
    ],
)
def test_exactly_half_is_the_events_choice(even: EvenKazan, expected: tuple[object, ...]) -> None:
    """The regulations are silent there: only `000` speaks of a draw, and no article of another choice."""
    assert told((81, 40), (True, False), even=even) == expected
    verdict = flag_verdict((81, 40), (True, False), even=even)
    assert verdict is not None
    assert verdict.articles == (("000",) if even == "draw" else ())


@pytest.mark.parametrize("even", ["draw", "loses", "discretion"])
def test_a_game_of_equal_halves_is_drawn_whatever_the_flags_say(even: EvenKazan) -> None:
    """2.6.5: no stone is left, so there is nothing for the event to choose and no order to know."""
    for flags in ((True, False), (False, True), BOTH):
        verdict = flag_verdict((81, 81), flags, even=even)
        assert verdict is not None
        assert (verdict.outcome, verdict.result, verdict.articles) == (DRAW, "1/2-1/2", ("2.6.5",))
    assert told((81, 81), (False, True), even=even) == (DRAW, Q, "1/2-1/2")
    assert told((81, 81), BOTH, first=Q, even=even) == (DRAW, Q, "1/2-1/2")
    assert told((81, 81), BOTH, even=even) == (DRAW, None, "1/2-1/2")


def test_a_flag_of_who_has_lost_already_changes_nothing() -> None:
    """1.3.5: the other's 82 have ended the game."""
    verdict = flag_verdict((10, 82), (True, False))
    assert verdict == FlagVerdict(LOSES, B, "0-1", ("1.3.5",))
    assert told((82, 10), BOTH) == (WINS, B, "1-0")
    assert told((10, 82), BOTH, first=B) == (WINS, Q, "0-1")


def test_of_both_flags_the_first_decides() -> None:
    """An electronic clock knows the order (requirement 30)."""
    assert told((40, 50), BOTH, first=B) == (LOSES, B, "0-1")
    assert told((40, 50), BOTH, first=Q) == (LOSES, Q, "1-0")
    assert told((40, 81), BOTH, first=Q) == (DRAW, Q, "1/2-1/2")


def test_where_nobody_knows_the_order_the_arbiter_decides() -> None:
    """2.7.14: he may give both five minutes."""
    verdict = flag_verdict((40, 50), BOTH)
    assert verdict is not None
    assert (verdict.outcome, verdict.side, verdict.result, verdict.articles) == (
        DISCRETION,
        None,
        None,
        ("2.7.14",),
    )


def test_nobody_is_given_a_win_by_a_flag_without_the_stones_or_the_others_fault() -> None:
    """Over all pairs of kazans: a result never favours the only one who overstepped below 82."""
    for first, second in product(range(0, 163, 9), repeat=2):
        if first + second > 162:
            continue
        verdict = flag_verdict((first, second), (True, False))
        assert verdict is not None
        assert (verdict.result == "1-0") == (first >= 82)
