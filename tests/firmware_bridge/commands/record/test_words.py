"""What is wrong with a game, in the language of whoever asks."""

from __future__ import annotations

import pytest

from firmware_bridge.commands.common import speech
from firmware_bridge.commands.record.reading import Faulty, read_lines
from firmware_bridge.commands.record.sources import Source
from firmware_bridge.commands.record.words import expected_said, fault_told
from rules.errors import due
from tests.firmware_bridge.commands.record.games import NOTED

MISSING = "restore a sheet with missing moves first (togyz record restore)"
LEGAL = "expected a move that Bastaushy can play"

NINES = f"{','.join(['9S'] * 9)}/{','.join(['9S'] * 9)} 0 0"

FAULTS = {
    "1. 3-2": f":1:4: game 1: “3-2”: {LEGAL}: pit 3 holds 9 and makes 3:2, the kazan then holds 10",
    "1. 76 98 2. _8x": f":1:13: game 1: “_8x”: {LEGAL}: no legal move fits; possible: ",
    "1. 76 98 2. _:_": f":1:13: game 1: “_:_”: {LEGAL}: it can be ",
    "1. 3:2 (9)": ":1:8: game 1: “(9)”: expected (10): pit 3 holds 9 and makes 3:2, the kazan then holds 10",
    "1. __": f":1:4: game 1: “__”: expected the move 1.; {MISSING}",
    "1. 76 98 3. 12": f":1:13: game 1: “12”: expected the move 2.; {MISSING}",
    "1. 76 what": ":1:7: game 1: “what”: expected a move, a number such as 12., (kazan), a judgement, =, "
    "a result or a comment in braces",
    "2. 76 98 1. 12": f":1:4: game 1: “76”: expected the move 1.; {MISSING}",
    "1. 76 98 2. 66 1. 87": ":1:16: game 1: “1.”: expected the number 2... or a higher one",
    "1. 76 !!!": ":1:7: game 1: “!!!”: expected one of ! !! ? ?? ?!",
    "(10) 1. 76": ":1:1: game 1: “(10)”: expected a move directly before it",
    "1. 76 {open": ":1:7: game 1: “{”: expected a } that closes the comment",
    "1. 76 1-0 98": ":1:11: game 1: “98”: expected nothing behind the result 1-0",
    '[City "A"]\n[City "B"]\n1. 76': ":2:2: game 1: “City”: expected each name once",
    "[City Almaty]\n1. 76": ':1:1: game 1: “[City”: expected a line such as [City "Almaty"] above the moves',
    '[Result "won"]\n1. 76': ":1:10: game 1: “won”: expected 1-0, 0-1, 1/2-1/2 or *",
    '[Result "1-0"]\n1. 76 98\n0-1': ":3:1: game 1: “0-1”: expected 1-0, as the tag Result says",
    '[Result "1-0"]\n[Reason "agreement"]\n1. 76 98\n': ":1:10: game 1: “1-0”: expected 1/2-1/2, since the "
    "reason is agreement",
    '[Reason "atsyrau"]\n1. 76 98\n': ":1:10: game 1: “atsyrau”: expected another reason: the stones say "
    "otherwise",
    '[Position "x"]\n1. 76': ":1:12: game 1: “x”: expected a position as PlayStrategy writes it",
    "1. 76 {%clock soon}": ":1:7: game 1: “%clock soon”: expected both dials, once behind each move",
    "1. 76 {%sing}": ":1:7: game 1: “%sing”: expected %clock, %ruling or %diagram",
    "1. 76 {%ruling}": ":1:7: game 1: “%ruling”: expected a ruling such as %ruling warning",
    "1. 76\x07": ":1:6: game 1: “ ”: expected no control character",
    "1. 76 98\n{%diagram\n1\n2}": ":2:1: game 1: “%diagram”: expected a diagram of four lines",
    "1. 76 98\n{%diagram\n0\n"
    + "9 " * 9
    + "\n"
    + "9 " * 9
    + "\n0}": ":2:1: game 1: “%diagram”: expected the position after 2 plies",
    "1. 76 7/": ":1:7: game 1: “7/”: expected a legal move, or the ruling illegal_stands with",
    "1. 76 7/(1)": ":1:7: game 1: “7/”: expected no kazan behind a move that stands",
    "1. 76 7/!!": ":1:7: game 1: “7/”: expected a legal move, or the ruling illegal_stands",
    "1. 76 7/= =": ":1:7: game 1: “7/”: expected a move that stands, such as 7/",
    f"1. 76 {{%ruling illegal_stands: {NINES} N 1}}": ":1:7: game 1: "
    "“%ruling illegal_stands: 9S,9S,9S,9S,9S,…”: expected a move that stands, such as 7/, directly before it",
    "1. 76 {%ruling position_set}": ":1:7: game 1: “%ruling position_set”: expected a position as PlayStr",
    f"1. 76 {{%ruling position_set: {NINES} S 1}}": ":1:7: game 1: "
    "“%ruling position_set: 9S,9S,9S,9S,9S,9S…”: expected a position with the number 2 at its end",
    f"1. 7/ {{%ruling illegal_stands: {NINES} S 1}}": ":1:7: game 1: "
    "“%ruling illegal_stands: 9S,9S,9S,9S,9S,…”: expected a position in which the other player is to move",
    '{"format": 1}': ":1: game 1: “record”: expected the field tags",
    '{"format": 1]': ':1: game 1: “record = {"format": 1]”: expected a JSON object of a game record',
    '{"format": 1, "tags": 5}': ":1: game 1: “record",
}
"""Faulty games and how what is wrong with them begins."""


