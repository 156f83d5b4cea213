"""What hands do to stones and clock."""

from dataclasses import replace

import pytest

from rules import Side
from rules.conduct.codes import Code
from rules.conduct.handling import adjusted, lifted, moved_before_press, pressed, spilled
from rules.conduct.offences import Offence
from rules.conduct.options import BLITZ, CLASSICAL, RAPID, Conduct
from rules.conduct.proposal import ClockAction

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


@pytest.mark.parametrize(
    ("played", "code"),
    [(None, Code.TOUCH_MOVE_BINDS), (7, Code.TOUCH_MOVE_BINDS), (8, Code.BREACH_WARNS)],
)
def test_requirement_10_lifted_stones_are_played(played: int | None, code: Code) -> None:
    """1.3.4."""
    found = lifted(CLASSICAL, B, 7, played)
    assert (found.code, found.articles[0], found.side) == (code, "1.3.4", B)


@pytest.mark.parametrize("fast", [RAPID, BLITZ])
@pytest.mark.parametrize("played", [None, 7, 8])
def test_requirement_42_touch_move_is_off(fast: Conduct, played: int | None) -> None:
    """2.9.6."""
    found = lifted(fast, B, 7, played)
    assert (found.code, found.articles, found.warns) == (Code.TOUCH_MOVE_OFF, ("2.9.6",), ())


@pytest.mark.parametrize(
    ("own_turn", "announced", "with_pen", "offence"),
    [
        (True, True, True, None),
        (True, True, False, Offence.ADJUSTED_BY_HAND),
        (True, False, False, Offence.ADJUSTED_BY_HAND),
        (True, False, True, Offence.ADJUSTED_UNANNOUNCED),
        (False, True, True, Offence.ADJUSTED_OUT_OF_TURN),
    ],
)
def test_requirement_10_adjusting(
    offence: Offence | None, *, own_turn: bool, announced: bool, with_pen: bool
) -> None:
    """On one's own turn, with a pen, after saying so; all else earns a warning."""
    found = adjusted(CLASSICAL, B, own_turn=own_turn, announced=announced, with_pen=with_pen)
    assert found.articles[0] == "1.3.4"
    if offence is None:
        assert (found.code, found.warns) == (Code.NO_BREACH, ())
    else:
        assert (found.code, found.offence, found.warns) == (Code.BREACH_WARNS, offence, (B,))


def test_requirement_42_adjusting_is_free_on_ones_own_time() -> None:
    """2.9.6: not on the opponent's."""
    found = adjusted(BLITZ, Q, own_turn=True, announced=False, with_pen=False)
    assert (found.code, found.articles) == (Code.NO_BREACH, ("2.9.6",))
    other = adjusted(BLITZ, Q, own_turn=False, announced=False, with_pen=False)
    assert other.offence is Offence.ADJUSTED_OUT_OF_TURN


def test_requirement_42_spilled_stones_are_restored_on_ones_own_time() -> None:
    """2.9.7, and by analogy in a classical game."""
    found = spilled(BLITZ, Q)
    assert (found.code, found.articles) == (Code.SPILLED_RESTORES, ("2.9.7",))
    assert (found.clock, found.runs, found.warns) == (ClockAction.RUN, Q, ())
    assert spilled(CLASSICAL, Q).articles == ("2.9.7", "2.4.5")


@pytest.mark.parametrize(
    ("conduct", "late_ms", "offence"),
    [
        (CLASSICAL, 0, False),
        (CLASSICAL, 1, True),
        (RAPID, 2000, False),
        (RAPID, 2001, True),
        (BLITZ, 3000, False),
        (BLITZ, 3001, True),
        (replace(CLASSICAL, stones_in_hand_grace_ms=5000), 5000, False),
    ],
)
def test_stones_in_hand_at_the_press_have_their_grace(
    conduct: Conduct, late_ms: int, *, offence: bool
) -> None:
    """To the millisecond that the event has chosen."""
    found = pressed(conduct, B, moved=True, stones_in_hand_ms=late_ms)
    assert found.code is (Code.BREACH_WARNS if offence else Code.NO_BREACH)
    assert (found.offence, found.articles[0]) == (Offence.STONES_IN_HAND, "2.7.7")


def test_requirement_25_nobody_presses_without_a_move() -> None:
    """2.7.9."""
    found = pressed(CLASSICAL, B, moved=False, stones_in_hand_ms=0)
    assert (found.code, found.offence) == (Code.BREACH_WARNS, Offence.PRESSED_WITHOUT_MOVE)
    assert found.articles == ("2.7.9", "2.4.6")
    assert (found.clock, found.runs) == (ClockAction.RUN, B)


def test_requirement_25_a_move_waits_for_the_opponents_press() -> None:
    """2.7.17."""
    assert moved_before_press(B, opponent_pressed=True).code is Code.NO_BREACH
    found = moved_before_press(B, opponent_pressed=False)
    assert (found.code, found.articles) == (Code.BREACH_WARNS, ("2.7.17", "2.4.6"))
