"""The rules of the move, one by one."""

import pytest
from hypothesis import given

from rules import (
    START,
    Position,
    Side,
    apply,
    legal_moves,
    number_of,
    pit_index,
    pit_name,
    play,
    side_of,
    tuzdyk_owner,
)
from tests.rules.boards import board, played_positions, positions, row, turned

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
NINES = "9 9 9 9 9 9 9 9 9"
EMPTY_ROW = "0 0 0 0 0 0 0 0 0"


class TestNames:
    """Pits have numbers for people and indices for the way round."""

    def test_sides_are_each_other_s_opponents(self) -> None:
        """Bastaushy comes first in every pair."""
        assert (B.opponent, Q.opponent) == (Q, B)
        assert (B.index, Q.index) == (0, 1)

    def test_an_index_and_a_number_name_the_same_pit(self) -> None:
        """Index 0..17 goes round the board, 1..9 along each row."""
        assert [pit_index(side_of(index), number_of(index)) for index in range(18)] == list(range(18))
        assert (pit_index(B, 1), pit_index(B, 9), pit_index(Q, 1), pit_index(Q, 9)) == (0, 8, 9, 17)

    def test_a_pit_is_named_by_its_row_and_number(self) -> None:
        """The name is for messages."""
        assert (pit_name(6), pit_name(17)) == ("bastaushy 7", "qostaushy 9")

    def test_a_tuzdyk_belongs_to_the_player_of_the_other_row(self) -> None:
        """The number alone names it."""
        owners = [tuzdyk_owner(index, (4, 7)) for index in range(18)]
        assert owners[12] is B
        assert owners[6] is Q
        assert owners.count(None) == 16

    def test_a_position_prints_as_two_rows(self) -> None:
        """Each row as its player sees it."""
        position = board("1 2 3 4 5 6 0 8 9", "9 8 7 0 5 4 3 2 1", (80, 5), (4, 7), Q)
        assert str(position) == (
            "1 2 3 4 5 6 0 8 9 / 9 8 7 0 5 4 3 2 1, kazans 80:5, tuzdyks 4,7, qostaushy to move"
        )
        assert "tuzdyks -,-, bastaushy" in str(START)


