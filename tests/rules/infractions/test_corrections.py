"""The way back from one board to another."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from rules.infractions.corrections import Carry, apply_carries, carries

_BOARDS = st.lists(st.integers(0, 12), min_size=20, max_size=20)


def _but(board: list[int], **changed: int) -> list[int]:
    """Return a board with some places changed, `p3=1` for one stone more on place 3."""
    after = list(board)
    for place, more in changed.items():
        after[int(place[1:])] += more
    return after


NINE = [9] * 18 + [0, 0]


def test_the_same_board_needs_nothing() -> None:
    """Where nothing is off, nothing is carried."""
    assert carries(NINE, NINE) == ()


def test_stones_go_back_from_where_they_lie() -> None:
    """One stone in the pit beside is one carry."""
    assert carries(_but(NINE, p3=1, p4=-1), NINE) == (Carry(3, 4, 1),)


def test_as_many_as_lack_go_together() -> None:
    """Two stones over and two lacking are one handful, though another place is nearer."""
    board = _but(NINE, p0=2, p1=-1, p9=-2, p10=1)
    assert carries(board, NINE) == (Carry(0, 9, 2), Carry(10, 1, 1))


def test_groups_that_are_even_in_themselves_make_the_list_shorter() -> None:
    """Three and two groups of places are found even where no two places match."""
    board = _but(NINE, p0=3, p5=-1, p6=-2, p1=5, p10=-4, p11=-1)
    assert len(carries(board, NINE)) == 4


def test_a_stone_in_hand_comes_from_the_hand_and_others_from_beside() -> None:
    """What is missing lies somewhere: in the hand first."""
    board = _but(NINE, p3=-2)
    assert set(carries(board, NINE, 1)) == {Carry("hand", 3, 1), Carry("beside", 3, 1)}
    assert carries(board, NINE, 5) == (Carry("hand", 3, 2),)


def test_what_is_too_much_is_laid_beside() -> None:
    """A foreign object leaves the board."""
    assert carries(_but(NINE, p3=1), NINE) == (Carry(3, "beside", 1),)


def test_stones_come_from_a_near_pit_before_a_kazan() -> None:
    """A kazan is opened last."""
    board = _but(NINE, p3=1, p4=-1, p10=-1, p18=1)
    assert carries(board, NINE) == (Carry(3, 4, 1), Carry(18, 10, 1))


@given(_BOARDS, _BOARDS, st.integers(0, 4))
def test_the_list_applied_gives_the_board(board: list[int], due: list[int], held: int) -> None:
    """Whatever lies there, the list leads to what is due, and no stone is carried twice."""
    way = carries(board, due, held)
    assert apply_carries(board, way) == tuple(due)
    over = sum(max(0, now - then) for now, then in zip(board, due, strict=True))
    lacking = sum(max(0, then - now) for now, then in zip(board, due, strict=True))
    assert sum(carry.stones for carry in way) == max(over, lacking)
    assert {carry.source for carry in way}.isdisjoint({carry.target for carry in way})


@given(st.dictionaries(st.integers(0, 17), st.integers(-4, 4).filter(bool), min_size=2, max_size=6))
def test_no_shorter_list_exists(off: dict[int, int]) -> None:
    """As many groups as can be are even in themselves; each needs one handful less than it has places."""
    off[18] = -sum(off.values())
    places = [place for place, stones in off.items() if stones]
    board = [9 + off.get(place, 0) for place in range(20)]
    assert len(carries(board, [9] * 20)) == len(places) - _most_groups(places, off)


def _most_groups(places: list[int], off: dict[int, int]) -> int:
    """Return into how many groups that add up to nothing the places can be parted, by trying all."""
    if not places:
        return 0
    first, *others = places
    best = 0
    for size in range(len(others) + 1):
        for chosen in combinations(others, size):
            if off[first] + sum(off[place] for place in chosen) == 0:
                rest = [place for place in others if place not in chosen]
                best = max(best, 1 + _most_groups(rest, off))
    return best
