"""What may be played, and when a game is over."""

import pytest
from hypothesis import given

from rules import (
    START,
    EndReason,
    IllegalMoveError,
    Outcome,
    Position,
    Side,
    legal_moves,
    outcome,
    play,
)
from tests.rules.boards import board, played_positions, positions, row, turned

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
NINES = "9 9 9 9 9 9 9 9 9"
EMPTY_ROW = "0 0 0 0 0 0 0 0 0"


class TestLegalMoves:
    """What may be played."""

    def test_every_pit_with_stones_may_be_played(self) -> None:
        """Nine at the start, ascending."""
        assert legal_moves(START) == (1, 2, 3, 4, 5, 6, 7, 8, 9)
        position = board("0 1 0 0 2 0 0 0 0", NINES, (70, 8))
        assert legal_moves(position) == (2, 5)

    def test_only_the_player_to_move_may_play(self) -> None:
        """The other row does not count."""
        position = board(NINES, "0 1 0 0 2 0 0 0 0", (70, 8), to_move=Q)
        assert legal_moves(position) == (2, 5)

    @pytest.mark.parametrize("number", [-8, 0, 10, 18])
    def test_a_number_that_is_no_pit_is_refused(self, number: int) -> None:
        """Pits have the numbers 1 to 9."""
        with pytest.raises(IllegalMoveError) as caught:
            play(START, number)
        assert str(caught.value) == (
            f"pit {number} cannot be played: pits have the numbers 1 to 9 (position: {START})"
        )
        assert (caught.value.number, caught.value.position) == (number, START)

    def test_an_empty_pit_is_refused(self) -> None:
        """The message says whose turn it is."""
        position = board("0 1 0 0 2 0 0 0 0", NINES, (70, 8))
        with pytest.raises(IllegalMoveError, match="pit 1 cannot be played: it is empty and bastaushy is to"):
            play(position, 1)

    def test_a_tuzdyk_is_refused_by_its_owner_s_name(self) -> None:
        """Its pit is empty for ever."""
        position = board("0 1 0 0 2 0 0 0 0", NINES, (70, 8), (None, 4))
        with pytest.raises(IllegalMoveError, match="pit 4 cannot be played: it is the tuzdyk of qostaushy"):
            play(position, 4)

    def test_after_the_end_every_pit_is_refused(self) -> None:
        """Even one with stones."""
        position = board("0 1 0 0 2 0 0 0 0", EMPTY_ROW, (82, 77))
        assert legal_moves(position) == ()
        with pytest.raises(IllegalMoveError, match="pit 2 cannot be played: the game is over"):
            play(position, 2)

    @given(positions() | played_positions())
    def test_there_are_moves_until_there_is_an_outcome(self, position: Position) -> None:
        """Exactly one of the two."""
        assert bool(legal_moves(position)) == (outcome(position) is None)


class TestEightyTwo:
    """A kazan with more than half of all stones."""

    def test_it_stops_the_game_without_a_sweep(self) -> None:
        """What lies on the board belongs to nobody."""
        position = board("0 1 0 0 2 0 0 0 0", "0 0 0 0 0 0 0 0 7", (82, 70), to_move=Q)
        assert outcome(position) == Outcome(B, EndReason.EIGHTY_TWO, (82, 70))

    def test_it_comes_before_atsyrau(self) -> None:
        """No sweep either when the player to move has no stones."""
        position = board("0 0 0 1 2 2 2 2 1", EMPTY_ROW, (82, 70), to_move=Q)
        assert outcome(position) == Outcome(B, EndReason.EIGHTY_TWO, (82, 70))
        assert outcome(turned(position)) == Outcome(Q, EndReason.EIGHTY_TWO, (70, 82))

    def test_eighty_one_is_not_enough(self) -> None:
        """The game goes on."""
        position = board("0 1 0 0 2 0 0 0 0", "0 0 0 0 0 0 0 0 8", (81, 70))
        assert outcome(position) is None

    def test_more_than_eighty_two_is_as_good(self) -> None:
        """A last capture can jump over it."""
        position = board("0 0 0 0 0 0 0 0 2", "13 0 0 0 0 0 0 0 9", (81, 57))
        after = play(position, 9).after
        assert outcome(after) == Outcome(B, EndReason.EIGHTY_TWO, (95, 57))

    def test_the_opponent_s_sowing_can_bring_it_about(self) -> None:
        """A stone fed into a tuzdyk counts at once."""
        position = board("0 0 0 0 0 0 0 0 3", "0 0 0 0 0 0 0 0 8", (70, 81), (5, 1))
        assert outcome(play(position, 9).after) is None
        position = board("0 0 0 0 0 0 0 0 11", "0 0 0 0 0 0 0 0 8", (62, 81), (5, 1))
        assert outcome(play(position, 9).after) == Outcome(Q, EndReason.EIGHTY_TWO, (63, 82))