def told(text: str) -> str:
    """Return what is said of the first fault in a text."""
    source = Source("game", None)
    for found in read_lines(iter(text.splitlines(keepends=True)), source):
        if isinstance(found, Faulty):
            return fault_told(found)
    raise AssertionError(text)


@pytest.mark.parametrize("text", FAULTS)
def test_a_fault_is_told_with_its_place_its_word_and_what_was_expected(text: str) -> None:
    """On one line."""
    assert told(text).startswith(f"game{FAULTS[text]}")
    assert "\n" not in told(text)


@pytest.mark.parametrize("text", FAULTS)
@pytest.mark.parametrize("language", ["kk", "ru"])
def test_no_fault_is_told_in_english_to_others(
    text: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for what is typed in Latin letters anyway."""
    monkeypatch.setattr(speech, "option", language)
    for english in ("expected", "such as", "move", "holds", "reason is", "since"):
        assert english not in told(text)


def test_an_empty_pit_and_the_pits_that_are_not() -> None:
    """What could have been played is named."""
    text = '[Position "9S,8/1,9S,7 72 72 S 1"]\n1. 12'
    assert told(text).endswith("pit 1 of Bastaushy is empty; possible: 2-1")


def test_a_tuzdyk_is_no_pit_to_play() -> None:
    """It says whose it is."""
    text = '[Position "9S,8/t,9S,7 72 72 S 1"]\n1. 12'
    assert "pit 1 is a tuzdyk of Qostaushy" in told(text)


def test_a_game_that_is_over_has_no_moves() -> None:
    """Whatever lies on the board."""
    text = '[Position "9S,8/1,9S,7 82 62 S 1"]\n1. 21'
    assert told(text).endswith("the game is over")


def test_what_nobody_foresaw_is_shown_as_it_is() -> None:
    """Better than nothing."""
    assert expected_said("a miracle") == "a miracle"
    assert expected_said(due("of_later", "a miracle of a later rulebook")) == "a miracle of a later rulebook"


def test_what_was_expected_is_said_from_its_code_and_not_from_its_words() -> None:
    """Whoever words it otherwise in the rulebook changes no translation."""
    told = expected_said(due("move_of", "[words nobody knows]", number=7, side="qostaushy"))
    assert told == "move 7 of Qostaushy before it"


def test_a_sound_game_is_none_of_them() -> None:
    """The table would prove nothing otherwise."""
    with pytest.raises(AssertionError):
        told(NOTED)
