"""What is learned of beams, and which of them is broken."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board.counting.beams import LEAST, MOST, UNLEARNED, BeamBelief
from firmware_bridge.board.counting.passages import falls_of
from firmware_bridge.emulator.records import bundled_record
from sensors.simulator.profile import NOMINAL
from tests.firmware_bridge.board.hands.falling import pulses_of

SOWINGS = bundled_record("2009").sowings[:60]
PLACE = 3


def after_a_game(spoil: str = "", plies: int = 60) -> BeamBelief:
    """Return what is known after plies of which one place's beam was spoilt."""
    rng, known = Random(3), UNLEARNED
    for ply in SOWINGS[:plies]:
        pulses: list[int | None] = [*pulses_of(ply, rng, NOMINAL)]
        count = pulses[PLACE] or 0
        pulses[PLACE] = {"": count, "blind": 0, "doubling": 2 * count, "restless": count + 4}[spoil]
        known = known.learned(pulses, falls_of(ply))
    return known


def test_sound_beams_are_believed_and_their_rates_stay_within_bounds() -> None:
    """A game of beams that miss one stone in fifty names none of them."""
    known = after_a_game()
    assert known.broken == ()
    for name in ("missed", "doubled", "hands"):
        assert getattr(LEAST, name) <= getattr(known.rates, name) <= getattr(MOST, name)


@pytest.mark.parametrize("how", ["blind", "doubling", "restless"])
def test_each_way_of_being_broken_has_its_name(how: str) -> None:
    """And the beam's pulses are no longer believed, nor learned from."""
    known = after_a_game(how, plies=30)
    assert known.broken == ((PLACE, f"beam_{how}"),)
    passed = known.believed([0] * 20)
    assert [place for place, pulses in enumerate(passed.pulses) if pulses is None] == [PLACE]


def test_one_muddled_ply_breaks_no_beam() -> None:
    """A stone picked up and laid down five times is a player's doing."""
    pulses: list[int | None] = [*pulses_of(SOWINGS[0], Random(1))]
    pulses[PLACE] = 9
    assert UNLEARNED.learned(pulses, falls_of(SOWINGS[0])).broken == ()


def test_a_mended_beam_is_believed_again() -> None:
    """Some plies of right pulses are enough."""
    known, rng = after_a_game("blind", plies=30), Random(4)
    for ply in SOWINGS[30:]:
        known = known.learned(pulses_of(ply, rng, NOMINAL), falls_of(ply))
    assert known.broken == ()


def test_what_a_journal_keeps_of_the_beams_gives_the_same_again() -> None:
    """So a program started again decides as the one before."""
    known = after_a_game("doubling")
    assert known != UNLEARNED
    assert BeamBelief.from_json(known.to_json()) == known


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
NUMBERS = st.integers() | st.integers(-1, 25) | st.floats()
NAMES = st.sampled_from(["beam_blind", "beam_lost"]) | st.text(max_size=8)
NEARLY = st.fixed_dictionaries(
    {
        "rates": JSON | st.lists(NUMBERS, min_size=3, max_size=3),
        "doubts": JSON | st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), max_size=2),
        "broken": JSON | st.lists(st.tuples(NUMBERS, NAMES), max_size=2),
    }
)


@given(kept=JSON | NEARLY)
def test_whatever_a_journal_holds_is_read_or_refused_by_name(kept: Any) -> None:
    """A journal written by hand must not end a board at its start with a traceback."""
    try:
        known = BeamBelief.from_json(kept)
    except (KeyError, TypeError, ValueError):
        return
    assert BeamBelief.from_json(known.to_json()) == known


KEPT: dict[str, Any] = {"rates": [0.02, 0.02, 0.05], "doubts": [], "broken": []}


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"doubts": [[0, 25, 1.0]]}, "25 names no place: 0 to 19"),
        ({"doubts": [[0, -1, 1.0]]}, "-1 names no place"),
        ({"doubts": [[3, 1, 1.0]]}, "3 names no way to be broken"),
        ({"doubts": [[0, 1, float("nan")]]}, "nan is no finite number"),
        ({"broken": [[25, "beam_blind"]]}, "25 names no place"),
        ({"broken": [[2, "beam_lost"]]}, "'beam_lost' is no way to be broken: beam_blind"),
    ],
)
def test_what_names_no_place_and_no_way_to_be_broken_is_refused(told: dict[str, Any], why: str) -> None:
    """It says which value it was."""
    assert BeamBelief.from_json(KEPT) == UNLEARNED
    with pytest.raises(ValueError, match=why):
        BeamBelief.from_json(KEPT | told)