class TestAtsyrau:
    """The player to move has no stones."""

    def test_the_opponent_takes_what_lies_on_the_board(self) -> None:
        """The outcome says so; the position itself is not swept."""
        position = board(EMPTY_ROW, "0 3 1 0 1 0 1 1 1", (76, 78), (6, 7))
        assert outcome(position) == Outcome(Q, EndReason.ATSYRAU, (76, 86))
        assert outcome(turned(position)) == Outcome(B, EndReason.ATSYRAU, (86, 76))

    def test_a_move_does_not_sweep(self) -> None:
        """The opponent's stones still lie there when the last move is done."""
        position = board("0 0 1 0 0 0 0 5 0", "0 0 0 0 0 0 0 0 1", (77, 78), to_move=Q)
        after = play(position, 9).after
        assert (after.kazans, row(after, B), row(after, Q)) == ((77, 78), "1 0 1 0 0 0 0 5 0", EMPTY_ROW)
        assert outcome(after) is None
        after = play(after, 1).after
        assert (after.kazans, row(after, B)) == ((77, 78), "0 1 1 0 0 0 0 5 0")
        assert outcome(after) == Outcome(B, EndReason.ATSYRAU, (84, 78))

    def test_who_empties_his_own_row_has_not_ended_the_game(self) -> None:
        """The opponent has his additional move."""
        position = board("0 0 0 0 0 0 0 0 1", "0 0 0 0 0 0 0 1 0", (80, 80))
        after = play(position, 9).after
        assert row(after, B) == EMPTY_ROW
        assert outcome(after) is None
        assert legal_moves(after) == (1, 8)

    def test_the_additional_move_may_feed_him_and_the_game_goes_on(self) -> None:
        """Then he has something to play."""
        position = board(EMPTY_ROW, "0 0 0 0 0 0 0 1 2", (80, 79), to_move=Q)
        fed = play(position, 9).after
        assert outcome(fed) is None
        assert legal_moves(fed) == (1,)
        starved = play(position, 8).after
        assert outcome(starved) == Outcome(Q, EndReason.ATSYRAU, (80, 82))

    def test_both_with_eighty_one_is_a_draw(self) -> None:
        """The sweep can lead there, and so can an empty board."""
        position = board(EMPTY_ROW, "0 0 0 0 0 0 0 0 3", (81, 78))
        assert outcome(position) == Outcome(None, EndReason.ATSYRAU, (81, 81))
        position = board(EMPTY_ROW, EMPTY_ROW, (81, 81))
        assert outcome(position) == Outcome(None, EndReason.ATSYRAU, (81, 81))

    @given(positions() | played_positions())
    def test_final_totals_hold_all_stones_unless_eighty_two_stopped_it(self, position: Position) -> None:
        """And the winner is who has more."""
        end = outcome(position)
        if end is None:
            return
        if end.reason is EndReason.ATSYRAU:
            assert sum(end.kazans) == 162
        else:
            assert end.kazans == position.kazans
        first, second = end.kazans
        assert end.winner is (None if first == second else B if first > second else Q)


@pytest.mark.parametrize(
    ("kazans", "score"), [((82, 80), "1-0"), ((80, 82), "0-1"), ((81, 81), "1/2-1/2"), ((85, 77), "1-0")]
)
def test_an_outcome_has_a_score(kazans: tuple[int, int], score: str) -> None:
    """Bastaushy's part first."""
    end = outcome(board(EMPTY_ROW, EMPTY_ROW, kazans))
    assert end is not None
    assert end.score == score
