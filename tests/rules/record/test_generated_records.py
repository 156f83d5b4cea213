"""Records of games that were played to the end on the board, in every way a game can end there."""

import pytest

from rules import (
    GameRecord,
    Notation,
    RecordError,
    Result,
    format_record,
    format_record_json,
    outcome,
    parse_record,
    parse_record_json,
)
from tests.rules.endings.games import CATEGORIES, GeneratedGame, generated_games
from tests.rules.records import plies_of

WRONG: dict[str, Result] = {"1-0": "0-1", "0-1": "1/2-1/2", "1/2-1/2": "1-0"}


def record_of_moves(game: GeneratedGame) -> GameRecord:
    """Return the game as a record with its result and what ended it."""
    plies = plies_of(list(game.moves))
    end = outcome(GameRecord(plies=plies).position)
    assert end is not None
    return GameRecord(plies=plies, result=end.score, reason=end.reason.value)


@pytest.mark.parametrize("most", [4, pytest.param(1000, marks=pytest.mark.bench)])
def test_every_ending_becomes_a_record_and_comes_back(most: int) -> None:
    """In the notations by turns and as JSON; the totals are those claimed, sweep and all.

    So many games of each way to end; the bench takes all.
    """
    notations = list(Notation)
    games = [
        game
        for category in CATEGORIES
        for game in [game for game in generated_games() if game.category == category][:most]
    ]
    assert len(games) >= 2 * len(CATEGORIES)
    for place, game in enumerate(games):
        record = record_of_moves(game)
        assert (record.result, record.final_kazans) == (game.result, game.kazans)
        text = format_record(record, notations[place % len(notations)])
        assert parse_record(text) == record
        assert format_record(parse_record(text), notations[place % len(notations)]) == text
        assert parse_record_json(format_record_json(record)) == record


@pytest.mark.parametrize("category", ["82-qostaushy", "given-bastaushy", "walked-qostaushy", "draw-sweep"])
def test_a_result_against_the_stones_is_refused(category: str) -> None:
    """Whichever way the game ended."""
    game = next(game for game in generated_games() if game.category == category)
    text = format_record(record_of_moves(game))
    wrong = text.replace(game.result, WRONG[game.result])
    with pytest.raises(RecordError, match=r"line \d+, column \d+"):
        parse_record(wrong)
