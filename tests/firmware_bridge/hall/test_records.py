"""The shelf of records: whole or not shown, newest wins, and no flood fills it."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.hall import records
from firmware_bridge.hall.records import MAX_DRAFTS, MAX_GAMES, RecordShelf
from firmware_bridge.wire.payloads import PayloadError, encode
from firmware_bridge.wire.records import RecordOf, RecordPayload, cut
from rules.notation.moves import MoveText
from rules.record.json_form import format_record_json
from rules.record.model import GameRecord, RecordPly, Tags
from tests.firmware_bridge.hall.plays import EVENT, NAMES, sowings


@cache
def record(*, signed: bool = False, plies: int = 60) -> GameRecord:
    """Return a record of the game of 2009, resigned by nobody knows whom."""
    played = tuple(RecordPly(MoveText(sowing), (1, 2)) for sowing in sowings()[:plies])
    tags = Tags(bastaushy=NAMES[0], qostaushy=NAMES[1])
    return GameRecord(tags=tags, plies=played, result="1-0", reason="resignation", signed=(signed, signed))


def told(
    game: str = "g1",
    *,
    boot: int = 1,
    seq: int = 100,
    board: str = "b01",
    signed: bool = False,
    plies: int = 60,
) -> tuple[RecordPayload, ...]:
    """Return the parts of a record as a board tells them."""
    about = RecordOf(event=EVENT, board=board, game=game, boot=boot, seq=seq, ply=plies, ts=1)
    return cut(about, format_record_json(record(signed=signed, plies=plies)))


def take(shelf: RecordShelf, *parts: RecordPayload) -> list[str]:
    """Take parts; return the boards of those by which a record became whole."""
    return [board for part in parts if (board := shelf.take(part))]


@given(st.randoms(use_true_random=False))
def test_parts_in_any_order_and_twice_make_one_record(dice: random.Random) -> None:
    """Only the last that was missing makes it whole."""
    shelf = RecordShelf()
    parts = [*told(), *told()]
    dice.shuffle(parts)
    assert take(shelf, *parts) == ["b01"]
    kept = shelf.get("b01", "g1")
    assert kept is not None
    assert kept.record == record()
    assert json.loads(kept.text)["result"] == "1-0"
    assert shelf.last("b01") is kept


@given(st.randoms(use_true_random=False))
def test_of_two_revisions_mixed_the_newer_is_shown_in_the_end(dice: random.Random) -> None:
    """However their parts come."""
    shelf = RecordShelf()
    parts = [*told(seq=100), *told(seq=101, signed=True)]
    dice.shuffle(parts)
    take(shelf, *parts)
    kept = shelf.last("b01")
    assert kept is not None
    assert kept.record.signed == (True, True)
    assert kept.order == (1, 101)


def test_until_the_newer_is_whole_the_older_is_shown() -> None:
    """A viewer never sees half of one and half of another."""
    shelf = RecordShelf()
    take(shelf, *told(seq=100))
    first, *rest = told(seq=101, signed=True)
    assert take(shelf, first) == []
    assert shelf.whole("b01")[0].record.signed == (False, False)
    assert take(shelf, *rest) == ["b01"]
    assert shelf.whole("b01")[0].record.signed == (True, True)


def test_an_older_record_that_comes_late_changes_nothing() -> None:
    """A bridge may deliver what was kept long ago; a higher boot is newer than a higher number."""
    shelf = RecordShelf()
    take(shelf, *told(boot=2, seq=10, signed=True))
    assert take(shelf, *told(boot=1, seq=900)) == []
    assert take(shelf, *told(boot=2, seq=9)) == []
    assert shelf.whole("b01")[0].order == (2, 10)


def test_of_two_records_of_the_same_moment_the_later_is_shown() -> None:
    """As CONTRACT.md says; the same one again changes nothing."""
    shelf = RecordShelf()
    take(shelf, *told())
    assert take(shelf, *told(signed=True)) == ["b01"]
    assert take(shelf, *told(signed=True)) == []
    kept = shelf.last("b01")
    assert kept is not None
    assert kept.record.signed == (True, True)


def test_clearing_a_part_takes_nothing_away() -> None:
    """What was shown once stays; the board clears what a shorter record does not need."""
    shelf = RecordShelf()
    take(shelf, *told())
    assert shelf.receive(told()[0].topic, b"") is None
    assert shelf.get("b01", "g1") is not None


def test_bytes_are_read_as_the_wire_reads_them() -> None:
    """Topic and payload must agree."""
    shelf = RecordShelf()
    parts = told()
    assert [shelf.receive(part.topic, encode(part)) for part in parts] == [None] * (len(parts) - 1) + ["b01"]
    with pytest.raises(PayloadError, match="belongs to"):
        shelf.receive(parts[1].topic, encode(parts[0]))


def test_a_text_that_is_no_record_is_named_and_not_shown() -> None:
    """Neither nonsense, nor a game that cannot be played, nor one with a wrong hash."""
    about = RecordOf(event=EVENT, board="b01", game="g1", boot=1, seq=1, ply=0, ts=1)
    impossible = format_record_json(record()).replace('"move":"3:2"', '"move":"3:3"')
    assert "3:3" in impossible
    for text, why in (("[" * 3000, "JSON"), (impossible, r"plies\[0\]\.move"), ('{"format":3}', "format")):
        with pytest.raises(PayloadError, match=f"game 'g1' of board b01: .*{why}"):
            take(RecordShelf(), *cut(about, text))
    forged = [part.model_copy(update={"text": "x"}) for part in told()]
    shelf = RecordShelf()
    with pytest.raises(PayloadError, match="does not match its hash"):
        take(shelf, *forged)
    assert take(shelf, *told()) == ["b01"], "a forgery does not stand in the way of the truth"


def test_why_a_record_is_not_there_is_said_in_words() -> None:
    """Never heard of, or how much is missing."""
    shelf = RecordShelf()
    assert "b01 has told no record of game g1" in shelf.missing("b01", "g1")
    first, *rest = told()
    take(shelf, first)
    assert f"g1 is not whole yet: 1 of {len(rest) + 1} parts have come" in shelf.missing("b01", "g1")
    assert shelf.last("b01") is None


def test_games_are_listed_as_they_ended() -> None:
    """By boot and number, whatever they are called and in whatever order they came."""
    shelf = RecordShelf()
    take(shelf, *told("z", seq=5), *told("m", boot=2, seq=1), *told("a", seq=90))
    assert [kept.game for kept in shelf.whole("b01")] == ["z", "a", "m"]
    assert [kept.as_json()["key"] for kept in shelf.whole("b02")] == []
    line = shelf.whole("b01")[0].as_json()
    assert (line["game"], line["plies"], line["names"], line["signed"]) == (
        "z",
        60,
        list(NAMES),
        [False, False],
    )


def test_a_game_with_any_name_is_found_by_its_key() -> None:
    """Slashes and blanks never reach an address."""
    shelf = RecordShelf()
    take(shelf, *told("1. айналым / 3"))
    key = shelf.whole("b01")[0].as_json()["key"]
    assert key.startswith("game-")
    found = shelf.get("b01", key)
    assert found is not None
    assert found.game == "1. айналым / 3"


def test_a_board_that_left_leaves_no_record() -> None:
    """Nor anything in the account of the memory."""
    shelf = RecordShelf()
    take(shelf, *told(), *told(board="b02"))
    held = shelf._held
    shelf.forget("b01")
    shelf.forget("b77")
    assert shelf.whole("b01") == []
    assert shelf._held == held // 2
    assert len(shelf.whole("b02")) == 1


def test_a_flood_of_games_drops_those_touched_longest_ago() -> None:
    """A board cannot fill the memory with games."""
    shelf = RecordShelf()
    for number in range(MAX_GAMES + 3):
        take(shelf, *told(f"g{number}", seq=number, plies=1))
        take(shelf, *told("g0", seq=0, plies=1))
    games = [kept.game for kept in shelf.whole("b01")]
    assert len(games) == MAX_GAMES
    assert games[0] == "g0"
    assert games[-1] == f"g{MAX_GAMES + 2}"


def test_a_flood_of_beginnings_does_not_keep_a_record_out() -> None:
    """Parts of records that never become whole give way to each other."""
    shelf = RecordShelf()
    first, *rest = told()
    take(shelf, first)
    for number in range(MAX_DRAFTS - 1):
        take(shelf, first.model_copy(update={"seq": 1000 + number}))
    assert take(shelf, *rest) == ["b01"]
    for number in range(50):
        take(shelf, first.model_copy(update={"seq": 1000 + number, "sha256": f"{number:064x}"}))
    assert len(shelf._boards["b01"]["g1"].drafts) == MAX_DRAFTS


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 256)), max_size=60))
def test_the_account_of_the_memory_is_true_and_kept(parts: list[tuple[int, int, int]]) -> None:
    """Whatever comes, what is held is what is counted, and no more than allowed."""
    shelf = RecordShelf(max_held=20_000)
    (short,) = told(plies=1)
    for board, game, part in parts:
        facts = {"board": f"b{board}", "game": f"g{game}", "part": part, "parts": 256, "text": "x" * 900}
        shelf.take(short.model_copy(update=facts))
        assert shelf._held == sum(game.size for _, _, game in shelf._all()) <= 20_000
    assert all(shelf._boards.values())


def test_the_weights_are_not_nothing() -> None:
    """A million boards without a character would fill the memory too."""
    shelf = RecordShelf()
    (short,) = told(plies=1)
    shelf.take(short.model_copy(update={"parts": 2, "text": ""}))
    assert shelf._held >= records._GAME_WEIGHT + records._PART_WEIGHT
