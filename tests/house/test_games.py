"""Whole games from hands to page: stones, cells, serial line, board, broker, hall."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules.notation.moves import format_short
from rules.record.text import format_ply
from tests.firmware_bridge.emulator.random_games import random_sowings
from tests.house.rig import rig
from tests.rules.endings.games import CATEGORIES, GeneratedGame, generated_games
from tests.rules.records import plies_of

BROKERS = [pytest.param("mosquitto", marks=pytest.mark.mosquitto), "amqtt"]


def tournament_game(shared_data: Path, number: int) -> str:
    """Return the moves of one real game."""
    with (shared_data / "tournament_games.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            game = json.loads(line)
            if game["game"] == number:
                return " ".join(game["tokens"])
    raise AssertionError(f"no game {number}")


def generated_game(seed: int) -> str:
    """Return a random game, played to its end on the board."""
    return " ".join(format_short(sowing) for sowing in random_sowings(seed))


def shortest_game(category: str) -> GeneratedGame:
    """Return the shortest of the generated games that end in one way."""
    games = [game for game in generated_games() if game.category == category]
    return min(games, key=lambda game: len(game.moves))


def moves_of(game: GeneratedGame) -> str:
    """Return the moves of a generated game as a record has them."""
    return " ".join(map(format_ply, plies_of(list(game.moves))))


def check_ending(tmp_path: Path, category: str) -> None:
    """Play a game to its end on the board; nobody presses after the last ply."""
    game = shortest_game(category)
    with rig(tmp_path, moves_of(game), speed=40) as table:
        table.check_whole_game()
        table.until("the result", lambda: table.state()["phase"] == "ended")
        state = table.state()
        assert state["result"]["score"] == game.result
        assert state["result"]["kazans"] == list(game.kazans)
        assert sum(state["position"]["kazans"]) + sum(state["position"]["pits"]) == 162


@pytest.mark.parametrize(
    ("number", "broker"), [pytest.param(5, "mosquitto", marks=pytest.mark.mosquitto), (5, "amqtt")]
)
def test_a_tournament_game_arrives_without_a_wrong_or_missing_ply(
    tmp_path: Path, shared_data: Path, broker: str, number: int
) -> None:
    """A real game over either broker; the demo plays another one, and the bench twenty."""
    moves = tournament_game(shared_data, number)
    with rig(tmp_path, moves, broker_kind=broker, seed=number, speed=40, seat="ab"[number % 2]) as table:
        table.check_whole_game()


def test_a_game_to_the_end_is_ended_without_a_press(tmp_path: Path) -> None:
    """By the stone that falls into a tuzdyk: the settled board ends the game.

    The games of `test_examples` end by a sweep, and the bench plays every way there is.
    """
    check_ending(tmp_path, "given-qostaushy")


@pytest.mark.bench
@pytest.mark.parametrize("category", CATEGORIES)
def test_a_game_ends_in_every_way_there_is(tmp_path: Path, category: str) -> None:
    """The longer proof: a game of each kind, draws, second laps and rows fed again among them."""
    check_ending(tmp_path, category)


@pytest.mark.bench
@pytest.mark.parametrize("broker", BROKERS)
@pytest.mark.parametrize("number", [1, 2, *range(11, 29)])
def test_twenty_tournament_games_arrive_whole(
    tmp_path: Path, shared_data: Path, broker: str, number: int
) -> None:
    """The longer proof: twenty real games over either broker, each on another board."""
    moves = tournament_game(shared_data, number)
    with rig(tmp_path, moves, broker_kind=broker, seed=number, speed=40, seat="ab"[number % 2]) as table:
        table.check_whole_game()
        print(f"game {number}, {broker}: {len(table.moves_due)} plies, no difference")  # noqa: T201 - a bench tells
