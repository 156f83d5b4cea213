"""The drawn board: nothing wider than asked, nothing missing, nothing misleading."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from rich.cells import cell_len

from firmware_bridge.commands.record.drawing import (
    ASCII,
    NARROWEST,
    UNICODE,
    Ink,
    Labels,
    Signs,
    draw,
    fitted,
    plain,
    printable,
    right,
)
from firmware_bridge.language import texts
from rules.position import START, Position, Side, Sowing, legal_moves, play

LABELS = Labels(players=("Бастаушы", "Қостаушы"), kazans=("Қазан: Бастаушы", "Қазан: Қостаушы"))
NAMES = tuple(texts("kk").text(f"pit.{number}") for number in range(1, 10))

words = st.text(max_size=60).map(printable)


@st.composite
def sowings(draw_one: DrawFn) -> Sowing:
    """Draw a move of some game."""
    position, sowing = START, play(START, 1)
    for choice in draw_one(st.lists(st.integers(0, 8), min_size=1, max_size=80)):
        moves = legal_moves(position)
        if not moves:
            break
        sowing = play(position, moves[choice % len(moves)])
        position = sowing.after
    return sowing


all_labels = st.builds(
    Labels,
    players=st.tuples(words, words),
    kazans=st.tuples(words, words),
    to_move=st.sampled_from(["", "жүріс кезегі"]),
    pits=st.one_of(st.just(()), st.tuples(*[words] * 9)),
)


@given(
    sowing=sowings(),
    labels=all_labels,
    width=st.integers(0, 200),
    bottom=st.sampled_from(Side),
    signs=st.sampled_from([UNICODE, ASCII]),
)
def test_no_line_is_wider_than_asked(
    sowing: Sowing, labels: Labels, width: int, bottom: Side, signs: Signs
) -> None:
    """Whatever the names are, in letters of whatever width, with the way of a move and without."""
    drawn = draw(sowing.after, labels, width=width, bottom=bottom, signs=signs)
    for line in (*drawn, *draw(sowing.after, labels, width=width, bottom=bottom, last=sowing, signs=signs)):
        assert cell_len("".join(text for text, _ in line)) <= max(width, NARROWEST)


@given(sowing=sowings(), bottom=st.sampled_from(Side))
def test_every_pit_and_kazan_can_be_read_back(sowing: Sowing, bottom: Side) -> None:
    """The numbers of the drawing are those of the position, each in its place."""
    lines = plain(draw(sowing.after, LABELS, bottom=bottom)).splitlines()
    rows = [line for line in lines if line.count("│") == 10]
    upper, lower = ([cell.strip() for cell in row.split("│")[1:-1]] for row in rows)
    cells = {bottom: lower, bottom.opponent: upper[::-1]}
    for side in Side:
        won = sowing.after.tuzdyks[side.opponent.index]
        for number, cell in enumerate(cells[side], 1):
            stones = sowing.after.pits[side.index * 9 + number - 1]
            assert cell == ("x" if number == won else str(stones))
    kazans = [line.split()[-2] for line in lines if "Қазан" in line]
    expected = (sowing.after.kazans[bottom.opponent.index], sowing.after.kazans[bottom.index])
    assert kazans == [str(stones) for stones in expected]


def test_the_way_of_a_move_lies_beside_the_pits_it_touched() -> None:
    """Where it began, what fell where, where it ended and what was taken."""
    sowing = play(START, 7)
    lines = draw(sowing.after, LABELS, last=sowing)
    upper = next(line for line in lines if any("●−10" in text for text, _ in line))
    assert [text.strip() for text, ink in upper if ink is Ink.LAST] == ["●−10"]
    assert [text.strip() for text, ink in upper if ink is Ink.WAY] == ["+1"] * 5
    lower = next(line for line in lines if any("○" in text for text, _ in line))
    assert [text.strip() for text, ink in lower if ink is not Ink.FRAME] == [""] * 6 + ["○", "+1", "+1"]


def test_a_single_stone_and_a_lap_are_drawn_as_they_go() -> None:
    """One stone leaves nothing behind; one of nineteen comes home again."""
    pits = (1, *(9,) * 7, 19, *(9,) * 9)
    single = play(Position(pits, (0, 0), (None, None), Side.BASTAUSHY), 1)
    text = plain(draw(single.after, LABELS, last=single))
    assert "○ " in text
    assert "○+1" not in text
    lap = play(Position(pits, (0, 0), (None, None), Side.BASTAUSHY), 9)
    assert "○●" in plain(draw(lap.after, LABELS, last=lap))


def test_a_board_with_room_has_the_names_in_its_rows_and_a_narrow_one_below() -> None:
    """At 120 columns they fit, at 60 they do not."""
    labels = Labels(players=LABELS.players, kazans=LABELS.kazans, pits=NAMES)
    wide = plain(draw(START, labels, width=120)).splitlines()
    assert sum("Қандықақпан" in line for line in wide) == 2
    narrow = plain(draw(START, labels, width=60)).splitlines()
    assert [line for line in narrow if "7 Қандықақпан" in line] == [narrow[-1]]


def test_short_names_make_no_board_wider_than_its_screen() -> None:
    """They fit into the narrowest pits, and the pits stay narrow."""
    labels = Labels(players=("", ""), kazans=("", ""), pits=("a",) * 9)
    assert max(map(len, plain(draw(START, labels, width=NARROWEST)).splitlines())) <= NARROWEST


def test_plain_characters_are_all_there_is_where_they_are_asked_for() -> None:
    """Names aside."""
    labels = Labels(players=("a", "b"), kazans=("c", "d"))
    sowing = play(START, 7)
    assert plain(draw(sowing.after, labels, last=sowing, signs=ASCII)).isascii()


def test_whose_turn_it_is_stands_beside_his_name() -> None:
    """And beside nobody else's."""
    labels = Labels(players=("A", "B"), kazans=("", ""), to_move="moves")
    lines = plain(draw(play(START, 1).after, labels)).splitlines()
    assert lines[0].split() == ["B", "moves"]
    assert lines[-1].split() == ["A"]


@pytest.mark.parametrize(
    ("text", "columns", "shown"), [("abc", 5, "abc  "), ("abcdef", 4, "abc…"), ("日本", 3, "日…")]
)
def test_texts_are_filled_or_cut_to_their_columns(text: str, columns: int, shown: str) -> None:
    """Also those of letters that take two."""
    assert fitted(text, columns) == shown


def test_texts_are_set_to_the_right_by_columns() -> None:
    """Not by characters."""
    assert right("日", 4) == "  日"
    assert right("abcdef", 4) == "abcdef"


def test_letters_that_hide_others_are_not_printed() -> None:
    """Such as one that turns the direction of writing round."""
    assert printable("a\u202eb\x1b[2Jc") == "a b [2Jc"


@pytest.mark.parametrize("letter", ["\x1b", "\x9b", "\u202e", "\u2028", "\u2029", "\u200b", "\ud800"])
def test_nothing_unseen_is_printed(letter: str) -> None:
    """Controls, directions and line ends of any kind."""
    assert printable(f"a{letter}b") == "a b"