class TestSowing:
    """Where the stones fall."""

    def test_the_first_stone_falls_back_into_the_origin(self) -> None:
        """Nine stones from pit 7 reach the opponent's pit 6."""
        sowing = play(START, 7)
        assert sowing.path == (6, 7, 8, 9, 10, 11, 12, 13, 14)
        assert sowing.after.pits[6] == 1
        assert (sowing.side, sowing.number, sowing.stones) == (B, 7, 9)
        assert (sowing.last_index, sowing.last_number, sowing.mark) == (14, 6, ":")
        assert sowing.before is START

    def test_qostaushy_sows_round_into_bastaushy_s_row(self) -> None:
        """His pit 9 is followed by the other player's pit 1."""
        position = Position(START.pits, START.kazans, START.tuzdyks, Q)
        assert play(position, 7).path == (15, 16, 17, 0, 1, 2, 3, 4, 5)

    def test_two_stones_leave_one_behind(self) -> None:
        """Only a single stone empties its pit."""
        position = board("0 0 2 0 0 0 0 0 0", NINES, (70, 9))
        assert row(play(position, 3).after, B) == "0 0 1 1 0 0 0 0 0"

    def test_a_single_stone_walks_and_leaves_its_pit_empty(self) -> None:
        """It does not fall back."""
        position = board("0 0 1 0 0 0 0 0 5", NINES, (70, 5))
        sowing = play(position, 3)
        assert sowing.path == (3,)
        assert row(sowing.after, B) == "0 0 0 1 0 0 0 0 5"
        assert sowing.mark == "-"

    def test_a_single_stone_walks_round_the_corner(self) -> None:
        """From the ninth pit it comes to the opponent's first, and can take there."""
        position = board("0 0 0 0 0 0 0 0 1", "5 0 0 0 0 0 0 0 0", (80, 76))
        sowing = play(position, 9)
        assert (sowing.path, sowing.captured) == ((9,), 6)
        position = board("5 0 0 0 0 0 0 0 0", "0 0 0 0 0 0 0 0 1", (76, 80), to_move=Q)
        sowing = play(position, 9)
        assert (sowing.path, sowing.captured) == ((0,), 6)

    def test_eighteen_stones_give_one_to_each_pit(self) -> None:
        """The origin has had its own at the start."""
        position = board("0 0 0 0 18 0 0 0 0", EMPTY_ROW, (72, 72))
        sowing = play(position, 5)
        assert sowing.last_index == 3
        assert sowing.after.pits == (1,) * 18

    def test_nineteen_stones_pass_over_the_origin_again(self) -> None:
        """There is no skipping: the origin gets a second stone, and nothing is taken there."""
        position = board("0 0 0 0 19 0 0 0 0", EMPTY_ROW, (72, 71))
        sowing = play(position, 5)
        assert sowing.last_index == 4
        assert row(sowing.after, B) == "1 1 1 1 2 1 1 1 1"
        assert row(sowing.after, Q) == "1 1 1 1 1 1 1 1 1"
        assert sowing.mark == "-"

    def test_thirty_seven_stones_go_round_twice_and_none_is_lost(self) -> None:
        """The origin gets three."""
        position = board("37 0 0 0 0 0 0 0 0", "1 0 0 0 0 0 0 0 0", (62, 62))
        sowing = play(position, 1)
        assert len(sowing.path) == 37
        assert row(sowing.after, B) == "3 2 2 2 2 2 2 2 2"
        assert row(sowing.after, Q) == "3 2 2 2 2 2 2 2 2"

    def test_a_hundred_and_sixty_two_stones_still_have_a_way(self) -> None:
        """No game gets there, but the way is long enough."""
        position = board(EMPTY_ROW, "0 0 0 0 0 0 0 0 162", (0, 0), to_move=Q)
        sowing = play(position, 9)
        assert sowing.after.pits == (9,) * 18
        assert sowing.last_index == 16

    def test_the_turn_passes_to_the_opponent(self) -> None:
        """There is no second move in a row."""
        assert play(START, 1).after.to_move is Q
        assert play(play(START, 1).after, 1).after.to_move is B

    @given(positions())
    def test_stones_are_conserved_on_any_board(self, position: Position) -> None:
        """162 before, 162 after, and one path entry for each stone lifted."""
        for number in legal_moves(position):
            sowing = play(position, number)
            assert sum(sowing.after.pits) + sum(sowing.after.kazans) == 162
            assert len(sowing.path) == sowing.stones == position.pits[pit_index(position.to_move, number)]

    @given(positions())
    def test_distinct_moves_make_distinct_boards(self, position: Position) -> None:
        """So the stones alone tell which move was played."""
        moves = legal_moves(position)
        assert len({play(position, number).after for number in moves}) == len(moves)

    @given(positions())
    def test_the_rules_are_the_same_for_both_players(self, position: Position) -> None:
        """Changing the players over changes nothing but the names."""
        assert legal_moves(turned(position)) == legal_moves(position)
        for number in legal_moves(position):
            assert play(turned(position), number).after == turned(play(position, number).after)

    @given(played_positions())
    def test_the_trusting_door_does_what_the_checking_one_does(self, position: Position) -> None:
        """They differ only in what they refuse."""
        for number in legal_moves(position):
            assert apply(position, number) == play(position, number)

    @given(played_positions())
    def test_no_stone_ever_rests_in_a_tuzdyk(self, position: Position) -> None:
        """Whatever falls there is banked."""
        for index in range(18):
            assert tuzdyk_owner(index, position.tuzdyks) is None or position.pits[index] == 0


