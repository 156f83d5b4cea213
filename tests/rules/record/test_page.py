"""The page that specifies records, and a reader of its own that knows nothing but that page."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings

import rules
from rules import (
    REASONS,
    RULING_KINDS,
    TAG_NAMES,
    GameRecord,
    Result,
    Side,
    format_fen,
    format_record,
    parse_record,
)
from rules.position import Points
from rules.record.files import MAX_GAME, MAX_LINE
from rules.record.json_form import record_to_json
from rules.record.model import MAX_COMMENT, MAX_DIAL_MS, MAX_NOTES, MAX_PLIES, MAX_TAGS, MAX_TEXT, OWN_TAGS
from rules.record.text import format_ply
from tests.rules.records import records, ruled_record

PAGE = (Path(rules.__file__).with_name("record") / "RECORD.md").read_text(encoding="utf-8")


def test_the_example_of_the_page_is_a_record_as_it_is_written() -> None:
    """Whoever copies it has a sound one."""
    example = PAGE.split("```\n")[1]
    assert format_record(parse_record(example)) == example


def test_the_example_of_an_illegal_sowing_that_stands_is_a_record_as_it_is_written() -> None:
    """With a set position behind it, after which the same player moves again."""
    (example,) = (block for block in PAGE.split("```\n") if "illegal_stands qostaushy:" in block)
    assert format_record(ruled_record()) == example


@pytest.mark.parametrize("name", [*TAG_NAMES.values(), *OWN_TAGS, "White", "Black", "FEN", *RULING_KINDS])
def test_every_tag_and_ruling_is_on_the_page(name: str) -> None:
    """In one of its tables."""
    assert any(line.startswith("| ") and f"`{name}`" in line for line in PAGE.splitlines())


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_is_on_the_page_with_its_results(reason: str) -> None:
    """All results are called any, or those of the stones."""
    table = PAGE.split("## Results and reasons")[1].splitlines()
    (row,) = (line for line in table if line.startswith("| ") and f"`{reason}`" in line)
    results = re.findall("`([01/2-]+)`", row.split("|")[2])
    stones = get_args(Points if "the stones say" in row else Result)
    assert tuple(results or stones) == REASONS[reason]


@pytest.mark.parametrize(
    "limit", [MAX_LINE, MAX_GAME, MAX_TEXT, MAX_COMMENT, MAX_PLIES, MAX_NOTES, MAX_TAGS, MAX_DIAL_MS]
)
def test_every_limit_is_on_the_page(limit: int) -> None:
    """A writer has to know them."""
    assert f"{limit:,}" in PAGE


def test_the_keys_of_the_json_are_on_the_page_in_their_order() -> None:
    """The last block of the page shows them all."""
    block = PAGE.split("```")[-2]
    places = [block.index(f'"{key}":') for key in record_to_json(GameRecord())]
    assert places == sorted(places)


# --- a reader written from the page ---------------------------------------------------------------

TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
WORD = re.compile(
    r"\{(?P<note>[^}]*)\}|(?P<number>\d+)\.+|\((?P<kazan>\d+)\)|(?P<judgement>\?!|!!|\?\?|!|\?)|(?P<draw>=)"
    r"|(?P<result>1-0|0-1|1/2-1/2|0-0|\*)|(?P<move>\d[:-]\dx?|\d?/)"
)


def words_of(text: str) -> str:
    """Return what a comment says."""
    return re.sub(r"\\([\\()\[%])", lambda it: {"(": "{", ")": "}"}.get(it[1], it[1]), text)


def dial(text: str) -> int | None:
    """Return the milliseconds of a dial."""
    if text == "-":
        return None
    hours, minutes, seconds = text.split(":")
    whole, _, rest = seconds.partition(".")
    return (int(hours) * 3600 + int(minutes) * 60 + int(whole)) * 1000 + int((rest or "0").ljust(3, "0"))


def read_by_the_page(text: str) -> dict[str, Any]:
    """Return tags, moves, clocks, marks and notes of a record's text, none of them checked."""
    found: dict[str, Any] = {"tags": {}, "moves": [], "clocks": {}, "rulings": [], "comments": []}
    lines = text.split("\n")
    while lines and (tag := TAG.fullmatch(lines[0])):
        found["tags"][tag[1]] = re.sub(r'\\(["\\])', r"\1", tag[2])
        lines.pop(0)
    for word in WORD.finditer("\n".join(lines)):
        said = word[str(word.lastgroup)]
        match word.lastgroup:
            case "move":
                found["moves"].append([said, "", False])
            case "judgement":
                found["moves"][-1][1] = said
            case "draw":
                found["moves"][-1][2] = True
            case "result":
                found["result"] = None if said == "*" else said
            case "note":
                take_note(said, found, len(found["moves"]))
    return found


def take_note(note: str, found: dict[str, Any], ply: int) -> None:
    """Take a clock, a ruling or a comment after so many moves; leave diagrams to themselves."""
    if note.startswith("%clock "):
        found["clocks"][ply] = tuple(map(dial, note.split(" ")[1:]))
    elif note.startswith("%ruling "):
        head, _, said = note.removeprefix("%ruling ").partition(": ")
        code, _, side = head.partition(" ")
        found["rulings"].append((ply, code, side or None, words_of(said)))
    elif not note.startswith("%diagram"):
        found["comments"].append((ply, words_of(note)))


@settings(max_examples=60, deadline=None)
@given(record=records())
def test_a_reader_written_from_the_page_reads_what_we_write(record: GameRecord) -> None:
    """Every tag, move, mark, clock, ruling and comment, without a look into our code."""
    found = read_by_the_page(format_record(record, kazans=True))
    for field, value in record.tags.known():
        assert found["tags"].pop(TAG_NAMES[field]) == value
    assert {name: found["tags"][name] for name, _ in record.tags.other} == dict(record.tags.other)
    assert found["tags"].get("Reason") == record.reason
    assert found["tags"].get("Recorder") == record.recorder
    if "Position" in found["tags"]:
        assert found["tags"]["Position"] == format_fen(record.start, record.start_number)
    remaining = found["tags"].get("Remaining")
    assert (remaining and tuple(map(dial, remaining.split()))) == record.remaining_ms
    assert found["tags"].get("Signed", "").split() == [it.value for it in Side if record.signed[it.index]]
    written = [
        format_ply(replace(ply, move=replace(ply.move, judgement="", draw_offered=False)))
        for ply in record.plies
    ]
    marks = [[ply.move.judgement, ply.move.draw_offered] for ply in record.plies]
    assert found["moves"] == [[move, *behind] for move, behind in zip(written, marks, strict=True)]
    assert found["clocks"] == {n: ply.clock_ms for n, ply in enumerate(record.plies, 1) if ply.clock_ms}
    sides = [(it.ply, it.kind, it.side and it.side.value, it.text) for it in record.rulings]
    assert found["rulings"] == sides
    assert found["comments"] == [(it.ply, it.text) for it in record.comments]
    assert found["result"] == record.result
