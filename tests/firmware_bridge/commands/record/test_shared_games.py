"""The tournament games that lie beside the checkout, through check and every form of convert."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules.notation.forms import Notation
from tests.firmware_bridge.commands.record.games import run, shared_texts


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All games in one file."""
    texts = list(shared_texts())
    if not texts:
        pytest.skip("no tournament_games.jsonl beside this checkout")
    path = tmp_path_factory.mktemp("shared") / "games.txt"
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def test_all_games_are_sound(games: Path) -> None:
    """Every one of them."""
    told = json.loads(run("check", "--json", str(games)).stdout.splitlines()[-1])
    assert told["games"] == len(list(shared_texts()))
    assert (told["faults"], told["code"]) == (0, 0)


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.bench)])
def test_games_come_back_from_every_form_and_notation(tmp_path: Path, every: int) -> None:
    """Move by move and result by result: each fourth, or all of them in the longer proof."""
    texts = list(shared_texts())[::every]
    if not texts:
        pytest.skip("no tournament_games.jsonl beside this checkout")
    some = tmp_path / "some.txt"
    some.write_text("\n".join(texts), encoding="utf-8")
    moves = run("convert", "--to", "moves", str(some)).stdout
    forms = [("--to", form) for form in ("json", "playstrategy", "playok")]
    forms += [("--notation", notation.value) for notation in Notation]
    for form in forms:
        path = tmp_path / "".join(form)
        assert run("convert", *form, str(some), "-o", str(path)).exit_code == 0
        assert run("convert", "--to", "moves", str(path)).stdout == moves, form
