"""Games that people have played."""

from typing import Any

import pytest

from rules import (
    START,
    Notation,
    Position,
    Side,
    format_diagram,
    format_fen,
    format_full,
    format_move,
    format_moves,
    format_short,
    legal_moves,
    outcome,
    parse_diagram,
    parse_fen,
    parse_move,
    parse_moves,
    parse_short,
    parse_two_digit,
    perft,
    play,
)
from tests.rules.boards import row
from tests.rules.shared import shared_json, shared_lines

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY

GAME_2009 = """
32 98 78 44 67 57x 24x 69 69 81 91 94 59 89 91 91 39 79 68 89
56 89 24 92 12 78 56 67 45 56 68 89 34 78 23 67 45 78 34 89
56 67 45 56 67 36 12 25 57 89 45 78 56 67 45 89 34 89 34 78
"""
"""Thirty moves of 2009; the third, seventh, eleventh and twenty-first were restored from the diagrams."""

DIAGRAMS = [
    ("0 3 1 1 2 1 0 19 1", "0 4 13 0 2 2 1 1 2", (54, 55)),
    ("0 0 1 2 2 1 0 20 1", "0 4 13 0 1 1 0 1 3", (54, 58)),
    ("0 2 0 2 2 2 0 20 1", "0 1 2 0 2 1 1 1 7", (56, 62)),
]
"""Rows and kazans printed after ten, twenty and thirty moves of both."""


def after(tokens: list[str]) -> Position:
    """Return the position after moves in two-digit notation."""
    position = START
    for token in tokens:
        position = parse_two_digit(token, position).after
    return position


@pytest.mark.parametrize("tens", [1, 2, 3])
def test_the_game_of_2009_passes_its_printed_diagrams(tens: int) -> None:
    """Every stone lies where the sheet drew it."""
    position = after(GAME_2009.split()[: tens * 20])
    bastaushy, qostaushy, kazans = DIAGRAMS[tens - 1]
    assert (row(position, B), row(position, Q), position.kazans) == (bastaushy, qostaushy, kazans)
    assert position.tuzdyks == (4, 7)


def test_the_game_of_2009_reads_alike_in_the_official_notation() -> None:
    """One game, two notations."""
    position = START
    for token in GAME_2009.split():
        sowing = parse_two_digit(token, position)
        assert parse_short(format_short(sowing), position) == sowing
        position = sowing.after


def test_a_missing_pair_of_moves_is_the_only_one_that_fits() -> None:
    """The twenty-first, from what is known before and after it."""
    tokens = GAME_2009.split()
    before, rest = after(tokens[:40]), tokens[42:]
    fitting = []
    for first in legal_moves(before):
        middle = play(before, first).after
        for second in legal_moves(middle):
            position = play(middle, second).after
            if fits(position, rest):
                fitting.append((first, second))
    assert fitting == [(5, 6)]


def fits(position: Position, tokens: list[str]) -> bool:
    """Return whether the tokens can be played to the third diagram."""
    try:
        for token in tokens:
            position = parse_two_digit(token, position).after
    except ValueError:
        return False
    return (row(position, B), row(position, Q), position.kazans) == DIAGRAMS[2]


def test_tournament_games_replay_to_their_recorded_ends() -> None:
    """Hundreds of games, every landing pit checked, and the final board to the last stone."""
    games = shared_lines("tournament_games.jsonl")
    assert len(games) > 500
    for game in games:
        position = after(game["tokens"])
        final = game["final"]
        owned = [
            -1 if number is None else number - 1 + first
            for number, first in zip(position.tuzdyks, (9, 0), strict=True)
        ]
        assert list(position.pits) == final["pits"], game["game"]
        assert list(position.kazans) == final["kazan"], game["game"]
        assert owned == final["tuz"], game["game"]
        assert (outcome(position) is not None) == final["over"], game["game"]


@pytest.mark.parametrize("notation", Notation)
def test_tournament_games_pass_through_every_notation_and_back(notation: Notation) -> None:
    """Written with numbers, recognised without being told, and the same to the last character."""
    games = shared_lines("tournament_games.jsonl")
    for game in games:
        moves = parse_moves(" ".join(game["tokens"]))
        text = format_moves(moves, notation)
        again = parse_moves(text)
        assert [move.sowing for move in again] == [move.sowing for move in moves], game["game"]
        assert format_moves(again, notation) == text, game["game"]


def test_tournament_positions_pass_through_fen_and_diagram() -> None:
    """The last of each game."""
    for game in shared_lines("tournament_games.jsonl"):
        position = after(game["tokens"])
        assert parse_fen(format_fen(position, 40)) == (position, 40)
        assert parse_diagram(format_diagram(position)).position(position.to_move) == position


def vector_position(data: dict[str, Any]) -> Position:
    """Return the position that a vector describes."""
    first, second = data["kazans"]
    own, other = data["tuzdyks"]
    pits = tuple(data["bastaushy"] + data["qostaushy"])
    return Position(pits, (first, second), (own, other), Side(data["to_move"]))


def test_the_rule_vectors_hold() -> None:
    """Every position of the project's own collection, move by move."""
    vectors = shared_json("rule_vectors.json")["vectors"]
    assert len(vectors) >= 10
    for vector in vectors:
        position = vector_position(vector["start"])
        for move in vector["moves"]:
            marks = {"x": ":{}x", ":": ":{}", "-": "-{}"}
            sowing = parse_short(f"{move['pit']}{marks[move['mark']].format(move['last_pit'])}", position)
            assert sowing.stones == move["stones"], vector["name"]
            assert Side(move["last_row"]) is (B if sowing.last_index < 9 else Q), vector["name"]
            last_count = sowing.after.pits[sowing.last_index] + sowing.captured
            assert last_count == move["last_count"], vector["name"]
            ends = marks[move["mark"]].format(f"{move['last_pit']}{last_count}")
            assert format_full(sowing) == f"{move['pit']}{move['stones']}{ends}"
            for notation in Notation:
                assert parse_move(format_move(sowing, notation), position).sowing == sowing, vector["name"]
            position = sowing.after
        assert position == vector_position(vector["end"]), vector["name"]
        end = outcome(position)
        assert (end is not None) == vector["over"], vector["name"]
        if end is not None:
            assert list(end.kazans) == vector["final_kazans"], vector["name"]


def test_the_shared_counts_are_ours() -> None:
    """As far as a test may take time."""
    values = shared_json("rule_vectors.json")["perft"]["values"]
    assert [perft(START, depth) for depth in range(1, 6)] == values[:5]