class TestTaking:
    """What the last stone earns."""

    @pytest.mark.parametrize(("lying", "taken"), [(1, 2), (2, 0), (3, 4), (4, 0), (5, 6), (9, 10), (12, 0)])
    def test_an_even_number_in_the_opponent_s_pit_is_taken(self, lying: int, taken: int) -> None:
        """And an odd one stays; three is not tried here since pit 9 can be no tuzdyk."""
        position = board("0 0 0 0 0 0 0 0 10", f"0 0 0 0 0 0 0 0 {lying}", (76, 76 - lying))
        sowing = play(position, 9)
        assert (sowing.last_index, sowing.captured) == (17, taken)
        assert sowing.after.kazans == (76 + taken, 76 - lying)
        assert sowing.after.pits[17] == (0 if taken else lying + 1)
        assert sowing.mark == (":" if taken else "-")

    def test_an_even_number_in_the_own_row_stays(self) -> None:
        """Own-side landings never take."""
        position = board("2 1 0 0 0 0 0 0 0", NINES, (70, 8))
        sowing = play(position, 1)
        assert (sowing.last_index, sowing.captured, sowing.after.kazans) == (1, 0, (70, 8))
        assert row(sowing.after, B) == "1 2 0 0 0 0 0 0 0"

    def test_only_the_last_pit_is_taken(self) -> None:
        """Even pits on the way stay."""
        position = board("0 0 0 0 0 0 0 0 4", "1 1 1 0 0 0 0 0 0", (77, 78))
        sowing = play(position, 9)
        assert row(sowing.after, Q) == "2 2 0 0 0 0 0 0 0"
        assert sowing.after.kazans == (79, 78)

    def test_a_second_lap_counts_for_the_last_pit(self) -> None:
        """The pit had an odd number before the move and gets two stones."""
        position = board("0 0 0 0 0 0 0 0 20", "1 0 0 0 0 0 0 0 0", (71, 70))
        sowing = play(position, 9)
        assert (sowing.last_index, sowing.captured, sowing.tuzdyk) == (9, 3, 1)


