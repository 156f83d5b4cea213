"""Where the bench's games come from: tournaments, where their file is at hand, and games of our own making.

The file of tournament games holds a JSON object a line. Its `tokens` are the moves of a game in order, in any
notation: `{"tokens": ["76", "98", "66"]}`; other keys are not read.

A game is named by a short text that finds it again: `real:17` is the seventeenth line of the file of
tournament games, `made:3` a made game, `2009` the record that comes with the program.
"""

from __future__ import annotations

import hashlib
import json
import os
from functools import lru_cache
from pathlib import Path

from firmware_bridge.bench.made import made_game
from firmware_bridge.emulator.records import BUNDLED, bundled_record
from rules.errors import RulesError
from rules.position import Sowing
from rules.record.text import parse_record

VARIABLE = "TOGYZ_GAMES"
"""Environment variable that names the file of tournament games."""

EXAMPLE = '{"tokens": ["76", "98"]}'
"""A line of such a file."""


class NoGameError(ValueError):
    """Raised when a game is asked for that is not there; says which and where it was looked for."""


def tournament_file(given: Path | None = None) -> Path | None:
    """Return the file of tournament games: as given, or as the environment says; None: none is named.

    Raises:
        NoGameError: It was named, and is not there.
    """
    named = given or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    if named is None:
        return None
    if not named.is_file():
        raise NoGameError(f"{named}: no file of tournament games is there")
    _lines(named)
    return named


def games_mark(path: Path | None) -> str:
    """Return what the games of a file are known by: they are others when it is another; empty: no file."""
    if path is None:
        return ""
    text = "\n".join(map(" ".join, _lines(path)))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@lru_cache(maxsize=2)
def _lines(path: Path) -> tuple[tuple[str, ...], ...]:
    """Return the moves of each game.

    Raises:
        NoGameError: The file cannot be read, holds no game, or something else on a line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise NoGameError(f"{path}: no file of tournament games ({error})") from error
    if not lines:
        raise NoGameError(f"{path}: holds no game; a line is due for each, {EXAMPLE}")
    return tuple(_tokens(path, number, line) for number, line in enumerate(lines, 1))


def _tokens(path: Path, number: int, line: str) -> tuple[str, ...]:
    try:
        tokens = json.loads(line)["tokens"]
    except (ValueError, TypeError, KeyError, RecursionError):
        tokens = None
    if not isinstance(tokens, list) or not tokens or not all(isinstance(token, str) for token in tokens):
        raise NoGameError(f"{path}:{number}: no game; it should be like {EXAMPLE}")
    return tuple(tokens)


def real_games(path: Path | None) -> int:
    """Return how many tournament games there are."""
    return 0 if path is None else len(_lines(path))


@lru_cache(maxsize=256)
def game(name: str, path: Path | None = None) -> tuple[Sowing, ...]:
    """Return the plies of a game by its name.

    Args:
        name: `real:N`, `made:N` or the name of a bundled record.
        path: The file of tournament games.

    Raises:
        NoGameError: There is none of that name.
    """
    kind, _, number = name.partition(":")
    if kind == "made" and number.isdecimal():
        return made_game(int(number))
    if kind == "real" and number.isdecimal() and int(number) < real_games(path):
        assert path is not None, "a file without a path has no games"
        try:
            return _real(_lines(path)[int(number)])
        except RulesError as error:
            raise NoGameError(f"{path}:{int(number) + 1}: {error}") from error
    if name in BUNDLED:
        return bundled_record(name).sowings
    raise NoGameError(f"no game {name!r} is known here")


def _real(tokens: tuple[str, ...]) -> tuple[Sowing, ...]:
    moves = [f"{place // 2 + 1}. {token}" if place % 2 == 0 else token for place, token in enumerate(tokens)]
    return parse_record(" ".join(moves)).sowings


def names(how_many: int | None, path: Path | None, made: int) -> list[str]:
    """Return the names of so many games, real and made ones in turn; None: all of both."""
    real = [f"real:{number}" for number in range(real_games(path))] or list(BUNDLED)
    ours = [f"made:{number}" for number in range(made)]
    if how_many is None:
        return [*real, *ours]
    both = [name for pair in zip(real, ours, strict=False) for name in pair]
    both += real[len(ours) :] + ours[len(real) :]
    return both[:how_many]
