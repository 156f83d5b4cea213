"""The generated games are what they claim to be; asked is the program with the turned table."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import pytest

from rules import START, Line, legal_moves, outcome, play, problems
from tests.rules.endings import generate
from tests.rules.endings.games import CATEGORIES, FILE, GeneratedGame, generated_games
from tests.rules.turntable import ME, YOU, Turntable

PLAYERS = ("bastaushy", "qostaushy")


def copied(table: Turntable) -> Turntable:
    """Return another table with the same stones on it."""
    return Turntable(table.table.copy(), table.whose.copy(), table.purse.copy(), first=table.first)


def states(game: GeneratedGame) -> list[Turntable]:
    """Return the table before every move and after the last; fails at a move that cannot be played."""
    table = Turntable.laid_out()
    seen = [copied(table)]
    for number in game.moves:
        assert number in table.choices()
        table.move(number)
        seen.append(copied(table))
    return seen


def starved(table: Turntable, *, me: bool) -> bool:
    """Return whether one of the two has an empty row."""
    return not any(table.table[:9] if me else table.table[9:])


def feeds(table: Turntable, number: int) -> bool:
    """Return whether a move puts stones into the empty row opposite."""
    tried = copied(table)
    tried.move(number)
    return not starved(tried, me=True)


def witnessed(game: GeneratedGame) -> set[str]:
    """Return all the categories that the game fits into."""
    tables = states(game)
    end, before = tables[-1], tables[-2]
    assert end.choices() == []
    last = PLAYERS[(len(game.moves) - 1) % 2]
    other = PLAYERS[len(game.moves) % 2]
    most = max(table.table[number - 1] for table, number in zip(tables, game.moves, strict=False))
    found = {"lap-36"} if most >= 36 else {"lap-19"} if most >= 19 else set()
    owned = {ME, YOU} & set(end.whose)
    found |= {"tuzdyk-both"} if len(owned) == 2 else {"tuzdyk-none"} if not owned else set()
    found |= set(fed(tables, game.moves))
    if end.purse[YOU] > 81:
        return found | {f"82-{last}"}
    if end.purse[ME] > 81:
        return found | {f"given-{other}"}
    if end.totals() == (81, 81):
        return found | {"draw-sweep" if any(end.table) else "draw-kazans"}
    if not any(end.table):
        return found
    if not starved(before, me=False):
        return found | {f"captured-{last}"}
    could = any(feeds(before, number) for number in before.choices())
    return found | {"refused" if could else f"walked-{last}"}


def fed(tables: list[Turntable], moves: tuple[int, ...]) -> Iterator[str]:
    """Yield each way in which an emptied player went on playing."""
    for (table, after), number in zip(itertools.pairwise(tables), moves, strict=True):
        if starved(table, me=False) and feeds(table, number) and after.choices():
            everyone = all(feeds(table, choice) for choice in table.choices())
            yield "fed-forced" if everyone else "fed-chosen"


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_game_of_a_category_is_what_it_claims(category: str) -> None:
    """Replayed to the end by another program than the one that made it."""
    games = [game for game in generated_games() if game.category == category]
    assert len(games) == generate.QUOTAS[category]
    for game in games:
        assert category in witnessed(game)


def test_the_results_are_those_of_the_second_program() -> None:
    """Score and totals, the sweep included."""
    for game in generated_games():
        first, second = states(game)[-1].totals()
        assert game.kazans == (first, second)
        assert first + second == 162 or max(first, second) >= 82
        assert game.result == ("1-0" if first > second else "0-1" if first < second else "1/2-1/2")


def test_there_are_five_hundred_different_games() -> None:
    """In every category, and none twice."""
    games = generated_games()
    assert len({game.moves for game in games}) == len(games) == 500
    assert Counter(game.category for game in games) == Counter(generate.QUOTAS)
    assert set(generate.QUOTAS) == set(CATEGORIES)


def test_the_file_is_small_and_says_what_is_in_it() -> None:
    """A line for each category; small enough for a repository."""
    text = FILE.read_text(encoding="ascii")
    assert len(text) < 120_000
    for category, said in CATEGORIES.items():
        assert f"# {category}, {generate.QUOTAS[category]} games: {said}.\n" in text


def test_the_rulebook_ends_every_game_alike() -> None:
    """Move by move to the same end, and not before."""
    for game in generated_games():
        position = START
        for number in game.moves:
            assert outcome(position) is None
            position = play(position, number).after
        final = outcome(position)
        assert final is not None
        assert (final.score, final.kazans, legal_moves(position)) == (game.result, game.kazans, ())


def test_no_position_towards_an_end_has_a_problem() -> None:
    """The last forty of every game, where rows empty and kazans fill."""
    for game in generated_games():
        line = Line()
        for number in game.moves:
            line.play(number)
        for _ in game.moves[-40:]:
            assert problems(line.position) == (), str(line.position)
            line.undo()


def test_a_game_of_the_generator_fits_where_the_second_program_says() -> None:
    """Both sort alike."""
    for game in generated_games():
        assert generate.fits(list(game.moves)) == witnessed(game)