class TestTuzdyk:
    """Winning a pit."""

    def test_exactly_three_win_the_pit_and_the_stones(self) -> None:
        """The pit is empty then, and its number is the mover's."""
        position = board("0 0 0 0 0 0 0 0 3", "0 2 0 0 0 0 0 0 9", (74, 74))
        sowing = play(position, 9)
        assert (sowing.tuzdyk, sowing.captured, sowing.mark) == (2, 3, "x")
        assert sowing.after.tuzdyks == (2, None)
        assert sowing.after.kazans == (77, 74)
        assert row(sowing.after, Q) == "1 0 0 0 0 0 0 0 9"

    def test_qostaushy_wins_his_in_bastaushy_s_row(self) -> None:
        """His is the second of the pair, and the first one's stays."""
        position = board("0 2 0 0 0 0 0 0 9", "0 0 0 0 0 0 0 0 3", (74, 74), (4, None), Q)
        sowing = play(position, 9)
        assert (sowing.tuzdyk, sowing.after.tuzdyks, sowing.after.kazans) == (2, (4, 2), (74, 77))

    @pytest.mark.parametrize("lying", [0, 4, 6])
    def test_other_odd_numbers_win_nothing(self, lying: int) -> None:
        """One, five and seven stay."""
        position = board("0 0 0 0 0 0 0 0 3", f"0 {lying} 0 0 0 0 0 0 9", (74, 76 - lying))
        sowing = play(position, 9)
        assert (sowing.tuzdyk, sowing.captured, sowing.mark) == (None, 0, "-")

    def test_a_second_one_is_refused_and_three_stay(self) -> None:
        """A player has one tuzdyk at most."""
        position = board("0 0 0 0 0 0 0 0 3", "0 2 0 0 0 0 0 0 9", (74, 74), (5, None))
        sowing = play(position, 9)
        assert (sowing.tuzdyk, sowing.captured, sowing.mark) == (None, 0, "-")
        assert sowing.after.tuzdyks == (5, None)
        assert row(sowing.after, Q) == "1 3 0 0 0 0 0 0 9"

    def test_the_opponent_s_tuzdyk_of_another_number_is_no_hindrance(self) -> None:
        """Both players can have one."""
        position = board("0 0 0 0 0 0 0 0 3", "0 2 0 0 0 0 0 0 9", (74, 74), (None, 3))
        assert play(position, 9).after.tuzdyks == (2, 3)

    def test_the_ninth_pit_is_never_one(self) -> None:
        """Three stones stay there."""
        position = board("0 0 0 0 0 0 0 0 10", "0 0 0 0 0 0 0 0 2", (75, 75))
        sowing = play(position, 9)
        assert (sowing.last_number, sowing.tuzdyk, sowing.captured) == (9, None, 0)
        assert sowing.after.pits[17] == 3

    def test_the_same_number_as_the_opponent_s_is_refused(self) -> None:
        """Three stones stay there."""
        position = board("0 0 0 0 0 0 0 0 3", "0 2 0 0 0 0 0 0 9", (74, 74), (None, 2))
        sowing = play(position, 9)
        assert (sowing.tuzdyk, sowing.captured) == (None, 0)
        assert sowing.after.tuzdyks == (None, 2)
        assert sowing.after.pits[10] == 3

    def test_it_is_the_landing_pit_s_number_that_decides(self) -> None:
        """An origin with the number of the opponent's tuzdyk, or the ninth, can win one elsewhere."""
        position = board("0 0 0 0 0 0 0 5 0", "0 0 2 0 0 0 0 0 9", (73, 73), (None, 2))
        assert play(position, 8).after.tuzdyks == (3, 2)
        position = board("0 0 0 0 0 0 0 0 9", "0 0 0 0 0 0 0 2 0", (76, 75), (None, 1))
        assert play(position, 9).after.tuzdyks == (8, 1)

    def test_three_in_the_own_row_are_nothing(self) -> None:
        """A tuzdyk lies in the opponent's row."""
        position = board("2 2 0 0 0 0 0 0 0", NINES, (70, 7))
        sowing = play(position, 1)
        assert (sowing.tuzdyk, sowing.captured) == (None, 0)
        assert row(sowing.after, B) == "1 3 0 0 0 0 0 0 0"

    def test_a_stone_sown_into_it_goes_to_its_owner_whoever_sows(self) -> None:
        """Own tuzdyk and the opponent's on one way, and the stones go to two kazans."""
        tuzdyks = (2, 3)
        position = board("0 8 0 0 0 0 0 0 16", "5 0 0 0 0 0 0 0 0", (66, 67), tuzdyks)
        sowing = play(position, 9)
        assert sowing.last_index == 5
        assert sowing.after.kazans == (67, 68)
        assert sowing.after.pits[10] == sowing.after.pits[2] == 0
        assert sowing.path.count(10) == sowing.path.count(2) == 1
        assert sowing.after.tuzdyks == tuzdyks

    def test_two_laps_feed_it_twice(self) -> None:
        """Each passing stone is banked."""
        position = board("0 0 0 0 0 0 0 0 37", EMPTY_ROW, (62, 63), (2, 3))
        assert play(position, 9).after.kazans == (64, 65)

    def test_a_last_stone_on_the_own_tuzdyk_takes_nothing(self) -> None:
        """Neither there nor from the even pit before it."""
        position = board("0 0 0 0 0 0 0 0 3", "1 0 0 0 0 0 0 0 9", (74, 75), (2, None))
        sowing = play(position, 9)
        assert (sowing.last_index, sowing.captured, sowing.mark) == (10, 0, "-")
        assert sowing.after.kazans == (75, 75)
        assert row(sowing.after, Q) == "2 0 0 0 0 0 0 0 9"

    def test_a_last_stone_on_the_opponent_s_tuzdyk_takes_nothing(self) -> None:
        """It lies in the mover's own row."""
        position = board("0 0 0 0 0 0 0 0 13", "1 1 1 1 1 1 1 1 1", (70, 70), (None, 3))
        sowing = play(position, 9)
        assert (sowing.last_index, sowing.captured, sowing.mark) == (2, 0, "-")
        assert sowing.after.kazans == (70, 71)
        assert row(sowing.after, Q) == "2 2 2 2 2 2 2 2 2"

    def test_three_stones_that_were_refused_as_a_tuzdyk_can_still_be_taken(self) -> None:
        """They are ordinary stones: a fourth makes them even."""
        position = board("0 0 0 0 0 0 0 0 3", "0 3 0 0 0 0 0 0 9", (74, 73), (None, 2))
        assert play(position, 9).captured == 4
