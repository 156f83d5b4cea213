"""Games out of texts, JSON and journals."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board.memory.journal import Journal
from firmware_bridge.commands.record import reading
from firmware_bridge.commands.record.reading import Faulty, Found, Game, documents, read_games, read_lines
from firmware_bridge.commands.record.sources import Source, UnusableError
from rules.events import GameAssigned
from rules.events_json import event_to_json
from rules.record.json_form import format_record_json
from rules.record.text import parse_record
from rules.time_control import TimeControl
from tests.firmware_bridge.commands.record.games import GAME_2009, NOTED

RECORD = parse_record(NOTED)
LINE = format_record_json(RECORD)
SOURCE = Source("game", None)


def found_in(text: str) -> list[Found]:
    """Return what a text holds."""
    return list(read_lines(iter(text.splitlines(keepends=True)), SOURCE))


def records(text: str) -> list[Any]:
    """Return the records of a text; anything else fails the test."""
    games = found_in(text)
    assert all(isinstance(game, Game) for game in games)
    return [game.record for game in games if isinstance(game, Game)]


@pytest.mark.parametrize(
    "text",
    [
        LINE + "\n" + LINE,
        f"[{LINE},\n{LINE}]",
        LINE + LINE,
        json.dumps(json.loads(LINE), indent=2) + "\n" + LINE,
        "\n\n[\n" + json.dumps(json.loads(LINE), indent=1, ensure_ascii=False) + ",\n" + LINE + "\n]\n",
    ],
)
def test_json_records_are_found_in_every_arrangement(text: str) -> None:
    """Line by line, in a list, glued together, over many lines."""
    assert records(text) == [RECORD, RECORD]


def test_texts_are_found_one_after_the_other_and_numbered() -> None:
    """A comment at the front does not make JSON of them."""
    games = found_in("{before}\n" + NOTED + "\n" + GAME_2009)
    assert [game.number for game in games if isinstance(game, Game)] == [1, 2]


def test_a_faulty_game_says_where_it_is_and_the_next_follows() -> None:
    """In texts by the line of the whole input, in JSON by the line where the object begins."""
    fault, sound = found_in('[Event "X"]\n1. 3-2\n\n' + NOTED)
    assert isinstance(fault, Faulty)
    assert (fault.line, fault.number, fault.tags.event) == (1, 1, "X")
    assert isinstance(sound, Game)
    sound, fault, other = found_in(f'{LINE}\n{{"format": 2}}\n{LINE}')
    assert isinstance(fault, Faulty)
    assert (fault.line, fault.number) == (2, 2)
    assert isinstance(sound, Game)
    assert isinstance(other, Game)


@pytest.mark.parametrize("text", ["", "\n \n", "{only a remark}\n"])
def test_an_input_without_games_says_so(text: str) -> None:
    """Rather than nothing."""
    (found,) = found_in(text)
    assert str(found) == "game: there is no game in it"


@given(
    st.lists(st.dictionaries(st.text(max_size=3), st.text(max_size=8) | st.just({}), max_size=3), max_size=5)
)
def test_objects_are_cut_apart_where_they_end(objects: list[dict[str, object]]) -> None:
    """Whatever braces and quotes stand in their texts."""
    for glue in ("", "\n", ",\n", " "):
        text = glue.join(json.dumps(one, indent=len(glue) or None) for one in objects)
        cut = [json.loads(found) for _, found in documents(text.splitlines(keepends=True))]
        assert cut == objects


@given(st.text(alphabet='{}"[], a\\\n', max_size=40))
def test_no_text_stops_the_cutting(text: str) -> None:
    """What is no object comes as it is."""
    for line, _ in documents(text.splitlines(keepends=True)):
        assert line >= 1


def test_an_object_longer_than_a_record_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its front is, so that reading it refuses it; the next one is whole."""
    monkeypatch.setattr(reading, "MAX_JSON", 10)
    lines = ['{"a":\n', *['"xxxxxxxxxxxx",\n'] * 50, "}\n", '{"b":1}\n']
    (first, long), (second, short) = documents(lines)
    assert (first, len(long)) == (1, 11)
    assert (second, short) == (53, '{"b":1}')


def _events() -> list[dict[str, Any]]:
    control = TimeControl.simple(600_000, 0)
    assigned = [
        GameAssigned(
            at_us=number, game_id=f"game-{number}", names=("A", "B"), starter_seat="a", control=control
        )
        for number in (1, 2)
    ]
    return [{"kind": "host_started"}, *(event_to_json(event) for event in assigned)]


def _journal(path: Path) -> None:
    async def write() -> None:
        journal = Journal.open(path)
        await journal.append(_events(), device=None, wall_ms=0)
        journal.close()

    asyncio.run(write())


def test_a_journal_gives_its_games_in_order(tmp_path: Path) -> None:
    """Each from its assignment on; a torn tail is the board's affair."""
    path = tmp_path / "journal.jsonl"
    _journal(path)
    with path.open("ab") as file:
        file.write(b'{"device":nu')
    games = list(read_games([str(path)]))
    keys = [dict(game.record.tags.other)["Game"] for game in games if isinstance(game, Game)]
    assert keys == ["game-1", "game-2"]


def test_a_journal_whose_chain_is_broken_is_not_believed(tmp_path: Path) -> None:
    """As its own reader says it."""
    path = tmp_path / "journal.jsonl"
    _journal(path)
    path.write_text(path.read_text(encoding="utf-8").replace('"A"', '"C"'), encoding="utf-8")
    (found,) = read_games([str(path)])
    assert isinstance(found, UnusableError)
    assert "the journal cannot be trusted" in found.why
    assert "record 2 is damaged (its hash does not match what it says)" in found.why


def test_a_journal_that_never_ends_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it fills the memory."""
    path = tmp_path / "journal.jsonl"
    _journal(path)
    monkeypatch.setattr(reading, "MAX_JOURNAL", 100)
    (found,) = read_games([str(path)])
    assert str(found) == f"{path}: the journal is longer than 100 characters"
