"""Claims about boards and ends, and what two of them have in common."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import Position, Result, SheetDiagram, Side, outcome
from rules.packed import pack
from rules.sheets.facts import Drawn, Final, cells_of, drawn_of, tuzdyks_drawn, tuzdyks_of
from rules.sheets.written import counts_of
from tests.rules.boards import played_positions
from tests.rules.sheets.made import DIAGRAMS_2009, drawn

ANY = Final(None, (None, None))


@given(played_positions(), st.sets(st.integers(0, 17)), st.sets(st.integers(0, 17)))
def test_two_drawings_of_one_board_join_and_fit_it(
    position: Position, first: set[int], second: set[int]
) -> None:
    """Whatever of each cannot be read; what is certain in one is certain in both."""
    whole = drawn(position, 0)
    packed = pack(position)
    one, other = (
        drawn_of(
            SheetDiagram(
                0, tuple("_" if place in holes else cell for place, cell in enumerate(whole.cells)), ("", "")
            )
        )
        for holes in (first, second)
    )
    joined = one.join(other)
    assert joined is not None
    assert one.fits(packed)
    assert joined.fits(packed)
    assert [counts is None for counts in joined.cells] == [
        place in first and place in second for place in range(18)
    ]
    assert tuple(tuzdyks_of(packed)) == tuple(number or 0 for number in position.tuzdyks)
    for owner, number in enumerate(position.tuzdyks):
        assert tuzdyks_drawn(joined, owner) >> (number or 0) & 1


def test_a_drawing_tells_which_tuzdyks_there_can_be() -> None:
    """One that is drawn, none if all can be read, or any where cells cannot be."""
    whole = drawn_of(DIAGRAMS_2009[0])
    assert [tuzdyks_drawn(whole, owner) for owner in (0, 1)] == [1 << 4, 1 << 7]
    cells = list(DIAGRAMS_2009[0].cells)
    cells[12], cells[0], cells[6] = "_", "_", "5"
    half = drawn_of(SheetDiagram(20, tuple(cells)))
    assert [tuzdyks_drawn(half, owner) for owner in (0, 1)] == [1 | 1 << 4, 1 | 1 << 1]


def test_drawings_of_different_boards_do_not_join() -> None:
    """One cell is enough, a kazan too."""
    first, second, _ = map(drawn_of, DIAGRAMS_2009)
    assert first.join(second) is None
    assert (
        Drawn((None,) * 18, (counts_of("5"), None)).join(Drawn((None,) * 18, (counts_of("6"), None))) is None
    )


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        (Final("1-0", (None, None)), ANY, Final("1-0", (None, None))),
        (ANY, Final("0-1", (counts_of("7"), None)), Final("0-1", (counts_of("7"), None))),
        (Final("1-0", (None, None)), Final("1-0", (None, None)), Final("1-0", (None, None))),
        (Final("1-0", (None, None)), Final("0-1", (None, None)), None),
        (Final(None, (counts_of("7"), None)), Final(None, (counts_of("8"), None)), None),
    ],
)
def test_two_ends_join_when_a_game_can_have_both(one: Final, other: Final, joined: Final | None) -> None:
    """A score that only one of them says is taken."""
    assert one.join(other) == joined


@given(played_positions(), st.sampled_from(["1-0", "0-1", "1/2-1/2"]))
def test_a_score_is_only_judged_by_a_finished_board(position: Position, result: Result) -> None:
    """Players resign; but once the stones have decided there is one score."""
    end = outcome(position)
    assert Final(result, (None, None)).fits(pack(position)) == (end is None or end.score == result)


def test_kazans_may_be_written_before_or_after_the_last_stones_are_added() -> None:
    """Both are the end of a game that ended by atsyrau."""
    position = Position((0,) * 9 + (2,) + (0,) * 8, (80, 80), (None, None), Side.BASTAUSHY)
    for kazans, fits in ((("80", "80"), True), (("80", "82"), True), (("82", "80"), False)):
        said = Final(None, (counts_of(kazans[0]), counts_of(kazans[1])))
        assert said.fits(pack(position)) is fits
    assert cells_of(pack(position))[9] == 2
